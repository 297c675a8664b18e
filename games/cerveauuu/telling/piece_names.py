"""What pieces are called: by their kind and by the number that they bear on the board (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from games.cerveauuu.words import WORDS
from games.words import ENGLISH

_PIECE: Final = re.compile(r"([hz])(\d+)", re.ASCII)
_KINDS: Final = {"h": "term.human", "z": "term.zombie"}


def piece_name(id_: str, word: Callable[[str], str]) -> str:
    """A piece in words, ``zombie 12``; what is no id of a piece stays as it is.

    Args:
        id_: of the piece, ``z12``.
        word: the text of a key of the game, without the game.
    """
    found = _PIECE.fullmatch(id_)
    return id_ if found is None else f"{word(_KINDS[found[1]])} {int(found[2])}"


def english_name(id_: str) -> str:
    """The same in English, in which drawings are labelled."""
    return piece_name(id_, lambda key: WORDS.word(ENGLISH, f"cerveauuu/{key}"))
