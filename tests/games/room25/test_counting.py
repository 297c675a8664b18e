"""What happens once however many it concerns, and what is counted on from one."""

from __future__ import annotations

import pytest

from events.kernel import Rejected, Seat, fold
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.facts import edition_events as ed
from games.room25.facts import events as ev
from games.room25.model.agenda import Adrenaline
from games.room25.model.state import Program
from games.room25.opening.situation import GivenCharacter, Situation, roster_of
from games.room25.scenarios.bases import BASES
from replay.scenario.engine import TABLE, EngineTable
from replay.scenario.performance import perform
from tests.scenario_files import named, played


@pytest.mark.parametrize(("name", "seats"), [("S-164", [1, 2]), ("X-R131ONE", [1])])
def test_each_player_of_a_pair_looks_once(name: str, seats: list[Seat]) -> None:
    """R131: one event for each player, not for each character."""
    for table in played(named(name)):
        assert [e.seat for e in table.log if isinstance(e, ev.RoomPeeked)] == seats


def test_whose_adrenaline_is_served_waits_no_more() -> None:
    """§4.6.1: what is left of the queue are those behind it in turn order."""
    for table in played(named("X-ADRENALINETHREE")):
        queues = [
            frame.queue
            for event in table.log
            if isinstance(event, ev.AgendaSet)
            for frame in event.agenda
            if isinstance(frame, Adrenaline)
        ]
        assert queues == [("kevin", "franck", "jennifer"), ("franck", "jennifer"), ("jennifer",)]


def test_the_claims_of_a_seat_are_numbered_from_one() -> None:
    """R29: stored commands name them, and an old one that comes again claims nothing."""
    ids: list[str] = []

    class Noting(EngineTable):
        def choose(self, seat: Seat, decision: str, option: str) -> None:
            super().choose(seat, decision, option)
            if "claim" in decision:
                (again,) = (d for d in TABLE.decisions(self.state, seat) if d.kind == "claim_color")
                ids.extend((decision, again.id))

    scenario = named("S-056")
    perform(scenario, Noting)
    assert ids == ["claim-s1-1", "claim-s1-2"] * len(scenario.rulebooks)


def test_a_situation_gives_every_seat_of_the_table_its_characters_and_no_other_seat() -> None:
    """§9.8: a seat may have none, and there is none before the first."""
    opening = TableOpening(rulebook="ultimate", mode="suspicion", seats=3, options={})
    situation = Situation(
        characters={"max": GivenCharacter(seat=3), "kevin": GivenCharacter(seat=1)}
    )
    roster = roster_of(opening, situation)
    assert roster.characters == {1: ("kevin",), 2: (), 3: ("max",)}


def test_a_reminder_belongs_to_a_player_of_the_table() -> None:
    """R97: in a situation as in play."""
    for seat in (1, 4):
        ROOM25.open(with_reminder(seat))
    for seat in (0, 5):
        with pytest.raises(Rejected, match="reminders belong to players"):
            ROOM25.open(with_reminder(seat))


def with_reminder(seat: Seat) -> TableOpening:
    """A table of four with the reminder of a seat on it."""
    base = BASES["four-suspects"]
    tiles = {"r0c0": {"kind": "jail", "face": "down", "reminders": [seat]}}
    situation = {**base.situation, "tiles": {**base.situation.get("tiles", {}), **tiles}}
    return TableOpening(
        rulebook="first_edition", mode=base.mode, seats=base.seats, options={}, situation=situation
    )


def test_a_programme_that_is_cancelled_has_no_adrenaline_either() -> None:
    """R22: nothing of it is left to be done."""
    for table in played(named("X-R022D")):
        done = next(n for n, e in enumerate(table.log, 1) if isinstance(e, ed.ProgramCancelled))
        state = fold(TABLE, table.log[:done]).play
        assert state.characters["emmett"].program == Program((), adrenaline=False)


def test_who_has_not_entered_a_room_of_a_situation_has_the_number_of_nobody() -> None:
    """Arrivals are numbered from one (§4.4)."""
    for table in played(named("X-U26")):
        begun = next(n for n, e in enumerate(table.log, 1) if isinstance(e, ev.SituationSet))
        figures = fold(TABLE, table.log[:begun]).play.characters.values()
        assert {figure.entry for figure in figures} == {0}
