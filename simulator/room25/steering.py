"""The steering driver: it reads the truth, plays all seats together and aims at a rare end.

``Path`` knows where a character is to go and what the way costs; ``Steering`` answers decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from events.kernel import Decision, Option
from games.room25.model.board import CENTRE, LINES, Cell, Direction, Line
from games.room25.model.cards import MADNESS
from games.room25.model.catalogue import GUARD_IDENTITIES, SPECIAL, color_of
from games.room25.model.state import Character, State
from games.room25.rules.context import rulebook_of
from simulator.chance import chance
from simulator.room25.goals import goal_of
from simulator.room25.path_finder import COSTS, NEVER, Path
from simulator.room25.plans import Plan
from simulator.room25.run import Run
from simulator.run import meaning, option_ids

WHIM: Final = 0.015
"""How often the driver does anything at all instead."""

POWERS: Final = {"hacker": "control", "brute": "push", "architect": "look", "killer": "move"}
"""The token that a guard's power adds to."""

SHUTTING: Final = ("condemned", "moving", "illusion")
"""Rooms into which a second victim cannot always follow the first (R118)."""


class Steering:
    """Picks the options that bring a game nearer to its goal."""

    def __init__(self, plan: Plan) -> None:
        self.rng = chance("steering", plan.seed)
        self._way: Path | None = None

    def way(self, state: State) -> Path:
        """What this game aims at, fixed when it begins, in the position of now."""
        if self._way is None:
            self._way = Path(goal_of(self.rng, state))
        self._way.state = state
        return self._way

    def pick(self, match: Run, decision: Decision) -> str:
        """The option that serves the goal best."""
        state = match.play
        if self.rng.random() < WHIM:
            return self.rng.choice(decision.options).id
        chosen = self._answers().get(decision.kind, self._any)(state, decision)
        offered = option_ids(decision)
        return chosen if chosen in offered else self.rng.choice(offered)

    def _answers(self) -> Mapping[str, Callable[[State, Decision], str]]:
        return {
            "program": self._program,
            "delay_single": self._delay,
            "free_action": self._free,
            "adrenaline_action": self._free,
            "move_target": self._step,
            "killer_step": self._step,
            "tunnel_target": self._step,
            "push_target": self._push,
            "control_target": self._shift,
            "control_room": self._shift,
            "moving_target": self._ride,
            "illusion_target": self._deceive,
            "special_choice": self._special,
            "robot_order": self._order,
            "robot_order_again": self._order,
            "android": self._refuse,
            "card_android": self._refuse,
            "summon_refuse": self._refuse,
        }

    def acts(self, match: Run, decision: Decision) -> str | None:
        """Guards show themselves and seats give up as the goal says; the rest by chance."""
        goal = self.way(match.play).goal
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

    def _refuse(self, _: State, __: Decision) -> str:
        """Mostly, so that somebody else is taken."""
        return "refuse" if self.rng.randrange(4) else "accept"

    def _program(self, state: State, decision: Decision) -> str:
        """Go on, push out, or wait with a look; a filler that does no harm comes with it."""
        c = state.characters[decision.subject or ""]
        offered = set(option_ids(decision))
        token = self._wish(state, c)
        plans = [p for p in (*self._pairs(state, c, token), token, "look") if p in offered]
        chosen = plans[0] if plans else self._any(state, decision)
        hurry = token != "look" and self.rng.randrange(3)  # noqa: S105 (an action)
        boosted = f"{chosen}+adrenaline"
        return boosted if hurry and boosted in offered else chosen

    def _pairs(self, state: State, c: Character, token: str) -> list[str]:
        """Programmes of two that begin or end with a token, one of them first."""
        way = self.way(state)
        fillers = ["look", "push"]
        hopeful = way.goal.hold != "never" and c.id in way.goal.insiders
        if hopeful and c.cell != CENTRE:
            fillers += ["control"] * 3
        if SPECIAL in c.tokens and c.cell != CENTRE:
            fillers += [SPECIAL] * (1 if hopeful else 3)
        if has_guard_power(c):
            fillers += [POWERS.get(c.role or "", "push")] * 4
        filler = self.rng.choice(fillers)
        later = c.trap is None and self.rng.randrange(6) == 0
        pair = f"{filler}+{token}" if later else f"{token}+{filler}"
        return [pair] if filler != token and (c.trap is not None or self.rng.randrange(6)) else []

    def _wish(self, state: State, c: Character) -> str:
        """The action that a character needs now."""
        way = self.way(state)
        if c.id in way.goal.actors and way.may_leave():
            return "control"
        if way.distance(c) > 0 or c.id in way.goal.wanderers or way.must_go(c):
            return "move"
        return "look"

    def _delay(self, state: State, decision: Decision) -> str:
        """Push out as soon as it makes sense, else by chance."""
        c = state.characters[decision.subject or ""]
        way = self.way(state)
        if c.id in way.goal.actors:
            return "play_now" if way.may_leave() else "delay"
        return self.rng.choice(option_ids(decision))

    def _free(self, state: State, decision: Decision) -> str:
        """What a programme would have held; pass rather than do harm."""
        token = self._wish(state, state.characters[decision.subject or ""])
        offered = option_ids(decision)
        return next(t for t in (token, "pass", "look", *offered) if t in offered)

    def _step(self, state: State, decision: Decision) -> str:
        c = state.characters[decision.subject or ""]
        crowds = [o.id for o in decision.options if takes_all(state, meaning(o, "cell"))]
        if crowds and self.rng.randrange(2):
            return self.rng.choice(crowds)
        toll = self.way(state).toll(c)
        here = self.way(state).togo(c)[c.cell or ""]

        def cost(option: Option) -> int:
            cell = meaning(option, "cell")
            return toll[cell] if cell else here

        return self._best(decision.options, cost)

    def _push(self, state: State, decision: Decision) -> str:
        """Push others where they are to go; two at once is twice the fun."""

        def cost(option: Option) -> int:
            victim = state.characters[meaning(option, "character")]
            return self.way(state).toll(victim)[meaning(option, "cell")]

        double = [option.id for option in decision.options if "+" in option.id]
        shut = [name for name in double if state.grid[name.split(":")[1]].kind in SHUTTING]
        if double and self.rng.randrange(4):
            return self.rng.choice(shut or double)
        return self._best(decision.options, cost)

    def _shift(self, state: State, decision: Decision) -> str:
        """Push Room 25 out if the time has come, or nearer to its exit; else shorten the ways."""
        way = self.way(state)
        exit_cell = state.where_kind("room25")
        # A hacker in the Central Room may also lose the action (H9).
        shifts = [option for option in decision.options if "line" in option.meaning]
        if not way.may_leave() or exit_cell is None:
            return self._best(shifts, lambda o: way.after(meaning(o, "line"), o.id))
        doubled = any(MADNESS[card] == "acceleration" for card in state.shown)
        best = int(doubled and self.rng.randrange(4) > 0)

        def cost(option: Option) -> int:
            line, direction = meaning(option, "line"), meaning(option, "way")
            if exit_cell not in LINES[line]:
                return NEVER
            return abs(steps_to_the_edge(exit_cell, line, direction) - best)

        return self._best(shifts, cost)

    def _ride(self, state: State, decision: Decision) -> str:
        """Ride to where the goal is nearest."""
        togo = self.way(state).togo(state.characters[decision.subject or ""])
        return self._best(decision.options, lambda o: togo[meaning(o, "cell")])

    def _deceive(self, state: State, decision: Decision) -> str:
        """Have the very room dealt that is wanted."""
        c = state.characters[decision.subject or ""]
        together = takes_all(state, c.cell or "") and self.rng.randrange(4) > 0
        wanted = ("acid",) if together else self.way(state).wanted(c)

        def cost(option: Option) -> int:
            kind = state.grid[meaning(option, "cell")].kind or ""
            return 0 if kind in wanted else COSTS.get(kind, 1)

        return self._best(decision.options, cost)

    def _special(self, state: State, decision: Decision) -> str:
        """Carry or summon where it helps; a rare ability, if it is there; else anything."""
        c = state.characters[decision.subject or ""]
        rare = [o.id for o in decision.options if is_rare(state, o.id)]
        if c.paranoid:
            rare += [o.id for o in decision.options if o.id == "sabotage_room"]
        robots = [name for name in rare if name.startswith("hack_robot:")]
        if rare and self.rng.randrange(4):
            return self.rng.choice(self._orders(state, robots) or rare)
        toll = self.way(state).toll(c)
        carries = [option for option in decision.options if option.id.startswith("carry:")]
        if carries and self.rng.randrange(3):
            return self._best(carries, lambda o: toll[meaning(o, "cell")])
        return self._any(state, decision)

    def _order(self, state: State, decision: Decision) -> str:
        """Send a robot where it does some harm or is of some use, if it can be."""
        found = self._orders(state, option_ids(decision))
        return self.rng.choice(found) if found else self._any(state, decision)

    def _orders(self, state: State, options: list[str]) -> list[str]:
        """Some kind of orders that one would rather give: deadly ones, pushes, of Alice, useful."""
        orders = {name: name.removeprefix("hack_robot:") for name in options}
        kinds = [
            [name for name, order in orders.items() if kills(state, order)],
            [name for name in options if ":push:" in name],
            [name for name in options if ":push:alice:" in name],
            [name for name, order in orders.items() if is_rare(state, f"hack_robot:{order}")],
        ]
        found = [names for names in kinds if names]
        if kinds[0] or (kinds[2] and self.rng.randrange(2)):
            return kinds[0] or kinds[2]
        return self.rng.choice(found) if found and self.rng.randrange(6) else []

    def _best(self, options: Iterable[Option], cost: Callable[[Option], int]) -> str:
        """One of the cheapest options."""
        costs = {option.id: cost(option) for option in options}
        least = min(costs.values())
        return self.rng.choice([name for name, found in costs.items() if found == least])


