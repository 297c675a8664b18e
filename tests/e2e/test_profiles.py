"""From a name to a profile, to leaderboards, to finished games: on a phone too, for everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_accessibility import fine


def ranked(player: str) -> dict[str, Any]:
    """A leaderboard of two, as the service tells it: ten games take long to play."""
    rows = [
        {"rank": n, "player": player, "name": name, "rating": 1500 - n, "deviation": 60}
        | {"games": 10 + n, "won": 7}
        for n, name in ((1, "W" * 40), (2, "Ada"))
    ]
    return {"season": "all", "game": "room25", "side": "guard", "rows": rows, "next": None}


def seated(client: Client, game: str) -> tuple[str, str]:
    """The player on the first seat of a game: the id, and the name."""
    view = client.get(f"/games/{game}")
    return view["state"]["seats"]["1"]["player"], view["names"]["1"]["name"]


@pytest.mark.parametrize("look", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_name_leads_to_a_profile_and_on(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    look: Look,
) -> None:
    player, name = seated(client("Eve"), finished.game)
    somebody = person("Eve", look)
    page = somebody.opens("/?page=finished")
    row = page.locator(f"[data-section=found] [data-game='{finished.game}']")
    expect(row).to_be_visible()
    fine(page)
    row.locator("a.name-link").first.click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.locator("caption").first).to_have_text("What was played")
    expect(
        page.locator("tbody th", has_text=re.compile("as a (guard|prisoner)")).first
    ).to_be_visible()
    fine(page)
    page.get_by_role("link", name="Finished games").click()
    expect(page.locator("#field-player")).to_have_value(name)
    expect(row).to_be_visible()
    searches(page, player)
    shows_leaderboards(page, player)


def searches(page: Page, player: str) -> None:
    """Look for games of this player without a result, and for those of nobody."""
    page.locator("#field-player").fill(f"/?page=profile&player={player}")
    page.locator("#field-result").select_option("undecided")
    page.locator(".search [type=submit]").click()
    expect(page).to_have_url(re.compile(f"player={player}&result=undecided"))
    expect(page.locator("[data-section=found] .empty")).to_be_visible()
    page.locator("#field-player").fill("nobody of this name")
    page.locator(".search [type=submit]").click()
    expect(page.locator(".search .error")).to_contain_text("nobody of this name")
    page.locator("#field-player").fill("")
    page.locator(".search [type=submit]").click()
    expect(page.locator(".search .error")).to_contain_text("say which player")
    fine(page)


def shows_leaderboards(page: Page, player: str) -> None:
    """An empty one says what to do, a full one leads to profiles."""
    page.goto("/?page=leaderboards&season=2001-1&game=room25&side=guard")
    expect(page.locator(".empty")).to_contain_text("ten rated games")
    fine(page)

    def fulfil(route: Route) -> None:
        route.fulfill(json=ranked(player))

    page.route("**/v1/leaderboards/all?*", fulfil)
    page.locator("#board-season").select_option(label="All time")
    expect(page.locator("tr[data-player]")).to_have_count(2)
    expect(page.locator("caption")).to_have_text("Room 25, as a guard: All time")
    fine(page)
    page.locator("tr[data-player] a").last.click()
    expect(page).to_have_url(re.compile(f"player={player}"))


def test_who_has_no_name_yet_is_told_what_to_do(person: Callable[..., Person]) -> None:
    page = person("Eve").opens("/?page=profile")
    expect(page.get_by_role("link", name="Choose a name").last).to_be_visible()
