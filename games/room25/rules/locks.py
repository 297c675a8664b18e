"""Locks: where one may lie, and who says where it does (§6.1, §6.4; pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from events.kernel import Option
from games.room25.facts import edition_events as more
from games.room25.model.agenda import Ask, Question
from games.room25.model.board import Cell
from games.room25.model.meanings import has
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.context import Play
from games.room25.rules.moves import cell_options, is_blue


def lockable(state: State, cell: Cell) -> bool:
    """Face-up, not blue, neither locked nor sealed (R100)."""
    return _why_not_lockable(state, cell) is None


def _why_not_lockable(state: State, cell: Cell) -> Why | None:
    tile = state.grid[cell]
    if not tile.up:
        return Why.FACE_DOWN
    if is_blue(tile):
        return Why.BLUE_ROOM
    if tile.lock:
        return Why.LOCK_THERE
    return Why.SEALED if tile.seal else None


def why_no_lock(state: State, cells: Collection[Cell], cell: Cell) -> Why | None:
    """Why no lock goes to a room, of those that one may go to; None: one does (R100)."""
    if cell not in cells:
        return Why.OUT_OF_REACH
    why = _why_not_lockable(state, cell)
    return why or (None if state.locks or locked_cells(state) else Why.NO_LOCK)


def locked_cells(state: State) -> list[Cell]:
    """Where locks lie."""
    return [cell for cell, tile in state.grid.items() if tile.lock]


def lock_options(state: State, cells: Iterable[Cell], prefix: str = "") -> list[Option]:
    """Where a lock may go, and, with none in supply, which one is moved there."""
    targets = [cell for cell in cells if lockable(state, cell)]
    if state.locks:
        return [Option(f"{prefix}{cell}", {"cell": cell}) for cell in targets]
    return [
        Option(f"{prefix}{cell}:{other}", {"cell": cell, "from": other})
        for cell in targets
        for other in locked_cells(state)
    ]


def put_lock(play: Play, parts: list[str]) -> None:
    """Put a lock on a tile: from supply, or from another tile."""
    origin = parts[1] if len(parts) > 1 else None
    play.emit(more.RoomLocked(cell=parts[0], moved_from=origin))


# --- locks by cards ---


def _locksmith(state: State) -> Character | None:
    """Who says which lock is moved when none is in supply, rather somebody who lives."""
    found = [c for c in state.characters.values() if has(state, c, "locksmith")]
    return min(found, key=lambda c: not c.alive, default=None)


def ask_lock(play: Play, name: str, cells: tuple[Cell, ...]) -> None:
    """With no lock in supply the locksmith, if alive, says which one is moved there (§6.4)."""
    state, smith = play.state, _locksmith(play.state)
    own = has(state, play.character(name), "locksmith")
    theirs = not state.locks and not own and smith is not None and smith.alive
    play.ask("card_lock_target" if theirs else "card_lock", name, about=cells)


def _lock_choices(state: State, ask: Ask) -> list[Option]:
    return lock_options(state, ask.about)


def _locked(play: Play, _: Ask, option: str) -> None:
    put_lock(play, option.split(":"))


def _lock_targets(state: State, ask: Ask) -> list[Option]:
    """Where a lock may go, as long as there is one to be moved."""
    cells = [cell for cell in ask.about if lockable(state, cell)]
    return cell_options(cells if locked_cells(state) else [])


def _lock_aimed(play: Play, _: Ask, cell: str) -> None:
    smith = _locksmith(play.state)
    if smith is None:
        raise ValueError("where to lock was asked on behalf of a locksmith")
    play.ask("card_lock", smith.id, about=(cell,))


CHOICES: Final[Mapping[Question, ChoiceKind]] = {
    "card_lock": ChoiceKind(options=_lock_choices, resolve=_locked),
    "card_lock_target": ChoiceKind(options=_lock_targets, resolve=_lock_aimed),
}
"""The decisions that it asks for, by kind."""
