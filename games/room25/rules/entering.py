"""Entering and leaving rooms (§5.1; pure)."""

from __future__ import annotations

from msgspec.structs import replace

from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import CheckEnd, Effect, Enter
from games.room25.model.meanings import shows
from games.room25.rules.context import Play
from games.room25.rules.rooms import EFFECTS


def enter(play: Play, frame: Enter) -> None:
    """Bring a group to a cell: leave, arrive, turn the room up, let it act, check (§5.1)."""
    group = play.living(frame.group)
    if not group:
        return
    if not frame.departed and _leaves_trouble(play, group):
        play.push(replace(frame, departed=True))
        _depart(play, group)
        return
    entry = play.state.entries + 1
    for name in group:
        play.emit(
            ev.CharacterMoved(character=name, cell=frame.cell, entry=entry, cause=frame.cause)
        )
    if not play.state.grid[frame.cell].up:
        play.reveal(frame.cell)
    play.push(Effect(group, frame.cell, frame.way), CheckEnd())


def _leaves_trouble(play: Play, group: tuple[str, ...]) -> bool:
    """Whether leaving sets something off: a shredder, or the end of paranoia."""
    tile = play.tile_under(group[0])
    shreds = shows(tile, "shreds") and not tile.seal
    return shreds or any(play.character(name).paranoid for name in group)


def _depart(play: Play, group: tuple[str, ...]) -> None:
    """Paranoia ends with this turn; a shredder kills who stays behind and is sealed (R45, R57)."""
    for name in group:
        c = play.character(name)
        if c.paranoid and not c.leaving:
            play.emit(more.ParanoiaEnded(character=name, now=False))
    where = play.character(group[0]).cell
    tile = play.tile_under(group[0])
    if where is not None and shows(tile, "shreds") and not tile.seal:
        play.emit(ev.RoomSealed(cell=where))
        stay = [c.id for c in play.state.occupants(where) if c.id not in group]
        play.eliminate(stay, tile.kind or "")


def act_on(play: Play, frame: Effect) -> None:
    """Let the room act on those of the group who live."""
    group = play.living(frame.group)
    kind = play.state.grid[frame.cell].kind or ""
    if group and kind in play.rulebook.acts_on_all:
        # In this rulebook some rooms act on everybody inside, the entrant first (R61).
        others = [c.id for c in play.state.occupants(frame.cell) if c.id not in group]
        group = (*group, *others)
    effect = EFFECTS.get(kind)
    if group and effect is not None:
        effect(play, Effect(group, frame.cell, frame.way))
