"""The files of the page: ``web/`` beside the packages, read at once and kept in memory.

Only files that existed then are served, by exact name, so no path leads out of the folder and none
lists it. The document itself, ``index.html``, is kept apart from the rest. All others are served
under a path that contains a digest of them all, so what is under it never changes: modules in
chunks (``service.page.chunks``), styles that are no game's in one sheet, the rest as it is written
but for comments.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Raw

from games.words import LANGUAGES
from service.http.replies import content_tag
from service.page.chunks import Chunks
from service.page.comments import COMMENTED, without_comments
from service.page.documents import (
    ROUTES,
    SHEET,
    START,
    KnownTable,
    Release,
    document,
    shared_styles,
)
from service.page.modules import Modules
from service.page.single_file import PageFrame, frame

WEB: Final = Path(__file__).resolve().parents[2] / "web"
"""The folder of the page, independent of the working directory."""

INDEX: Final = "index.html"

ASSETS: Final = "/assets/"
"""The path under which releases are served, each below its digest."""

WORKER: Final = "worker/service-worker.js"
"""The script that browsers run beside the page."""

_LEVEL: Final = 9
_MODULE: Final = ".js"

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""The media types of served files by suffix; other files are ignored."""


class SiteError(Exception):
    """The folder contains no page."""


class File(NamedTuple):
    """A file as served."""

    body: bytes
    media_type: str
    etag: str


class StaticFiles:
    """The page.

    Args:
        index: its document.
        written: its other files by their path in the folder.
    """

    def __init__(self, index: bytes, written: Mapping[str, File]) -> None:
        self.index = index
        self._written = written
        self._documents: dict[tuple[str, str, KnownTable | None], File] = {}
        self._packed: dict[str, bytes] = {}

    def document(self, route: str, language: str, table: KnownTable | None = None) -> File:
        """The document of a route (``ROUTES``), as a reader of a language gets it.

        Each is kept: there are as many as rulebooks, times languages, and not as tables.

        Raises:
            UnreadableModuleError: a module imports something in a form that is not known.
        """
        key = (route, language, table)
        if key not in self._documents:
            body = document(self._page, ROUTES[route], language, table).encode()
            self._documents[key] = File(body, "text/html; charset=utf-8", content_tag(body))
        return self._documents[key]

    def packed(self, path: str) -> bytes:
        """A file, compressed by gzip; each is compressed once."""
        if path not in self._packed:
            self._packed[path] = gzip.compress(self.files[path].body, _LEVEL, mtime=0)
        return self._packed[path]

    @cached_property
    def files(self) -> Mapping[str, File]:
        """What is served beside the document, by path: chunks, and all that is no module.

        Raises:
            UnreadableModuleError: a module says something in a form that is not known.
        """
        shared = shared_styles(self.index.decode())
        sheet = "".join(self._texts[path] for path in shared)
        served = {
            path: file
            for path, file in self._written.items()
            if not path.endswith(_MODULE) and path not in shared
        }
        for path, text in {**self._chunks.texts, SHEET: sheet}.items():
            body = text.encode()
            served[path] = File(body, MEDIA_TYPES[Path(path).suffix], content_tag(body))
        return served

    @property
    def worker(self) -> File | None:
        """The page's service worker, which no module imports; a page may have none."""
        return self._written.get(WORKER)

    def unless_changed(self, later: StaticFiles) -> StaticFiles:
        """This one, with all that has been made of it, if a later one has the same in it."""
        same = (later.index, later._written) == (self.index, self._written)
        return self if same else later

    @cached_property
    def _page(self) -> Release:
        place = f"{ASSETS}{self.digest}/"
        files = self._chunks.files
        return Release(self.index.decode(), self._written.keys(), self._modules, files, place)

    @cached_property
    def _chunks(self) -> Chunks:
        return Chunks(self._modules, START)

    @cached_property
    def _modules(self) -> Modules:
        return Modules(self._texts)

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {
            path: file.body.decode()
            for path, file in self._written.items()
            if not file.media_type.startswith("font/")
        }

    @cached_property
    def frame(self) -> PageFrame:
        """The page as one file, without the game that it shows.

        Raises:
            BundleError: it cannot be combined into one file.
        """
        return frame(self.index.decode(), self._texts)

    @cached_property
    def words(self) -> dict[str, dict[str, Raw]]:
        """The texts of the page, as JSON by language and section; each game has a section."""
        found: dict[str, dict[str, Raw]] = {}
        for path, file in self._written.items():
            match path.removesuffix(".json").split("/"):
                case ["words", language, section] if path.endswith(".json"):
                    found.setdefault(language, {})[section] = Raw(file.body)
                case ["games", game, "words", language] if path.endswith(".json"):
                    found.setdefault(language, {})[f"games/{game}"] = Raw(file.body)
        return found

    @cached_property
    def digest(self) -> str:
        """Identifies all that is served of the page: 24 hexadecimal digits."""
        parts = [self.index, *(f"{path}{file.etag}".encode() for path, file in self.files.items())]
        return content_tag(b"\x00".join(parts)).strip('"')


def read_site(folder: Path) -> StaticFiles:
    """Read the files of a folder, without comments; symbolic links and hidden files are skipped.

    Raises:
        SiteError: it has no document.
    """
    index = folder / INDEX
    if not index.is_file():
        raise SiteError(f"the folder of the page has no {INDEX}")
    files: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        media_type = MEDIA_TYPES.get(path.suffix)
        hidden = any(part.startswith(".") for part in name.parts)
        if media_type is None or hidden or path.is_symlink() or not path.is_file():
            continue
        body = path.read_bytes()
        if path.suffix in COMMENTED:
            body = without_comments(body)
        files[name.as_posix()] = File(body, media_type, content_tag(body))
    return StaticFiles(index.read_bytes(), files)


def site_of(folder: Path, *, fresh: bool) -> Callable[[], StaticFiles]:
    """A source of the page: as read and compressed at the start, or read ``fresh`` at every call.

    Raises:
        SiteError: the folder holds no page.
        UnreadableModuleError: a module says something in a form that is not known.
    """
    first = read_site(folder)
    if not fresh:
        for path in first.files:
            first.packed(path)
        for route in ROUTES:
            for language in LANGUAGES:
                first.document(route, language)
        return lambda: first
    latest = first

    def read_again() -> StaticFiles:
        nonlocal latest
        latest = latest.unless_changed(read_site(folder))
        return latest

    return read_again
