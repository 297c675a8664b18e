"""Towns of Cerveauuu! that begin with a position, and what one does on their board."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.clients import Client, Json
from tests.e2e.test_layout import DRAWN

_EDGE: Final = "+-+-+-+-+-+-+-+"
_ROW: Final = "|. . . . . . .|"
_BETWEEN: Final = "\n+             +\n"
FIELD: Final = f"{_EDGE}\n{_BETWEEN.join([_ROW] * 4)}\n{_EDGE}"
"""Seven cells by four, without a wall."""

CHASE: Final = {
    "map": FIELD,
    "stage": "zombies",
    "pieces": {
        "h01": {"cell": "r1c4"},
        "h02": {"cell": "r0c6"},
        "z01": {"cell": "r2c0", "seat": 1},
        "z02": {"cell": "r0c4", "seat": 2},
        "z03": {"cell": "r3c6", "seat": 2},
    },
    "hands": {"1": ["c031"], "2": ["c044"]},
}
"""Seat 1 has a rifle, seat 2 a bat; z01 can reach h01, beside which z02 stands."""

HOUSE: Final = {
    "map": """+-+-+-+-+-+-+-+
|. . . . . . .|
+ +-+-+       +
|.|m m|. . . .|
+ +   +       +
|.|m mD. . . .|
+ +-+-+       +
|. . . . . . .|
+-+-+-+-+-+-+-+""",
    "stage": "zombies",
    "pieces": {
        "h01": {"cell": "r1c1"},
        "z01": {"cell": "r3c0", "seat": 1},
        "z02": {"cell": "r3c6", "seat": 2},
    },
    "hands": {"1": ["c075", "c121", "c125", "c123", "c067", "c108", "c073", "c098"]},
}
"""Seat 1 can shut the door, break a wall, fill the house with gas, open the door, break a wall, arm
the people in the house, and open or shut all its doors."""

FROZEN: Final = {
    **CHASE,
    "stage": "pre_zombies",
    "weather": {"card": "c012", "seat": 2},
    "hands": {"1": ["c022", "c031"], "2": ["c024", "c044"]},
    "deck": ["c006", "c043", "c045"],
}
"""Black ice; seat 1 can play the viral video, by which it draws end credits."""


def staged(own: Client, bob: Client, position: Json, *more: Client) -> str:
    """A table for two, or more, without hurry that begins with a position; its id."""
    players = (own, bob, *more)
    wish = {"game": "cerveauuu", "rulebook": "prototype", "mode": "standard"}
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    table = {**wish, "seats": len(players), "time": time, "scenario": position}
    game = str(own.post("/games", table)["game"])
    for seat, player in enumerate(players, 1):
        player.sits(game, seat=seat)
    return game


def asked(client: Client, game: str) -> Json:
    """What is asked next; the bot answers by itself."""
    while not (found := client.asked(game)):
        assert client.state(game)["phase"] == "live"
    return found[0]


def until(client: Client, game: str, kind: str) -> Json:
    """Let defaults be, until such a decision is asked."""
    while (decision := asked(client, game))["kind"] != kind:
        default = decision["default"]
        client.post(f"/games/{game}/decisions/{decision['id']}", {"option": default})
    return decision


def cell(page: Page, name: str) -> Locator:
    """A cell of the board."""
    return page.locator(f".cv-board [data-cell='{name}']")


def offered(page: Page, name: str) -> Locator:
    """A cell, as soon as there is something to be chosen on it."""
    found = cell(page, name)
    expect(found).to_have_attribute("aria-label", re.compile("^Choose: "))
    return found


def takes(page: Page, name: str) -> None:
    """Click on a cell as soon as there is something to be chosen on it."""
    offered(page, name).click()


def on_a_phone(page: Page) -> None:
    """Make the screen a phone's, and wait until the page is drawn for it."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(DRAWN, [390, 844])
