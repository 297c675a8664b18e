"""What the page's modules import (pure): at once, and later where somebody goes there.

They are read by form and not by a parser, so there are two forms and no other: a statement at the
beginning of a line, ``import { a } from "./a.js";``, and a function that loads a module later,
``() => import("./b.js")``. Whatever else looks like an import is refused: nothing is overlooked.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

_NOW: Final = re.compile(
    r"""^(?:import\s*(?:[\w$*{},\s]+?\s*from\s*)?|export\s*(?:\{[^}]*\}|\*(?:\s*as\s+[\w$]+)?)\s*from\s*)"([^"\n]*)"\s*;""",
    re.MULTILINE,
)
LATER: Final = re.compile(r"""\(\) => import\("([^"\n]*)"\)""")
"""How a module is loaded later."""

_UNKNOWN: Final = re.compile(
    r"""\bfrom\s*["']\.|\bimport\s*\(|\bimport\.meta\b|^import\s*['"]\.""", re.MULTILINE
)
_COMMENT: Final = re.compile(r"^\s*/\*(?s:.*?)\*/|^\s*//.*$", re.MULTILINE)


class UnreadableModuleError(Exception):
    """A module is missing, or imports something in another form; the message says which."""


class Imports(NamedTuple):
    """The paths of the modules that a module imports ``now``, and of those that it loads later."""

    now: tuple[str, ...]
    later: tuple[str, ...]


class Modules:
    """The modules of a page, each read once.

    Args:
        files: the texts of the page's folder by their paths in it.
    """

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._read: dict[str, Imports] = {}

    def text(self, path: str) -> str:
        """The text of a module.

        Raises:
            UnreadableModuleError: it is missing, or imports something in another form.
        """
        self.imports(path)  # which looks at it, once
        return self._files[path]

    def imports(self, path: str) -> Imports:
        """What a module imports, in the order in which it says so.

        Raises:
            UnreadableModuleError: it is missing, or imports something in another form.
        """
        if path not in self._read:
            text = _COMMENT.sub("", _module(path, self._files))
            self._read[path] = Imports(
                tuple(target(path, found[1]) for found in _NOW.finditer(text)),
                tuple(target(path, found[1]) for found in LATER.finditer(text)),
            )
        return self._read[path]

    def graph(self, *starts: str) -> list[str]:
        """These modules and all that they import now, the nearest first.

        Raises:
            UnreadableModuleError: see ``imports``.
        """
        return self._reached(starts, later=False)

    def reachable(self, *starts: str) -> list[str]:
        """These modules and all that they import, now or later, the nearest first.

        Raises:
            UnreadableModuleError: see ``imports``.
        """
        return self._reached(starts, later=True)

    def late(self, *starts: str) -> list[str]:
        """The modules that these, or what they import, load later; sorted.

        Raises:
            UnreadableModuleError: see ``imports``.
        """
        return sorted(
            {each for path in self.reachable(*starts) for each in self.imports(path).later}
        )

    def _reached(self, starts: Iterable[str], *, later: bool) -> list[str]:
        found = list(dict.fromkeys(starts))
        known = set(found)
        for path in found:  # which grows
            imports = self.imports(path)
            for each in (*imports.now, *(imports.later if later else ())):
                if each not in known:
                    known.add(each)
                    found.append(each)
        return found


def renamed(path: str, files: Mapping[str, str], name: Callable[[str], str]) -> str:
    """A module with its imports by other names: ``name`` gives that of each path.

    Raises:
        UnreadableModuleError: see ``Modules.imports``.
    """

    def rewritten(match: re.Match[str]) -> str:
        begin, end = match.start(1) - match.start(), match.end(1) - match.start()
        return f"{match[0][:begin]}{name(target(path, match[1]))}{match[0][end:]}"

    return LATER.sub(rewritten, _NOW.sub(rewritten, _module(path, files)))


def target(path: str, specifier: str) -> str:
    """The path that a relative specifier resolves to in a module.

    Raises:
        UnreadableModuleError: it is not relative.
    """
    if not specifier.startswith(("./", "../")):
        raise UnreadableModuleError(f"{path} imports {specifier!r}, which is not a relative path")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))


def _module(path: str, files: Mapping[str, str]) -> str:
    """The text of a module.

    Raises:
        UnreadableModuleError: it is missing, or imports something in another form.
    """
    text = files.get(path)
    if text is None or not path.endswith(".js"):
        raise UnreadableModuleError(f"module {path} not found")
    rest = _UNKNOWN.search(LATER.sub("", _NOW.sub("", _COMMENT.sub("", text))))
    if rest is not None:
        raise UnreadableModuleError(
            f"{path} contains {rest[0]!r}, which is no import that is known"
        )
    return text
