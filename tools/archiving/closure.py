"""Which modules an archive of rules holds: all that its entry imports, and nothing that it may not.

Imports are read from the source, those under a condition too. What is neither on the list of our
modules nor on that of Python's own stops the build, and whoever imports it is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

ENTRY: Final = "replay.archived"

EVENTS: Final = frozenset(
    {
        "codec",
        "draw",
        "envelope",
        "kernel",
        "openings",
        "lru",
        "names",
        "registry",
        "seal",
        "secrecy",
    }
)
"""The pure modules of ``events``."""

REPLAY: Final = frozenset({"adjudication", "archived", "cases"})
"""The modules of ``replay`` that judge."""

NO_RULES: Final = (
    "games.bots",
    "games.drawing",
    "games.game_registry",
    "games.package",
    "games.published",
    "games.registry",
    "games.scenarios",
    "games.texts",
    "games.words",
)
"""What lies beside the rules: how house bots play, what games are as a whole and are called."""

NO_MEMBERS: Final = frozenset({"bots", "package", "scenarios", "telling", "words"})
"""The modules and packages in a game's folder that are not its rules."""

LIBRARIES: Final = frozenset({"msgspec"})
"""What must be there where an archive is run."""

PYTHON: Final = frozenset(
    {
        "__future__",
        "abc",
        "base64",
        "binascii",
        "collections",
        "copy",
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "re",
        "struct",
        "sys",
        "types",
        "typing",
        "unicodedata",
        "zlib",
    }
)
"""Modules of Python that know no file, clock, chance, network or process."""

WAYS_OUT: Final = frozenset(
    {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open"}
)
"""Names by which code would come to more than it imports."""


class ClosureError(Exception):
    """The rules import, or call, what an archive must not hold."""


def closure(root: Path, entry: str = ENTRY) -> Mapping[str, Path]:
    """Our modules that ``entry`` imports, it and their packages included, by name, sorted.

    Args:
        root: the folder of our packages.
        entry: a module.

    Raises:
        ClosureError: something is imported or called that may not be.
    """
    found: dict[str, Path] = {}
    waiting = [(entry, "the build")]
    while waiting:
        name, by = waiting.pop()
        if name in found:
            continue
        path = _path(root, name)
        if path is None or not _is_allowed(name):
            raise ClosureError(f"{by} imports {name}, which no archive of rules may hold")
        found[name] = path
        imports, way_out = _looked_through(path.read_bytes())
        if way_out is not None:
            raise ClosureError(f"{name} uses {way_out}, which no archive of rules may use")
        parents = name.split(".")[:-1]
        waiting += [(".".join(parents[: i + 1]), name) for i in range(len(parents))]
        waiting += [(each, name) for each in _imports(imports, root, name)]
    return dict(sorted(found.items()))


_Imports = tuple[ast.Import | ast.ImportFrom, ...]


@lru_cache(maxsize=256)
def _looked_through(source: bytes) -> tuple[_Imports, str | None]:
    """The statements of a module that import, and the first name in it that is a way out."""
    nodes = tuple(ast.walk(ast.parse(source)))
    imports = tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    names = (node.id for node in nodes if isinstance(node, ast.Name))
    return imports, next((name for name in names if name in WAYS_OUT), None)


def _is_allowed(name: str) -> bool:
    package, _, rest = name.partition(".")
    if package == "games":
        beside = any(name == each or name.startswith(f"{each}.") for each in NO_RULES)
        return not beside and NO_MEMBERS.isdisjoint(rest.split(".")[1:2])
    modules = {"events": EVENTS, "replay": REPLAY}.get(package, frozenset())
    return name in {"events", "replay"} or rest in modules


def _path(root: Path, name: str) -> Path | None:
    """Where a module of ours is; None: it is not ours."""
    base = root.joinpath(*name.split("."))
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _imports(imports: _Imports, root: Path, by: str) -> Iterator[str]:
    """The modules of ours that a module imports.

    Raises:
        ClosureError: it imports one that is neither ours nor on the lists.
    """
    for name in _named(imports, root, by):
        top = name.partition(".")[0]
        if top in PYTHON | LIBRARIES:
            continue
        if _path(root, top) is None:
            raise ClosureError(f"{by} imports {name}, which no archive of rules may use")
        yield name


def _named(imports: _Imports, root: Path, by: str) -> Iterator[str]:
    for node in imports:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            if node.level or node.module is None:
                raise ClosureError(f"{by} imports by a relative name")
            yield node.module
            parts = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (part for part in parts if _path(root, part) is not None)
