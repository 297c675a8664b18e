"""How each event is recorded in the state (pure). No rule is applied here, facts are copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Event
from games.dispatch import Handlers, evolve_by, on
from games.room25.facts import events as ev
from games.room25.facts.evolve_edition import EDITION_RECORDERS
from games.room25.facts.recording import known as _known
from games.room25.facts.recording import lay, put
from games.room25.model.board import CELLS, CENTRE, SHIFT_TABLE, Cell
from games.room25.model.catalogue import EXIT
from games.room25.model.state import Character, Claim, End, Program, State, Tile, Trap


def _began(s: State, e: ev.GameBegan) -> None:
    s.rulebook, s.mode, s.options, s.composition = e.rulebook, e.mode, e.options, e.composition
    s.order, s.last_turn, s.phase = e.order, e.last_turn, "starting_clue"
    s.robots, s.locks = (None,) * e.robots, e.locks
    s.characters = {
        f.id: Character(
            id=f.id,
            seat=f.seat,
            team=f.team,
            cell=CENTRE,
            alive=True,
            tokens=f.tokens,
            adrenaline=f.adrenaline,
            spares=f.spares,
        )
        for f in e.figures
    }


def _laid(s: State, e: ev.ComplexLaid) -> None:
    kinds = _known(e.kinds) or (None,) * len(CELLS)
    s.grid = {
        where: Tile(id=i, kind=e.shown.get(where, kinds[i]), up=where in e.shown)
        for i, where in enumerate(CELLS)
    }


def _dealt(s: State, e: ev.RoleDealt) -> None:
    put(s, replace(s.characters[e.character], role=_known(e.role)))


def _left_over(s: State, e: ev.RolesLeftOver) -> None:
    s.undealt = _known(e.roles)


def _situation(s: State, e: ev.SituationSet) -> None:
    s.turn, s.last_turn, s.order, s.dead = e.turn, e.last_turn, e.order, e.dead
    s.markers, s.room25_revealed, s.key_activated = e.markers, e.room25_revealed, e.key_activated
    s.phase = "programming"
    for name, f in e.figures.items():
        where = s.characters[name]
        trap = None
        if f.trap is not None and f.cell is not None:
            trap = Trap(s.grid[f.cell].id, f.trap)
        s.entries = max(s.entries, f.entry)
        s.characters = {
            **s.characters,
            name: replace(
                where,
                cell=f.cell,
                alive=f.cell is not None,
                trap=trap,
                flood=f.flood,
                free=f.free,
                lost=f.lost,
                adrenaline=f.adrenaline,
                hidden=f.hidden,
                delayed=f.delayed,
                used=f.used,
                passed=f.passed,
                acted=f.acted,
                entry=f.entry,
                cold_next=f.cold_next,
                spares=f.spares,
            ),
        }
    s.robots = s.robots if e.robots is None else e.robots
    s.locks = s.locks if e.locks is None else e.locks
    s.shown = e.shown
    for where_cell, facts in e.tiles.items():
        tile = replace(s.grid[where_cell], seal=facts.seal, lock=facts.lock)
        lay(s, where_cell, replace(tile, axis=facts.axis, reminders=facts.reminders))


def _clue(s: State, e: ev.ClueChosen) -> None:
    s.phase = "starting_clue"
    s.clues = {**s.clues, e.seat: _known(e.cell)}


def _clues_closed(s: State, e: ev.CluesClosed) -> None:
    s.clues = e.cells


def _peeked(s: State, e: ev.RoomPeeked) -> None:
    tile = s.grid[e.cell]
    seen = s.peeked.get(e.seat, ())
    if tile.id not in seen:
        s.peeked = {**s.peeked, e.seat: (*seen, tile.id)}
    if e.kind is not UNSET and e.kind != tile.kind:
        lay(s, e.cell, replace(tile, kind=e.kind))


def _turn(s: State, e: ev.TurnBegan) -> None:
    s.turn, s.order, s.round, s.actor = e.turn, e.order, 0, None
    s.phase, s.markers, s.windows = "programming", {}, ()
    s.discard, s.shown = (*s.discard, *s.shown), ()
    s.characters = {
        name: replace(
            c,
            program=None,
            delayed=False,
            acted=0,
            limited=False,
            used=(),
            passed=False,
            returned=False,
            powered=False,
        )
        for name, c in s.characters.items()
    }


def _freed(s: State, e: ev.GuardFreed) -> None:
    put(s, replace(s.characters[e.character], free=True))


def _programming(s: State, e: ev.ProgrammingOpened) -> None:
    s.phase = "programming"
    for name in e.limited:
        put(s, replace(s.characters[name], limited=True, cold_next=False))


def _submitted(s: State, e: ev.ProgramSubmitted) -> None:
    program = Program(_known(e.tokens), _known(e.adrenaline))
    put(s, replace(s.characters[e.character], program=program))


def _closed(s: State, e: ev.ProgrammingClosed) -> None:
    s.phase = "round_1"
    characters = {**s.characters}
    for name, count in e.actions.items():
        c = characters[name]
        tokens = None if c.program is None else c.program.tokens
        known = (None,) * count if tokens is None else tokens
        characters[name] = replace(c, program=Program(known, name in e.adrenaline))
    for name in e.adrenaline:
        characters[name] = replace(characters[name], adrenaline="programmed")
    s.characters = characters


ROUNDS = {1: "round_1", 2: "round_2", 3: "adrenaline"}
"""The phase in which each round's slots are."""


