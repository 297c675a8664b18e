"""The page on draws has the label of every draw that a game makes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from games.game_registry import installed_games
from tests.house import tree

_DRAWS: Final = frozenset({"below", "choice", "shuffled"})
_LABELS: Final = re.compile(r"^\| (`.+?) \|", re.MULTILINE)


def labels_in(text: str) -> Iterator[str]:
    """The labels of the draws in a module, with ``<>`` for whatever is put in."""
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = {
            ast.unparse(node.targets[0]): node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
        }
        for call in ast.walk(function):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr in _DRAWS
                and ast.unparse(call.func.value).endswith("draw")
            ):
                label = named.get(ast.unparse(call.args[1]), call.args[1])
                yield re.sub(r"\{.+?\}", "<>", ast.unparse(label).lstrip("f").strip("'\""))


def labels_told(text: str) -> set[str]:
    """The labels in the first column of the tables."""
    spans = " ".join(_LABELS.findall(text))
    return {re.sub("<.+?>", "<>", span) for span in re.findall(r"`([^`]+)`", spans)}


def labels_drawn() -> set[str]:
    games = [f"games/{game}/" for game in installed_games().games]
    return {
        label
        for name in tree.tracked()
        if name.endswith(".py") and any(name.startswith(game) for game in games)
        if "/bots/" not in name
        for label in labels_in(tree.read(name) or "")
    }


def test_every_label_is_told() -> None:
    drawn = labels_drawn()
    assert len(drawn) > 15
    assert drawn - labels_told(tree.read("docs/draws.md") or "") == set()


@pytest.mark.parametrize(
    "planted",
    [
        'def f(draw):\n    return draw.choice([1], f"no/{1}/such")',
        'def f(play):\n    label = f"no/{1}/such"\n    return play.draw.shuffled([1], label)',
    ],
)
def test_a_label_that_is_not_told_is_found(planted: str) -> None:
    assert [*labels_in(planted)] == ["no/<>/such"]
    assert "no/<>/such" not in labels_told(tree.read("docs/draws.md") or "")
