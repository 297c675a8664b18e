"""What the ids of options and decisions are made of, for each kind of decision (pure).

A form is an id with its words left out: ``play.{held}.{zombie}`` stands for ``play.k1.z01``.
Between the braces stands a term of ``vocabulary``; ``{cell.}`` is one cell or several, joined by
``.``, and ``{held-}`` the same joined by ``-``. As options are trees, each branch has a form, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from games.cerveauuu.decider import CREDITS_DRAW, REPLACE, STOP, YIELD
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import ANCHORED, Card
from games.cerveauuu.rules.goes import DOWN, SWAP
from games.cerveauuu.rules.plays import PLAY
from games.cerveauuu.rules.trees import ATTACK, END, SKIP
from games.cerveauuu.rules.yields import NONE
from games.cerveauuu.scenarios.vocabulary import DECISION_KINDS, GAME_TERMS
from games.scenarios import Term

_SLOTS: Final[Mapping[str, str]] = {
    "H": "{human}",
    "Z": "{zombie}",
    "X": "{piece}",
    "C": "{cell}",
    "W": "{edge}",
    "D": "{edge}",
    "B": "{building}",
    "P": "{named seat}",
}
"""What fills a slot of a card (§7)."""

_PART: Final = re.compile(r"\.(?![^{]*\})")
"""The point between two parts of a form, but not the one inside of braces."""

SHARED_AT_MOST: Final = 6
"""So many victims can be shared out in an option that a scenario names."""


def _plays(card: Card, *, anchored: bool) -> str:
    """The form of the plays of a card, in windows with a timeline or in others (§5.7)."""
    parts = [PLAY, "{held}", *(["{anchor}"] if anchored else [])]
    parts += [_SLOTS[slot.kind] for slot in card.target]
    parts += ["{cell}"] if card.steps is not None else []
    return ".".join([*parts, *(["{held-}"] if card.drops else [])])


def _all_plays(*, anchored: bool) -> Iterator[str]:
    for card in CARDS.values():
        if any((window in ANCHORED) == anchored for window in card.when):
            yield _plays(card, anchored=anchored)


def with_branches(leaves: Iterable[str]) -> tuple[str, ...]:
    """Some forms and those of all branches on the way to them, each once."""
    forms: dict[str, None] = {}
    for leaf in leaves:
        parts = _PART.split(leaf)
        forms |= dict.fromkeys(".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return tuple(forms)


_PLAIN: Final = tuple(_all_plays(anchored=False))
_ANCHORED: Final = tuple(_all_plays(anchored=True))
_STOPS: Final = (END, f"{ATTACK}{{piece}}")
_MOVES: Final = (*_STOPS, *(f"{{cell.}}.{stop}" for stop in _STOPS))
_SHARES: Final = tuple(
    ".".join(["{invited-}", *["{human}-{eater}"] * number]) for number in range(SHARED_AT_MOST + 1)
)


def _orders() -> tuple[str, ...]:
    term = GAME_TERMS["order"]
    return term.words if isinstance(term, Term) else ()


OPTION_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "place_human": ("random", "{cell}"),
    "place_zombie": ("random", "{cell}"),
    "wander_turn": with_branches((SKIP, "{human}.{cell}", *_PLAIN)),
    "wander_batch": ("stay", "{cell}"),
    "go": with_branches(
        (*(f"{{zombie}}.{move}" for move in _MOVES), DOWN, f"{SWAP}.{{held}}", *_PLAIN)
    ),
    "replan": with_branches(("keep", *_MOVES)),
    "support": with_branches((NONE, *_SHARES)),
    "consent": ("accept", "decline"),
    "respond": with_branches((SKIP, *_PLAIN, *_ANCHORED)),
    "discard": ("{held-}",),
    YIELD: (NONE, *_orders()),
    CREDITS_DRAW: (REPLACE, STOP),
    "resign": ("resign",),
    "return": ("return",),
}
"""The ids that the options of each kind of decision can have."""

ID_FORMS: Final[Mapping[str, str]] = {
    **{kind: "r{turn}-{number}-" + kind.replace("_", "-") + "-s{seat}" for kind in DECISION_KINDS},
    "wander_batch": "r{turn}-batch-{human}-s{seat}",
    "respond": "r{turn}-w{number}-v{version}-s{seat}",
    "discard": "r{turn}-discard-s{seat}",
    YIELD: "yield-s{seat}",
    CREDITS_DRAW: "credits-draw-s{seat}",
    "resign": "resign-s{seat}",
    "return": "return-s{seat}-{number}",
}
"""The ids that a decision of each kind can have."""

WAIT_FORMS: Final = (
    "r{turn}-w{number}-v{version}",
    "r{turn}-batch",
    "r{turn}-{number}-consent",
    "r{turn}-discards",
    *(
        ID_FORMS[kind]
        for kind in ("place_human", "place_zombie", "wander_turn", "go", "replan", "support")
    ),
)
"""What the table waits for: the answers of a version, a batch, consents, discards, a decision."""

REPEATABLE: Final = frozenset({"cell", "eater"})
"""Terms of which an id may name one word twice: a way leads back, a zombie eats several humans."""
