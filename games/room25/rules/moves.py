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


def is_open(state: State, where: Cell, character: Character) -> bool:
    """OPEN of §5.2.2: neither sealed nor locked to this character."""
    tile = state.grid[where]
    return not tile.seal and (not tile.lock or has(state, character, "pin"))


def may_step(state: State, character: Character, where: Cell, apart: tuple[str, ...] = ()) -> bool:
    """STEP of §5.2: may ``character`` be moved one room to ``where``?

    ``apart`` are those who move along, whose company does not open a confining room.
    """
    start = character.cell
    if start is None or not is_open(state, where, character):
        return False
    way = direction_to(start, where)
    if way is None:
        return False
    tile = state.grid[start]
    if shows(tile, "confining"):
        opens = where == CENTRE and rulebook_of(state).jail_to_centre
        company = any(c.id not in {character.id, *apart} for c in state.occupants(where))
        return opens or company or where in state.robots
    return not shows(tile, "corridor") or tile.axis == AXIS[way]


def steps(state: State, character: Character) -> list[Cell]:
    """The cells that a character may be moved to, in direction order."""
    if character.cell is None:
        return []
    return [n for n in NEIGHBOURS[character.cell].values() if may_step(state, character, n)]


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


def may_shift(state: State, line: Line, way: Direction) -> bool:
    """Whether a line's marker lets it move that way (§7.2)."""
    return not rulebook_of(state).direction_lock or state.markers.get(line) != OPPOSITE[way]


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


def look_options(state: State, character: Character) -> list[Option]:
    """Orthogonal face-down neighbours; none from the dark (§4.5, R28)."""
    if character.cell is None or stands_in(state, character, "lightless"):
        return []
    axis = corridor(state.grid[character.cell])
    return cell_options(
        [
            where
            for way, where in NEIGHBOURS[character.cell].items()
            if not state.grid[where].up and axis in {None, AXIS[way]}
        ]
    )


def move_options(state: State, character: Character) -> list[Option]:
    """Every step that is open (§4.5)."""
    return cell_options(steps(state, character))


def _sees(state: State, character: Character, other: Character) -> bool:
    """Who can hide sees a hidden imitator (§4.5)."""
    imitated = has(state, character, "invisibility") and has(state, other, "mimic")
    return not other.hidden or imitated


def push_options(state: State, character: Character) -> list[Option]:
    """Each other visible character on the tile, and where it may be pushed (§4.5, R32)."""
    if character.cell is None or character.cell == CENTRE:
        return []
    return [
        Option(f"{victim.id}:{where}", {"character": victim.id, "cell": where})
        for victim in state.occupants(character.cell)
        if victim.id != character.id and _sees(state, character, victim)
        for where in steps(state, victim)
    ]


def control_options(state: State, character: Character) -> list[Option]:
    """The character's own row and column, unless it stands in the centre (§4.5, R36)."""
    if character.cell is None or character.cell == CENTRE:
        return []
    return shift_options(state, lines_through(character.cell))


def chamber_options(state: State) -> list[Option]:
    """The Control Chamber's choice: any movable line (D9)."""
    return shift_options(state, tuple(LINES))
