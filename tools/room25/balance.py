"""``python -m tools.room25.balance``: what house bots make of each rulebook and mode, as Markdown.

Every seat is a ``steady`` bot with its own view. For each rulebook, mode and number of players as
many games are played as wanted, and counted: who won, how long it took, which rooms, abilities,
cards and orders occurred, and how often players won with them and without. That is a correlation,
no proof: a room may be entered because a game goes badly. ``--write`` puts the whole table into
``docs/balance.md``, between its markers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Final

from games.room25.editions import RULEBOOKS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.words import WORDS
from games.words import ENGLISH
from simulator.room25.bot_games import BotGame, Setting
from simulator.room25.chronicle import Chronicle, chronicle
from tools.markdown import NONE, Row, percent, table, written

DOC: Final = Path(__file__).resolve().parents[2] / "docs" / "balance.md"
BEGIN: Final = "<!-- from here made by `make balance BALANCE=--write` -->"
END: Final = "<!-- to here -->"

GAMES: Final = 30
SEED: Final = 1
BOT: Final = "steady"
FEW: Final = 5
"""Fewer games than this on one side say nothing about a difference."""

PLAIN: Final = (("adrenaline", False), ("specials", False))
MAD: Final = (("madness", True),)
VARIANTS: Final[Mapping[tuple[str, str], tuple[tuple[tuple[str, object], ...], ...]]] = {
    ("bga", "suspicion"): (PLAIN,),
    ("bga", "cooperation"): (PLAIN,),
    ("bga", "solo"): (PLAIN,),
    ("ultimate", "cooperation"): ((), MAD),
    ("ultimate", "solo"): ((), MAD),
}
"""With which options a mode is played, if not with its defaults.

