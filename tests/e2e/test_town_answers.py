"""When answers to windows of Cerveauuu! go, so that their moment tells nothing of a hand."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from games.cerveauuu.telling.published import PublishedCerveauuu
from service.contract.bodies import encode
from tests.e2e.folding import Call, Json
from tests.e2e.town_modules import WORDS, calls
from tests.e2e.windows import LATER_S

OPENED: Final = 1_800_000_000_000
CLOCK: Final = {"key": "w", "since": OPENED, "due": OPENED + 12_000}
THINKING: Final = (0, 1, 900, 3_999, 4_000, 4_001, 7_000, 9_000, 11_100, 11_900)
"""How long after the opening of a window somebody answers, in milliseconds."""

POOR: Final[list[Json]] = [{"id": "pass"}]
RICH: Final[list[Json]] = [{"id": "pass"}, {"id": "play", "branch": True}]


def times(page: Call, options: list[Json], limit: int = 12_000, by: str = "sendings") -> list[int]:
    """When the answers of a seat go that has these options, from the opening of the window."""
    due = OPENED + limit
    decision = {"kind": "respond", "options": options, "deadline": due}
    clock = {**CLOCK, "due": due}
    nows = [OPENED + each for each in THINKING]
    return [sent - OPENED for sent in page(by, decision, clock, nows)]


def test_the_moment_of_an_answer_tells_nothing_of_a_hand(town_page: Call) -> None:
    found = times(town_page, POOR)
    assert found == [4000, 4000, 4000, 4000, 4000, 8000, 8000, 11_200, 11_200, 11_900]
    assert times(town_page, RICH) == found
    # Before the page knows of the window's clock, the limit says when it opened.
    clock = {**CLOCK, "due": OPENED - 5}
    late = {"kind": "respond", "options": POOR, "deadline": OPENED + 12_000}
    assert town_page("sendings", late, clock, [OPENED + 1]) == [OPENED + 4000]
    # Short limits have short slots, and long ones none that anybody would wait for.
    assert times(town_page, POOR, limit=6000)[:4] == [2000, 2000, 2000, 4000]
    assert times(town_page, RICH, limit=43_200_000)[0] == 4000


def test_a_pass_that_goes_early_is_found(town_page: Call) -> None:
    """A control: a page that lets whoever has nothing to play pass at once."""
    assert times(town_page, POOR, by="hasty") != times(town_page, RICH, by="hasty")


def passes(modules: Page, options: list[Json]) -> Call:
    """Open a window for a seat that has these options, which passes; how to ask what is sent."""
    page = calls(modules)
    since = modules.evaluate("Date.now()")
    clock = {"key": "w", "since": since, "due": since + 12_000}
    decision = {
        "id": "r1-w1-s1",
        "kind": "respond",
        "seat": 1,
        "options": options,
        "deadline": clock["due"],
        "secret": True,
        "answered": False,
        "optional": False,
    }
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    assert page("passes", decision, clock, WORDS, book)
    return page


def test_the_panel_sends_an_answer_at_the_end_of_its_slot(own_modules: Page) -> None:
    own_modules.clock.install(time=OPENED / 1000)
    own_modules.clock.pause_at(OPENED / 1000 + LATER_S)
    sent = []
    for options in (POOR, RICH):
        page = passes(own_modules, options)
        own_modules.clock.run_for(3_500)
        assert page("sentSoFar") == []
        own_modules.clock.run_for(1_000)
        sent.append(page("sentSoFar"))
    poor, rich = sent
    assert poor == [["pass", 4_000]]
    assert rich == poor
    # A standing pass is public: it goes at once, and instead of what was held.
    page = passes(own_modules, RICH)
    assert page("yields") == 1
    own_modules.clock.run_for(9_000)
    assert [option for option, _ in page("sentSoFar")] == ["round"]


def standing(modules: Page, *, fault: bool = False) -> Call:
    """The panel of a seat that has windows passed by its page, before the first window."""
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    page = calls(modules)
    page("standing", WORDS, book, fault)
    return page


ODD: Final = """(text) => {
    const key = Object.keys(sessionStorage).find((each) => each.includes("standing"));
    sessionStorage.setItem(key, text);
}"""
"""Writes something in place of what the tab keeps of answers that are left to the page."""


def passed(modules: Page, page: Call, number: int, options: list[Json]) -> list[Any]:
    """What the page does in a window of the zombies' phase, in its whole time."""
    page("windowOpens", "zombies", number, options)
    modules.clock.run_for(12_000)
    return list(page("sentSoFar"))[-1:]


