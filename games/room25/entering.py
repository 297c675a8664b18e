"""Entering and leaving rooms (§5.1; pure)."""

from __future__ import annotations

from games.room25 import events as ev
from games.room25.agenda import Check, Effect, Enter
from games.room25.effects import EFFECTS
from games.room25.play import Play


def enter(play: Play, frame: Enter) -> None:
    """Bring a group to a cell: arrive, turn the room up, let it act, check (§5.1.2-4)."""
    group = play.living(frame.group)
    if not group:
        return
    entry = play.state.entries + 1
    for name in group:
        play.emit(
            ev.CharacterMoved(character=name, cell=frame.cell, entry=entry, cause=frame.cause)
        )
    if not play.state.grid[frame.cell].up:
        play.reveal(frame.cell)
    play.push(Effect(group, frame.cell, frame.way), Check())


def act_on(play: Play, frame: Effect) -> None:
    """Let the room act on those of the group who live."""
    group = play.living(frame.group)
    kind = play.state.grid[frame.cell].kind
    effect = EFFECTS.get(kind or "")
    if group and effect is not None:
        effect(play, Effect(group, frame.cell, frame.way))
