"""A press counts, whatever is drawn before it ends: on the board, in lists, at seats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.acting import card_of, draws_all_anew, pressed
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client, begun
from tests.e2e.conftest import Finished
from tests.e2e.holding import holds
from tests.e2e.people import Look, Person
from tests.e2e.planting import plant, plant_all
from tests.e2e.test_room25_help import described
from tests.e2e.watching import board_of, replay, root, watch

BOARD: Final = """async (book) =>
    (await import("/pages/room25.js")).board(JSON.parse(book))"""
ROWS: Final = """async (items) => (await import("/pages/patch.js")).rows(items)"""


def rooms_pressed(page: Page) -> list[str]:
    """Press a room that is turned up before the press ends; what the board has heard."""
    page.evaluate(BOARD, json.dumps(described("first_edition", "en")))
    room = page.locator(".b-board [data-cell=r0c0]")
    with pressed(room):
        page.evaluate("open()")
        expect(room.locator(".b-face-up")).to_have_count(1)
    found: list[str] = page.evaluate("pressed")
    return found


def test_a_room_is_pressed_although_its_face_is_drawn_anew(own_modules: Page) -> None:
    assert rooms_pressed(own_modules) == ["r0c0"]


@pytest.mark.nightly  # by day a phrase that is lost shows that a press is followed
def test_a_board_whose_faces_meet_the_pointer_is_noticed(own_modules: Page) -> None:
    before = ".b-face {\n  pointer-events: none;\n}"
    other = ".b-tile:not(.b-slid) .b-choice {\n  pointer-events: all;\n}"
    plant(own_modules, "games/room25/style.css", {before: "", other: ""})
    assert rooms_pressed(own_modules) == []


def test_a_row_is_pressed_although_the_list_changes(own_modules: Page) -> None:
    def shows(*items: tuple[str, str]) -> None:
        own_modules.evaluate(ROWS, [{"id": name, "text": text} for name, text in items])

    shows(("a", "turn 1"), ("b", "turn 1"))
    go = own_modules.locator("li[data-key=a] button")
    with pressed(go):
        shows(("a", "turn 2"), ("c", "turn 1"))
    assert own_modules.evaluate("pressed") == ["turn 2"]
    go.focus()
    shows(("c", "turn 2"), ("a", "turn 3"))
    expect(go).to_be_focused()


def test_a_seat_is_taken_although_somebody_sits_down_beside_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob, eve = client("Ada"), client("Bob"), person("Eve")
    game = ada.opens("cooperation", 3)
    eve.signs_in(client("Eve"))
    page = watch(eve, game)
    with pressed(page.locator("[data-action=sit-1]")):
        bob.sits(game, seat=2)
        expect(page.locator(".seats [data-seat='2'] strong")).to_have_text("Bob")
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")


def votes_beside_another(one: Person, client: Callable[..., Client]) -> Page:
    """Three sit at a table; one presses to agree to a pause, and meanwhile another one agrees."""
    ada, bob, cleo = client("Ada"), client("Bob"), client("Cleo")
    game = begun([ada, bob, cleo])
    one.signs_in(ada)
    page = watch(one, game)
    bob.post(f"/games/{game}/pause-proposals", {"minutes": 20})
    with pressed(page.locator("#pausing-agree")):
        cleo.post(f"/games/{game}/pause-votes", {"vote": "agree"})
        expect(page.locator(".pausing-body")).to_contain_text("Cleo")
    return page


@pytest.mark.parametrize("look", LOOKS)
def test_a_vote_counts_although_somebody_votes_beside_it(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    page = votes_beside_another(person("Ada", look), client)
    expect(page.locator("[data-banner=paused]")).to_be_visible()


@pytest.mark.nightly  # by day a phrase is lost in the same way
def test_a_vote_that_is_lost_where_all_is_drawn_anew_is_noticed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    draws_all_anew(ada)
    page = votes_beside_another(ada, client)
    # What all had agreed to could not be declined any more.
    page.locator("#pausing-decline").dispatch_event("click")
    expect(page.locator("#pausing-ask")).to_be_visible()


def said_beside_a_new_name(one: Person, client: Callable[..., Client]) -> str:
    """Press to laugh, while somebody takes another name, and then to gasp; what is said first."""
    ada, bob = client("Ada"), client("Bob")
    one.signs_in(ada)
    page = watch(one, begun([ada, bob]))
    said: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/phrases"):
            said.append((request.post_data_json or {})["phrase"])

    one.notes(note)
    page.locator("#talk-open").press("Enter")
    with pressed(page.locator("#talk-laugh")):
        bob.post(f"/players/{bob.player}/name", {"name": "Bert"})
        expect(page.locator(".talk-mutes")).to_contain_text("Bert")
    with page.expect_response("**/phrases"):
        page.locator("#talk-gasp").press("Enter")
    return said[0]


def test_a_phrase_is_said_although_somebody_takes_another_name(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    assert said_beside_a_new_name(person("Ada"), client) == "laugh"


def test_a_phrase_that_is_lost_where_all_is_drawn_anew_is_noticed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    draws_all_anew(ada)
    assert said_beside_a_new_name(ada, client) == "gasp"


ALL_OPEN: Final = re.compile(r"/v1/games/[^/?]+\?as=full$")
"""The view in which everything is open: with it the page knows who was who."""


ONE_TASK: Final = "() => new Promise((done) => setTimeout(done))"


WAITS_FOR_NOBODY: Final = {"watch/pressing.js": {"while (pressed)": "while (false)"}}
"""A planted fault: what comes is drawn although something is pressed."""

CAST_ANEW: Final = {
    "watch/result.js": {
        "patch(this.cast, cast, reveal)": "this.cast.replaceChildren(cast ?? '', reveal ?? '')"
    }
}
"""The cast and its button are new ones each time."""


@contextmanager
def presses_for_everything(
    eve: Person, finished: Finished
) -> Iterator[tuple[Page, Callable[[], None]]]:
    """The button that shows all is pressed; meanwhile it may come who was who."""
    come = holds(eve.page, ALL_OPEN)
    with eve.page.expect_request(ALL_OPEN):
        page = replay(eve, finished.game)
    with pressed(page.locator("[data-move=reveal]")):
        yield page, come


def test_the_cast_is_not_drawn_anew_while_something_is_pressed(
    person: Callable[..., Person], finished: Finished
) -> None:
    with presses_for_everything(person("Eve"), finished) as (page, come):
        with page.expect_response(ALL_OPEN):
            come()
        page.evaluate(ONE_TASK)
        expect(page.locator(".result[aria-busy]")).to_have_count(1)
    expect(root(page)).to_have_attribute("data-viewer", "full")
    expect(page.locator(".result[aria-busy]")).to_have_count(0)


@pytest.mark.nightly  # by day a phrase that is lost shows that a press is followed
def test_a_cast_that_is_drawn_anew_under_a_press_is_noticed(
    person: Callable[..., Person], finished: Finished
) -> None:
    eve = person("Eve")
    plant_all(eve.page, WAITS_FOR_NOBODY | CAST_ANEW)
    with presses_for_everything(eve, finished) as (page, come):
        come()
        expect(page.locator(".result[aria-busy]")).to_have_count(0)
    # A click that is heard changes the view before the mouse is up.
    assert root(page).get_attribute("data-viewer") == "public"


EXTRAS: Final = "**/watch/extras.js"
COME: Final = """async () => {
    await import(document.querySelector("meta[name=files]").content + "chunks/watch/extras.js");
    await new Promise((done) => setTimeout(done));
}"""
"""What a table has beside its board, its log and its decisions is here, and could be drawn."""


@contextmanager
def presses_for_a_pause(
    one: Person, client: Callable[..., Client]
) -> Iterator[tuple[Page, Callable[[], None]]]:
    """The button that leads to a pause is pressed; meanwhile what comes later may come."""
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    one.signs_in(ada)
    come = holds(one.page, EXTRAS)
    with one.page.expect_request(EXTRAS):
        page = board_of(one, game)
    expect(card_of(page, ada.asked(game)[0])).to_be_visible()
    expect(root(page)).to_have_attribute("data-coming", "extras")  # so it is not complete
    with pressed(page.locator("#pausing-open")):
        yield page, come


def test_what_comes_later_moves_nothing_that_is_pressed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    with presses_for_a_pause(person("Ada"), client) as (page, come):
        come()
        page.evaluate(COME)
        expect(page.locator("#talk-open")).not_to_be_visible()
    expect(page.locator("#pausing-length")).to_be_visible()
    expect(page.locator("#talk-open")).to_be_visible()


@pytest.mark.nightly  # by day a phrase that is lost shows that a press is followed
def test_what_comes_while_something_is_pressed_is_noticed(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    plant_all(ada.page, WAITS_FOR_NOBODY)
    with presses_for_a_pause(ada, client) as (page, come):
        come()
        expect(page.locator("#talk-open")).to_be_visible()
    # What a press has unfolded is open before the mouse is up.
    assert page.locator("details.pausing").get_attribute("open") is None
