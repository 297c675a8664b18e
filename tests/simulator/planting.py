"""How faults are planted: oracles by name, games in which a fault may bite, and ways to break."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import Event
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.editions import RULEBOOKS
from games.room25.facts import evolve as evolve_module
from games.room25.model.agenda import Frame
from games.room25.model.board import CELLS, CENTRE, CLUE_CELLS
from games.room25.model.state import State
from games.room25.rules import engine
from games.room25.rules.context import Play
from simulator.attendance import Attendance
from simulator.chance import chance
from simulator.driver import Rates
from simulator.properties import Offers
from simulator.room25.conservation import Conservation
from simulator.room25.driver import play
from simulator.room25.figures import deal
from simulator.room25.interference import Interference
from simulator.room25.knowledge import WhoKnows
from simulator.room25.legal import Legal
from simulator.room25.plans import Plan, plan_of, seeds_of
from simulator.room25.properties import Frames, SomebodyAliveWakes, StableIdsOfQuestions
from simulator.room25.reasons import Reasons
from simulator.room25.run import Run
from simulator.room25.verdicts import Verdicts
from simulator.run import PropertyBroken, RunStep, Watcher
from tests.simulator import pinned

Oracle = Callable[[int], Watcher[Run]]
Patch = pytest.MonkeyPatch
Group = tuple[str, str]
"""A rulebook and one of its modes."""

ORACLES: dict[str, Oracle] = {
    "who knows what": lambda seed: WhoKnows(chance("knows", seed), rate=0),
    "decisions from views": lambda seed: WhoKnows(chance("knows", seed), rate=1),
    "interference": lambda seed: Interference(chance("twins", seed), most=9),
    "legal": lambda _: Legal(),
    "verdicts": lambda _: Verdicts(),
    "offers": lambda seed: Offers(chance("offers", seed), 0.1, 20),
    "conservation": lambda _: Conservation(),
    "waiting": lambda _: SomebodyAliveWakes(),
    "names": lambda _: StableIdsOfQuestions(),
    "attendance": lambda _: Attendance(),
    "frames": lambda _: Frames(),
    "reasons": lambda _: Reasons(),
}

_PROTOTYPE = {"empty": 6, "secrets": 1, "control": 1, "moving": 1, "vision": 1, "vortex": 1}
_PROTOTYPE |= {"jail": 1, "cold": 2, "dark": 2, "condemned": 1, "acid": 2, "burning": 2}
_PROTOTYPE |= {"mortal": 1, "illusion": 1, "central": 1, "room25": 1}

_ULTIMATE = {"paranoia": 1, "mac": 2, "mirror": 1, "robot": 2, "regeneration": 1, "timer": 1}
_ULTIMATE |= {"tunnel": 2, "shredder": 2, "pivoting": 2, "jamming": 1, "vision": 1, "moving": 1}
_ULTIMATE |= {"control": 1, "acid": 1, "trap": 1, "flooded": 1, "empty": 2}
_ULTIMATE |= {"central": 1, "room25": 1}

RICH: dict[str, dict[str, int]] = {
    "prototype": _PROTOTYPE,
    "ultimate": _ULTIMATE,
    "bga": _ULTIMATE,
}
"""Rooms that make most of what only one rulebook has."""


def seeds(groups: Sequence[Group], laps: int = 120) -> list[int]:
    """Blind and steered games of some rulebooks' modes."""
    return [seed for lap in range(laps) for group in groups for seed in seeds_of(*group, [lap])]


def rich(group: Group, laps: int = 200) -> Iterable[Plan]:
    """Games of a rulebook's mode in which the rarer rooms are all there."""
    for seed in seeds([group], laps):
        plan = plan_of(seed)
        options = {**plan.options, "composition": "custom", "rooms": _rooms(group)}
        yield replace(plan, options=options, situation=None)


