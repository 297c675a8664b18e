"""The house rules that no linter knows: pure functions from a file's path and text to complaints.

A complaint reads ``path:line: what is wrong``; an empty list means the file is in order.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

from tests.house.tree import nodes

PACKAGES = (
    "bench",
    "club",
    "events",
    "games",
    "ops",
    "projections",
    "replay",
    "runtime",
    "service",
    "simulator",
    "tools",
    "workers",
)
MODULE_LINES = 500
FUNCTION_LINES = 70
SLEEP_SECONDS = 1.0

# Names that say nothing about what is inside.
EMPTY_NAMES = frozenset(
    {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
)

# A path that exists on one machine only. A route such as "/workers" or "a/work/b" is none.
_MACHINE_FOLDERS = ("home", "opt", "root", "Users", "work")
_MACHINE_PATH = re.compile(
    rf"(?:(?<=file://)|(?<![\w./*-]))/(?:{'|'.join(_MACHINE_FOLDERS)})(?=[/\s\"'`,;:)]|$)"
)
_REGISTRY_WORDS = ("pypi", "pythonhosted", "npm", "registry", "deb.debian")
_REGISTRY = re.compile(
    rf"\b(?:[\w-]+\.)*(?:{'|'.join(map(re.escape, _REGISTRY_WORDS))})[\w-]*"
    r"\.(?:org|com|io|net|dev)\b"
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_modules(path: str, text: str) -> list[str]:
    """Complain about a module of more than 500 lines: split it along a noun."""
    lines = len(text.splitlines())
    return [f"{path}:{lines}: over {MODULE_LINES} lines"] if lines > MODULE_LINES else []


def long_functions(path: str, text: str) -> list[str]:
    """Complain about functions of more than 70 lines, docstring included, decorators not."""
    return [
        f"{path}:{node.lineno}: {node.name} has {size} lines, over {FUNCTION_LINES}"
        for node in _nodes(text)
        if isinstance(node, _Function)
        and (size := (node.end_lineno or node.lineno) - node.lineno + 1) > FUNCTION_LINES
    ]


def missing_docstrings(path: str, text: str) -> list[str]:
    """Complain about a module, public class, public function or public method without one."""
    tree = _parsed(text)
    missing = [] if _described(tree) else [f"{path}:1: the module has no docstring"]
    missing += [
        f"{path}:{node.lineno}: {node.name} has no docstring"
        for node in _public(tree)
        if not _described(node)
    ]
    return missing


def missing_module_docstring(path: str, text: str) -> list[str]:
    """Complain about a module without a docstring; for tests, whose names say the rest."""
    if re.match(r'"""\s*[^"\s]', text):  # as nearly all begin: to parse a module takes long
        return []
    return [] if _described(_parsed(text)) else [f"{path}:1: the module has no docstring"]


def empty_names(path: str, _text: str = "") -> list[str]:
    """Complain about a module or folder named for nothing, as ``utils`` or ``seat_helpers``."""
    words = {word for part in PurePosixPath(path).with_suffix("").parts for word in part.split("_")}
    return [f"{path}:1: the name says nothing: {word}" for word in sorted(words & EMPTY_NAMES)]


def foreign_places(path: str, text: str) -> list[str]:
    """Complain about paths of one machine and about hosts that packages come from."""
    # Hardly any file has one: most are searched for a word, and not line by line for a pattern.
    searched = (
        ("a machine's path", _MACHINE_PATH, [f"/{name}" for name in _MACHINE_FOLDERS]),
        ("a registry", _REGISTRY, _REGISTRY_WORDS),
    )
    there = [
        (what, pattern)
        for what, pattern, words in searched
        if any(word in text for word in words) and pattern.search(text)
    ]
    return [
        f"{path}:{number}: {what}: {found.group()}"
        for number, line in enumerate(text.splitlines() if there else (), 1)
        for what, pattern in there
        for found in pattern.finditer(line)
    ]


def long_sleeps(path: str, text: str) -> list[str]:
    """Complain about a sleep of a second or more, blocking or awaited."""
    return [
        f"{path}:{node.lineno}: sleeps {node.args[0].value} s; wait for what happens instead"
        for node in (_nodes(text) if "sleep" in text else ())
        if isinstance(node, ast.Call)
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, int | float)
        and node.args[0].value >= SLEEP_SECONDS
        and ast.unparse(node.func) in {"sleep", "time.sleep", "asyncio.sleep", "anyio.sleep"}
    ]