def _slot(s: State, e: ev.SlotBegan) -> None:
    s.round, s.phase, s.actor = e.round, ROUNDS[e.round], e.character
    seat = s.characters[e.character].seat
    if seat not in s.windows:
        s.windows = (*s.windows, seat)


def _delayed(s: State, e: ev.ActionDelayed) -> None:
    put(s, replace(s.characters[e.character], delayed=True))


def _passed(s: State, e: ev.ActionPassed) -> None:
    put(s, replace(s.characters[e.character], passed=True))


SLOTS = (1, 2)
"""The slots of a programme; a third action is not of it."""


def _revealed_action(s: State, e: ev.ActionRevealed) -> None:
    c = s.characters[e.character]
    program = c.program
    if program is not None and program.tokens and e.slot <= len(SLOTS) and not e.drawn:
        place = min(e.slot, len(program.tokens)) - 1
        if program.tokens[place] != e.token:  # who knew it already has nothing to learn
            tokens = (*program.tokens[:place], e.token, *program.tokens[place + 1 :])
            program = replace(program, tokens=tokens)
    c = replace(c, acted=c.acted + 1, used=(*c.used, e.token), program=program)
    if e.drawn:
        stack = None if c.stack is None else c.stack[1:]
        c = replace(c, stack=stack, stacked=c.stacked - 1, drawn=(*c.drawn, e.token))
    put(s, c)


def _nothing(_: State, __: Event) -> None:
    """A fact that the state does not hold, because nothing depends on it."""


def _moved(s: State, e: ev.CharacterMoved) -> None:
    s.entries = e.entry
    put(s, replace(s.characters[e.character], cell=e.cell, entry=e.entry, trap=None, flood=None))


def _revealed(s: State, e: ev.RoomRevealed) -> None:
    lay(s, e.cell, replace(s.grid[e.cell], kind=e.kind, up=True, reminders=()))
    if e.kind == EXIT:
        s.room25_revealed = True


def _carry_along(s: State, moves: dict[Cell, Cell]) -> None:
    """Move tiles from cell to cell, with everybody who stands on them."""
    s.grid = {**s.grid, **{new: s.grid[before] for before, new in moves.items()}}
    s.characters = {
        name: replace(c, cell=moves[c.cell]) if c.cell in moves else c
        for name, c in s.characters.items()
    }
    if any(s.robots):
        s.robots = tuple(moves.get(c, c) if c else None for c in s.robots)


def _swapped(s: State, e: ev.TilesSwapped) -> None:
    _carry_along(s, {e.first: e.second, e.second: e.first})


def _shifted(s: State, e: ev.LineShifted) -> None:
    _carry_along(s, SHIFT_TABLE[e.line, e.way])
    s.markers = {**s.markers, e.line: e.way}


def _sealed(s: State, e: ev.RoomSealed) -> None:
    lay(s, e.cell, replace(s.grid[e.cell], seal=True))


