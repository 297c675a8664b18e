"""Style sheets: every rule is closed before the next begins, and none has the page restyled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.house.tree import ROOT

SHEETS: Final = sorted(ROOT.glob("web/**/*.css"))
NOT_RULES: Final = re.compile(r"/\*.*?\*/|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
EVERYTHING: Final = {"", "*", ":root", "html", "body", "main"}


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


def costly(sheet: str) -> Iterator[str]:
    """The selectors for which a browser restyles all of the page whenever anything in it changes.

    What a ``:has()`` is said of is looked at again after each change below it. So it is never the
    body or what is around all else; and since a browser keeps one list of what any ``:has()`` may
    alter, a part of a selector that could mean every element puts every element on it. Print is
    styled once.
    """
    screen = re.sub(r"@media print \{.*?\n\}", "", NOT_RULES.sub("", sheet), flags=re.DOTALL)
    for prelude in re.findall(r"[^{};]+(?=\{)", screen):
        for selector in re.split(r",(?![^(]*\))", prelude):
            asked = re.search(r"(?:^|[\s>+~])([^\s>+~(]*)(?::not\()?:has\(", selector.strip())
            if asked and (
                asked[1] in EVERYTHING or re.search(r"[\s>+~](?:\*|:(?!is\b))", _bare(selector))
            ):
                yield selector.strip()


def _bare(selector: str) -> str:
    """A selector without what is in its brackets."""
    while (bare := re.sub(r"\([^()]*\)", "", selector)) != selector:
        selector = bare
    return bare


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_rule_is_closed(path: Path) -> None:
    assert list(open_rules(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_change_restyles_all_of_the_page(path: Path) -> None:
    assert list(costly(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "selector",
    [
        "body:has(.watch) .brand",
        "main:has(> .watch)",
        ":has(> .asked)",
        ".scroll > :has(> .asked)",
        ".card:has(> .about) > *",
        ".watch:not(:has(.calm)) > :first-child",
    ],
)
def test_a_selector_that_restyles_all_of_the_page_is_found(selector: str) -> None:
    """A control; the same is found in a list, and in a condition, but not in print."""
    assert list(costly(f".a,\n{selector} {{\n}}\n")) == [selector]
    assert list(costly(f"@media (width > 1px) {{\n  {selector} {{\n  }}\n}}\n")) == [selector]
    assert list(costly(f"@media print {{\n  {selector} {{\n  }}\n}}\n")) == []
    assert list(costly(".a:has(> .b):not(:has(.c)) > .d:hover,\n.a > :empty {\n}\n")) == []


def test_planted_faults_are_found() -> None:
    """A control: a rule that is left open, a brace too many, and sound rules."""
    assert list(open_rules(".a {\n  gap: 0;\n\n.b {\n  gap: 0;\n}\n")) == [".b {", "the end"]
    assert list(open_rules(".a {\n}\n}\n")) == ["the end"]
    assert list(open_rules(".a {\n  .b & {\n  }\n}\n\n.b::after {\n  content: '{';\n}\n")) == []
