"""A game of which the store has lost a part: held until its director resumes or annuls it."""

from __future__ import annotations

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from games.table.checks import TableCode
from games.table.decider import GRACE_MS
from games.table.events import (
    AnnulTable,
    Choose,
    ExtendTime,
    HoldTable,
    KeyPublished,
    LeaveSeat,
    PauseTable,
    ResumeTable,
    StartTable,
    StoreRestored,
    TableClosed,
    TableResumed,
    TimeOut,
)
from games.table.outage import lost_to_outage
from games.table.state import Restored
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
    sit,
    taken,
)
from tests.games.toy import NumberChosen

LOST = HoldTable(known=57, kept=5, epoch=2)


def held(at: int = 40_000) -> Given:
    """A game of which versions 6 to 57 are lost."""
    return (
        live()
        .at(at)
        .when(LOST, DIRECTOR)
        .then(StoreRestored(from_version=57, to_version=5, epoch=2, at=ZERO + at))
    )


@pytest.mark.parametrize("actor", [HOST, P2, STRANGER, WORKER])
def test_only_the_director_holds(actor: object) -> None:
    live().when(LOST, actor).then_rejected(TableCode.NOT_THE_DIRECTOR)  # type: ignore[arg-type]  # pytest gives what the list holds


def test_a_held_game_stands_still() -> None:
    past = held()
    assert past.state.is_held
    assert TABLE.wake_at(past.state) is None
    assert TABLE.decisions(past.state, 1) == []
    assert TABLE.find(past.state, 1, NUMBER.decision) is None
    assert TABLE.status(past.state) == "live"
    assert lost_to_outage(past.state, ZERO, ZERO + 90_000) == 0
    past.when(NUMBER, HOST).then_rejected(TableCode.GAME_HELD)
    past.when(Choose(seat=1, decision="resign-s1", option="resign"), HOST).then_rejected(
        TableCode.GAME_HELD
    )
    past.when(PauseTable(), DIRECTOR).then_rejected(TableCode.GAME_HELD)
    past.when(ExtendTime(seconds=5), DIRECTOR).then_rejected(TableCode.GAME_HELD)
    late = past.at(DUE + GRACE_MS)
    late.when(TimeOut(key="t1-programming"), WORKER).then_rejected(TableCode.GAME_HELD)


def test_resumed_it_gives_what_it_waits_for_its_whole_time_anew() -> None:
    past = held().at(5_000_000)
    past = past.when(ResumeTable(), DIRECTOR).then(
        TableResumed(since=ZERO + 5_000_000, due=ZERO + 5_000_000 + DUE)
    )
    assert past.state.restored == Restored(57, 5, 2, held=False)
    assert not past.state.is_held
    past.at(5_000_000 + DUE).when(NUMBER, HOST).then(NumberChosen(seat=1, number="2"))
    past.when(ResumeTable(), DIRECTOR).then_rejected(TableCode.TABLE_NOT_PAUSED)


def test_a_pause_that_it_was_in_ends_with_it() -> None:
    past = live().at(10_000).when(PauseTable(), DIRECTOR).happened()
    past = past.at(20_000).when(LOST, DIRECTOR).happened().at(30_000)
    past.when(ResumeTable(), DIRECTOR).then(TableResumed(since=ZERO + 30_000, due=ZERO + 130_000))


def test_annulled_it_ends() -> None:
    over = (
        held()
        .when(AnnulTable(reason="other"), DIRECTOR)
        .then(
            TableClosed(reason="annulled", outcome="annulled", winners=(), cause="other"),
            KeyPublished(key=KEY),
        )
    )
    assert not over.state.is_held
    over.when(replace(LOST, epoch=3), DIRECTOR).then_rejected(TableCode.GAME_OVER)


def test_a_table_that_has_not_begun_is_held_as_well() -> None:
    """Who sat there in its lost life may have seen the very deal that would come again."""
    past = given(opened(), taken(1)).when(LOST, DIRECTOR).happened()
    past.when(sit(2), P2).then_rejected(TableCode.GAME_HELD)
    past.when(LeaveSeat(seat=1), HOST).then_rejected(TableCode.GAME_HELD)
    past.when(StartTable(), HOST).then_rejected(TableCode.GAME_HELD)
    past = past.when(ResumeTable(), DIRECTOR).then(TableResumed(since=None, due=None))
    past.when(sit(2), P2).then(taken(2))


def test_a_table_that_is_not_there_is_not_held() -> None:
    given().when(LOST, DIRECTOR).then_rejected(TableCode.GAME_NOT_LIVE)


def test_a_game_has_one_life_in_each_epoch() -> None:
    past = held()
    for second in (LOST, replace(LOST, epoch=1), replace(LOST, known=99)):
        past.when(second, DIRECTOR).then_rejected(TableCode.RESTORED_BEFORE)
    past = past.when(ResumeTable(), DIRECTOR).happened()
    past.when(LOST, DIRECTOR).then_rejected(TableCode.RESTORED_BEFORE)
    later = replace(LOST, known=20, kept=10, epoch=3)
    again = past.at(70_000).when(later, DIRECTOR)
    again.then(StoreRestored(from_version=20, to_version=10, epoch=3, at=ZERO + 70_000))


@pytest.mark.parametrize("known", [4, 5])
def test_of_what_is_all_there_nothing_is_lost(known: int) -> None:
    live().when(replace(LOST, known=known), DIRECTOR).then_rejected(TableCode.NOTHING_LOST)


def test_a_table_that_lost_nothing_says_nothing_of_it() -> None:
    assert live().state.restored is UNSET
    assert b"restored" not in json.encode(live().state)
    assert b'"held":true' in json.encode(held().state)
