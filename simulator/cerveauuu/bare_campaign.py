"""Tens of thousands of random games by the rules alone, over all seats and all options (§11).

``python -m simulator.cerveauuu.bare_campaign --progress build/bare.jsonl`` plays each combination
of options thirty times, with no table around the game, and writes a line for each game. Games that
the file tells of already are not played again, so that a run may be broken off and gone on with.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, Literal

import msgspec
from msgspec import Struct

from events.kernel import Decision
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.opening.options import VALUES
from games.contract import JsonValue
from simulator.cerveauuu.bare_checks import BareChecks, BareRates
from simulator.cerveauuu.bare_game import BareGame
from simulator.cerveauuu.figures import MatchFigures, figures_of_game
from simulator.cerveauuu.plans import SEATS
from simulator.cerveauuu.random_choices import greedy, hungry, uniform
from simulator.chance import chance, often
from simulator.run import require

PROGRAM: Final = "python -m simulator.cerveauuu.bare_campaign"

Style = Literal["uniform", "greedy", "busy"]
"""``busy`` players get at humans, and play cards in nearly half of the windows."""

STYLES: Final[tuple[Style, ...]] = ("uniform", "greedy", "busy")
BUSY: Final = 0.9

LAPS: Final = 30
"""So often each combination is played: each style ten times."""

STEPS_MAX: Final = 20_000
"""No game takes so many choices."""

VOLUNTARY: Final = 0.02
"""How often somebody gives an order to pass, or says what end-credits cards are to do."""

RESIGNING: Final = 0.002
"""How often somebody resigns, in every sixth lap."""

RESIGNING_EVERY: Final = 6


def combinations() -> list[tuple[int, dict[str, JsonValue]]]:
    """Every number of seats with every value of every option, the first chief at one of them."""
    names = list(VALUES)
    found = []
    for seats in SEATS:
        for values in product(*VALUES.values()):
            options = dict(zip(names, values, strict=True))
            if int(str(options["first_chief"])) <= seats:
                found.append((seats, options))
    return found


COMBINATIONS: Final = combinations()
WHOLE: Final = LAPS * len(COMBINATIONS)


class BarePlan(Struct, frozen=True, kw_only=True):
    """One game to be; all follows from ``seed``."""

    seed: int
    seats: int
    options: Mapping[str, JsonValue]
    style: Style
    resigning: float

    def __str__(self) -> str:
        """One line that says which game this is."""
        return f"seed {self.seed}: {self.seats} seats, {self.style}, {dict(self.options)}"


def plan_of(seed: int) -> BarePlan:
    """The game of a seed: the combinations go round, and with each round the style changes."""
    lap, place = divmod(seed, len(COMBINATIONS))
    seats, options = COMBINATIONS[place]
    return BarePlan(
        seed=seed,
        seats=seats,
        options=options,
        style=STYLES[lap % len(STYLES)],
        resigning=RESIGNING if lap % RESIGNING_EVERY == 0 else 0,
    )


class BareResult(Struct, frozen=True, kw_only=True):
    """A game that was played: what came of it, or what it broke.

    ``steps``: choices; ``walked`` and ``tried`` as in ``BareChecks``; ``spent``: seconds of work.
    """

    seed: int
    style: Style
    figures: MatchFigures | None = None
    steps: int = 0
    walked: int = 0
    tried: int = 0
    spent: float = 0.0
    broken: str = ""


def play(plan: BarePlan, game: Cerveauuu | None = None, rates: BareRates | None = None) -> BareGame:
    """Play a game to its end under all cheap checks.

    Raises:
        PropertyBroken: it does not end, or something else does not hold.
    """
    return _checked(plan, game, rates)[0]


def _checked(
    plan: BarePlan, game: Cerveauuu | None, rates: BareRates | None
) -> tuple[BareGame, BareChecks, int]:
    rng = chance("bare", plan.seed)
    seed = plan.seed.to_bytes(32, "big")
    watched = (0, 1 + plan.seed % plan.seats)  # everybody's views are compared at the table
    sitting = BareGame(plan.seats, plan.options, seed, game=game, watched=watched).begin()
    checks = BareChecks(sitting, chance("checks", plan.seed), rates or BareRates())
    checks.stepped()
    for step in range(STEPS_MAX):
        if sitting.truth.end is not None:
            checks.ended()
            return sitting, checks, step
        if often(rng, plan.resigning):
            sitting.resign(rng.choice(sitting.truth.active()))
        else:
            decision = _next(sitting, rng)
            option = _answer(sitting, plan.style, decision, rng)
            checks.answered(decision, option)
            sitting.choose(decision, option)
        checks.stepped()
    require(holds=False, text="the game does not end")
    raise AssertionError


def _next(sitting: BareGame, rng: Random) -> Decision:
    """Whom to ask: one of those that the game waits for, or now and then anybody, unasked."""
    if often(rng, VOLUNTARY):
        seat = rng.choice(sitting.seats)
        free = [d for d in sitting.game.decisions(sitting.truth, seat) if d.optional]
        if free:
            return rng.choice(free)
    return rng.choice(sitting.pending())


def _answer(sitting: BareGame, style: Style, decision: Decision, rng: Random) -> str:
    below = sitting.below(decision)
    if style == "uniform":
        return uniform(decision, below, rng)
    if style == "greedy":
        return greedy(decision, below, rng)
    humans = [piece.cell for piece in sitting.truth.humans()]
    return hungry(decision, below, rng, humans, BUSY)


def result_of(plan: BarePlan, game: Cerveauuu | None = None) -> BareResult:
    """Play a game; any exception at all is something that it broke."""
    began = time.process_time()
    try:
        sitting, checks, steps = _checked(plan, game, None)
    except Exception as error:  # noqa: BLE001 (whatever the rules do wrong is told)
        text = f"{plan}: {type(error).__name__}: {error}"[:2_000]
        return BareResult(
            seed=plan.seed, style=plan.style, broken=f"{text}\n{traceback.format_exc()}"
        )
    return BareResult(
        seed=plan.seed,
        style=plan.style,
        figures=figures_of_game(sitting),
        steps=steps,
        walked=checks.walked,
        tried=checks.tried,
        spent=round(time.process_time() - began, 4),
    )


# --- the file of progress ---


def read(progress: Path) -> list[BareResult]:
    """The games that a file tells of; a line that was torn off is left out."""
    if not progress.is_file():
        return []
    lines = progress.read_bytes().split(b"\n")
    return [msgspec.json.decode(line, type=BareResult) for line in lines[:-1]]


def go_on(seeds: Iterable[int], progress: Path) -> Iterator[BareResult]:
    """Play what is left of some games, and write each down as soon as it is over."""
    done = {result.seed for result in read(progress)}
    _cut(progress)
    game = Cerveauuu()
    with progress.open("ab") as file:
        for seed in seeds:
            if seed not in done:
                result = result_of(plan_of(seed), game)
                file.write(msgspec.json.encode(result) + b"\n")
                file.flush()
                yield result


def _cut(progress: Path) -> None:
    """Cut off what was written of a last line."""
    if progress.is_file():
        content = progress.read_bytes()
        progress.write_bytes(content[: content.rfind(b"\n") + 1])


def told(results: Sequence[BareResult]) -> str:
    """What was played, in some lines."""
    whole = [result for result in results if result.figures is not None]
    sizes = Counter(result.figures.seats for result in whole if result.figures is not None)
    ends = Counter(result.figures.outcome for result in whole if result.figures is not None)
    places = Counter(result.seed % len(COMBINATIONS) for result in whole)
    least = min((places[place] for place in range(len(COMBINATIONS))), default=0)
    lines = [
        f"{len(whole):,} games ended legally, {len(results) - len(whole)} broken",
        f"  seats: {', '.join(f'{n}: {sizes[n]:,}' for n in SEATS)}",
        f"  each of {len(COMBINATIONS)} combinations of options at least {least} times",
        f"  ends: {', '.join(f'{name} {count:,}' for name, count in ends.most_common())}",
        f"  {sum(r.steps for r in whole):,} choices",
        f"  {sum(r.walked for r in whole):,} leaves met, {sum(r.tried for r in whole):,} tried",
        f"  {sum(r.spent for r in whole):,.0f} s of work",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Play, and tell what came of it; 0 if all games have ended as they should."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument("--games", type=int, default=WHOLE, help="(%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--progress", type=Path, required=True, help="the file to go on with")
    parser.add_argument("--only", type=int, metavar="SEED", help="play one game again")
    said = parser.parse_args(argv)
    if said.only is not None:
        result = result_of(plan_of(said.only))
        print(result.broken or f"{plan_of(said.only)}: ended legally")
        return 1 if result.broken else 0
    seeds = range(said.first, said.first + said.games)
    said.progress.parent.mkdir(parents=True, exist_ok=True)
    for result in go_on(seeds, said.progress):
        if result.broken:
            print(result.broken, flush=True)
    results = [result for result in read(said.progress) if result.seed in seeds]
    print(told(results))
    return 1 if any(result.broken for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
