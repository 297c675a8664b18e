"""Colours of plans: enough contrast for light pages and for dark ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

import pytest

from projections.board_svg import board_svg
from projections.preview_svg import PreviewWords, preview_svg
from service.http.rasterizing import draw
from tests.projections.test_plan import BOARD

Colours = Mapping[str, Mapping[str, str]]
"""What a style declares, by class: ``{"wall": {"stroke": "#1b1b1b"}}``."""

PREVIEW: Final = preview_svg(BOARD, PreviewWords(rulebook="House"))
DARK: Final = re.compile(r"@media \(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}")
GROUNDS: Final = ("open", "room", "veiled")
"""Where people stand."""
TEXT, SHAPE = 4.5, 3.0


def light(image: str) -> str:
    """The same image for those who do not like pages dark."""
    return DARK.sub("", image)


def colours(image: str, *, dark: bool = False) -> Colours:
    """The colours by which an image is shown, to those who like pages dark or not."""
    (style,) = re.findall("<style>(.*?)</style>", image)
    rules = DARK.sub("", style) + ("".join(DARK.findall(style)) if dark else "")
    found: dict[str, dict[str, str]] = {}
    for names, body in re.findall(r"([^{}]*)\{([^{}]*)\}", rules):
        declared = dict(re.findall(r"(fill|stroke):(#\w{6})", body))
        for name in names.split(","):
            found.setdefault(name.strip("."), {}).update(declared)
    return found


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2, relative luminance)."""
    darker, brighter = sorted(map(_luminance, (one, other)))
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def faint(found: Colours) -> Iterator[str]:
    """What of a plan is hard to see."""
    for ground in GROUNDS:
        fill = found[ground]["fill"]
        if contrast(found["letter"]["fill"], fill) < TEXT:
            yield f"letter on {ground}"
    for ground, barrier in product(("open", "room"), ("wall", "door", "shut", "gap")):
        if contrast(found[barrier]["stroke"], found[ground]["fill"]) < SHAPE:
            yield f"{barrier} on {ground}"
    for ground, other in product(("open", "room"), ("solid", "veiled")):
        if contrast(found[other]["fill"], found[ground]["fill"]) < SHAPE:
            yield f"{other} beside {ground}"
    if contrast(found["n"]["fill"], found["nb"]["fill"]) < TEXT:
        yield "names"


@pytest.mark.parametrize("dark", [False, True])
def test_all_of_a_plan_is_seen_on_light_pages_and_on_dark_ones(*, dark: bool) -> None:
    assert [*faint(colours(PREVIEW, dark=dark))] == []


@pytest.mark.parametrize(
    ("rule", "spoilt", "found"),
    [
        (".wall{stroke:#e6e1d4}", ".wall{stroke:#1b1b1b}", "wall on open"),
        (".veiled{fill:#757575}", ".veiled{fill:#32291f}", "veiled beside room"),
        (".letter{fill:#ffffff}", ".letter{fill:#b9bfc7}", "letter on veiled"),
        (".n{fill:#1b1b1b}", ".n{fill:#ffffff}", "names"),
    ],
)
def test_a_colour_that_is_hard_to_see_is_found(rule: str, spoilt: str, found: str) -> None:
    """Planted faults, in the dark alone."""
    assert PREVIEW.count(rule) == 1
    spoiled = PREVIEW.replace(rule, spoilt)
    assert found in faint(colours(spoiled, dark=True))
    assert [*faint(colours(spoiled))] == []


def test_a_preview_is_dark_for_whom_pages_are_and_a_state_is_not() -> None:
    by_day, by_night = (colours(PREVIEW, dark=dark) for dark in (False, True))
    assert by_day["open"]["fill"] == "#ffffff"
    assert all(_luminance(by_night[ground]["fill"]) < 0.25 for ground in GROUNDS)
    assert DARK.search(board_svg(BOARD)) is None


def test_a_preview_as_png_is_light_for_everybody() -> None:
    """With what is for dark pages it is drawn as without it; the same rules would darken it."""
    assert draw(PREVIEW) == draw(light(PREVIEW))
    assert draw(DARK.sub(r"\1", PREVIEW)) != draw(PREVIEW)