def _trap(s: State, e: ev.TrapArmed) -> None:
    put(s, replace(s.characters[e.character], trap=Trap(e.tile, s.turn)))


def _flood(s: State, e: ev.FloodArmed) -> None:
    put(s, replace(s.characters[e.character], flood=e.due))


def _eliminated(s: State, e: ev.CharacterEliminated) -> None:
    s.dead = (*s.dead, e.character)
    c = s.characters[e.character]
    put(
        s,
        replace(
            c,
            alive=False,
            cell=None,
            program=None,
            delayed=False,
            trap=None,
            flood=None,
            hidden=False,
            paranoid=False,
            leaving=False,
            stacked=0,
            stack=None,
            drawn=(),
            cold_next=False,
        ),
    )


def _role(s: State, e: ev.RoleRevealed) -> None:
    put(s, replace(s.characters[e.character], role=e.role, role_public=True))


def _alarm(s: State, e: ev.AlarmRaised) -> None:
    s.last_turn = e.last_turn


def _reminder(s: State, e: ev.ReminderPlaced) -> None:
    tile = s.grid[e.cell]
    lay(s, e.cell, replace(tile, reminders=(*tile.reminders, e.seat)))
    s.reminded = {**s.reminded, e.seat: s.reminded.get(e.seat, 0) + 1}


def _claimed(s: State, e: ev.ColorClaimed) -> None:
    claim = Claim(s.grid[e.cell].id, e.color)
    s.claims = {**s.claims, e.seat: (*s.claims.get(e.seat, ()), claim)}


def _withdrew(s: State, e: ev.SeatWithdrew) -> None:
    s.withdrawn = (*s.withdrawn, e.seat)


def _agenda(s: State, e: ev.AgendaSet) -> None:
    s.agenda, s.asked = e.agenda, e.asked


def _ended(s: State, e: ev.GameEnded) -> None:
    s.phase, s.actor = "ended", None
    s.end = End(e.outcome, e.winners, e.score)


_BASIC = (
    on(ev.GameBegan, _began)
    | on(ev.ComplexLaid, _laid)
    | on(ev.RoleDealt, _dealt)
    | on(ev.RolesLeftOver, _left_over)
    | on(ev.SituationSet, _situation)
    | on(ev.ClueChosen, _clue)
    | on(ev.CluesClosed, _clues_closed)
    | on(ev.RoomPeeked, _peeked)
    | on(ev.TurnBegan, _turn)
    | on(ev.GuardFreed, _freed)
    | on(ev.ProgrammingOpened, _programming)
    | on(ev.ProgramSubmitted, _submitted)
    | on(ev.ProgrammingClosed, _closed)
    | on(ev.SlotBegan, _slot)
    | on(ev.ActionDelayed, _delayed)
    | on(ev.ActionPassed, _passed)
    | on(ev.ActionRevealed, _revealed_action)
    | on(ev.ActionLost, _nothing)
    | on(ev.CharacterMoved, _moved)
    | on(ev.RoomRevealed, _revealed)
    | on(ev.TilesSwapped, _swapped)
    | on(ev.LineShifted, _shifted)
    | on(ev.RoomSealed, _sealed)
    | on(ev.TrapArmed, _trap)
    | on(ev.FloodArmed, _flood)
    | on(ev.CharacterEliminated, _eliminated)
    | on(ev.RoleRevealed, _role)
    | on(ev.AlarmRaised, _alarm)
    | on(ev.EscapeAttempted, _nothing)
    | on(ev.ReminderPlaced, _reminder)
    | on(ev.ColorClaimed, _claimed)
    | on(ev.SeatWithdrew, _withdrew)
    | on(ev.AgendaSet, _agenda)
    | on(ev.GameEnded, _ended)
)

BASIC_RECORDERS: Handlers[State, ev.BasicEvent, None] = _BASIC

_BOTH = BASIC_RECORDERS | EDITION_RECORDERS
_ALL: Handlers[State, ev.Fact, None] = _BOTH

RECORDERS: Final[dict[type, Callable[[State, Any], None]]] = _ALL.by_type
"""What records each event, by its type."""

evolve: Final = evolve_by(RECORDERS)
"""Folds one event into the state, which is consumed."""
