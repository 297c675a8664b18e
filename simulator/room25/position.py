"""A position as the table sees it, for the oracles: rooms, steps, lines (§1.1, §4.5, §5.2, §7.2).

Worked out by rows and columns from what lies open; it shares no function with the engine. What the
editions do differently is told here by their names: an oracle may know which book it reads.
"""

from __future__ import annotations

from typing import Final

from games.room25.model.state import Character, State

STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
TOKENS: Final = ("look", "move", "push", "control")
MOVABLE: Final = (0, 1, 3, 4)
LINES: Final = tuple(f"row{n}" for n in MOVABLE) + tuple(f"col{n}" for n in MOVABLE)
CENTRE: Final = (2, 2)
BACK: Final = {"left": "right", "right": "left", "up": "down", "down": "up"}

PROTOTYPE: Final = "prototype"
FAMILY: Final = ("bga", "ultimate")
"""The rulebooks with abilities, adrenaline, robots and cards (R1)."""

COLOURS: Final = {
    "blue": {"central", "room25", "key"},
    "green": {
        "empty",
        "vision",
        "moving",
        "control",
        "tunnel",
        "regeneration",
        "robot",
        "secrets",
    },
    "yellow": {
        "vortex",
        "jail",
        "cold",
        "dark",
        "pivoting",
        "mac",
        "mirror",
        "jamming",
        "condemned",
    },
    "red": {
        "acid",
        "trap",
        "flooded",
        "burning",
        "mortal",
        "shredder",
        "paranoia",
        "timer",
        "illusion",
    },
}
"""Which colour a kind of room has (§1.1)."""

COLOUR_OF: Final = {kind: colour for colour, kinds in COLOURS.items() for kind in kinds}

SAFETY: Final = ({"green", "blue"}, {"yellow"}, {None}, {"red"})
"""D-SAFE: the colours from the safest to the worst; None is a room that nobody has seen."""

Place = tuple[int, int]


PLACES: Final = {f"r{r}c{c}": (r, c) for r in range(5) for c in range(5)}
"""The row and column of each cell, row-major."""

NAMES: Final = {place: cell for cell, place in PLACES.items()}


def name(place: Place) -> str:
    """A cell as option ids have it."""
    return NAMES[place]


def place_of(cell: str) -> Place:
    """The row and column of a cell."""
    return PLACES[cell]


def ways_of(line: str) -> tuple[str, str]:
    """The two directions of a line."""
    return ("left", "right") if line.startswith("row") else ("up", "down")


def colour_of(kind: str | None) -> str | None:
    """The colour of a kind, None for a room that nobody has seen."""
    return None if kind is None else COLOUR_OF[kind]


def has_specials(state: State) -> bool:
    """Whether the characters play with their abilities, active and passive (§6.1, R136)."""
    return state.rulebook in FAMILY and bool(state.options.get("specials"))


def is_guard(c: Character) -> bool:
    """Whether a role is one of the guards', the prototype's five among them."""
    return c.role not in {None, "prisoner"}


class TablePosition:
    """What lies on the table."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.book = state.rulebook
        self.tiles = {place: state.grid[cell] for cell, place in PLACES.items()}
        self.robots = [None if cell is None else place_of(cell) for cell in state.robots]

    def shown(self, place: Place) -> str | None:
        """The kind of a face-up room."""
        tile = self.tiles[place]
        return tile.kind if tile.up else None

    def colour(self, place: Place) -> str | None:
        """The colour of a face-up room (R76)."""
        return colour_of(self.shown(place))

    def at(self, c: Character) -> Place:
        """Where a living character stands."""
        return place_of(c.cell or "")

    def near(self, place: Place) -> list[Place]:
        """Orthogonal neighbours: up, right, down, left."""
        steps = ((place[0] + dr, place[1] + dc) for dr, dc in STEPS)
        return [near for near in steps if near in self.tiles]

    def ways_out(self, place: Place) -> list[Place]:
        """The neighbours to which a room opens: both ends of a corridor, else all (§5.2.4)."""
        near = self.near(place)
        if self.shown(place) != "pivoting":
            return near
        sideways = self.tiles[place].axis == "horizontal"
        return [there for there in near if (there[0] == place[0]) is sideways]

    def standing(self, place: Place) -> list[Character]:
        """Who stands somewhere, in turn order."""
        everybody = [self.state.characters[n] for n in self.state.order]
        return [c for c in everybody if c.alive and c.cell == name(place)]

    def others(self, c: Character) -> list[Character]:
        """Who stands with a character, in turn order."""
        return [other for other in self.standing(self.at(c)) if other.id != c.id]

    def is_free(self, place: Place) -> bool:
        """Whether neither a character nor a robot is there."""
        return place not in self.robots and not self.standing(place)

    def down(self) -> list[str]:
        """The face-down cells, row-major."""
        return [NAMES[place] for place, tile in self.tiles.items() if not tile.up]

    def lets_in(self, place: Place, c: Character) -> bool:
        """OPEN of §5.2.2: no seal, and no lock but for Emmett with his pin (R136)."""
        tile = self.tiles[place]
        pinned = c.id == "emmett" and has_specials(self.state)
        return not tile.seal and (pinned or not tile.lock)

    def leads(self, c: Character, there: Place) -> bool:
        """STEP of §5.2: whether a character may be moved one room, to ``there``."""
        here = self.at(c)
        if there not in self.ways_out(here) or not self.lets_in(there, c):
            return False
        if self.shown(here) != "jail":
            return True
        centre = there == CENTRE and self.book != PROTOTYPE
        return centre or not self.is_free(there)

    def steps(self, c: Character) -> list[str]:
        """Where a character may be moved."""
        return [name(there) for there in self.near(self.at(c)) if self.leads(c, there)]

    def yellow_steps(self, c: Character) -> list[str]:
        """Where cards may push a character: to open yellow rooms (§6.4)."""
        return [cell for cell in self.steps(c) if self.colour(place_of(cell)) == "yellow"]

    def shifts(self, lines: tuple[str, ...] | list[str]) -> list[str]:
        """The ways in which lines may move: not against their markers, where these bind (§7.2)."""
        markers = {} if self.book == PROTOTYPE else self.state.markers
        return [
            f"{line}:{way}"
            for line in lines
            for way in ways_of(line)
            if markers.get(line) != BACK[way]
        ]

    def safest(self, cells: list[str]) -> str:
        """The first of the safest cells (D-SAFE)."""
        colours = [(cell, self.colour(place_of(cell))) for cell in cells]
        return next(cell for level in SAFETY for cell, colour in colours if colour in level)
