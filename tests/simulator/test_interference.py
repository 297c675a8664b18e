"""Twin worlds: each secret is swapped in some games, and told where it may be told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from events.kernel import PUBLIC, Event, Viewer
from games.room25.facts import events as ev
from games.table.events import (
    ClockStarted,
    InspectionBegan,
    PhraseSaid,
    TablePaused,
    TableResumed,
    TimeExtended,
)
from games.table.pause_events import PauseBegan, PauseProposed
from simulator.chance import chance
from simulator.room25.driver import play
from simulator.room25.interference import NOTHING, Interference, compare
from simulator.room25.plans import GROUPS, Plan, plan_of
from simulator.room25.run import Run, watched_table
from simulator.room25.twins import Swap
from simulator.run import PropertyBroken
from tests.simulator import pinned
from tests.simulator.planting import near, seeds

TELLS = {
    "rooms": {"RoomRevealed", "RoomPeeked"},
    "roles": {"RoleRevealed", "RolePeeked", "EscapeAttempted", "GameEnded"},
    "programme": {"ProgramShown", "ProgrammingClosed", "ActionRevealed", "ActionPenalised"},
    "adrenaline": {"ProgramShown", "ProgrammingClosed"},
    "change": {"ActionRevealed"},
    "clue": {"CluesClosed"},
    "deck": {"CardDrawn"},
    "stack": {"ActionRevealed"},
    "key": {"KeyPublished"},
}
"""Where each secret may come out."""


def _games() -> Iterator[Plan]:
    """Games of all kinds, in turn."""
    prototype = near(("prototype", "suspicion"), "secrets", "vision")
    ultimate = near(("ultimate", "suspicion"), "paranoia", "mac", "mac", "mirror")
    together = near(("bga", "cooperation"), "paranoia", "robot")
    for plans in zip(prototype, ultimate, together, map(plan_of, seeds(GROUPS)), strict=False):
        yield from plans


@pytest.mark.slow
def test_every_kind_of_secret_is_swapped_and_comes_out_where_it_may() -> None:
    def told(plan: Plan) -> set[str]:
        oracle = Interference(chance("told", plan.seed), most=9)
        play(plan, [oracle])
        for what, event in oracle.told:
            assert event in TELLS[what] | {NOTHING}, what
        return {what for what, event in oracle.told if event != NOTHING}

    assert pinned.meet("secrets", _games(), frozenset(TELLS), told) == set(TELLS)


def test_a_world_without_a_difference_has_none() -> None:
    match = play(plan_of(40))
    for viewer in (PUBLIC, Viewer("seat", 1)):
        assert compare(match, Swap("nothing", viewer)) == ""


def test_a_difference_that_is_no_secret_is_seen_at_once() -> None:
    """The very fields that are public must not differ, whatever the event is marked as."""

    def doctor(event: Event) -> Event:
        if isinstance(event, ev.ComplexLaid):
            return ev.ComplexLaid(shown={**event.shown, "r0c0": "cold"}, kinds=event.kinds)
        return event

    match = play(plan_of(40))
    with pytest.raises(PropertyBroken, match="can tell the layout"):
        compare(match, Swap("the layout", PUBLIC, doctor))


# --- the same inputs, the same game ---


def test_a_game_comes_out_the_same_in_another_process() -> None:
    """No order of a set, no hash, no clock gets into a game."""
    program = (
        "import hashlib, msgspec; from simulator.room25.driver import play; "
        "from simulator.room25.plans import plan_of; "
        "print([hashlib.sha256(msgspec.json.encode(play(plan_of(s)).log)).hexdigest() "
        "for s in (14, 15, 27, 31, 38)])"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": salt},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for salt in ("1", "2")
    }
    assert len(answers) == 1


MONTH = 30 * 24 * 3600 * 1000


def later(event: Event) -> Event:
    """The same fact a month later."""
    times = {"since", "due", "at", "until"} & set(event.__struct_fields__)
    moved = {n: value + MONTH for n in times if (value := getattr(event, n)) is not None}
    return type(event)(**{**{n: getattr(event, n) for n in event.__struct_fields__}, **moved})


@pytest.mark.parametrize("seed", [15, 29, 31, 42, 53, 68])
def test_a_month_later_the_same_game_has_the_same_events(seed: int) -> None:
    """Time comes from the context alone, and only differences of times matter."""
    match = play(plan_of(seed))
    twin = Run(match.plan, watched_table())
    for step in match.steps:
        if step.refusal is None:
            twin.now = step.now + MONTH
            twin.give(step.command, step.actor)
    timed = (
        ClockStarted,
        TablePaused,
        TableResumed,
        PauseProposed,
        PauseBegan,
        TimeExtended,
        InspectionBegan,
        PhraseSaid,
    )
    assert twin.log == [later(e) if isinstance(e, timed) else e for e in match.log]
    assert any(isinstance(e, timed) for e in match.log)


def test_the_games_own_events_hold_no_time() -> None:
    for kind in ev.EVENTS:
        assert not {"since", "due", "at"} & set(kind.__struct_fields__) or kind is ev.FloodArmed
