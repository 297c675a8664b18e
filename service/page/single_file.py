"""The page as one file: its modules, styles and document combined, for offline use (pure).

Modules become ``data:`` URLs in an import map. Such a URL has no folder, so relative imports become
bare names that the map resolves: ``"../dom.js"`` becomes ``"parlour/dom.js"``. Circular imports
work, as they do in the page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final, NamedTuple

import msgspec

from service.page.modules import Modules, UnreadableModuleError, renamed

PREFIX: Final = "parlour/"
"""The prefix of the bare name of every module."""

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""The file may run its own scripts and show its own pictures, but not use the network."""

ROOT: Final = "/web/"
"""The path under which the document refers to its files, as it is written."""

FILES: Final = "files"
"""The name of the document's metadata that holds this path, for modules that fetch files."""

_OUTSIDE: Final = re.compile(r"@import\b|url\(\s*[\"']?(?!data:|#)", re.IGNORECASE)
_ENDS: Final = re.compile(r"</(?:style|script)", re.IGNORECASE)


class BundleError(Exception):
    """The page cannot be combined into one file; the message says why."""


class PageFrame(NamedTuple):
    """The file without the game: HTML before and after the archive."""

    before: bytes
    after: bytes

    def around(self, archive: bytes) -> bytes:
        """The complete file; ``archive`` is JSON."""
        return self.before + _harmless(archive) + self.after


def frame(index: str, files: Mapping[str, str]) -> PageFrame:
    """Combine the page.

    Args:
        index: the document; it refers to its modules and styles under ``ROOT``.
        files: the texts of the folder by their paths in it; unused ones are left out.

    Raises:
        BundleError: something is missing, or is referenced in a way that does not work offline.
    """
    shell = _Shell(files)
    shell.feed(index)
    shell.close()
    before, mark, after = "".join(shell.parts).partition(_Shell.MARK)
    if not mark:
        raise BundleError("the document does not start a module")
    return PageFrame(before.encode(), after.encode())


# --- modules ---


def rewritten(path: str, files: Mapping[str, str]) -> str:
    """A module with its imports rewritten to bare names.

    Raises:
        BundleError: an import is missing, or has a form that is not known.
    """
    try:
        return renamed(path, files, lambda target: PREFIX + target)
    except UnreadableModuleError as error:
        raise BundleError(str(error)) from error


def needed(start: str, files: Mapping[str, str]) -> list[str]:
    """The paths of a module and of all that it imports, now or later, sorted.

    Raises:
        BundleError: see ``rewritten``.
    """
    try:
        return sorted(Modules(files).reachable(start))
    except UnreadableModuleError as error:
        raise BundleError(str(error)) from error


def import_map(start: str, files: Mapping[str, str]) -> str:
    """The import map of a module and of all that it imports, as JSON.

    Raises:
        BundleError: see ``rewritten``.
    """
    found = {
        PREFIX + path: "data:text/javascript;base64," + _base64(rewritten(path, files))
        for path in needed(start, files)
    }
    return msgspec.json.encode({"imports": found}, order="sorted").decode()


# --- the document ---


class _Shell(HTMLParser):
    """Copies the document with everything that it links to inlined."""

    MARK: Final = "\x00archive\x00"

    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self._files = files
        self._dropped = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "script":
            self._dropped = True
            self.parts.append(self._scripts(given))
        elif tag == "link":
            self.parts.append(self._linked(given))
        elif given.get("name") == FILES:
            pass  # there are none beside it
        else:
            self.parts.append(self.get_starttag_text() or "")
            if tag == "meta" and "charset" in given:
                self.parts.append(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">')

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # the default would also close void elements

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._dropped:
            self._dropped = False
        else:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.parts.append("" if self._dropped else data)

    def handle_entityref(self, name: str) -> None:
        self.parts.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.parts.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.parts.append(f"<!{decl}>")

    def _scripts(self, given: Mapping[str, str]) -> str:
        """The import map, the archive, and the script that starts the module."""
        start = given.get("src", "").removeprefix(ROOT)
        if given.get("type") != "module" or start == given.get("src", ""):
            raise BundleError("a script of the document is not a module of the page")
        return (
            f'<script type="importmap">{import_map(start, self._files)}</script>\n    '
            f'<script type="application/json" id="archive">{self.MARK}</script>\n    '
            f'<script type="module">import "{PREFIX}{start}";</script>'
        )

    def _linked(self, given: Mapping[str, str]) -> str:
        """An inlined style sheet or icon."""
        kind, path = given.get("rel"), given.get("href", "").removeprefix(ROOT)
        text = self._files.get(path)
        if text is None:
            raise BundleError(f"the document links to {path}, which is missing")
        if kind == "stylesheet":
            return f"<style>\n{_style(path, text)}</style>"
        if kind == "icon" and path.endswith(".svg"):
            return f'<link rel="icon" href="data:image/svg+xml;base64,{_base64(text)}">'
        raise BundleError(
            f"the document links to {path} as {kind}, which a single file does not support"
        )


def _style(path: str, text: str) -> str:
    """A style sheet that loads nothing.

    Raises:
        BundleError: it loads something.
    """
    found = _OUTSIDE.search(text) or _ENDS.search(text)
    if found is not None:
        raise BundleError(f"{path} contains {found[0]!r}, which a single file does not support")
    return text


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _harmless(json: bytes) -> bytes:
    """JSON that is safe in a script element: the same values, but nothing that looks like a tag."""
    return json.replace(b"<", b"\\u003c")
