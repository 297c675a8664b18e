"""Where figures may go and which lines may move: the legal options of §4.5 and §5.2 (pure).

Everything here reads public facts only: face-up tiles, figures, markers.
"""

from __future__ import annotations

from events.kernel import Option
from games.room25.model.board import (
    AXIS,
    CENTRE,
    LINE_WAYS,
    LINES,
    NEIGHBOURS,
    OPPOSITE,
    Cell,
    Direction,
    Line,
    direction_to,
    lines_through,
)
from games.room25.model.catalogue import color_of
from games.room25.model.meanings import corridor, has, shows, stands_in
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State, Tile
from games.room25.rules.context import rulebook_of

_SAFETY = {"green": 0, "blue": 0, "yellow": 1, "red": 3}
_FACE_DOWN_SAFETY = 2


def shown_kind(tile: Tile) -> str | None:
    """The kind of a tile as the table sees it: None while it lies face-down."""
    return tile.kind if tile.up else None


def is_blue(tile: Tile) -> bool:
    """Whether a tile is a face-up blue one."""
    return shown_color(tile) == "blue"


def shown_color(tile: Tile) -> str | None:
    """The colour of a face-up tile; face-down ones have none that anybody knows (R76)."""
    kind = shown_kind(tile)
    return None if kind is None else color_of(kind)


def adjacent(where: Cell) -> tuple[Cell, ...]:
    """The orthogonal neighbours; abilities and cards ignore corridors."""
    return tuple(NEIGHBOURS[where].values())


def why_closed(state: State, character: Character, where: Cell) -> Why | None:
    """Why nobody, or not this character, may enter a room; None: it is OPEN (§5.2.2)."""
    tile = state.grid[where]
    if tile.seal:
        return Why.SEALED
    return Why.LOCKED if tile.lock and not has(state, character, "pin") else None


def is_open(state: State, where: Cell, character: Character) -> bool:
    """OPEN of §5.2.2: neither sealed nor locked to this character."""
    return why_closed(state, character, where) is None


def _no_step(
    state: State, character: Character, start: Cell, way: Direction, apart: tuple[str, ...] = ()
) -> Why | None:
    """Why ``character``, who is at ``start``, may not be moved one room that way (STEP of §5.2)."""
    where = NEIGHBOURS[start][way]
    closed = why_closed(state, character, where)
    if closed is not None:
        return closed
    tile = state.grid[start]
    if shows(tile, "confining"):
        opens = where == CENTRE and rulebook_of(state).jail_to_centre
        company = any(c.id not in {character.id, *apart} for c in state.occupants(where))
        return None if opens or company or where in state.robots else Why.CONFINED
    crosses = shows(tile, "corridor") and tile.axis != AXIS[way]
    return Why.NO_CORRIDOR if crosses else None


def why_not_yellow(state: State, where: Cell) -> Why | None:
    """Why no card brings anybody to a room: it is no face-up yellow one (§6.4)."""
    return None if shown_color(state.grid[where]) == "yellow" else Why.NOT_YELLOW


def apart_from(start: Cell, where: Cell) -> Why:
    """Why a room that is not adjacent is none of those around ``start``."""
    return Why.START if start == where else Why.NOT_ADJACENT


def why_no_step(
    state: State, character: Character, where: Cell, apart: tuple[str, ...] = ()
) -> Why | None:
    """Why ``character`` may not be moved to ``where``; None: it may (STEP of §5.2).

    ``apart`` are those who move along, whose company does not open a confining room.
    """
    start = character.cell
    if start is None:
        return Why.ELIMINATED
    way = direction_to(start, where)
    if way is None:
        return apart_from(start, where)
    return _no_step(state, character, start, way, apart)


def may_step(state: State, character: Character, where: Cell, apart: tuple[str, ...] = ()) -> bool:
    """Whether ``why_no_step`` has nothing against it."""
    return why_no_step(state, character, where, apart) is None


def steps(state: State, character: Character) -> list[Cell]:
    """The cells that a character may be moved to, in direction order."""
    start = character.cell
    if start is None:
        return []
    around = NEIGHBOURS[start].items()
    return [where for way, where in around if _no_step(state, character, start, way) is None]


def safety(state: State, where: Cell) -> int:
    """D-SAFE of §4.7: the smaller, the safer it looks to everybody."""
    kind = shown_kind(state.grid[where])
    return _FACE_DOWN_SAFETY if kind is None else _SAFETY[color_of(kind)]


