"""Plays a whole game by a plan: every oddity that players, clocks and directors are capable of.

Who answers the decisions is a game's own affair. Whatever happens is legal; illegal commands are
tried beside it and must be refused.
"""

from __future__ import annotations

from random import Random
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from events.kernel import Command, Decision
from games.table.events import AnnulTable, ExtendTime, HoldTable, PauseTable, ResumeTable
from games.table.inspections import INSPECTION_REASONS, inspection_of
from games.table.state import Restored
from simulator.agreed_pauses import may_pause, pause, use_up
from simulator.chance import chance
from simulator.illegal import GameProbes, probe_game, probe_some
from simulator.run import AUDITOR, DIRECTOR, AnyRun, require
from simulator.seating import Wish, seat_all
from simulator.table_talk import talk

M_contra = TypeVar("M_contra", contravariant=True)


class Rates(Struct, frozen=True, kw_only=True):
    """How much is tried beside the game: illegal commands per step (below 1: how often one)."""

    probes: float = 1.0


class DrivenGame(Struct, frozen=True, kw_only=True):
    """What drivers know of a game: its illegal commands, wishes, and an end to every game.

    No game takes ``steps_max`` commands; one that does, does not end.
    """

    probes: GameProbes
    wish: Wish
    steps_max: int


class DecisionMaker(Protocol[M_contra]):
    """Who answers the decisions."""

    def pick(self, match: M_contra, decision: Decision) -> str:
        """The id of the option to take."""
        ...

    def acts(self, match: M_contra, decision: Decision) -> str | None:
        """The option of a voluntary decision to take at once, or None to leave it."""
        ...


def drive(
    match: AnyRun,
    player: DecisionMaker[Any],
    driver: DrivenGame,
    rates: Rates,
    *,
    absent: bool = False,
) -> None:
    """Play a game to its end; ``rates`` change nothing of it. ``absent``: nobody plays.

    Raises:
        PropertyBroken: the game does not end, or the engine or a watcher breaks a property.
    """
    rng, illegal = chance("driver", match.plan.seed), chance("illegal", match.plan.seed)
    if seat_all(match, rng, driver.probes, driver.wish):
        probe_game(match, driver.probes)
        if absent:
            use_up(match)
    steps = 0
    while match.state.phase == "live":
        steps += 1
        require(steps < driver.steps_max, "the game does not end")
        if absent:
            match.time_out()
        else:
            _step(match, rng, player, driver.probes)
        count = int(rates.probes) + (illegal.random() < rates.probes % 1)
        if count:
            probe_some(match, illegal, count, driver.probes)
    match.end()


def _step(match: AnyRun, rng: Random, player: DecisionMaker[Any], probes: GameProbes) -> None:
    """One thing that happens at the table."""
    temper = match.plan.temper
    _audit(match)
    talk(match)
    _direct(match, rng, probes)
    if match.state.phase == "live":
        _volunteer(match, rng, player)
    if match.state.phase == "live":
        asked = [d for d in match.pending() if not match.is_gone(d.seat)]
        if not asked or rng.random() < temper.time_out:
            match.time_out()
        else:
            _answer(match, rng, player, asked)


def _audit(match: AnyRun) -> None:
    """What an auditor does now and then, without a lot for when and how."""
    now, seats = match.now, sorted(match.state.seats)
    if now % 13 == 0:
        eyes = ("full", *(f"seat:{seat}" for seat in seats))[now // 13 % (len(seats) + 1)]
        match.give(
            inspection_of(eyes, INSPECTION_REASONS[now // 13 % len(INSPECTION_REASONS)], 900),
            AUDITOR,
        )


def _direct(match: AnyRun, rng: Random, probes: GameProbes) -> None:
    """What a director may do, now and then."""
    temper, clock = match.plan.temper, match.state.clock
    if rng.random() < temper.pause:
        agreeing = may_pause(match) if match.now % 2 else ()
        if agreeing:
            pause(match, agreeing, DIRECTOR)
            return
        match.give(_stop(match), DIRECTOR)
        probe_some(match, rng, 1, probes)
        match.now += rng.randrange(100_000)
        if rng.random() < temper.annul:
            match.give(AnnulTable(reason="other"), DIRECTOR)
            return
        match.give(ResumeTable(), DIRECTOR)
    if rng.random() < temper.annul / 10:
        match.give(AnnulTable(reason="technical"), DIRECTOR)
    elif clock is not None and match.now <= clock.due and rng.random() < temper.extend:
        match.give(ExtendTime(seconds=rng.randint(1, 600), reason="break"), DIRECTOR)


def _stop(match: AnyRun) -> Command:
    """A pause, or now and then the loss of a part of the game, without a lot for which."""
    if match.now % 3:
        return PauseTable(reason="break")
    version, restored = len(match.log), match.state.restored
    epoch = restored.epoch + 1 if isinstance(restored, Restored) else 2
    return HoldTable(known=version + 5, kept=version, epoch=epoch)


def _answer(match: AnyRun, rng: Random, player: DecisionMaker[Any], asked: list[Decision]) -> None:
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


def _volunteer(match: AnyRun, rng: Random, player: DecisionMaker[Any]) -> None:
    """Let one seat do what it is not asked for, if it likes to."""
    seat = rng.choice(list(match.state.seats))
    for decision in match.decisions(seat):
        option = player.acts(match, decision) if decision.optional else None
        if option is not None:
            match.choose(decision, option)
            return
