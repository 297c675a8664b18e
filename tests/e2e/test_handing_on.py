"""A panel goes with its seats or its game: the focus goes on to what has come in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.acting import card_of
from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.planting import plant_all
from tests.e2e.test_focus_kept import keeps
from tests.e2e.watching import move, watch

LET_GO: Final = {"watch/handing-on.js": {"if (here && ": "if (page === null && "}}
"""Nobody looks after the focus of a panel that has gone."""


def opens(host: Client) -> str:
    """Open a table of Cerveauuu! for two, and sit down."""
    game = host.opens("standard", 2, "prototype", game="cerveauuu")
    host.sits(game)
    return game


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_the_focus_goes_from_the_seats_to_the_game_and_from_the_game_to_its_end(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, bob, one = client("Ada"), client("Bob"), person("Ada")
    plant_all(one.page, LET_GO if faulty else {})
    game = opens(ada)
    one.signs_in(ada)
    page = watch(one, game)
    page.locator("[data-action=leave-1]").focus()
    bob.sits(game)
    expect(page.locator(".p-panel")).to_be_visible()
    keeps(page, page.locator(".p-panel :focus"), faulty=faulty)
    asked = card_of(page, ada.asked(game)[0]) if ada.asked(game) else page.locator("#play-heading")
    expect(asked).to_be_visible()
    page.locator("#play-heading").focus()
    bob.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    expect(page.locator(".result-own")).to_have_text("You win.")
    keeps(page, page.locator(".result-own:focus"), faulty=faulty)
    if not faulty:  # what may be done there is next, and the last scene takes nothing away
        page.keyboard.press("Escape")
        expect(page.locator(".result-own:focus")).to_have_count(1)
        move(page, "replay").press("Enter")
        expect(page.locator(".result")).to_be_hidden()
        keeps(page, page.locator("h1:focus"), faulty=False)


# By day the test before this one finds the same fault.
@pytest.mark.parametrize("faulty", WHOLE)
def test_whoever_calls_a_table_off_by_keys_goes_on_there(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    ada, one = client("Ada"), person("Ada")
    plant_all(one.page, LET_GO if faulty else {})
    game = opens(ada)
    one.signs_in(ada)
    page = watch(one, game)
    page.locator("[data-action=call-off]").press("Enter")
    page.locator("[data-action=close-table]").press("Enter")
    expect(page.locator(".result h2")).to_be_visible()
    keeps(page, page.locator(".result-said:focus"), faulty=faulty)


def test_nobody_else_is_led_anywhere(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = opens(ada)
    bob.sits(game)
    idle, busy = watch(person("Eve"), game), watch(person("Dan"), game)
    log = busy.locator(".log-filter > summary")
    log.focus()
    bob.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    for page in (idle, busy):
        expect(page.locator(".result h2")).to_be_visible()
    expect(idle.locator(":focus")).to_have_count(0)
    expect(log).to_be_focused()
