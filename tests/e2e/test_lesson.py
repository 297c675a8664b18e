"""The lesson of each game: played by clicking, from its first hint to its last."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, in_view, lasting
from tests.e2e.panel_layout import out_of_sight
from tests.e2e.people import Look, Person
from tests.e2e.test_decision_layout import PHONE
from tests.e2e.test_layout import AT_ONCE, DRAWN, RULE
from tests.e2e.watching import complete

COURSES: Final[dict[str, list[tuple[str, list[str]]]]] = {
    "room25": [
        ("look", ["look", "r1c4"]),
        ("move", ["move", "r1c3"]),
        ("push", ["push", "jennifer:r1c4"]),
        ("control", ["control", "col4:up"]),
        ("trap", ["look", "pass", "pass", "move", "r0c3", "move", "r0c4"]),
        ("exit", ["control", "row0:right"]),
    ],
    "cerveauuu": [
        ("plan", ["z01", "z01.r9c8", "z01.r9c8.attack-h01"]),
        ("window", ["pass"]),
        ("bite", ["pass"]),
    ],
}
"""What is clicked in each step of a lesson: options, of one decision after another."""

LANGUAGES: Final = {"room25": ("pl-PL", "Samouczek"), "cerveauuu": ("fr-FR", "Tutoriel")}

DESKTOPS: Final = ((1366, 657), (1280, 800))


def begins(page: Page, played: str) -> str:
    """Press the button of a lesson in the lobby; the table's id, once the lesson is there."""
    page.locator(f"[data-learn={played}]").click()
    expect(page.locator(".lesson")).to_be_visible()
    expect(page.locator("section[data-decision]").first).to_be_visible()
    complete(page)
    return page.url.rpartition("/")[2]


def chooses(page: Page, options: Sequence[str]) -> None:
    """Click one option after another, each of the decision that is open then."""
    for option in options:
        wanted = f":not(.p-answered) [data-option='{option}']"
        button = page.locator(f"section[data-decision]{wanted}")
        expect(button).to_be_enabled()
        asked = button.evaluate("(button) => button.closest('[data-decision]').dataset.decision")
        button.click()
        expect(page.locator(f"section[data-decision='{asked}']{wanted}")).to_have_count(0)


def out_of_view(page: Page, option: str, sizes: Sequence[tuple[int, int]]) -> list[str]:
    """On which screens the hint, or what it asks for in the list, is a scroll away.

    A list that may be searched is longer than a screen; what it has is chosen on the board, too.
    """
    wanted = f"section[data-decision]:not(.p-answered) [data-option='{option}']"
    expect(page.locator(wanted)).to_be_enabled()

    def hidden() -> list[str]:
        long = page.locator(".p-search").count() > 0
        return [] if long else out_of_sight(page, wanted)

    wrong = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN, [width, height])
        found = lasting(page, lambda: in_view(page, whole=False) + hidden())
        wrong += [f"{width} by {height}: {each}" for each in found]
    return wrong


# By day each step is looked at on one screen; test_decision_layout.py looks at every kind of
# decision on all of them.
@pytest.mark.parametrize(
    "everywhere",
    [False, pytest.param(True, marks=pytest.mark.nightly)],
    ids=["some-screens", "all-screens"],
)
@pytest.mark.parametrize("played", COURSES)
def test_a_lesson_is_played_from_its_first_hint_to_its_last(
    person: Callable[..., Person],
    client: Callable[..., Client],
    played: str,
    *,
    everywhere: bool,
) -> None:
    language, title = LANGUAGES[played]
    ada = person("Ada", Look(language=language))
    page = ada.opens("/")
    page.locator("#play-name").fill("Ada")
    table = begins(page, played)
    page.mouse.move(0, 0)  # where it pressed the button, the bar would open below it
    page.evaluate(RULE, AT_ONCE)
    expect(page.locator(".lesson h2")).to_have_text(title)
    hints = set()
    screens = cycle([PHONE, *DESKTOPS])
    for number, (step, options) in enumerate(COURSES[played]):
        expect(page.locator(".lesson")).to_have_attribute("data-step", step)
        expect(page.locator(".lesson-done")).to_have_count(number)
        hints.add(page.locator(".lesson p").first.inner_text())
        for option in options:
            if everywhere or option == options[-1]:
                sizes = [PHONE, *DESKTOPS] if everywhere else [next(screens)]
                assert out_of_view(page, option, sizes) == [], step
            chooses(page, [option])
    assert len(hints) == len(COURSES[played])
    expect(page.locator(".lesson")).to_have_attribute("data-step", "done")
    assert client("Eve").state(table)["scenario"] is True, "it never counts"
    page.locator(".lesson [data-lesson=play]").click()
    expect(page).not_to_have_url(re.compile(table))
    expect(page.locator("section[data-decision]").first).to_be_visible()
    expect(page.locator(".lesson")).to_have_count(0)


# By day on a phone, where there is least room; test_targets.py clicks the same board at a desktop.
@pytest.mark.parametrize("look", LOOKS)
def test_a_wrong_move_is_told_and_a_lesson_is_gone_on_with_or_begun_again(
    person: Callable[..., Person], look: Look
) -> None:
    ada = person("Ada", look)
    page = ada.opens("/")
    page.locator("#play-name").fill("Ada")
    table = begins(page, "room25")
    assert flaws(page) == []
    assert violations(page, ".lesson") == []
    assert in_view(page, whole=True) == []
    chooses(page, ["pass"])
    expect(page.locator(".lesson p").first).to_contain_text("No harm is done")
    expect(page.locator("section[data-decision]:not(.p-answered)").first).to_be_in_viewport()
    assert in_view(page, whole=True) == []
    page.goto("/")
    assert begins(page, "room25") == table, "where it was left"
    expect(page.locator(".lesson p").first).to_contain_text("No harm is done")
    chooses(page, ["move", "r2c2"])  # away from where she is needed
    expect(page.locator(".lesson p").first).to_contain_text("cannot go on")
    page.locator(".lesson [data-lesson=again]").click()
    expect(page).not_to_have_url(re.compile(table))
    expect(page.locator(".lesson")).to_have_attribute("data-step", "look")
    expect(page.locator(".lesson p").first).to_contain_text("Franck and Jennifer")
