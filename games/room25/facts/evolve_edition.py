"""How the events that only some rulebooks have are recorded in the state (pure)."""

from __future__ import annotations

from msgspec.structs import replace

from events.kernel import Event
from games.dispatch import Handlers, on
from games.room25.facts import edition_events as ev
from games.room25.facts.recording import known, lay, put
from games.room25.model.board import CELLS, CENTRE
from games.room25.model.state import Program, State, Tile


def _nothing(_: State, __: Event) -> None:
    """A fact that the state does not hold, because nothing depends on it."""


def _shown(s: State, e: ev.ProgramShown) -> None:
    put(s, replace(s.characters[e.character], program=Program(e.tokens, e.adrenaline)))


def _discarded(s: State, e: ev.TokenDiscarded) -> None:
    c = s.characters[e.character]
    program = c.program
    if program is not None and program.tokens is not None:
        tokens = tuple("" if i == e.slot else t for i, t in enumerate(program.tokens, 1))
        put(s, replace(c, program=replace(program, tokens=tokens)))


def _replaced(s: State, e: ev.TokenReplaced) -> None:
    c = s.characters[e.character]
    if c.program is not None:
        # Who may not know the new tokens knew only what is turned up, and that is not replaced.
        tokens = known(e.tokens) or c.program.tokens
        put(s, replace(c, program=replace(c.program, tokens=tokens), powered=True))


def _penalised(s: State, e: ev.ActionPenalised) -> None:
    c = s.characters[e.character]
    if c.paranoid and not e.drawn and e.token not in c.drawn:  # so it is in the stack
        stack = None if c.stack is None else tuple(t for t in c.stack if t != e.token)
        c = replace(c, stack=stack, stacked=c.stacked - 1)
    put(s, replace(c, lost=(*c.lost, e.token)))


def _adrenaline(s: State, e: ev.AdrenalineChanged) -> None:
    put(s, replace(s.characters[e.character], adrenaline=e.adrenaline))


def _cancelled(s: State, e: ev.ProgramCancelled) -> None:
    program = Program(tokens=(), adrenaline=False)
    put(s, replace(s.characters[e.character], program=program, delayed=False))


def _paranoia(s: State, e: ev.ParanoiaBegan) -> None:
    c = replace(s.characters[e.character], paranoid=True, leaving=False)
    put(s, replace(c, stacked=e.stacked, stack=known(e.stack), drawn=()))


def _calm(s: State, e: ev.ParanoiaEnded) -> None:
    c = s.characters[e.character]
    if e.now:
        put(s, replace(c, paranoid=False, leaving=False, stacked=0, stack=None, drawn=()))
    else:
        put(s, replace(c, leaving=True))


def _cold(s: State, e: ev.ColdLingers) -> None:
    put(s, replace(s.characters[e.character], cold_next=True))


def _turned(s: State, e: ev.RoomTurned) -> None:
    lay(s, e.cell, replace(s.grid[e.cell], axis=e.axis))


def _new_tile(s: State, e: ev.RoomReplaced) -> None:
    if s.grid[e.cell].lock:
        s.locks += 1
    made = Tile(id=len(CELLS) + s.tiles_made, kind=e.kind, up=True)
    s.tiles_made += 1
    lay(s, e.cell, made)
    for c in s.characters.values():
        if c.cell == e.cell and (c.trap is not None or c.flood is not None):
            put(s, replace(c, trap=None, flood=None))


def _turned_down(s: State, e: ev.RoomTurnedDown) -> None:
    tile = s.grid[e.cell]
    if tile.lock:
        s.locks += 1
    lay(s, e.cell, replace(tile, up=False, axis=None, lock=False))


def _unsealed(s: State, e: ev.RoomUnsealed) -> None:
    lay(s, e.cell, replace(s.grid[e.cell], seal=False))


def _locked(s: State, e: ev.RoomLocked) -> None:
    if e.moved_from is None:
        s.locks -= 1
    else:
        lay(s, e.moved_from, replace(s.grid[e.moved_from], lock=False))
    lay(s, e.cell, replace(s.grid[e.cell], lock=True))


def _unlocked(s: State, _: ev.LocksGone) -> None:
    s.locks = 0
    for where, room in s.grid.items():
        if room.lock:
            lay(s, where, replace(room, lock=False))


