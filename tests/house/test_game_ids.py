"""No id of a game is spelled outside of its folder: the house plays any game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, get_type_hints

import pytest

from games.contract import JsonValue
from games.package import GamePackage
from games.registry import GAMES
from games.rulebooks import RulebookInfo
from games.table.state import TableState
from service.contract.rulebook_schemas import Rulebooks
from service.contract.schema_names import published_name, structs
from tests.house import rules, tree

pytestmark = pytest.mark.slow

ORDINARY: Final[Mapping[str, str]] = {
    "blue": "a color",
    "decision": "a parameter of paths; a class of waits elsewhere",
    "game-ended": "a notice to players, whatever the game",
    "empty": "nothing in a list",
    "green": "a color",
    "identity": "a content coding",
    "key": "a secret's, a mapping's",
    "live": "a table whose game is running",
    "locks": "a field of every rulebook's description",
    "look": "what one does at a table, and with a board",
    "mac": "a message authentication code",
    "move": "what a piece does, in many games",
    "open": "a table's phase, an operation for everybody",
    "robots": "a field of every rulebook's description",
    "rooms": "a field of every rulebook's description",
    "secrets": "those of a service",
    "team": "an audience that any game may have",
}
"""Ids that are also ordinary words, and what they mean outside."""

COMMON: Final = frozenset({"rules", "shape", "type", "value"})
"""What an event, an option or a batch has, too, and says nothing of the game."""

EXCEPTIONS: Final[Mapping[str, str]] = {
    "runtime/settings.py": "tells those who bring settings of the time before the name Parlour",
    "simulator/registry.py": "the list of the simulators of games",
    "simulator/fuzz_api.py": "opens the tables that the generated requests are about",
    "simulator/faults/load.py": "plays a table over HTTP while parts of the service fail",
    "tools/registry.py": "the list of the tools of games",
    "bench/lateness.py": "measures with this game, as the figures of before were",
    "bench/memory.py": "measures with this game, as the figures of before were",
    "bench/play.py": "measures with this game, as the figures of before were",
    "bench/rig.py": "measures with this game, as the figures of before were",
    "bench/winning.py": "measures a house bot of this game",
}
"""Modules that spell ids nevertheless, and why."""


def ids_of(game: GamePackage) -> frozenset[str]:
    """The ids of a game: its own, those of its event types, and whatever its rulebooks name."""
    found = {game.rules.id, *game.rules.waits}
    found |= {str(kind.__struct_config__.tag) for kind in game.rules.events}
    for short in game.published.rulebooks("en"):
        found |= set(named(game.published.rulebook(short["id"], "en")))
    return frozenset(found)


def named(value: JsonValue) -> Iterator[str]:
    """Every ``id`` in a description."""
    if isinstance(value, Mapping):
        if isinstance(value.get("id"), str):
            yield value["id"]
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from named(each)


@cache
def words_of(text: str) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
    """The names of a module's classes, and its string literals but for docstrings, with lines."""
    nodes = tree.nodes(ast.parse(text))
    documents = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and isinstance(node.body[0] if node.body else None, ast.Expr)
        and isinstance(node.body[0], ast.Expr)
    }
    return (
        tuple((node.lineno, node.name) for node in nodes if isinstance(node, ast.ClassDef)),
        tuple(
            (node.lineno, node.value)
            for node in nodes
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documents
        ),
    )


def may_spell(text: str, ids: frozenset[str], names: frozenset[str]) -> bool:
    """Whether a module is worth parsing: an id stands in it between quotes, or a game's name."""
    lower = text.lower()
    return any(each in lower for each in names) or bool(_quoted(ids).search(text))


@cache
def _quoted(ids: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"""["'](?:{"|".join(map(re.escape, sorted(ids)))})["']""")


