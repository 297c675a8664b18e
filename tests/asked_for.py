"""Which modules of tests a run need not collect, for none of their tests is asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

BY_DAY: Final = "not nightly and not system"
"""The marks of ``make test``: ``addopts`` in pyproject.toml."""

OF_SYSTEMS: Final = "system and not nightly"
"""The marks of ``make system``."""

_MARK: Final = "pytest.mark.system"
_OF_A_MODULE: Final = re.compile(rf"^pytestmark = .*\b{re.escape(_MARK)}\b", re.MULTILINE)
_OF_A_TEST: Final = re.compile(rf"^ *@{re.escape(_MARK)}\b", re.MULTILINE)


def is_asked_for(path: Path, marks: str) -> bool:
    """Whether tests of a module may be among those with these marks, by its text.

    A hundredth of the time that it takes to import it; with other marks than the two above all are.
    """
    if marks == BY_DAY:
        return _OF_A_MODULE.search(path.read_text(encoding="utf-8")) is None
    if marks == OF_SYSTEMS:
        return _MARK in path.read_text(encoding="utf-8")
    return True


def is_marked_plainly(text: str) -> bool:
    """Whether a text marks what starts systems so that it is seen here: a module or a test."""
    marked = [*_OF_A_MODULE.findall(text), *_OF_A_TEST.findall(text)]
    return len(marked) == text.count(_MARK)
