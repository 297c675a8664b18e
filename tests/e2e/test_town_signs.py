"""The names of the buildings of Cerveauuu!: nothing crosses them, and they hide nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.layout import lasting
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.screenshots import SCHEMES
from tests.e2e.test_layout import RULE
from tests.e2e.town import staged
from tests.e2e.watching import watch

_CROSSED: Final = """() => {
    // Who is met at a point, as drawn: what lies over the drawing for pointers alone is put aside.
    const board = document.querySelector(".cv-board");
    const layers = [...board.querySelectorAll(":scope > g")];
    const before = layers.map((layer) => layer.style.pointerEvents);
    layers.forEach((layer) => { layer.style.pointerEvents = "all"; });
    board.querySelector(".cv-layer-grid").style.display = "none";
    const found = [];
    const meets = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom
        && b.top < a.bottom;
    const box = (node) => node.getBoundingClientRect();
    // The box of a text has room for what hangs below the line, and digits have nothing there.
    const ink = (node) => {
        const { left, right, top, bottom } = box(node);
        const spare = node.matches("text") ? 0.2 * (bottom - top) : 0;
        return { left, right, top: top + spare, bottom: bottom - spare };
    };
    const signs = [...board.querySelectorAll(".cv-sign")];
    for (const sign of signs) {
        const name = sign.querySelector("text");
        const [{ left, right, top, bottom }, plate] = [box(name), box(sign.querySelector("rect"))];
        const middle = (top + bottom) / 2;
        for (let i = 0; i <= 20; i += 1) {
            const there = document.elementFromPoint(left + 1 + (right - left - 2) * i / 20, middle);
            if (!sign.contains(there)) {
                found.push(`${name.textContent} is crossed by ${there?.getAttribute("class")}`);
                break;
            }
        }
        if (left < plate.left || right > plate.right) {
            found.push(`${name.textContent} sticks out of its board`);
        }
        for (const hidden of board.querySelectorAll(".cv-door, .cv-breach, .cv-number")) {
            if (meets(ink(hidden), { ...plate.toJSON(), top: plate.top + 1.5,
                bottom: plate.bottom - 1.5 })) {
                found.push(`${name.textContent} hides ${hidden.getAttribute("class")}`);
            }
        }
        for (const other of signs) {
            if (other !== sign && meets(box(other), plate)) {
                found.push(`${name.textContent} meets ${other.textContent}`);
            }
        }
    }
    layers.forEach((layer, i) => { layer.style.pointerEvents = before[i]; });
    board.querySelector(".cv-layer-grid").style.display = "";
    return found;
}"""
"""What crosses the name of a building, or is hidden by its sign."""

_CONTRAST: Final = """() => {
    const channel = (value) => (value <= 0.04045 ? value / 12.92
        : ((value + 0.055) / 1.055) ** 2.4);
    const light = (node) => {
        const [r, g, b] = getComputedStyle(node).fill.match(/[0-9.]+/g)
            .map((each) => channel(each / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const [sign] = document.querySelectorAll(".cv-sign");
    const [a, b] = [light(sign.querySelector("text")), light(sign.querySelector("rect"))];
    return Math.max(a, b) / Math.min(a, b);
}"""

_HALO: Final = """() => {
    const around = (node) => getComputedStyle(node);
    const differs = (piece) => {
        const { stroke, paintOrder } = around(piece.querySelector(".cv-number"));
        return stroke !== around(piece.querySelector(".cv-body")).fill || paintOrder !== "stroke";
    };
    return [...document.querySelectorAll(".cv-piece")].filter(differs).length;
}"""
"""How many numbers have no edge of their figure's colour, on which their digits stand."""

_BESIDE: Final = (
    *("r1c4", "r2c4", "r1c10", "r2c11", "r1c15", "r2c15", "r10c3", "r11c3", "r7c6", "r8c6"),
    *("r12c11", "r13c10", "r12c3", "r13c4", "r17c15", "r18c15", "r8c14", "r9c15"),
)
"""Cells on both sides of the walls on which there is room for a name."""

POSITION: Final = {
    "map": "default20",
    "stage": "zombies",
    "pieces": {
        **{f"h{n:02}": {"cell": cell} for n, cell in enumerate(_BESIDE, 1)},
        "z01": {"cell": "r0c0", "seat": 1},
        "z02": {"cell": "r19c19", "seat": 2},
    },
}
BUILDINGS: Final = 9
ENOUGH: Final = 4.5
"""The contrast of text that everybody can read (WCAG 2.2, 1.4.3)."""


def crossed(page: Page, fault: str = "() => {}") -> list[str]:
    """What is wrong with the names; a ``fault`` is planted first, with no drawing in between."""
    found: list[str] = page.evaluate(f"() => {{ ({fault})(); return ({_CROSSED})(); }}")
    return found


BELOW: Final = """() => {
    const board = document.querySelector(".cv-board");
    board.insertBefore(board.querySelector(".cv-layer-signs"), board.firstChild);
}"""
"""Signs below the walls and the people."""

ON_A_DOOR: Final = """() => {
    const [sign] = document.querySelectorAll(".cv-sign");
    const to = document.querySelector(".cv-door").getBBox();
    const from = sign.querySelector("rect").getBBox();
    const [x, y] = [to.x - from.x - from.width / 2, to.y - from.y - from.height / 2];
    sign.setAttribute("transform", `translate(${x} ${y})`);
}"""
"""A sign on a door."""


def test_every_building_has_a_name_that_nothing_crosses(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, POSITION)
    page = watch(person("Eve", Look(width=1280, height=800)), game)
    expect(page.locator(".cv-piece")).to_have_count(len(_BESIDE) + 2)
    expect(page.locator(".cv-sign")).to_have_count(BUILDINGS)
    assert lasting(page, lambda: crossed(page)) == []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(_CONTRAST) > ENOUGH
    assert len([each for each in crossed(page, BELOW) if "is crossed by" in each]) == BUILDINGS
    assert [each for each in crossed(page, ON_A_DOOR) if "hides cv-door" in each]


def test_a_number_that_is_wider_than_its_figure_stands_on_its_colour(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """Digits are dark, and in the dark theme so is the ground beside a figure of a phone."""
    game = staged(client("Ada"), client("Bob"), POSITION)
    page = watch(person("Eve", PHONE), game)
    expect(page.locator(".cv-piece")).to_have_count(len(_BESIDE) + 2)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(_HALO) == 0
    page.evaluate(RULE, ".cv-number { stroke: none !important; }")
    assert page.evaluate(_HALO) == len(_BESIDE) + 2
