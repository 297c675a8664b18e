"""A class name has one meaning, so a search for it finds one class.

A game may reuse the class names of another game, but none from outside the games' folders.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from games.registry import GAMES
from tests.house import rules, tree

FILE_FORMAT: Final = "a step of a scenario file, whose published schema calls it so"

EXCEPTIONS: Final[Mapping[tuple[str, str], str]] = {
    ("Choose", "replay/scenario/format.py"): FILE_FORMAT,
    ("TimeOut", "replay/scenario/format.py"): FILE_FORMAT,
}
"""Classes that may share the name of another one, by name and module, each with the reason."""

Modules = Mapping[str, str]
"""The text of each module by its path."""


def modules() -> Modules:
    """All modules of our packages, the tests left out."""
    names = [
        name
        for name in tree.tracked()
        if name.endswith(".py") and name.split("/")[0] in rules.PACKAGES
    ]
    return {name: text for name in names if (text := tree.read(name)) is not None}


def classes(text: str) -> list[str]:
    """The names of the classes of a module, nested ones too, but for private ones.

    Formatted, a statement has a line of its own; to parse all modules takes forty times as long.
    """
    return re.findall(r"^ *class ([^\W_]\w*)", text, re.MULTILINE)


def repeated(
    known: Modules, games: tuple[str, ...], exceptions: Mapping[tuple[str, str], str]
) -> dict[str, list[str]]:
    """The modules of each class name that has two meanings, by name, sorted.

    Args:
        known: the modules.
        games: the folders of games; within one of them a name may be repeated.
        exceptions: classes that do not count.
    """
    outside: dict[str, list[str]] = defaultdict(list)
    inside: dict[str, list[str]] = defaultdict(list)
    for path, text in known.items():
        places = inside if path.startswith(games) else outside
        for name in classes(text):
            if (name, path) not in exceptions:
                places[name].append(path)
    found = {name: paths + inside.get(name, []) for name, paths in outside.items()}
    return {name: sorted(paths) for name, paths in found.items() if len(paths) > 1}


def folders() -> tuple[str, ...]:
    """Where the games are, with what tries them out and documents them."""
    return tuple(
        f"{place}/{game}/"
        for game in tree.games(tree.tracked())
        for place in ("games", "simulator", "tools")
    )


def test_a_class_name_has_one_meaning() -> None:
    known = modules()
    assert sum(1 for text in known.values() for _ in classes(text)) > 700
    assert repeated(known, folders(), EXCEPTIONS) == {}


def test_every_game_that_is_played_is_known_by_its_folder() -> None:
    assert GAMES.keys() <= set(tree.games(tree.tracked()))
    begun = [
        "games/go/model/stones.py",
        "games/table/state.py",
        "games/model.py",
        "web/games/go/model/a.js",
    ]
    assert tree.games(begun) == ["go"]


def test_each_exception_is_needed() -> None:
    found = repeated(modules(), folders(), {})
    needed = {(name, path) for name, paths in found.items() for path in paths}
    assert EXCEPTIONS.keys() - needed == set()


def test_a_repeated_name_is_found_wherever_it_hides() -> None:
    game = ("games/chess/",)
    outside = {"events/a.py": "class Draw: pass"}
    for path, text in (
        ("events/a2.py", "class Draw(Base): pass"),
        ("games/table/b.py", "def f():\n    class Draw: pass"),
        ("games/chess/model/c.py", "if TYPE_CHECKING:\n    class Draw(Protocol): pass"),
    ):
        assert repeated({**outside, path: text}, game, {}) == {"Draw": ["events/a.py", path]}
        assert repeated({**outside, path: text}, game, {("Draw", path): "a reason"}) == {}
    assert repeated({"a.py": "class Draw: pass\nclass Draw: pass"}, (), {}) == {
        "Draw": ["a.py", "a.py"]
    }


def test_two_games_may_share_a_name_and_private_classes_may_too() -> None:
    games = ("games/chess/", "games/go/")
    known = {
        "games/chess/a.py": "class Board: pass",
        "games/go/a.py": "class Board: pass",
        "events/a.py": "class _Known: pass",
        "club/a.py": "class _Known: pass",
    }
    assert repeated(known, games, {}) == {}
