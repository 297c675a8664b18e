"""Pure packages remember nothing between calls: what grows with its input belongs to an object.

A memory of a module is shared by all games of a process, is emptied by nobody, and makes a test
depend on the one before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house import tree

KERNEL = (
    "events/codec.py",
    "events/draw.py",
    "events/kernel.py",
    "events/openings.py",
    "events/seal.py",
)
PURE = ("club/", "games/", *KERNEL)
KNOWN = {
    # A keyed hash that is begun once for each of the last 1024 games, not once for each field.
    "events/seal.py": ["_salts"],
}
"""Memories that stay, and why."""

MODULES = [n for n in tree.tracked() if n.endswith(".py") and n.startswith(PURE)]
_MEMOS = frozenset({"cache", "lru_cache"})
_MADE = frozenset({"dict", "list", "set", "defaultdict", "OrderedDict", "WeakKeyDictionary"})


def memories(text: str) -> list[str]:
    """Functions that remember by their arguments, and what is empty at import and named."""
    module = ast.parse(text)
    functions = (e for e in tree.nodes(module) if isinstance(e, ast.FunctionDef))
    return sorted([*(e.name for e in functions if _remembers(e)), *_empty_names(module)])


def _remembers(node: ast.FunctionDef) -> bool:
    called = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    names = {c.attr if isinstance(c, ast.Attribute) else getattr(c, "id", "") for c in called}
    taken = node.args
    return bool(names & _MEMOS and (taken.posonlyargs or taken.args or taken.kwonlyargs))


def _empty_names(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.Assign):
            targets: list[ast.expr] = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if _is_empty(node.value):
            yield from (each.id for each in targets if isinstance(each, ast.Name))


def _is_empty(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.List):
        return not value.elts
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name)):
        return False
    # A defaultdict is told what it makes, and is empty all the same.
    return value.func.id in _MADE and (not value.args or value.func.id == "defaultdict")


def test_pure_modules_remember_nothing() -> None:
    found = {module: memories(tree.read(module) or "") for module in MODULES}
    assert {module: names for module, names in found.items() if names} == KNOWN


def test_memories_are_found() -> None:
    assert memories("@cache\ndef f(n): ...") == ["f"]
    assert memories("@functools.lru_cache(maxsize=9)\ndef f(*, n): ...") == ["f"]
    assert memories("class A:\n    @lru_cache\n    def f(self): ...") == ["f"]
    assert memories("_A: dict[str, int] = {}\n_B = []\n_C = defaultdict(list)\n_D = set()") == [
        "_A",
        "_B",
        "_C",
        "_D",
    ]


def test_tables_and_what_is_made_once_are_no_memories() -> None:
    assert memories("@cache\ndef made_once(): ...\nTABLE = {1: 2}\nNAMES = frozenset()") == []
    assert memories("class A:\n    def __init__(self):\n        self._known = {}") == []
