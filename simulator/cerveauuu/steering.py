"""What seldom happens by lot: somebody is saved on a cell that has become impassable (§2.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Final

from events.kernel import Decision
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import number_id
from games.cerveauuu.model.language import FlagCell, Save
from games.cerveauuu.model.state import State
from games.trees import parts_of
from simulator.cerveauuu.illegal import PLAY
from simulator.option_trees import ListBelow


def _doing(kind: type[FlagCell | Save]) -> frozenset[str]:
    return frozenset(
        name
        for name, card in CARDS.items()
        if any(isinstance(effect, kind) for effect in card.effect)
    )


SHUTTING: Final = _doing(FlagCell)
"""Cards that change a cell."""

SAVING: Final = _doing(Save)
"""Cards that save a piece."""


def steered(state: State, decision: Decision, below: ListBelow, random: Random) -> str | None:
    """A play that shuts a cell with a piece on it, or that saves who is doomed, if there is one.

    Args:
        state: the truth.
        decision: what is chosen.
        below: its tree.
        random: chooses among several.
    """
    if not any(option.id == PLAY for option in decision.options):
        return None
    for card, wanted in _aims(state, decision):
        option = f"{PLAY}.{card}"
        found = _towards(option, wanted, below, random)
        if found is not None:
            return found
    return None


def _aims(state: State, decision: Decision) -> Iterator[tuple[str, Collection[str]]]:
    """The cards of the hand that might do it, and what they should name."""
    doomed = [piece.id for piece in state.pieces.values() if piece.doomed]
    for number, card in state.hands[decision.seat].items():
        if card in SAVING and doomed:
            yield number_id(number), doomed
        elif card in SHUTTING and not doomed:
            yield number_id(number), {piece.cell for piece in state.pieces.values()}


def _towards(option: str, wanted: Collection[str], below: ListBelow, random: Random) -> str | None:
    """Some leaf below a card that names something wanted; None: the way that was tried has none."""
    level = [each for each in below(PLAY) if each.id == option]
    named = False
    while level:
        liked = [each for each in level if parts_of(each.id)[-1] in wanted]
        named = named or bool(liked)
        chosen = random.choice(liked or level)
        if not chosen.branch:
            return chosen.id if named else None
        level = list(below(chosen.id))
    return None
