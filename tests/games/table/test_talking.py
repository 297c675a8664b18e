"""Phrases at a table: what is said, to whom, how often, and when nobody may talk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Actor, Event, Seat
from games.cerveauuu.rules.phrases import PHRASES as TOWN_PHRASES
from games.phrases import Phrasebook
from games.registry import GAMES
from games.room25.rules.phrases import PHRASES as COMPLEX_PHRASES
from games.table.checks import TableCode
from games.table.decider import Table
from games.table.events import AnnulTable, PauseTable, PhraseSaid, SayPhrase
from games.table.state import PHRASES_KEPT
from games.table.talking import PHRASES_SPAN_MS
from tests.games.begun import many, opening
from tests.games.specification import (
    BOT,
    DIRECTOR,
    HOST,
    P2,
    STRANGER,
    ZERO,
    Given,
    given,
    live,
    opened,
)
from tests.games.toy import TOY

BOOK = Phrasebook(
    aims={"hello": ("nothing", "seat"), "here": ("place",), "you": ("seat",)},
    has_place=lambda _, place: place == "a1",
)
SILENT = Phrasebook(aims=BOOK.aims, is_silenced=lambda _: True)
HELLO = SayPhrase(seat=1, phrase="hello")


def table(book: Phrasebook = BOOK) -> Table:
    """The toy's table with a phrasebook."""
    return Table({TOY.id: replace(TOY, phrases=book)}, frozenset({"random"}))


def talking(book: Phrasebook = BOOK) -> Given:
    """A running game in which one may talk."""
    return live()._replace(table=table(book))


def said(at: int = 0, phrase: str = "hello", seat: Seat = 1, **target: Any) -> PhraseSaid:
    """That something was said."""
    return PhraseSaid(seat=seat, phrase=phrase, at=ZERO + at, **target)


@pytest.mark.parametrize(
    ("phrase", "target"),
    [("hello", {}), ("hello", {"to": 2}), ("here", {"place": "a1"}), ("you", {"to": 2})],
)
def test_a_phrase_is_said_to_everybody_and_moves_nothing_else(
    phrase: str, target: Mapping[str, Any]
) -> None:
    before = talking()
    after = before.when(SayPhrase(seat=1, phrase=phrase, **target), HOST).then(
        said(phrase=phrase, **target)
    )
    assert after.state.clock == before.state.clock
    assert after.state.play == before.state.play


@pytest.mark.parametrize(
    ("phrase", "target", "code"),
    [
        ("goodbye", {}, "unknown-phrase"),
        ("", {}, "unknown-phrase"),
        ("here", {}, "phrase-to-nobody"),
        ("here", {"place": "z9"}, "phrase-to-nobody"),
        ("here", {"to": 2}, "phrase-target-not-allowed"),
        ("you", {}, "phrase-to-nobody"),
        ("you", {"to": 3}, "phrase-to-nobody"),
        ("you", {"to": 0}, "phrase-to-nobody"),
        ("you", {"place": "a1"}, "phrase-target-not-allowed"),
        ("hello", {"place": "a1"}, "phrase-target-not-allowed"),
        ("hello", {"place": "a1", "to": 2}, "phrase-target-not-allowed"),
    ],
)
def test_what_cannot_be_said_is_refused(phrase: str, target: Mapping[str, Any], code: str) -> None:
    talking().when(SayPhrase(seat=1, phrase=phrase, **target), HOST).then_rejected(code)


@pytest.mark.parametrize(
    ("seat", "actor", "code"),
    [
        (1, P2, TableCode.NOT_YOUR_SEAT),
        (1, STRANGER, TableCode.NOT_YOUR_SEAT),
        (1, BOT, TableCode.NOT_YOUR_SEAT),
        (1, Actor("director", HOST.id), TableCode.NOT_YOUR_SEAT),
        (9, HOST, TableCode.UNKNOWN_SEAT),
    ],
)
def test_only_who_sits_there_speaks_for_a_seat(seat: Seat, actor: Actor, code: str) -> None:
    talking().when(SayPhrase(seat=seat, phrase="hello"), actor).then_rejected(code)


