"""Chunks: what is always loaded together is one file, and what a module exports is what it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import pytest

from service.page.chunks import FOLDER, SMALL, Chunks
from service.page.comments import without_comments
from service.page.documents import SHEET, START, shared_styles
from service.page.modules import Modules, UnreadableModuleError
from service.page.static_files import WEB, read_site
from tests.service.small_page import FILES

BOTH: Final = {
    "main.js": (
        'import { h } from "./dom.js";\n'
        'export const lobby = () => import("./lobby.js");\n'
        'export const watch = () => import("./watch.js");\n'
    ),
    "dom.js": "export const h = 1;\n",
    "lobby.js": 'import { h } from "./dom.js";\nimport { rows } from "./rows.js";\n',
    "watch.js": (
        'import { rows } from "./rows.js";\n'
        'import { log } from "./log.js";\n'
        'export const play = () => import("./play.js");\n'
    ),
    "log.js": "export const log = 1;\n",
    "rows.js": 'import { cell } from "./cell.js";\nexport const rows = cell;\n',
    "cell.js": "export const cell = 1;\n",
    "play.js": (
        'import { log } from "./log.js";\n'
        'import { hand } from "./hand.js";\n'
        'import { h } from "./dom.js";\n'
    ),
    "hand.js": 'import { rows } from "./rows.js";\nexport const hand = rows;\n',
}
"""A start, two places that it goes to, and one that only the second leads to."""


def chunks(files: Mapping[str, str], small: int = 0, **others: str) -> Chunks:
    """The chunks of a page, some of whose modules are others; nothing is small by default."""
    return Chunks(
        Modules({**files, **{f"{name}.js": text for name, text in others.items()}}), START, small
    )


def groups(made: Chunks) -> dict[str, set[str]]:
    """The modules of each chunk."""
    found: dict[str, set[str]] = {}
    for module, file in made.files.items():
        found.setdefault(file.removeprefix(FOLDER), set()).add(module)
    return found


def files_of(made: Chunks, modules: Iterable[str]) -> list[str]:
    """The files that modules are in, each once, in the order of the modules."""
    return list(dict.fromkeys(made.files[module] for module in modules))


def test_what_is_always_loaded_together_is_one_file() -> None:
    assert groups(chunks(BOTH)) == {
        "main.js": {"main.js", "dom.js"},
        "lobby.js": {"lobby.js"},
        "watch.js": {"watch.js", "log.js"},
        "cell.js": {"rows.js", "cell.js"},  # of two places, and of neither alone
        "play.js": {"play.js", "hand.js"},  # the log and rows are there, whoever comes here
    }


def test_what_one_of_two_ways_leads_past_is_a_file_of_its_own() -> None:
    """From the lobby there is a way to play, too, on which nobody has loaded the log."""
    lobby = 'import { rows } from "./rows.js";\nexport const play = () => import("./play.js");\n'
    found = groups(chunks(BOTH, lobby=lobby))
    assert found["watch.js"] == {"watch.js"}
    assert found["log.js"] == {"log.js"}
    assert found["play.js"] == {"play.js", "hand.js"}


ROWS: Final = len(BOTH["rows.js"]) + len(BOTH["cell.js"])
"""Characters of what the lobby and a table share."""


def test_what_is_shared_and_small_comes_with_the_start() -> None:
    assert groups(chunks(BOTH, ROWS + 1))["main.js"] == {"main.js", "dom.js", "rows.js", "cell.js"}
    assert groups(chunks(BOTH, ROWS))["cell.js"] == {"rows.js", "cell.js"}
    assert groups(chunks(BOTH, 10_000))["watch.js"] == {"watch.js", "log.js"}  # which nobody shares


LARGE: Final = 500
LAID: Final = {
    "main.js": "".join(
        f'export const {name} = () => import("./{name}.js");\n' for name in ("one", "two", "three")
    ),
    "one.js": 'import { small } from "./small.js";\n',
    "two.js": 'import { small } from "./small.js";\n',
    "three.js": 'import { large } from "./large.js";\n',
    "small.js": 'import { large } from "./large.js";\nexport const small = large;\n',
    "large.js": f'export const large = "{"-" * LARGE}";\n',
}
"""Two places that share what is small, which imports what a third one shares with them."""


def test_what_is_small_stays_apart_from_the_start_where_it_imports_what_does() -> None:
    assert set(groups(chunks(LAID, LARGE))) == {*LAID}
    assert groups(chunks(LAID, 2 * LARGE))["main.js"] == {"main.js", "small.js", "large.js"}


def test_what_is_of_a_game_stays_apart_from_the_start() -> None:
    moved = {
        name.replace("small", "games/halma/small"): text.replace("/small", "/games/halma/small")
        for name, text in LAID.items()
    }
    moved["games/halma/small.js"] = moved["games/halma/small.js"].replace("./", "../../")
    found = groups(chunks(moved, 2 * LARGE))
    assert found["main.js"] == {"main.js", "large.js"}
    assert found["games/halma/small.js"] == {"games/halma/small.js"}


def test_a_module_is_a_function_that_gives_what_it_exports() -> None:
    made = chunks(FILES, unused="")
    assert made.texts["chunks/main.js"] == (
        "// dom.js\nconst $dom = (() => {\n"
        'const h = "h";\n\nreturn { h };\n})();\n'
        "// net/deep/er.js\nconst $net_deep_er = (() => {\n"
        "const { h } = $dom;\n\nconst right = () => h;\n\nreturn { h, right };\n})();\n"
        "// start.js\nconst $start = (() => {\n"
        "const all = $dom;\nall.h;\n\nreturn {  };\n})();\n"
        "// net/api.js\nconst $net_api = (() => {\n"
        "const { h } = $dom;\n\n\n\n\n\n"
        "return { ...$net_deep_er, left: $net_deep_er.h, names: $dom, h };\n})();\n"
        "// main.js\nconst $main = (() => {\n"
        "const { h } = $dom;\nconst { left, right: far } = $net_api;\n\n"
        '// import { none } from "./not/there.js";\n'
        '/**\n * @param {import("./not/there.js").None} x from "./nowhere"\n */\n'
        'const text = "import x from y";\n'
        'const go = () => import("./later.js").then((chunk) => chunk.$later);\n\n'
        "return { text, go };\n})();\n"
        "export { $dom, $net_deep_er, $start, $net_api, $main };\n"
    )
    later = made.texts["chunks/later.js"]
    assert later.startswith('import { $dom } from "./main.js";\n')
    assert '() => import("./games/halma/game.js").then((chunk) => chunk.$games_halma_game)' in later
    own = made.texts["chunks/games/halma/game.js"]
    assert own.startswith('import { $dom } from "../../main.js";\n')
    assert files_of(made, ["games/halma/board.js", "dom.js", "games/halma/game.js", "main.js"]) == [
        "chunks/games/halma/game.js",
        "chunks/main.js",
    ]
    assert "unused.js" not in made.files


@pytest.mark.parametrize(
    "declared",
    [
        "const x = 1;",
        "const x=1;",
        "function x() {}",
        "async function x() {}",
        "function* x() {}",
        "async function *x() {}",
        "class x {}",
        "class x extends Map {}",
    ],
)
def test_whatever_is_declared_is_exported(declared: str) -> None:
    text = chunks(BOTH, cell=f"export const cell = 1;\nexport {declared}\n")
    found = text.texts["chunks/cell.js"]
    assert f"\n{declared}\n" in found
    assert "return { cell, x };" in found


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("export let log = 1;", "contains 'export let log = 1;'"),
        ("export var log = 1;", "export var"),
        ("export default 1;", "export default"),
        ("export const { log } = all;", "export const {"),
        ('import log from "./dom.js";', "import log"),
        ("const log = 1;", "imports log, which log.js does not export"),
        ("export const other = 1, log = 2;", "imports log, which log.js does not export"),
        ('export { none as log } from "./dom.js";', "log.js imports none, which dom.js does not"),
        ('import { watch } from "./watch.js";\nexport const log = 1;', "a circle of imports"),
        ('import { log } from "./lo-g.js";\nexport { log };', "are both $lo_g in chunks"),
    ],
)
def test_what_would_be_something_else_in_a_chunk_is_refused(text: str, complaint: str) -> None:
    files = {
        **BOTH,
        "lo-g.js": 'export { log } from "./lo_g.js";',
        "lo_g.js": "export const log = 1;",
    }
    with pytest.raises(UnreadableModuleError) as refused:
        chunks(files, log=text)
    assert complaint in str(refused.value)


@pytest.fixture(scope="module")
def page() -> Modules:
    """The page itself."""
    paths = list(WEB.rglob("*.js"))
    return Modules({path.relative_to(WEB).as_posix(): path.read_text() for path in paths})


@pytest.mark.parametrize("small", [0, SMALL])
def test_each_entry_of_the_page_finds_what_it_imports_and_nothing_large_in_vain(
    page: Modules, small: int
) -> None:
    """By another reading: what chunks import of each other, followed as a browser does."""
    made = Chunks(page, START, small)
    imports = {
        file: {
            match[1]
            for match in re.finditer(r'^import \{[^}]*\} from "([^"]+)";', text, re.MULTILINE)
        }
        for file, text in made.texts.items()
    }
    assert all(re.match(r"\.\.?/", each) for found in imports.values() for each in found)
    for entry in (START, *page.late(START)):
        waiting = [made.files[entry]]
        loaded: set[str] = set()
        while waiting:
            file = waiting.pop()
            if file not in loaded:
                loaded.add(file)
                base = (WEB / file).parent
                waiting += [
                    (base / each).resolve().relative_to(WEB).as_posix() for each in imports[file]
                ]
        assert set(files_of(made, page.graph(entry))) <= loaded
        brought = {module for module, file in made.files.items() if file in loaded}
        assert set(page.graph(entry)) <= brought
        if entry == START:
            in_vain = brought - set(page.graph(START))
            assert all(len(page.text(each)) < small for each in in_vain)
            # Whoever says at the top which words it wants would have them fetched for nobody.
            assert not any("wantWords(" in page.text(each) for each in in_vain)
            assert bool(in_vain) == bool(small)


def test_the_page_comes_in_few_files(page: Modules) -> None:
    table = page.graph(START, "watch/watch.js", "games/room25/game.js")
    assert len(table) > 100
    assert len(files_of(Chunks(page, START), table)) < len(table) / 15


def test_all_styles_of_the_page_itself_are_one_sheet() -> None:
    site = read_site(WEB)
    own = {path for path in site.files if path.endswith(".css") and not path.startswith("games/")}
    assert own == {SHEET}
    parts = shared_styles(site.index.decode())
    texts = [without_comments((WEB / part).read_bytes()) for part in parts]
    assert len(parts) > 1
    assert site.files[SHEET].body == b"".join(texts)


def test_all_that_is_served_of_the_page_is_in_its_digest() -> None:
    site = read_site(WEB)
    assert not [path for path in site.files if path.endswith(".js") and not path.startswith(FOLDER)]
    assert site.unless_changed(read_site(WEB)) is site
