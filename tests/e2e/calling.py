"""A table that calls somebody whose browser records it, and how one sees that it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.listening_in import record
from tests.e2e.people import Look, Person
from tests.e2e.watching import open_site_menu, watch

MARKED: Final = {
    "en": re.compile(r"^● your turn · "),
    "fr": re.compile(r"^● à vous de jouer · "),
    "pl": re.compile(r"^● twoja kolej · "),
}
ICON: Final = "link[rel=icon]"


Made = tuple[Person, Client, Client, str]


def recorded_table(
    person: Callable[..., Person],
    client: Callable[..., Client],
    look: Look | None = None,
    *,
    opens: bool = True,
) -> Made:
    """Make a table at which Bob is to come, and Ada sits, in a browser that records."""
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    ada.sits(game, seat=1)
    one = person("Ada", look or Look())
    record(one)
    one.signs_in(ada)
    if opens:
        watch(one, game)
    return one, ada, bob, game


def wish(page: Page, *names: str) -> None:
    """Turn switches over, and close what they are in."""
    expect(page.locator(f"[data-wish={names[0]}]")).to_have_count(1)  # the head has been drawn
    open_site_menu(page)
    if page.locator("details.calling-menu").count():
        page.locator("details.calling-menu > summary").press("Enter")
    for name in names:
        page.locator(f"[data-wish={name}]").click()
    page.keyboard.press("Escape")


def is_called(page: Page, language: str = "en") -> None:
    expect(page).to_have_title(MARKED[language])
    expect(page.locator(ICON)).to_have_attribute("href", re.compile("icon-called"))


def is_left_alone(page: Page) -> None:
    expect(page).not_to_have_title(re.compile("●"))
    expect(page.locator(ICON)).to_have_attribute("href", re.compile(r"/icon\.svg"))


def begins_cerveauuu(*players: Client) -> str:
    """A game that asks the first of these players, and then the others."""
    first, second = players
    game = opens_cerveauuu(first, second)
    is_asked(first, game, second)
    return game


def opens_cerveauuu(*players: Client, start: str = "auto") -> str:
    """A table at which these players sit."""
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    seats = len(players)
    game = players[0].opens(
        "standard", seats, "prototype", game="cerveauuu", time=time, start=start
    )
    for player in players:
        player.sits(game)
    return game


def is_asked(player: Client, game: str, before: Client) -> None:
    """Let the other one choose until the game asks this player."""
    while not player.asked(game):
        before.chooses(game, before.asked(game)[0]["options"][0]["id"])
