"""Writes the table of sight of the default map, or checks it.

``python -m tools.cerveauuu.sight --write`` writes it; ``--check`` exits with 1 if it differs.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from games.cerveauuu.board.grid import Grid
from games.cerveauuu.board.map_text import MapText, parse_map
from games.cerveauuu.board.maps import DEFAULT20
from games.cerveauuu.board.packed_sight import pack, unpack
from tools.documents import task_parser, write_or_check

ROOT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "games/cerveauuu/board/default_sight.py"
_WIDTH: Final = 96
_QUOTES: Final = '"""'
_HEAD: Final = '''\
"""Who sees whom on the default map, from ``tools.cerveauuu.sight``: do not edit (§6; pure)."""

from typing import Final

DEFAULT20_SIGHT: Final = """\\
'''
_FOOT: Final = '''"""
"""The mask of the cells seen from each cell, packed (``games.cerveauuu.board.packed_sight``)."""
'''


def table(map_: MapText) -> list[int]:
    """The mask of the cells that are seen from each cell of a map (§6)."""
    grid = Grid.of(map_)
    everywhere = (1 << grid.size) - 1
    return [grid.seen_from(cell, everywhere) for cell in range(grid.size)]


def module(seen: Sequence[int], present: str) -> str:
    """The text of the module that holds a table.

    Args:
        seen: the table.
        present: the module's text as it is, or nothing. It is kept if it holds this table, because
            not every build of zlib packs to the same bytes.
    """
    packed = present.removeprefix(_HEAD).partition(_QUOTES)[0]
    if present == _around(packed) and _holds(packed, seen):
        return present
    return _around("\n".join(textwrap.wrap(pack(seen), _WIDTH)) + "\n")


def _holds(packed: str, seen: Sequence[int]) -> bool:
    try:
        return unpack(packed, len(seen)) == list(seen)
    except ValueError:
        return False


def _around(packed: str) -> str:
    return _HEAD + packed + _FOOT


def documents(root: Path = ROOT) -> dict[str, bytes]:
    """The module by its path."""
    path = root / NAME
    present = path.read_text(encoding="utf-8") if path.is_file() else ""
    return {NAME: module(table(parse_map(DEFAULT20)), present).encode()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the module; the exit code."""
    return write_or_check(
        task_parser("tools.cerveauuu.sight", __doc__),
        sys.argv[1:] if arguments is None else arguments,
        documents,
        ROOT,
        "run python -m tools.cerveauuu.sight --write",
    )


if __name__ == "__main__":
    sys.exit(main())
