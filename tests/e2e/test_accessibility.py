"""Everybody can use the page: checked by axe, by keyboard, and on a small screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import by_day
from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.layout import lasting
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.watching import move, open_tools, replay, shows, watch

DARK = Look(scheme="dark")
DARK_PHONE = Look(width=360, height=740, touch=True, scheme="dark")
LOOKS = [
    # By day nearly every other test that asks axe does so on a light desktop, lobby and table too.
    pytest.param(DESKTOP, id="desktop", marks=pytest.mark.nightly),
    pytest.param(DARK, id="dark", marks=pytest.mark.nightly),
    pytest.param(PHONE, id="phone", marks=pytest.mark.nightly),
    pytest.param(DARK_PHONE, id="dark-phone"),
]
"""By day a phone in the dark, where there is least room and contrast."""


TOO_WIDE: Final = """() => {
    const { scrollWidth } = document.documentElement;
    return scrollWidth > innerWidth ? [`${scrollWidth} on ${innerWidth}`] : [];
}"""


def fits(page: Page) -> None:
    """Nothing sticks out to the right."""
    assert lasting(page, lambda: list(page.evaluate(TOO_WIDE))) == []


def fine(page: Page, within: str | None = None) -> None:
    """The page as it stands now, or a window that has opened on it, breaks no rule and fits."""
    assert violations(page, within) == []
    fits(page)


def test_a_name_without_what_is_written_is_found_but_on_a_board(own_modules: Page) -> None:
    """A planted fault: what is written on a button is not in its name."""
    button = '<button aria-label="Leave">{}</button>'
    own_modules.set_content(
        f"<main>{button.format('Sit down')}<p class=b-board>{button.format('A room')}</p></main>"
    )
    found = [each for each in violations(own_modules) if "label-content-name" in each]
    assert len(found) == 1
    assert "Sit down" in found[0]


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("look", LOOKS)
def test_the_lobby_and_its_pages(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    ada = client("Ada")
    game = ada.opens("suspicion", 4)
    stranger = person("Eve", look)
    page = stranger.opens("/")
    expect(page.locator(f"[data-section=open] [data-game='{game}']")).to_be_visible()
    expect(page.locator("[data-section=finished] [data-game]").first).to_be_visible()
    fine(page)
    stranger.goes_to("/?page=account")
    expect(page.locator("#field-name")).to_be_visible()
    fine(page)
    stranger.signs_in(ada)
    for place, there in (
        ("/", "[data-game]"),
        ("/?page=account", "[data-token]"),
        ("/?page=new", ".new-table [type=submit]"),
    ):
        stranger.goes_to(place)
        expect(page.locator(there).first).to_be_visible()
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        fine(page)


@pytest.mark.parametrize("look", LOOKS)
def test_a_replay_and_its_windows(
    person: Callable[..., Person], finished: Finished, look: Look
) -> None:
    page = watch(person("Eve", look), finished.game, "?as=full")
    expect(page.locator(".result")).to_be_visible()  # it comes after the board
    fine(page)
    open_tools(page)
    move(page, "scrubber").fill(str(finished.last // 2))
    move(page, "text").click()
    expect(page.locator(".text-board table")).to_be_visible()
    fine(page, ".stage, .watch-bar, .watch-tools")  # the rest has been judged at the end
    for opener, name in (
        ("[data-move=save]", "save"),
        ("[data-move=keys]", "keys"),
        ("[data-move=knew]", "knew"),
        ("[data-badge]", "badge"),
    ):
        open_tools(page)
        page.locator(opener).click()
        dialog = page.locator(f"dialog[data-dialog={name}]")
        expect(dialog).to_be_visible()
        fine(page, "dialog[open]")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS)
def test_a_table_that_is_open_and_one_that_is_played(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    ada.sits(game)
    one = person("Ada", look)
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator(".seats")).to_be_visible()
    fine(page)
    bob.sits(game)
    clue = ada.asked(game)[0]
    expect(card_of(page, clue)).to_be_visible()
    fine(page, ".stage, .p-panel")  # the rest is judged with the programmes
    for each in (ada, bob):
        each.chooses(game, clue["options"][0]["id"])
    expect(page.locator(".p-program").first).to_be_visible()
    for card in ("look", "move"):
        page.locator(f".p-card[data-card={card}]").first.click()
    page.locator(".p-listed summary").first.click()
    page.locator("#play-more").click()
    fine(page)


# By day on a phone, where there is least room.
@pytest.mark.parametrize("look", by_day.LOOKS)
def test_a_frame(person: Callable[..., Person], finished: Finished, look: Look) -> None:
    page = watch(person("Eve", look), finished.game, "?at=50", place="embed")
    fine(page)


def test_a_decision_is_answered_by_keyboard_alone(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    for each in (ada, bob):
        each.sits(game)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    clue = ada.asked(game)[0]
    expect(card_of(page, clue)).to_be_visible()
    reach(page, f"[data-decision='{clue['id']}'] button[data-option]")
    page.keyboard.press("Enter")
    expect(card_of(page, clue)).to_have_count(0)
    bob.chooses(game, clue["options"][0]["id"])
    plan, *others = ada.asked(game)
    expect(card_of(page, plan)).to_be_visible()
    reach(page, f"[data-decision='{plan['id']}'] .p-card")
    page.keyboard.press("Enter")
    reach(page, f"[data-decision='{plan['id']}'] .p-send")
    page.keyboard.press("Enter")
    expect(card_of(page, plan)).to_have_count(0)
    assert ada.asked(game) == others


def reach(page: Page, selector: str) -> None:
    """Press Tab until the focus is there, and see that it shows."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", selector
            return
    raise AssertionError(f"Tab does not come to {selector}")


def test_the_transport_is_reached_by_tab_and_a_step_is_announced(
    person: Callable[..., Person], finished: Finished
) -> None:
    turn = finished.turns[1]
    page = replay(person("Eve"), finished.game, f"?at={turn - 1}")
    reach(page, "[data-move=step]")
    page.keyboard.press("Enter")
    shows(page, next(v for v in finished.batch_ends if v >= turn))
    expect(page.locator("#live")).to_contain_text("Turn 2 begins")


def test_targets_are_large_enough_for_a_thumb(
    person: Callable[..., Person], finished: Finished
) -> None:
    page = replay(person("Eve", PHONE), finished.game, "?at=40")
    sizes = page.locator(".watch-bar button:visible, .watch-tools button:visible").evaluate_all(
        """all => all.map((b) => [b.dataset.move ?? b.className, b.getBoundingClientRect()])
            .filter(([, r]) => r.width < 43.5 || r.height < 43.5)
            .map(([name, r]) => `${name}: ${r.width} x ${r.height}`)"""
    )
    assert sizes == []
