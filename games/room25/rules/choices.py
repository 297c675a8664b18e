"""Every kind of decision that the agenda may ask for (§4.7; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from games.room25.model.agenda import Question
from games.room25.rules import (
    abilities,
    actions,
    event_cards,
    guard_powers,
    locks,
    panics,
    robots,
    rooms,
    turn_structure,
)
from games.room25.rules.asking import ChoiceKind


def merged(*parts: Mapping[Question, ChoiceKind]) -> dict[str, ChoiceKind]:
    """All kinds of decisions by kind, in the order of the parts.

    Raises:
        ValueError: a kind is there twice, or one is missing.
    """
    found: dict[str, ChoiceKind] = {}
    for part in parts:
        twice = found.keys() & part.keys()
        if twice:
            raise ValueError(f"two choices of one kind: {sorted(twice)}")
        found.update((str(kind), choice) for kind, choice in part.items())
    missing = set(get_args(Question)) - found.keys()
    if missing:
        raise ValueError(f"no choice of a kind: {sorted(missing)}")
    return found


CHOICES: Final = merged(
    abilities.CHOICES,
    actions.CHOICES,
    event_cards.CHOICES,
    guard_powers.CHOICES,
    locks.CHOICES,
    panics.CHOICES,
    robots.CHOICES,
    rooms.CHOICES,
    turn_structure.CHOICES,
)
"""What each kind consists of, by kind."""
