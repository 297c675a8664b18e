"""Tables that show themselves late: who is told so, and when it is over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acting import unfold
from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.people import Person
from tests.e2e.watching import badge, is_gapless, move, root, shown, shows, watch

DAY_S = 24 * 3600


def begun(ada: Client, bob: Client, delay: Mapping[str, int] | None = None) -> str:
    """A game of two, in which both are asked for their clues."""
    game = ada.opens("competition", 2, delay=delay)
    for each in (ada, bob):
        each.sits(game)
    return game


def both_choose(ada: Client, bob: Client, game: str) -> int:
    """Both choose a clue; the newest version."""
    for each in (ada, bob):
        each.chooses(game, each.asked(game)[0]["options"][0]["id"])
    return ada.version(game)


# By day seconds, as there are many; the test of what follows the end reads turns.
@pytest.mark.parametrize(
    ("delay", "said"),
    [
        pytest.param({"turns": 2}, "2 turns", marks=pytest.mark.nightly),
        ({"seconds": DAY_S}, "+86,400 seconds"),
    ],
)
def test_a_spectator_is_told_how_late_it_is(
    person: Callable[..., Person],
    client: Callable[..., Client],
    delay: Mapping[str, int],
    said: str,
) -> None:
    ada, bob, eve = client("Ada"), client("Bob"), client("Eve")
    game = begun(ada, bob, delay)
    late, newest = eve.version(game), ada.version(game)
    assert late < newest
    page = watch(person("Eve"), game)
    expect(page.locator("[data-banner=delay]")).to_contain_text(said)
    shows(page, late)
    at_the_table = person("Ada")
    at_the_table.signs_in(ada)
    own = watch(at_the_table, game)
    shows(own, newest)
    expect(root(own)).to_have_attribute("data-viewer", re.compile("seat"))
    expect(own.locator("[data-banner=delay]")).to_have_count(0)
    shows(own, both_choose(ada, bob, game))
    assert shown(page) == eve.version(game) == late
    badge(page, "verified")


def test_a_player_who_looks_as_the_public_is_late_as_well(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob, eve = client("Ada"), client("Bob"), client("Eve")
    game = begun(ada, bob, {"turns": 1})
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    shows(page, ada.version(game))
    move(page, "viewer").select_option("public")
    expect(page.locator("[data-banner=delay]")).to_contain_text("1 turn.")
    shows(page, eve.version(game))
    move(page, "viewer").select_option("seat:1")
    expect(page.locator("[data-banner=delay]")).to_have_count(0)
    shows(page, ada.version(game))


def test_it_comes_by_itself_when_its_time_has_come(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun(ada, bob, {"seconds": 1})
    page = watch(person("Eve"), game)
    expect(page.locator("[data-banner=delay]")).to_contain_text("+1 second.")
    newest = both_choose(ada, bob, game)
    shows(page, newest)
    is_gapless(page, newest)
    expect(page.locator("[data-banner=delay]")).to_be_visible()


def test_after_the_end_nothing_is_late(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begun(ada, bob, {"turns": 2})
    page = watch(person("Eve"), game)
    expect(page.locator("[data-banner=delay]")).to_contain_text("2 turns")
    late, newest = shown(page), both_choose(ada, bob, game)
    assert late < newest
    bob.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    last = ada.version(game)
    shows(page, last)
    is_gapless(page, last)
    badge(page, "verified")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator("[data-banner=delay]")).to_have_count(0)


# By day turns; the first test here reads what is said of seconds.
@pytest.mark.parametrize(
    ("kind", "field", "said"),
    [
        ("turns", "Turns behind", "3 turns"),
        pytest.param("seconds", "Seconds behind", "+3 seconds", marks=pytest.mark.nightly),
    ],
)
def test_a_table_is_opened_with_a_delay(
    person: Callable[..., Person],
    client: Callable[..., Client],
    kind: str,
    field: str,
    said: str,
) -> None:
    ada = person("Ada")
    ada.signs_in(client("Ada"))
    page = ada.opens("/?page=new")
    unfold(page, "new-public")
    page.locator(f"label[for=delay-{kind}]").click()
    expect(page.locator(f"#delay-{kind}")).to_be_checked()
    assert violations(page, "#new-public") == []
    page.get_by_label(field).fill("3")
    page.locator(".new-table [type=submit]").click()
    expect(root(page)).to_have_attribute("data-version", re.compile(r"^\d+$"))
    game = page.url.rpartition("/")[2]
    late = watch(person("Eve"), game)
    expect(late.locator("[data-banner=delay]")).to_contain_text(said)
    _is_said_in_the_lobby(late, game, said.lstrip("+"))


def _is_said_in_the_lobby(page: Page, game: str, said: str) -> None:
    """The row of a table says how far its spectators are behind."""
    page.locator("#top .brand").click()
    expect(page.locator(f"[data-game='{game}']")).to_contain_text(f"Spectators {said} behind")