@pytest.fixture
def stopped(own_modules: Page) -> Page:
    """A page whose time runs only as a test lets it."""
    own_modules.clock.install(time=OPENED / 1000)
    own_modules.clock.pause_at(OPENED / 1000 + LATER_S)
    return own_modules


def test_every_window_of_a_phase_is_passed_at_its_slot_whatever_is_in_the_hand(
    stopped: Page,
) -> None:
    page = standing(stopped)
    page("windowOpens", "zombies", 1, RICH)
    box = stopped.get_by_role("switch", name="Pass every window of this phase")
    box.focus()
    stopped.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    expect(stopped.locator("#live")).to_contain_text("passes by itself")
    expect(stopped.locator(".p-held")).to_contain_text("pass")
    stopped.clock.run_for(3_500)
    assert page("sentSoFar") == []
    stopped.clock.run_for(8_500)
    assert page("sentSoFar") == [["r1-w1-v1-s1", "pass", 4_000]]
    poor, rich = (passed(stopped, page, n, each) for n, each in ((2, POOR), (3, RICH)))
    assert poor == [["r1-w2-v1-s1", "pass", 4_000]]
    assert rich == [["r1-w3-v1-s1", "pass", 4_000]]
    # A page that hears late of a window passes it when it does; before, the phase may be another.
    page("windowOpens", "zombies", 4, RICH, "late")
    stopped.clock.run_for(4_500)
    page("hears")
    stopped.clock.run_for(4_500)
    assert page("sentSoFar")[-1] == ["r1-w4-v1-s1", "pass", 8_000]
    # Whoever begins to play a card sees to that window alone.
    page("windowOpens", "zombies", 5, RICH)
    stopped.locator("[data-option=play]").click()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4
    # With the phase it ends, and the next window is the player's own.
    page("windowOpens", "end", 6, POOR)
    expect(box).not_to_be_checked()
    expect(stopped.locator("#live")).to_contain_text("Play a card or pass")
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4
    # What has not gone yet does not go once it is off.
    page("windowOpens", "end", 7, POOR)
    stopped.locator("#standing").click()
    stopped.locator("#standing").click()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 4


def test_what_is_left_to_the_page_outlives_a_reload_and_ends_with_its_phase(stopped: Page) -> None:
    page = standing(stopped)
    box = stopped.get_by_role("switch", name="Pass every window of this phase")
    page("windowOpens", "zombies", 1, RICH)
    box.check()
    page("windowOpens", "zombies", 2, RICH)
    stopped.locator("[data-option=play]").click()  # this window its player sees to
    page("reloads")
    page("windowOpens", "zombies", 2, RICH)
    expect(box).to_be_checked()
    stopped.clock.run_for(12_000)
    assert page("sentSoFar") == []
    assert passed(stopped, page, 3, POOR) == [["r1-w3-v1-s1", "pass", 4_000]]
    # Whoever comes back in another phase finds it off, and nothing is kept.
    page("reloads")
    page("windowOpens", "end", 4, POOR)
    expect(box).not_to_be_checked()
    stopped.clock.run_for(12_000)
    assert len(page("sentSoFar")) == 1
    assert page("keptStanding") == []
    # Whoever has given up has nothing to switch.
    page("givesUp")
    expect(box).to_have_count(0)
    # What lies in a browser may have been written by anybody.
    page("windowOpens", "end", 4, POOR)
    for odd in ('"zombies"', '{"scope": 1, "own": []}', '{"scope": "1.end"}', "{"):
        box.check()
        assert [each["scope"] for each in page("keptStanding")] == ["1.end"]
        stopped.evaluate(ODD, odd)
        page("reloads")
        page("windowOpens", "end", 4, POOR)
        expect(box).not_to_be_checked()


@pytest.mark.nightly  # by day test_a_pass_that_goes_early_is_found shows the same of one window
def test_a_standing_pass_that_goes_early_is_found(stopped: Page) -> None:
    """A control: a page that passes at once for whoever has nothing to play."""
    page = standing(stopped, fault=True)
    page("windowOpens", "zombies", 1, RICH)
    stopped.locator("#standing").click()
    poor, rich = (passed(stopped, page, n, each) for n, each in ((2, POOR), (3, RICH)))
    assert rich[0][1:] == ["pass", 4_000]
    assert poor[0][1:] != rich[0][1:]


def test_what_is_no_answer_to_a_window_goes_at_once(town_page: Call) -> None:
    decision = {"kind": "go", "options": [], "deadline": OPENED + 12_000}
    assert town_page("sendings", decision, CLOCK, [OPENED]) == [None]
    assert town_page("sendings", {**decision, "kind": "respond", "deadline": None}, CLOCK, [1]) == [
        None
    ]
