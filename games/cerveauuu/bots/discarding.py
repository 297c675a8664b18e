"""What a card is worth to keep, and what to discard (§4.11.1; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.cerveauuu.bots.mind import Mind
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import card_number, number_id
from games.cerveauuu.model.language import (
    Block,
    HaltMovement,
    Kill,
    MakeReady,
    ModifyStat,
    Save,
    SetTie,
    Spawn,
    Unblock,
)
from games.cerveauuu.rules.goes import SWAP

_WORTH: Final[Mapping[type, float]] = {
    Kill: 3.0,
    Spawn: 3.0,
    HaltMovement: 2.5,
    Block: 2.5,
    MakeReady: 2.5,
    SetTie: 2.0,
    Save: 1.5,
    Unblock: 1.5,
    ModifyStat: 1.2,
}
"""How much each effect can do; the others are worth 1."""

ANYWHERE: Final = 0.5
"""What it is worth more if a card can be played in a fight."""

POOR: Final = 1.2
"""A card that is worth no more is changed for another where that costs nothing."""


def keeping(card: str) -> float:
    """What it is worth to keep a card."""
    row = CARDS[card]
    worth = max((_WORTH.get(type(effect), 1.0) for effect in row.effect), default=1.0)
    return worth + ANYWHERE * ("combat" in row.when)


def discard(mind: Mind) -> str:
    """The set that is worth least."""
    hand = mind.state.hands[mind.seat]
    values = {
        option.id: -sum(keeping(hand[card_number(k)] or "") for k in option.id.split("-"))
        for option in mind.decision.options
    }
    return mind.best(values)


def swap(mind: Mind) -> str | None:
    """The card that is worth least, if another will hardly be worth less (§4.6)."""
    hand = {n: card for n, card in sorted(mind.state.hands[mind.seat].items()) if card is not None}
    worst = min(hand, key=lambda number: (keeping(hand[number]), number))
    if keeping(hand[worst]) > POOR:
        return None
    return mind.leaf(SWAP, number_id(worst))


def surplus(mind: Mind, limit: int) -> tuple[int, ...]:
    """The numbers of the cards beyond ``limit``, what is worth least first."""
    hand = {n: card for n, card in sorted(mind.state.hands[mind.seat].items()) if card is not None}
    ranked = sorted(hand, key=lambda number: (keeping(hand[number]), number))
    return tuple(ranked[: max(0, len(ranked) - limit)])
