"""Choosing, resigning and the end at the table."""

from __future__ import annotations

from msgspec.structs import replace

from events.kernel import Seat
from games.table.checks import TableCode
from games.table.events import (
    Choose,
    ChooseSecretly,
    ClockStarted,
    KeyPublished,
    SeatResigned,
    TableClosed,
    TimeOut,
)
from tests.games.specification import (
    HOST,
    KEY,
    OPEN,
    P2,
    P3,
    STRANGER,
    TABLE,
    WORKER,
    ZERO,
    Given,
    given,
    live,
    number,
    opened,
    player,
    taken,
)
from tests.games.toy import DieRolled, NumberChosen, NumbersShown

THREE = (taken(1), taken(2), taken(3))


def resign(seat: Seat) -> Choose:
    return Choose(seat=seat, decision=f"resign-s{seat}", option="resign")


# --- choosing ---


def test_the_order_of_refusals_of_a_choice() -> None:
    """Phase, seat, person, decision, time, form, option."""
    nonsense = Choose(seat=7, decision="x", option="y")
    given(opened()).when(nonsense, STRANGER).then_rejected(TableCode.GAME_NOT_LIVE)
    past = live()
    late = past.at(100_001)
    late.when(nonsense, STRANGER).then_rejected(TableCode.UNKNOWN_SEAT)
    mine = Choose(seat=1, decision="x", option="y")
    late.when(mine, STRANGER).then_rejected(TableCode.NOT_YOUR_SEAT)
    late.when(mine, P2).then_rejected(TableCode.NOT_YOUR_SEAT)
    late.when(mine, HOST).then_rejected(TableCode.DECISION_NOT_OPEN)
    public = Choose(seat=1, decision="number-t1-s1", option="y")
    late.when(public, HOST).then_rejected(TableCode.DEADLINE_PASSED)
    past.when(public, HOST).then_rejected(TableCode.CHOICE_NOT_PUBLIC)
    past.when(number(1, "y"), HOST).then_rejected(TableCode.OPTION_NOT_OFFERED)
    secret = ChooseSecretly(seat=1, decision="wave-t1-s1", option="y")
    past.when(secret, HOST).then_rejected(TableCode.CHOICE_NOT_SECRET)
    past.when(Choose(seat=1, decision="wave-t1-s1", option="y"), HOST).then_rejected(
        TableCode.OPTION_NOT_OFFERED
    )


def test_anothers_decision_is_not_open_for_me() -> None:
    past = live()
    mine = ChooseSecretly(seat=1, decision="number-t1-s2", option="1")
    past.when(mine, HOST).then_rejected(TableCode.DECISION_NOT_OPEN)


def test_a_closed_decision_stays_closed() -> None:
    past = live().when(number(1, "1"), HOST).happened().when(number(2, "1"), P2).happened()
    past.when(number(1, "2"), HOST).then_rejected(TableCode.DECISION_NOT_OPEN)


# --- resigning ---


def test_who_resigns_gets_defaults_at_once() -> None:
    past = (
        live(THREE).when(resign(2), P2).then(SeatResigned(seat=2), NumberChosen(seat=2, number="1"))
    )
    assert TABLE.decisions(past.state, 2) == []
    past.when(resign(2), P2).then_rejected(TableCode.DECISION_NOT_OPEN)
    past.when(number(2, "3"), P2).then_rejected(TableCode.DECISION_NOT_OPEN)


def test_who_has_answered_before_resigning_keeps_the_answer() -> None:
    past = live(THREE).when(number(2, "3"), P2).happened()
    past.when(resign(2), P2).then(SeatResigned(seat=2))


def test_the_resigned_are_never_timed_out() -> None:
    past = live(THREE).when(resign(2), P2).happened().at(100_250)
    events = past.when(TimeOut(key="t1-programming"), WORKER).events()
    assert [getattr(e, "seat", None) for e in events[:2]] == [1, 3]


def test_the_last_answer_missing_was_the_resigned_ones() -> None:
    past = live().when(number(1, "2"), HOST).happened().at(50)
    past.when(resign(2), P2).then(
        SeatResigned(seat=2),
        NumberChosen(seat=2, number="1"),
        NumbersShown(numbers={1: "2", 2: "1"}),
        ClockStarted(key="t1-decision", since=ZERO + 50, due=ZERO + 50_050),
    )


def test_everybody_resigned_abandons_the_game() -> None:
    past = live(THREE)
    for seat in (3, 1):
        past = past.when(resign(seat), player(seat)).happened()
    done = past.when(resign(2), P2).then(
        SeatResigned(seat=2),
        TableClosed(reason="abandoned", outcome="abandoned", winners=()),
        KeyPublished(key=KEY),
    )
    assert done.state.phase == "finished"
    done.when(resign(3), P3).then_rejected(TableCode.GAME_OVER)


# --- the end of the game ---


def last_turn(resigned: Seat | None = None) -> Given:
    """A game of one round in which all have chosen; seat 1 is asked."""
    past = live(options={"rounds": 1})
    if resigned is not None:
        past = past.when(resign(resigned), player(resigned)).happened()
    for seat, option in ((1, "1"), (2, "2")):
        if seat != resigned:
            past = past.when(number(seat, option), player(seat)).happened()
    return past


def test_the_end_has_a_reason_winners_and_a_score_and_shows_the_key() -> None:
    pick = Choose(seat=1, decision="pick-t1", option="double")
    done = (
        last_turn()
        .when(pick, HOST)
        .then(
            DieRolled(pick="double", die="2", points={1: 0, 2: 2}),
            TableClosed(reason="finished", outcome="most-points", winners=(2,), score=2),
            KeyPublished(key=KEY),
        )
    )
    assert (done.state.phase, done.state.clock) == ("finished", None)
    assert TABLE.status(done.state) == "finished"
    assert TABLE.wake_at(done.state) is None
    done.when(pick, HOST).then_rejected(TableCode.GAME_OVER)


def test_who_has_resigned_does_not_win() -> None:
    """R19: the player loses, whatever its figures do."""
    pick = Choose(seat=1, decision="pick-t1", option="single")
    past = last_turn(resigned=2)
    closed = past.when(pick, HOST).events()[-2]
    assert isinstance(closed, TableClosed)
    assert 2 not in closed.winners


def test_a_batch_of_defaults_is_bounded() -> None:
    """Absent players' turns go on in the next batch, which is due at once."""
    time = replace(OPEN.time, absent_after=1)
    past = live(options={"rounds": 60}, time=time).at(200_000)
    sizes = []
    while past.state.phase == "live":
        assert past.state.clock is not None
        found = past.when(TimeOut(key=past.state.clock.key), WORKER)
        sizes.append(len(found.events()))
        past = found.happened()
        clock = past.state.clock
        assert clock is None or (clock.since == clock.due == TABLE.wake_at(past.state))
    assert len(sizes) > 2
    assert max(sizes) <= 64 + 10
