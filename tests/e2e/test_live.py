"""A running game on the page: following it, falling behind, coming back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.by_day import WHOLE
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import Look, Person
from tests.e2e.planting import plant_all
from tests.e2e.test_connection import Table
from tests.e2e.test_delay import begun
from tests.e2e.watching import move, shown, shows, speaks, watch


@pytest.fixture
def table(client: Callable[..., Client]) -> Table:
    """A live game."""
    return Table(client("Ada"), client("Bob"))


def test_it_follows_until_somebody_steps_back(person: Callable[..., Person], table: Table) -> None:
    page = watch(person("Eve"), table.game)
    shows(page, table.moves())
    live = move(page, "live")
    expect(live).to_have_attribute("aria-pressed", "true")
    move(page, "back").click()
    expect(live).to_have_attribute("aria-pressed", "false")
    past = shown(page)
    newest = table.moves()
    expect(live).to_contain_text(str(newest - past))
    shows(page, past)
    expect(page.locator("[data-banner=past]")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"at={past}\b"))
    live.click()
    shows(page, newest)
    expect(page).not_to_have_url(re.compile("at="))
    shows(page, table.moves())
    expect(page.locator("[data-banner=past]")).to_have_count(0)


def test_a_spectator_reads_whom_the_game_waits_for(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun(ada, bob)
    page = watch(person("Eve"), game)
    who = page.locator(".now-who")
    expect(who).to_have_text("Waiting for Ada and Bob.", use_inner_text=True)
    ada.chooses(game, ada.asked(game)[0]["options"][0]["id"])
    expect(who).to_have_text("Waiting for Bob.", use_inner_text=True)
    move(page, "back").click()
    expect(page.locator("[data-banner=past]")).to_be_visible()
    expect(who).to_have_text("Running", use_inner_text=True)
    move(page, "live").click()
    expect(who).to_have_text("Waiting for Bob.", use_inner_text=True)


HOVERED: Final = {"watch/page.js": {"onpointermove: point": "onpointerover: point"}}
"""The bar opens for a mouse that it has come to lie below."""


# By day the mouse is known to hover there; that this alone would open the bar is shown by night.
@pytest.mark.parametrize("faulty", WHOLE)
def test_the_bar_opens_for_whoever_points_at_it_and_not_for_a_mouse_that_lies_there(
    person: Callable[..., Person], client: Callable[..., Client], *, faulty: bool
) -> None:
    game = begun(client("Ada"), client("Bob"))
    eve = person("Eve")
    plant_all(eve.page, HOVERED if faulty else {})
    page = watch(eve, game)
    line = page.locator(".bar-line")
    expect(line).to_have_css("height", "0px")
    page.locator(".watch-bar").hover()
    expect(line).not_to_have_css("height", "0px")
    speaks(page, "fr")  # all is drawn anew below the mouse
    expect(page.locator(".watch-bar:hover")).to_have_count(1)
    if faulty:
        expect(line).not_to_have_css("height", "0px")
        return
    expect(line).to_have_css("height", "0px")
    page.locator(".watch-bar").hover()
    expect(line).not_to_have_css("height", "0px")
    page.locator("h1").hover()
    expect(line).to_have_css("height", "0px")


def test_on_a_phone_it_is_said_for_how_many_and_the_clock_is_whole(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = (client(f"Wilhelmina Katarzyna {number}") for number in (1, 2))
    game = begun(ada, bob)
    page = watch(person("Eve", Look(width=390, height=844, touch=True, language="pl-PL")), game)
    who = page.locator(".now-who")
    expect(who).to_have_text("Gra czeka na 2 graczy.", use_inner_text=True)
    expect(who).to_have_attribute("title", re.compile("Wilhelmina Katarzyna 1 i .+ 2"))
    assert lasting(page, lambda: flaws(page)) == []


def test_the_views_of_others_are_closed(person: Callable[..., Person], table: Table) -> None:
    eve = person("Eve")
    eve.allow("403")
    page = watch(eve, table.game, "?as=seat:1")
    expect(page.locator("[data-banner=notice]")).to_be_visible()
    expect(page.locator("article.watch")).to_have_attribute("data-viewer", "public")
    expect(move(page, "viewer").locator("option")).to_have_count(1)


def test_a_player_sees_through_the_own_seat(person: Callable[..., Person], table: Table) -> None:
    ada = person("Ada")
    ada.signs_in(table.players[0])
    page = watch(ada, table.game)
    expect(page.locator("article.watch")).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator("[data-banner=seat]")).to_have_count(0)
    choices = move(page, "viewer").locator("option")
    expect(choices).to_have_count(2)
    for at, viewer in enumerate(("public", "seat:1")):
        expect(choices.nth(at)).to_have_attribute("value", viewer)
