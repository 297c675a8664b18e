"""The oracle of what is legal: the options and the default of every question, worked out anew.

Written from the rules (§4.3.2, §4.5, §4.7, §5.2, §7.2), by rows and columns, from what lies face-up
alone; it shares no function with the engine. First edition only: a rulebook with more rooms,
tokens or powers adds its own here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Final

from events.kernel import Decision
from games.room25.state import Character, State
from ops.fuzzing.match import Match, Step, option_ids, require

STEPS: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))
TOKENS: Final = ("look", "move", "push", "control")
MOVABLE: Final = (0, 1, 3, 4)
SIDE: Final = 5
CENTRE: Final = (2, 2)
BACK: Final = {"left": "right", "right": "left", "up": "down", "down": "up"}
GREEN: Final = {"empty", "vision", "moving", "control", "tunnel"}
BLUE: Final = {"central", "room25"}
YELLOW: Final = {"vortex", "jail", "cold", "dark"}

Place = tuple[int, int]


def name(place: Place) -> str:
    """A cell as option ids have it."""
    return f"r{place[0]}c{place[1]}"


class Position:
    """A position as the table sees it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.tiles = {(int(c[1]), int(c[3])): tile for c, tile in state.grid.items()}

    def shown(self, place: Place) -> str | None:
        """The kind of a face-up room."""
        tile = self.tiles[place]
        return tile.kind if tile.up else None

    def at(self, c: Character) -> Place:
        """Where a living character stands."""
        return next(place for place in self.tiles if name(place) == c.cell)

    def near(self, place: Place) -> list[Place]:
        """Orthogonal neighbours: up, right, down, left."""
        steps = ((place[0] + dr, place[1] + dc) for dr, dc in STEPS)
        return [near for near in steps if near in self.tiles]

    def standing(self, place: Place) -> list[Character]:
        """Who stands somewhere, in turn order."""
        everybody = [self.state.characters[n] for n in self.state.order]
        return [c for c in everybody if c.alive and c.cell == name(place)]

    def down(self) -> list[str]:
        """The face-down cells."""
        return [name(place) for place, tile in sorted(self.tiles.items()) if not tile.up]

    def steps(self, c: Character) -> list[str]:
        """Where a character may be moved (§5.2)."""
        here = self.at(c)
        found = []
        for there in self.near(here):
            if self.tiles[there].seal:
                continue
            helped = there == CENTRE or any(o.id != c.id for o in self.standing(there))
            if self.shown(here) != "jail" or helped:
                found.append(name(there))
        return found

    def shifts(self, lines: list[str]) -> list[str]:
        """The ways in which lines may move: not against their markers (§7.2)."""
        return [
            f"{line}:{way}"
            for line in lines
            for way in (("left", "right") if line.startswith("row") else ("up", "down"))
            if self.state.markers.get(line) != BACK[way]
        ]

    def safety(self, cell: str) -> int:
        """D-SAFE: green and blue, yellow, unknown, red."""
        kind = self.shown((int(cell[1]), int(cell[3])))
        if kind is None:
            return 2
        return 0 if kind in GREEN | BLUE else 1 if kind in YELLOW else 3

    def safest(self, cells: list[str]) -> str:
        """The first of the safest."""
        return next(c for level in range(4) for c in cells if self.safety(c) == level)


def options_of(state: State, d: Decision) -> list[str]:
    """The option ids of a blocking decision, in canonical order."""
    position = Position(state)
    return _OPTIONS[d.kind](position, state.characters[d.character or _any(state)])


def _any(state: State) -> str:
    """A character for decisions that are about none."""
    return next(iter(state.characters))


def default_of(state: State, d: Decision, options: list[str]) -> str:
    """The option that a time-out takes (§4.7)."""
    position = Position(state)
    if d.kind == "move_target":
        return position.safest(options)
    if d.kind == "push_target":
        first = options[0].split(":")[0]
        cells = [o.split(":")[1] for o in options if o.startswith(f"{first}:")]
        return f"{first}:{position.safest(cells)}"
    if d.kind == "free_action" and "pass" in options:
        return "pass"
    return options[0]


def _clue(_: Position, __: Character) -> list[str]:
    return ["r1c2", "r2c3", "r3c2", "r2c1"]


def _program(p: Position, c: Character) -> list[str]:
    pairs = [] if p.shown(p.at(c)) == "cold" else permutations(TOKENS, 2)
    return [*TOKENS, *("+".join(pair) for pair in pairs)]


def _delay(_: Position, __: Character) -> list[str]:
    return ["play_now", "delay"]


def _free(_: Position, c: Character) -> list[str]:
    return [t for t in TOKENS if t not in c.used] + ([] if c.passed else ["pass"])


def _look(p: Position, c: Character) -> list[str]:
    here = p.at(c)
    dark = p.shown(here) == "dark"
    return [] if dark else [name(n) for n in p.near(here) if not p.tiles[n].up]


def _move(p: Position, c: Character) -> list[str]:
    return p.steps(c)


def _push(p: Position, c: Character) -> list[str]:
    here = p.at(c)
    victims = [] if here == CENTRE else [v for v in p.standing(here) if v.id != c.id]
    return [f"{v.id}:{cell}" for v in victims for cell in p.steps(v)]


def _control(p: Position, c: Character) -> list[str]:
    row, column = p.at(c)
    lines = [f"row{row}"] * (row in MOVABLE) + [f"col{column}"] * (column in MOVABLE)
    return p.shifts(lines)


def _down(p: Position, _: Character) -> list[str]:
    return p.down()


def _chamber(p: Position, _: Character) -> list[str]:
    return p.shifts([f"row{n}" for n in MOVABLE] + [f"col{n}" for n in MOVABLE])


_OPTIONS: Final[dict[str, Callable[[Position, Character], list[str]]]] = {
    "starting_clue": _clue,
    "program": _program,
    "delay_single": _delay,
    "free_action": _free,
    "look_target": _look,
    "move_target": _move,
    "push_target": _push,
    "control_target": _control,
    "vision_target": _down,
    "moving_target": _down,
    "illusion_target": _down,
    "control_room": _chamber,
}


class Legal:
    """Compares the options and defaults of all that is asked with the rules as told here."""

    def accepted(self, match: Match, step: Step) -> None:
        """Look at what is asked now."""
        wait = match.wait()
        for d in () if wait is None or step.after.phase != "live" else wait.pending:
            wanted = options_of(match.play, d)
            require(option_ids(d) == wanted, f"{d.id} offers {option_ids(d)}, not {wanted}")
            default = default_of(match.play, d, wanted)
            require(d.default == default, f"{d.id} defaults to {d.default}, not to {default}")

    def ended(self, match: Match) -> None:
        """Nothing is asked any more."""
