"""What lies over the clock of a table, as windows, says how long its reader has left."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client, begun
from tests.e2e.people import PHONE, Person
from tests.e2e.planting import plant_all
from tests.e2e.watching import move, open_log, watch

UNTOLD: Final = {"watch/drawer.js": {"line = open ? lineBelow() : null": "line = null"}}
"""The drawer says nothing of the time."""


def keys(page: Page) -> Locator:
    """Open the list of keys; the same."""
    page.locator(".watch-tools > summary").tap()
    move(page, "keys").tap()
    window = page.locator("dialog[open]")
    expect(window).to_be_visible()
    return window


def test_a_window_says_how_long_its_reader_has_left(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    one = person("Ada", PHONE)
    one.signs_in(ada)
    page = watch(one, game)
    expect(card_of(page, ada.asked(game)[0])).to_be_visible()
    window = keys(page)
    left, body = window.locator(".dialog-due"), window.locator(".dialog-body")
    expect(left).to_have_text(re.compile(r"^Time left: \d+:\d\d"))
    place = body.bounding_box()
    assert violations(page, "dialog[open]") == []  # below it is a table as in test_accessibility
    expect(left).not_to_have_text(left.text_content() or "")  # it goes on
    # Nothing moves when nothing is asked any more, and the window stays.
    while ada.asked(game):
        ada.chooses(game, ada.asked(game)[0]["options"][0]["id"])
    expect(left).to_have_text("")
    assert body.bounding_box() == place


def test_a_window_of_somebody_who_only_watches_keeps_no_room_for_that(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    game = begun([client("Ada"), client("Bob")])
    page = watch(person("Eve", PHONE), game)
    expect(keys(page).locator(".dialog-due")).to_be_hidden()


# Without the fault the same line has to come and to go.
@pytest.mark.parametrize("faulty", WHOLE)
def test_the_log_says_so_where_it_is_a_drawer(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, bob, one = client("Ada"), client("Bob"), person("Ada", PHONE)
    plant_all(one.page, UNTOLD if faulty else {})
    game = begun([ada, bob])
    one.signs_in(ada)
    page = watch(one, game)
    expect(card_of(page, ada.asked(game)[0])).to_be_visible()
    open_log(page)
    expect(page.locator(".drawer-shut")).to_be_in_viewport()
    left = page.locator(".log .dialog-due")
    if faulty:
        expect(left).to_have_count(0)
        return
    expect(left).to_have_text(re.compile(r"^Time left: \d+:\d\d"))
    assert violations(page) == []
    page.locator(".drawer-shut").tap()
    expect(left).to_have_count(0)
    open_log(page)
    expect(left).to_have_count(1)
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(left).to_be_hidden()  # beside the board nothing covers the clock
