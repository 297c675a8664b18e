"""What happens once however many it concerns, and what is counted on from one."""

from __future__ import annotations

import pytest

from events.kernel import Seat
from games.contract import TableOpening
from games.room25.facts import events as ev
from games.room25.model.agenda import Adrenaline
from games.room25.opening.situation import GivenCharacter, Situation, roster_of
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
