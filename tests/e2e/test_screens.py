"""Live tables in the lobby are small boards that move on."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.people import Person


def test_a_live_table_shows_its_board_and_a_private_one_does_not(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    hidden = ada.opens("cooperation", 2, visibility="private", invited=[])
    for each in (game, hidden):
        ada.sits(each)
        ada.seats_bot(each) if each == hidden else bob.sits(each)
    eve = person("Ada")
    eve.signs_in(ada)
    page = eve.opens("/")
    screen = page.locator(f"[data-game='{game}'] img.screen")
    drawn = f"""() => document.querySelector("[data-game='{game}'] img.screen").naturalWidth > 0"""
    expect(screen).to_have_attribute("src", f"/v1/games/{game}/preview.svg?at={ada.version(game)}")
    page.wait_for_function(drawn)
    expect(page.locator(f"[data-game='{hidden}']")).to_be_visible()
    expect(page.locator(f"[data-game='{hidden}'] img")).to_have_count(0)
    assert violations(page) == []
    # A move of Bob's rings for Ada, and the board is that of the newest version.
    asked = bob.asked(game)[0]
    bob.post(f"/games/{game}/decisions/{asked['id']}", {"option": asked["options"][0]["id"]})
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(screen).to_have_attribute("src", f"/v1/games/{game}/preview.svg?at={ada.version(game)}")
    page.wait_for_function(drawn)
