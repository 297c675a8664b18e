"""What came of the games that were played by the rules alone, as rows for docs/fuzzing.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final

from games.contract import JsonValue
from simulator.cerveauuu.figures import MatchFigures, chance_of, wins_by_place

HEAD: Final = (
    "| Players | Deck | Games | Rounds | Over in round 1 | Mean score"
    " | Wins by place from the first chief | As likely as |"
)
RULE: Final = "|---|---|--:|--:|--:|--:|---|--:|"

Played = tuple[str, Mapping[str, JsonValue], MatchFigures]
"""The style of the players, the options of the table, and what came of the game."""


def rows(played: Iterable[Played]) -> Iterator[str]:
    """A row for each style, number of players and kind of deck, over all other options.

    Games that ended because all but one have resigned are left out.
    """
    found: defaultdict[tuple[str, int, str], list[MatchFigures]] = defaultdict(list)
    for style, options, figures in played:
        if figures.outcome == "last_standing":
            continue
        found[style, figures.seats, str(options["credits"])].append(figures)
    yield HEAD
    yield RULE
    for (style, seats, deck), games in sorted(found.items()):
        yield _row(f"{seats} {style}", deck, games)


def _row(who: str, deck: str, games: Sequence[MatchFigures]) -> str:
    rounds = [game.rounds for game in games]
    wins = wins_by_place(games)
    cells = (
        who,
        deck,
        len(games),
        f"{fmean(rounds):.1f} ({min(rounds)}–{max(rounds)})",
        f"{100 * rounds.count(1) / len(games):.1f} %",
        f"{fmean([score for game in games for score in game.scores.values()]):.1f}",
        " ".join(f"{100 * each / len(games):.0f}" for each in wins),
        f"{chance_of(wins):.2f}",
    )
    return f"| {' | '.join(map(str, cells))} |"
