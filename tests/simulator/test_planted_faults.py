"""Every oracle catches the fault that is planted for it: one that sees nothing proves nothing.

Each test breaks the engine in one way, plays games until the fault bites, and demands that the
oracle named says so. The same games pass with the engine as it is.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import (
    Audience,
    AudienceError,
    Decision,
    Event,
    OnlySeat,
    Option,
    Public,
    Rejected,
    Seat,
    Working,
)
from games.room25.facts import events as ev
from games.room25.facts import evolve as evolve_module
from games.room25.model.agenda import ActionEnd, Ask, Enter, Programs, Question, Slot
from games.room25.model.catalogue import GUARD
from games.room25.model.state import Character, End, State, Tile
from games.room25.rules import (
    actions,
    choices,
    engine,
    entering,
    moves,
)
from games.room25.rules import checks as checks_module
from games.room25.rules import (
    optional_actions as voluntary,
)
from games.room25.rules import programming as programming_module
from games.room25.rules import (
    rooms as effects,
)
from games.room25.rules import (
    turn_structure as slots,
)
from games.room25.rules.context import Play
from games.room25.rules.shifting import shift
from games.table.decider import Table
from games.table.events import ChooseSecretly, InspectGame
from simulator.room25.plans import GROUPS, plan_of
from tests.simulator.planting import ORACLES, Patch, caught, handle, record, said_by, seeds

pytestmark = pytest.mark.slow

FIRST_EDITION = [group for group in GROUPS if group[0] == "first_edition"]
SUSPICION = [("first_edition", "suspicion")]


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("laps", [5, pytest.param(15, marks=pytest.mark.nightly)])
def test_no_oracle_complains_without_a_fault(oracle: str, laps: int) -> None:
    """The random games of all modes say so as well."""
    assert unplanted(laps)[oracle] == ""


@cache
def unplanted(laps: int) -> dict[str, str]:
    """What each oracle says of games in which all is right; they are played once for all."""
    return said_by(ORACLES, map(plan_of, seeds(SUSPICION, laps)))


def test_oracles_that_look_together_complain_each_for_itself(monkeypatch: Patch) -> None:
    """Most see it in the first game, one in the second: who has complained keeps nobody quiet."""
    monkeypatch.setattr(ev.RoleDealt, "secrets", ())
    said = said_by(ORACLES, map(plan_of, seeds(SUSPICION, 2)[:2]))
    assert "can tell roles" in said.pop("interference")
    assert "role" in said.pop("who knows what")
    assert "role" in said.pop("decisions from views")
    assert set(said.values()) == {""}


# --- an option that reads a secret ---


def _no_deadly_rooms(state: State, cells: list[str]) -> list[str]:
    """A kind engine offers no room that kills, although it lies face-down."""
    return [cell for cell in cells if state.grid[cell].kind != "mortal"]


def _plant_an_option_that_reads_a_secret(patch: Patch) -> None:
    look = choices.CHOICES["look_target"]

    def options(state: State, ask: Ask) -> list[Option]:
        found = look.options(state, ask)
        kept = _no_deadly_rooms(state, [o.id for o in found])
        return [o for o in found if o.id in kept]

    patch.setitem(choices.CHOICES, "look_target", replace(look, options=options))


@pytest.mark.parametrize("oracle", ["decisions from views", "interference", "legal"])
def test_an_option_that_reads_a_secret(oracle: str, monkeypatch: Patch) -> None:
    _plant_an_option_that_reads_a_secret(monkeypatch)
    assert caught(oracle, seeds(SUSPICION))


# --- a default that reads a hidden kind ---


@pytest.mark.parametrize("oracle", ["decisions from views", "interference", "legal"])
def test_a_default_that_reads_a_hidden_kind(oracle: str, monkeypatch: Patch) -> None:
    def safety(state: State, where: str) -> int:
        return len(state.grid[where].kind or "")

    monkeypatch.setattr(moves, "safety", safety)
    complaint = caught(oracle, seeds(SUSPICION))
    assert complaint
    if oracle == "legal":
        assert "defaults to" in complaint


# --- an extra event that depends on a secret ---


def test_an_extra_event_that_depends_on_a_secret(monkeypatch: Patch) -> None:
    """Whoever looks at a mortal room is heard to shiver."""
    honest = Play.peek

    def peek(self: Play, name: str, where: str) -> None:
        honest(self, name, where)
        if self.state.grid[where].kind == "mortal":
            self.emit(ev.ActionLost(character=name, token="look"))

    monkeypatch.setattr(Play, "peek", peek)
    assert "can tell rooms" in caught("interference", seeds(SUSPICION))


# --- a silent branch on a role ---


def test_a_silent_branch_on_a_role(monkeypatch: Patch) -> None:
    """Guards do not die in traps: nothing is emitted, and that is what tells."""
    honest = actions.end_action

    def end_action(game: Play, frame: ActionEnd) -> None:
        if game.character(frame.character).role != GUARD:
            honest(game, frame)

    monkeypatch.setattr(actions, "end_action", end_action)
    assert "can tell roles" in caught("interference", seeds(SUSPICION))


def test_an_end_that_comes_before_anything_is_published(monkeypatch: Patch) -> None:
    """The escape is decided on roles; an event that is not marked must not tell."""
    monkeypatch.setattr(ev.EscapeAttempted, "publishes", False)
    assert "can tell roles" in caught("interference", seeds(SUSPICION))


# --- a question for guards only ---


def test_a_question_that_only_guards_are_asked(monkeypatch: Patch) -> None:
    """In its slot a guard is asked whether it delays, pair or single."""
    honest = slots.begin_slot

    def begin_slot(game: Play, frame: Slot) -> None:
        honest(game, frame)
        c = game.character(frame.character)
        if c.alive and c.role == GUARD and game.state.agenda[-1] != frame:
            game.ask("free_action", c.id)

    handle(monkeypatch, Slot, begin_slot)
    assert "can tell roles" in caught("interference", seeds(SUSPICION))


# --- audiences ---


def test_a_field_that_everybody_may_read(monkeypatch: Patch) -> None:
    monkeypatch.setattr(ev.RoleDealt, "secrets", ())
    assert "role" in caught("who knows what", seeds(SUSPICION))
    assert "can tell roles" in caught("interference", seeds(SUSPICION))


def test_a_field_that_its_owner_may_not_read(monkeypatch: Patch) -> None:
    changed = {**ev.RoomPeeked.audiences, "kind": Audience.END}
    monkeypatch.setattr(ev.RoomPeeked, "audiences", changed)
    assert "play.grid" in caught("who knows what", seeds(SUSPICION))


def test_a_field_that_a_whole_team_may_read(monkeypatch: Patch) -> None:
    """Programmes stay secret from team mates too (§4.11)."""
    changed = {**ev.ProgramSubmitted.audiences, "tokens": Audience.EVERYONE}
    monkeypatch.setattr(ev.ProgramSubmitted, "audiences", changed)
    assert "program" in caught("who knows what", seeds(SUSPICION))
    assert "can tell programme" in caught("interference", seeds(SUSPICION))


def test_what_nobody_may_know_before_the_end(monkeypatch: Patch) -> None:
    monkeypatch.setattr(ev.RolesLeftOver, "secrets", ())
    assert "undealt" in caught("who knows what", seeds(SUSPICION))
    assert "can tell roles" in caught("interference", seeds(SUSPICION))


def test_a_field_without_an_audience_stops_the_import() -> None:
    with pytest.raises(AudienceError, match=r"Loose\.kind must name exactly one audience"):

        class Loose(Event, frozen=True, tag="loose"):
            """An event whose author forgot something."""

            seat: Public[Seat]
            kind: str


def test_a_field_with_two_audiences_stops_the_import() -> None:
    with pytest.raises(AudienceError, match=r"Torn\.kind must name exactly one audience"):

        class Torn(Event, frozen=True, tag="torn"):
            """An event whose author could not decide."""

            seat: Public[Seat]
            kind: OnlySeat[Public[str]]


# --- recording ---


def test_a_view_that_forgets_what_was_shown(monkeypatch: Patch) -> None:
    """A viewer keeps what it has learnt when its tile moves away (§3.10)."""
    honest = evolve_module.RECORDERS[ev.LineShifted]

    def shifted(state: State, event: ev.LineShifted) -> None:
        honest(state, event)
        if any(tile.kind is None for tile in state.grid.values()):
            state.grid = {c: t if t.up else replace(t, kind=None) for c, t in state.grid.items()}

    record(monkeypatch, ev.LineShifted, shifted)
    assert "play.grid" in caught("who knows what", seeds(SUSPICION))


def test_a_view_that_knows_a_tile_by_its_place(monkeypatch: Patch) -> None:
    """What was looked at stays with the cell although the tile has moved."""
    honest = evolve_module.RECORDERS[ev.TilesSwapped]

    def swapped(state: State, event: ev.TilesSwapped) -> None:
        kinds = {cell: state.grid[cell].kind for cell in (event.first, event.second)}
        honest(state, event)
        if None in kinds.values():
            for cell, kind in kinds.items():
                tile: Tile = state.grid[cell]
                state.grid = {**state.grid, cell: tile if tile.up else replace(tile, kind=kind)}

    record(monkeypatch, ev.TilesSwapped, swapped)
    assert "play.grid" in caught("who knows what", seeds(SUSPICION))


def test_a_working_copy_that_knows_more_than_the_events(monkeypatch: Patch) -> None:
    """A rule that changes the state without an event: lost when the log is replayed."""
    honest = checks_module.check

    def check(game: Play) -> None:
        game.state.entries += 1
        honest(game)

    monkeypatch.setattr(engine, "check", check)
    assert "the working copy" in caught("waiting", seeds(SUSPICION))


def test_an_agenda_that_is_not_recorded(monkeypatch: Patch) -> None:
    def settle(self: object, work: object) -> None:
        """Forget to record the agenda."""

    monkeypatch.setattr("games.room25.decider.Room25.settle", settle)
    assert "the working copy" in caught("waiting", seeds(SUSPICION))


def test_a_fact_that_changes_the_state_that_was_given(monkeypatch: Patch) -> None:
    """A decision that writes into the state it was asked about, not into its copy."""
    honest = Table.decide

    def decide(self: Table, command: Any, state: Any, context: Any) -> list[Event]:
        try:
            return honest(self, command, state, context)
        except Rejected:
            state.host += "!"
            raise

    monkeypatch.setattr(Table, "decide", decide)
    assert "left a trace" in caught("waiting", seeds(SUSPICION))


# --- options and refusals ---


def test_an_option_that_is_offered_and_refused(monkeypatch: Patch) -> None:
    honest = programming_module.choose_program

    def choose_program(game: Play, name: str, option: str) -> None:
        if option == "control+push":
            raise Rejected("too-rude", "be nice")
        honest(game, name, option)

    monkeypatch.setattr("games.room25.decider.choose_program", choose_program)
    assert "offered, but refused" in caught("offers", seeds(SUSPICION))


def test_an_option_that_is_accepted_and_not_offered(monkeypatch: Patch) -> None:
    """A programme with a slip of the pen is taken; the illegal commands find out."""
    found, carry_out = Table.find, Table.carry_out

    def find(self: Table, state: Any, seat: Seat, decision: str) -> Decision | None:
        right = found(self, state, seat, decision)
        return None if right is None else _with_slips(right)

    def lenient(self: Table, command: Any, state: Any, context: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            if isinstance(command, ChooseSecretly):
                patch.setattr(Table, "find", find)
            return carry_out(self, command, state, context)

    monkeypatch.setattr(Table, "carry_out", lenient)
    assert "accepted, but should be" in caught("waiting", seeds(SUSPICION))


@pytest.mark.parametrize("phase", ["open", "finished"])
def test_a_look_at_a_game_that_does_not_run(phase: str, monkeypatch: Patch) -> None:
    carry_out = Table.carry_out

    def lenient(self: Table, command: Any, state: Any, context: Any) -> Any:
        looks = isinstance(command, InspectGame) and context.actor.kind == "auditor"
        if looks and state.phase == phase:
            return Working(self.evolve, self.copy(state), context, before=state)
        return carry_out(self, command, state, context)

    monkeypatch.setattr(Table, "carry_out", lenient)
    assert "accepted, but should be" in caught("waiting", seeds(SUSPICION))


def _with_slips(d: Decision) -> Decision:
    slips = tuple(Option(f"{o.id}x") for o in d.options if d.kind == "program")
    return replace(d, options=(*d.options, *slips))


# --- ends and identities ---


def _nobody(_: State) -> list[str]:
    return []


def _goes_on(_: State) -> None:
    return None


def _lets_nobody_out(_: State, __: Character) -> None:
    return None


@pytest.mark.parametrize(
    ("part", "changes", "complaint"),
    [
        ("mode", {"escape": _lets_nobody_out}, "the escape is"),
        ("mode", {"end_now": _goes_on}, "the game is over and goes on"),
        ("mode", {"end_last": lambda _: End("complex", ())}, "is not ExpectedEnd"),
        ("mode", {"alarm": False}, "turns, not"),
        ("rulebook", {"masks": _nobody}, "a mask was not taken off"),
        ("rulebook", {"identity": _nobody}, "an earlier dead hides its role"),
    ],
)
def test_a_strategy_that_is_wrong(
    part: str, changes: dict[str, Any], complaint: str, monkeypatch: Patch
) -> None:
    honest = getattr(Play, part).fget

    def wrong(self: Play) -> Any:
        return replace(honest(self), **changes)

    monkeypatch.setattr(Play, part, property(wrong))
    assert complaint in caught("verdicts", seeds(SUSPICION))


def test_a_shift_out_of_the_exit_that_is_taken_for_any_other(monkeypatch: Patch) -> None:
    def shift_by_action(game: Play, _: str, line: str, way: str) -> None:
        shift(game, line, way, "action")

    monkeypatch.setattr(actions, "shift_by_action", shift_by_action)
    assert "a chance to escape was missed" in caught("verdicts", seeds(SUSPICION))


# --- names, waits, frames, conservation ---


def test_a_decision_id_that_is_used_again(monkeypatch: Patch) -> None:
    honest = voluntary._reminder

    def reminder(state: State, seat: Seat) -> Decision | None:
        found = honest(state, seat)
        return None if found is None else replace(found, id=f"reminder-s{seat}-0")

    planted = {**voluntary._BY_PREFIX, "reminder-": reminder}
    monkeypatch.setattr(voluntary, "_BY_PREFIX", planted)
    assert "is open again" in caught("names", seeds(SUSPICION))


def test_a_wait_that_is_named_like_an_earlier_one(monkeypatch: Patch) -> None:
    def ask(self: Play, kind: Question, character: str, **about: Any) -> None:
        self.state.asked += 1
        self.push(Ask(kind=kind, character=character, id=f"t{self.state.turn}-{kind}", **about))

    monkeypatch.setattr(Play, "ask", ask)
    complaint = caught("names", seeds(SUSPICION))
    assert "was there before" in complaint or "is open again" in complaint


def test_a_game_that_waits_for_nobody(monkeypatch: Patch) -> None:
    """The phase stays open although all have chosen."""
    honest = engine.WAITS[Programs]

    def close(game: Play, frame: Any) -> bool:
        complete = all(c.program is not None for c in game.state.living() if not c.free)
        return not (complete and game.state.turn > 1) and honest(game, frame)

    monkeypatch.setitem(engine.WAITS, Programs, close)
    assert "waits for nobody" in caught("waiting", seeds(SUSPICION))


def test_a_frame_that_holds_a_secret(monkeypatch: Patch) -> None:
    honest = entering.enter

    def enter(game: Play, frame: Enter) -> None:
        kind = game.state.grid[frame.cell].kind or ""
        honest(game, replace(frame, way=kind))

    handle(monkeypatch, Enter, enter)
    held = effects._asks("vision_target")

    def asks(game: Play, frame: Any) -> None:
        hidden = next(t.kind for t in game.state.grid.values() if not t.up)
        held(game, replace(frame, way=hidden or ""))

    monkeypatch.setitem(effects.EFFECTS, "vision", asks)
    assert "the agenda says" in caught("frames", seeds(FIRST_EDITION))


def test_a_room_that_is_lost(monkeypatch: Patch) -> None:
    def swapped(state: State, event: ev.TilesSwapped) -> None:
        tile = state.grid[event.first]
        state.grid = {**state.grid, event.second: tile}

    record(monkeypatch, ev.TilesSwapped, swapped)
    assert caught("conservation", seeds(FIRST_EDITION))


def test_a_death_that_leaves_somebody_on_the_board(monkeypatch: Patch) -> None:
    honest = evolve_module.RECORDERS[ev.CharacterEliminated]

    def eliminated(state: State, event: ev.CharacterEliminated) -> None:
        cell = state.characters[event.character].cell
        honest(state, event)
        c = state.characters[event.character]
        state.characters = {**state.characters, event.character: replace(c, cell=cell)}

    record(monkeypatch, ev.CharacterEliminated, eliminated)
    assert "still has something on the board" in caught("conservation", seeds(SUSPICION))
