"""Which games have tools of their own: whoever measures all games asks here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tools.cerveauuu import balance as cerveauuu
from tools.room25 import balance as room25

BALANCES: Final[Mapping[str, Callable[[Sequence[str]], int]]] = {
    "room25": room25.main,
    "cerveauuu": cerveauuu.main,
}
"""By the game's id: lets its house bots play by a command line, and returns an exit code."""
