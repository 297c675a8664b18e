"""Plays random whole games at the table under every property and oracle: a part of ``make fuzz``.

A failure prints the seed, the game and the property that broke; ``--only SEED`` plays that game
again with every check at its full rate. A run that is interrupted tells of the games played so far.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from simulator.attendance import Attendance
from simulator.campaign import Campaign, Failure, add_options, report_one, run_all, tried
from simulator.cerveauuu.census import CardCensus
from simulator.cerveauuu.conservation import Conservation
from simulator.cerveauuu.driver import play
from simulator.cerveauuu.illegal import RefusedPlays
from simulator.cerveauuu.interference import Interference
from simulator.cerveauuu.knowledge import WhoKnows
from simulator.cerveauuu.plans import SEATS, Plan, plan_of, seeds_of
from simulator.cerveauuu.properties import StableIdsOfQuestions
from simulator.cerveauuu.reasons import Reasons
from simulator.cerveauuu.run import Run, watched_table
from simulator.chance import chance
from simulator.driver import Rates
from simulator.properties import Offers, SomebodyWakes
from simulator.run import Watched, Watcher

GAMES: Final = 1_000
"""Of each number of players."""

PROGRAM: Final = "python -m simulator.cerveauuu.fuzz_games"
CHUNK: Final = 20


class CheckRates(Struct, frozen=True, kw_only=True):
    """At which rates the costly checks run; the cheap ones always do.

    ``probes``: illegal commands per step; ``plays``: at how many of them an illegal play besides.
    ``offers``: at how many steps every decision of every seat has ``options`` of its options tried.
    ``views``: in how many games every view is compared
    after every event; ``decisions``: at how many of their steps decisions are worked out from every
    view too; ``wide``: at how many of those whole trees, if they are not too large. ``worlds``: at
    how many steps other worlds are made; ``reasons``: at how many some of a decision.
    """

    probes: float
    plays: float
    offers: float
    options: int
    views: float
    decisions: float
    wide: float
    worlds: float
    reasons: float


FAST: Final = CheckRates(
    probes=0.5,
    plays=0.04,
    offers=0.01,
    options=2,
    views=0.5,
    decisions=0.05,
    wide=0.1,
    worlds=0.1,
    reasons=0.05,
)
"""For the long run: about half of the time is play, half is checking."""

FULL: Final = CheckRates(
    probes=3,
    plays=0.2,
    offers=0.2,
    options=20,
    views=1,
    decisions=1,
    wide=0.05,
    worlds=1,
    reasons=0.5,
)
"""For a few games, and for one that has failed."""


def check_game(plan: Plan, effort: CheckRates, table: Watched | None = None) -> Run:
    """Play one game under every property and oracle.

    Raises:
        PropertyBroken: one of them does not hold.
    """
    seed = plan.seed
    watchers: list[Watcher[Run]] = [
        Conservation(),
        SomebodyWakes(),
        StableIdsOfQuestions(),
        Attendance(),
        Offers(chance("offers", seed), effort.offers, effort.options),
        Interference(chance("worlds", seed), effort.worlds),
        RefusedPlays(chance("refused", seed), effort.plays),
        Reasons(chance("reasons", seed), effort.reasons),
    ]
    rng = chance("knows", seed)
    if rng.random() < effort.views:
        watchers.append(WhoKnows(rng, effort.decisions, effort.wide))
    return play(plan, watchers, Rates(probes=effort.probes), table)


def run(seeds: Sequence[int], effort: CheckRates) -> tuple[CardCensus, list[Failure]]:
    """Check the games of some seeds."""
    table = watched_table()
    return tried(
        CardCensus(),
        seeds,
        lambda seed: check_game(plan_of(seed), effort, table),
        lambda seed: str(plan_of(seed)),
    )


def _run_fast(seeds: Sequence[int]) -> tuple[CardCensus, list[Failure]]:
    return run(seeds, FAST)


CAMPAIGN: Final = Campaign(
    program=PROGRAM, census=CardCensus, run=_run_fast, whole=GAMES * len(SEATS), chunk=CHUNK
)


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print the census; 0 if nothing broke and everything rare occurred."""
    options = _options(argv)
    if options.only is not None:
        _, failures = run([options.only], FULL)
        return report_one(PROGRAM, failures, plan_of(options.only))
    laps = range(options.first, options.first + options.games)
    sizes = SEATS if options.seats is None else (options.seats,)
    return run_all(CAMPAIGN, sorted(s for n in sizes for s in seeds_of(n, laps)), options)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    add_options(parser, GAMES, "number of players")
    parser.add_argument("--seats", type=int, choices=SEATS, help="this one alone")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