def test_nobody_talks_but_while_the_game_runs() -> None:
    given(opened(), table=table()).when(HELLO, HOST).then_rejected(TableCode.GAME_NOT_LIVE)
    stopped = talking().when(PauseTable(), DIRECTOR).happened()
    stopped.when(HELLO, HOST).then_rejected(TableCode.TABLE_PAUSED)
    over = talking().when(AnnulTable(reason="other"), DIRECTOR).happened()
    over.when(HELLO, HOST).then_rejected(TableCode.GAME_OVER)


def spoken() -> Given:
    now = talking()
    for at in (0, 4_000, 8_000):
        now = now.at(at).when(HELLO, HOST).then(said(at))
    return now


def test_a_seat_says_so_much_in_so_long_by_the_times_in_the_log() -> None:
    now = spoken()
    assert now.state.phrases == {1: (ZERO, ZERO + 4_000, ZERO + 8_000)}
    now.at(PHRASES_SPAN_MS - 1).when(HELLO, HOST).then_rejected(TableCode.PHRASES_TOO_FAST)
    later = now.at(PHRASES_SPAN_MS).when(HELLO, HOST).then(said(PHRASES_SPAN_MS))
    assert len(later.state.phrase_times(1)) == PHRASES_KEPT
    later.at(PHRASES_SPAN_MS + 1).when(HELLO, HOST).then_rejected(TableCode.PHRASES_TOO_FAST)


def test_each_seat_is_counted_for_itself() -> None:
    other = SayPhrase(seat=2, phrase="hello", to=1)
    spoken().at(8_001).when(other, P2).then(said(8_001, seat=2, to=1))


def test_a_refused_phrase_does_not_count() -> None:
    now = talking()
    for _ in range(9):
        now.when(SayPhrase(seat=1, phrase="you"), HOST).then_rejected("phrase-to-nobody")
    now.when(HELLO, HOST).then(said())


def test_a_game_says_when_nobody_may_talk() -> None:
    talking(SILENT).when(HELLO, HOST).then_rejected(TableCode.PHRASES_SILENCED)


def test_a_game_without_phrases_has_none() -> None:
    live().when(HELLO, HOST).then_rejected(TableCode.UNKNOWN_PHRASE)


def test_a_table_at_which_nothing_was_said_says_nothing_of_it() -> None:
    assert live().state.phrases is UNSET
    assert live().state.phrase_times(1) == ()


def test_everything_of_a_phrase_is_public() -> None:
    event: Event = said(place="a1")
    assert {"seat", "phrase", "at", "place", "to"} == set(event.__struct_fields__)


# --- the games' own ---


@pytest.mark.parametrize("place", ["r0c0", "r4c4", "r2c2"])
def test_a_room_of_the_complex_is_a_place(place: str) -> None:
    assert COMPLEX_PHRASES.has_place(None, place)


@pytest.mark.parametrize("place", ["r5c0", "r0c5", "row1", "", "r0c0 ", "R0C0", "r00c0"])
def test_nothing_else_is(place: str) -> None:
    assert not COMPLEX_PHRASES.has_place(None, place)


def test_a_jamming_card_silences_the_complex_while_it_lies_open() -> None:
    play = next(many(opening("suspicion", 4), 1))
    assert not COMPLEX_PHRASES.is_silenced(play)
    play.shown = ("Z02",)
    assert COMPLEX_PHRASES.is_silenced(play)


def test_no_rule_of_the_town_forbids_talking() -> None:
    assert not TOWN_PHRASES.is_silenced(None)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.rules.id)
def test_every_aim_can_be_met(game: Any) -> None:
    aims = game.rules.phrases.aims
    assert {aim for each in aims.values() for aim in each} == {"nothing", "place", "seat"}
    assert all(aims.values())
