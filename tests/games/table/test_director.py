"""The table's director: pause, resume, extension, annulment."""

from __future__ import annotations

import pytest
from msgspec import UNSET, ValidationError, json
from msgspec.structs import replace

from events.kernel import Command
from games.table.checks import TableCode
from games.table.decider import GRACE_MS
from games.table.events import (
    REASONS,
    AnnulTable,
    Choose,
    ChooseSecretly,
    ExtendTime,
    KeyPublished,
    PauseTable,
    Reason,
    ResumeTable,
    TableClosed,
    TablePaused,
    TableResumed,
    TimeExtended,
    TimeOut,
)
from tests.games.specification import (
    DIRECTOR,
    DUE,
    HOST,
    KEY,
    NUMBER,
    P2,
    STRANGER,
    TABLE,
    WORKER,
    ZERO,
    Given,
    given,
    live,
    opened,
    resumed,
    taken,
)
from tests.games.toy import NumberChosen

ANNULLED = TableClosed(reason="annulled", outcome="annulled", winners=(), cause="other")
ALL: tuple[Command, ...] = (
    PauseTable(),
    ResumeTable(),
    ExtendTime(seconds=5),
    AnnulTable(reason="dispute"),
)


def paused(at: int = 40_000) -> Given:
    """A game that was paused 60 seconds before its deadline."""
    past = live().at(at)
    return past.when(PauseTable(reason="break"), DIRECTOR).then(
        TablePaused(at=ZERO + at, reason="break")
    )


@pytest.mark.parametrize("command", ALL)
@pytest.mark.parametrize("actor", [HOST, P2, STRANGER, WORKER])
@pytest.mark.parametrize("past", [given(), given(opened()), live(), paused()])
def test_only_the_director_directs(command: Command, actor: object, past: Given) -> None:
    """Whatever else is wrong, this is what is said."""
    past.when(command, actor).then_rejected(TableCode.NOT_THE_DIRECTOR)  # type: ignore[arg-type]  # pytest gives what the list holds


# --- pause and resume ---


def test_a_pause_stops_everything() -> None:
    past = paused()
    assert TABLE.wake_at(past.state) is None
    assert TABLE.decisions(past.state, 1) == []
    past.when(NUMBER, HOST).then_rejected(TableCode.TABLE_PAUSED)
    resign = Choose(seat=1, decision="resign-s1", option="resign")
    past.when(resign, HOST).then_rejected(TableCode.TABLE_PAUSED)
    past.when(PauseTable(), DIRECTOR).then_rejected(TableCode.TABLE_PAUSED)
    past.when(ExtendTime(seconds=5), DIRECTOR).then_rejected(TableCode.TABLE_PAUSED)
    late = past.at(DUE + GRACE_MS)
    late.when(TimeOut(key="t1-programming"), WORKER).then_rejected(TableCode.TABLE_PAUSED)


def test_the_deadline_moves_by_the_length_of_the_pause() -> None:
    past = paused().at(40_000 + 7_777)
    past = past.when(ResumeTable(), DIRECTOR).then(resumed(7_777))
    assert TABLE.wake_at(past.state) == ZERO + DUE + 7_777 + GRACE_MS
    past.at(DUE + 7_777).when(NUMBER, HOST).then(NumberChosen(seat=1, number="2"))
    past.at(DUE + 7_778).when(NUMBER, HOST).then_rejected(TableCode.DEADLINE_PASSED)


def test_two_pauses_add_up() -> None:
    past = paused().at(50_000).when(ResumeTable(), DIRECTOR).happened()
    past = past.at(60_000).when(PauseTable(), DIRECTOR).happened()
    past.at(90_000).when(ResumeTable(), DIRECTOR).then(resumed(40_000))


def test_a_pause_of_no_length_moves_nothing() -> None:
    paused().when(ResumeTable(), DIRECTOR).then(resumed(0))


def test_a_pause_after_the_deadline_keeps_the_delay() -> None:
    past = paused(DUE + 100).at(DUE + 5_100).when(ResumeTable(), DIRECTOR).then(resumed(5_000))
    past.at(DUE + 5_100).when(NUMBER, HOST).then_rejected(TableCode.DEADLINE_PASSED)


def test_the_order_of_refusals_of_pause_and_resume() -> None:
    given(opened()).when(PauseTable(), DIRECTOR).then_rejected(TableCode.GAME_NOT_LIVE)
    given(opened()).when(ResumeTable(), DIRECTOR).then_rejected(TableCode.TABLE_NOT_PAUSED)
    live().when(ResumeTable(), DIRECTOR).then_rejected(TableCode.TABLE_NOT_PAUSED)
    over = live().when(AnnulTable(reason="other"), DIRECTOR).happened()
    over.when(PauseTable(), DIRECTOR).then_rejected(TableCode.GAME_OVER)
    over.when(ResumeTable(), DIRECTOR).then_rejected(TableCode.GAME_OVER)


