"""Laying a situation out on a table (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from events.draw import ArrangedDraw, Draw
from events.kernel import Actor, Context, Rejected, Working
from games.contract import Roster, TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.facts.evolve import evolve
from games.room25.model.agenda import CheckEnd, Clues, Programs, Turn
from games.room25.model.board import CENTRE
from games.room25.model.cards import deck_of
from games.room25.model.catalogue import EXIT, is_kind
from games.room25.model.characters import owns
from games.room25.model.codes import Code
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.model.state import State
from games.room25.opening.setup import begin_game, has_deck
from games.room25.opening.situation import (
    GivenCharacter,
    GivenTile,
    Situation,
    by_seat,
    order_of,
    roster_of,
    tiles_of,
)
from games.room25.opening.situation_checks import (
    check_situation,
    require,
    rooms_of,
    undealt,
)
from games.room25.rules.context import Play
from games.room25.rules.engine import run
from games.room25.rules.programming import is_programming


def read_situation(opening: TableOpening) -> Situation:
    """Read a situation and check that it can be laid and played.

    Raises:
        Rejected: malformed-scenario if it does not fit the format; impossible-scenario if the
            rulebook cannot have such a position, or if the game would be over in it.
    """
    try:
        situation = msgspec.convert(opening.situation, Situation)
    except msgspec.ValidationError as error:
        raise Rejected(Code.MALFORMED_SCENARIO, str(error)) from None
    rulebook = RULEBOOKS[opening.rulebook]
    check_situation(situation, opening, rulebook, rulebook.modes[opening.mode])
    state = _rehearse(opening, situation)
    require(state.end is None, "the game would be over in this situation")
    return situation


def _rehearse(opening: TableOpening, situation: Situation) -> State:
    """Lay the situation on an empty table, as far as the first question."""
    draw = arranged(Draw(b"rehearsal"), msgspec.to_builtins(situation))
    context = Context(now=0, actor=Actor("worker", "rehearsal"), draw=draw)
    work = Working(evolve, State(), context)
    play = Play(work)
    _lay(play, roster_of(opening, situation), situation)
    run(play)
    return work.state


def lay_situation(play: Play, roster: Roster) -> None:
    """Lay a situation that ``read_situation`` has checked."""
    _lay(play, roster, msgspec.convert(roster.opening.situation, Situation))


def _lay(play: Play, roster: Roster, s: Situation) -> None:
    opening = roster.opening
    rulebook = RULEBOOKS[opening.rulebook]
    mode = rulebook.modes[opening.mode]
    tiles = tiles_of(s)
    begin_game(play, roster, order_of(s), rooms_of(s))
    shown = {where: t.kind for where, t in tiles.items() if t.face == "up" or t.known}
    play.emit(ev.ComplexLaid(shown=shown, kinds=tuple(tile.kind for tile in tiles.values())))
    if mode.roles:
        for name, c in s.characters.items():
            role = c.identity or c.role or ""
            play.emit(ev.RoleDealt(seat=c.seat, character=name, role=role))
        left = undealt(s, opening, mode)
        play.emit(ev.RolesLeftOver(count=len(left), roles=left))
    play.emit(_situation_set(play, s, tiles, rulebook, mode.turns[opening.seats]))
    _lay_past(play, s, tiles)
    if has_deck(mode, rooms_of(s)):
        _lay_deck(play, s, opening)
    _lay_knowledge(play, s)
    _start(play, s, mode)


def _situation_set(
    play: Play, s: Situation, tiles: Mapping[str, GivenTile], rulebook: Rulebook, turns: int
) -> ev.SituationSet:
    revealed = any(t.kind == EXIT and (t.face == "up" or t.known) for t in tiles.values())
    figures = play.state.characters
    return ev.SituationSet(
        turn=s.turn,
        last_turn=s.last_turn or turns,
        order=order_of(s),
        dead=s.dead or tuple(n for n in by_seat(s) if s.characters[n].dead),
        figures={
            name: _facts(c, figures[name].adrenaline, figures[name].spares)
            for name, c in s.characters.items()
        },
        tiles={
            where: ev.TileFacts(t.seal, t.lock, _axis(t), t.reminders)
            for where, t in tiles.items()
            if t.seal or t.lock or _axis(t) or t.reminders
        },
        markers=s.markers,
        room25_revealed=revealed if s.room25_revealed is None else s.room25_revealed,
        key_activated=s.key_activated,
        robots=(*s.robots, *(None,) * (rulebook.robots - len(s.robots))) if s.robots else None,
        locks=_locks(s, tiles, rulebook, specials=bool(play.state.options.get("specials"))),
        shown=s.shown,
    )


def _axis(tile: GivenTile) -> str | None:
    """A face-up pivoting room always has a corridor."""
    return tile.axis or (
        "horizontal" if is_kind(tile.kind, "corridor") and tile.face == "up" else None
    )


def _locks(
    s: Situation, tiles: Mapping[str, GivenTile], rulebook: Rulebook, *, specials: bool
) -> int | None:
    """The locks in supply, if they are not simply all of them; with the pin they are gone (R96)."""
    if specials and any(c.dead and owns(name, "pin") for name, c in s.characters.items()):
        return 0
    in_hand = [c.locks for c in s.characters.values() if c.locks is not None]
    if in_hand:
        return sum(in_hand)
    placed = sum(tile.lock for tile in tiles.values())
    return rulebook.locks - placed if placed else None


def _facts(c: GivenCharacter, adrenaline: str, spares: int) -> ev.FigureFacts:
    # What is programmed becomes public with the programme, when the phase closes.
    held = "available" if c.adrenaline == "programmed" else c.adrenaline
    return ev.FigureFacts(
        cell=None if c.dead or c.returned else c.cell,
        trap=c.trap,
        flood=c.flood,
        free=c.free,
        lost=c.lost,
        adrenaline=held or ("spent" if c.free and adrenaline != "none" else adrenaline),
        hidden=c.hidden,
        delayed=c.delayed,
        used=c.used,
        passed=c.passed,
        acted=c.acted,
        entry=c.entry or 0,
        cold_next=c.cold_next,
        spares=spares if c.spares is None else c.spares,
    )


def _lay_past(play: Play, s: Situation, tiles: Mapping[str, GivenTile]) -> None:
    """Turn down again what all know, and bring back who was dead, by the events of play.

    Nobody can leave the Central Room in the turn of its return but by a summons.
    """
    for where, tile in tiles.items():
        if tile.known:
            play.emit(more.RoomTurnedDown(cell=where))
    back = {name: c for name, c in s.characters.items() if c.returned}
    entry = play.state.entries + 1
    for name in back:
        play.emit(more.CharacterReturned(character=name, entry=entry))
    for name, c in back.items():
        if c.cell != CENTRE:
            entry = play.state.entries + 1
            play.emit(ev.CharacterMoved(character=name, cell=c.cell, entry=entry, cause="summon"))
        if c.trap is not None:
            play.emit(ev.TrapArmed(character=name, tile=play.state.grid[c.cell].id))
        if c.flood is not None:
            play.emit(ev.FloodArmed(character=name, due=c.flood))


def arranged(draw: Draw, situation: Mapping[str, Any]) -> Draw:
    """The draws of a table, with the paranoia stacks that its situation has laid out."""
    figures = situation["characters"]
    stacks = {
        f"paranoia/{name}/": tuple(c["next_stack"])
        for name, c in figures.items()
        if c.get("next_stack") is not None
    }
    return ArrangedDraw(draw, stacks) if stacks else draw


def _lay_deck(play: Play, s: Situation, opening: TableOpening) -> None:
    """The cards named, from the top; under them the others, shuffled, unless there are none."""
    named = {*(s.deck or ()), *s.discard, *s.shown}
    others = [card for card in deck_of(opening.options) if card not in named]
    rest = play.context.draw.shuffled(others, "deck/scenario") if s.deck_rest else []
    cards = (*(s.deck or ()), *rest)
    play.emit(more.DeckShuffled(count=len(cards), cards=cards, discard=s.discard))


def _lay_knowledge(play: Play, s: Situation) -> None:
    """Public roles, rooms looked at, stacks, and programmes that are in already."""
    for name, c in s.characters.items():
        if c.role is not None and c.role_public:
            role = c.identity or c.role
            play.emit(ev.RoleRevealed(character=name, role=role, cause="scenario"))
        for where in c.looked:
            # Where looks are for all, somebody's has turned the room up before (R120).
            if not play.state.grid[where].up:
                play.peek(name, where)
        if c.stack is not None:
            play.emit(more.ParanoiaBegan(character=name, stacked=len(c.stack), stack=c.stack))
        if c.program is not None:
            _lay_program(play, name, c)


def _lay_program(play: Play, name: str, c: GivenCharacter) -> None:
    """A programme that is in already; it lies open where all do (R14)."""
    tokens, boosted = c.program or (), c.adrenaline == "programmed"
    play.emit(ev.ProgramSubmitted(seat=c.seat, character=name, tokens=tokens, adrenaline=boosted))
    if play.mode.open_programs:
        play.emit(more.ProgramShown(character=name, tokens=tokens, adrenaline=boosted))


def _start(play: Play, s: Situation, mode: Mode) -> None:
    if s.phase == "clue":
        play.push(CheckEnd(), Clues(), Turn("first"))
        return
    if s.phase in {"round_1", "round_2"} and mode.programs:
        members = [c for c in play.state.living() if is_programming(play.state, c)]
        ready = all(c.program is not None for c in members)
        require(ready, "a round needs every programme")
        play.push(CheckEnd(), Programs(), Turn(s.phase))
        return
    play.push(CheckEnd(), Turn(s.phase))
