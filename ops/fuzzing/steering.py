"""The steering driver: it reads the truth, plays all seats together and aims at a rare end."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import Final

from events.kernel import Decision, Option
from games.room25.board import NEIGHBOURS, Cell, wraps
from games.room25.endings import inside
from games.room25.state import Character, State
from ops.fuzzing.chance import chance
from ops.fuzzing.goals import CHAINS, Goal, goal_of
from ops.fuzzing.match import Match, meaning, option_ids
from ops.fuzzing.plans import Plan

NEVER: Final = 1_000

COSTS: Final = {
    "mortal": 60,
    "acid": 2,
    "flooded": 12,
    "trap": 2,
    "vortex": 20,
    "jail": 8,
    "moving": 5,
    "illusion": 9,
    "cold": 3,
}
"""What entering a room costs one who wants to live; other kinds cost 1."""

WHIM: Final = 0.03
"""How often the driver does anything at all instead."""


class Steering:
    """Picks the options that bring a game nearer to its goal."""

    def __init__(self, plan: Plan) -> None:
        self.rng = chance("steering", plan.seed)
        self._goal: Goal | None = None

    def goal(self, state: State) -> Goal:
        """What this game aims at, fixed when it begins."""
        if self._goal is None:
            self._goal = goal_of(self.rng, state)
        return self._goal

    def pick(self, match: Match, decision: Decision) -> str:
        """The option that serves the goal best."""
        state = match.play
        if self.rng.random() < WHIM:
            return self.rng.choice(decision.options).id
        chosen = {
            "starting_clue": self._any,
            "program": self._program,
            "delay_single": self._delay,
            "free_action": self._free,
            "look_target": self._any,
            "vision_target": self._any,
            "move_target": self._step,
            "push_target": self._push,
            "control_target": self._shift,
            "control_room": self._shift,
            "moving_target": self._ride,
            "illusion_target": self._deceive,
            "tunnel_target": self._step,
        }[decision.kind](state, decision)
        offered = option_ids(decision)
        return chosen if chosen in offered else self.rng.choice(offered)

    def acts(self, match: Match, decision: Decision) -> str | None:
        """Guards show themselves and seats give up as the goal says; the rest by chance."""
        goal = self.goal(match.play)
        if decision.kind == "resign":
            wanted = decision.seat in goal.resigns and match.play.turn >= goal.resign_turn
        elif decision.kind == "reveal_guard":
            shows = {match.play.characters[name].seat for name in goal.shows}
            wanted = decision.seat in shows
        elif decision.kind == "return":
            wanted = self.rng.random() < 0.5  # noqa: PLR2004 (a share)
        else:
            wanted = self.rng.random() < match.plan.temper.voluntary
        return self.rng.choice(decision.options).id if wanted else None

    # --- what each decision is answered with ---

    def _any(self, _: State, decision: Decision) -> str:
        return self.rng.choice(decision.options).id

    def _program(self, state: State, decision: Decision) -> str:
        """Go on, push out, or wait with a look; a filler that does no harm comes with it."""
        c = state.characters[decision.character or ""]
        token = self._wish(state, c)
        if c.limited:
            return token
        if token == "look":  # noqa: S105 (an action)
            return "look"
        if c.trap is not None or self.rng.randrange(3):
            return f"{token}+look"
        return self.rng.choice((token, f"look+{token}", f"{token}+push"))

    def _wish(self, state: State, c: Character) -> str:
        """The action that a character needs now."""
        goal = self.goal(state)
        if c.id in goal.actors and self._may_leave(state):
            return "control"
        if self._distance(state, c) == 0 and c.id not in goal.wanderers:
            return "look"
        return "move"

    def _may_leave(self, state: State) -> bool:
        """Whether everybody who is to come is in, and the time is right."""
        goal = self.goal(state)
        wanted = [state.characters[n] for n in goal.insiders if state.characters[n].alive]
        time = goal.hold == "now" or (goal.hold == "last" and state.turn == state.last_turn)
        return bool(wanted) and time and len(inside(state, wanted)) == len(wanted)

    def _delay(self, state: State, decision: Decision) -> str:
        """Push out as soon as it makes sense, else by chance."""
        c = state.characters[decision.character or ""]
        if c.id in self.goal(state).actors:
            return "play_now" if self._may_leave(state) else "delay"
        return self.rng.choice(option_ids(decision))

    def _free(self, state: State, decision: Decision) -> str:
        """What a programme would have held; pass rather than do harm."""
        token = self._wish(state, state.characters[decision.character or ""])
        offered = option_ids(decision)
        return next(t for t in (token, "pass", "look", *offered) if t in offered)

    def _step(self, state: State, decision: Decision) -> str:
        c = state.characters[decision.character or ""]
        toll = self._toll(state, c)
        return self._best(decision.options, lambda o: toll[meaning(o, "cell")])

    def _push(self, state: State, decision: Decision) -> str:
        """Push others where they are to go."""

        def cost(option: Option) -> int:
            victim = state.characters[meaning(option, "character")]
            return self._toll(state, victim)[meaning(option, "cell")]

        return self._best(decision.options, cost)

    def _shift(self, state: State, decision: Decision) -> str:
        """Push Room 25 out if the time has come, else leave it where it is."""
        exit_cell = state.where_kind("room25")
        leaving = self._may_leave(state)

        def cost(option: Option) -> int:
            line, way = meaning(option, "line"), meaning(option, "way")
            leaves = exit_cell is not None and wraps(line, way) == exit_cell
            return (0 if leaves else 1) if leaving else int(leaves)

        return self._best(decision.options, cost)

    def _ride(self, state: State, decision: Decision) -> str:
        """Ride to where the goal is nearest."""
        togo = self._togo(state, state.characters[decision.character or ""])
        return self._best(decision.options, lambda o: togo[meaning(o, "cell")])

    def _deceive(self, state: State, decision: Decision) -> str:
        """Have the very room dealt that is wanted."""
        c = state.characters[decision.character or ""]
        wanted = self._wanted(state, c)

        def cost(option: Option) -> int:
            kind = state.grid[meaning(option, "cell")].kind or ""
            return 0 if kind in wanted else COSTS.get(kind, 1)

        return self._best(decision.options, cost)

    def _best(self, options: Iterable[Option], cost: Callable[[Option], int]) -> str:
        """One of the cheapest options."""
        costs = {option.id: cost(option) for option in options}
        least = min(costs.values())
        return self.rng.choice([name for name, found in costs.items() if found == least])

    # --- the way ---

    def _wanted(self, state: State, c: Character) -> tuple[str, ...]:
        """The kinds of room that a character is looking for."""
        goal = self.goal(state)
        if c.id in goal.victims:
            return (goal.victims[c.id],)
        if c.id in goal.insiders:
            return ("room25",)
        if c.id in goal.wanderers:
            return CHAINS
        return ("empty", "dark", "vision")

    def _goals(self, state: State, c: Character) -> list[Cell]:
        """Where those rooms lie, as the truth knows."""
        wanted = self._wanted(state, c)
        found = [where for where, tile in state.grid.items() if tile.kind in wanted]
        if c.id in self.goal(state).wanderers:
            return [where for where in found if where != c.cell] or found
        return found

    def _distance(self, state: State, c: Character) -> int:
        return self._togo(state, c)[c.cell or ""]

    def _togo(self, state: State, c: Character) -> dict[Cell, int]:
        """The cost of the way from each cell to the nearest goal (Dijkstra, backwards)."""
        costs = dict.fromkeys(state.grid, NEVER)
        heap = [(0, where) for where in self._goals(state, c)]
        for _, where in heap:
            costs[where] = 0
        while heap:
            cost, where = heapq.heappop(heap)
            if cost > costs[where]:
                continue
            before = cost + self._entry(state, c, where)
            for near in NEIGHBOURS[where].values():
                if before < costs[near]:
                    costs[near] = before
                    heapq.heappush(heap, (before, near))
        return costs

    def _toll(self, state: State, c: Character) -> dict[Cell, int]:
        """The cost of entering each cell and going on from there."""
        togo = self._togo(state, c)
        return {where: togo[where] + self._entry(state, c, where) for where in togo}

    def _entry(self, state: State, c: Character, where: Cell) -> int:
        """What entering a cell costs a character; nothing where it wants to be."""
        tile = state.grid[where]
        if tile.seal:
            return NEVER
        if tile.kind in self._wanted(state, c):
            return 1
        kind = tile.kind or ""
        if kind == "acid" and state.occupants(where):
            return COSTS["mortal"]
        return COSTS.get(kind, 1)
