"""Whom a table waits for while programmes are made is kept, and is never that of another state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from games.contract import Halt
from games.game_registry import installed_games
from games.room25 import ROOM25
from games.room25.facts.events import ProgramSubmitted
from games.room25.model.agenda import Programs
from games.room25.model.state import State
from games.room25.rules.programming import ProgramHalts
from simulator.golden_files import ROOT
from tests.games.begun import begun, opening
from tests.golden_records import golden

RECORDS = ("suspicion-5", "bga-suspicion-7", "competition-3-resign", "prototype-S-030")


def programming(seats: int = 4) -> State:
    """A game in which everybody is still to hand in a programme."""
    state, _ = begun(opening("cooperation", seats), "halts")
    return replace(state, agenda=(Programs(),), turn=1, phase="programming")


def handed_in(state: State) -> State:
    """The state once the first of those characters has handed in its programme."""
    first = next(iter(state.characters.values()))
    event = ProgramSubmitted(character=first.id, seat=first.seat, tokens=("look",))
    return ROOM25.evolve(replace(state), event)


@cache
def waits_of(name: str) -> tuple[State, ...]:
    """The states of a golden game in which programmes are awaited, in order."""
    table, found = installed_games().table, list[State]()
    state = table.initial()
    for envelope in golden(ROOT / "records" / f"{name}.jsonl").envelopes():
        state = table.evolve(state, envelope.event)
        play = state.play
        if play is not None and play.agenda and isinstance(play.agenda[-1], Programs):
            found.append(replace(play))
    return tuple(found)


def are_fresh(kept: ProgramHalts, states: Iterable[State]) -> bool:
    """Whether what is told of each state, twice, is what is told by who knows no other."""
    return all(kept.of(each) == kept.of(each) == ProgramHalts().of(each) for each in states)


class Forgetful(ProgramHalts):
    """The fault: it takes every state for the first one."""

    first: Halt | None = None

    def of(self, state: State) -> Halt:
        if self.first is None:
            self.first = super().of(state)
        return self.first


@pytest.mark.parametrize("name", RECORDS)
def test_a_game_that_goes_on_waits_for_whom_a_new_reader_would_wait_for(name: str) -> None:
    states = waits_of(name)
    assert len({ProgramHalts().of(each) for each in states}) > 1
    assert are_fresh(ProgramHalts(), states)
    assert are_fresh(ProgramHalts(), reversed(states))
    assert not are_fresh(Forgetful(), states)


def test_several_games_do_not_answer_for_one_another() -> None:
    games = [waits_of(name) for name in RECORDS]
    assert are_fresh(
        ProgramHalts(), [each for states in zip(*games, strict=False) for each in states]
    )


def test_whom_a_state_waits_for_is_worked_out_once() -> None:
    state, halts = programming(), ProgramHalts()
    assert halts.of(state) is halts.of(replace(state, actor="max"))
    assert [each.seat for each in halts.of(state).asked] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "changes",
    [{"turn": 2}, {"mode": "solo", "rulebook": "bga"}, {"rulebook": "ultimate"}],
    ids=["turn", "mode", "rulebook"],
)
def test_all_that_it_depends_on_tells_states_apart(changes: dict[str, Any]) -> None:
    state, halts = programming(), ProgramHalts()
    before = halts.of(state)
    assert halts.of(replace(state, **changes)) is not before


def test_a_programme_handed_in_is_no_longer_waited_for() -> None:
    state, halts = programming(), ProgramHalts()
    before = halts.of(state)
    after = halts.of(handed_in(state))
    assert len(after.asked) == len(before.asked) - 1
    assert before == ProgramHalts().of(state), "what was given out stays as it was"
