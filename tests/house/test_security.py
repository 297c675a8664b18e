"""``docs/security.md`` holds a test against each threat, and every test that it names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.house import tree

_NAMED = re.compile(r"`(test_\w+(?:\.py)?)`")
_DEFINED = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)


def rows(text: str) -> Iterator[tuple[str, ...]]:
    """The rows of the threat tables, headings left out."""
    for line in text.splitlines():
        cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
        if line.startswith("| ") and cells[0] not in {"threat", "---"}:
            yield cells


def document() -> str:
    return (tree.ROOT / "docs/security.md").read_text(encoding="utf-8")


def known() -> set[str]:
    """The names of all files of tests and of all tests."""
    files = sorted((tree.ROOT / "tests").rglob("test_*.py"))
    names = {found for path in files for found in _DEFINED.findall(path.read_text("utf-8"))}
    return names | {path.name for path in files}


def test_every_threat_has_a_test() -> None:
    lacking = [row[0] for row in rows(document()) if not _NAMED.findall(row[-1])]
    assert lacking == []
    assert len(list(rows(document()))) > 30


def test_every_test_that_it_names_is_there() -> None:
    named = {name for row in rows(document()) for name in _NAMED.findall(row[-1])}
    assert named - known() == set()


@pytest.mark.parametrize("row", ["| a threat | a guard | we are careful |", "| a | b | `x.py` |"])
def test_a_threat_without_a_test_is_found(row: str) -> None:
    (found,) = rows(row)
    assert not _NAMED.findall(found[-1])


def test_a_test_that_is_gone_is_found() -> None:
    (found,) = rows("| a threat | a guard | `test_that_never_was` |")
    assert not set(_NAMED.findall(found[-1])) <= known()
