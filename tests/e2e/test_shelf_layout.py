"""On a narrow phone what is asked about a pause leaves room for what is decided above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, begun
from tests.e2e.layout import flaws, lasting
from tests.e2e.panel_layout import broken_words
from tests.e2e.people import Look, Person
from tests.e2e.watching import watch

HEIGHTS: Final = (640, 740)
LEAST_PX: Final = 11
HIGH_PX: Final = 43.9

_MEASURED: Final = """(most) => {
    const found = [];
    const box = (node) => node.getBoundingClientRect();
    const [shelf, column] = [".shelf", ".watch-column"].map((name) => document.querySelector(name));
    const share = box(shelf).height / box(column).height;
    if (share > most) {
        found.push(`the shelf has ${(100 * share).toFixed(0)} % of its column`);
    }
    if (shelf.scrollHeight > shelf.clientHeight) {
        found.push(`${shelf.scrollHeight} px of the shelf are in ${shelf.clientHeight}`);
    }
    const buttons = [...shelf.querySelectorAll("button")];
    const rows = new Set(buttons.map((node) => Math.round(box(node).top)));
    if (rows.size > 1) {
        found.push("the buttons stand below each other");
    }
    buttons.filter((node) => box(node).height < HIGH)
        .forEach((node) => found.push(`only ${box(node).height} high: ${node.textContent}`));
    for (const node of shelf.querySelectorAll("summary, p, button")) {
        const size = parseFloat(getComputedStyle(node).fontSize);
        if (size < LEAST) {
            found.push(`${node.textContent} is written in ${size} px`);
        }
    }
    const range = document.createRange();
    range.selectNodeContents(shelf.querySelector("summary"));
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    return { found, lines: lines.size };
}""".replace("LEAST", str(LEAST_PX)).replace("HIGH", str(HIGH_PX))


def crowding(page: Page, most: float, *, lines: int) -> list[str]:
    """What is wrong with the shelf on low phones, if it may have such a share of its column.

    Args:
        page: that of a phone.
        most: the share, up to 1.
        lines: how many what is asked may take.
    """

    def look() -> list[str]:
        told = page.evaluate(_MEASURED, most)
        long = [f"what is asked takes {told['lines']} lines"] if told["lines"] > lines else []
        return [*told["found"], *long, *broken_words(page, ".shelf :is(summary, p, button)")]

    found = []
    for height in HEIGHTS:
        page.set_viewport_size({"width": 360, "height": height})
        found += [f"{each}, at {height} px" for each in [*lasting(page, look), *flaws(page)]]
    return found


FAULTS: Final = {
    "the shelf has": ".shelf summary { min-height: 4.5rem !important; }",
    "the buttons stand": ".shelf .pausing-acts { flex-direction: column !important; }",
    "only": ".shelf button { min-height: 1.5rem !important; height: 1.5rem; }",
    "px of the shelf": ".shelf { max-height: 3rem !important; }",
}
"""Planted faults: a rule that lets each complaint be made."""
PLANTS: Final = "(css) => document.styleSheets[0].insertRule(css)"
PULLS: Final = "() => document.styleSheets[0].deleteRule(0)"


def every_fault_is_noticed(page: Page, most: float) -> None:
    """A control: the same look at the same shelf, with something wrong."""
    for complaint, rule in FAULTS.items():
        page.evaluate(PLANTS, rule)
        found = page.evaluate(_MEASURED, most)["found"]
        page.evaluate(PULLS)
        assert any(complaint in each for each in found), complaint


@pytest.mark.parametrize("language", ["en", "fr", "pl"])
def test_the_shelf_is_low_on_a_narrow_phone(
    person: Callable[..., Person], client: Callable[..., Client], language: str
) -> None:
    """Asked, with somebody who has agreed, during the pause, and by oneself."""
    ada, bob, cleo = client("Ada"), client("Bob"), client("Cleo")
    game = begun([ada, bob, cleo])
    one = person("Ada", Look(width=360, height=640, touch=True, language=language))
    one.signs_in(ada)
    page = watch(one, game)
    said = page.locator(".pausing-body")
    bob.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    expect(page.locator("#pausing-agree")).to_be_in_viewport(ratio=1)
    assert crowding(page, 0.38, lines=1) == []
    every_fault_is_noticed(page, 0.38)
    cleo.post(f"/games/{game}/pause-votes", {"vote": "agree"})
    expect(said).to_contain_text("Cleo")
    assert crowding(page, 0.48, lines=1) == []
    page.locator("#pausing-agree").press("Enter")
    expect(page.locator("#pausing-resume")).to_be_in_viewport(ratio=1)
    assert crowding(page, 0.45, lines=2) == []
    for player in (ada, bob, cleo):
        player.post(f"/games/{game}/pause-votes", {"vote": "resume"})
    expect(page.locator(".shelf")).to_be_empty()
    ada.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    expect(page.locator("#pausing-decline")).to_be_in_viewport(ratio=1)
    assert crowding(page, 0.38, lines=1) == []
