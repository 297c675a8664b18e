"""``docs/draws.md`` is enough to make every draw again, and each of its labels is put to the test.

The draws of records are made again by ``drawing_again.py``, which has nothing but that page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import pytest

from games.table.events import AnnulTable
from replay.memory import MemoryTable
from simulator.cerveauuu.golden_recipes import Recipe as CerveauuuRecipe
from simulator.golden_games import DIRECTOR, GoldenDriver, GoldenRecipe
from simulator.room25.golden_recipes import Recipe
from tests.golden_records import RECORDS
from tests.house import tree
from tests.replay.drawing_again import GAMES, Redrawing
from tests.replay.rulebooks import book
from tests.replay.test_branches import begun, branch_at

pytestmark = pytest.mark.slow

FIGURES: Final = {
    name: {"seat": seat, "cell": "r2c2"}
    for seat, name in enumerate(("emmett", "kevin", "franck", "jennifer"), 1)
}
SCATTERED: Final = CerveauuuRecipe(
    name="scattered", seats=2, seed=1, options={"credits": "spread", "placement": "random"}
)


def _deck(name: str, **deck: Any) -> Recipe:
    """A game that begins with a card step, and with this deck."""
    return Recipe(
        name=name,
        rulebook="ultimate",
        mode="cooperation",
        seats=4,
        seed=1,
        situation={"characters": FIGURES, "turn": 1, "last_turn": 8, **deck},
    )


UNDER_NAMED: Final = _deck("under named cards", deck=["M01", "M02"], discard=["M03"])
SHORT: Final = _deck("a short deck", deck=["M01", "M02", "M04"], deck_rest=False, discard=["M20"])


def _ended(table: MemoryTable) -> str:
    """The record of a table that its director ends."""
    table.give(AnnulTable(reason="other"), DIRECTOR)
    return table.record().decode()


def _played(recipe: GoldenRecipe, until: Callable[[MemoryTable], bool]) -> MemoryTable:
    driver = GoldenDriver(recipe)
    driver.seat_all()
    assert driver.play(until)
    return driver.table


def _shuffled(times: int) -> Callable[[MemoryTable], bool]:
    return lambda table: bool(table.state.play.shuffles == times)


def _more() -> Iterator[tuple[str, str]]:
    """Games with what no golden record has: short ones, for only draws are of interest."""
    for recipe in (SCATTERED, UNDER_NAMED):
        yield recipe.name, _ended(_played(recipe, lambda _: True))
    short = _played(SHORT, _shuffled(3))
    branch = begun(branch_at(short, short.version), "a branch")
    yield SHORT.name, _ended(short)
    yield "a branch", _ended(branch)


@cache
def records() -> dict[str, str]:
    """All records by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in RECORDS} | dict(_more())


def redrawn(record: str, misread: str = "") -> Redrawing:
    header = json.loads(record.partition("\n")[0])
    return GAMES[header["game"]](record, book(header["game"], header["rulebook"]), misread).run()


@cache
def all_redrawn() -> dict[str, Redrawing]:
    """The draws of each record."""
    return {name: redrawn(record) for name, record in records().items()}


_HOLES: Final = {"n": r"[1-9]\d*", "part": "[0-7]", "card": r"c\d{3}", "piece": r"[hz]\d+"}


def labels_told() -> set[tuple[str, str]]:
    """The labels of the page, each with its game, as patterns of what they are in records."""
    sections = (tree.read("docs/draws.md") or "").split("\n## What is drawn in ")[1:]
    titles = {"Room 25, ": "room25", "the oth": "room25", "Cerveau": "cerveauuu"}
    return {
        (
            next(game for title, game in titles.items() if section.startswith(title)),
            re.sub("<(.+?)>", lambda hole: _HOLES.get(hole[1], r"\w+"), label),
        )
        for section in sections
        for column in re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
        for label in re.findall(
            r"`([^`]+/[^`]+|[a-z-]+)`", re.sub(r"\(.+\)|`\w+` from", "", column)
        )
    }


TOLD: Final = sorted(labels_told())


def test_every_draw_of_every_record_can_be_made_again() -> None:
    assert {name: each.faults for name, each in all_redrawn().items() if each.faults} == {}


def test_what_is_drawn_has_a_label_of_the_page() -> None:
    for each in all_redrawn().values():
        patterns = [pattern for of, pattern in TOLD if of == each.opened["game"]]
        assert [x for x in each.labels if not any(re.fullmatch(p, x) for p in patterns)] == []


@pytest.mark.parametrize(("game", "label"), TOLD)
def test_a_label_that_were_read_otherwise_would_be_noticed(game: str, label: str) -> None:
    drawn = [
        name
        for name, each in all_redrawn().items()
        if each.opened["game"] == game and any(re.fullmatch(label, x) for x in each.labels)
    ]
    assert drawn, "no record draws it"
    assert any(redrawn(records()[name], misread=label).faults for name in drawn)


@pytest.mark.parametrize(
    ("name", "old", "new", "label"),
    [
        ("suspicion-4", '"value":"guard"', '"value":"prisoner"', "roles"),
        ("suspicion-4", '["emmett"],"entropy":"', '["emmett"],"entropy":"not-', "complex/inner"),
        ("ultimate-cooperation-4", '"card":"M', '"card":"P', "the card on top"),
        ("a short deck", '"discard":["M04"]', '"discard":[]', "deck/2"),
        ("scattered", '"value":["c', '"value":["c001","c', "deck/0"),
        (
            "a branch",
            '"turn":1,"type":"situation-set"},"v"',
            '"turn":2,"type":"situation-set"},"v"',
            "takes over",
        ),
    ],
)
def test_what_was_not_drawn_is_named(name: str, old: str, new: str, label: str) -> None:
    record = records()[name]
    assert old in record
    faults = redrawn(record.replace(old, new, 1)).faults
    assert label in faults[0]
