"""A programme is put together by pointer, finger, keyboard or list, and handed in."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import draws_all_anew, pressed
from tests.e2e.axe import violations
from tests.e2e.by_day import LOOKS
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.programming import WANTED, Programming, is_handed_in, laid, lies
from tests.e2e.test_accessibility import reach
from tests.e2e.watching import root, shows


def drag(page: Page, what: Locator, where: Locator) -> None:
    """Drag by the mouse from the middle of one to the middle of the other."""
    what.hover()  # it is in sight, and has come to rest
    start, end = what.bounding_box(), where.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    for part in (0.3, 0.7, 1):
        page.mouse.move(
            start["x"] + (end["x"] + end["width"] / 2 - start["x"]) * part,
            start["y"] + (end["y"] + end["height"] / 2 - start["y"]) * part,
        )
    page.mouse.up()


def test_by_a_pointer_and_from_the_list(programming: Callable[..., Programming]) -> None:
    it = programming()
    drags(it)
    clicks(it)
    chooses_from_the_list(it)


def drags(it: Programming) -> None:
    """Drag cards into slots, between them and out of them; in the end none is laid."""
    card, places = it.card(), it.card().locator(".p-place")
    drag(it.page, card.locator(".p-card[data-card=look]"), places.nth(0))
    lies(card, "look")
    drag(it.page, card.locator(".p-card[data-card=push]"), places.nth(1))
    lies(card, "look", "push")
    drag(it.page, places.nth(1).locator(".p-laid"), places.nth(0))
    lies(card, *WANTED)
    # In place of another, out again, and to the slots of another figure, which are not its own.
    drag(it.page, card.locator(".p-card[data-card=move]"), places.nth(1))
    lies(card, "push", "move")
    drag(it.page, places.nth(1).locator(".p-laid"), it.page.locator(".now"))
    lies(card, "push")
    drag(it.page, places.nth(0).locator(".p-laid"), it.card(1).locator(".p-place").first)
    lies(card)
    assert laid(it.card(1)) == []
    expect(it.page.locator(".dragged")).to_have_count(0)


def clicks(it: Programming) -> None:
    """Lay cards, take one back, exchange them and hand them in."""
    card = it.card()
    for token in WANTED:
        card.locator(f".p-card[data-card={token}]").click()
    lies(card, *WANTED)
    card.locator(".p-place").first.locator(".p-laid").click()
    lies(card, "look")
    card.locator(".p-card[data-card=push]").click()
    lies(card, "look", "push")
    card.locator(".p-swap").click()
    lies(card, *WANTED)
    card.locator(".p-send").click()
    is_handed_in(it, *WANTED)


def chooses_from_the_list(it: Programming) -> None:
    """Choose for the second figure by its list, and hand that in."""
    card = it.card(1)
    reach(it.page, f"[data-decision='{it.decisions[1]['id']}'] .p-listed summary")
    it.page.keyboard.press("Enter")
    card.get_by_role("group", name="Action 1").get_by_role("radio", name="Push").check()
    card.get_by_role("group", name="Action 2").get_by_role("radio", name="Look").check()
    lies(card, *WANTED)
    assert violations(it.page, ".p-panel") == []
    card.get_by_role("button", name="Hand in: Push + Look").click()
    is_handed_in(it, *WANTED, number=1)


SIDES: Final = """() => [".b-tile[data-cell=r2c2] .b-face", ".b-slots [data-decision] > g"]
    .flatMap((css) => [...document.querySelectorAll(css)])
    .map((each) => each.getBoundingClientRect())
    .map(({ left, right }) => [left, right])"""
"""Where the Central Room begins and ends from left to right, and then each slot."""


def lie_side_by_side(page: Page) -> None:
    """The slots of all figures of a room lie below it, and none over another."""
    (left, right), *slots = page.evaluate(SIDES)  # all at one moment: a board may grow
    assert len(slots) == 4
    ordered = sorted(slots)
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ordered))
    assert ordered[0][0] >= left - 8
    assert ordered[-1][1] <= right + 8


def test_in_the_slots_below_the_figures(programming: Callable[..., Programming]) -> None:
    it = programming()
    card, slots = it.card(), it.slots()
    for at in (0, 1):
        expect(it.slots(at)).to_have_count(2)
    lie_side_by_side(it.page)
    assert [each.text_content() for each in slots.all()] == [
        "Action 1 (empty)1",
        "Action 2 (empty)2",
    ]
    drag(it.page, card.locator(".p-card[data-card=push]"), slots.nth(0))
    lies(card, "push")
    card.locator(".p-card[data-card=look]").click()
    lies(card, "push", "look")
    drag(it.page, slots.nth(1), slots.nth(0))
    lies(card, "look", "push")
    drag(it.page, slots.nth(0), card.locator(".p-place").nth(1))
    lies(card, *WANTED)
    # Pressed, let go elsewhere, and let go below another figure, whose slots are not its own.
    slots.nth(0).click()
    lies(card, "look")
    drag(it.page, slots.nth(0), it.slots(1).nth(0))
    lies(card)
    assert laid(it.card(1)) == []
    drag(it.page, it.card(1).locator(".p-card").first, it.slots(1).nth(1))
    lies(it.card(1), "look")
    lies(card)
    it.card(1).locator(".p-send").click()
    expect(it.slots(1)).to_have_count(0)
    expect(it.page.locator(".b-planned .b-pictogram")).to_have_count(1)
    expect(slots).to_have_count(2)
    expect(it.page.locator(".dragged")).to_have_count(0)


def holds(it: Programming, what: Locator) -> None:
    """Press the mouse on something, and let it go when what stands below has been answered."""
    with pressed(what):
        other = it.decisions[1]
        option = {"option": other["options"][0]["id"]}
        it.ada.post(f"/games/{it.game}/decisions/{other['id']}", option)
        expect(it.page.locator(f".p-answered[data-decision='{other['id']}']")).to_be_visible()
        shows(it.page, it.ada.version(it.game))


def test_a_press_counts_although_something_happens_before_it_ends(
    programming: Callable[..., Programming],
) -> None:
    it = programming()
    card = it.card()
    holds(it, card.locator(".p-card[data-card=push]"))
    lies(card, "push")


@pytest.mark.nightly  # by day test_pressed.py loses a phrase in the same way
def test_a_press_that_is_lost_where_all_is_drawn_anew_is_noticed(
    programming: Callable[..., Programming], person: Callable[..., Person]
) -> None:
    one = person("Ada")
    draws_all_anew(one)
    it = programming(one=one)
    card = it.card()
    holds(it, card.locator(".p-card[data-card=push]"))
    # What is pressed afterwards comes second, so the first was lost. This press takes no time in
    # which another drawing could come.
    card.locator(".p-card[data-card=look]").dispatch_event("click")
    lies(card, "look")


def test_by_a_finger_what_is_left_comes_into_sight_once_the_first_is_handed_in(
    programming: Callable[..., Programming],
) -> None:
    it = programming(PHONE)
    card, heading = it.card(), it.card(1).locator("h3")
    expect(heading).not_to_be_in_viewport()
    for token in WANTED:
        card.locator(f".p-card[data-card={token}]").tap()
    lies(card, *WANTED)
    it.slots().nth(1).tap()
    lies(card, "push")
    card.locator(".p-card[data-card=look]").tap()
    lies(card, *WANTED)
    card.locator(".p-send").tap()
    is_handed_in(it, *WANTED)
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()


def test_by_the_keyboard_alone(programming: Callable[..., Programming]) -> None:
    it = programming()
    card, press = it.card(), it.page.keyboard.press
    expect(card.locator("kbd").first).to_be_visible()
    # Keys go to the figure that has the focus, and else to the first.
    it.card(1).locator(".p-card").first.focus()
    press("2")
    lies(it.card(1), "move")
    lies(card)
    press("Backspace")
    lies(it.card(1))
    it.page.evaluate("document.activeElement.blur()")
    for key in ("2", "4", "Backspace", "1"):
        press(key)
    lies(card, "move", "look")
    for key in ("2", "3"):
        press(key)
    lies(card, "look", "push")
    expect(root(it.page)).to_have_attribute("data-viewer", "seat:1")
    press("4")
    lies(card, "look", "push")
    expect(it.page.locator("#live")).to_have_text("Every slot is taken: take a card back first.")
    reach(it.page, f"[data-decision='{it.decisions[0]['id']}'] .p-swap")
    press("Enter")
    lies(card, *WANTED)
    reach(it.page, f"[data-decision='{it.decisions[0]['id']}'] .p-send")
    press("Enter")
    is_handed_in(it, *WANTED)
    # The keys go on to the next figure, and wherever the focus is.
    press("3")
    lies(it.card(1), "push")


# By day by a finger: test_decision_layout.py presses such buttons by a pointer.
@pytest.mark.parametrize("look", LOOKS)
def test_handed_in_where_the_figure_stands(
    programming: Callable[..., Programming], look: Look
) -> None:
    it = programming(look)
    hand_in = it.page.locator(f".answers [data-key='{it.decisions[0]['id']}'] button")
    expect(hand_in).to_have_count(0)
    for token in WANTED:
        it.card().locator(f".p-card[data-card={token}]").click()
    expect(hand_in).to_have_text(["Hand in"])
    hand_in.tap() if look.touch else hand_in.click()
    is_handed_in(it, *WANTED)
    expect(hand_in).to_have_count(0)