def steps_to_the_edge(cell: Cell, line: Line, way: Direction) -> int:
    """How many more shifts bring a cell of a line to where the next one pushes it out."""
    cells = LINES[line] if way in {"left", "up"} else LINES[line][::-1]
    return cells.index(cell)


def takes_all(state: State, cell: Cell) -> bool:
    """Whether an Illusion that somebody stands on takes everybody along (R61)."""
    kind = state.grid[cell].kind if cell else ""
    acts = kind == "illusion" and kind in rulebook_of(state).acts_on_all
    return acts and state.grid[cell].up and bool(state.occupants(cell))


def has_guard_power(c: Character) -> bool:
    """Whether a character is a guard that has shown itself and has a power of its own."""
    return c.role_public and c.role in GUARD_IDENTITIES


def kills(state: State, order: str) -> bool:
    """Whether a robot that moves so takes somebody along (§5.3)."""
    _, kind, *rest = order.split(":")
    crowded = kind == "move" and bool(state.occupants(rest[0]))
    return crowded and state.grid[rest[0]].kind in {"acid", "shredder"}


def is_rare(state: State, option: str) -> bool:
    """Whether the use of an ability is one that seldom can be."""
    ability, *rest = option.split(":")
    if ability == "carry":
        return state.grid[rest[1]].kind == "acid"
    if ability == "hack_robot":
        kind = state.grid[rest[-1]].kind or ""
        hidden = kind == "room25" and not state.grid[rest[-1]].up
        return rest[1] == "push" or hidden or color_of(kind) == "red"
    return ability in {"reactivate", "sabotage_robot", "vitality"}