def _spare(s: State, e: ev.SpareUsed) -> None:
    c = s.characters[e.character]
    put(s, replace(c, spares=c.spares - 1))


def _hid(s: State, e: ev.CharacterHid) -> None:
    put(s, replace(s.characters[e.character], hidden=True))


def _showed(s: State, e: ev.CharacterShowed) -> None:
    put(s, replace(s.characters[e.character], hidden=False))


def _came_back(s: State, e: ev.CharacterReturned) -> None:
    s.entries = e.entry
    s.locks = s.locks if e.locks is None else e.locks
    s.dead = tuple(name for name in s.dead if name != e.character)
    if e.character not in s.order:
        s.order = (*s.order, e.character)
    c = replace(s.characters[e.character], alive=True, returned=True)
    put(s, replace(c, cell=CENTRE, entry=e.entry, program=None, delayed=False))


def _key(s: State, _: ev.KeyTurned) -> None:
    s.key_activated = True


def _cut(s: State, e: ev.TurnsCut) -> None:
    s.last_turn = e.last_turn


def _robot(s: State, e: ev.RobotPlaced) -> None:
    s.robots = tuple(e.cell if i == e.robot else cell for i, cell in enumerate(s.robots))


def _no_robot(s: State, e: ev.RobotRemoved) -> None:
    s.robots = tuple(None if i == e.robot else cell for i, cell in enumerate(s.robots))


def _role_seen(s: State, e: ev.RolePeeked) -> None:
    role = known(e.role)
    if role is not None:
        put(s, replace(s.characters[e.character], role=role))


def _deck(s: State, e: ev.DeckShuffled) -> None:
    s.deck, s.deck_size, s.discard = known(e.cards), e.count, e.discard
    s.shuffles += 1


def _card(s: State, e: ev.CardDrawn) -> None:
    s.deck = None if s.deck is None else s.deck[1:]
    s.deck_size -= 1
    if e.stays:
        s.shown = (*s.shown, e.card)
    else:
        s.discard = (*s.discard, e.card)
    if e.character is None:
        s.phase, s.actor = "cards", None


def _reminder_taken(s: State, e: ev.ReminderTaken) -> None:
    for where, room in s.grid.items():
        if e.seat in room.reminders:
            left = tuple(seat for seat in room.reminders if seat != e.seat)
            lay(s, where, replace(room, reminders=left))


def _powered(s: State, e: ev.PowerUsed) -> None:
    put(s, replace(s.characters[e.character], powered=True))


_FOUND = (
    on(ev.ProgramShown, _shown)
    | on(ev.TokenDiscarded, _discarded)
    | on(ev.TokenReplaced, _replaced)
    | on(ev.ActionPenalised, _penalised)
    | on(ev.AdrenalineChanged, _adrenaline)
    | on(ev.ProgramCancelled, _cancelled)
    | on(ev.ParanoiaBegan, _paranoia)
    | on(ev.ParanoiaEnded, _calm)
    | on(ev.ColdLingers, _cold)
    | on(ev.RoomTurned, _turned)
    | on(ev.RoomReplaced, _new_tile)
    | on(ev.RoomTurnedDown, _turned_down)
    | on(ev.RoomUnsealed, _unsealed)
    | on(ev.RoomLocked, _locked)
    | on(ev.LocksGone, _unlocked)
    | on(ev.SpareUsed, _spare)
    | on(ev.CharacterHid, _hid)
    | on(ev.CharacterShowed, _showed)
    | on(ev.CharacterReturned, _came_back)
    | on(ev.KeyTurned, _key)
    | on(ev.TurnsCut, _cut)
    | on(ev.RobotPlaced, _robot)
    | on(ev.RobotRemoved, _no_robot)
    | on(ev.SpecialUsed, _nothing)
    | on(ev.OfferRefused, _nothing)
    | on(ev.RolePeeked, _role_seen)
    | on(ev.DeckShuffled, _deck)
    | on(ev.CardDrawn, _card)
    | on(ev.ReminderTaken, _reminder_taken)
    | on(ev.PowerUsed, _powered)
)

EDITION_RECORDERS: Handlers[State, ev.EditionEvent, None] = _FOUND
