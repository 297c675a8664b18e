"""A tour through a finished game: one leads, two follow, one of them looks away and takes over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import PHONE, Person
from tests.e2e.planting import plant
from tests.e2e.watching import badge, replay, root, shows

IN_TURN: Final = "this.#telling.then"
"""What keeps one place from being told before an earlier one has been."""

ONLY_NEWS: Final = "(offered || text !== this.#told)"
"""What keeps the page from telling that it stands still, by which an offer would be taken back."""


def tells(page: Page, move: str) -> None:
    page.locator(f"[data-move={move}]").click()


def is_told(request: Request) -> bool:
    """Whether a request tells where whoever leads is."""
    return request.method == "PUT"


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


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_the_lead_is_offered_for_as_long_as_its_leader_stays(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    *,
    faulty: bool,
) -> None:
    ada = person("Ada")
    ada.signs_in(client("Ada"))
    told: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if is_told(request):
            told.append(request.post_data_json or {})

    ada.notes(note)
    if faulty:
        plant(ada.page, "tour/panel.js", {ONLY_NEWS: "true"})
    clock = ada.context.clock
    clock.install()
    page = replay(ada, finished.game, "?at=30")
    with page.expect_request_finished(is_told):
        tells(page, "tour-begin")
    expect(page.locator(".tour")).to_contain_text("You lead")
    badge(page, "verified")
    clock.run_for(1000)  # where the tour begins has been told, and nothing else is new
    with page.expect_request_finished(is_told):
        tells(page, "tour-offer")
    offer = page.locator("[data-move=tour-offer]")
    expect(offer).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(">")  # the table is drawn anew, and nobody goes anywhere
    clock.run_for(1000)
    page.evaluate("async () => (await fetch('/health/live')).ok")  # what was asked before is known
    assert told[-1]["offered"] is not faulty
    page.keyboard.press("l")
    shows(page, next(version for version in finished.batch_ends if version > 30))
    clock.run_for(1000)
    expect(offer).to_have_attribute("aria-pressed", "false")


# By day the test before this one finds a fault of the same panel.
@pytest.mark.parametrize("faulty", WHOLE)
def test_those_who_follow_end_where_their_leader_went_last(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    *,
    faulty: bool,
) -> None:
    """Also where the first place takes longest on its way to the service."""
    ada, bob = person("Ada"), person("Bob")
    ada.signs_in(client("Ada"))
    bob.signs_in(client("Bob"))
    if faulty:
        plant(ada.page, "tour/panel.js", {IN_TURN: "Promise.resolve().then"})
    page = replay(ada, finished.game, "?at=30")
    later = next(version for version in finished.batch_ends if version > 30)
    late: list[Route] = []

    def overtakes(route: Route) -> None:
        if is_told(route.request) and not late:
            late.append(route)
        else:
            route.continue_()

    page.route("**/tours/*", overtakes)
    with page.expect_request(is_told):
        tells(page, "tour-begin")
    with page.expect_request_finished(is_told) if faulty else nullcontext():
        page.keyboard.press("l")
        shows(page, later)
    with page.expect_request_finished(lambda request: request == late[0].request):
        late[0].continue_()
    tour = page.evaluate("new URLSearchParams(location.search).get('tour')")
    shows(replay(bob, finished.game, f"?tour={tour}"), 30 if faulty else later)
