"""The words that a scenario may use: those of the game, and those of its own table (pure).

A check of what must not be would hold for a word that does not exist, so every word of a scenario
is looked up here. Each sort of words is a term; ``docs/scenarios.md`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, get_args

from games.cerveauuu.board import Grid, MapText, parse_map
from games.cerveauuu.board.map_text import EdgeState
from games.cerveauuu.board.maps import MAPS
from games.cerveauuu.decider import CREDITS_DRAW, RULES, YIELD
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts.zombie_events import Side
from games.cerveauuu.model.ids import HUMAN, ZOMBIE, is_human, number_id, piece_id
from games.cerveauuu.model.language import (
    WINDOWS,
    CardType,
    CellFlag,
    Duration,
    PieceStat,
    SeatStat,
    Spawn,
)
from games.cerveauuu.opening.options import COLOURS, MODE, RULEBOOK, VALUES
from games.cerveauuu.opening.situation import Situation
from games.cerveauuu.rules.context import DEFAULT_MAP
from games.cerveauuu.rules.yields import DEEP, KINDS
from games.cerveauuu.scenarios.checks import Phase
from games.cerveauuu.words import WORDS
from games.scenarios import Range, Term, Vocabulary
from games.words import ENGLISH, named

DECISION_KINDS: Final = (
    "place_human",
    "place_zombie",
    "wander_turn",
    "wander_batch",
    "go",
    "replan",
    "support",
    "consent",
    "respond",
    "discard",
    YIELD,
    CREDITS_DRAW,
    "resign",
    "return",
)
"""Every kind of decision, voluntary acts too."""

CAUSES: Final[Mapping[str, tuple[str, ...]]] = {
    "piece-appeared": ("placed", "spawn"),
    "piece-moved": ("step", "place", "flee", "lure", "settled"),
    "piece-saved": ("card", "melee", "any"),
    "piece-lost": ("doomed", "impassable", "melee"),
}
"""Why it has happened, or what against, by the type of the event."""

STEPS_AT_MOST: Final = 400
"""No timeline has more steps: an anchor is a number up to this."""

SPAWNED: Final[Mapping[bool, int]] = {
    human: sum(
        isinstance(effect, Spawn) and (effect.what == "human") == human
        for card in CARDS.values()
        for effect in card.effect
    )
    for human in (True, False)
}
"""How many pieces cards can bring into one game: humans, and zombies."""

GAME_TERMS: Final[Mapping[str, Term | Range]] = {
    "colour": Term("colour", COLOURS),
    "card": Term("card", tuple(CARDS), "`c001` to `c140`"),
    "held": Term(
        "number of a card in a hand",
        tuple(map(number_id, range(1, len(CARDS) + 1))),
        "`k1`, `k2` …",
    ),
    "card type": Term("type of cards", get_args(CardType)),
    "card in a hand": Term(
        "card that a hand can hold",
        tuple(card for card, each in CARDS.items() if each.type != "end_credits"),
        "`c009` to `c140`",
    ),
    "window": Term("kind of window", WINDOWS),
    "phase": Term("phase", get_args(Phase)),
    "side": Term("side of a fight", get_args(Side)),
    "edge state": Term("state of an edge", get_args(EdgeState)),
    "cell flag": Term("flag of a cell", get_args(CellFlag)),
    "duration": Term("duration", get_args(Duration)),
    "stat": Term("stat", (*get_args(PieceStat), *get_args(SeatStat), "tie_win", "tie_none")),
    "trigger": Term("moment of a card's later effect", ("wins", "loses", "eats")),
    "protection": Term("cause that a piece is protected from", CAUSES["piece-saved"]),
    "pass": Term("reason why a seat is passed", ("hand", "dormant", "yield")),
    "order": Term(
        "standing order", tuple(f"{kind}{deep}" for kind in KINDS for deep in ("", DEEP))
    ),
    "kind of order": Term("kind of standing order", KINDS),
    "outcome": Term(
        "outcome", tuple(sorted(map(named, WORDS.section(ENGLISH, "outcome", game=RULES.id))))
    ),
    "end": Term("way to close a table", ("finished", "abandoned", "annulled", "cancelled")),
    "decision": Term("kind of decision", DECISION_KINDS),
    "problem": Term(
        "problem", tuple(sorted(map(named, WORDS.section(ENGLISH, "problem", game=RULES.id))))
    ),
    "rulebook": Term("rulebook", (RULEBOOK,)),
    "mode": Term("mode", (MODE,)),
    "option": Term("option", tuple(VALUES)),
    **{f"cause of {tag}": Term(f"cause of {tag}", words) for tag, words in CAUSES.items()},
    "turn": Range("round", 0, 200),
    "version": Range("version of a window", 1),
    "anchor": Range("anchor", 0, STEPS_AT_MOST),
    "number": Range("number", 0),
    "points": Range("number of points", -100, 100),
}
"""The terms that are the same at every table."""


_HUMANS: Final = "`h01`, `h02` …, as many as can come to be"
_ZOMBIES: Final = "`z01`, `z02` …, as many as can come to be"


def vocabulary(seats: int, given: Situation | None) -> Vocabulary:
    """The terms of one table: its seats, its board, and the pieces that can be on it."""
    return Vocabulary(terms={**GAME_TERMS, **_own_terms(seats, given)}, owners={}, values=VALUES)


def _own_terms(seats: int, given: Situation | None) -> dict[str, Term | Range]:
    grid = Grid.of(_map_of(given))
    humans, zombies = _pieces(seats, given)
    cells = tuple(map(grid.cell_id, range(grid.size)))
    edges = tuple(map(grid.edge_id, grid.edges))
    return {
        "seat": Range("seat of this table", 1, seats),
        "named seat": Term(
            "seat of this table", tuple(f"s{n + 1}" for n in range(seats)), "`s1`, `s2` …"
        ),
        "character": Term("human", humans, _HUMANS),
        "human": Term("human", humans, _HUMANS),
        "zombie": Term("zombie", zombies, _ZOMBIES),
        "eater": Term("zombie", zombies, _ZOMBIES),
        "invited": Term("zombie", zombies, _ZOMBIES),
        "piece": Term("piece", (*humans, *zombies), "*human* or *zombie*"),
        "cell": Term("cell of this board", cells, "`r0c0` to the last of the board"),
        "edge": Term(
            "edge between two cells of this board", edges, "`r0c0e`, `r0c0s` and so on, inside"
        ),
        "building": Term("building of this board", grid.buildings, "the letters on the board"),
        "building or none": Term(
            "building of this board", ("", *grid.buildings), "*building*, or empty outdoors"
        ),
        "piece or cell": Term(
            "piece or cell", (*humans, *zombies, *cells), "*piece* or *cell*, in turn"
        ),
    }


def _map_of(given: Situation | None) -> MapText:
    """The board of a position; where its text is none, which a table refuses, the game's own."""
    text = MAPS[DEFAULT_MAP] if given is None else MAPS.get(given.map, given.map)
    try:
        return parse_map(text)
    except ValueError:
        return parse_map(MAPS[DEFAULT_MAP])


def _pieces(seats: int, given: Situation | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that humans and zombies can have: numbers go on from those that are there (§2.6)."""
    if given is None:
        humans, zombies = 12 + 4 * seats, 3 * seats
    else:
        humans = _highest(name for name in given.pieces if is_human(name))
        zombies = _highest(name for name in given.pieces if not is_human(name))
    humans += SPAWNED[True]
    zombies += SPAWNED[False] + humans  # each may be eaten
    return _ids(HUMAN, humans), _ids(ZOMBIE, zombies)


def _highest(names: Iterable[str]) -> int:
    return max((int(name[1:]) for name in names), default=0)


def _ids(kind: str, most: int) -> tuple[str, ...]:
    return tuple(piece_id(kind, number) for number in range(1, most + 1))