def near(
    group: Group,
    *kinds: str,
    laps: int = 200,
    options: Mapping[str, Any] | None = None,
    **given: Any,
) -> Iterable[Plan]:
    """The same rooms, with some of them face-down round the centre, where everybody stands.

    ``given`` is added to the situation.
    """
    for random in rich(group, laps):
        plan = replace(random, options={**random.options, **(options or {})})
        rng = chance("near", plan.seed)
        rooms = _rooms(group)
        others = [kind for kind, n in rooms.items() for _ in range(n) if kind != "central"]
        for kind in kinds:
            others.remove(kind)
        rng.shuffle(others)
        ring = [*kinds, *(others.pop() for _ in CLUE_CELLS[len(kinds) :])]
        rng.shuffle(ring)
        cells = [where for where in CELLS if where not in {CENTRE, *CLUE_CELLS}]
        laid = dict(zip((*CLUE_CELLS, *cells), (*ring, *others), strict=True))
        tiles = {where: {"kind": kind, "face": "down"} for where, kind in laid.items()}
        yield replace(plan, situation={"tiles": tiles, **_figures(plan, rng), **given})


def _rooms(group: Group) -> dict[str, int]:
    rooms = dict(RICH[group[0]])
    keyed = RULEBOOKS[group[0]].modes[group[1]].needs_key
    return rooms | ({"key": 1, "empty": rooms["empty"] - 1} if keyed else {})


def _figures(plan: Plan, rng: Random) -> dict[str, Any]:
    """Everybody in the centre, with a role where there are roles."""
    rulebook = RULEBOOKS[plan.rulebook]
    mode = rulebook.modes[plan.mode]
    names = rng.sample(rulebook.characters, plan.seats * mode.per_seat[plan.seats])
    figures: dict[str, dict[str, Any]] = {
        name: {"seat": n % plan.seats + 1} for n, name in enumerate(names)
    }
    if mode.roles:
        wish = TableOpening(
            rulebook=plan.rulebook, mode=plan.mode, seats=plan.seats, options=plan.options
        )
        deal(rng, ROOM25.open(wish), figures)
    return {"characters": figures, "turn": 1}


def caught_in(oracle: str, games: Iterable[Plan]) -> str:
    """What an oracle says of the first game that it dislikes; ``""`` if it likes all."""

    def judge(plan: Plan) -> str:
        try:
            play(plan, [ORACLES[oracle](plan.seed)], Rates(probes=0.2))
        except PropertyBroken as complaint:
            return str(complaint)
        return ""

    return pinned.complaint(oracle, games, judge)


class _Noted:
    """An oracle whose first complaint is kept, so that others can go on looking at the game."""

    def __init__(self, oracle: Watcher[Run]) -> None:
        self.said = ""
        self._oracle = oracle

    def accepted(self, match: Run, step: RunStep) -> None:
        """Let it look at a command."""
        self._hear(lambda: self._oracle.accepted(match, step))

    def ended(self, match: Run) -> None:
        """Let it look at the whole game."""
        self._hear(lambda: self._oracle.ended(match))

    def _hear(self, look: Callable[[], None]) -> None:
        if not self.said:
            try:
                look()
            except PropertyBroken as complaint:
                self.said = str(complaint)


def said_by(oracles: Iterable[str], games: Iterable[Plan]) -> dict[str, str]:
    """What each oracle says of the first game that it dislikes; all look at the same playing.

    Raises:
        PropertyBroken: the engine itself breaks a property.
    """
    said = dict.fromkeys(oracles, "")
    for plan in games:
        looking = {name: _Noted(ORACLES[name](plan.seed)) for name in said}
        play(plan, list(looking.values()), Rates(probes=0.2))
        said = {name: before or looking[name].said for name, before in said.items()}
    return said


def caught(oracle: str, games: Iterable[int]) -> str:
    """The same for the games of some seeds."""
    return caught_in(oracle, map(plan_of, games))


def handle(patch: Patch, kind: type[Frame], handler: Callable[[Play, Any], None]) -> None:
    """Have a kind of frame worked off in another way."""
    handlers: dict[Any, Any] = engine.HANDLERS
    patch.setitem(handlers, kind, handler)


def record(patch: Patch, kind: type[Event], recorder: Callable[[State, Any], None]) -> None:
    """Have a kind of event recorded in another way."""
    recorders: dict[Any, Any] = evolve_module.RECORDERS
    patch.setitem(recorders, kind, recorder)
