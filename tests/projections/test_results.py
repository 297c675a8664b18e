"""What finished games count for, what never counts, and that a game can be taken out again."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from games.table.state import Result
from projections import results
from projections.results import (
    GameCount,
    Ladder,
    LadderEntry,
    RecordLine,
    applied,
    counts,
    decode_entry,
    decode_record,
    entry_at,
    fields_of,
    is_rated,
    ladder_of,
    line_of,
    people,
    record_field,
    season_of,
    undone,
)
from projections.rows import Row
from tests.projections.finished_rows import BEGAN, QUARTER_MS, duel, player, row, seat

BOT: dict[str, Any] = {"player": "bot:random", "bot": "random", "program": True}
DUEL = duel()

NEVER: dict[str, tuple[Row, str]] = {
    "scenario": (replace(DUEL, scenario=True), "and not row.scenario"),
    "private": (replace(DUEL, visibility="private"), 'and row.visibility == "public"'),
    "unlisted": (replace(DUEL, visibility="unlisted"), 'and row.visibility == "public"'),
    "annulled": (
        replace(DUEL, result=Result("annulled", "annulled", ())),
        'in {"finished", "abandoned"}',
    ),
    "cancelled": (
        replace(DUEL, result=Result("cancelled", "cancelled", ())),
        'in {"finished", "abandoned"}',
    ),
    "running": (replace(DUEL, result=None), "ended and"),
    "bots alone": (
        row(seat(1, "one", 1, **BOT), seat(2, "two", 2, **BOT)),
        "and bool(people(row))",
    ),
    "programs alone": (
        row(seat(1, "one", 1, program=True), seat(2, "two", 2, **BOT)),
        "and bool(people(row))",
    ),
}
"""Games that never count, each with the words of the fold that leave it out."""

UNRATED: dict[str, tuple[Row, str]] = {
    "a person and a bot": (
        row(seat(1, "one", 1), seat(2, "two", 2, **BOT)),
        "and len(seated) >= _PEOPLE_LEAST",
    ),
    "a person and a program": (
        row(seat(1, "one", 1), seat(2, "two", 2, program=True)),
        "and len(seated) >= _PEOPLE_LEAST",
    ),
    "one party": (
        row(seat(1, "all", 1), seat(2, "all", 1)),
        "and len(parties) > 1",
    ),
    "given up by all": (
        row(
            replace(seat(1, "one", 1), finish=None),
            replace(seat(2, "two", 1), finish=None),
            result=Result("abandoned", "abandoned", ()),
        ),
        "and len(parties) > 1",
    ),
    "two seats of one": (
        row(seat(1, "one", 1), seat(2, "two", 2), seat(3, "two", 2, player=player(1))),
        "and alone",
    ),
}
"""Games that count and are not rated, likewise."""


def without(words: str) -> ModuleType:
    """The fold as it would be without some words: a planted fault."""
    source = Path(results.__file__).read_text(encoding="utf-8")
    assert words in source
    replaced = {
        'in {"finished", "abandoned"}': "is not None",
        "ended and": "True and",
    }.get(words, "")
    module = ModuleType("planted")
    sys.modules["planted"] = module  # msgspec looks a struct's annotations up there
    exec(source.replace(words, replaced), module.__dict__)  # noqa: S102 (our own source)
    return module


@pytest.mark.parametrize("name", NEVER)
def test_what_never_counts(name: str) -> None:
    found, words = NEVER[name]
    assert not counts(found)
    assert not is_rated(found)
    assert without(words).counts(found)


@pytest.mark.parametrize("name", UNRATED)
def test_what_counts_and_is_not_rated(name: str) -> None:
    found, words = UNRATED[name]
    assert counts(found)
    assert not is_rated(found)
    assert without(words).is_rated(found)
    book: dict[str, bytes] = {}
    applied(book, found)
    assert set(book) == {record_field(each) for each in people(found)}


def test_a_game_of_two_people_counts_and_is_rated_also_beside_bots() -> None:
    assert counts(DUEL)
    assert is_rated(DUEL)
    assert is_rated(row(seat(1, "one", 1), seat(2, "one", 1), seat(3, "two", 2, **BOT)))


def test_records_are_kept_apart_by_season_game_rulebook_mode_and_side() -> None:
    book: dict[str, bytes] = {}
    for game in (
        duel(number=1),
        duel(2, 1, number=2, at=BEGAN + 1),
        duel(number=3, at=BEGAN + QUARTER_MS, mode="grim"),
    ):
        applied(book, game)
    record = decode_record(book[record_field(player(1))])
    assert record.last_at == BEGAN + QUARTER_MS
    assert {line_of(key): tally for key, tally in record.lines.items()} == {
        RecordLine("2023-4", "toy", "toybook", "plain", "first"): GameCount(1, 1),
        RecordLine("2023-4", "toy", "toybook", "plain", "later"): GameCount(1, 0),
        RecordLine("2024-1", "toy", "toybook", "grim", "first"): GameCount(1, 1),
    }


def test_sides_are_rated_apart_and_each_season_begins_anew() -> None:
    book: dict[str, bytes] = {}
    for number in range(3):
        applied(book, duel(number=number, at=BEGAN + number * QUARTER_MS))

    def standing(period: str, side: str, who: str) -> LadderEntry | None:
        found = book.get(Ladder(period, "toy", side).field(who))
        return None if found is None else decode_entry(found)

    winner = standing("all", "first", player(1))
    assert winner is not None
    assert (winner.games, winner.won) == (3, 3)
    assert standing("all", "later", player(1)) is None
    seasons = [standing(season, "first", player(1)) for season in ("2023-4", "2024-1", "2024-2")]
    assert seasons[0] is not None
    assert seasons[0].games == 1
    assert seasons[0] == seasons[1] == seasons[2]
    # What a side is worth by itself takes its share of what it wins.
    side = standing("all", "first", "side:toybook:plain:2")
    assert side is not None
    assert side.mean > 0


def test_a_player_who_resigned_from_a_party_that_won_has_lost() -> None:
    seats = (seat(1, "one", 1), seat(2, "one", 1), seat(3, "two", 2))
    resigned = row(*seats, result=Result("finished", "most-points", (1,)))
    book: dict[str, bytes] = {}
    applied(book, resigned)
    ladder = Ladder("all", "toy", None)
    means = [decode_entry(book[ladder.field(player(n))]).mean for n in (1, 2, 3)]
    assert means[0] > 0 > means[1]
    assert means[0] > means[2] > means[1]


def test_a_house_bot_with_several_seats_is_one() -> None:
    book: dict[str, bytes] = {}
    game = row(
        *(seat(1, "one", 1), seat(2, "two", 2)),
        *(seat(3, "three", 3, **BOT), seat(4, "four", 4, **BOT)),
    )
    applied(book, game)
    bot = decode_entry(book[Ladder("all", "toy", None).field("bot:random")])
    assert (bot.games, bot.won) == (1, 0)
    assert bot.mean < 0


def test_a_game_is_taken_out_as_if_it_had_never_been() -> None:
    book: dict[str, bytes] = {}
    for number in range(3):
        applied(book, duel(number=number, at=BEGAN + number))
    was = dict(book)
    last = duel(2, 3, number=9, at=BEGAN + QUARTER_MS)
    before = applied(book, last)
    assert before.keys() == fields_of(last)
    assert book != was
    undone(book, before)
    assert book == was


def test_seasons_are_quarters() -> None:
    assert season_of(BEGAN) == "2023-4"
    assert season_of(1_704_067_200_000 - 1) == "2023-4"
    assert season_of(1_704_067_200_000) == "2024-1"


def test_whose_standing_a_field_is() -> None:
    ladder = Ladder("2023-4", "toy", None)
    assert ladder_of(ladder.key) == ladder
    assert entry_at(ladder.field(player(1))) == (ladder, player(1))
    for who in ("bot:random", f"program:{player(1)}", "side:toybook:plain:2"):
        assert entry_at(ladder.field(who)) is None
    assert entry_at(record_field(player(1))) is None
