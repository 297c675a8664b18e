"""No module imports itself by way of others, not even inside a function or for its types alone.

A circle is two subjects that were never told apart. It also makes what is there at import depend on
who was imported first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.house import rules, tree

_IMPORT = re.compile(r"^ *(?:from ([\w.]+) )?import (\([^)]*\)|[^(\n]+)", re.MULTILINE)
"""Formatted, a statement has a line of its own; to parse all modules takes ten times as long."""

_COMMENT = re.compile(r"#.*")

Modules = Mapping[str, str]
"""The text of each module by its dotted name."""


def modules() -> Modules:
    """All modules of our packages."""
    names = [n for n in tree.tracked() if n.endswith(".py") and n.split("/")[0] in rules.PACKAGES]
    return {_dotted(name): text for name in names if (text := tree.read(name)) is not None}


def _dotted(name: str) -> str:
    return Path(name).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def imported(module: str, known: Modules) -> Iterator[str]:
    """The modules of ours that a module imports anywhere in its text."""
    for source, listed in _IMPORT.findall(_COMMENT.sub("", known[module])):
        names = [name.split()[0] for name in listed.strip("()").split(",") if name.strip()]
        dotted = [f"{source}.{name}" for name in names] if source else names
        named = [name if name in known or not source else source for name in dotted]
        yield from (name for name in named if name in known and name != module)


def circles(known: Modules) -> list[list[str]]:
    """The sets of modules that import one another, each sorted."""
    ways = {module: set(imported(module, known)) for module in known}
    return sorted(sorted(found) for found in _knots(_entangled(ways)))


def _entangled(ways: Mapping[str, set[str]]) -> Mapping[str, set[str]]:
    """What is left when those are taken away, again and again, who import none of the rest."""
    left = dict(ways)
    while free := {module for module, to in left.items() if to.isdisjoint(left)}:
        left = {module: to for module, to in left.items() if module not in free}
    return {module: to & left.keys() for module, to in left.items()}


def _knots(ways: Mapping[str, set[str]]) -> Iterator[set[str]]:
    left = set(ways)
    while left:
        start = min(left)
        onward = _reached(start, ways)
        back = {each for each in onward if start in _reached(each, ways)}
        if back:
            yield back
        left -= back | {start}


def _reached(start: str, ways: Mapping[str, set[str]]) -> set[str]:
    """Where one gets from a module by one import or more."""
    found: set[str] = set()
    edge = set(ways[start])
    while edge:
        found |= edge
        edge = {after for each in edge for after in ways[each]} - found
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = modules()
    assert len(known) > 300
    assert circles(known) == []


def test_a_circle_is_found_wherever_it_hides() -> None:
    at_the_top = "from p.b import f"
    in_a_function = "def f():\n    from p import a\n    return a"
    for_types = "if TYPE_CHECKING:\n    import p.a"
    over_lines = "from p import (\n    b,  # itself (no circle)\n    a as c,\n)"
    for back in (in_a_function, for_types, over_lines):
        assert circles({"p": "", "p.a": at_the_top, "p.b": back}) == [["p.a", "p.b"]]
    longer = {
        "p.a": at_the_top,
        "p.b": "import p.c",
        "p.c": "from p.a import g",
        "p.d": "import p.a",
    }
    assert circles(longer) == [["p.a", "p.b", "p.c"]]


def test_two_ways_to_one_module_are_no_circle() -> None:
    assert circles({"p.a": "import p.b, p.c", "p.b": "import p.c", "p.c": "import os"}) == []
