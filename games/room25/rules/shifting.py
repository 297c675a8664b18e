"""Shifting lines, and leaving the complex (§7; pure)."""

from __future__ import annotations

from games.room25.facts import events as ev
from games.room25.model.agenda import CheckEnd
from games.room25.model.board import Direction, Line, wraps
from games.room25.model.catalogue import EXIT
from games.room25.model.meanings import in_force
from games.room25.rules.checks import end_game
from games.room25.rules.context import Play


def shift(play: Play, line: Line, way: Direction, cause: str) -> None:
    """Move a line one step; everything rides along and nobody enters (§7.3, R44)."""
    play.emit(ev.LineShifted(line=line, way=way, cause=cause))
    play.push(CheckEnd())


def shift_by_action(play: Play, name: str, line: Line, way: Direction) -> None:
    """A control action: one step, or two under an acceleration (§7.3.4, R133)."""
    for _ in range(2 if in_force(play.state, "acceleration") else 1):
        if play.state.end is None and play.character(name).alive:
            _unit_shift(play, name, line, way)


def _unit_shift(play: Play, name: str, line: Line, way: Direction) -> None:
    """One step: it may push Room 25 out, if the acting character stands in it (§7.4, R39).

    The outcome depends on secret roles, so it is published before anything branches on it.
    """
    character = play.character(name)
    tile = play.tile_under(name)
    if tile.kind == EXIT and tile.up and character.cell == wraps(line, way):
        end = play.mode.escape(play.state, character)
        outcome = end.outcome if end else None
        play.emit(ev.EscapeAttempted(character=name, line=line, way=way, outcome=outcome))
        if end is not None:
            end_game(play, end)
            return
    shift(play, line, way, "action")
