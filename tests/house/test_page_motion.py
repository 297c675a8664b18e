"""What moves by itself on the page comes to rest within five seconds (WCAG 2.2, 2.2.2)."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.house import tree

LONGEST_MS: Final = 5_000
SHEETS: Final = [name for name in tree.tracked() if re.match(r"web/.*\.css$", name)]

_DECLARED: Final = re.compile(r"\banimation(-[a-z-]+)?\s*:\s*([^;}]+)")
_TIME: Final = re.compile(r"(?<![\w.-])(\d*\.?\d+)(m?s)\b")
_COUNT: Final = re.compile(r"(?<![\w.-])(\d*\.?\d+)(?![\w.%])")
_COMPUTED: Final = re.compile(
    r"\b(?:cubic-bezier|steps|linear)\([^)]*\)|calc\((?:[^()]|\([^()]*\))*\)"
)


def too_long(sheet: str) -> list[str]:
    """The animations of a sheet that go on for longer, or of which that cannot be read here.

    A part of the shorthand by itself, as ``animation-iteration-count``, cannot. A delay that is
    computed counts by its first time, to which comes what the number of an element adds.
    """
    code = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    return [
        value.strip() for part, value in _DECLARED.findall(code) if part or _lasts(value) is None
    ]


def _lasts(value: str) -> float | None:
    """How many milliseconds an animation takes; None: too many."""
    if re.fullmatch(r"none\s*(!important)?\s*", value):
        return 0
    if re.search(r"\binfinite\b", value):
        return None
    delays = [ms for computed in _COMPUTED.findall(value) for ms in _times(computed)]
    plain = _COMPUTED.sub("", value)
    times = _times(plain)
    duration, delay = [*times, *delays[:1], 0, 0][:2]
    counts = _COUNT.findall(plain)
    total = duration * (float(counts[0]) if counts else 1) + delay
    return total if total <= LONGEST_MS else None


def _times(text: str) -> list[float]:
    return [float(n) * (1 if unit == "ms" else 1000) for n, unit in _TIME.findall(text)]


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_moves_by_itself_comes_to_rest(sheet: str) -> None:
    assert too_long(tree.read(sheet) or "") == []


@pytest.mark.parametrize(
    "planted",
    [
        "animation: shift 4s ease infinite;",
        "animation: shift 9s ease-in-out;",
        "animation: 1.5s shift 4 alternate",
        "animation: shift 4800ms 300ms",
        "animation: shift 4.9s calc(200ms + 10ms * var(--nth)) ease",
        "animation-iteration-count: 3;",
    ],
)
def test_a_planted_endless_one_is_found(planted: str) -> None:
    assert len(too_long(f".a {{ color: red; {planted} }}")) == 1


@pytest.mark.parametrize(
    "planted",
    [
        "animation: none !important;",
        "animation: shift 1.2s cubic-bezier(0.1, 7, 1, 1) 4 alternate;",
        "animation: shift 5s; /* infinite */",
        "animation: shift 500ms calc(1400ms + 260ms * var(--nth, 0)) backwards ease-out;",
    ],
)
def test_a_short_one_is_none(planted: str) -> None:
    assert too_long(f".a {{ {planted} }}") == []
