"""Plays random whole games and checks every property and oracle: the games' part of ``make fuzz``.

A failure prints the seed, the game and the property that broke; ``--only SEED`` plays that game
again with every check at its full rate. A run that is interrupted tells of the games played so far.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final

from msgspec import Struct

from games.room25.editions import RULEBOOKS
from simulator.attendance import Attendance
from simulator.chance import chance
from simulator.driver import Rates
from simulator.room25.conservation import Conservation
from simulator.room25.driver import play
from simulator.room25.interference import Interference
from simulator.room25.knowledge import WhoKnows
from simulator.room25.legal import Legal
from simulator.room25.plans import GROUPS, Plan, plan_of
from simulator.room25.properties import Frames, Offers, SomebodyWakes, StableDecisionIds
from simulator.room25.run import Run
from simulator.room25.statistics import LEAST, Statistics
from simulator.room25.transcripts import StreamInterference
from simulator.room25.verdicts import Verdicts
from simulator.run import Watcher

GAMES: Final = 5_000
"""Of each rulebook and mode."""

CHUNK: Final = 100
FAILURES_MAX: Final = 20
"""After so many broken games a run stops; each is told as soon as it is known."""


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


class Failure(Struct, frozen=True):
    """A game that broke a property."""

    seed: int
    text: str
    trace: str


def check_game(plan: Plan, effort: CheckRates) -> Run:
    """Play one game under every property and oracle.

    Raises:
        Broken: one of them does not hold.
    """
    seed = plan.seed
    watchers: list[Watcher[Run]] = [
        Conservation(),
        SomebodyWakes(),
        StableDecisionIds(),
        Attendance(),
        Frames(),
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
    """Check the games of some seeds; any exception at all is a failure of its game."""
    census, failures = Statistics(), []
    for seed in seeds:
        plan = plan_of(seed)
        try:
            census.add(check_game(plan, effort))
        except Exception as error:  # noqa: BLE001 (whatever the engine does wrong is reported)
            text = f"{plan}: {type(error).__name__}: {error}"
            failures.append(Failure(seed, text[:2_000], traceback.format_exc()))
    return census, failures


def main(argv: Sequence[str] | None = None) -> int:
    """Play games and print the census; 0 if nothing broke and everything rare occurred."""
    options = _options(argv)
    seeds = _seeds(options)
    if options.only is not None:
        _, failures = run([options.only], FULL)
        _report(failures)
        print(f"{plan_of(options.only)}: {'broken' if failures else 'all properties hold'}")
        return 1 if failures else 0
    begin = time.monotonic()
    census, failures = Statistics(), []
    interrupted = _play(seeds, options, census, failures)
    print(census.table())
    _report(failures)
    whole = census.games + len(failures) >= GAMES * len(GROUPS)
    least = options.least if options.least is not None else LEAST if whole else 0
    missing = census.missing(least)
    for line in missing:
        print(f"too rare, {line}")
    seconds = time.monotonic() - begin
    print(f"{census.games:,} games in {seconds:,.0f} s, {len(failures)} broken")
    return 1 if failures or missing or interrupted else 0


def _play(
    seeds: Sequence[int], options: argparse.Namespace, census: Statistics, failures: list[Failure]
) -> bool:
    """Play until all is played, the time is up or too much has broken; True if interrupted."""
    begin = time.monotonic()
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for part, broken in _parts(seeds, options.processes):
            census.update(part)
            failures += broken
            _progress(census.games + len(failures), len(seeds), begin, broken)
            late = options.seconds is not None and time.monotonic() - begin > options.seconds
            if late or len(failures) >= FAILURES_MAX:
                break
    except KeyboardInterrupt:
        print("\ninterrupted", end="", file=sys.stderr)
        return True
    finally:
        signal.signal(signal.SIGTERM, usual)
        print(file=sys.stderr)
    return False


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m simulator.room25.fuzz_games", description=__doc__
    )
    parser.add_argument("--games", type=int, default=GAMES, help="of each mode (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="how many of each mode to leave out")
    parser.add_argument("--rulebook", choices=RULEBOOKS, help="this one alone")
    parser.add_argument("--mode", help="this one alone")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="side by side")
    parser.add_argument("--seconds", type=int, help="begin nothing more after so long")
    parser.add_argument("--least", type=int, help=f"fail below ({LEAST} in a whole run)")
    parser.add_argument("--only", type=int, metavar="SEED", help="play one game, checking all")
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


def _parts(seeds: Sequence[int], processes: int) -> Iterator[tuple[Statistics, list[Failure]]]:
    """Chunks of games as they are done, by several processes."""
    chunks = [seeds[n : n + CHUNK] for n in range(0, len(seeds), CHUNK)]
    if processes == 1:
        yield from (run(chunk, FAST) for chunk in chunks)
        return
    # An interrupt is the parent's to heed: the games that are being played come to their end.
    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        try:
            for done in as_completed([pool.submit(run, chunk, FAST) for chunk in chunks]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _progress(done: int, games: int, begin: float, broken: Sequence[Failure]) -> None:
    for failure in broken:
        print(f"\n{failure.text}", file=sys.stderr)
    rate = done / max(time.monotonic() - begin, 1e-3)
    left = (games - done) / rate
    line = f"\r{done:,} of {games:,} games, {rate:.0f} a second, {left:.0f} s to go   "
    print(line, end="", file=sys.stderr, flush=True)


def _report(failures: Sequence[Failure]) -> None:
    for failure in failures:
        print(failure.text)
        print(failure.trace)
        print(f"again: python -m simulator.room25.fuzz_games --only {failure.seed}")


if __name__ == "__main__":
    sys.exit(main())
