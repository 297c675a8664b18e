"""The ids of pieces and their canonical order (§2.6; pure)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

HUMAN: Final = "h"
ZOMBIE: Final = "z"


def piece_id(kind: str, number: int) -> str:
    """The id of a piece: ``h01``, ``z12``, ``h100``.

    Args:
        kind: ``h`` or ``z``.
        number: counted from 1, never reused.
    """
    return f"{kind}{number:02}"


def is_human(piece: str) -> bool:
    """Whether an id is that of a human."""
    return piece[0] == HUMAN


def rank(piece: str) -> tuple[str, int]:
    """The place of a piece in the order "by id": humans before zombies, then by number."""
    return piece[0], int(piece[1:])


def by_id(pieces: Iterable[str]) -> tuple[str, ...]:
    """Pieces in the order "by id", each once."""
    return tuple(sorted(set(pieces), key=rank))


def card_number(name: str) -> int:
    """The number in ``k5``."""
    return int(name[1:])


def number_id(number: int) -> str:
    """The public id of the card with this number in a hand: ``k5`` (§2.9)."""
    return f"k{number}"
