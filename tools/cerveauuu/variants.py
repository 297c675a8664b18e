"""``python -m tools.cerveauuu.variants``: between ``steady`` and the steady players of §13.3.

Players that differ from the house bot in some habits (``simulator.cerveauuu.simulated_players``)
are put beside the figures of §13.3, those of two players with the deck spread, too.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from statistics import fmean
from typing import Final

from simulator.cerveauuu.figures import MatchFigures
from simulator.cerveauuu.plans import SEATS
from simulator.cerveauuu.published_figures import (
    FIRST_SPREAD,
    MIDDLE,
    PUBLISHED,
    READINGS,
    middle,
    same_share,
    standard_error,
)
from simulator.cerveauuu.simulated_players import VARIANTS
from tools.cerveauuu.balance import (
    DECKS,
    DOC,
    GAMES,
    SEED,
    Found,
    Lineup,
    compared,
    play_all,
    results,
)
from tools.markdown import table, written

MARKS: Final = (
    "<!-- from here made by `python -m tools.cerveauuu.variants --write` -->",
    "<!-- to here: between the players -->",
)

ALIKE: Final = [Lineup("selfish", seats, DECKS[0]) for seats in SEATS]
"""Who stands for the steady players of §13.3."""

STEPS: Final = [
    Lineup("unspoiling", 4, DECKS[0]),
    *(Lineup(who, 5, DECKS[0]) for who in ("steady", *VARIANTS) if who != "selfish"),
]
"""Who shows what the difference is made of, where it is greatest."""

PAIRS: Final = [Lineup("selfish", 2, deck) for deck in DECKS]
"""Who shows what a spread deck does for two players."""

STEPS_OF: Final = 0.5
"""So many times as many games are played by those who show it: what they show is large."""

FEWEST: Final = 4
"""Two games at least have a standard deviation, of those that are played least often, too."""

PAIRS_OF: Final = 2.5
"""So many times as many games of two are played: how often round 1 ends one is a rare event."""


def lengths(found: Found) -> list[str]:
    """How long games of two are, by the deck, beside the figures of §13.3."""
    head = ("Players", "Deck", "Games", "Over in round 1", "Middle nine tenths", "Theirs")

    def row(lineup: Lineup, games: Found) -> Sequence[object]:
        told = games[lineup]
        first = sum(game.rounds == 1 for game in told)
        likely = ""
        if lineup.credits == "spread":
            likely = f", {FIRST_SPREAD[0]} ({same_share(first, len(told), *FIRST_SPREAD):.2f})"
        here, there = ("{}–{}".format(*each) for each in (middle(told), MIDDLE[lineup.credits]))
        return (
            f"{lineup.seats} {lineup.who}",
            lineup.credits,
            len(told),
            f"{first}{likely}",
            here,
            there,
        )

    return table(head, [row(lineup, found) for lineup in found])


def by_head(found: Found) -> list[str]:
    """What each player eats a round, here and in §13.3, with standard errors.

    Nothing is known of how far apart their games are: as far as ours.
    """
    head = ("Players", "Games", "Here", "§13.3", "Apart")

    def row(lineup: Lineup, games: Sequence[MatchFigures]) -> Sequence[object]:
        said, values = PUBLISHED["steady", lineup.seats], READINGS["eaten"](games)
        here, there = fmean(values) / lineup.seats, said.eaten / lineup.seats
        error = standard_error(values) / lineup.seats
        theirs = error * (len(games) / said.games) ** 0.5
        return (
            f"{lineup.seats} {lineup.who}",
            f"{len(games)}, {said.games}",
            f"{here:.2f} ± {error:.2f}",
            f"{there:.2f} ± {theirs:.2f}",
            f"{here - there:+.2f} ± {math.hypot(error, theirs):.2f}",
        )

    return table(head, [row(lineup, games) for lineup, games in found.items()])


def heading(counts: Sequence[int], seed: int, seconds: float) -> str:
    """When what was played, from which seed on, in how many seconds."""
    alike, steps, pairs = counts
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"{day}: {alike} games each of `selfish`, {steps} each of the others, {pairs} of two for "
        f"each deck, seeds from {seed} on, in {seconds:.0f} s."
    )


def report(alike: Found, steps: Found, pairs: Found, said: str) -> str:
    """The whole result as Markdown, under a line that says what was played."""
    lines = [
        said,
        "",
        "### `selfish` players beside the steady ones of §13.3",
        "",
        *compared(alike, "steady"),
        *results(alike),
        "### What each of them eats a round",
        "",
        *by_head(alike),
        "### What the difference to `steady` is made of",
        "",
        *compared(steps, "steady"),
        "### Two players, the deck shuffled and spread",
        "",
        *lengths(pairs),
    ]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: Sequence[str]) -> int:
    """Play, and print or write what came of it; 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.cerveauuu.variants", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each pairing (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help=f"into {DOC.name}")
    said = parser.parse_args(arguments)
    if said.games < FEWEST:
        parser.error(f"at least {FEWEST} games each")
    start = time.monotonic()
    counts = [round(times * said.games) for times in (1, STEPS_OF, PAIRS_OF)]
    alike, steps, pairs = (
        play_all(wanted, count, said.seed, said.cores)
        for wanted, count in zip((ALIKE, STEPS, PAIRS), counts, strict=True)
    )
    result = report(alike, steps, pairs, heading(counts, said.seed, time.monotonic() - start))
    print(result)
    if said.write:
        DOC.write_text(written(DOC.read_text(), result, MARKS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
