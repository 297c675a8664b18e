"""Plays a whole game by a plan: every oddity that players, clocks and directors are capable of.

The blind driver chooses any option; the steering one (``steering``) may read the truth and aims at
rare ends. Whatever they do is legal; illegal commands are tried beside it and must be refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

from msgspec import Struct

from events.kernel import Command, Decision
from games.table.events import AnnulTable, ExtendTime, HoldTable, PauseTable, ResumeTable
from games.table.inspections import INSPECTION_REASONS, inspection_of
from games.table.state import Restored
from simulator.chance import chance
from simulator.option_trees import random_leaf
from simulator.room25.illegal import probe_game, probe_some
from simulator.room25.plans import Plan
from simulator.room25.run import (
    AUDITOR,
    DIRECTOR,
    Run,
    Watched,
    Watcher,
    require,
)
from simulator.room25.seating import seat_all
from simulator.room25.steering import Steering

STEPS_MAX: Final = 3_000
"""No game takes so many commands; one that does, does not end."""

IMPULSES: Final = ("claim_color", "place_reminder", "return")
"""Voluntary acts that a driver takes as the fancy strikes it."""


class Rates(Struct, frozen=True, kw_only=True):
    """How much is tried beside the game: illegal commands per step (below 1: how often one)."""

    probes: float = 1.0


class DecisionMaker(Protocol):
    """Who answers the decisions."""

    def pick(self, match: Run, decision: Decision) -> str:
        """The id of the option to take."""
        ...

    def acts(self, match: Run, decision: Decision) -> str | None:
        """The option of a voluntary decision to take at once, or None to leave it."""
        ...


class Blind:
    """Knows nothing and chooses anything."""

    def __init__(self, plan: Plan) -> None:
        self.rng = chance("blind", plan.seed)

    def pick(self, match: Run, decision: Decision) -> str:
        """Any option."""
        return random_leaf(self.rng, decision.options, match.below(decision))

    def acts(self, match: Run, decision: Decision) -> str | None:
        """Some voluntary acts, now and then; resigning is left to the plan's temper."""
        temper = match.plan.temper
        if decision.kind == "resign":
            wanted = self.rng.random() < temper.resign
        elif decision.kind == "reveal_guard":
            wanted = self.rng.random() < temper.voluntary / 3
        else:
            wanted = decision.kind in IMPULSES and self.rng.random() < temper.voluntary
        return self.pick(match, decision) if wanted else None


def play(
    plan: Plan,
    watchers: Sequence[Watcher] = (),
    rates: Rates | None = None,
    table: Watched | None = None,
) -> Run:
    """Play a game by its plan to its end and return it; ``rates`` change nothing of the game.

    Raises:
        Broken: the game does not end, or the engine or a watcher breaks a property.
    """
    match = Run(plan, table, watchers)
    rng, illegal = chance("driver", plan.seed), chance("illegal", plan.seed)
    rates = Rates() if rates is None else rates
    player: DecisionMaker = Steering(plan) if plan.style == "steered" else Blind(plan)
    if seat_all(match, rng):
        probe_game(match)
    steps = 0
    while match.state.phase == "live":
        steps += 1
        require(steps < STEPS_MAX, "the game does not end")
        _step(match, rng, player)
        _probe(match, illegal, rates)
    match.end()
    return match


def _probe(match: Run, rng: Random, rates: Rates) -> None:
    count = int(rates.probes) + (rng.random() < rates.probes % 1)
    if count:
        probe_some(match, rng, count)


def _step(match: Run, rng: Random, player: DecisionMaker) -> None:
    """One thing that happens at the table."""
    temper = match.plan.temper
    if match.plan.style == "absent":
        match.time_out()
        return
    _audit(match)
    _direct(match, rng)
    if match.state.phase == "live":
        _volunteer(match, rng, player)
    if match.state.phase == "live":
        asked = [d for d in match.pending() if not match.is_gone(d.seat)]
        if not asked or rng.random() < temper.time_out:
            match.time_out()
        else:
            _answer(match, rng, player, asked)


def _audit(match: Run) -> None:
    """What an auditor does now and then, without a lot for when and how."""
    now, seats = match.now, sorted(match.state.seats)
    if now % 13 == 0:
        eyes = ("full", *(f"seat:{seat}" for seat in seats))[now // 13 % (len(seats) + 1)]
        match.give(
            inspection_of(eyes, INSPECTION_REASONS[now // 13 % len(INSPECTION_REASONS)], 900),
            AUDITOR,
        )


def _direct(match: Run, rng: Random) -> None:
    """What a director may do, now and then."""
    temper, clock = match.plan.temper, match.state.clock
    if rng.random() < temper.pause:
        match.give(_stop(match), DIRECTOR)
        probe_some(match, rng, 1)
        match.now += rng.randrange(100_000)
        if rng.random() < temper.annul:
            match.give(AnnulTable(reason="other"), DIRECTOR)
            return
        match.give(ResumeTable(), DIRECTOR)
    if rng.random() < temper.annul / 10:
        match.give(AnnulTable(reason="technical"), DIRECTOR)
    elif clock is not None and match.now <= clock.due and rng.random() < temper.extend:
        match.give(ExtendTime(seconds=rng.randint(1, 600), reason="break"), DIRECTOR)


def _stop(match: Run) -> Command:
    """A pause, or now and then the loss of a part of the game, without a lot for which."""
    if match.now % 3:
        return PauseTable(reason="break")
    version, restored = len(match.log), match.state.restored
    epoch = restored.epoch + 1 if isinstance(restored, Restored) else 2
    return HoldTable(known=version + 5, kept=version, epoch=epoch)


def _answer(match: Run, rng: Random, player: DecisionMaker, asked: list[Decision]) -> None:
    """Answer a blocking decision, or answer one anew that may still be replaced."""
    clock = match.state.clock
    left = -1 if clock is None else clock.due - match.now
    if left < 0:
        match.time_out()
        return
    match.now += rng.randrange(min(left, 4_000) + 1)
    decision = rng.choice(asked)
    if decision.secret and rng.random() < match.plan.temper.replace:
        again = [d for seat in match.state.seats for d in match.decisions(seat) if d.answered]
        if again:
            decision = rng.choice(again)
    option = player.pick(match, decision)
    offered = match.table.offers(match.state, decision, option)
    require(offered, f"the driver picked {option} of {decision.id}")
    match.choose(decision, option)


def _volunteer(match: Run, rng: Random, player: DecisionMaker) -> None:
    """Let one seat do what it is not asked for, if it likes to."""
    seat = rng.choice(list(match.state.seats))
    for decision in match.decisions(seat):
        option = player.acts(match, decision) if decision.optional else None
        if option is not None:
            match.choose(decision, option)
            return
