"""The default map as a board (§2.11; pure)."""

from __future__ import annotations

from games.cerveauuu.board.default_sight import DEFAULT20_SIGHT
from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.map_text import parse_map
from games.cerveauuu.board.maps import DEFAULT20
from games.cerveauuu.board.packed_sight import unpack


def default_grid() -> Grid:
    """A new board of ``DEFAULT20`` that knows all of its sight from the start.

    It keeps what it finds out, so whoever owns it makes it once.
    """
    map_ = parse_map(DEFAULT20)
    return Grid.of(map_, unpack(DEFAULT20_SIGHT, map_.width * map_.height))
