"""The golden files of Room 25: whole games, games that wait, games out of scenarios, drawings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from simulator.golden_files import SIGNER, GoldenFile, drawing
from simulator.golden_games import new_table, whole_game
from simulator.room25.golden_games import unfinished_game
from simulator.room25.golden_recipes import (
    BOARDS,
    KINDS,
    RECIPES,
    STAGED,
    STAGES,
    Recipe,
    Stage,
)
from simulator.room25.golden_staged import staged_game


def golden_files() -> Iterator[GoldenFile]:
    """Every golden file; the drawings last, which are made of records."""
    for recipe in RECIPES:
        yield f"records/{recipe.name}.jsonl", partial(_whole_record, recipe)
    for kind in KINDS:
        yield f"unfinished/{kind}.jsonl", partial(_unfinished_record, kind)
    for stage in (*STAGED, *STAGES):
        folder = "records" if stage.until is None else "unfinished"
        yield f"{folder}/{stage.name}.jsonl", partial(_staged_record, stage)
    for name in BOARDS:
        yield f"boards/{name}", partial(_drawing, name)


def _whole_record(recipe: Recipe, _: Path) -> bytes:
    return whole_game(recipe).record(SIGNER)


def _unfinished_record(kind: str, _: Path) -> bytes:
    return unfinished_game(kind).record()


def _staged_record(stage: Stage, _: Path) -> bytes:
    return staged_game(stage, new_table).record(SIGNER if stage.until is None else None)


def _drawing(name: str, root: Path) -> bytes:
    return drawing(name, root / "records").encode()
