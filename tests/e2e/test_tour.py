"""A tour through a finished game: one leads, two follow, one of them looks away and takes over."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import PHONE, Person
from tests.e2e.watching import replay, root, shows


def tells(page: Page, move: str) -> None:
    page.locator(f"[data-move={move}]").click()


def test_two_follow_where_one_leads_until_one_of_them_takes_the_lead(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada, bob, eve = person("Ada"), person("Bob"), person("Eve", PHONE)
    ada.signs_in(client("Ada"))
    bob.signs_in(client("Bob"))
    leads = replay(ada, finished.game, "?at=30")
    tells(leads, "tour-begin")
    expect(leads.locator(".tour")).to_contain_text("You lead")
    tour = leads.evaluate("new URLSearchParams(location.search).get('tour')")
    follows, looks = (replay(each, finished.game, f"?tour={tour}") for each in (bob, eve))
    for page in (follows, looks):
        expect(page.locator(".tour")).to_contain_text("You follow")
        shows(page, 30)
    leads.keyboard.press("l")
    moved = leads.locator("article.watch")
    expect(moved).not_to_have_attribute("data-version", "30")
    at = int(moved.get_attribute("data-version") or 0)
    leads.keyboard.press("9")
    for page in (follows, looks):
        expect(root(page)).to_have_attribute("data-viewer", "full")
        shows(page, at)
    tells(leads, "tour-arrow")
    box = leads.locator(".tour-marks").bounding_box()
    assert box is not None
    leads.mouse.move(box["x"] + 60, box["y"] + 60)
    leads.mouse.down()
    leads.mouse.move(box["x"] + 160, box["y"] + 120)
    leads.mouse.up()
    drawn = leads.locator(".tour-mark").get_attribute("d")
    for page in (follows, looks):
        expect(page.locator(".tour-mark")).to_have_attribute("d", drawn or "")
    follows.keyboard.press("J")
    expect(follows.locator(".tour")).to_contain_text("on your own")
    tells(follows, "tour-back")
    shows(follows, at)
    tells(leads, "tour-offer")
    tells(follows, "tour-take")
    expect(follows.locator(".tour")).to_contain_text("You lead")
    expect(leads.locator(".tour")).to_contain_text("You follow")
    follows.keyboard.press("j")
    expect(leads.locator("article.watch")).not_to_have_attribute("data-version", str(at))
    tells(follows, "tour-end")
    expect(looks.locator(".tour")).to_contain_text("over")
