"""The models of ends, roles and deadlines catch an engine that is wrong in a later rulebook.

Each fault is planted where a scenario leads straight to it; the complaint must name it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from games.room25.editions import endings
from games.room25.facts import edition_events, evolve
from games.room25.facts import events as ev
from games.room25.model.agenda import Effect, FloodRoom, Turn
from games.room25.model.state import Character, End, State
from games.room25.rules import (
    actions,
    engine,
    robots,
    shifting,
)
from games.room25.rules import (
    rooms as effects,
)
from games.room25.rules import (
    turn_structure as slots,
)
from games.room25.rules.context import Play
from games.table.ending import end_table
from tests.simulator.staging import complaint

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def _told(part: str, **changes: Any) -> Plant:
    """What the engine reads in its rulebook or mode is something else."""

    def plant(patch: Patch) -> None:
        honest = getattr(Play, part).fget
        patch.setattr(Play, part, property(lambda self: replace(honest(self), **changes)))

    return plant


def _mode(**changes: Any) -> Plant:
    return _told("mode", **changes)


def _rulebook(**changes: Any) -> Plant:
    return _told("rulebook", **changes)


def _in(module: object, name: str, wrong: object) -> Plant:
    return lambda patch: patch.setattr(module, name, wrong)


def _forgets(event: Any) -> Plant:
    recorders: dict[Any, Any] = evolve.RECORDERS
    return lambda patch: patch.setitem(recorders, event, lambda _, __: None)


def _room(kind: str, wrong: Callable[[Play, Effect], None]) -> Plant:
    return lambda patch: patch.setitem(effects.EFFECTS, kind, wrong)


# --- wrong rules ---


def _everybody(state: State) -> list[Character]:
    return list(state.characters.values())


def _all_inside(state: State, _: Character) -> End | None:
    """The key does not matter."""
    members = _everybody(state)
    whole = not endings.missing(state, members)
    return End("players", endings.seats_of(members)) if whole else None


def _nobody_gets_out(_: State, __: Character) -> End | None:
    return None


def _one_may_stay(state: State, _: Character) -> End | None:
    """In any turn, not on the last alone."""
    members = _everybody(state)
    few = endings.missing(state, members) <= 1
    return End("players", endings.seats_of(members)) if few else None


def _scores(points: int, left: int) -> Callable[[State, Character], End | None]:
    def escape(state: State, _: Character) -> End | None:
        members = _everybody(state)
        escaped = len(endings.inside(state, members))
        outcome = "players" if escaped == len(members) else "players_partial"
        score = points * escaped + state.last_turn - state.turn + left
        return End(outcome, endings.seats_of(members), score)

    return escape


def _no_points(_: State) -> End:
    return End("complex", ())


def _goes_on(_: State) -> End | None:
    return None


def _any_death(state: State) -> End | None:
    return End("complex", ()) if state.dead else None


def _nobody_shows(_: State) -> list[str]:
    return []


def _all_dead_show(state: State) -> list[str]:
    return [name for name in state.dead if not state.characters[name].role_public]


def _the_living_show(state: State) -> list[str]:
    inside = endings.inside(state, _everybody(state))
    return [c.id for c in state.living() if c not in inside and not c.role_public]


def _plain_guards_win(state: State) -> End:
    guards = [c for c in _everybody(state) if c.role == "guard"]
    return End("guards" if guards else "complex", endings.seats_of(guards))


def _wraps_twice(patch: Patch) -> None:
    """Under an acceleration only the first step is looked at."""
    honest = shifting._unit_shift

    def shift_by_action(play: Play, name: str, line: str, way: str) -> None:
        honest(play, name, line, way)
        if play.state.end is None and {"Z15", "Z16"} & set(play.state.shown):
            shifting.shift(play, line, way, "action")

    patch.setattr(actions, "shift_by_action", shift_by_action)


def _cuts_two(play: Play, _: Effect) -> None:
    play.emit(edition_events.TurnsCut(last_turn=play.state.last_turn - 2))


def _alarm_for_all(play: Play, _: Effect) -> None:
    play.emit(ev.AlarmRaised(last_turn=play.state.turn + 4))


def _does_nothing(*_: Any) -> None:
    """A rule that was forgotten."""


def _drowns_early(play: Play, frame: FloodRoom) -> None:
    c = play.character(frame.character)
    if c.alive and c.flood is not None:
        play.eliminate((c.id,), "flooded")


def _flood(wrong: Callable[[Play, FloodRoom], None]) -> Plant:
    def plant(patch: Patch) -> None:
        patch.setattr(slots, "flood", wrong)
        handlers: dict[Any, Any] = engine.HANDLERS
        patch.setitem(handlers, FloodRoom, wrong)

    return plant


def _time_is_up(patch: Patch) -> None:
    """The last turn has one round only."""
    handlers: dict[Any, Any] = engine.HANDLERS
    honest = slots.turn

    def turn(play: Play, frame: Turn) -> None:
        last = play.state.turn == play.state.last_turn and frame.stage == "round_2"
        honest(play, Turn("end") if last else frame)

    patch.setitem(handlers, Turn, turn)


def _robots_turn_keys(play: Play, _: int, cell: str) -> None:
    play.emit(edition_events.RobotPlaced(robot=0, cell=cell))
    play.reveal(cell)
    play.emit(edition_events.KeyTurned())


def _closes(changes: Callable[[Any], Any]) -> Plant:
    """The table closes otherwise than the game has ended."""

    def plant(patch: Patch) -> None:
        def close(work: Any, event: Any) -> None:
            end_table(work, changes(event))

        patch.setattr("games.table.decider.end_table", close)

    return plant


def _shut(patch: Patch) -> None:
    """Traps close at once."""

    def trap(play: Play, frame: Effect) -> None:
        play.eliminate(frame.group, "trap")

    patch.setitem(effects.EFFECTS, "trap", trap)


Fault = tuple[Plant, str, str] | tuple[Plant, str, str, str]

FAULTS: dict[str, Fault] = {
    # --- escapes ---
    "no key is needed": (_mode(escape=_all_inside), "S-071", "the escape is"),
    "the key does not help": (_forgets(edition_events.KeyTurned), "S-121", "the key is not"),
    "robots turn keys": (
        _in(robots, "move_robot", _robots_turn_keys),
        "S-121",
        "the key turned by itself",
    ),
    "the second step is no escape": (_wraps_twice, "S-075", "a chance to escape was missed"),
    "nobody gets out of the prototype": (_mode(escape=_nobody_gets_out), "S-148", "the escape is"),
    "solo may leave one at any time": (_mode(escape=_one_may_stay), "S-150a", "the escape is"),
    "cooperation may leave one": (_mode(escape=_one_may_stay), "X-U21", "the escape is"),
    "a broken team gets out": (_mode(escape=endings.team_escape), "S-155", "the escape is"),
    "another score": (_mode(escape=_scores(2, 0)), "S-148", "is not ExpectedEnd"),
    "the running turn counts": (_mode(escape=_scores(3, 1)), "S-149", "is not ExpectedEnd"),
    "no score for the lost": (_mode(end_last=_no_points), "X-R089D", "is not ExpectedEnd"),
    # --- deaths ---
    "a death is forgiven": (_mode(end_now=_goes_on), "S-146", "goes on"),
    "a death is not forgiven": (_mode(end_now=_any_death), "S-210", "an end before"),
    "two deaths are forgiven": (_mode(end_now=_goes_on), "X-R090C", "goes on"),
    "the last team alive goes on": (_mode(end_now=_goes_on), "S-153", "goes on", "prototype"),
    "who resigned stays": (_mode(removes_withdrawn=False), "S-219", "still there", "prototype"),
    "who resigned stays after the action": (
        _in(engine, "remove_withdrawn", _does_nothing),
        "S-236",
        "still there",
        "prototype",
    ),
    # --- winners ---
    "guards with a name lose": (
        _mode(end_last=_plain_guards_win),
        "S-140p",
        "is not ExpectedEnd",
    ),
    "who resigned wins": (
        _closes(lambda event: replace(event, winners=(1, 2, 3, 4))),
        "X-R019Ap",
        "the wrong seats won",
    ),
    "annulled, not abandoned": (
        _closes(lambda event: replace(event, reason="lapsed")),
        "X-R019Cp",
        "no end, and",
    ),
    "called off in the middle": (
        _closes(lambda event: replace(event, reason="cancelled")),
        "X-R019Cp",
        "called off when begun",
    ),
    "time is up too early": (_time_is_up, "S-140", "had acted"),
    # --- roles ---
    "the prototype's dead keep their role": (
        _rulebook(identity=endings.identity_chain),
        "S-210",
        "the latest dead",
    ),
    "the family's dead show at once": (
        _rulebook(identity=_all_dead_show),
        "S-139",
        "for no reason",
    ),
    "three in the exit show nobody": (_rulebook(masks=_nobody_shows), "S-211", "a mask"),
    "the last outside shows not": (_rulebook(masks=_nobody_shows), "S-132", "a mask"),
    "the dead outside shows not": (_rulebook(masks=_the_living_show), "S-133", ""),
    "all outside show": (_rulebook(masks=_the_living_show), "S-134", "for no reason"),
    "nobody shows before the last turn": (
        _rulebook(dead_show_last_turn=False),
        "S-139",
        "before the last turn",
    ),
    # --- turns ---
    "an alarm in the prototype": (_mode(alarm=True), "X-P04", "out of place"),
    "an alarm in cooperation": (_room("room25", _alarm_for_all), "S-126u", "out of place"),
    "an alarm that gives turns": (_room("room25", _alarm_for_all), "S-125", "longer"),
    "no alarm": (_mode(alarm=False), "X-R070U", "turns, not"),
    "the timer takes none": (_room("timer", _does_nothing), "S-114", "turns, not"),
    "the timer takes two": (_room("timer", _cuts_two), "S-114", "another turn was cut"),
    # --- deadlines ---
    "the flood does not wait for adrenaline": (_flood(_drowns_early), "S-098", "drowns"),
    "nobody drowns": (_flood(_does_nothing), "X-R052D", "should have drowned"),
    "nobody burns": (_flood(_does_nothing), "S-213", "should have drowned"),
    "rooms act on the entrant alone": (_rulebook(acts_on_all=()), "X-R061E", "lives in a mortal"),
    "a later fire is a longer one": (
        _room("burning", lambda play, f: play.emit(ev.FloodArmed(f.group[0], play.state.turn + 2))),
        "S-213",
        "should have drowned",
    ),
    "traps do not close": (_room("trap", _does_nothing), "X-CARRYTRAP", "safe in a trap"),
    "traps close at once": (_shut, "X-CARRYTRAP", "caught too early"),
    "traps stay open": (
        _in(slots, "_end", lambda play: play.push(Turn("countdown"))),
        "S-095",
        "its trap is still open",
    ),
    "mortal rooms are safe": (_room("mortal", _does_nothing), "X-CARRYMORTAL", "mortal"),
}
"""What is wrong, how, the scenario that leads there, a word of the complaint, the rulebook."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault: str, monkeypatch: Patch) -> None:
    plant, scenario, word, *book = FAULTS[fault]
    plant(monkeypatch)
    found = complaint(scenario, *book)
    assert found, f"nobody noticed in {scenario}"
    assert word in found
