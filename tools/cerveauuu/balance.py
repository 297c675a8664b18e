"""``python -m tools.cerveauuu.balance``: what becomes of games between house bots, as Markdown.

Each number of players is played by bots of one kind alone, with the deck shuffled and with its
end-credits cards spread; then ``steady`` plays against ``random``. ``greedy`` is no house bot: it
plays as ``random`` does, but a zombie that can reach humans mostly attacks one of them (§13.3).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Final

from msgspec import Struct

from simulator.cerveauuu.figures import (
    MatchFigures,
    chance_of,
    figures_of,
    wins_by_place,
)
from simulator.cerveauuu.plans import SEATS
from simulator.cerveauuu.published_figures import PUBLISHED, READINGS, distance, same_share
from tools.markdown import percent, table, written

DOC: Final = Path(__file__).resolve().parents[2] / "docs" / "balance.md"
MARKS: Final = (
    "<!-- from here made by `python -m tools.cerveauuu.balance --write` -->",
    "<!-- to here: games between bots -->",
)

GAMES: Final = 60
SEED: Final = 1
BOTS: Final = ("random", "greedy", "steady")
DECKS: Final = ("shuffled", "spread")
UNLIKELY: Final = 0.01
"""Wins that are as unlikely as this if all places are equal are marked."""


class Lineup(Struct, frozen=True):
    """Who plays: so many of some bots, and how the deck is made."""

    who: str
    seats: int
    credits: str

    def names(self, lap: int) -> list[str]:
        """The bot in each seat; where one plays against others, it changes its seat."""
        if "/" not in self.who:
            return [self.who] * self.seats
        one, others = self.who.split("/")
        names = [others] * self.seats
        names[lap % self.seats] = one
        return names


Found = Mapping[Lineup, Sequence[MatchFigures]]


def pairings(sizes: Sequence[int], decks: Sequence[str]) -> list[Lineup]:
    """All that is played: bots among themselves, and one that plays well among others."""
    found = [Lineup(who, n, deck) for deck in decks for who in BOTS for n in sizes]
    return [*found, *(Lineup("steady/random", n, DECKS[0]) for n in sizes)]


def play(job: tuple[Lineup, int]) -> MatchFigures:
    """One game, by its seed."""
    pairing, seed = job
    return figures_of(pairing.names(seed), seed, {"credits": pairing.credits})


def play_all(wanted: Sequence[Lineup], games: int, seed: int, cores: int) -> Found:
    """So many games of each pairing, from the same seeds, on so many cores."""
    jobs = [(pairing, seed + n) for pairing in wanted for n in range(games)]
    if cores == 1:
        told = list(map(play, jobs))
    else:
        with ProcessPoolExecutor(cores) as pool:
            told = list(pool.map(play, jobs, chunksize=4))
    return {p: told[i * games : (i + 1) * games] for i, p in enumerate(wanted)}


def results(found: Found) -> list[str]:
    """A row for each number of players, as in §13.3."""
    head = (
        "Players",
        "Games",
        "Rounds",
        "Over in round 1",
        "No human left",
        "Best / mean score",
        "Eaten a round",
        "Cards a round",
        "By cards played",
        "Shared",
        "Wins by place from the first chief",
        "As likely as",
    )

    def row(pairing: Lineup, games: Sequence[MatchFigures]) -> Sequence[object]:
        rounds, ends = [game.rounds for game in games], Counter(game.outcome for game in games)
        wins = wins_by_place(games)
        likely = chance_of(wins)
        best = fmean([max(game.scores.values()) for game in games])
        every = fmean([score for game in games for score in game.scores.values()])
        return (
            f"{pairing.seats} {pairing.who}",
            len(games),
            f"{fmean(rounds):.1f} ({min(rounds)}–{max(rounds)})",
            percent(rounds.count(1), len(games)),
            percent(sum(not game.humans for game in games), len(games)),
            f"{best:.1f} / {every:.1f}",
            f"{sum(game.eaten for game in games) / sum(rounds):.1f}",
            f"{sum(game.played for game in games) / sum(rounds):.1f}",
            percent(ends["most_cinematic"], len(games)),
            percent(ends["shared"], len(games)),
            " ".join(f"{100 * each / len(games):.0f}" for each in wins),
            f"{likely:.2f}{' (!)' if likely < UNLIKELY else ''}",
        )

    return table(head, [row(pairing, games) for pairing, games in found.items()])


def compared(found: Found, standing_for: str | None = None) -> list[str]:
    """How far from the figures of §13.3 the games are, as far as there are any.

    Args:
        found: the games.
        standing_for: beside whose figures all are put; None: each beside those of its own name.
    """
    head = ("Players", "Games", "Rounds", "Best score", "Mean score", "Eaten a round", "Round 1")

    def row(pairing: Lineup, games: Sequence[MatchFigures]) -> Sequence[object]:
        said = PUBLISHED[standing_for or pairing.who, pairing.seats]
        first = sum(game.rounds == 1 for game in games)
        likely = same_share(first, len(games), said.first, said.games)

        def beside(name: str) -> str:
            here = fmean(READINGS[name](games))
            return f"{here:.1f}, {getattr(said, name)} ({distance(games, said, name):+.1f})"

        return (
            f"{pairing.seats} {pairing.who}",
            f"{len(games)}, {said.games}",
            *map(beside, ("rounds", "best", "mean", "eaten")),
            f"{first}, {said.first} ({likely:.2f})",
        )

    known = {p: g for p, g in found.items() if (standing_for or p.who, p.seats) in PUBLISHED}
    return table(head, [row(pairing, games) for pairing, games in known.items()])


def duels(found: Found, seed: int) -> list[str]:
    """How often one that plays well wins against others."""
    head = ("Players", "Games", "It wins", "Its points", "Others' points")

    def row(pairing: Lineup, games: Sequence[MatchFigures]) -> Sequence[object]:
        seats = [1 + pairing.names(seed + n).index("steady") for n in range(len(games))]
        both = list(zip(games, seats, strict=True))
        wins = sum((seat in game.winners) / len(game.winners) for game, seat in both)
        own = fmean([game.scores[seat] for game, seat in both])
        rest = fmean([v for game, seat in both for s, v in game.scores.items() if s != seat])
        return pairing.seats, len(games), percent(wins, len(games)), f"{own:.1f}", f"{rest:.1f}"

    return table(head, [row(pairing, games) for pairing, games in found.items()])


def report(found: Found, games: int, seed: int, seconds: float, day: str) -> str:
    """The whole result as Markdown."""
    whole = sum(map(len, found.values()))
    seeds = f"seeds {seed} to {seed + games - 1}"
    lines = [f"{day}: {games} games each, {seeds}; {whole} games in {seconds:.0f} s.", ""]
    for deck in DECKS:
        mine = {p: g for p, g in found.items() if p.credits == deck and p.who in BOTS}
        if mine:
            lines += [f"### The deck {deck}", "", *results(mine)]
        if mine and deck == DECKS[0] and games > 1:
            lines += ["### Beside the figures of §13.3", "", *compared(mine)]
    against = {pairing: told for pairing, told in found.items() if pairing.who not in BOTS}
    if against:
        lines += ["### One `steady` bot among `random` ones", "", *duels(against, seed)]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: Sequence[str]) -> int:
    """Play, and print or write what came of it; 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.cerveauuu.balance", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each pairing (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game")
    parser.add_argument("--seats", type=int, action="append", default=[], choices=SEATS)
    parser.add_argument("--deck", action="append", default=[], choices=DECKS)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help=f"into {DOC.name}, all of it")
    said = parser.parse_args(arguments)
    if said.games < 1:
        parser.error("at least one game each")
    if said.write and (said.seats or said.deck):
        parser.error("only the whole table is written")
    start = time.monotonic()
    found = play_all(
        pairings(said.seats or SEATS, said.deck or DECKS), said.games, said.seed, said.cores
    )
    day = time.strftime("%Y-%m-%d", time.gmtime())
    result = report(found, said.games, said.seed, time.monotonic() - start, day)
    print(result)
    if said.write:
        DOC.write_text(written(DOC.read_text(), result, MARKS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
