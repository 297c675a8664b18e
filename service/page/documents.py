"""The document as sent: it names the files of one release, and what its page will ask for (pure).

A browser learns of a module's imports when the module is there, so a graph seven modules deep takes
seven round trips. The document names them all at once, those of the game too where it is known of
which table the address is. What a page may need later, because its reader goes elsewhere or opens a
table of some game, is named in templates, which browsers leave alone; ``web/late.js`` takes them
out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from service.page.chunks import FOLDER, GAME
from service.page.modules import Modules
from service.page.single_file import ROOT

START: Final = "main.js"
"""The module that the document starts."""

SHEET: Final = f"{FOLDER}style.css"
"""The file in which all styles are that are no game's."""


class Route(NamedTuple):
    """What shows an address of the page: its module, and the sections of words that it says."""

    module: str
    words: tuple[str, ...]


_EVERYWHERE: Final = ("common", "refusals")

ROUTES: Final[Mapping[str, Route]] = {
    "lobby": Route("lobby/lobby.js", (*_EVERYWHERE, "lobby", "board")),
    "account": Route("lobby/account.js", (*_EVERYWHERE, "lobby")),
    "invitation": Route("lobby/invitation.js", (*_EVERYWHERE, "lobby", "board")),
    "new": Route("lobby/new-table.js", (*_EVERYWHERE, "lobby", "board")),
    "profile": Route("profile/profile.js", (*_EVERYWHERE, "lobby", "people", "board")),
    "leaderboards": Route("profile/leaderboards.js", (*_EVERYWHERE, "lobby", "people", "board")),
    "finished": Route("profile/finished.js", (*_EVERYWHERE, "lobby", "people", "board")),
    "rules": Route("rules/rules.js", (*_EVERYWHERE, "lobby", "board", "rules")),
    "wall": Route("wall/wall.js", (*_EVERYWHERE, "lobby", "board", "wall")),
    "watch": Route("watch/watch.js", (*_EVERYWHERE, "lobby", "board", "play", "watch", "log")),
}
"""What each page is made of; the modules say the same."""

_STYLE: Final = re.compile(
    rf'^[ \t]*<link rel="stylesheet" href="{ROOT}([^"]*)" />\n', re.MULTILINE
)
_HEAD_END: Final = "</head>"


class KnownTable(NamedTuple):
    """What a document tells of the table at its address: the ids of its game and its rulebook."""

    game: str
    rulebook: str


class Release(NamedTuple):
    """The files of a release, and the path under which they are served.

    ``source`` is the document as it is written, ``paths`` are those of all other files as they are
    written; ``chunks`` tells in which file a module is served.
    """

    source: str
    paths: Container[str]
    modules: Modules
    chunks: Mapping[str, str]
    place: str


def document(page: Release, route: Route, language: str, table: KnownTable | None = None) -> str:
    """The document of a route for a reader of a language, with what a table of its needs.

    Raises:
        UnreadableModuleError: a module imports something in a form that is not known.
    """
    loaded = modules_of(page, route, table)
    games = _games(loaded)
    styles = [path for path in _STYLE.findall(page.source) if GAME.match(path)]
    shared = shared_styles(page.source)
    late = [path for path in page.modules.late(*loaded) if path not in loaded]
    links = [
        *(_known(each) for each in (table,) if each is not None),
        *(_fetched(page, path) for path in words_of(page, route, language, table)),
        *(_module(page, file) for file in _files(page, loaded, [START])),
        *(_template(page, path, loaded, styles) for path in late),
    ]
    unlinked = {style for style in styles if not _games([style]) <= games}.union(shared[1:])
    index = _STYLE.sub(lambda match: "" if match[1] in unlinked else match[0], page.source)
    for style in shared[:1]:  # where the first of them stood, all of them are
        index = index.replace(f'"{ROOT}{style}"', f'"{ROOT}{SHEET}"')
    index = index.replace(f'"{ROOT}{START}"', f'"{ROOT}{page.chunks[START]}"')
    head, end, rest = index.replace(f'"{ROOT}', f'"{page.place}').partition(_HEAD_END)
    return "".join([head, *(f"  {link}\n  " for link in links), end, rest])


def shared_styles(source: str) -> list[str]:
    """The styles that a document as it is written names and that are no game's, in their order."""
    return [path for path in _STYLE.findall(source) if not GAME.match(path)]


def modules_of(page: Release, route: Route, table: KnownTable | None = None) -> list[str]:
    """The modules that a route and a table load at once, the nearest first.

    The page may lack the route's module, or the game.
    """
    starts = [START, route.module]
    if table is not None:
        starts.append(f"games/{table.game}/game.js")
    return page.modules.graph(*(path for path in starts if path in page.paths))


def words_of(
    page: Release, route: Route, language: str, table: KnownTable | None = None
) -> list[str]:
    """The files of words of a route, and those of the games whose folders it has modules of."""
    sections = [f"words/{language}/{section}.json" for section in route.words]
    games = sorted(_games(modules_of(page, route, table)))
    own = [f"{game}words/{language}.json" for game in games]
    return [path for path in (*sections, *own) if path in page.paths]


def _games(paths: Iterable[str]) -> set[str]:
    """The folders of games that files lie in."""
    return {found[0] for path in paths if (found := GAME.match(path))}


def _files(page: Release, modules: Iterable[str], loaded: Iterable[str]) -> list[str]:
    """The files of modules, each once, without those that are loaded before."""
    known = {page.chunks[module] for module in loaded}
    return [file for file in dict.fromkeys(page.chunks[m] for m in modules) if file not in known]


def _template(page: Release, module: str, loaded: Sequence[str], styles: Iterable[str]) -> str:
    """What a module needs that is loaded later: styles of its game, and all that it imports."""
    graph = page.modules.graph(module)
    links = [
        *(_style(page, style) for style in styles if _games([style]) <= _games(graph)),
        *(_module(page, file) for file in _files(page, graph, loaded)),
    ]
    return f'<template data-module="{escape(module)}">{"".join(links)}</template>'


def _known(table: KnownTable) -> str:
    return f'<meta name="table" content="{escape(table.game)} {escape(table.rulebook)}" />'


def _fetched(page: Release, path: str) -> str:
    return f'<link rel="preload" as="fetch" crossorigin href="{escape(page.place + path)}" />'


def _module(page: Release, file: str) -> str:
    return f'<link rel="modulepreload" href="{escape(page.place + file)}" />'


def _style(page: Release, path: str) -> str:
    return f'<link rel="stylesheet" href="{escape(page.place + path)}" />'
