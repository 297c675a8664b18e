"""The files of the page: ``web/`` beside the packages, read whole and kept in memory.

Only what was there when it was read is served, by its exact name, so no path leads out of the
folder and none lists it. The document itself, ``index.html``, stands apart from the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Raw

from service.bundle import Frame, frame
from service.replies import content_tag

WEB: Final = Path(__file__).resolve().parents[1] / "web"
"""Where the page lies, wherever the process was started."""

INDEX: Final = "index.html"

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, by the end of its name; other files are none of the page's."""


class SiteError(Exception):
    """The folder holds no page."""


class File(NamedTuple):
    """A file as it is served."""

    body: bytes
    media_type: str
    etag: str


class Site:
    """The page: its document ``index``, and its other ``files`` by their path in the folder."""

    def __init__(self, index: bytes, files: Mapping[str, File]) -> None:
        self.index = index
        self.files = files

    @cached_property
    def frame(self) -> Frame:
        """The page as one file, around what it shows.

        Raises:
            BundleError: it cannot be one file.
        """
        texts = {path: file.body.decode() for path, file in self.files.items()}
        return frame(self.index.decode(), texts)

    @cached_property
    def words(self) -> dict[str, dict[str, Raw]]:
        """What the page says, as JSON by language and section."""
        found: dict[str, dict[str, Raw]] = {}
        for path, file in self.files.items():
            match path.split("/"):
                case ["words", language, section] if section.endswith(".json"):
                    texts = found.setdefault(language, {})
                    texts[section.removesuffix(".json")] = Raw(file.body)
        return found

    @cached_property
    def digest(self) -> str:
        """Tells apart any two pages: 24 hexadecimal digits."""
        parts = [self.index, *(f"{path}{file.etag}".encode() for path, file in self.files.items())]
        return content_tag(b"\x00".join(parts)).strip('"')


def read_site(folder: Path) -> Site:
    """All that the folder holds now; links and hidden files are passed over.

    Raises:
        SiteError: it has no document.
    """
    index = folder / INDEX
    if not index.is_file():
        raise SiteError(f"there is no {INDEX} in the folder of the page")
    files: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        media_type = MEDIA_TYPES.get(path.suffix)
        hidden = any(part.startswith(".") for part in name.parts)
        if media_type is None or hidden or path.is_symlink() or not path.is_file():
            continue
        body = path.read_bytes()
        files[name.as_posix()] = File(body, media_type, content_tag(body))
    return Site(index.read_bytes(), files)


def site_of(folder: Path, *, fresh: bool) -> Callable[[], Site]:
    """Gives the page: as it was at the start, or ``fresh`` from the folder at every call.

    Raises:
        SiteError: the folder holds no page.
    """
    first = read_site(folder)
    return (lambda: read_site(folder)) if fresh else (lambda: first)
