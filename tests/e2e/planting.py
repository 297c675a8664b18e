"""Faults that are planted in files of the page: a test that misses them proves nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import BrowserContext, Page

from service.page.chunks import Chunks
from service.page.comments import without_comments
from service.page.documents import START
from service.page.modules import Modules

WEB: Final = Path(__file__).parents[2] / "web"
TYPES: Final = {".js": "text/javascript", ".css": "text/css"}


def plant(page: Page, path: str, changes: Mapping[str, str]) -> None:
    """Give a page one of its files with a fault in it.

    Args:
        page: which will load it.
        path: of the file, below ``web``.
        changes: each text that stands there once, and what shall stand there instead.
    """
    plant_all(page, {path: changes})


def plant_all(page: Page, faults: Mapping[str, Mapping[str, str]]) -> None:
    """The same for several files at once, by their paths: modules may be in one chunk."""
    spoilt = {}
    for path, changes in faults.items():
        text = (WEB / path).read_text(encoding="utf-8")
        for before, after in changes.items():
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        spoilt[path] = text
    plant_files(page, spoilt)


def plant_files(where: Page | BrowserContext, spoilt: Mapping[str, str]) -> None:
    """Give a page, or all of a context, other files instead of its own, by their paths.

    By the service a module comes in its chunk, by the server of ``modules`` alone.
    """
    if not spoilt:
        return
    written = {each.relative_to(WEB).as_posix(): each for each in WEB.rglob("*.js")}
    bare = {name: without_comments(each.read_bytes()).decode() for name, each in written.items()}
    for path in spoilt.keys() & bare.keys():
        text = without_comments(spoilt[path].encode()).decode()
        # How large it is decides in which chunk a module comes: the page asks for it where it was.
        bare[path] = text.ljust(len(bare[path]))
    chunks = Chunks(Modules(bare), START)
    served = {rf"/web/{re.escape(path)}$": text for path, text in spoilt.items()}
    for path, text in spoilt.items():
        file = chunks.files.get(path, path)
        served[rf"/assets/[^/]+/{re.escape(file)}$"] = chunks.texts.get(file, text)
    for address, body in served.items():
        _answer(where, address, TYPES[Path(address.rstrip("$")).suffix], body)


def _answer(where: Page | BrowserContext, address: str, kind: str, body: str) -> None:
    where.route(re.compile(address), lambda route: route.fulfill(content_type=kind, body=body))