def test_a_table_that_is_over_says_whether_its_game_had_begun() -> None:
    """A full one too; the others say nothing of it, so that no view of theirs changes."""
    for past, begun in (
        (given(), False),
        (given(opened()), False),
        (given(opened(start="host"), taken(1), taken(2)), False),
        (live(), True),
        (paused(), True),
    ):
        assert past.state.has_begun is begun
        assert past.state.unbegun is UNSET
        if past.state.phase != "none":
            over = past.when(AnnulTable(reason="other"), DIRECTOR).happened().state
            assert (over.phase, over.has_begun) == ("finished", begun)
            assert over.unbegun is (UNSET if begun else True)


# --- extension ---


def test_an_extension_moves_the_deadline_by_whole_seconds() -> None:
    past = live().at(10).when(ExtendTime(seconds=30, reason="break"), DIRECTOR)
    past.then(TimeExtended(due=ZERO + DUE + 30_000, reason="break"))


def test_extensions_add_up_and_reach_only_the_running_wait() -> None:
    past = live().when(ExtendTime(seconds=30), DIRECTOR).happened()
    past = past.when(ExtendTime(seconds=5), DIRECTOR).happened()
    assert past.state.clock is not None
    assert past.state.clock.due == ZERO + DUE + 35_000
    past = past.when(NUMBER, HOST).happened()
    past = past.when(ChooseSecretly(seat=2, decision="number-t1-s2", option="2"), P2).happened()
    assert past.state.clock is not None
    assert past.state.clock.due == ZERO + 50_000


def test_extension_and_pause_add_up() -> None:
    past = live().when(ExtendTime(seconds=30), DIRECTOR).happened()
    past = past.at(1_000).when(PauseTable(), DIRECTOR).happened()
    past.at(4_000).when(ResumeTable(), DIRECTOR).then(
        TableResumed(since=ZERO + 3_000, due=ZERO + DUE + 33_000)
    )


@pytest.mark.parametrize("seconds", [1, 24 * 3600])
def test_an_extension_has_up_to_a_day(seconds: int) -> None:
    past = live().when(ExtendTime(seconds=seconds), DIRECTOR)
    past.then(TimeExtended(due=ZERO + DUE + seconds * 1000))


@pytest.mark.parametrize("seconds", [0, -1, 24 * 3600 + 1])
def test_no_more_and_no_less(seconds: int) -> None:
    live().when(ExtendTime(seconds=seconds), DIRECTOR).then_rejected(TableCode.BAD_EXTENSION)


def test_what_is_late_is_not_extended() -> None:
    past, command = live(), ExtendTime(seconds=5)
    past.at(DUE).when(command, DIRECTOR).then(TimeExtended(due=ZERO + DUE + 5_000))
    past.at(DUE + 1).when(command, DIRECTOR).then_rejected(TableCode.DEADLINE_PASSED)


def test_the_order_of_refusals_of_an_extension() -> None:
    bad = ExtendTime(seconds=0)
    given(opened()).when(bad, DIRECTOR).then_rejected(TableCode.GAME_NOT_LIVE)
    live().at(DUE + 1).when(bad, DIRECTOR).then_rejected(TableCode.BAD_EXTENSION)


# --- annulment ---


@pytest.mark.parametrize("past", [given(opened(), taken(1)), live(), paused()])
def test_an_annulled_table_has_no_winners_and_shows_its_key(past: Given) -> None:
    done = past.when(AnnulTable(reason="other"), DIRECTOR).then(ANNULLED, KeyPublished(key=KEY))
    assert done.state.phase == "finished"
    assert done.state.clock is None
    assert done.state.paused_at is None
    assert TABLE.wake_at(done.state) is None
    assert TABLE.decisions(done.state, 1) == []


@pytest.mark.parametrize("reason", REASONS)
def test_a_director_gives_a_reason_from_a_list(reason: Reason) -> None:
    paused = TablePaused(at=ZERO, reason=reason)
    live().when(PauseTable(reason=reason), DIRECTOR).then(paused)
    extended = TimeExtended(due=ZERO + DUE + 5_000, reason=reason)
    live().when(ExtendTime(seconds=5, reason=reason), DIRECTOR).then(extended)
    closed = replace(ANNULLED, cause=reason)
    live().when(AnnulTable(reason=reason), DIRECTOR).then(closed, KeyPublished(key=KEY))


def test_what_is_written_down_can_hold_no_other_reason() -> None:
    stored = json.encode(TablePaused(at=ZERO, reason="break"))
    assert b'"reason":"break"' in stored
    with pytest.raises(ValidationError, match="Invalid enum value"):
        json.decode(stored.replace(b"break", b"Ada was rude"), type=TablePaused)


def test_the_order_of_refusals_of_an_annulment() -> None:
    over = live().when(AnnulTable(reason="other"), DIRECTOR).happened()
    over.when(AnnulTable(reason="other"), DIRECTOR).then_rejected(TableCode.GAME_OVER)