def spelled(text: str, ids: frozenset[str], names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Where a module has an id as a string literal, or a game's name in a literal or a type."""
    if not may_spell(text, ids, names):
        return
    classes, literals = words_of(text)
    for line, name in classes:
        if any(each in name.lower() for each in names):
            yield line, name
    for line, value in literals:
        if value in ids or any(each in value.lower() for each in names):
            yield line, value


def parts_of(game: GamePackage) -> frozenset[str]:
    """What only this game's rulebooks are made of: fields that no general description has."""
    return members([game.published.description]) - members([RulebookInfo, Rulebooks, TableState])


def members(kinds: list[type]) -> frozenset[str]:
    """The fields of some structs and of all that they consist of."""
    return frozenset(hint for kind in structs(kinds) for hint in get_type_hints(kind))


def declared(text: str) -> set[str]:
    """The fields that the classes of a module declare."""
    classes = [node for node in tree.nodes(ast.parse(text)) if isinstance(node, ast.ClassDef)]
    return {
        each.target.id
        for node in classes
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }


def folders(game: str) -> tuple[str, ...]:
    return (f"games/{game}/", f"simulator/{game}/", f"tools/{game}/")


def outside(game: str) -> list[str]:
    """The modules that are neither the game's nor a list of games."""
    return [
        name
        for name in tree.tracked()
        if name.endswith(".py")
        and name.split("/")[0] in rules.PACKAGES
        and not name.startswith(folders(game))
        and name not in {"games/registry.py", "games/rules.py"}
    ]


def own_ids(game: GamePackage) -> dict[str, frozenset[str]]:
    """By folder of another game, the ids that are that game's own as well.

    Of a game that is not in the registry yet nobody can ask them: all might be.
    """
    ids = ids_of(game)
    return {
        folder: ids_of(GAMES[other]) if other in GAMES else ids
        for other in tree.games(tree.tracked())
        if other != game.rules.id
        for folder in folders(other)
    }


def forbidden(name: str, own: dict[str, frozenset[str]], ids: frozenset[str]) -> frozenset[str]:
    """The ids of a game that a module outside of it may not spell; the game's name it never may."""
    return ids - next((own[folder] for folder in own if name.startswith(folder)), frozenset())


def foreign(game: GamePackage) -> dict[str, list[tuple[int, str]]]:
    """Where ids of a game stand outside of it; an id that two games have is each one's own."""
    ids, names = ids_of(game).difference(ORDINARY), frozenset({game.rules.id})
    own = own_ids(game)
    found = {}
    for name in outside(game.rules.id):
        if at := set(spelled(tree.read(name) or "", forbidden(name, own, ids), names)):
            found[name] = sorted(at)
    return found


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_id_of_a_game_is_spelled_outside_of_it(game: GamePackage) -> None:
    found = foreign(game)
    assert {name: at for name, at in found.items() if name not in EXCEPTIONS} == {}


def test_every_exception_is_one() -> None:
    found = {name for game in GAMES.values() for name in foreign(game)}
    assert EXCEPTIONS.keys() - found == set()


def test_another_game_may_have_the_same_ids_but_not_the_name() -> None:
    ids, own = frozenset({"look", "acid"}), {"games/go/": frozenset({"look"})}
    text = 'a = "look", "acid", "room25/room.acid.name"'
    for name, found in (("games/go/model/a.py", 2), ("games/table/a.py", 3)):
        at = spelled(text, forbidden(name, own, ids), frozenset({"room25"}))
        assert len(list(at)) == found, name


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_service_describes_no_part_of_a_games_rulebooks(game: GamePackage) -> None:
    found = {
        name: at
        for name in tree.tracked()
        if name.startswith("service/contract/") and name.endswith(".py")
        if (at := declared(tree.read(name) or "") & parts_of(game) - COMMON)
    }
    assert found == {}
    assert published_name(game.published.description).lower().startswith(game.rules.id)


def test_a_planted_part_of_a_rulebook_is_found() -> None:
    game = GAMES["room25"]
    planted = "class RulebookInfo(Struct):\n    words: str\n    rooms: tuple[str, ...]\n"
    assert declared(planted) & parts_of(game) == {"rooms"}
    assert {"rooms", "robots", "locks", "compositions", "copies", "duo"} <= parts_of(game)
    assert {"id", "words", "waits", "modes", "seats"}.isdisjoint(parts_of(game))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_ids_are_those_of_the_game(game: GamePackage) -> None:
    types = {str(kind.__struct_config__.tag) for kind in game.rules.events}
    assert {game.rules.id, *game.rules.waits, *types, *game.rules.tags} <= ids_of(game)


def test_the_ids_of_room_25_are_many() -> None:
    """A control: whatever a rulebook names is gathered, however deep it stands."""
    ids = ids_of(GAMES["room25"])
    assert {"acid", "alice", "look", "guard", "programming", "game-began"} <= ids
    assert len(ids) > 150


@pytest.mark.parametrize(
    "line",
    [
        'if room == "acid": pass',
        'kinds = {"game-began": 1}',
        "class Room25Board: pass",
        'where = "room25/room.acid.name"',
        'match x:\n    case "alice":\n        pass',
    ],
)
def test_an_id_is_found_however_it_is_written(line: str) -> None:
    game = GAMES["room25"]
    assert list(spelled(line, ids_of(game), frozenset({game.rules.id})))


def test_prose_is_no_finding() -> None:
    game = GAMES["room25"]
    text = '"""As in Room 25, where room25 is a room."""\nx = "acidic"\n'
    assert list(spelled(text, ids_of(game), frozenset({game.rules.id}))) == []
