"""Deadlines at the table: grace, strikes, absence and return, house bots' pace."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Event, Seat, fold
from games.contract import Strikes, TimeControl
from games.table.checks import TableCode
from games.table.decider import GRACE_MS, Table
from games.table.events import (
    Choose,
    ClockStarted,
    SeatReturned,
    SeatTimedOut,
    SeatWentAbsent,
    TimeOut,
)
from tests.games.specification import (
    BOT,
    HOST,
    OPEN,
    P2,
    TABLE,
    WORKER,
    ZERO,
    Given,
    bot_at,
    live,
    number,
    player,
    taken,
)
from tests.games.toy import TOY, NumberChosen, NumbersShown, Waved

PROGRAMMING = 100_000
DECISION = 50_000


def pick(option: str = "single", turn: int = 1) -> Choose:
    return Choose(seat=1, decision=f"pick-t{turn}", option=option)


def chosen(seat: Seat, option: str) -> NumberChosen:
    return NumberChosen(seat=seat, number=option)


def clock(key: str, since: int, limit: int) -> ClockStarted:
    return ClockStarted(key=key, since=ZERO + since, due=ZERO + since + limit)


def picking(since: int, numbers: dict[int, str]) -> list[Event]:
    """The numbers are shown and seat 1 is asked."""
    return [NumbersShown(numbers=numbers), clock("t1-decision", since, DECISION)]


def open_ids(past: Given, seat: Seat) -> list[str]:
    return [d.id for d in TABLE.decisions(past.state, seat)]


def test_each_wait_starts_one_clock_and_an_answer_among_others_none() -> None:
    past = live().at(10).when(number(1, "2"), HOST).then(chosen(1, "2"))
    past.at(30).when(number(2, "3"), P2).then(chosen(2, "3"), *picking(30, {1: "2", 2: "3"}))


def test_a_secret_choice_may_be_replaced_while_the_phase_is_open() -> None:
    past = live().when(number(1, "2"), HOST).happened()
    past.when(number(1, "3"), HOST).then(chosen(1, "3"))


def test_the_deadline_itself_is_in_time_and_a_millisecond_later_is_not() -> None:
    past = live()
    past.at(PROGRAMMING).when(number(1, "2"), HOST).then(chosen(1, "2"))
    past.at(PROGRAMMING + 1).when(number(1, "2"), HOST).then_rejected(TableCode.DEADLINE_PASSED)


def test_blocking_decisions_say_their_deadline_and_voluntary_ones_have_none() -> None:
    found = {d.kind: d for d in TABLE.decisions(live().state, 1)}
    assert found["number"].deadline == ZERO + PROGRAMMING
    assert found["wave"].deadline is None
    assert found["resign"].deadline is None


def test_a_voluntary_act_has_no_deadline() -> None:
    past = live().at(PROGRAMMING + GRACE_MS)
    wave = Choose(seat=1, decision="wave-t1-s1", option="wave")
    past.when(wave, HOST).then(Waved(seat=1))


# --- time-outs ---


def test_a_time_out_waits_for_the_grace_so_that_a_move_in_time_wins() -> None:
    past, out = live(), TimeOut(key="t1-programming")
    past.at(PROGRAMMING).when(out, WORKER).then_rejected(TableCode.NOT_DUE_YET)
    past.at(PROGRAMMING + GRACE_MS - 1).when(out, WORKER).then_rejected(TableCode.NOT_DUE_YET)
    assert GRACE_MS == 250
    late = PROGRAMMING + GRACE_MS
    past.at(late).when(out, WORKER).then(
        SeatTimedOut(seat=1, strikes=1),
        SeatTimedOut(seat=2, strikes=1),
        chosen(1, "1"),
        chosen(2, "1"),
        *picking(late, {1: "1", 2: "1"}),
    )


def test_only_those_who_have_not_answered_time_out() -> None:
    past = live().when(number(2, "3"), P2).happened()
    late = PROGRAMMING + 400
    past.at(late).when(TimeOut(key="t1-programming"), WORKER).then(
        SeatTimedOut(seat=1, strikes=1), chosen(1, "1"), *picking(late, {1: "1", 2: "3"})
    )


def test_a_time_out_names_the_running_wait() -> None:
    past = live().at(PROGRAMMING + GRACE_MS)
    past.when(TimeOut(key="t2-programming"), WORKER).then_rejected(TableCode.NOTHING_DUE)
    past.when(TimeOut(key="t1-decision"), WORKER).then_rejected(TableCode.NOTHING_DUE)
    done = past.when(TimeOut(key="t1-programming"), WORKER).happened()
    done.when(TimeOut(key="t1-programming"), WORKER).then_rejected(TableCode.NOTHING_DUE)


def test_a_late_choice_is_refused_before_and_after_the_time_out_ran() -> None:
    past = live().at(PROGRAMMING + GRACE_MS)
    past.when(number(1, "2"), HOST).then_rejected(TableCode.DEADLINE_PASSED)
    done = past.when(TimeOut(key="t1-programming"), WORKER).happened()
    done.when(number(1, "2"), HOST).then_rejected(TableCode.DECISION_NOT_OPEN)


# --- strikes, absence, return ---


def timed_out_once() -> Given:
    """Seat 2 has let its time run out once; seat 1 is asked."""
    past = live().when(number(1, "2"), HOST).happened().at(PROGRAMMING + GRACE_MS)
    return past.when(TimeOut(key="t1-programming"), WORKER).happened()


def absent() -> Given:
    """Seat 2 has gone absent (a limit of one time-out) while seat 1 has answered."""
    past = live(time=TimeControl(limits_s={"programming": 100, "decision": 50}, absent_after=1))
    past = past.when(number(1, "2"), HOST).happened().at(PROGRAMMING + GRACE_MS)
    out = TimeOut(key="t1-programming")
    return past.when(out, WORKER).then(
        SeatTimedOut(seat=2, strikes=1),
        SeatWentAbsent(seat=2),
        chosen(2, "1"),
        *picking(PROGRAMMING + GRACE_MS, {1: "2", 2: "1"}),
    )


def test_turns_missed_in_a_row_make_absent() -> None:
    past = timed_out_once().when(pick(), HOST).happened()
    assert past.state.seats[2].strikes == 1
    past = past.when(number(1, "2", 2), HOST).happened().at(10 * PROGRAMMING)
    events = past.when(TimeOut(key="t2-programming"), WORKER).events()
    assert events[:2] == [SeatTimedOut(seat=2, strikes=2), SeatWentAbsent(seat=2)]


def test_any_act_of_its_own_ends_the_row() -> None:
    past = timed_out_once()
    wave = Choose(seat=2, decision="wave-t1-s2", option="wave")
    past = past.when(wave, P2).then(SeatReturned(seat=2), Waved(seat=2))
    assert past.state.seats[2].strikes == 0
    past.when(pick(), HOST).happened()


def missed(past: Given, key: str) -> Given:
    """Whoever is asked by that wait has let the time run out."""
    assert past.state.clock is not None
    late = past.state.clock.due - ZERO + GRACE_MS
    return past.at(late).when(TimeOut(key=key), WORKER).happened()


def test_a_turn_gives_one_strike_however_often_a_seat_is_asked_in_it() -> None:
    """Seat 1 misses the number and the pick of turn 1, then the number of turn 2."""
    past = missed(live(), "t1-programming")
    assert past.state.seats[1].strikes == 1
    late = past.state.clock.due - ZERO + GRACE_MS if past.state.clock else 0
    events = past.at(late).when(TimeOut(key="t1-decision"), WORKER).events()
    assert events[0] == SeatTimedOut(seat=1, strikes=1)
    assert SeatWentAbsent(seat=1) not in events
    past = missed(past, "t1-decision")
    assert not past.state.seats[1].absent
    past = missed(past, "t2-programming")
    assert [(s.strikes, s.absent) for s in past.state.seats.values()] == [(2, True), (2, True)]


def counting(strikes: Strikes) -> Given:
    """A game whose waits count towards absence like that."""
    waits = {name: replace(wait, strikes=strikes) for name, wait in TOY.waits.items()}
    table = Table({TOY.id: replace(TOY, waits=waits)}, frozenset({"random"}))
    return live()._replace(table=table)


def test_where_each_wait_counts_two_in_one_turn_make_absent() -> None:
    """Two limits missed in a row, whatever they were for (S74 of Cerveauuu!)."""
    past = missed(counting("wait"), "t1-programming")
    assert [s.strikes for s in past.state.seats.values()] == [1, 1]
    past = missed(past, "t1-decision")
    one, two = past.state.seats[1], past.state.seats[2]
    assert (one.strikes, one.absent, two.strikes, two.absent) == (2, True, 1, False)
    back = Choose(seat=1, decision="return-s1-0", option="return")
    past = past.when(back, HOST).happened()
    assert (past.state.seats[1].strikes, past.state.seats[1].absent) == (0, False)


def test_where_no_wait_counts_nobody_goes_absent() -> None:
    past = counting("none")
    for key in ("t1-programming", "t1-decision", "t2-programming"):
        past = missed(past, key)
    assert all((s.strikes, s.absent) == (0, False) for s in past.state.seats.values())


def test_a_turn_between_that_asks_nothing_of_a_seat_does_not_end_the_row() -> None:
    past = missed(live(), "t1-programming").when(pick(), HOST).happened()
    assert (past.state.seats[1].strikes, past.state.seats[2].strikes) == (0, 1)
    past = past.when(number(1, "2", 2), HOST).happened()
    past = missed(past, "t2-programming")
    assert past.state.seats[2].absent


def test_who_acts_and_misses_again_in_the_same_turn_gets_no_second_strike() -> None:
    past = missed(live(), "t1-programming")
    wave = Choose(seat=1, decision="wave-t1-s1", option="wave")
    past = past.when(wave, HOST).happened()
    assert past.state.seats[1].strikes == 0
    past = missed(past, "t1-decision")
    assert past.state.seats[1].strikes == 0
    past = missed(past, "t2-programming")
    assert past.state.seats[1].strikes == 1


def test_who_comes_back_from_absence_is_not_absent_again_in_the_same_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.table.decider.BATCH_EVENTS", 1)
    past = live(time=TimeControl(limits_s={"programming": 100, "decision": 50}, absent_after=1))
    past = missed(past, "t1-programming")
    assert past.state.seats[1].absent
    back = Choose(seat=1, decision="return-s1-0", option="return")
    past = missed(past.when(back, HOST).happened(), "t1-decision")
    place = past.state.seats[1]
    assert (place.strikes, place.absent) == (0, False), "turn 1 has given its strike"
    assert missed(past, "t2-programming").state.seats[1].absent


def test_who_has_strikes_may_say_that_it_is_here() -> None:
    past = timed_out_once()
    assert open_ids(past, 2) == ["wave-t1-s2", "return-s2-0", "resign-s2"]
    assert "return-s1-0" not in open_ids(past, 1), "seat 1 has none"
    here = Choose(seat=2, decision="return-s2-0", option="return")
    past = past.when(here, P2).then(SeatReturned(seat=2))
    assert past.state.seats[2].strikes == 0
    assert open_ids(past, 2) == ["wave-t1-s2", "resign-s2"]
    past.when(here, P2).then_rejected(TableCode.DECISION_NOT_OPEN)


def test_the_id_of_a_return_stays_while_strikes_grow_into_absence() -> None:
    past = timed_out_once().when(pick(), HOST).happened()
    assert "return-s2-0" in open_ids(past, 2)
    past = past.when(number(1, "2", 2), HOST).happened()
    past = missed(past, "t2-programming")
    assert past.state.seats[2].absent
    assert "return-s2-0" in open_ids(past, 2)


def test_to_say_that_one_is_here_leaves_the_clock_alone() -> None:
    past = timed_out_once()
    before = past.state.clock
    here = Choose(seat=2, decision="return-s2-0", option="return")
    assert past.when(here, P2).happened().state.clock == before


def test_a_log_of_the_time_when_every_time_out_was_a_strike_folds_as_it_says() -> None:
    past = missed(live(), "t1-programming")
    old = [SeatTimedOut(seat=1, strikes=2), SeatWentAbsent(seat=1)]
    place = fold(TABLE, old, past.state).seats[1]
    assert (place.strikes, place.absent, place.missed_turn) == (2, True, 1)


def test_an_act_without_strikes_is_no_return() -> None:
    wave = Choose(seat=2, decision="wave-t1-s2", option="wave")
    live().when(wave, P2).then(Waved(seat=2))


def test_resigning_is_no_return() -> None:
    past = absent()
    events = past.when(Choose(seat=2, decision="resign-s2", option="resign"), P2).events()
    assert SeatReturned(seat=2) not in events


def test_the_absent_get_their_defaults_at_once() -> None:
    past = absent().when(pick(), HOST).happened()
    past = past.when(number(1, "3", 2), HOST).happened()
    assert past.state.play.turn == 3
    assert past.state.clock is not None
    assert past.state.clock.key == "t3-programming"


def test_the_absent_may_come_back_by_saying_so() -> None:
    past = absent()
    assert "return-s2-0" in open_ids(past, 2)
    back = past.when(Choose(seat=2, decision="return-s2-0", option="return"), P2)
    done = back.then(SeatReturned(seat=2))
    assert not done.state.seats[2].absent
    assert open_ids(done, 2) == ["wave-t1-s2", "resign-s2"]


def test_the_second_return_has_another_id() -> None:
    past = absent()
    returned = Choose(seat=2, decision="return-s2-0", option="return")
    past = past.when(returned, P2).happened().when(pick(), HOST).happened()
    past = past.when(number(1, "2", 2), HOST).happened().at(10 * PROGRAMMING)
    past = past.when(TimeOut(key="t2-programming"), WORKER).happened()
    assert "return-s2-1" in open_ids(past, 2)
    past.when(returned, P2).then_rejected(TableCode.DECISION_NOT_OPEN)


def test_an_absent_seat_that_answers_is_back() -> None:
    past = absent().when(pick(), HOST).happened()
    assert [d.kind for d in decisions(past, 2)][-2:] == ["return", "resign"]
    events = past.when(number(2, "3", 2), P2).events()
    assert events == [SeatReturned(seat=2), chosen(2, "3")]


def decisions(past: Given, seat: Seat) -> list[Decision]:
    return TABLE.decisions(past.state, seat)


def test_a_wait_for_nobody_but_the_absent_is_due_at_once() -> None:
    past = live(time=TimeControl(limits_s={"programming": 100, "decision": 50}, absent_after=1))
    past = past.at(PROGRAMMING + GRACE_MS)
    past = past.when(TimeOut(key="t1-programming"), WORKER).happened()
    assert all(seat.absent for seat in past.state.seats.values())
    assert past.state.phase == "finished"


def test_who_comes_back_into_a_stretch_played_for_nobody_has_the_usual_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.table.decider.BATCH_EVENTS", 1)
    past = live(time=TimeControl(limits_s={"programming": 100, "decision": 50}, absent_after=1))
    past = past.at(PROGRAMMING + GRACE_MS)
    past = past.when(TimeOut(key="t1-programming"), WORKER).happened()
    gap = past.state.clock
    assert gap is not None
    assert gap.due == gap.since, "all are absent, and the batch has been cut"
    other, asked = (Choose(seat=n, decision=f"return-s{n}-0", option="return") for n in (2, 1))
    past = past.at(PROGRAMMING + GRACE_MS + 5).when(other, P2).happened()
    assert past.state.clock == gap, "it is not seat 2 that is asked"
    past = past.at(PROGRAMMING + GRACE_MS + 9).when(asked, HOST).happened()
    clock = past.state.clock
    assert clock is not None
    assert (clock.key, clock.due - clock.since) == (gap.key, 50_000)


# --- when a worker must look ---


def test_a_worker_wakes_when_the_grace_is_over() -> None:
    assert TABLE.wake_at(live().state) == ZERO + PROGRAMMING + GRACE_MS


@pytest.mark.parametrize("time", [replace(OPEN.time, bot_pace_ms=pace) for pace in (700, 0)])
def test_a_worker_wakes_for_a_house_bot_after_its_pace(time: TimeControl) -> None:
    past = live([taken(1), bot_at(2)], time=time)
    assert TABLE.wake_at(past.state) == ZERO + time.bot_pace_ms


def test_a_bot_slower_than_the_limit_is_timed_out() -> None:
    past = live(
        [taken(1), bot_at(2)], time=TimeControl(limits_s={"programming": 1}, bot_pace_ms=60_000)
    )
    assert TABLE.wake_at(past.state) == ZERO + 1_000 + GRACE_MS


def test_a_house_bot_plays_for_itself_and_nobody_plays_for_it() -> None:
    past = live([taken(1), bot_at(2)])
    past.when(number(2, "3"), BOT).then(chosen(2, "3"))
    past.when(number(2, "3"), HOST).then_rejected(TableCode.NOT_YOUR_SEAT)
    past.when(number(2, "3"), player(2)).then_rejected(TableCode.NOT_YOUR_SEAT)
    past.when(number(1, "3"), BOT).then_rejected(TableCode.NOT_YOUR_SEAT)


def test_once_the_bot_has_answered_the_clock_is_the_peoples() -> None:
    past = live([taken(1), bot_at(2)]).when(number(2, "3"), BOT).happened()
    assert TABLE.wake_at(past.state) == ZERO + PROGRAMMING + GRACE_MS
