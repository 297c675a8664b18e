"""One's seat comes and goes: whose eyes the page looks through then, and what it gives away."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acting import card_of
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.holding import holds
from tests.e2e.people import PHONE, Person
from tests.e2e.watching import move, open_tools, reaches, replay, root, watch

SEATS: Final = re.compile(r"/seats$")


def is_live(page: Page, viewer: str) -> None:
    """The page looks through these eyes, at the present, and the connection stands."""
    expect(root(page)).to_have_attribute("data-viewer", viewer)
    expect(root(page)).to_have_attribute("data-status", "live")
    expect(move(page, "live")).to_have_attribute("aria-pressed", "true")


def play_a_bot(person: Callable[..., Person], client: Callable[..., Client]) -> tuple[Person, str]:
    """Somebody in the first seat, with a browser, and the game that has begun against a bot."""
    ada = client("Ada")
    game = ada.opens("cooperation", 2)
    ada.sits(game, seat=1)
    ada.seats_bot(game)
    one = person("Ada")
    one.signs_in(ada)
    return one, game


def test_a_visitor_is_invited_to_a_table_of_each_game(person: Callable[..., Person]) -> None:
    one = person("Ada")
    page = one.opens("/")
    invited = page.locator(".invitation")
    expect(invited.locator("h2")).to_have_text(["Room 25", "Cerveauuu!"])
    invited.last.get_by_role("link").click()
    page.locator("#page").get_by_role("link", name="Choose a name").click()
    page.locator("#field-name").fill("Ada")
    page.locator("form", has=page.locator("#field-name")).locator("[type=submit]").click()
    page.get_by_role("link", name="Go on").click()
    expect(page.locator("#rulebook-cerveauuu-prototype")).to_be_checked()


def test_who_leaves_the_seat_sees_the_table_go_on(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 3)
    ada.sits(game, seat=1)
    one = person("Ada")
    one.allow("403")
    one.signs_in(ada)
    page = watch(one, game)
    is_live(page, "seat:1")
    page.locator("[data-action=leave-1]").click()
    is_live(page, "public")
    expect(page.locator("[data-banner=broken]")).to_have_count(0)
    bob.sits(game, seat=2)
    reaches(page, bob.version(game))
    expect(page.locator("[data-seat='2'] strong").first).to_have_text("Bob")
    expect(page.locator(".caption")).to_contain_text("Bob")  # whose name came after the event
    page.locator("[data-action=sit-1]").click()
    is_live(page, "seat:1")


def test_whom_the_host_sends_away_sees_the_table_go_on(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = bob.opens("cooperation", 3)
    ada.sits(game, seat=1)
    one = person("Ada")
    one.allow("403")  # the seat's own stream is shut, and the page asks for it once more
    one.signs_in(ada)
    page = watch(one, game, "?as=seat:1")
    is_live(page, "seat:1")
    bob.leaves(game, 1)
    is_live(page, "public")
    expect(page).to_have_url(re.compile(rf"/watch/{game}$"))
    bob.sits(game, seat=2)
    reaches(page, bob.version(game))


def test_who_looks_in_from_outside_is_led_back_to_the_seat(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one, game = play_a_bot(person, client)
    page = watch(one, game, "?as=public&at=9")
    page.locator("[data-banner=blind] button").click()
    is_live(page, "seat:1")
    expect(page.locator("[data-banner=blind]")).to_have_count(0)
    expect(page).to_have_url(re.compile(rf"/watch/{game}$"))


# By day both at once.
@pytest.mark.parametrize(
    "query",
    [
        pytest.param("?as=public", marks=pytest.mark.nightly),
        pytest.param("?at=1", marks=pytest.mark.nightly),
        "?at=1&as=public",
    ],
)
def test_who_sits_down_plays_with_open_eyes(
    person: Callable[..., Person], client: Callable[..., Client], query: str
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = bob.opens("cooperation", 2)
    bob.sits(game, seat=2)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game, query)
    page.locator("[data-action=sit-1]").click()
    is_live(page, "seat:1")
    expect(page).to_have_url(re.compile(rf"/watch/{game}$"))
    expect(card_of(page, ada.asked(game)[0])).to_be_visible()


def test_who_asks_for_a_seat_of_a_table_that_is_off_by_then_reads_why_there_is_none(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """Though the table is in another list by then, far below."""
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 3)
    one = person("Bob", PHONE)
    one.allow("409")
    one.signs_in(bob)
    page = one.opens("/")
    seat = page.locator(f"[data-section=open] [data-game='{game}'] [data-action=sit]")
    expect(seat).to_be_visible()
    come = holds(page, SEATS)
    with page.expect_request(SEATS):
        seat.click()
    ada.post(f"/games/{game}/close")
    come()
    expect(page.locator(f"[data-section=finished] [data-game='{game}']")).to_be_visible()
    told = page.locator("[data-section=open] .error")
    expect(told).to_contain_text("Nobody can join this table any more")
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport(ratio=1)


def test_a_host_calls_the_table_off(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 3)
    one, two = person("Ada"), person("Bob")
    one.signs_in(ada)
    two.signs_in(bob)
    hers, his = watch(one, game), watch(two, game)
    expect(his.locator("[data-action=sit-1]")).to_be_visible()
    expect(his.locator("[data-action=call-off]")).to_have_count(0)
    hers.locator("[data-action=call-off]").click()
    hers.locator("[data-action=close-table]").click()
    expect(hers.locator("[data-action=call-off]")).to_have_count(0)
    expect(his.locator("[data-action=sit-1]")).to_have_count(0)
    assert ada.get(f"/games/{game}")["state"]["result"]["reason"] == "cancelled"


COPIED = "navigator.clipboard.readText()"
DAY_S = 86_400


def test_a_copied_link_leads_everybody_to_the_table(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one, game = play_a_bot(person, client)
    one.permits("clipboard-read", "clipboard-write")
    clock = one.context.clock
    clock.install(time=0)
    page = watch(one, game, "?at=7&as=seat:1")
    open_tools(page)
    clock.pause_at(DAY_S)  # what is said would go after twelve seconds
    move(page, "copy").click()
    notice = page.locator("[data-banner=notice]")
    expect(notice).to_contain_text("Link to the table copied")
    assert page.evaluate(COPIED) == f"{one.url}/watch/{game}"
    notice.get_by_role("button").click()
    expect(notice).to_contain_text("Link to event 7 copied")
    assert page.evaluate(COPIED) == f"{one.url}/watch/{game}?at=7"
    assert "as=" not in "".join(
        page.locator(".log a").evaluate_all("all => all.map((a) => a.href)")
    )


# By day a moment; the test before this one copies a table's link.
@pytest.mark.parametrize(
    ("name", "query"),
    [pytest.param("link", "", marks=pytest.mark.nightly), ("moment", "?at=7")],
)
def test_what_is_shared_is_open_to_everybody(
    person: Callable[..., Person], client: Callable[..., Client], name: str, query: str
) -> None:
    one, game = play_a_bot(person, client)
    one.permits("clipboard-read", "clipboard-write")
    page = watch(one, game, "?at=7")
    open_tools(page)
    move(page, "save").click()
    page.locator(f"[data-copy={name}]").click()
    expect(page.locator(".download-answer")).to_have_text("Copied.")
    assert page.evaluate(COPIED) == f"{one.url}/watch/{game}{query}"


def test_after_the_end_every_view_may_be_shared(
    person: Callable[..., Person], finished: Finished
) -> None:
    eve = person("Eve")
    eve.permits("clipboard-read", "clipboard-write")
    page = replay(eve, finished.game, "?at=40&as=seat:2")  # until its end is here, the game runs
    page.keyboard.press("c")
    expect(page.locator("[data-banner=notice]")).to_contain_text("Link to event 40 copied")
    assert page.evaluate(COPIED) == f"{eve.url}/watch/{finished.game}?at=40&as=seat:2"
