"""What may fill the slots of a card (§5.2, §7; pure).

What does not depend on where pieces stand is asked once for all anchors (``pool``), the rest at
each anchor (``fits``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.model.language import AdjacentTo, Flag, Relation, Sees, Slot, Within
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.scene import Scene, window_of

_PLACES: Final[frozenset[Flag]] = frozenset({"in", "out", "free", "border"})
"""The filters that look at where something is."""


def pool(state: State, grid: Grid, seat: Seat, slot: Slot) -> Iterator[str]:
    """What could fill a slot at some anchor, in the order in which it is offered."""
    match slot.kind:
        case "H" | "Z" | "X":
            return _nameable(state, seat, slot)
        case "C":
            return (grid.cell_id(cell) for cell in range(grid.size) if _lies(grid, slot, cell))
        case "W" | "D":
            return (grid.edge_id(edge) for edge in grid.edges if _is_such(grid, slot, edge))
        case "B":
            return iter(grid.buildings)
        case "P":
            others = "other" in slot.flags
            return (f"s{each}" for each in state.seats if not (others and each == seat))


def is_place(slot: Slot) -> bool:
    """Whether a slot asks for a cell or an edge, of which there are hundreds."""
    return slot.kind in {"C", "W", "D"}


def is_such_place(grid: Grid, slot: Slot, part: str) -> bool:
    """Whether something is in the pool of a slot that asks for a cell or an edge."""
    try:
        if slot.kind == "C":
            return _lies(grid, slot, grid.cell_of(part))
        return _is_such(grid, slot, grid.edge_of(part))
    except ValueError:
        return False


def _nameable(state: State, seat: Seat, slot: Slot) -> Iterator[str]:
    """The pieces that a seat may designate, wherever they stand (§5.2b-d)."""
    # What hangs on the slot alone is asked once: each slot of a tree looks at every piece.
    either, human, blocked = slot.kind == "X", slot.kind == "H", slot.lifts_immunity
    flags = [flag for flag in slot.flags if flag not in _PLACES]
    for piece in state.pieces.values():
        if piece.blocked != blocked or not (either or piece.human == human):
            continue
        if seat not in piece.touched_by and all(_is(state, seat, flag, piece) for flag in flags):
            yield piece.id


def _is(state: State, seat: Seat, flag: Flag, piece: Piece) -> bool:
    """Whether a piece passes a filter that does not ask where it stands."""
    fight = state.fight
    mover = state.activation.zombie if state.activation is not None else None
    match flag:
        case "own":
            return piece.controller == seat
        case "other":
            return piece.controller not in {None, seat}
        case "mover":
            return window_of(state) == "movement" and piece.id == mover
        case "fight":
            return fight is not None and fight.side(piece.id) is not None
        case "support":
            return (
                fight is not None
                and fight.side(piece.id) is not None
                and piece.id not in {fight.principal, fight.target}
            )
        case "blk":
            return piece.blocked
        case "spent":
            return piece.operational and piece.activated and piece.id != mover
        case _:
            raise ValueError(f"no filter of pieces: {flag}")


def _lies(grid: Grid, slot: Slot, cell: int) -> bool:
    """Whether a cell passes the filters that never change."""
    return all(_is_there(grid, flag, cell) for flag in slot.flags if flag != "free")


def _is_there(grid: Grid, flag: Flag, cell: int) -> bool:
    match flag:
        case "in":
            return grid.indoor(cell)
        case "out":
            return not grid.indoor(cell)
        case "border":
            return grid.border(cell)
        case _:
            raise ValueError(f"no filter of places: {flag}")


def _is_such(grid: Grid, slot: Slot, edge: int) -> bool:
    """Whether an inner edge is what a slot asks for, by its stored state (C74)."""
    state = grid.stored(edge)
    if slot.kind == "W":
        return state == "wall"
    shut = {"shut": "door_closed", "ajar": "door_open"}
    return state in {"door_open", "door_closed"} and all(
        shut.get(flag) == state for flag in slot.flags
    )


def fits(scene: Scene, slot: Slot, part: str, before: Sequence[str]) -> bool:
    """Whether something of the pool fills a slot at an anchor, after what fills those before it.

    Args:
        scene: the anchor.
        slot: the slot.
        part: what is to fill it.
        before: what fills the slots before it, in order.
    """
    if part in before and slot.is_piece:
        return False
    if slot.kind in {"W", "D", "B", "P"}:
        return True
    cell = scene.where(part)
    for flag in slot.flags:
        if flag in _PLACES and not _stands(scene, slot, flag, cell):
            return False
    return all(_relates(scene, relation, cell, before) for relation in slot.relations)


def _stands(scene: Scene, slot: Slot, flag: Flag, cell: int) -> bool:
    if flag == "free":
        return scene.free(cell)
    return slot.kind == "C" or _is_there(scene.grid, flag, cell)


def _relates(scene: Scene, relation: Relation, cell: int, before: Sequence[str]) -> bool:
    other = before[relation.slot - 1]
    match relation:
        case Within():
            return scene.grid.range(scene.where(other), cell) <= relation.distance
        case AdjacentTo():
            return scene.grid.adjacent(scene.where(other), cell)
        case Sees():
            return scene.sees(other, cell)
