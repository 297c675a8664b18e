"""Whatever happens to the connection, the page goes on without a gap and without a repetition."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client
from tests.e2e.people import BROKEN_LINE, Person
from tests.e2e.serving import Service
from tests.e2e.watching import badge, is_gapless, shows, watch
from tests.e2e.windows import line
from tests.e2e.wire import Wire

_WHO: Final = {"emmett": 1, "kevin": 1, "franck": 2, "jennifer": 2}
_HIDDEN: Final = {"kind": "empty", "face": "down"}
CALM: Final[dict[str, Any]] = {
    "characters": {name: {"seat": seat} for name, seat in _WHO.items()},
    "tiles": {
        f"r{row}c{column}": _HIDDEN
        for row in range(5)
        for column in range(5)
        if (row, column) not in {(2, 2), (4, 4)}
    },
    "turn": 1,
    "last_turn": 100,
}
"""A complex of empty rooms, and plenty of time: nobody dies, and who plays by lot does not win."""


class Table:
    """A live game of two clients that moves only when it is told to, and lasts."""

    def __init__(self, ada: Client, bob: Client) -> None:
        self.players = (ada, bob)
        self.game = ada.opens("competition", 2, scenario=CALM)
        self._choice = random.Random(11)
        for player in self.players:
            player.sits(self.game)
        self.moves()

    def moves(self) -> int:
        """Let something happen; the newest version."""
        before = self.players[0].version(self.game)
        while (now := self.players[0].version(self.game)) < before + 10:
            assert sum(player.moves(self.game, self._choice) for player in self.players)
        return now


@pytest.fixture
def table(client: Callable[..., Client]) -> Table:
    """A live game."""
    return Table(client("Ada"), client("Bob"))


def whole(page: Page, version: int) -> None:
    """The page has come to a version, and all before it is there, once, and adds up."""
    shows(page, version)
    is_gapless(page, version)
    badge(page, "verified")


# By day the test of a slow network loads the page anew in the middle, which takes longest there.
@pytest.mark.nightly
def test_a_reload_in_the_middle(returning: Callable[..., Person], table: Table) -> None:
    page = watch(returning("Eve"), table.game)
    whole(page, table.moves())
    page.reload()
    whole(page, table.players[0].version(table.game))
    whole(page, table.moves())


# By day test_play.py takes the network away from somebody who plays, and here a connection is cut.
@pytest.mark.nightly
def test_a_network_that_goes_away(returning: Callable[..., Person], table: Table) -> None:
    eve = returning("Eve")
    eve.allow(BROKEN_LINE)
    page = watch(eve, table.game)
    eve.context.set_offline(True)
    version = table.moves()
    eve.context.set_offline(False)
    whole(page, version)
    whole(page, table.moves())


def test_a_cut_connection(
    returning: Callable[..., Person], wire: Callable[[int], Wire], service: Service, table: Table
) -> None:
    line = wire(service.port)
    eve = returning("Eve", url=line.url)
    eve.allow(BROKEN_LINE)
    page = watch(eve, table.game)
    line.cut()
    whole(page, table.moves())
    with line.down():
        expect(page.locator("[data-banner=waiting]")).to_be_visible()
        version = table.moves()
    whole(page, version)
    expect(page.locator("[data-banner=waiting]")).to_have_count(0)
    whole(page, table.moves())


def test_a_restart_of_the_service(
    returning: Callable[..., Person], client: Callable[..., Client], own_service: Service
) -> None:
    table = Table(client("Ada", own_service.url), client("Bob", own_service.url))
    eve = returning("Eve", url=own_service.url)
    eve.allow(BROKEN_LINE)
    page = watch(eve, table.game)
    whole(page, table.moves())
    own_service.stop()
    own_service.start()
    whole(page, table.moves())
    assert "Traceback" not in own_service.log


def test_a_table_that_cannot_read_what_is_asked_does_not_say_that_nothing_is(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    player, other = client("Ada"), client("Bob")
    game = player.opens("cooperation", 2)
    player.sits(game)
    other.sits(game)
    ada = person("Ada")
    ada.signs_in(player)
    ada.allow(BROKEN_LINE)
    ada.allow("409|429")
    decisions, later = "**/decisions", {"retry-after": "3600"}
    ada.context.route(decisions, lambda route: route.fulfill(status=409))
    page = ada.opens(f"/watch/{game}")
    failed, again = page.locator(".banner-broken"), "tries again by itself"
    expect(failed).to_be_visible()
    idle = page.locator(".p-idle")
    expect(idle).to_have_count(1)
    expect(idle).to_be_hidden()
    # What is refused is not asked again by itself; what is too much would be, in an hour.
    expect(failed).not_to_contain_text(again)
    ada.context.route(decisions, lambda route: route.fulfill(status=429, headers=later))
    failed.get_by_role("button").click()
    expect(failed).to_contain_text(again)
    ada.context.route(decisions, lambda route: route.abort())
    failed.get_by_role("button").click()
    expect(failed).to_contain_text("cannot be reached")
    expect(failed).to_contain_text(again)
    ada.context.unroute(decisions)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    expect(failed).to_be_hidden()


def test_a_slow_network(returning: Callable[..., Person], table: Table) -> None:
    eve = returning("Eve")
    page = watch(eve, table.game)
    debugger = eve.context.new_cdp_session(page)
    debugger.send("Network.emulateNetworkConditions", line(300, 20_000, 5_000))
    page.reload(wait_until="commit")
    whole(page, table.moves())
    whole(page, table.moves())
