"""The golden files of Cerveauuu!: whole games, games that wait in a window, drawings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from games.cerveauuu.model.language import Window
from games.cerveauuu.model.state import State
from replay.memory import MemoryTable
from simulator.cerveauuu.golden_games import played, whole_game
from simulator.cerveauuu.golden_recipes import RECIPES, SETTING_UP, WINDOWS, waiting
from simulator.golden_files import SIGNER, GoldenFile, drawing
from simulator.golden_games import GoldenRecipe

BOARDS: Final = ("cerveauuu-2@v-60@public.txt", "cerveauuu-5-pause@v-90@seat-2.txt")
"""Drawings: record, moment and viewer."""

SEEDS: Final = 60
"""A window of each kind is found in one of so many games."""


def golden_files() -> Iterator[GoldenFile]:
    """Every golden file; the drawings last, which are made of records."""
    for recipe in RECIPES:
        yield f"records/{recipe.name}.jsonl", partial(_whole_record, recipe)
    yield f"unfinished/{SETTING_UP.name}.jsonl", _setting_up_record
    for window in WINDOWS:
        yield f"unfinished/{waiting(window, 0).name}.jsonl", partial(_waiting_record, window)
    for name in BOARDS:
        yield f"boards/{name}", partial(_drawing, name)


def _whole_record(recipe: GoldenRecipe, _: Path) -> bytes:
    return whole_game(recipe).record(SIGNER)


def _waiting_record(window: Window, _: Path) -> bytes:
    return waiting_game(window).record()


def _setting_up_record(_: Path) -> bytes:
    table = played(SETTING_UP, _places_zombies)
    assert table is not None
    return table.record()


def _places_zombies(table: MemoryTable) -> bool:
    return any(decision.kind == "place_zombie" for decision in table.pending())


def _drawing(name: str, root: Path) -> bytes:
    return drawing(name, root / "records").encode()


def waiting_game(window: Window) -> MemoryTable:
    """A game in a window of a kind in which somebody has answered and somebody has not.

    Raises:
        ValueError: no game comes to such a window.
    """
    for seed in range(SEEDS):
        table = played(waiting(window, seed), partial(_waits_in, window))
        if table is not None:
            return table
    raise ValueError(f"no game waits in a window of kind {window}")


def _waits_in(window: Window, table: MemoryTable) -> bool:
    state: State | None = table.state.play
    if state is None or state.window is None or state.window.kind != window:
        return False
    return bool(table.pending()) and any(state.window.answers.values())
