"""What names look like to people: which are told apart, and which spoil a line of text (pure).

Apart from ``events.names``, which the rules need: no rule ever compares names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, Literal

from events.lookalikes import PROTOTYPES, STROKES

MARKS_MAX: Final = 3
"""The most combining marks in a row, composed (NFC): what is written needs no more (two vowel signs
and a tone, a point and an accent), and a pile of them covers the lines above and below."""

_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""What shows nothing, though Unicode has it among letters, marks and symbols: joiners, fillers,
variation selectors, the blank of Braille. Everything else of that kind is not printable.
"""

_MARKS: Final = frozenset({"Mn", "Me"})


class TakenNames:
    """Names; a name is ``in`` them if it looks the same to people as one of them.

    Case, width, what shows nothing, outer spaces and the number of inner ones are ignored; so is
    the script of a letter or digit that looks like one of ASCII, and what is one stroke (``I``,
    ``l``, ``1``, ``|``) or round (``O``, ``0``) is one digit.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._looks = frozenset(look for name in names for look in _looks(name))

    def __contains__(self, name: str) -> bool:
        return not self._looks.isdisjoint(_looks(name))


def is_visible(name: str) -> bool:
    """Whether there is anything to be seen of a name."""
    return bool(_folded(name))


def is_piled_up(name: str) -> bool:
    """Whether a name has more than ``MARKS_MAX`` combining marks in a row, or begins with one.

    The first character has nothing to carry a mark but what stands before the name.
    """
    row = MARKS_MAX
    for each in unicodedata.normalize("NFC", name):
        row = row + 1 if unicodedata.category(each) in _MARKS else 0
        if row > MARKS_MAX:
            return True
    return False


def _folded(name: str) -> str:
    """A name without regard to case: other scripts too have letters that differ by that alone."""
    plain = _shown("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", plain)


def _looks(name: str) -> tuple[tuple[str, str], ...]:
    """A name without regard to case, in ASCII as far as letters and digits look so, and as drawn.

    Marks are letters of their own there, and an ``L`` is not drawn as one stroke.
    """
    lookalike = _shown("NFKD", name).translate(PROTOTYPES)
    drawn = lookalike.translate(STROKES)
    return ("folded", _folded(name)), ("ASCII", lookalike.casefold()), ("drawn", drawn.casefold())


def _shown(form: Literal["NFKC", "NFKD"], name: str) -> str:
    return " ".join(_UNSEEN.sub("", unicodedata.normalize(form, name)).split())
