"""The page's files: every module is there for something, and nothing is asked for from elsewhere.

What modules say and do is read by a compiler and a linter, in ``tests/page``: that what is imported
is there, that types agree, that no markup and no code is made out of text. Here is what these do
not see: the files together, styles and the document, and that tests understand what they read.
"""

import re

from service.page.comments import without_comments
from tests.house import tree
from tests.house.scripts import Scripts, imports, later, read_script, resolved

PAGE = [name for name in tree.tracked() if name.startswith("web/")]
SOURCES = {name: tree.read(name) or "" for name in PAGE}
SCRIPTS = Scripts(PAGE)
CONTRACT = "web/games/contract.js"
"""What a game brings, in types alone: comments import it, and nothing else."""
WORKER = "web/worker/service-worker.js"
"""What a browser runs beside the page, and no module imports."""
STYLES = [name for name in PAGE if name.endswith(".css")]
LATE = (
    "web/main.js",
    "web/games/registry.js",
    "web/games/cerveauuu/board/later.js",
    "web/games/room25/board/scenery.js",
    "web/lobby/seats.js",
    "web/watch/later-parts.js",
    "web/watch/show.js",
)
"""What loads anything later."""
PURE = re.compile(r"web/(?:games/\w+/)?fold/")
"""The folds of the table and of each game: those import nothing but one another."""

_LOOK_AWAY = re.compile(r"@ts-|eslint-")


def test_there_is_a_page() -> None:
    assert {"web/main.js", "web/dom.js", "web/words.js"} <= set(SCRIPTS)


def test_every_import_was_understood() -> None:
    for name, script in SCRIPTS.items():
        known = len(imports(script)) + len(later(script))
        assert known == len(re.findall(r"\bimport\b", script.code)), name
        assert not re.search(r"\bexport\s*(?:\{(?!\};)|\*|default)", script.code), name


def test_no_module_is_there_for_nothing() -> None:
    used = {resolved(name, each.path) for name, s in SCRIPTS.items() for each in imports(s)}
    used |= {resolved(name, path) for name, s in SCRIPTS.items() for path in later(s)}
    assert set(SCRIPTS) - used == {"web/main.js", CONTRACT, WORKER}


def test_what_is_loaded_later_is_called_by_its_path() -> None:
    """The path finds the template of all that it needs; nothing is loaded without."""
    for name, script in SCRIPTS.items():
        said = re.findall(r"\blate\((\d+), \(\) => import\((\d+)\)\)", script.code)
        assert len(said) == len(later(script)), name
        for path, specifier in ([script.texts[int(at)].text for at in each] for each in said):
            assert f"web/{path}" == resolved(name, specifier)
    assert {name for name, s in SCRIPTS.items() if later(s)} == set(LATE)


def test_what_is_loaded_later_is_not_imported_elsewhere() -> None:
    """Or it would be there from the beginning."""
    late = {resolved(name, path) for name, s in SCRIPTS.items() for path in later(s)}
    now = {resolved(n, each.path) for n, s in SCRIPTS.items() for each in imports(s)}
    offers = {name for name in late if name.endswith("/offer.js")}  # which are parts of their games
    assert late & now == offers


def altered(source: str) -> bool:
    """Whether a module says something else once its comments are left out."""
    before, after = (
        read_script(text) for text in (source, without_comments(source.encode()).decode())
    )
    return before.texts != after.texts or squeezed(before.code) != squeezed(after.code)


def squeezed(code: str) -> list[str]:
    """The lines of code, without space around them."""
    return [line.strip() for line in code.splitlines() if line.strip()]


def test_modules_say_the_same_without_their_comments() -> None:
    assert [name for name in SCRIPTS if altered(SOURCES[name])] == []
    assert altered("export const a = `\n  // what looks like a comment\n`;\n")
    assert altered("export const a = `\n  /* and so does this */\n`;\n")
    assert not altered("/** Says\n * something. */\nexport const a = 1; // one\n  // two\n")
    assert not altered("/** @type {any} */ (a).b(/** two ** */ c);\nd();\n/* e */\n/***/\n")


def test_the_contract_of_games_holds_no_code() -> None:
    assert SCRIPTS[CONTRACT].code.strip() == "export {};"


def test_no_module_tells_the_tools_to_look_away() -> None:
    assert [name for name, text in SOURCES.items() if _LOOK_AWAY.search(text)] == []
    assert _LOOK_AWAY.search("// @ts-nocheck")
    assert _LOOK_AWAY.search("/* eslint-disable */")


def test_a_fold_imports_folds_only() -> None:
    folds = {name: script for name, script in SCRIPTS.items() if PURE.match(name)}
    assert folds
    for name, script in folds.items():
        for statement in imports(script):
            assert PURE.match(resolved(name, statement.path)), name


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
