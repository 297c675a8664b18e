"""The page calls whoever it waits for: on the tab, and by sound and notices for who wants these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.calling import MARKED, Made, is_called, is_left_alone, wish
from tests.e2e.holding import holds
from tests.e2e.listening_in import CALL, RECORDERS, hide, recorded, records
from tests.e2e.people import Look
from tests.e2e.test_pressed import EXTRAS
from tests.e2e.watching import any_number, board_of, open_site_menu, root, watch


@pytest.mark.parametrize(
    "language",
    ["pl", *(pytest.param(name, marks=pytest.mark.nightly) for name in sorted({*MARKED} - {"pl"}))],
)
def test_the_tab_calls_and_nothing_sounds_before_it_is_switched_on(
    calling: Callable[..., Made], language: str
) -> None:
    one, ada, bob, game = calling(Look(language=language, motion="no-preference"))
    page = one.page
    page.locator("h1").click()  # the browser would let it sound from here on
    is_left_alone(page)
    bob.sits(game, seat=2)
    is_called(page, language)
    hide(page)
    ada.chooses(game, "r1c2")
    bob.chooses(game, "r1c2")
    expect(page.locator("[data-kind=program]").first).to_be_visible()
    is_called(page, language)
    assert recorded(page, "contexts") == 0
    assert recorded(page, "tones") == recorded(page, "pulses") == recorded(page, "shown") == []
    assert recorded(page, "asked") == 0


def test_what_is_switched_on_sounds_and_is_remembered(calling: Callable[..., Made]) -> None:
    one, ada, bob, game = calling(Look(motion="no-preference"))
    page = one.page
    wish(page, "sound")
    assert recorded(page, "tones") == CALL  # what it will sound like
    page.reload()
    expect(page.locator("[data-wish=sound]")).to_be_checked()
    expect(root(page)).to_have_attribute("data-version", any_number())
    page.locator("h1").click()
    bob.sits(game, seat=2)
    is_called(page)
    records(page, "tones", 2)
    assert recorded(page, "tones") == CALL
    assert recorded(page, "pulses") == [[120, 80, 200]]
    ada.chooses(game, "r1c2")
    is_left_alone(page)
    bob.chooses(game, "r1c2")
    is_called(page)
    records(page, "tones", 4)
    assert recorded(page, "tones") == CALL + CALL
    assert recorded(page, "shown") == []


def test_one_switch_turns_everything_off(calling: Callable[..., Made]) -> None:
    one, _, bob, game = calling(Look(motion="no-preference"))
    page = one.page
    wish(page, "sound", "notices")
    wish(page, "calls")
    expect(page.locator("[data-wish=sound]")).to_be_disabled()
    expect(page.locator("[data-wish=notices]")).to_be_disabled()
    before = recorded(page, "tones"), recorded(page, "pulses"), recorded(page, "shown")
    hide(page)
    bob.sits(game, seat=2)
    expect(page.locator("section[data-decision]").first).to_be_attached()
    is_left_alone(page)
    after = recorded(page, "tones"), recorded(page, "pulses"), recorded(page, "shown")
    assert after == before
    page.reload()
    expect(page.locator("section[data-decision]").first).to_be_visible()
    is_left_alone(page)
    wish(page, "calls")
    is_called(page)


def test_the_browser_notifies_whoever_asked_for_it_and_looks_elsewhere(
    calling: Callable[..., Made],
) -> None:
    one, ada, bob, game = calling()
    page = one.page
    wish(page, "notices")
    assert recorded(page, "asked") == 1
    (sample,) = recorded(page, "shown")
    assert sample["tag"] == "sample"
    bob.sits(game, seat=2)
    is_called(page)
    assert len(recorded(page, "shown")) == 1, "who looks at the page sees it there"
    ada.chooses(game, "r1c2")
    is_left_alone(page)
    hide(page)
    bob.chooses(game, "r1c2")
    records(page, "open", 2)
    notice = recorded(page, "shown")[1]
    assert (notice["tag"], notice["title"]) == (game, "It is your turn")
    assert "Bob" in notice["body"]
    hide(page, hidden=False)
    records(page, "open", 1)  # the sample alone


# By day a table calls once all of it has come; here that comes late.
@pytest.mark.nightly
def test_what_is_asked_before_the_page_can_call_is_called_for(calling: Callable[..., Made]) -> None:
    """Calls are among the last things that a page loads."""
    one, _, bob, game = calling(opens=False)
    come = holds(one.page, EXTRAS)
    with one.page.expect_request(EXTRAS):
        page = board_of(one, game)
    wish(page, "sound")
    records(page, "tones", 2)
    bob.sits(game, seat=2)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    come()
    is_called(page)
    records(page, "tones", 4)


def test_who_wants_less_motion_is_not_shaken_and_a_browser_that_refuses_is_told_of(
    calling: Callable[..., Made],
) -> None:
    one, _, bob, game = calling(Look(motion="reduce"))
    page = one.page
    wish(page, "sound")
    bob.sits(game, seat=2)
    records(page, "tones", 4)
    assert recorded(page, "pulses") == []
    page.evaluate("localStorage.setItem('test.answer', 'denied')")
    wish(page, "notices")
    open_site_menu(page)
    expect(page.locator("[data-wish=notices]")).not_to_be_checked()
    expect(page.locator(".calling .error")).to_contain_text("shows no notifications")
    assert violations(page, ".site-menu") == []
    assert recorded(page, "shown") == []


NEVER_READ: Final = """const own = Storage.prototype.getItem;
Storage.prototype.getItem = function (key) {
    return key === "parlour.called" ? null : own.call(this, key);
};"""
"""What one tab keeps another reads later, and here never."""


NO_LOCKS: Final = "delete Navigator.prototype.locks;"
"""A fault: nothing says whose call it is."""


@pytest.mark.parametrize(
    ("planted", "sounded"),
    [("", {(4, 0), (2, 2)}), (NO_LOCKS, {(4, 2)})],
    ids=["once", "without locks"],
)
def test_two_tabs_call_once(
    calling: Callable[..., Made], planted: str, sounded: set[tuple[int, int]]
) -> None:
    one, _, bob, game = calling(opens=False)
    one.context.add_init_script(NEVER_READ + planted)
    page = watch(one, game)
    wish(page, "sound")
    lobby = one.context.new_page()
    lobby.add_init_script(f"({RECORDERS})()")
    lobby.goto("/")
    lobby.locator("h1").click()
    expect(lobby.locator(f"[data-game='{game}']")).to_be_visible()
    bob.sits(game, seat=2)
    is_called(page)
    is_called(lobby)
    for tab in (page, lobby):  # until it is settled whose call it is
        tab.evaluate("navigator.locks?.query()")
    tones = len(recorded(page, "tones")), len(recorded(lobby, "tones"))
    assert tones in sounded  # two as a sample
