"""Pictures as PNG, for sites and programs that show no SVG."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from resvg_py import svg_to_bytes

from service.http.made_once import MadeOnce
from service.http.replies import content_tag

KEPT_BYTES: Final = 8 * 2**20
"""How many bytes of drawn pictures a process caches: some hundred previews."""

_FONTS: Final = sorted(map(str, (Path(__file__).parents[1] / "fonts").glob("*.ttf")))
_FAMILY: Final = "Atkinson Hyperlegible Next"


class Rasterizer:
    """Draws SVG images as PNG, one at a time in a thread. Belongs to one event loop."""

    def __init__(self) -> None:
        # A second thread would take the core from those who play.
        self._drawn = MadeOnce(KEPT_BYTES, together=1)

    async def png(self, svg: str) -> bytes:
        """The image in its own size."""
        return await self._drawn.get(content_tag(svg.encode()), partial(draw, svg))


def draw(svg: str) -> bytes:
    """An SVG image of ours as PNG, in its own size.

    Text is set in our font, and what that lacks in the machine's, where they have it.

    Raises:
        ValueError: it is no image.
    """
    return svg_to_bytes(
        svg_string=svg, font_files=_FONTS, font_family=_FAMILY, sans_serif_family=_FAMILY
    )
