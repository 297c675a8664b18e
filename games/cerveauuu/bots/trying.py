"""Cards tried in thought: which plays to try, and what each would come to (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Context, Working
from games.cerveauuu.bots.mind import Mind, part_of
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.ids import card_number, number_id
from games.cerveauuu.model.language import (
    DrawCards,
    DropCards,
    LookAtHand,
    ReturnCredits,
    Seats,
    TakeCard,
)
from games.cerveauuu.rules import combat
from games.cerveauuu.rules.context import Grids, Play
from games.cerveauuu.rules.effects import resolve
from games.cerveauuu.rules.plays import read_play
from games.cerveauuu.rules.timeline import state_at
from games.trees import parts_of

_THOUGHT: Final = Context(now=0, actor=Actor("worker", "thought"), draw=Draw(b""))
"""Nothing that is tried in thought draws: a draw without a seed raises."""

_UNKNOWN: Final = (DrawCards, TakeCard, LookAtHand, ReturnCredits)
"""Effects whose outcome a view does not know."""

WIDE: Final = 3
"""So many relevant options of a level are tried."""

FEW: Final = 2
"""So many others."""

TRIES: Final = 8
"""So many plays of a card are tried at most."""


def can_try(card: str) -> bool:
    """Whether a card does only what its player's view knows."""
    return not any(
        isinstance(effect, _UNKNOWN)
        or (isinstance(effect, DropCards) and effect.seats != Seats("me"))
        for effect in CARDS[card].effect
    )


def plays(mind: Mind, number: int, relevant: Collection[str]) -> Iterator[str]:
    """Some plays of a card, those that name relevant pieces first.

    Args:
        mind: a decision that offers to play.
        number: the card's, in the hand.
        relevant: pieces that the play should name.
    """
    path = ("play", number_id(number))
    card = next((o for o in mind.below(("play",)) if o.id == ".".join(path)), None)
    if card is None:
        return
    todo, found = [card], 0
    while todo and found < TRIES:
        option = todo.pop()
        if not option.branch:
            found += 1
            yield option.id
            continue
        below = mind.below(parts_of(option.id))
        wanted = [o for o in below if part_of(o) in relevant][:WIDE]
        others = [o for o in below if part_of(o) not in relevant]
        step = max(1, len(others) // FEW)
        todo += reversed([*wanted, *others[::step][:FEW]])


class Tried(Struct, frozen=True):
    """A play and what one would have by it, in points."""

    play: str
    value: float


def try_play(mind: Mind, grids: Grids, play: str) -> Tried:
    """What a seat would have after a play, all others passing.

    Raises:
        ValueError: the card does something that the view does not know (``can_try``).
    """
    played = read_play(mind.state, mind.seat, play)
    anchor = played.anchor
    before = mind.state if anchor is None else state_at(mind.state, anchor)
    work = Working(evolve, replace(before), _THOUGHT)
    batch = Play(work, grids)
    resolve(batch, played)
    if batch.state.fight is not None:
        combat.after_card(batch)
    return Tried(play, mind.worth(batch.state, mind.seat))


def best_play(
    mind: Mind, grids: Grids, numbers: Collection[int], relevant: Collection[str]
) -> Tried | None:
    """The best of the plays that are tried of some cards; None: there is none to try."""
    hand = mind.state.hands[mind.seat]
    best: Tried | None = None
    for number in numbers:
        if can_try(hand[number] or ""):
            for play in plays(mind, number, relevant):
                found = try_play(mind, grids, play)
                if best is None or found.value > best.value:
                    best = found
    return best


# --- hands ---


def does(card: str, kinds: tuple[type, ...]) -> bool:
    """Whether a card has an effect of some kinds."""
    return any(isinstance(effect, kinds) for effect in CARDS[card].effect)


def cards_of(mind: Mind) -> dict[int, str]:
    """The seat's own hand, by number."""
    return {n: card for n, card in sorted(mind.state.hands[mind.seat].items()) if card is not None}


def number_of(play: str) -> int:
    """The number of the card that a play names."""
    return card_number(parts_of(play)[1])
