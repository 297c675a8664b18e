"""Many random games, side by side: what broke is told at once, what was played at the end."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from simulator.census import LEAST, Census

C = TypeVar("C", bound=Census)

CHUNK: Final = 100
FAILURES_MAX: Final = 20
"""After so many broken games a run stops; each is told as soon as it is known."""


class Failure(Struct, frozen=True):
    """A game that broke a property."""

    seed: int
    text: str
    trace: str


class Campaign(Struct, Generic[C], frozen=True, kw_only=True):
    """How the games of one kind are tried out.

    ``program`` is its command line, ``chunk`` games are played in one go by ``run``, a function of
    a module, as it is called in other processes. ``whole`` is how many games make a whole run.
    """

    program: str
    census: Callable[[], C]
    run: Callable[[Sequence[int]], tuple[C, list[Failure]]]
    whole: int
    chunk: int = CHUNK


def tried(
    census: C, seeds: Sequence[int], check: Callable[[int], Any], told: Callable[[int], str]
) -> tuple[C, list[Failure]]:
    """Play some games; any exception at all is a failure of its game.

    Args:
        census: what takes the games in.
        seeds: of the games.
        check: plays the game of a seed under every property.
        told: a game in a line, by its seed.
    """
    failures = []
    for seed in seeds:
        try:
            census.add(check(seed))
        except Exception as error:  # noqa: BLE001 (whatever the engine does wrong is reported)
            text = f"{told(seed)}: {type(error).__name__}: {error}"
            failures.append(Failure(seed, text[:2_000], traceback.format_exc()))
    return census, failures


def add_options(parser: argparse.ArgumentParser, games: int, each: str) -> None:
    """The options that every campaign has; ``each``: of what so many games are played."""
    parser.add_argument("--games", type=int, default=games, help=f"of each {each} (%(default)s)")
    parser.add_argument(
        "--first", type=int, default=0, help=f"how many of each {each} to leave out"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="side by side")
    parser.add_argument("--seconds", type=int, help="begin nothing more after so long")
    parser.add_argument("--least", type=int, help=f"fail below ({LEAST} in a whole run)")
    parser.add_argument("--only", type=int, metavar="SEED", help="play one game, checking all")


def run_all(campaign: Campaign[C], seeds: Sequence[int], options: argparse.Namespace) -> int:
    """Play games and print the census; 0 if nothing broke and everything rare occurred."""
    begin = time.monotonic()
    census, failures = campaign.census(), list[Failure]()
    interrupted = _play(campaign, seeds, options, census, failures)
    print(census.table())
    report(campaign.program, failures)
    whole = census.games + len(failures) >= campaign.whole
    least = options.least if options.least is not None else LEAST if whole else 0
    missing = census.missing(least)
    for line in missing:
        print(f"too rare, {line}")
    seconds = time.monotonic() - begin
    print(f"{census.games:,} games in {seconds:,.0f} s, {len(failures)} broken")
    return 1 if failures or missing or interrupted else 0


def _play(
    campaign: Campaign[C],
    seeds: Sequence[int],
    options: argparse.Namespace,
    census: C,
    failures: list[Failure],
) -> bool:
    """Play until all is played, the time is up or too much has broken; True if interrupted."""
    begin = time.monotonic()
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for part, broken in parts(campaign, seeds, options.processes):
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


def parts(
    campaign: Campaign[C], seeds: Sequence[int], processes: int
) -> Iterator[tuple[C, list[Failure]]]:
    """Chunks of games as they are done, by several processes."""
    size = campaign.chunk
    chunks = [seeds[n : n + size] for n in range(0, len(seeds), size)]
    if processes == 1:
        yield from map(campaign.run, chunks)
        return
    # An interrupt is the parent's to heed: the games that are being played come to their end.
    with ProcessPoolExecutor(processes, initializer=_ignore_interrupts) as pool:
        try:
            for done in as_completed([pool.submit(campaign.run, chunk) for chunk in chunks]):
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


def report_one(program: str, failures: Sequence[Failure], plan: object) -> int:
    """Print what came of the one game of a plan; 1 if it broke."""
    report(program, failures)
    print(f"{plan}: {'broken' if failures else 'all properties hold'}")
    return 1 if failures else 0


def report(program: str, failures: Sequence[Failure]) -> None:
    """Print what broke, and how to play it again."""
    for failure in failures:
        print(failure.text)
        print(failure.trace)
        print(f"again: {program} --only {failure.seed}")
