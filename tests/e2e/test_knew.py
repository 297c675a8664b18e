"""Who knew what, over the board: what each seat's own view had, within what the reader may know."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json, begun
from tests.e2e.conftest import Finished
from tests.e2e.layout import flaws, lasting, misnamed
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.town import CHASE, staged
from tests.e2e.watching import move, reaches, replay, root, shows, speaks, watch

KNOWN: Final = """() => Object.fromEntries([...document.querySelectorAll(".knew li")].map((item) =>
    [item.firstChild.textContent, item.closest("details").dataset.by]))"""
"""What the panel lists, by whom it was known."""


def asks(page: Page, seat: int) -> Locator:
    """Ask what a seat knew; the panel that says it."""
    move(page, "knew").click()
    page.locator(f"dialog[data-dialog=knew] [data-knew='{seat}']").click()
    panel = page.locator(".knew")
    expect(panel).to_be_visible()
    return panel


def cell_name(cell: str) -> str:
    """What the page calls a room's place: r1c2 is C2."""
    return f"{'ABCDE'[int(cell[3])]}{int(cell[1]) + 1}"


def known_to(client: Client, game: str, seat: int, at: int) -> dict[str, bool]:
    """Of each place whether a seat's own view then knew what lay there."""
    state = client.get(f"/games/{game}/state", as_=f"seat:{seat}", at=at)["state"]
    grid: Json = state["play"]["grid"]
    return {cell_name(cell): tile.get("kind") is not None for cell, tile in grid.items()}


def listed(page: Page) -> dict[str, str]:
    """What the panel says of each place."""
    told: dict[str, str] = page.evaluate(KNOWN)
    return {what.partition(",")[0].partition(";")[0]: by for what, by in told.items()}


def test_a_seat_knew_what_its_own_view_had(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    page = replay(person("Eve"), finished.game, "?as=full&at=50")
    asks(page, 1)
    reader = client("Eve")
    seen = set()
    for at in (50, finished.turns[3], finished.last - 1):
        move(page, "scrubber").fill(str(at))
        shows(page, at)
        for seat in (1, 2, 3, 4):
            page.locator("#knew-seat").select_option(str(seat))
            own = known_to(reader, finished.game, seat, at)
            told = listed(page)
            assert {place: by != "nobody" for place, by in told.items()} == own
            seen |= set(told.values())
            places = page.locator(".knew-place").evaluate_all("all => all.map((e) => e.dataset.by)")
            assert sorted(places) == sorted(told.values())
    assert seen == {"all", "seat", "nobody"}


def room_names(client: Client) -> dict[str, str]:
    """What the rooms of the first edition are called, by their ids."""
    book = client.get("/rulebooks/first_edition", game="room25", lang="en")
    return {room["id"]: room["name"] for room in book["rooms"]}


def leaks(panel: Locator, names: Collection[str]) -> set[str]:
    """The rooms that a panel names in what is not open to everybody."""
    said = panel.locator("details:not([data-by=all]) li").all_text_contents()
    return {name for name in names for text in said if f", {name}" in text.partition(" since ")[0]}


def test_during_a_game_no_more_is_told_than_everybody_may_know(
    person: Callable[..., Person], client: Callable[..., Client], finished: Finished
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun([ada, bob])
    for each in (ada, bob):
        each.chooses(game, "r1c2")
    names = room_names(ada).values()
    eve = person("Eve")
    page = watch(eve, game)
    reaches(page, ada.version(game))
    panel = asks(page, 1)
    expect(panel).to_contain_text("What Ada knew")
    by = listed(page)
    assert list(by.values()).count("seat") + list(by.values()).count("all") > 1
    assert leaks(panel, names) == set()
    expect(page.locator("dialog")).to_have_count(0)
    # The planted leak: once the game is over the full view names all of it, which is found.
    after = replay(eve, finished.game, "?as=full&at=50")
    assert leaks(asks(after, 2), names) != set()


def test_whoever_plays_is_told_of_others_what_their_own_view_has(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("suspicion", 4)
    others = [bob, client("Cleo"), client("Dan")]
    for each in (ada, *others):
        each.sits(game)
    for each, cell in ((ada, "r2c1"), *((other, "r1c2") for other in others)):
        each.chooses(game, cell)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    move(page, "knew").click()
    # Only her own eyes are offered; over the board, everybody.
    expect(page.locator("dialog [data-viewer]")).to_have_count(1)
    page.locator("dialog [data-knew='2']").click()
    expect(page.locator(".knew")).to_be_visible()
    assert listed(page)["C2"] == "seat"
    names, grid = room_names(ada), ada.state(game, "seat:1")["play"]["grid"]
    own = {names[tile["kind"]] for tile in grid.values() if tile.get("kind")}
    assert leaks(page.locator(".knew"), {*names.values()} - own) == set()


def test_of_cards_a_seat_knew_its_own(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = staged(ada, bob, CHASE)
    page = watch(person("Eve"), game)
    panel = asks(page, 1)
    assert page.evaluate(KNOWN) == {
        "1 card of Ada": "seat",
        "1 card of Bob; known also to Bob": "nobody",
    }
    page.locator("#knew-seat").select_option("2")
    expect(panel).to_contain_text("What Bob knew")
    assert page.evaluate(KNOWN) == {
        "1 card of Bob": "seat",
        "1 card of Ada; known also to Ada": "nobody",
    }
    assert violations(page, ".knew") == []


# By day the longest words where there is least room; other tests here are at a desktop.
@pytest.mark.parametrize(
    ("look", "languages"),
    [
        pytest.param(PHONE, ("pl",), id="phone-pl"),
        pytest.param(DESKTOP, ("en", "fr", "pl"), id="desktop", marks=pytest.mark.nightly),
        pytest.param(PHONE, ("en", "fr"), id="phone-en-fr", marks=pytest.mark.nightly),
    ],
)
def test_the_panel_can_be_read_and_left(
    person: Callable[..., Person], finished: Finished, look: Look, languages: tuple[str, ...]
) -> None:
    page = replay(
        person("Eve", replace(look, language=languages[0])), finished.game, "?as=full&at=50"
    )
    for language in languages:
        speaks(page, language)
        move(page, "scrubber").fill("50")
        shows(page, 50)
        is_read_and_left(page)


def is_read_and_left(page: Page) -> None:
    """Ask at version 50 what somebody knew, go to where something came to be known, and leave.

    The page around the panel is judged by test_accessibility.py.
    """
    panel = asks(page, 2)
    summary = panel.locator("details summary").first
    summary.press("Enter")
    expect(panel.locator("details").first).to_have_attribute("open", "")
    assert violations(page, ".knew, .knew-place") == []
    assert lasting(page, lambda: flaws(page) + misnamed(page)) == []
    for each in panel.locator("details:not([open]) > summary").all()[::-1]:
        each.press("Enter")
    # What is known since just now leads nowhere; the room in the middle lay open before.
    panel.locator("[data-since]:not([data-since='50'])").first.press("Enter")
    expect(root(page)).not_to_have_attribute("data-version", "50")
    panel.locator("[data-move=knew-close]").press("Enter")
    expect(page.locator(".knew-place")).to_have_count(0)
    expect(panel).to_be_hidden()
