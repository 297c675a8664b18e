"""``docs/ratings.md`` is enough to reckon every rating again: an auditor and our fold agree."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from club.ratings import Party, Skill, rated
from games.table.state import Result
from projections.results import applied, counts, decode_entry
from projections.rows import Row
from tests.club import ratings_again
from tests.club.ratings_again import folded, reckoned, shown
from tests.house import tree
from tests.projections.finished_rows import BEGAN, QUARTER_MS, player, row, seat

BOT: Final[dict[str, Any]] = {"player": "bot:random", "bot": "random", "program": True}


def vectors() -> list[dict[str, Any]]:
    text = tree.read("docs/ratings.md") or ""
    found: list[dict[str, Any]] = json.loads(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[-1])
    return found


def pairs(skills: list[list[tuple[int, int]]]) -> list[list[list[int]]]:
    return [[[*skill] for skill in members] for members in skills]


@pytest.mark.parametrize("vector", vectors())
def test_the_vectors_of_the_page(vector: dict[str, Any]) -> None:
    before, ranks = vector["before"], vector["ranks"]
    parties = [
        Party(tuple(Skill(*skill) for skill in members), rank)
        for members, rank in zip(before, ranks, strict=True)
    ]
    ours = [[(each.mean, each.deviation) for each in members] for members in rated(parties)]
    assert pairs(ours) == pairs(reckoned(before, ranks)) == vector["after"]


def games() -> list[Row]:
    """Games of all that the page tells apart, by lot: of some the outcome, of some the time."""
    lots = random.Random(25)
    found = []
    for number in range(60):
        at = BEGAN + lots.randrange(2 * QUARTER_MS)
        who = [player(n) for n in lots.sample(range(1, 9), 5)]
        ranks = lots.choice(((1, 2), (2, 1), (1, 1)))
        seats = [
            seat(1, "few", ranks[0], "guard", player=who[0]),
            seat(2, "few", ranks[0], "guard", **(BOT if number % 3 else {"player": who[1]})),
            seat(3, "many", ranks[1], "prisoner", player=who[2]),
            seat(4, "many", ranks[1], "prisoner", player=who[3], program=number % 4 == 0),
            seat(5, "many", ranks[1], "prisoner", **(BOT if number % 2 else {"player": who[4]})),
            seat(6, "many", ranks[1], "prisoner", **BOT),
        ]
        if number % 5 == 0:
            seats = [seat(n, f"{n}", lots.randint(1, 3), player=who[n]) for n in range(1, 4)]
        made = row(*seats, number=number, at=at)
        if number % 7 == 0 and made.result and made.result.winners:  # the first of them resigned
            made = replace(made, result=Result("finished", "won", made.result.winners[1:]))
        found.append(replace(made, scenario=number % 11 == 0))
    return [*found, replace(found[1], visibility="private"), replace(found[2], result=None)]


def as_served(rows: list[Row]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(msgspec.json.encode(rows))
    return found


def our_fold(rows: list[Row]) -> dict[tuple[str, ...], tuple[int, int]]:
    book: dict[str, bytes] = {}
    for each in sorted(rows, key=lambda row: (row.updated_at, row.id)):
        if counts(each):
            applied(book, each)
    entries = {field: decode_entry(kept) for field, kept in book.items() if field[0] == "s"}
    return {
        tuple("" if part == "-" else part for part in field.split("|")[1:]): (e.mean, e.deviation)
        for field, e in entries.items()
    }


def test_an_auditor_folds_the_same_ratings() -> None:
    rows = games()
    again = folded(as_served(rows))
    assert again == our_fold(rows)
    assert len(again) > 60
    assert shown((0, 250_000)) == 1000


@pytest.mark.parametrize(
    ("name", "misread"),
    [
        ("NOISE", Decimal(125_001)),
        ("DRIFT", Decimal(2_400)),
        ("BEGINNING", (0, 250_100)),
        ("DIGITS", 5),
    ],
)
def test_a_number_that_were_read_otherwise_would_be_noticed(
    name: str, misread: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = games()
    monkeypatch.setattr(ratings_again, name, misread)
    assert folded(as_served(rows)) != our_fold(rows)


def people_all(row: dict[str, Any]) -> dict[str, Any]:
    return {"seats": [{**seat, "program": False} for seat in row["seats"]]}


def nobody_won(row: dict[str, Any]) -> dict[str, Any]:
    return {"result": row["result"] and {**row["result"], "winners": []}}


CHANGES: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "scenario": lambda _: {"scenario": False},
    "visibility": lambda _: {"visibility": "public"},
    "program": people_all,
    "winners": nobody_won,
    "updated_at": lambda row: {"updated_at": 2 * (BEGAN + QUARTER_MS) - row["updated_at"]},
}


@pytest.mark.parametrize("field", CHANGES)
def test_each_field_of_a_row_counts(field: str) -> None:
    rows = games()
    changed = [row | CHANGES[field](row) for row in as_served(rows)]
    assert folded(changed) != our_fold(rows)
