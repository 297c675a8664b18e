"""From an empty browser to a table with bots: a name, and one click."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import DESKTOP, PHONE, SESSION, Look, Person
from tests.e2e.watching import root

CLEVER: Final = {"en-GB": "Clever bot 2", "fr": "Bot malin 2", "pl": "Sprytny bot 2"}
"""What the first house bot is called, by the language that a browser wishes for."""


def sits_with_bots(page: Page, seats: int, language: str) -> None:
    """One's own table is there, it has begun, and all others are bots, with names to be read."""
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator(".b-person")).to_have_count(seats)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    expect(page.locator(".b-person-name").nth(1)).to_have_text(CLEVER[language])


def posts(person: Person, path: str) -> list[str]:
    """Where commands go from now on, as far as their addresses hold a path; it fills by itself."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.method == "POST" and path in request.url:
            sent.append(request.url)

    person.notes(note)
    return sent


# By day a town on a phone; test_beginner.py plays a complex at a desktop.
@pytest.mark.parametrize(
    ("played", "seats", "look"),
    [
        pytest.param("room25", 4, DESKTOP, id="room25-desktop", marks=pytest.mark.nightly),
        pytest.param("cerveauuu", 3, replace(PHONE, language="fr"), id="cerveauuu-phone"),
        pytest.param("room25", 4, PHONE, id="room25-phone", marks=pytest.mark.nightly),
        pytest.param("cerveauuu", 3, DESKTOP, id="cerveauuu-desktop", marks=pytest.mark.nightly),
    ],
)
def test_a_name_and_one_click_lead_to_a_table(
    person: Callable[..., Person],
    client: Callable[..., Client],
    played: str,
    seats: int,
    look: Look,
) -> None:
    ada = person("Ada", look)
    page = ada.opens("/")
    page.locator("#play-name").fill("Ada")
    page.locator(f"[data-play={played}]").click()
    sits_with_bots(page, seats, look.language)
    state = client("Ada", token=ada.token).state(page.url.rpartition("/")[2])
    assert (state["game"], state["phase"], state["visibility"]) == (played, "live", "unlisted")
    assert [place["bot"] for place in state["seats"].values()] == [None] + ["steady"] * (seats - 1)
    assert min(state["time"]["limits_s"].values()) >= 3600, "nobody is hurried"
    # Whoever is known needs one click only.
    page.goto("/")
    expect(page.locator(".chip .name", has_text=CLEVER[look.language]).first).to_be_visible()
    page.locator(f"[data-play={played}]").click()
    sits_with_bots(page, seats, look.language)


ROOM: Final = """() => {
    const wide = (node) => node.getBoundingClientRect().width;
    return [...document.querySelectorAll(".invitation")].map((card) =>
        [".row", "p:not(.slogan)"].map((part) => wide(card.querySelector(part)) / wide(card)));
}"""
"""How much of the card of each game its buttons and its text have."""
MOST_OF_IT: Final = 0.85


def test_without_a_name_nothing_is_sent(person: Callable[..., Person]) -> None:
    ada = person("Ada", PHONE)
    page = ada.opens("/")
    sent = posts(ada, "/v1/")
    for name in ("", "  "):
        page.locator("#play-name").fill(name)
        page.locator("[data-play=room25]").click()
        expect(page.locator("#play-name:invalid")).to_be_focused()
    assert min(min(shares) for shares in page.evaluate(ROOM)) > MOST_OF_IT
    assert lasting(page, lambda: flaws(page)) == []
    assert violations(page, ".hero") == []
    assert sent == []


def test_a_refusal_is_explained_and_the_next_click_makes_no_second_player(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada", replace(DESKTOP, language="pl"))
    ada.allow("409")
    page = ada.opens("/")
    players = posts(ada, "/v1/players")
    refusal = '{"type": "/problems/too-many-tables", "title": "-", "status": 409, "detail": "no"}'

    def refuse(route: Route) -> None:
        media = "application/problem+json"
        route.fulfill(status=409, content_type=media, body=refusal)

    page.route(re.compile(r"/v1/games$"), refuse)
    page.locator("#play-name").fill("Ada")
    page.locator("[data-play=room25]").click()
    expect(page.locator(".hero [data-problem=too-many-tables]")).to_be_visible()
    page.unroute(re.compile(r"/v1/games$"))
    page.locator("[data-play=room25]").click()
    sits_with_bots(page, 4, "pl")
    assert len(players) == 1


def test_a_name_is_typed_once(person: Callable[..., Person]) -> None:
    ada = person("Ada")
    page = ada.opens("/")
    page.locator("#play-name").fill("Ada Lovelace")
    page.locator(".hero > .row > [href='/?page=new']").click()
    page.locator(".new-table .button.primary").click()
    name = page.locator("#field-name")
    expect(name).to_have_value("Ada Lovelace")
    name.press("Enter")
    expect(page.locator("h1")).to_contain_text("Ada Lovelace")
    page.evaluate(f"async () => {SESSION}.forget()")
    # Whoever comes after her is not called as she is.
    expect(name).to_have_value("")
