"""Plays random whole games and checks every property and oracle: the games' part of ``make fuzz``.

A failure prints the seed, the game and the property that broke; ``--only SEED`` plays that game
again with every check at its full rate. A run that is interrupted tells of the games played so far.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from games.room25.editions import RULEBOOKS
from simulator.attendance import Attendance
from simulator.campaign import Campaign, Failure, add_options, report_one, run_all, tried
from simulator.chance import chance
from simulator.driver import Rates
from simulator.properties import Offers
from simulator.room25.conservation import Conservation
from simulator.room25.driver import play
from simulator.room25.interference import Interference
from simulator.room25.knowledge import WhoKnows
from simulator.room25.legal import Legal
from simulator.room25.plans import GROUPS, Plan, plan_of
from simulator.room25.properties import Frames, SomebodyAliveWakes, StableIdsOfQuestions
from simulator.room25.reasons import Reasons
from simulator.room25.run import Run
from simulator.room25.statistics import Statistics
from simulator.room25.transcripts import StreamInterference
from simulator.room25.verdicts import Verdicts
from simulator.run import Watcher
from simulator.silence import PublicSilence

GAMES: Final = 5_000
"""Of each rulebook and mode."""

PROGRAM: Final = "python -m simulator.room25.fuzz_games"


class CheckRates(Struct, frozen=True, kw_only=True):
    """At which rates the costly checks run; the cheap ones always do.

    ``probes``: illegal commands per step. ``offers``: at how many steps every decision of every
    seat has ``options`` of its options tried. ``views``: in how many games every view is compared
    after every event; ``decisions``: at how many of their steps decisions are worked out from every
    view too. ``twins``: of how many games ``worlds`` twin worlds are played; ``streams``: of how
    many their streams are listened to. ``unasked``: at each so many steps what seats may do
    unasked is compared with the rules.
    """

    probes: float
    offers: float
    options: int
    views: float
    decisions: float
    twins: float
    worlds: int
    streams: float
    unasked: int = 1


FAST: Final = CheckRates(
    probes=0.4,
    offers=0.025,
    options=3,
    views=0.5,
    decisions=0.2,
    twins=0.25,
    worlds=3,
    streams=0.03,
    unasked=4,
)
"""For the long run: about half of the time is play, half is checking."""

FULL: Final = CheckRates(
    probes=4, offers=0.5, options=40, views=1, decisions=1, twins=1, worlds=4, streams=1
)
"""For a few games, and for one that has failed."""


def check_game(plan: Plan, effort: CheckRates) -> Run:
    """Play one game under every property and oracle.

    Raises:
        PropertyBroken: one of them does not hold.
    """
    seed = plan.seed
    watchers: list[Watcher[Run]] = [
        Conservation(),
        SomebodyAliveWakes(),
        StableIdsOfQuestions(),
        Attendance(),
        PublicSilence(),
        Frames(),
        Reasons(),
        Legal(effort.unasked),
        Verdicts(),
        Offers(chance("offers", seed), effort.offers, effort.options),
        Interference(chance("twins", seed), effort.twins, effort.worlds),
        StreamInterference(chance("streams", seed), effort.streams, effort.worlds),
    ]
    rng = chance("knows", seed)
    if rng.random() < effort.views:
        watchers.append(WhoKnows(rng, effort.decisions))
    return play(plan, watchers, Rates(probes=effort.probes))


def run(seeds: Sequence[int], effort: CheckRates) -> tuple[Statistics, list[Failure]]:
    """Check the games of some seeds."""
    return tried(
        Statistics(),
        seeds,
        lambda seed: check_game(plan_of(seed), effort),
        lambda seed: str(plan_of(seed)),
    )


def _run_fast(seeds: Sequence[int]) -> tuple[Statistics, list[Failure]]:
    return run(seeds, FAST)


CAMPAIGN: Final = Campaign(
    program=PROGRAM, census=Statistics, run=_run_fast, whole=GAMES * len(GROUPS)
)


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print the census; 0 if nothing broke and everything rare occurred."""
    options = _options(argv)
    if options.only is not None:
        _, failures = run([options.only], FULL)
        return report_one(PROGRAM, failures, plan_of(options.only))
    return run_all(CAMPAIGN, _seeds(options), options)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    add_options(parser, GAMES, "mode")
    parser.add_argument("--rulebook", choices=RULEBOOKS, help="this one alone")
    parser.add_argument("--mode", help="this one alone")
    return parser.parse_args(argv)


def _seeds(options: argparse.Namespace) -> list[int]:
    """As many games of each mode as are wished for, the modes in turn."""
    laps = range(options.first, options.first + options.games)
    places = [
        n
        for n, (rulebook, mode) in enumerate(GROUPS)
        if options.rulebook in {None, rulebook} and options.mode in {None, mode}
    ]
    return [lap * len(GROUPS) + n for lap in laps for n in places]


if __name__ == "__main__":
    sys.exit(main())
