"""Style sheets: every rule is closed before the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.house.tree import ROOT

SHEETS: Final = sorted(ROOT.glob("web/**/*.css"))
NOT_RULES: Final = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)


def open_rules(sheet: str) -> Iterator[str]:
    """The lines at the margin that are still within a rule, and "the end" if that is.

    A browser takes what follows a rule that is not closed for a part of it, without complaint. What
    is meant to be a part of a rule is indented.
    """
    depth = 0
    for line in NOT_RULES.sub("", sheet).splitlines():
        if depth > 0 and line[:1].strip() not in {"", "}"}:
            yield line
        depth += line.count("{") - line.count("}")
    if depth != 0:
        yield "the end"


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_rule_is_closed(path: Path) -> None:
    assert list(open_rules(path.read_text(encoding="utf-8"))) == []


def test_planted_faults_are_found() -> None:
    """A control: a rule that is left open, a brace too many, and sound rules."""
    assert list(open_rules(".a {\n  gap: 0;\n\n.b {\n  gap: 0;\n}\n")) == [".b {", "the end"]
    assert list(open_rules(".a {\n}\n}\n")) == ["the end"]
    assert list(open_rules(".a {\n  .b & {\n  }\n}\n\n.b::after {\n  content: '{';\n}\n")) == []
