"""An answer that comes late finds a page that has gone on: it takes nobody back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.acting import card_of
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.holding import heard, holds
from tests.e2e.people import SESSION, Person
from tests.e2e.planting import plant
from tests.e2e.test_connection import Table
from tests.e2e.watching import badge, move, replay, root, shown, shows, watch

RULES: Final = "/?page=rules"
TABLES: Final = re.compile(r"/v1/games$")
BOOKS: Final = re.compile(r"/v1/rulebooks\?")
BOOK: Final = re.compile(r"/v1/rulebooks/")
DECISIONS: Final = re.compile(r"/decisions$")
CHOSEN: Final = re.compile(r"/decisions/[^/]+$")
WHAT_IF: Final = re.compile(r"/what-if\.js$")

ONE_AT_A_TIME: Final = """async () => {
    const { inTurn } = await import("/web/net/in-turn.js");
    const ends = [];
    const ask = inTurn(() => new Promise((end, fail) => { ends.push({ end, fail }); }));
    const first = ask();
    await Promise.all([ask(), ask()]);
    const before = ends.length;
    ends[0].end();
    await new Promise((done) => setTimeout(done));
    const meanwhile = ends.length;
    ends[1].fail(new Error("lost"));
    const failed = await first.then(() => "", ({ message }) => message);
    ask();
    return [before, meanwhile, failed, ends.length];
}"""
"""How many readings there are: while one is on its way, once that is there, after one failed."""


def plays_and_leaves(one: Person) -> Page:
    """Press the button for a table with bots, and go to the rules before there is one."""
    page = one.opens("/")
    page.locator("#play-name").fill("Ada")
    with page.expect_request(TABLES):
        page.locator("[data-play=cerveauuu]").click()
    one.goes_to(RULES)
    expect(page.locator("section.rules")).to_be_visible()
    return page


def test_whoever_has_left_the_lobby_is_not_taken_to_the_table(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada")
    seats: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/seats"):
            seats.append(request.url)

    ada.notes(note)
    come = holds(ada.page, TABLES)
    page = plays_and_leaves(ada)
    with page.expect_response(lambda answer: answer.url.endswith("/seats") and len(seats) == 3):
        come()
    heard(page)
    expect(page).to_have_url(re.compile(re.escape(RULES)))


def test_a_refusal_does_not_bring_the_lobby_back(person: Callable[..., Person]) -> None:
    ada = person("Ada")
    ada.allow("409")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route(TABLES, hold)
    page = plays_and_leaves(ada)
    refusal = {"type": "/problems/too-many-tables", "title": "-", "status": 409}
    with page.expect_response(TABLES):
        held.pop().fulfill(
            status=409, content_type="application/problem+json", body=json.dumps(refusal)
        )
    heard(page)
    expect(page.locator(".hero")).to_have_count(0)
    expect(page.locator("section.rules")).to_be_visible()


def test_a_lobby_that_was_left_does_not_call(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    player, ada = client("Ada"), person("Ada")
    game = player.opens("cooperation", 2)
    for each in (player, client("Bob")):
        each.sits(game)
    ada.signs_in(player)
    come = holds(ada.page, BOOKS)
    with ada.page.expect_response(DECISIONS):
        page = ada.opens("/")
    heard(page)
    ada.goes_to("/?page=account")
    expect(page.locator(".account h1")).to_be_visible()
    with page.expect_response(BOOKS):
        come()
    heard(page)
    assert "●" not in page.title()


def test_whoever_signs_out_is_not_shown_the_form_that_was_on_its_way(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    ada.signs_in(client("Ada"))
    come = holds(ada.page, BOOKS)
    with ada.page.expect_request(BOOKS):
        page = ada.opens("/?page=new")
    expect(page.locator(".new-table .muted")).to_be_visible()
    page.evaluate(f"async () => {SESSION}.forget()")
    expect(page.locator(".new-table .note")).to_be_visible()
    with page.expect_response(BOOK):
        come()
    heard(page)
    expect(page.locator(".new-table form")).to_have_count(0)
    expect(page.locator(".new-table .note")).to_be_visible()


def test_whoever_closes_the_window_stays_at_the_game(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada = person("Mia")
    ada.signs_in(client("Mia"))
    page = replay(ada, finished.game)
    page.locator("[data-move=what-if]").click()
    branches = re.compile("/branches$")
    come = holds(page, branches)
    with page.expect_request(branches):
        page.locator("[data-dialog=what-if] [data-move=branch]").click()
    page.keyboard.press("Escape")
    expect(page.locator("[data-dialog=what-if]")).to_have_count(0)
    with page.expect_response(branches):
        come()
    heard(page)
    expect(page).to_have_url(re.compile(f"/watch/{finished.game}"))


def asked(person: Person, client: Callable[..., Client]) -> tuple[Page, Client, Client, str]:
    """A game in which both players are to choose a room, before one of them."""
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    for each in (ada, bob):
        each.sits(game)
    person.signs_in(ada)
    page = watch(person, game)
    expect(card_of(page, ada.asked(game)[0])).to_be_visible()
    return page, ada, bob, game


def test_a_table_that_was_left_asks_nothing_after_a_receipt(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one = person("Ada")
    page, ada, _, game = asked(one, client)
    come = holds(page, CHOSEN)
    with page.expect_request(CHOSEN):
        card_of(page, ada.asked(game)[0]).locator("button[data-option]").first.click()
    one.goes_to(RULES)
    expect(page.locator("section.rules")).to_be_visible()
    asks: list[str] = []

    def note(request: Request) -> None:
        if DECISIONS.search(request.url):
            asks.append(request.url)

    one.notes(note)
    with page.expect_response(CHOSEN):
        come()
    heard(page)
    assert asks == []


def test_what_is_asked_of_a_moment_is_not_asked_while_another_view_comes(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada = person("Mia")
    ada.signs_in(client("Mia"))
    page = replay(ada, finished.game)
    come = holds(page, WHAT_IF)
    with page.expect_request(WHAT_IF):
        page.locator("[data-move=what-if]").click()
    view = re.compile(r"/events\?as=full")
    see = holds(page, view)
    with page.expect_request(view):
        page.keyboard.press("9")
    with page.expect_response(WHAT_IF):
        come()
    expect(root(page)).to_have_attribute("data-coming", "")
    expect(page.locator("dialog")).to_have_count(0)
    see()
    expect(page.locator("[data-viewer=full][data-version]")).to_be_visible()


# By day one of the two, which go the same way.
@pytest.mark.parametrize("back", ["first", pytest.param("turn-back", marks=pytest.mark.nightly)])
def test_a_frame_that_was_called_back_to_the_present_stays_there(
    person: Callable[..., Person], client: Callable[..., Client], back: str
) -> None:
    table = Table(client("Ada"), client("Bob"))
    page = watch(person("Eve"), table.game, place="embed")
    present = shown(page)
    view = re.compile(r"/events\?as=public")
    come = holds(page, view)
    with page.expect_request(view):
        move(page, back).click()
    page.evaluate("postMessage({ target: 'parlour', type: 'live' }, '*')")
    expect(move(page, "live")).to_have_attribute("aria-pressed", "true")
    come()
    badge(page, "verified")
    heard(page)
    shows(page, present)


def test_a_mistake_in_a_later_part_is_not_taken_for_a_lost_connection(
    person: Callable[..., Person], finished: Finished
) -> None:
    eve = person("Eve")
    eve.allow("is not a function|of null")
    told = "const about = help.about(controller.state, target, { book, names });"
    plant(eve.page, "watch/place-help.js", {told: "help.nothing();"})
    page = replay(eve, finished.game)
    page.locator(".b-board [data-cell=r0c0]").click(position={"x": 12, "y": 10})
    expect(page.locator(".failure")).to_be_visible()
    expect(page.locator("[data-banner=notice]")).to_have_count(0)


def test_answers_to_one_question_come_one_after_another(modules: Page) -> None:
    assert modules.evaluate(ONE_AT_A_TIME) == [1, 2, "lost", 3]


SAYS: Final = """async () => {
    const { Notice } = await import("/web/watch/notice.js");
    const waiting = [];
    window.setTimeout = (act) => waiting.push(act);
    window.clearTimeout = (number) => { delete waiting[number - 1]; };
    const notice = new Notice(null, () => {});
    const later = () => {
        waiting.splice(0).forEach((act) => act());
        return notice.said?.text ?? null;
    };
    notice.tell({ text: "copied" });
    notice.put({ text: "the seat is gone" });
    const put = later();
    notice.tell({ text: "copied" });
    return [put, notice.said.text, later()];
}"""
"""What is said once all timers have run out: first it was put in the place of something else."""


def test_what_was_said_for_a_while_takes_nothing_else_with_it(own_modules: Page) -> None:
    assert own_modules.evaluate(SAYS) == ["the seat is gone", "copied", None]
