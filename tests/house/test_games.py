"""Who imports a game's folder: those that the contract of imports lists, and nobody else."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.house import rules, tree

LISTS = ("games.registry", "games.rules")
"""The lists of games, which import each of them."""
MODULES = [name for name in tree.tracked() if name.split("/")[0] in rules.PACKAGES]


def imports(text: str, game: str) -> bool:
    """Whether a module imports a game, or something out of its folder."""
    named = []
    for node in tree.nodes(ast.parse(text)):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            named += [f"{node.module}.{alias.name}" for alias in node.names]
    return any(within(name, f"games.{game}") for name in named)


@cache
def importers(game: str) -> frozenset[str]:
    """All modules outside a game's folder that import it."""
    folder = f"games/{game}/"
    outside = [n for n in MODULES if n.endswith(".py") and not n.startswith(folder)]
    # Whoever imports it has its name somewhere: only those few are parsed.
    texts = {n: text for n in outside if game in (text := tree.read(n) or "")}
    found = {n for n, text in texts.items() if imports(text, game)}
    return frozenset(Path(n).with_suffix("").as_posix().replace("/", ".") for n in found)


def allowed() -> list[str]:
    """Those that the contract lists, for all games."""
    project = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if each["id"] == "games-plug-in")
    assert contract["protected_modules"] == [f"games.{game}" for game in GAMES]
    listed: list[str] = contract["allowed_importers"]
    return listed


def within(module: str, listed: str) -> bool:
    return module == listed or module.startswith(f"{listed}.")


def listed(game: str) -> list[str]:
    """Who may import a game: the lists of games, and what is its own elsewhere."""
    return [each for each in allowed() if each in LISTS or each.endswith(f".{game}")]


@pytest.mark.parametrize("game", GAMES)
def test_nobody_imports_a_game_but_those_that_are_listed(game: str) -> None:
    others = {name for name in importers(game) if not any(within(name, e) for e in listed(game))}
    assert others == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_list_names_nobody_who_does_not(game: str) -> None:
    found = importers(game)
    assert {e for e in listed(game) if not any(within(name, e) for name in found)} == set()


def test_whoever_is_listed_belongs_to_a_game() -> None:
    assert {each for game in GAMES for each in listed(game)} == set(allowed())


def test_an_import_is_found_however_it_is_written() -> None:
    for line in (
        "import games.room25",
        "import games.room25.model.board as b",
        "from games import room25",
        "from games.room25 import EVENTS",
        "def f():\n    from games.room25.model.board import CELLS",
    ):
        assert imports(line, "room25"), line
        assert not imports(line, "room2"), line
    for line in ("import games.rules", "from games.registry import GAMES", "a = 'games.room25'"):
        assert not imports(line, "room25"), line
