"""From a name to a profile, to leaderboards, to finished games: on a phone too, for everybody."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from projections.results import SHOWN_AFTER
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client
from tests.e2e.conftest import Finished
from tests.e2e.holding import heard
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.test_accessibility import fine
from tests.e2e.test_rematch import given_up


@pytest.fixture(scope="session")
def ranked(service: Service) -> Iterator[tuple[str, ...]]:
    """Two players with a rating, who have played ten games: one gives up, and the other wins."""
    with ExitStack() as stack:
        players = [Client(service.url, name) for name in ("W" * 40, "Ada")]
        for player in players:
            stack.callback(player.close)
        for number in range(SHOWN_AFTER):
            game = players[0].opens("competition", 2)
            for player in players:
                player.sits(game)
            player, resigning = players[number % 2], f"resign-s{number % 2 + 1}"
            player.post(f"/games/{game}/decisions/{resigning}", {"option": "resign"})
            result = player.state(game)["result"]
            assert result["reason"] == "finished", result
        yield tuple(player.player for player in players)


LISTED: Final = """async ([path, players]) => {
    const { rows } = await (await fetch(path)).json();
    return players.every((player) => rows.some((row) => row.player === player));
}"""
"""Whether players are on a leaderboard; games come to it a moment after their end."""
PLAYED: Final = "async (path) => (await (await fetch(path)).json()).games > 0"
"""Whether a profile counts games: they come to it after they have come to the list of games."""


COLUMNS: Final = """() => [...document.querySelectorAll(".people-table thead tr")].map((row) =>
    [row.children[1], row.lastElementChild]
        .map((cell) => Math.round(cell.getBoundingClientRect().left)))"""
"""Where the second and the last column of each table begin."""


def seated(client: Client, game: str) -> tuple[str, str]:
    """The player on the first seat of a game: the id, and the name."""
    view = client.get(f"/games/{game}")
    return view["state"]["seats"]["1"]["player"], view["names"]["1"]["name"]


# By day on a phone, where there is least room.
@pytest.mark.parametrize("look", LOOKS)
def test_a_name_leads_to_a_profile_and_on(
    person: Callable[..., Person],
    client: Callable[..., Client],
    finished: Finished,
    ranked: tuple[str, ...],
    look: Look,
) -> None:
    player, name = seated(client("Eve"), finished.game)
    somebody = person("Eve", look)
    # Among all that have ended lately it may be far down, after other tests.
    page = somebody.opens(f"/?page=finished&player={player}")
    row = page.locator(f"[data-section=found] [data-game='{finished.game}']")
    expect(row).to_be_visible()
    fine(page)
    page.wait_for_function(PLAYED, arg=f"/v1/players/{player}/profile")
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
    shows_leaderboards(page, ranked)


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


def shows_leaderboards(page: Page, players: tuple[str, ...]) -> None:
    """An empty one says what to do, a full one leads to profiles."""
    page.goto("/?page=leaderboards&season=2001-1&game=room25")
    expect(page.locator(".empty")).to_contain_text("ten rated games")
    expect(page.locator("#board-season :checked")).to_have_text("First quarter of 2001")
    fine(page)
    page.wait_for_function(LISTED, arg=["/v1/leaderboards/all?game=room25", list(players)])
    page.locator("#board-season").select_option(label="All time")
    rows = [page.locator(f"tr[data-player={player}]") for player in players]
    for row in rows:
        expect(row.locator("td").nth(2)).to_have_text(str(SHOWN_AFTER))
    expect(page.locator("caption")).to_have_text("Room 25: All time")
    fine(page)
    rows[0].locator("a").click()
    expect(page).to_have_url(re.compile(f"player={players[0]}"))
    rating = page.locator("tbody tr", has_text="Room 25").locator("td").filter(has_text="±")
    expect(rating.first).to_be_visible()
    fine(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    first, *others = page.evaluate(COLUMNS)
    assert others
    assert all(each == first for each in others)


@pytest.mark.usefixtures("finished")
def test_the_lobby_lists_ones_own_finished_games_once(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = client("Ada")
    game = given_up(ada, client("Bob"))
    one = person("Ada")
    one.signs_in(ada)
    own = one.page.locator(f"[data-section=myFinished] [data-game='{game}']")
    others = one.page.locator("[data-section=finished]")

    def alone(route: Route) -> None:
        route.fulfill(json=ada.get("/games", status="finished", player=ada.player))

    one.page.route(re.compile(r"/games\?status=finished"), alone)
    page = one.opens("/")
    expect(own).to_be_visible()
    expect(others).to_be_hidden()
    page.unroute_all()
    page.reload()
    expect(others.locator("[data-game]").first).to_be_visible()
    expect(own).to_be_visible()
    expect(page.locator(f"[data-game='{game}']")).to_have_count(1)


def ranks(*ranks: int, following: str | None) -> dict[str, object]:
    """A page of a leaderboard."""
    rest = {"rating": 1500, "deviation": 50, "games": 10, "won": 5}
    rows = [{"rank": rank, "player": f"p{rank}", "name": f"N{rank}"} | rest for rank in ranks]
    return {"rows": rows, "next": following}


def test_the_next_page_of_a_leaderboard_comes_once_however_often_it_is_asked_for(
    person: Callable[..., Person],
) -> None:
    eve = person("Eve")

    def page_of(route: Route) -> None:
        more = "cursor" in route.request.url
        route.fulfill(json=ranks(2, following=None) if more else ranks(1, following="c"))

    eve.page.route(re.compile("/v1/leaderboards/all"), page_of)
    page = eve.opens("/?page=leaderboards&season=all&game=room25")
    more = page.locator(".people-page button.quiet")
    expect(more).to_be_visible()
    more.evaluate("(button) => { button.click(); button.click(); }")
    expect(more).to_be_hidden()
    heard(page)
    expect(page.locator("tr[data-player]")).to_have_count(2)


def test_who_has_no_name_yet_is_told_what_to_do(person: Callable[..., Person]) -> None:
    page = person("Eve").opens("/?page=profile")
    expect(page.get_by_role("link", name="Choose a name").last).to_be_visible()


def test_on_phones_a_cell_is_headed_as_its_language_writes(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    """A French colon stands behind a space that does not break; which the style cannot know."""
    player, _ = seated(client("Eve"), finished.game)
    reader = person("Eve", Look(width=360, height=740, touch=True, language="fr"))
    page = reader.opens(f"/?page=profile&player={player}")
    expect(page.locator("tbody td").first).to_have_attribute("data-head", "Parties\xa0:")
