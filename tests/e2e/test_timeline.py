"""The page's timeline (web/fold/timeline.js): seeking, joining late, steps, turns and marks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from events.draw import Draw
from events.kernel import FULL, PUBLIC, Viewer
from replay.memory import MemoryTable
from simulator.golden_games import GoldenDriver
from simulator.room25.golden_recipes import Recipe
from tests.e2e.folding import Call, caller, golden, lines

SEEKS: Final = (
    "ultimate-suspicion-8",
    "prototype-suspicion-6",
    "cooperation-6-return",
    "bga-S-121",
)
LONG: Final = 2_000


@pytest.fixture
def fold(modules: Page) -> Call:
    """Calls a function of pages/fold.js."""
    return caller(modules)


# --- seeking ---


@pytest.mark.parametrize("stem", SEEKS)
def test_a_seek_is_the_same_as_playing_up_to_it(stem: str, fold: Call) -> None:
    raw = lines(golden(stem), FULL)
    assert fold("strayedSeeks", raw, 1) == {"sought": len(raw), "strayed": []}
    assert fold("strayedWhileGrowing", raw, 25) == 0


def test_folding_on_leaves_held_states_alone(fold: Call) -> None:
    for stem in SEEKS:
        assert fold("changedBehindOnesBack", lines(golden(stem), FULL)) == 0


# By day a seat, to whom some things are open and others hidden; other tests here take the others.
@pytest.mark.parametrize(
    "viewer",
    [
        pytest.param(PUBLIC, id="public", marks=pytest.mark.nightly),
        pytest.param(Viewer(kind="seat", seat=1), id="seat"),
        pytest.param(FULL, id="full", marks=pytest.mark.nightly),
    ],
)
def test_a_snapshot_and_what_follows_make_the_whole_game(viewer: Viewer, fold: Call) -> None:
    for stem, every in (("bga-X-U22", 1), ("ultimate-suspicion-6", 140), ("prototype-S-209", 40)):
        told = golden(stem)
        seen = list(told.views(viewer))
        snapshots = [{"version": v, "state": seen[v - 1]} for v in range(1, len(seen) + 1, every)]
        snapshots.append({"version": len(seen), "state": seen[-1]})
        assert fold("strayedFromSnapshots", lines(told, viewer), snapshots) == []
        assert fold("respelt", seen) == 0


def test_seeks_in_a_long_game(fold: Call, record_property: Callable[[str, object], None]) -> None:
    table = long_game()
    raw = [stored.public.decode() for stored in table.stored]
    assert len(raw) >= LONG
    assert fold("strayedSeeks", raw, 7)["strayed"] == []
    took = {key: round(value, 2) for key, value in fold("measure", raw, 7).items()}
    record_property("seeking", took)
    print(f"{len(raw)} events, milliseconds: {took}")  # noqa: T201 (a figure, nothing to hold it to)


def long_game() -> MemoryTable:
    """A game of eight in which everybody talks whenever it may (R29)."""
    recipe = Recipe(name="long", rulebook="ultimate", mode="suspicion", seats=8, seed=2)
    driver, lots = GoldenDriver(recipe), Draw(b"long game")
    driver.seat_all()

    def talk(table: MemoryTable) -> bool:
        for seat in [*table.state.seats] * 5:
            found = [
                d
                for d in table.game_registry.table.decisions(table.state, seat)
                if d.kind in {"claim_color", "place_reminder"}
            ]
            if found:
                label = f"{table.version}/{seat}"
                decision = lots.choice(found, label)
                table.choose(decision, lots.choice(decision.options, f"{label}/option").id)
        return False

    driver.play(talk)
    return driver.table


# --- turns, steps and marks ---


@pytest.mark.parametrize("stem", ["suspicion-4", "cooperation-6-return", "ultimate-S-166"])
def test_turns_and_steps_are_those_of_the_log(stem: str, fold: Call) -> None:
    told = golden(stem)
    found = fold("shape", lines(told))
    firsts = [e.version for e in told.envelopes if e.batch is not None]
    lasts = [*(v - 1 for v in firsts[1:]), len(told.stored)]
    turns: dict[int, int] = {}
    for version, view in enumerate(told.views(PUBLIC), 1):
        turns.setdefault(view["play"]["turn"], version)
    assert found["turns"] == [{"turn": turn, "version": v} for turn, v in turns.items()]
    assert found["batches"] == [{"first": a, "last": b} for a, b in zip(firsts, lasts, strict=True)]
    assert found["settled"] == lasts
    versions = range(1, len(told.stored) + 1)
    assert found["next"] == [next((b for b in lasts if b > v), lasts[-1]) for v in versions]
    assert found["previous"] == [max((b for b in lasts if b < v), default=1) for v in versions]
    assert (found["first"], found["last"]) == (1, len(told.stored))
    assert found["lines"] == []
    assert found["outside"] == [None, None]


def test_marks_say_what_happened_when(fold: Call) -> None:
    kinds = {
        "turn-began": "turn",
        "programming-closed": "programme",
        "room-revealed": "reveal",
        "role-revealed": "reveal",
        "character-moved": "move",
        "line-shifted": "move",
        "tiles-swapped": "move",
        "character-eliminated": "death",
        "seat-timed-out": "timeout",
        "seat-went-absent": "timeout",
        "seat-resigned": "ruling",
        "table-paused": "ruling",
        "table-resumed": "ruling",
        "store-restored": "ruling",
        "time-extended": "ruling",
        "table-closed": "end",
    }
    met = set()
    for stem in ("suspicion-4-absent", "cooperation-3-pause", "competition-3-resign", "team-6"):
        raw = lines(golden(stem))
        events = [(v, json.loads(line)["event"]["type"]) for v, line in enumerate(raw, 1)]
        wanted = [{"version": v, "kind": kinds[kind]} for v, kind in events if kind in kinds]
        assert fold("shape", raw)["marks"] == wanted
        met |= {mark["kind"] for mark in wanted}
    assert met == set(kinds.values())
    annulled = fold("shape", lines(golden("suspicion-4-annulled")))["marks"]
    assert [mark["kind"] for mark in annulled][-1] == "ruling"


def test_a_timeline_refuses_what_it_cannot_place(fold: Call) -> None:
    raw = lines(golden("suspicion-4"))
    assert fold("refusals", raw) == {
        "empty": [0, 0, 0],
        "again": False,
        "tooSoon": "RangeError",
        "outside": ["RangeError"] * 4,
        "misfit": "Error",
        "last": 10,
        "truncated": [4, 4, "RangeError"],
        "regrown": True,
        "emptied": [0, 0, 0, 0],
    }