def safest(state: State, cells: list[Cell]) -> Cell:
    """The first of the safest cells."""
    return min(cells, key=lambda where: safety(state, where))


def face_down(state: State) -> list[Cell]:
    """All face-down cells, row-major."""
    return [where for where, tile in state.grid.items() if not tile.up]


def why_no_shift(state: State, line: Line, way: Direction) -> Why | None:
    """Why a line's marker does not let it move that way; None: it does (§7.2)."""
    moved_against = rulebook_of(state).direction_lock and state.markers.get(line) == OPPOSITE[way]
    return Why.MOVED_AGAINST if moved_against else None


def may_shift(state: State, line: Line, way: Direction) -> bool:
    """Whether a line's marker lets it move that way (§7.2)."""
    return why_no_shift(state, line, way) is None


def shift_options(state: State, lines: tuple[Line, ...]) -> list[Option]:
    """The legal shifts of some lines, in canonical order."""
    return [
        Option(f"{line}:{way}", {"line": line, "way": way})
        for line in lines
        for way in LINE_WAYS[line]
        if may_shift(state, line, way)
    ]


def cell_options(cells: list[Cell]) -> list[Option]:
    """Cells as options."""
    return [Option(where, {"cell": where}) for where in cells]


def _no_look(state: State, start: Cell, way: Direction, axis: str | None) -> Why | None:
    """Why nobody at ``start``, where a corridor may lie along ``axis``, looks at that neighbour."""
    if state.grid[NEIGHBOURS[start][way]].up:
        return Why.FACE_UP
    return None if axis in {None, AXIS[way]} else Why.NO_CORRIDOR


def why_no_look(state: State, start: Cell, where: Cell) -> Why | None:
    """Why one at ``start``, in the light, may not look at ``where``; None: one may (§4.5)."""
    way = direction_to(start, where)
    if way is None:
        return Why.FACE_UP if state.grid[where].up else Why.NOT_ADJACENT
    return _no_look(state, start, way, corridor(state.grid[start]))


def look_options(state: State, character: Character) -> list[Option]:
    """Orthogonal face-down neighbours; none from the dark (§4.5, R28)."""
    if character.cell is None or stands_in(state, character, "lightless"):
        return []
    start = character.cell
    axis, around = corridor(state.grid[start]), NEIGHBOURS[start].items()
    return cell_options(
        [where for way, where in around if _no_look(state, start, way, axis) is None]
    )


def move_options(state: State, character: Character) -> list[Option]:
    """Every step that is open (§4.5)."""
    return cell_options(steps(state, character))


def why_no_victim(state: State, character: Character, other: Character) -> Why | None:
    """Why another character cannot be seen to be pushed; None: it can (§4.5).

    Who can hide sees a hidden imitator.
    """
    if other.cell is None:
        return Why.ELIMINATED
    if other.cell != character.cell:
        return Why.ELSEWHERE
    if not other.hidden or (has(state, character, "invisibility") and has(state, other, "mimic")):
        return None
    return Why.HIDDEN


def why_not_together(character: Character, other: Character) -> Why | None:
    """Why another character is not to be seen in the same room; None: it is."""
    if not other.alive:
        return Why.ELIMINATED
    if other.cell != character.cell:
        return Why.ELSEWHERE
    return Why.HIDDEN if other.hidden else None


def push_options(state: State, character: Character) -> list[Option]:
    """Each other visible character on the tile, and where it may be pushed (§4.5, R32)."""
    if character.cell is None or character.cell == CENTRE:
        return []
    return [
        Option(f"{victim.id}:{where}", {"character": victim.id, "cell": where})
        for victim in state.occupants(character.cell)
        if victim.id != character.id and why_no_victim(state, character, victim) is None
        for where in steps(state, victim)
    ]


def why_no_control(state: State, start: Cell, line: Line, way: Direction) -> Why | None:
    """Why one who is at ``start``, not the centre, may not shift a line; None: one may (§4.5)."""
    if start not in LINES[line]:
        return Why.OTHER_LINE
    return why_no_shift(state, line, way)


def control_options(state: State, character: Character) -> list[Option]:
    """The character's own row and column, unless it stands in the centre (§4.5, R36)."""
    if character.cell is None or character.cell == CENTRE:
        return []
    return shift_options(state, lines_through(character.cell))


def chamber_options(state: State) -> list[Option]:
    """The Control Chamber's choice: any movable line (D9)."""
    return shift_options(state, tuple(LINES))
