"""Where a character of a steered game is to go, and what the way there costs it."""

from __future__ import annotations

import heapq
from copy import copy
from typing import Final

from msgspec.structs import replace

from games.room25.editions.endings import inside
from games.room25.model.board import LINES, NEIGHBOURS, Cell, Line
from games.room25.model.state import Character, State
from games.room25.rules.context import mode_of
from simulator.room25.goals import CHAINS, Goal

NEVER: Final = 1_000

COSTS: Final = {
    "mortal": 60,
    "acid": 6,
    "flooded": 16,
    "burning": 12,
    "trap": 12,
    "shredder": 20,
    "paranoia": 25,
    "timer": 40,
    "mirror": 6,
    "mac": 5,
    "vortex": 20,
    "jail": 8,
    "moving": 5,
    "illusion": 9,
    "cold": 3,
}
"""What entering a room costs one who wants to live; other kinds cost 1."""


class Path:
    """The goal of a game, seen from the position in ``state``."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.state = State()

    def may_leave(self) -> bool:
        """Whether everybody who is to come is in, the time is right and the key turned."""
        goal, state = self.goal, self.state
        wanted = [state.characters[n] for n in goal.insiders if state.characters[n].alive]
        time = goal.hold == "now" or (goal.hold == "last" and state.turn == state.last_turn)
        ready = bool(wanted) and time and not self._lacks_key()
        return ready and len(inside(state, wanted)) == len(wanted)

    def must_go(self, c: Character) -> bool:
        """Whether one has a reason to leave a room that it looked for.

        One who waits in a shredder had better go, so that it kills the others; and whoever is not
        to die leaves a trap.
        """
        state = self.state
        if c.id not in self.goal.victims and (c.trap is not None or c.flood is not None):
            return True
        company = state.occupants(c.cell or "")
        sawing = state.grid[c.cell or ""].kind == "shredder"
        return sawing and len(company) > 1 and company[0].id == c.id

    def wanted(self, c: Character) -> tuple[str, ...]:
        """The kinds of room that a character is looking for."""
        goal = self.goal
        if c.id in goal.victims:
            early = goal.victims[c.id] == "timer" and self.state.turn < self.state.last_turn
            return ("empty", "dark") if early else (goal.victims[c.id],)
        if c.id in goal.seekers:
            return (goal.seekers[c.id],)
        if c.id in goal.insiders:
            return ("key",) if self._lacks_key() and self._is_bearer(c) else ("room25",)
        if c.id in goal.wanderers:
            return CHAINS
        return ("empty", "dark", "vision")

    def _lacks_key(self) -> bool:
        needed = mode_of(self.state).needs_key and not self.goal.keyless
        return needed and not self.state.key_activated

    def _is_bearer(self, c: Character) -> bool:
        """Whether a character is the one that is nearest to the key."""
        where = next((cell for cell, t in self.state.grid.items() if t.kind == "key"), None)
        if where is None:
            return False

        def far(other: Character) -> int:
            here = other.cell or where
            return abs(int(here[1]) - int(where[1])) + abs(int(here[3]) - int(where[3]))

        insiders = [self.state.characters[name] for name in sorted(self.goal.insiders)]
        return min((i for i in insiders if i.alive), key=far).id == c.id

    def after(self, line: Line, shift: str) -> int:
        """How far the insiders would be from their goals after a line has moved."""
        if not self.goal.insiders:
            return 0
        cells = LINES[line]
        to = cells[1:] + cells[:1] if shift.endswith(("right", "down")) else cells[-1:] + cells[:-1]
        moves = dict(zip(cells, to, strict=True))
        here = self.state
        there = copy(here)
        there.grid = {moves.get(where, where): tile for where, tile in here.grid.items()}
        there.characters = {
            name: replace(c, cell=moves.get(c.cell or "", c.cell))
            for name, c in here.characters.items()
        }
        self.state = there
        ways = [
            self.distance(c) for name in self.goal.insiders if (c := there.characters[name]).alive
        ]
        self.state = here
        return sum(ways)

    def goals(self, c: Character) -> list[Cell]:
        """Where those rooms lie, as the truth knows."""
        wanted = self.wanted(c)
        found = [where for where, tile in self.state.grid.items() if tile.kind in wanted]
        if c.id in self.goal.wanderers:
            return [where for where in found if where != c.cell] or found
        return found

    def distance(self, c: Character) -> int:
        """What is left of the way; 0 at its end."""
        return self.togo(c)[c.cell or ""]

    def togo(self, c: Character) -> dict[Cell, int]:
        """The cost of the way from each cell to the nearest goal (Dijkstra, backwards)."""
        costs = dict.fromkeys(self.state.grid, NEVER)
        heap = [(0, where) for where in self.goals(c)]
        for _, where in heap:
            costs[where] = 0
        while heap:
            cost, where = heapq.heappop(heap)
            if cost > costs[where]:
                continue
            before = cost + self._entry(c, where)
            for near in NEIGHBOURS[where].values():
                if before < costs[near]:
                    costs[near] = before
                    heapq.heappush(heap, (before, near))
        return costs

    def toll(self, c: Character) -> dict[Cell, int]:
        """The cost of entering each cell and going on from there."""
        togo = self.togo(c)
        return {where: togo[where] + self._entry(c, where) for where in togo}

    def _entry(self, c: Character, where: Cell) -> int:
        """What entering a cell costs a character; nothing where it wants to be."""
        tile = self.state.grid[where]
        if tile.seal or (tile.lock and c.id != "emmett"):
            return NEVER
        if tile.kind in self.wanted(c):
            return 1
        kind = tile.kind or ""
        if kind == "acid" and self.state.occupants(where):
            return COSTS["mortal"]
        return COSTS.get(kind, 1)
