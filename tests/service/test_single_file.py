"""The page as one file: every import is resolved, and nothing is left to fetch."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser

import msgspec
import pytest

from games.room25 import RULES
from service.page.single_file import (
    POLICY,
    BundleError,
    frame,
    import_map,
    needed,
    rewritten,
)
from service.page.static_files import WEB, read_site
from tests.service.small_page import FILES, INDEX


class Elements(HTMLParser):
    """What is in a document: elements with their attributes, and the texts of some."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": []}
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, _: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in self.texts:
            self.texts[self._open].append(data)


def modules(text: str) -> dict[str, str]:
    """The modules of an import map, by their names."""
    found = {}
    for name, address in msgspec.json.decode(text)["imports"].items():
        kind, _, content = address.partition(",")
        assert kind == "data:text/javascript;base64"
        found[name] = b64decode(content).decode()
    return found


def test_a_module_needs_what_it_imports_and_what_that_imports() -> None:
    assert needed("main.js", FILES) == [
        "dom.js",
        "games/halma/board.js",
        "games/halma/game.js",
        "later.js",
        "main.js",
        "net/api.js",
        "net/deep/er.js",
        "start.js",
    ]


def test_every_form_of_import_gets_a_bare_name_and_nothing_else_changes() -> None:
    assert rewritten("net/api.js", FILES) == (
        'import { h } from "parlour/dom.js";\n'
        'export { h as left } from "parlour/net/deep/er.js";\n'
        'export * from "parlour/net/deep/er.js";\n'
        'export * as names from "parlour/dom.js";\n'
        "export { h };\n"
    )
    main = rewritten("main.js", FILES)
    assert 'from "parlour/net/api.js";\nimport "parlour/start.js";\n' in main
    assert '() => import("parlour/later.js")' in main
    unchanged = main.replace('import("parlour/later.js")', 'import("./later.js")')
    assert unchanged.partition("// import")[2] == FILES["main.js"].partition("// import")[2]


def test_all_names_in_the_map_are_known_to_it() -> None:
    found = modules(import_map("main.js", FILES))
    for text in found.values():
        code = re.sub(r"(?s)/\*.*?\*/|//[^\n]*", "", text)
        names = re.findall(r'(?:from |import |import\()"([^"]+)"', code)
        assert set(names) <= set(found)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('import { x } from "./missing.js";', "module missing.js not found"),
        ('import { x } from "../outside.js";', r"module \.\./outside.js not found"),
        ('import { x } from "lit";', "not a relative path"),
        ('import { x } from "/web/dom.js";', "not a relative path"),
        ('import { x } from "https://example.com/x.js";', "not a relative path"),
        ('const x = await import("./dom.js");', "is no import that is known"),
        ("const here = import.meta.url;", "is no import that is known"),
        ("import { x } from './dom.js';", "is no import that is known"),
        ('import { x } from "./dom.js"', "is no import that is known"),
        ('import x from "./icon.svg" with { type: "x" };', "is no import that is known"),
        ('const go = () => import("./missing.js");', "module missing.js not found"),
        ('const go = () => import("lit");', "not a relative path"),
        ('import icon from "./icon.svg";', "module icon.svg not found"),
    ],
)
def test_what_one_file_cannot_do_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BundleError, match=complaint):
        import_map("main.js", {**FILES, "main.js": text + "\n"})


def test_the_document_holds_all_that_it_links_to() -> None:
    text = frame(INDEX, FILES).around(b'{"lines":["</script><!--"]}').decode()
    parsed = Elements(text)
    assert not [
        value
        for _, attrs in parsed.found
        for name, value in attrs.items()
        if name in {"src", "href"} and not str(value).startswith("data:")
    ]
    policies = [
        attrs["content"]
        for tag, attrs in parsed.found
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == [POLICY]
    assert text.index("Content-Security-Policy") < text.index("<title>")
    shape, archive, start = parsed.texts["script"]
    assert set(modules(shape)) == {f"parlour/{path}" for path in needed("main.js", FILES)}
    assert msgspec.json.decode(archive) == {"lines": ["</script><!--"]}
    assert start == 'import "parlour/main.js";'
    kinds = [attrs.get("type") for tag, attrs in parsed.found if tag == "script"]
    assert kinds == ["importmap", "application/json", "module"]
    assert parsed.texts["style"][0].strip() == FILES["style/base.css"].strip()
    assert parsed.texts["title"] == ["Room & 25 é"]
    for kept in ('<main id="page" tabindex="-1"></main>', '<html lang="en">', "<br />"):
        assert kept in text
    assert text.startswith("<!doctype html>\n")
    assert not re.findall("</(?:br|meta|link)>", text)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (('src="/web/main.js"', 'src="/web/other.js"'), "module other.js not found"),
        (('type="module" src="/web/main.js"', ""), "not a module of the page"),
        (('src="/web/main.js"', 'src="https://example.com/x.js"'), "not a module of the page"),
        (('<script type="module" src="/web/main.js"></script>', ""), "does not start a module"),
        (("style/base.css", "style/none.css"), "which is missing"),
        (('rel="stylesheet"', 'rel="preload"'), "which a single file does not support"),
    ],
)
def test_a_document_that_cannot_be_one_file_is_refused(
    change: tuple[str, str], complaint: str
) -> None:
    assert change[0] in INDEX
    with pytest.raises(BundleError, match=complaint):
        frame(INDEX.replace(*change), FILES)


@pytest.mark.parametrize(
    "style", ['@import "x.css";', "a { background: url(x.png) }", "a { b: '</style>' }"]
)
def test_a_style_that_asks_for_something_is_refused(style: str) -> None:
    with pytest.raises(BundleError, match=r"style/base\.css"):
        frame(INDEX, {**FILES, "style/base.css": style})


def test_the_bytes_do_not_depend_on_the_order_of_the_files() -> None:
    backwards = dict(reversed(FILES.items()))
    assert frame(INDEX, FILES) == frame(INDEX, backwards)


def test_the_page_itself_can_be_one_file() -> None:
    static_files = read_site(WEB)
    whole = static_files.frame.around(b"{}")
    assert whole == read_site(WEB).frame.around(b"{}")
    assert set(static_files.words) == {"en", "fr", "pl"}
    for sections in static_files.words.values():
        assert {"common", "log", f"games/{RULES.id}"} <= set(sections)