With its defaults ``bga`` is the same game as ``ultimate`` (R1), so it is played without adrenaline
and special abilities.
"""

Played = Mapping[Setting, Sequence[Chronicle]]


# --- playing ---


def settings(rulebooks: Sequence[str] = (), modes: Sequence[str] = ()) -> list[Setting]:
    """Every rulebook, mode and number of players, or those of the rulebooks and modes wanted."""
    return [
        Setting(book.id, mode.id, seats, options)
        for book in RULEBOOKS.values()
        for mode in book.modes.values()
        for options in VARIANTS.get((book.id, mode.id), ((),))
        for seats in mode.seats
        if (not rulebooks or book.id in rulebooks) and (not modes or mode.id in modes)
    ]


def cast_of(setting: Setting, seed: int) -> list[tuple[str, ...]]:
    """Other characters in every game, where the mode leaves them to the players."""
    book = RULEBOOKS[setting.rulebook]
    mode = book.modes[setting.mode]
    if mode.duos or mode.team_casting:
        return []
    names, each = list(book.characters), mode.per_seat[setting.seats]
    Random(seed).shuffle(names)  # noqa: S311 (nobody gains by foreseeing it)
    return [tuple(names[i * each : (i + 1) * each]) for i in range(setting.seats)]


def play(job: tuple[Setting, int]) -> Chronicle:
    """One game of a setting and a seed, with a bot in every seat."""
    setting, seed = job
    bots = [BOT] * setting.seats
    return chronicle(BotGame(setting, bots, seed, cast=cast_of(setting, seed)).play().log)


def play_all(wanted: Sequence[Setting], games: int, seed: int, cores: int) -> Played:
    """So many games of each setting, from the same seeds, on so many cores."""
    jobs = [(setting, seed + n) for setting in wanted for n in range(games)]
    with ProcessPoolExecutor(cores) as pool:
        told = list(pool.map(play, jobs, chunksize=max(1, games // 8)))
    return {s: told[i * games : (i + 1) * games] for i, s in enumerate(wanted)}


# --- telling ---


def spread(values: Sequence[int]) -> str:
    """``6.3 ± 1.2``: mean and standard deviation."""
    return f"{statistics.fmean(values):.1f} ± {statistics.pstdev(values):.1f}"


def _mean(values: Sequence[int]) -> str:
    return f"{statistics.fmean(values):.2f}"


def name_of(setting: Setting) -> str:
    """A mode with its options and number of players."""
    marks = [key if value else f"no {key}" for key, value in setting.options]
    mode = ", ".join([WORDS.word(ENGLISH, f"room25/mode.{setting.mode}.name"), *marks])
    return f"{mode}: {setting.seats}"


def outcomes(games: Sequence[Chronicle]) -> str:
    """Every way in which games ended, the commonest first."""
    found = Counter(game.outcome for game in games)
    return ", ".join(f"{end} {percent(n, len(games))}" for end, n in found.most_common())


def results(played: Played) -> list[str]:
    """A row for each mode and number of players."""
    head = ("Mode: players", "Games", "Outcomes", "Turns", "Deaths", "Score")

    def row(setting: Setting, games: Sequence[Chronicle]) -> Row:
        scores = [game.score for game in games if game.score is not None]
        score = spread(scores) if scores else NONE
        deaths = spread([game.deaths for game in games])
        turns = spread([game.turns for game in games])
        return name_of(setting), len(games), outcomes(games), turns, deaths, score

    return table(head, [row(setting, games) for setting, games in played.items()])


def compared(games: Sequence[Chronicle], has: Callable[[Chronicle], bool]) -> tuple[str, str]:
    """How often players won in games that have something, and in those that have not."""
    sides = [[g for g in games if has(g)], [g for g in games if not has(g)]]
    with_it, without = [percent(sum(g.success for g in side), len(side)) for side in sides]
    few = min(len(side) for side in sides) < FEW
    return with_it, f"({without})" if few and without != NONE else without


def rooms(games: Sequence[Chronicle]) -> list[str]:
    """A row for each kind of room that lay in any of these games, by those it lay in."""
    head = ("Room", "Laid", "Entered", "Acted", "In games", "Killed", "Won if it acted", "if not")

    def rows() -> Iterator[Row]:
        for kind in ROOM_KINDS:
            there = [game for game in games if kind in game.there]
            if not there or kind == "central":
                continue
            fired = [bool(game.fired.get(kind)) for game in there]
            yield (
                WORDS.word(ENGLISH, f"room25/room.{kind}.name"),
                percent(len(there), len(games)),
                _mean([game.entered.get(kind, 0) for game in there]),
                _mean([game.fired.get(kind, 0) for game in there]),
                percent(sum(fired), len(there)),
                _mean([game.killed.get(kind, 0) for game in there]),
                *compared(there, lambda game, kind=kind: bool(game.fired.get(kind))),  # type: ignore[misc]  # bound now
            )

    return table(head, rows())


def deeds(games: Sequence[Chronicle]) -> list[str]:
    """A row for each action, ability, card, order and power that occurred."""
    head = ("What", "A game", "In games", "Won with it", "without")

    def row(what: str) -> Row:
        counts = [game.used.get(what, 0) for game in games]
        share = percent(sum(map(bool, counts)), len(games))
        return what, _mean(counts), share, *compared(games, lambda game: bool(game.used.get(what)))

    names = sorted({what for game in games for what in game.used})
    return table(head, map(row, names))


def report(played: Played, games: int, seed: int, seconds: float, day: str) -> str:
    """The whole result as Markdown."""
    whole = sum(map(len, played.values()))
    seeds = f"seeds {seed} to {seed + games - 1}"
    lines = [f"{day}: {games} games each, {seeds}; {whole} games in {seconds:.0f} s.", ""]
    for book in RULEBOOKS:
        mine = {setting: found for setting, found in played.items() if setting.rulebook == book}
        if mine:
            every = [game for found in mine.values() for game in found]
            lines += [f"## `{book}`", "", *results(mine)]
            lines += ["### Rooms", "", *rooms(every), "### Deeds", "", *deeds(every)]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: Sequence[str]) -> int:
    """Play, and print or write what came of it; 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.room25.balance", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each mode and player count")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first game")
    parser.add_argument("--rulebook", action="append", default=[], choices=list(RULEBOOKS))
    modes = sorted({mode for book in RULEBOOKS.values() for mode in book.modes})
    parser.add_argument("--mode", action="append", default=[], choices=modes)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--write", action="store_true", help=f"into {DOC.name}, all of it")
    said = parser.parse_args(arguments)
    if said.games < 1:
        parser.error("at least one game each")
    if said.write and (said.rulebook or said.mode):
        parser.error("only the whole table is written")
    wanted = settings(said.rulebook, said.mode)
    start = time.monotonic()
    played = play_all(wanted, said.games, said.seed, said.cores)
    day = time.strftime("%Y-%m-%d", time.gmtime())
    result = report(played, said.games, said.seed, time.monotonic() - start, day)
    print(result)
    if said.write:
        DOC.write_text(written(DOC.read_text(), result, (BEGIN, END)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
