"""A press counts, whatever is drawn before it ends: on the board, in lists, at seats."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Route, expect

from tests.e2e.acting import pressed
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.test_room25_help import described
from tests.e2e.watching import root, watch

WEB: Final = Path(__file__).parents[2] / "web"
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


def test_a_board_whose_faces_meet_the_pointer_is_noticed(own_modules: Page) -> None:
    source = (WEB / "games/room25/style.css").read_text()
    before = ".b-face {\n  pointer-events: none;\n}"
    other = ".b-tile:not(.b-slid) .b-choice {\n  pointer-events: all;\n}"
    assert source.count(before) == source.count(other) == 1
    faulty = source.replace(before, "").replace(other, "")

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/css", body=faulty)

    own_modules.route("**/room25/style.css", answer)
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
