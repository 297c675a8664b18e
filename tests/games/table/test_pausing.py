"""Pauses by agreement: who has a say, when they begin and end, and what keeps them few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from events.kernel import Command, Event
from games.room25 import RULES as COMPLEX
from games.room25.model.state import Character, State
from games.table.checks import TableCode
from games.table.decider import GRACE_MS, Table
from games.table.events import (
    AnnulTable,
    Choose,
    ExtendTime,
    HoldTable,
    PauseTable,
    ResumeTable,
    SeatResigned,
    SeatWentAbsent,
    TablePaused,
    TimeOut,
)
from games.table.pause_events import (
    EndPause,
    PauseAgreed,
    PauseBegan,
    PauseDeclined,
    PauseProposed,
    PauseVote,
    ProposePause,
    ResumptionAgreed,
    VoteOnPause,
)
from games.table.pausing import (
    PAUSE_MAX_MIN,
    PAUSES_MAX,
    PROPOSAL_STANDS_MS,
    PROPOSALS_SPAN_MS,
    with_a_say,
)
from games.table.state import PROPOSALS_KEPT
from tests.games.specification import (
    BOT,
    DIRECTOR,
    DUE,
    HOST,
    NUMBER,
    OPEN,
    P2,
    P3,
    STRANGER,
    TABLE,
    WORKER,
    ZERO,
    Given,
    bot_at,
    given,
    live,
    opened,
    resumed,
    taken,
)
from tests.games.toy import TOY

MINUTE = 60_000
ASK = ProposePause(seat=1, minutes=5)


def vote(seat: int, said: PauseVote) -> VoteOnPause:
    """What the player of a seat says of a pause."""
    return VoteOnPause(seat=seat, vote=said)


def proposed(at: int = 0, seat: int = 1, minutes: int = 5) -> PauseProposed:
    """That a pause was proposed."""
    until = ZERO + at + PROPOSAL_STANDS_MS
    return PauseProposed(seat=seat, minutes=minutes, at=ZERO + at, until=until)


def asked(at: int = 40_000, past: Given | None = None) -> Given:
    """A game in which the host has asked for five minutes, 60 seconds before its deadline."""
    return (past or live()).at(at).when(ASK, HOST).happened()


def agreed(at: int = 40_000, past: Given | None = None) -> Given:
    """A game that stands still by agreement of two."""
    return asked(at, past).when(vote(2, "agree"), P2).happened()


# --- proposing and answering ---


def test_a_pause_begins_once_everybody_has_agreed() -> None:
    past = live([taken(1), taken(2), taken(3)]).at(40_000)
    past = past.when(ASK, HOST).then(proposed(40_000))
    assert TABLE.decisions(past.state, 1), "the game goes on until then"
    past = past.when(vote(2, "agree"), P2).then(PauseAgreed(seat=2))
    past = past.when(vote(3, "agree"), P3).then(
        PauseAgreed(seat=3), PauseBegan(at=ZERO + 40_000, until=ZERO + 40_000 + 5 * MINUTE)
    )
    assert past.state.paused_at == ZERO + 40_000
    assert past.state.pauses_held.proposal is None


def test_who_plays_alone_with_bots_asks_nobody() -> None:
    past = live([taken(1), bot_at(2)])
    past.when(ASK, HOST).then(proposed(), PauseBegan(at=ZERO, until=ZERO + 5 * MINUTE))


def test_who_turns_it_down_ends_the_proposal_and_so_does_who_takes_it_back() -> None:
    for seat, actor in ((2, P2), (1, HOST)):
        past = asked().when(vote(seat, "decline"), actor).then(PauseDeclined(seat=seat))
        past.when(vote(2, "agree"), P2).then_rejected(TableCode.NO_PAUSE_PROPOSED)
        past.when(replace(ASK, seat=2), P2).then(proposed(40_000, seat=2))


def test_there_is_one_proposal_at_a_time_and_it_lapses() -> None:
    past = asked(0)
    past.when(replace(ASK, seat=2), P2).then_rejected(TableCode.PAUSE_PROPOSED_ALREADY)
    past.when(vote(1, "agree"), HOST).then_rejected(TableCode.ALREADY_AGREED)
    last = past.at(PROPOSAL_STANDS_MS - 1)
    last.when(replace(ASK, seat=2), P2).then_rejected(TableCode.PAUSE_PROPOSED_ALREADY)
    late = past.at(PROPOSAL_STANDS_MS)
    late.when(vote(2, "agree"), P2).then_rejected(TableCode.NO_PAUSE_PROPOSED)
    late.when(replace(ASK, seat=2), P2).then(proposed(PROPOSAL_STANDS_MS, seat=2))


@pytest.mark.parametrize("gone", [SeatResigned(seat=1), SeatWentAbsent(seat=1)])
def test_a_proposal_lapses_with_its_proposer(gone: Event) -> None:
    past = asked()
    state = TABLE.evolve(TABLE.copy(past.state), gone)
    assert state.pauses_held.proposal is None
    past._replace(state=state).when(vote(2, "agree"), P2).then_rejected(TableCode.NO_PAUSE_PROPOSED)
    other = type(gone)(seat=2)
    assert TABLE.evolve(TABLE.copy(past.state), other).pauses_held.proposal is not None


def test_who_has_not_agreed_and_goes_hinders_no_more() -> None:
    past = live([taken(1), taken(2), taken(3)]).at(40_000).when(ASK, HOST).happened()
    past = past.when(vote(2, "agree"), P2).happened()
    resign = Choose(seat=3, decision="resign-s3", option="resign")
    happened = past.when(resign, P3).events()
    assert happened[-1] == PauseBegan(at=ZERO + 40_000, until=ZERO + 40_000 + 5 * MINUTE)


def test_who_goes_absent_hinders_no_more() -> None:
    """The other one lets the time run out, which is once too often."""
    past = live(time=replace(OPEN.time, absent_after=1)).when(NUMBER, HOST).happened()
    past = past.when(ASK, HOST).happened().at(DUE + GRACE_MS)
    happened = past.when(TimeOut(key="t1-programming"), WORKER).events()
    assert SeatWentAbsent(seat=2) in happened
    now = ZERO + DUE + GRACE_MS
    assert happened[-1] == PauseBegan(at=now, until=now + 5 * MINUTE)


# --- who has a say ---


@pytest.mark.parametrize(
    "seats",
    [
        [taken(1), bot_at(2)],
        [taken(1), taken(2, program=True)],
        [taken(1), taken(2), SeatWentAbsent(seat=2)],
        [taken(1), taken(2), SeatResigned(seat=2)],
    ],
)
def test_only_people_who_are_there_have_a_say(seats: Sequence[Event]) -> None:
    past = live(seats[:2])
    for event in seats[2:]:
        past = past._replace(state=TABLE.evolve(TABLE.copy(past.state), event))
    assert with_a_say(past.state, TOY.is_out) == (1,)
    actor = BOT if past.state.seats[2].bot else P2
    code = TableCode.NOT_YOUR_SEAT if actor is BOT else TableCode.NO_SAY_IN_PAUSES
    past.when(replace(ASK, seat=2), actor).then_rejected(code)
    past.when(ASK, HOST).happened()


def test_whoever_is_out_of_the_game_has_no_say() -> None:
    table = Table({TOY.id: replace(TOY, is_out=lambda _, seat: seat == 2)}, frozenset({"random"}))
    past = live()._replace(table=table)
    past.when(replace(ASK, seat=2), P2).then_rejected(TableCode.NO_SAY_IN_PAUSES)
    past.when(ASK, HOST).then(proposed(), PauseBegan(at=ZERO, until=ZERO + 5 * MINUTE))


def test_in_the_complex_the_dead_have_no_say() -> None:
    def figures(*alive: tuple[int, bool]) -> Any:
        people = [Character(str(n), s, "", None, lives) for n, (s, lives) in enumerate(alive)]
        return State(characters={each.id: each for each in people})

    assert not COMPLEX.is_out(figures(), 1)
    assert not COMPLEX.is_out(figures((1, True), (1, False), (2, False)), 1)
    assert COMPLEX.is_out(figures((1, True), (1, False), (2, False)), 2)


@pytest.mark.parametrize("command", [ASK, vote(1, "agree"), vote(1, "decline")])
def test_nobody_speaks_for_others(command: Any) -> None:
    past = asked() if isinstance(command, VoteOnPause) else live()
    for actor in (P2, STRANGER, DIRECTOR, WORKER):
        past.when(command, actor).then_rejected(TableCode.NOT_YOUR_SEAT)
    past.when(replace(command, seat=9), HOST).then_rejected(TableCode.UNKNOWN_SEAT)


@pytest.mark.parametrize("command", [ASK, vote(1, "agree"), vote(1, "decline"), vote(1, "resume")])
def test_only_a_running_game_is_paused(command: Command) -> None:
    given(opened()).when(command, HOST).then_rejected(TableCode.GAME_NOT_LIVE)
    over = live().when(AnnulTable(reason="other"), DIRECTOR).happened()
    over.when(command, HOST).then_rejected(TableCode.GAME_OVER)
    held = live().when(HoldTable(known=9, kept=5, epoch=2), DIRECTOR).happened()
    held.when(command, HOST).then_rejected(TableCode.GAME_HELD)


# --- limits ---


@pytest.mark.parametrize("minutes", [0, -1, PAUSE_MAX_MIN + 1])
def test_a_pause_has_a_length(minutes: int) -> None:
    live().when(replace(ASK, minutes=minutes), HOST).then_rejected(TableCode.BAD_PAUSE)


@pytest.mark.parametrize("minutes", [1, PAUSE_MAX_MIN])
def test_the_shortest_and_the_longest_pause(minutes: int) -> None:
    past = live([taken(1), bot_at(2)]).when(replace(ASK, minutes=minutes), HOST).happened()
    assert TABLE.wake_at(past.state) == ZERO + minutes * MINUTE


def often_asked() -> Given:
    """A game in which the host has just asked as often as one may."""
    past = live()
    for _ in range(PROPOSALS_KEPT):
        past = past.when(ASK, HOST).happened().when(vote(2, "decline"), P2).happened()
    return past


def test_a_seat_proposes_only_so_often() -> None:
    past = often_asked().at(PROPOSALS_SPAN_MS - 1)
    past.when(ASK, HOST).then_rejected(TableCode.PAUSES_PROPOSED_TOO_OFTEN)
    past.when(replace(ASK, seat=2), P2).happened()
    past.at(PROPOSALS_SPAN_MS).when(ASK, HOST).happened()


def often_paused() -> Given:
    """A game with as many pauses as there may be."""
    past = live([taken(1), bot_at(2)])
    for number in range(PAUSES_MAX):
        past = past.at(number * PROPOSALS_SPAN_MS).when(ASK, HOST).happened()
        past = past.when(vote(1, "resume"), HOST).happened()
    return past.at(PAUSES_MAX * PROPOSALS_SPAN_MS)


def test_a_game_has_only_so_many_pauses() -> None:
    assert often_paused().state.pauses_held.begun == PAUSES_MAX
    often_paused().when(ASK, HOST).then_rejected(TableCode.TOO_MANY_PAUSES)


# --- the pause, and its end ---


def test_a_pause_by_agreement_stops_everything() -> None:
    past = agreed()
    assert TABLE.decisions(past.state, 1) == []
    assert TABLE.wake_at(past.state) == ZERO + 40_000 + 5 * MINUTE
    for command, actor in (
        (NUMBER, HOST),
        (ASK, HOST),
        (vote(1, "agree"), HOST),
        (Choose(seat=1, decision="resign-s1", option="resign"), HOST),
        (ExtendTime(seconds=5), DIRECTOR),
    ):
        past.when(command, actor).then_rejected(TableCode.TABLE_PAUSED)
    late = past.at(DUE + GRACE_MS)
    late.when(TimeOut(key="t1-programming"), WORKER).then_rejected(TableCode.TABLE_PAUSED)


def test_the_clock_ends_it_and_the_deadline_moves_by_its_length() -> None:
    past, over = agreed(), 40_000 + 5 * MINUTE
    past.at(over - 1).when(EndPause(pause=1), WORKER).then_rejected(TableCode.NOT_DUE_YET)
    past.at(over).when(EndPause(pause=2), WORKER).then_rejected(TableCode.NOTHING_DUE)
    past = past.at(over).when(EndPause(pause=1), WORKER).then(resumed(5 * MINUTE))
    past.when(EndPause(pause=1), WORKER).then_rejected(TableCode.NOTHING_DUE)
    assert past.state.paused_at is None
    assert TABLE.wake_at(past.state) == ZERO + DUE + 5 * MINUTE + GRACE_MS
    past.at(DUE + 5 * MINUTE).when(NUMBER, HOST).happened()


def test_a_clock_that_comes_late_gives_that_time_back_too() -> None:
    late = agreed().at(40_000 + 6 * MINUTE)
    late.when(EndPause(pause=1), WORKER).then(resumed(6 * MINUTE))


def test_it_ends_earlier_once_all_want_to_play_on() -> None:
    past = agreed().at(41_000).when(vote(2, "resume"), P2).then(ResumptionAgreed(seat=2))
    past.when(vote(2, "resume"), P2).then_rejected(TableCode.ALREADY_AGREED)
    last = past.at(47_777).when(vote(1, "resume"), HOST)
    past = last.then(ResumptionAgreed(seat=1), resumed(7_777))
    past.when(vote(1, "resume"), HOST).then_rejected(TableCode.TABLE_NOT_PAUSED)


def test_the_next_pause_is_another_one() -> None:
    past = agreed().when(vote(2, "resume"), P2).happened().when(vote(1, "resume"), HOST).happened()
    past = agreed(50_000, past)
    assert past.state.pauses_held.running is not None
    assert past.state.pauses_held.running.resuming == ()
    past.at(50_000 + 5 * MINUTE).when(EndPause(pause=1), WORKER).then_rejected("nothing-due")


# --- the director stands above it ---


def test_the_directors_pause_is_not_the_players() -> None:
    past = live().when(PauseTable(), DIRECTOR).happened()
    past.when(vote(1, "resume"), HOST).then_rejected(TableCode.PAUSED_BY_DIRECTOR)
    past.when(ASK, HOST).then_rejected(TableCode.TABLE_PAUSED)
    past.at(10 * MINUTE).when(EndPause(pause=0), WORKER).then_rejected(TableCode.TABLE_PAUSED)
    assert TABLE.wake_at(past.state) is None


def test_the_director_takes_a_pause_over_and_ends_it() -> None:
    past = agreed().at(45_000)
    past.when(ResumeTable(), DIRECTOR).then(resumed(5_000))
    past = past.when(PauseTable(reason="dispute"), DIRECTOR).then(
        TablePaused(at=ZERO + 45_000, reason="dispute")
    )
    assert past.state.pauses_held.running is None
    assert TABLE.wake_at(past.state) is None
    past.when(vote(1, "resume"), HOST).then_rejected(TableCode.PAUSED_BY_DIRECTOR)
    over = past.at(40_000 + 9 * MINUTE)
    over.when(EndPause(pause=1), WORKER).then_rejected(TableCode.TABLE_PAUSED)
    over.when(ResumeTable(), DIRECTOR).then(resumed(9 * MINUTE))


def test_a_directors_pause_drops_what_was_proposed() -> None:
    past = asked().when(PauseTable(), DIRECTOR).happened().when(ResumeTable(), DIRECTOR).happened()
    past.when(vote(2, "agree"), P2).then_rejected(TableCode.NO_PAUSE_PROPOSED)


def test_a_loss_and_an_end_end_it_too() -> None:
    held = agreed().when(HoldTable(known=99, kept=5, epoch=2), DIRECTOR).happened()
    assert TABLE.wake_at(held.state) is None
    held.when(vote(1, "resume"), HOST).then_rejected(TableCode.GAME_HELD)
    over = agreed().when(AnnulTable(reason="other"), DIRECTOR).happened()
    assert over.state.pauses_held.running is None
    assert TABLE.wake_at(over.state) is None


# --- additive ---


def test_a_state_has_nothing_of_pauses_before_the_first_is_proposed() -> None:
    assert b'"pauses"' not in json.encode(live().state)
    assert b'"pauses"' in json.encode(asked().state)
