"""The default map as a board (§2.11; pure)."""

from __future__ import annotations

from typing import Final

from games.cerveauuu.board.default_sight import DEFAULT20_SIGHT
from games.cerveauuu.board.grid import Grid, all_steps
from games.cerveauuu.board.map_text import parse_map
from games.cerveauuu.board.maps import DEFAULT20
from games.cerveauuu.board.packed_sight import unpack

_MAP: Final = parse_map(DEFAULT20)
_SIGHT: Final = tuple(unpack(DEFAULT20_SIGHT, _MAP.width * _MAP.height))
_STEPS: Final = all_steps(_MAP)


def default_grid() -> Grid:
    """A new board of ``DEFAULT20`` that knows all of its steps and sight from the start.

    It keeps what it finds out, so whoever owns it makes it once.
    """
    return Grid.of(_MAP, _SIGHT, _STEPS)
