"""What may fill the slots of a card (§5.2, §7; pure).

What does not depend on where pieces stand is asked once for all anchors (``pool``), the rest at
each anchor (``why_unfit``). What may fill a slot is what no predicate has a reason against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from events.kernel import Seat
from games.cerveauuu.board import Grid
from games.cerveauuu.model.language import AdjacentTo, Flag, Relation, Sees, Slot, Within
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.scene import Scene, window_of

_PLACES: Final[frozenset[Flag]] = frozenset({"in", "out", "free", "border"})
"""The filters that look at where something is."""


def pool(state: State, grid: Grid, seat: Seat, slot: Slot) -> Iterator[str]:
    """What could fill a slot at some anchor, in the order in which it is offered."""
    match slot.kind:
        case "H" | "Z" | "X":
            why_not = _naming(state, seat, slot)
            return (piece.id for piece in state.pieces.values() if why_not(piece) is None)
        case "C":
            cells = range(grid.size)
            return (
                grid.cell_id(each) for each in cells if _why_not_there(grid, slot, each) is None
            )
        case "W" | "D":
            edges = grid.edges
            return (grid.edge_id(each) for each in edges if _why_not_such(grid, slot, each) is None)
        case "B":
            return iter(grid.buildings)
        case "P":
            return (f"s{each}" for each in state.seats if _why_not_at(slot, seat, each) is None)


def all_of(state: State, grid: Grid, slot: Slot) -> tuple[str, ...]:
    """What somebody might point at for a slot: all pieces, places, buildings or seats there are.

    Of edges these are the walls, breaches and doors: nobody points at an edge with nothing on it.
    """
    match slot.kind:
        case "H" | "Z" | "X":
            return tuple(state.pieces)
        case "C":
            return tuple(map(grid.cell_id, range(grid.size)))
        case "W" | "D":
            return tuple(grid.edge_id(edge) for edge in grid.edges if grid.stored(edge) != "open")
        case "B":
            return tuple(grid.buildings)
        case "P":
            return tuple(f"s{each}" for each in state.seats)


def why_not_in_pool(state: State, grid: Grid, seat: Seat, slot: Slot, part: str) -> Why | None:
    """Why something of the board cannot fill a slot at any anchor.

    Args:
        state: the game.
        grid: its board.
        seat: whose card it is.
        slot: the slot.
        part: a piece, cell, edge, building or seat, as the slot asks for.
    """
    match slot.kind:
        case "H" | "Z" | "X":
            return _naming(state, seat, slot)(state.pieces[part])
        case "C":
            return _why_not_there(grid, slot, grid.cell_of(part))
        case "W" | "D":
            return _why_not_such(grid, slot, grid.edge_of(part))
        case "B":
            return None
        case "P":
            return _why_not_at(slot, seat, int(part[1:]))


def is_place(slot: Slot) -> bool:
    """Whether a slot asks for a cell or an edge, of which there are hundreds."""
    return slot.kind in {"C", "W", "D"}


def is_such_place(grid: Grid, slot: Slot, part: str) -> bool:
    """Whether something is in the pool of a slot that asks for a cell or an edge."""
    try:
        if slot.kind == "C":
            return _why_not_there(grid, slot, grid.cell_of(part)) is None
        return _why_not_such(grid, slot, grid.edge_of(part)) is None
    except ValueError:
        return False


def _naming(state: State, seat: Seat, slot: Slot) -> Callable[[Piece], Why | None]:
    """What says why a seat may not designate a piece, wherever it stands (§5.2b-d)."""
    # What hangs on the slot alone is asked once: each slot of a tree looks at every piece.
    kind, blocked = slot.kind, slot.lifts_immunity
    either, human = kind == "X", kind == "H"
    flags = [flag for flag in slot.flags if flag not in _PLACES]

    def why_not(piece: Piece) -> Why | None:
        if not (either or piece.human == human):
            return Why.NOT_A_HUMAN if human else Why.NOT_A_ZOMBIE
        if piece.blocked != blocked:
            return Why.BLOCKED if piece.blocked else Why.NOT_BLOCKED
        if seat in piece.touched_by:
            return Why.TOUCHED
        for flag in flags:
            why = _why_not(state, seat, flag, piece)
            if why is not None:
                return why
        return None

    return why_not


def _why_not(state: State, seat: Seat, flag: Flag, piece: Piece) -> Why | None:
    """Why a piece does not pass a filter that does not ask where it stands."""
    fight = state.fight
    mover = state.activation.zombie if state.activation is not None else None
    match flag:
        case "own":
            return None if piece.controller == seat else Why.NOT_OWN
        case "other":
            return Why.OWN if piece.controller in {None, seat} else None
        case "mover":
            moves = window_of(state) == "movement" and piece.id == mover
            return None if moves else Why.NOT_MOVING
        case "fight":
            fights = fight is not None and fight.side(piece.id) is not None
            return None if fights else Why.NOT_FIGHTING
        case "support":
            if fight is None or fight.side(piece.id) is None:
                return Why.NOT_FIGHTING
            return Why.NOT_SUPPORTING if piece.id in {fight.principal, fight.target} else None
        case "blk":
            return None if piece.blocked else Why.NOT_BLOCKED
        case "spent":
            spent = piece.operational and piece.activated and piece.id != mover
            return None if spent else Why.NOT_SPENT
        case _:
            raise ValueError(f"no filter of pieces: {flag}")


def _why_not_at(slot: Slot, seat: Seat, other: Seat) -> Why | None:
    """Why a card of a seat may not name some seat."""
    return Why.OWN_SEAT if other == seat and "other" in slot.flags else None


def _why_not_there(grid: Grid, slot: Slot, cell: int) -> Why | None:
    """Why a cell does not pass the filters that never change."""
    for flag in slot.flags:
        if flag != "free":
            why = _why_elsewhere(grid, flag, cell)
            if why is not None:
                return why
    return None


def _why_elsewhere(grid: Grid, flag: Flag, cell: int) -> Why | None:
    match flag:
        case "in":
            return None if grid.indoor(cell) else Why.OUTDOORS
        case "out":
            return Why.INDOORS if grid.indoor(cell) else None
        case "border":
            return None if grid.border(cell) else Why.NOT_BORDER
        case _:
            raise ValueError(f"no filter of places: {flag}")


def _why_not_such(grid: Grid, slot: Slot, edge: int) -> Why | None:
    """Why an inner edge is not what a slot asks for, by its stored state (C74)."""
    state = grid.stored(edge)
    if slot.kind == "W":
        return None if state == "wall" else Why.NOT_A_WALL
    if state not in {"door_open", "door_closed"}:
        return Why.NOT_A_DOOR
    if "shut" in slot.flags and state == "door_open":
        return Why.DOOR_OPEN
    return Why.DOOR_CLOSED if "ajar" in slot.flags and state == "door_closed" else None


def why_unfit(scene: Scene, slot: Slot, part: str, before: Sequence[str]) -> Why | None:
    """Why something of the pool does not fill a slot at an anchor, after what fills those before.

    Args:
        scene: the anchor.
        slot: the slot.
        part: what is to fill it.
        before: what fills the slots before it, in order.
    """
    if part in before and slot.is_piece:
        return Why.CHOSEN
    if slot.kind in {"W", "D", "B", "P"}:
        return None
    cell = scene.where(part)
    for flag in slot.flags:
        if flag in _PLACES:
            why = _why_not_standing(scene, slot, flag, cell)
            if why is not None:
                return why
    for relation in slot.relations:
        why = _why_unrelated(scene, relation, cell, before)
        if why is not None:
            return why
    return None


def _why_not_standing(scene: Scene, slot: Slot, flag: Flag, cell: int) -> Why | None:
    if flag == "free":
        return scene.why_not_free(cell)
    return None if slot.kind == "C" else _why_elsewhere(scene.grid, flag, cell)


def _why_unrelated(
    scene: Scene, relation: Relation, cell: int, before: Sequence[str]
) -> Why | None:
    other = before[relation.slot - 1]
    match relation:
        case Within():
            near = scene.grid.range(scene.where(other), cell) <= relation.distance
            return None if near else Why.OUT_OF_RANGE
        case AdjacentTo():
            beside = scene.grid.adjacent(scene.where(other), cell)
            return None if beside else Why.NOT_ADJACENT
        case Sees():
            return None if scene.sees(other, cell) else Why.OUT_OF_SIGHT