def loose_patterns(path: str, text: str) -> list[str]:
    r"""Complain about a pattern that ends in ``$``, which lets a line break by: ``\Z`` is the end.

    Where lines are meant, the call says so (``re.MULTILINE``).
    """
    by_line = {
        id(part)
        for call in (_nodes(text) if "re.MULTILINE" in text else ())
        if isinstance(call, ast.Call)
        and any(
            isinstance(arg, ast.Attribute) and ast.unparse(arg) == "re.MULTILINE"
            for arg in call.args
        )
        for part in ast.walk(call)
    }
    return [
        f"{path}:{node.lineno}: a pattern ends in $"
        for node in _nodes(text)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in by_line
        if re.match(r"\^.*\$\Z", _text_of(node), re.DOTALL)
    ]


def _text_of(node: ast.AST) -> str:
    """A text as it is written; what an f-string puts in is left out."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(text)):
            return text.decode("latin-1")
        case ast.JoinedStr(values=parts):
            return "".join(map(_text_of, parts))
    return ""


def loose_pins(path: str, text: str) -> list[str]:
    """Complain about a lock's lines that are not exact, not hashed, or name where to fetch from."""
    complaints: list[str] = []
    joined = text.replace("\\\n", " ")
    for line in filter(None, map(str.strip, joined.splitlines())):
        name = re.split(r"[=<>!~ ;]", line, maxsplit=1)[0]
        if line.startswith("-"):
            complaints.append(f"{path}:1: an option: {name}")
            continue
        if "://" in line or " @ " in line:
            complaints.append(f"{path}:1: {name} names where to fetch from")
        if "==" not in line:
            complaints.append(f"{path}:1: {name} is not pinned")
        if not re.search(r" --hash=sha256:[0-9a-f]{64}\b", line):
            complaints.append(f"{path}:1: {name} has no hash")
    return complaints if joined.strip() else [f"{path}:1: the lock is empty"]


def undocumented_targets(path: str, text: str) -> list[str]:
    """Complain about a Makefile's targets that ``make help`` or ``.PHONY`` leaves out."""
    phony = {
        name for line in text.splitlines() if line.startswith(".PHONY:") for name in line.split()
    }
    complaints: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        target = re.match(r"([a-z][a-z-]*):(?!=)(.*)", line)
        if target is None:
            continue
        if " ## " not in target[2]:
            complaints.append(f"{path}:{number}: {target[1]} is not in `make help`")
        if target[1] not in phony:
            complaints.append(f"{path}:{number}: {target[1]} is not in .PHONY")
    return complaints


@lru_cache(maxsize=1)
def _parsed(text: str) -> ast.Module:
    """The tree of a module, kept while one rule after another looks at it; none changes it."""
    return ast.parse(text)


@lru_cache(maxsize=1)
def _nodes(text: str) -> list[ast.AST]:
    """All nodes of a module's tree: to walk it takes longer than a rule's look at each."""
    return nodes(_parsed(text))


def _described(node: ast.Module | ast.ClassDef | _Function) -> bool:
    return bool((ast.get_docstring(node) or "").strip())


def _public(node: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | _Function]:
    """The public classes and functions in a module or class, methods too, in order."""
    for child in node.body:
        if not isinstance(child, ast.ClassDef | _Function) or child.name.startswith("_"):
            continue
        if isinstance(child, ast.ClassDef):
            yield child
            yield from _public(child)
        elif not _borrows_docstring(child):
            yield child


def _borrows_docstring(node: _Function) -> bool:
    """Whether another definition tells what this one does."""
    return any(
        ast.unparse(decorator).endswith(("overload", "override", ".setter", ".deleter"))
        for decorator in node.decorator_list
    )
