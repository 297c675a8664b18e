"""Cards of a programme say what they do and which of them are taken, on every screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.people import PHONE, Look
from tests.e2e.programming import Programming, lies

SMALL_DESKTOP: Final = Look(width=1366, height=657)
"""With room for what actions are called, and not for what they do."""

WIDE: Final = Look(width=1920, height=1080)
CUT: Final = """(all) => all.filter((each) => {
    const box = each.getBoundingClientRect();
    const around = each.closest("dialog").getBoundingClientRect();
    const parts = [...each.children].map((part) => part.getBoundingClientRect());
    const told = parts.reduce((sum, { height }) => sum + height, 0);
    return box.left < around.left || box.right > around.right || box.height > told + 40
        || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.dataset.card)"""
"""Of what explains actions in a window: what runs out of it, or has more room than it fills."""

WIDEST: Final = "(all) => Math.max(...all.map((each) => each.getBoundingClientRect().width))"
LINES: Final = """(all) => all.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
})"""
"""In how many lines texts stand."""


def explains(page: Page) -> dict[str, str]:
    """What the open window says of each action."""
    told = page.locator("dialog .p-explained [data-card]")
    return {str(each.get_attribute("data-card")): each.inner_text() for each in told.all()}


# By day on a phone, where there is least room.
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(SMALL_DESKTOP, id="desktop", marks=pytest.mark.nightly),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_what_actions_do_is_one_tap_away_where_cards_have_no_room_for_it(
    programming: Callable[..., Programming], look: Look
) -> None:
    it = programming(look)
    card, page = it.card(), it.page
    cards = card.locator(".p-card").all()
    assert card.locator(".p-card-text").evaluate_all(WIDEST) <= 1
    # In a few words each card says it itself, in one line.
    briefs = card.locator(".p-card-brief")
    expect(briefs).to_have_count(len(cards))
    assert briefs.evaluate_all(WIDEST) > 40
    assert briefs.evaluate_all(LINES) == [1] * len(cards)
    button = card.get_by_role("button", name="What the actions do")
    button.tap() if look.touch else button.press("Enter")
    expect(page.locator("dialog .p-explained")).to_be_visible()
    told = explains(page)
    assert told.keys() == {each.get_attribute("data-card") for each in cards}
    for each in cards:
        token = str(each.get_attribute("data-card"))
        assert each.locator("b").inner_text() in told[token]
        assert str(each.get_attribute("title")) in told[token]
    assert violations(page, "dialog[open]") == []
    assert page.locator("dialog .p-explained [data-card]").evaluate_all(CUT) == []
    page.keyboard.press("Escape")
    expect(page.locator("dialog .p-explained")).to_have_count(0)
    expect(button).to_be_focused()
    lies(card)  # nothing has been chosen by asking


EDGES: Final = """(pressed) => [...document.querySelectorAll(`[aria-pressed="${pressed}"]`)]
    .filter((each) => each.checkVisibility())
    .map((each) => getComputedStyle(each).borderTopWidth)"""
"""How wide the edge of each button is that is pressed, or of each that is not."""


def test_cards_that_explain_themselves_need_no_button_and_tell_which_are_pressed(
    programming: Callable[..., Programming],
) -> None:
    """To screen readers and in forced colours, too."""
    it = programming(WIDE)
    card = it.card()
    assert card.locator(".p-card-text").evaluate_all(WIDEST) > 40
    expect(card.locator(".p-card-brief").first).to_be_hidden()
    expect(card.locator(".p-explain")).to_be_hidden()
    expect(card.locator(".about-sign")).to_have_count(0)  # each card has its own
    card.locator(".p-card[data-card=look]").click()
    lies(card, "look")
    expect(card).to_match_aria_snapshot("""
      - list "Slots":
        - listitem:
          - 'button "Action 1: Look (take back)"'
        - listitem: Action 2 (empty)
      - group "Action cards":
        - button /Look See an adjacent/ [pressed]
        - button /Move/
        - button /Push/
        - button /Control/
    """)
    it.page.emulate_media(forced_colors="active")
    wide, others = it.page.evaluate(EDGES, "true"), it.page.evaluate(EDGES, "false")
    assert wide
    assert others
    assert not set(wide) & set(others)
