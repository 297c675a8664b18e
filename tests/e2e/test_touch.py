"""A game under a finger: swipes over the board step through it, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import PHONE, Person
from tests.e2e.watching import move, replay, shown, shows, watch

FAR: Final = 120
"""As far as a thumb goes, in pixels."""

REMEMBER: Final = """() => {
    const root = document.querySelector(".watch");
    window.passed = [+root.dataset.version];
    new MutationObserver(() => {
        const version = +root.dataset.version;
        version !== passed.at(-1) && passed.push(version);
    }).observe(root, { attributeFilter: ["data-version"] });
}"""
"""Keeps the version that the page shows, and every other one that it comes to."""


LONG: Final = """(selector) => {
    const { scrollHeight, clientHeight } = document.querySelector(selector);
    return scrollHeight > clientHeight;
}"""
"""Whether there is more in an element than it shows at once."""

BOARD: Final = ".stage > svg"


class Finger:
    """A finger on a phone: its touches come to the page as those of a screen do."""

    def __init__(self, person: Person) -> None:
        self._page = person.page
        self._touches = person.touches

    def swipes(
        self,
        right: int,
        down: int = 0,
        *,
        beside: Sequence[tuple[int, int]] = (),
        over: str = BOARD,
    ) -> None:
        """Go over the middle of the board by so many pixels; ``beside`` are other fingers."""
        x, y = self.middle(over)
        for part in (-2, -1, 0, 1, 2):
            moved = (x + right * part / 4, y + down * part / 4)
            points = [(moved[0] + dx, moved[1] + dy) for dx, dy in ((0, 0), *beside)]
            self._touches("touchStart" if part == -2 else "touchMove", *points)
        self._touches("touchEnd")

    def middle(self, over: str = BOARD) -> tuple[float, float]:
        """Where the middle of the board is, or of another part of the page."""
        box = self._page.locator(over).bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture
def phone(person: Callable[..., Person], finished: Finished) -> Person:
    """Somebody with a phone who looks at a finished game, some steps after its beginning."""
    one = person("Eve", PHONE)
    replay(one, finished.game, f"?at={finished.batch_ends[5]}").evaluate(REMEMBER)
    return one


def test_a_swipe_to_the_left_is_a_step_on_to_the_right_a_step_back_and_upwards_scrolls(
    phone: Person, finished: Finished
) -> None:
    ends, finger = finished.batch_ends, Finger(phone)
    finger.swipes(-FAR)
    shows(phone.page, ends[6])
    finger.swipes(-FAR, 30)  # nobody goes quite straight
    shows(phone.page, ends[7])
    finger.swipes(FAR)
    shows(phone.page, ends[6])
    phone.page.go_back()
    shows(phone.page, ends[7])
    # It counts although what was touched is drawn anew.
    phone.page.evaluate(
        "addEventListener('touchmove', ({ target }) => target.replaceWith(target.cloneNode(true)), "
        "{ once: true })"
    )
    finger.swipes(-FAR)
    shows(phone.page, ends[8])
    # An upward one scrolls what is below the board, and not the page.
    sheet = ".watch-scroll"
    # Some of what stands there is loaded after the board.
    phone.page.wait_for_function(LONG, arg=sheet)
    finger.swipes(0, -FAR, over=sheet)
    phone.page.wait_for_function("s => document.querySelector(s).scrollTop > 0", arg=sheet)
    assert phone.page.evaluate("scrollY") == 0


def test_other_ways_of_a_finger_and_two_fingers_are_no_step(
    phone: Person, finished: Finished
) -> None:
    """What is done leads nowhere: what follows is the first that happens."""
    page, finger, begin = phone.page, Finger(phone), finished.batch_ends[5]
    ways: dict[str, Callable[[], None]] = {
        "up": lambda: finger.swipes(0, -FAR),
        "short": lambda: finger.swipes(-30),
        "aslant": lambda: finger.swipes(-FAR, -90),
        "by two fingers": lambda: finger.swipes(-FAR, beside=[(0, 60)]),
    }
    for name, act in ways.items():
        act()
        move(page, "last").click()
        shows(page, finished.last)
        assert page.evaluate("passed") == [begin, finished.last], name
        move(page, "scrubber").fill(str(begin))
        shows(page, begin)
        page.evaluate("(begin) => { passed = [begin]; }", begin)


def test_a_swipe_leaves_a_running_game_and_comes_back_to_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("competition", 2)
    for each in (ada, bob):
        each.sits(game)
    newest = ada.version(game)
    eve = person("Eve", PHONE)
    page = watch(eve, game)
    shows(page, newest)
    finger = Finger(eve)
    finger.swipes(FAR)
    expect(move(page, "live")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-banner=past]")).to_be_visible()
    assert shown(page) < newest
    finger.swipes(-FAR)
    shows(page, newest)
    expect(move(page, "live")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-banner=past]")).to_have_count(0)


def test_a_frame_is_swiped_as_well(person: Callable[..., Person], finished: Finished) -> None:
    ends = finished.batch_ends
    eve = person("Eve", PHONE)
    page = watch(eve, finished.game, f"?at={ends[5]}", place="embed")
    finger = Finger(eve)
    finger.swipes(-FAR)
    shows(page, ends[6])
    finger.swipes(FAR)
    shows(page, ends[5])
