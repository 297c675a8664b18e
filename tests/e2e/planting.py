"""Faults that are planted in files of the page: a test that misses them proves nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Route

WEB: Final = Path(__file__).parents[2] / "web"
TYPES: Final = {".js": "text/javascript", ".css": "text/css"}


def plant(page: Page, path: str, changes: Mapping[str, str]) -> None:
    """Give a page one of its files with a fault in it.

    Args:
        page: which will load it.
        path: of the file, below ``web``.
        changes: each text that stands there once, and what shall stand there instead.
    """
    text = (WEB / path).read_text(encoding="utf-8")
    for before, after in changes.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)

    def answer(route: Route) -> None:
        route.fulfill(content_type=TYPES[Path(path).suffix], body=text)

    # By the service, and by the server of ``modules``, whose own pages have names like these too.
    page.route(re.compile(rf"/(assets/[^/]+|web)/{re.escape(path)}$"), answer)
