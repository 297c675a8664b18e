"""The page as one file: its modules, styles and document joined, so that a disk is enough (pure).

Modules become ``data:`` addresses in an import map. Such an address has no folder, so what a module
imports by a relative path gets a bare name, which the map knows: ``"../dom.js"`` becomes
``"parlour/dom.js"``. Modules may import each other in circles, as they may in the page.
"""

from __future__ import annotations

import posixpath
import re
from base64 import b64encode
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Final, NamedTuple

import msgspec

PREFIX: Final = "parlour/"
"""Begins the bare name of every module."""

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""What the file may do: run its own scripts and show its own pictures; nothing over a network."""

ROOT: Final = "/web/"
"""Where the document finds its files."""

_IMPORT: Final = re.compile(
    r"""^(?:import\s*(?:[\w$*{},\s]+?\s*from\s*)?|export\s*(?:\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?)\s*from\s*)"([^"\n]*)"\s*;""",
    re.MULTILINE,
)
_UNKNOWN: Final = re.compile(
    r"""\bfrom\s*["']\.|\bimport\s*\(|\bimport\.meta\b|^import\s*['"]\.""", re.MULTILINE
)
_COMMENT: Final = re.compile(r"^\s*/\*(?s:.*?)\*/|^\s*//.*$", re.MULTILINE)
_OUTSIDE: Final = re.compile(r"@import\b|url\(\s*[\"']?(?!data:|#)", re.IGNORECASE)
_ENDS: Final = re.compile(r"</(?:style|script)", re.IGNORECASE)


class BundleError(Exception):
    """The page cannot be one file; the text says why."""


class Frame(NamedTuple):
    """The file but for what it replays: HTML before and after the archive."""

    before: bytes
    after: bytes

    def around(self, archive: bytes) -> bytes:
        """The whole file; ``archive`` is JSON."""
        return self.before + _harmless(archive) + self.after


def frame(index: str, files: Mapping[str, str]) -> Frame:
    """Join the page.

    Args:
        index: the document; its modules and styles are found under ``ROOT``.
        files: the texts of the folder by their paths in it; those that nothing needs are left out.

    Raises:
        BundleError: something is missing, or is asked for in a way that a file cannot do.
    """
    shell = _Shell(files)
    shell.feed(index)
    shell.close()
    before, mark, after = "".join(shell.parts).partition(_Shell.MARK)
    if not mark:
        raise BundleError("the document starts no module")
    return Frame(before.encode(), after.encode())


# --- modules ---


def needed(start: str, files: Mapping[str, str]) -> list[str]:
    """The paths of a module and of all that it imports, sorted.

    Raises:
        BundleError: see ``rewritten``.
    """
    found: set[str] = set()
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path, files)
    return sorted(found)


def rewritten(path: str, files: Mapping[str, str]) -> str:
    """A module with bare names for the modules that it imports.

    Raises:
        BundleError: it imports what is not there, or in another way than by a static statement.
    """

    def bare(match: re.Match[str]) -> str:
        at = match.start(1) - match.start()
        statement, target = match[0], _target(path, match[1])
        return f"{statement[:at]}{PREFIX}{target}{statement[at + len(match[1]) :]}"

    return _IMPORT.sub(bare, _module(path, files))


def _imported(path: str, files: Mapping[str, str]) -> list[str]:
    return [_target(path, match[1]) for match in _IMPORT.finditer(_module(path, files))]


def _target(path: str, specifier: str) -> str:
    """The path that a relative specifier means in a module.

    Raises:
        BundleError: it is not relative.
    """
    if not specifier.startswith(("./", "../")):
        raise BundleError(f"{path} imports {specifier!r}, which is no relative path")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))


def _module(path: str, files: Mapping[str, str]) -> str:
    """The text of a module, all of whose imports we can follow.

    Raises:
        BundleError: it is missing, or we cannot.
    """
    text = files.get(path)
    if text is None or not path.endswith(".js"):
        raise BundleError(f"there is no module {path}")
    rest = _UNKNOWN.search(_IMPORT.sub("", _COMMENT.sub("", text)))
    if rest is not None:
        raise BundleError(f"{path} has {rest[0]!r} where one file can have no such thing")
    return text


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
    """Copies the document, with all that it links to put in its place."""

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
        else:
            self.parts.append(self.get_starttag_text() or "")
            if tag == "meta" and "charset" in given:
                self.parts.append(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">')

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # its own way would end what has no end

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
        """The import map, the archive, and what starts the module."""
        start = given.get("src", "").removeprefix(ROOT)
        if given.get("type") != "module" or start == given.get("src", ""):
            raise BundleError("a script of the document is no module of ours")
        return (
            f'<script type="importmap">{import_map(start, self._files)}</script>\n    '
            f'<script type="application/json" id="archive">{self.MARK}</script>\n    '
            f'<script type="module">import "{PREFIX}{start}";</script>'
        )

    def _linked(self, given: Mapping[str, str]) -> str:
        """A style sheet or an icon itself."""
        kind, path = given.get("rel"), given.get("href", "").removeprefix(ROOT)
        text = self._files.get(path)
        if text is None:
            raise BundleError(f"the document links to {path}, which is not there")
        if kind == "stylesheet":
            return f"<style>\n{_style(path, text)}</style>"
        if kind == "icon" and path.endswith(".svg"):
            return f'<link rel="icon" href="data:image/svg+xml;base64,{_base64(text)}">'
        raise BundleError(f"the document links to {path} as {kind}, which one file cannot")


def _style(path: str, text: str) -> str:
    """A style sheet that asks for nothing.

    Raises:
        BundleError: it asks for something.
    """
    found = _OUTSIDE.search(text) or _ENDS.search(text)
    if found is not None:
        raise BundleError(f"{path} has {found[0]!r} where one file can have no such thing")
    return text


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _harmless(json: bytes) -> bytes:
    """JSON that can stand in a script element: the same values, but nothing looks like a tag."""
    return json.replace(b"<", b"\\u003c")
