"""What the document names: everything that its page asks for, and nothing else, of one release."""

from __future__ import annotations

import posixpath
import re
from typing import Final

import pytest

from games.registry import GAMES
from service.page.documents import ROUTES, START, Release, Route, document, modules_of
from service.page.modules import Modules
from service.page.static_files import WEB
from tests.service.small_page import FILES, INDEX

PLACE: Final = "/assets/x/"
SMALL: Final = Release(INDEX, FILES, Modules(FILES), {path: path for path in FILES}, PLACE)
"""Each module is a chunk of its own."""
HALMA: Final = Route("games/halma/game.js", ("common",))
"""A route that has modules of a game."""

_IMPORT: Final = re.compile(r"""(?:\bfrom|^import)\s*"(\.[^"]+)";""", re.MULTILINE)
_TEMPLATE: Final = re.compile(r'<template data-module="([^"]*)">(.*?)</template>')


def linked(text: str, kind: str) -> list[str]:
    """What a part of a document links to in some way, by the paths in the folder."""
    return re.findall(rf'<link rel="{kind}"[^>]* href="{PLACE}([^"]*)"', text)


def parts(text: str) -> tuple[str, dict[str, str]]:
    """A document without its templates, and these."""
    return _TEMPLATE.sub("", text), dict(_TEMPLATE.findall(text))


def test_a_document_names_all_modules_that_its_page_asks_for_at_once() -> None:
    head, later = parts(document(SMALL, Route("none.js", ("common", "watch")), "en"))
    assert linked(head, "modulepreload") == ["dom.js", "net/api.js", "start.js", "net/deep/er.js"]
    assert linked(head, "preload") == ["words/en/common.json", "words/en/watch.json"]
    assert linked(head, "stylesheet") == ["chunks/style.css"]
    assert f'<script type="module" src="{PLACE}main.js">' in head
    assert f'<meta name="files" content="{PLACE}" />' in head
    assert "/web/" not in head
    assert set(later) == {"later.js", "games/halma/game.js"}
    assert linked(later["later.js"], "modulepreload") == ["later.js"]
    own = ["games/halma/game.js", "games/halma/board.js"]
    assert linked(later["games/halma/game.js"], "modulepreload") == own
    assert linked(later["games/halma/game.js"], "stylesheet") == ["games/halma/style.css"]


def test_a_route_of_a_game_has_its_styles_and_words_at_once() -> None:
    head, later = parts(document(SMALL, HALMA, "en"))
    assert linked(head, "stylesheet") == ["chunks/style.css", "games/halma/style.css"]
    assert linked(head, "preload") == ["words/en/common.json", "games/halma/words/en.json"]
    assert "games/halma/board.js" in linked(head, "modulepreload")
    assert set(later) == {"later.js"}
    assert linked(parts(document(SMALL, HALMA, "fr"))[0], "preload") == ["words/fr/common.json"]


NO_PAGES = {"fonts.js"}
"""What the start loads later and is no page to go to."""


@pytest.fixture(scope="module")
def page() -> Release:
    """The page itself, each module a chunk of its own."""
    paths = {path.relative_to(WEB).as_posix(): path for path in WEB.rglob("*.*")}
    files = {name: path for name, path in paths.items() if path.suffix not in {".woff2", ".html"}}
    texts = {name: path.read_text() for name, path in files.items()}
    modules = Modules(texts)
    return Release(
        (WEB / "index.html").read_text(),
        files.keys(),
        modules,
        {path: path for path in files},
        PLACE,
    )


def test_the_routes_are_what_the_page_goes_to(page: Release) -> None:
    later = page.modules.imports(START).later
    assert {route.module for route in ROUTES.values()} == set(later) - NO_PAGES
    for route in ROUTES.values():
        for section in route.words:
            assert f"words/en/{section}.json" in page.paths


@pytest.mark.parametrize("name", ROUTES)
def test_the_words_of_a_route_are_those_that_its_modules_want(page: Release, name: str) -> None:
    wanted = {
        section
        for path in modules_of(page, ROUTES[name])
        for listed in re.findall(r"^wantWords\(\[(.*?)\]", (WEB / path).read_text(), re.MULTILINE)
        for section in re.findall(r'"(\w+)"', listed)
    }
    assert wanted == set(ROUTES[name].words)


@pytest.mark.parametrize("name", ROUTES)
def test_what_is_named_is_what_another_reading_of_the_imports_gives(
    page: Release, name: str
) -> None:
    found = {START, ROUTES[name].module}
    waiting = list(found)
    while waiting:
        path = waiting.pop()
        for specifier in _IMPORT.findall((WEB / path).read_text()):
            each = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
            if each not in found:
                found.add(each)
                waiting.append(each)
    head, _ = parts(document(page, ROUTES[name], "fr"))
    assert sorted(linked(head, "modulepreload")) == sorted(found - {START})
    assert found == set(modules_of(page, ROUTES[name]))


def test_no_route_has_a_board_and_a_game_has_no_other(page: Release) -> None:
    for route in ROUTES.values():
        head, later = parts(document(page, route, "en"))
        assert not re.search(r"games/\w+/(?:board|fold)/", head)
        for game in GAMES:
            whole = linked(later[f"games/{game}/game.js"], "modulepreload")
            assert any(path.startswith(f"games/{game}/board/") for path in whole)
            assert {path.split("/")[1] for path in whole if path.startswith("games/")} == {game}
            offer = linked(later[f"games/{game}/offer.js"], "modulepreload")
            assert f"games/{game}/board/board.js" not in offer
