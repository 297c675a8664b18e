"""The files of the page: ``web/`` beside the packages, read at once and kept in memory.

Only files that existed then are served, by exact name, so no path leads out of the folder and none
lists it. The document itself, ``index.html``, is kept apart from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Raw

from service.http.replies import content_tag
from service.page.single_file import PageFrame, frame

WEB: Final = Path(__file__).resolve().parents[2] / "web"
"""The folder of the page, independent of the working directory."""

INDEX: Final = "index.html"

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
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
    """The page: its document ``index``, and its other ``files`` by their path in the folder."""

    def __init__(self, index: bytes, files: Mapping[str, File]) -> None:
        self.index = index
        self.files = files

    @cached_property
    def frame(self) -> PageFrame:
        """The page as one file, without the game that it shows.

        Raises:
            BundleError: it cannot be combined into one file.
        """
        texts = {path: file.body.decode() for path, file in self.files.items()}
        return frame(self.index.decode(), texts)

    @cached_property
    def words(self) -> dict[str, dict[str, Raw]]:
        """The texts of the page, as JSON by language and section; each game has a section."""
        found: dict[str, dict[str, Raw]] = {}
        for path, file in self.files.items():
            match path.removesuffix(".json").split("/"):
                case ["words", language, section] if path.endswith(".json"):
                    found.setdefault(language, {})[section] = Raw(file.body)
                case ["games", game, "words", language] if path.endswith(".json"):
                    found.setdefault(language, {})[f"games/{game}"] = Raw(file.body)
        return found

    @cached_property
    def digest(self) -> str:
        """Identifies the content of the page: 24 hexadecimal digits."""
        parts = [self.index, *(f"{path}{file.etag}".encode() for path, file in self.files.items())]
        return content_tag(b"\x00".join(parts)).strip('"')


def read_site(folder: Path) -> StaticFiles:
    """Read the files of a folder; symbolic links and hidden files are skipped.

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
        files[name.as_posix()] = File(body, media_type, content_tag(body))
    return StaticFiles(index.read_bytes(), files)


def site_of(folder: Path, *, fresh: bool) -> Callable[[], StaticFiles]:
    """A source of the page: as read at the start, or read ``fresh`` at every call.

    Raises:
        SiteError: the folder holds no page.
    """
    first = read_site(folder)
    return (lambda: read_site(folder)) if fresh else (lambda: first)
