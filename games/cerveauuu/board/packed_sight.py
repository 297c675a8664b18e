"""Tables of sight as short texts: ``tools.cerveauuu.sight`` packs, a board unpacks (pure)."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Final

_LEVEL: Final = 9


def pack(seen: Sequence[int]) -> str:
    """A table as one line of base64.

    Args:
        seen: the mask of the cells that are seen from each cell.
    """
    row = _row(len(seen))
    content = b"".join(mask.to_bytes(row, "little") for mask in seen)
    return base64.b64encode(zlib.compress(content, _LEVEL)).decode()


def unpack(text: str, size: int) -> list[int]:
    """The table of a text.

    Args:
        text: what ``pack`` has made; line breaks in it do not matter.
        size: the number of cells.

    Raises:
        ValueError: it is no table of so many cells.
    """
    try:
        content = zlib.decompress(base64.b64decode(text))
    except zlib.error as error:
        raise ValueError(f"no table: {error}") from error
    row = _row(size)
    if len(content) != row * size:
        raise ValueError(f"no table of {size} cells: {len(content)} bytes")
    return [int.from_bytes(content[i : i + row], "little") for i in range(0, len(content), row)]


def _row(size: int) -> int:
    return (size + 7) // 8
