"""The page's modules: what they import is there, and nothing in them breaks its promises.

The promises: no build step, no markup out of text, no code out of text, nothing from elsewhere.
"""

import re

import pytest

from tests.house import tree
from tests.house.scripts import Import, exports, imports, read_script, resolved

PAGE = [name for name in tree.tracked() if name.startswith("web/")]
SOURCES = {name: tree.read(name) or "" for name in PAGE}
SCRIPTS = {name: read_script(text) for name, text in SOURCES.items() if name.endswith(".js")}
STYLES = [name for name in PAGE if name.endswith(".css")]
MODULE_LINES = 400

FORBIDDEN = {
    r"\bimport\s*\(": "a dynamic import",
    r"\bimport\s*\.\s*meta\b": "import.meta, which a single file does not have",
    r"\b(?:inner|outer)HTML\b": "markup out of text",
    r"\binsertAdjacentHTML\b": "markup out of text",
    r"\bdocument\s*\.\s*write": "markup out of text",
    r"\bDOMParser\b": "markup out of text",
    r"(?<![\w.])eval\s*\(": "code out of text",
    r"\bnew\s+Function\b": "code out of text",
    r"\bdocument\s*\.\s*cookie\b": "a cookie",
    r"(?<![\w.])style\s*:": "a style attribute",
}
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}
"""Names that look like addresses, and are never asked for."""

PURE = "web/fold/"
IMPURE = re.compile(
    r"(?<![\w.])(?:document|window|fetch|localStorage|navigator|location|setTimeout|setInterval)\b"
    r"|\bDate\s*\.\s*now\b|\bMath\s*\.\s*random\b|\bnew\s+Date\b"
)


def flaws(source: str) -> list[str]:
    """What a module has that it may not."""
    script = read_script(source)
    found = [what for pattern, what in FORBIDDEN.items() if re.search(pattern, script.code)]
    for text in script.texts:
        if re.match(r"(?:https?:)?//\w", text.text) and text.text not in NAMESPACES:
            found.append(f"an address of somebody else, {text.text}")
        if text.text == "style":
            found.append("a style attribute")
    if source.count("\n") > MODULE_LINES:
        found.append(f"more than {MODULE_LINES} lines")
    return found


def dangling(name: str, statement: Import) -> list[str]:
    """What an import names that is not there."""
    if not statement.path.startswith(("./", "../")):
        return [f"{name}: {statement.path} is no relative path"]
    target = SCRIPTS.get(resolved(name, statement.path))
    if target is None:
        return [f"{name}: there is no {statement.path}"]
    missing = set(statement.names) - exports(target)
    return [f"{name}: {statement.path} exports no {each}" for each in sorted(missing)]


def test_there_is_a_page() -> None:
    assert {"web/main.js", "web/dom.js", "web/words.js"} <= set(SCRIPTS)


def test_everything_that_is_imported_is_exported() -> None:
    assert [
        line
        for name, script in SCRIPTS.items()
        for statement in imports(script)
        for line in dangling(name, statement)
    ] == []


def test_every_import_is_a_static_statement_that_was_understood() -> None:
    for name, script in SCRIPTS.items():
        assert len(imports(script)) == len(re.findall(r"\bimport\b", script.code)), name
        assert not re.search(r"\bexport\s*(?:\{|\*|default)", script.code), name


def test_no_module_is_there_for_nothing() -> None:
    used = {resolved(name, each.path) for name, s in SCRIPTS.items() for each in imports(s)}
    assert set(SCRIPTS) - used == {"web/main.js"}


def test_no_module_has_what_it_may_not() -> None:
    assert {name: found for name in SCRIPTS if (found := flaws(SOURCES[name]))} == {}


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('const m = await import("./x.js");', "a dynamic import"),
        ("node.innerHTML = text;", "markup out of text"),
        ("node.outerHTML = text;", "markup out of text"),
        ('node.insertAdjacentHTML("beforeend", text);', "markup out of text"),
        ("eval(text);", "code out of text"),
        ("const f = new Function(text);", "code out of text"),
        ('h("p", { style: "color: red" });', "a style attribute"),
        ('node.setAttribute("style", text);', "a style attribute"),
        ('fetch("https://example.com/x");', "an address of somebody else, https://example.com/x"),
        ("fetch(`//example.com/${x}`);", "an address of somebody else, //example.com/*"),
        ("\n" * 401, "more than 400 lines"),
    ],
)
def test_what_a_module_may_not_have_is_found(source: str, what: str) -> None:
    assert flaws(source) == [what]


def test_what_only_looks_forbidden_is_fine() -> None:
    source = """
      // innerHTML and eval(x) are words of a comment
      const text = "innerHTML, import(x) and eval(y)";
      node.style.setProperty("--x", `${a ? `style: ${b}` : "}"} // no comment`);
      const ns = "http://www.w3.org/2000/svg", pattern = /["'`]https:\\/\\//;
    """
    assert flaws(source) == []


def test_the_fold_is_pure() -> None:
    folds = {name: script for name, script in SCRIPTS.items() if name.startswith(PURE)}
    assert folds
    for name, script in folds.items():
        assert IMPURE.findall(script.code) == [], name
        for statement in imports(script):
            assert resolved(name, statement.path).startswith(PURE), name


def test_styles_ask_for_nothing_from_elsewhere() -> None:
    assert STYLES
    for name in STYLES:
        assert not re.search(r"@import|url\(\s*[\"']?(?!#|data:)", SOURCES[name]), name


def test_the_document_names_files_that_are_there_and_holds_no_code() -> None:
    index = SOURCES["web/index.html"]
    named = re.findall(r'(?:src|href)="([^"]*)"', index)
    assert named
    assert [each for each in named if each.removeprefix("/") not in PAGE] == []
    assert set(STYLES) <= {each.removeprefix("/") for each in named}
    assert not re.search(r"<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)", index)
