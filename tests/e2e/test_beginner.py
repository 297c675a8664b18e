"""A beginner's path: from an empty browser to a rematch, with nothing typed but a name."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.acting import Hand, play_by_hand
from tests.e2e.clients import Client, play_on
from tests.e2e.people import Look, Person
from tests.e2e.watching import move, root

LANGUAGES = {"en-GB": "Play now", "fr-FR": "Jouer tout de suite", "pl-PL": "Zagraj teraz"}


def hurries_bots(page: Page) -> None:
    """Let the bots of tables that are opened here answer at once: nobody looks at what they do."""

    def hurried(route: Route) -> None:
        wish = json.loads(route.request.post_data or "{}")
        wish["time"]["bot_pace_ms"] = 0
        route.continue_(post_data=json.dumps(wish))

    page.route(re.compile(r"/v1/games$"), hurried)


def plays_now(person: Person, played: str) -> str:
    """Type a name, and click once; the game's id."""
    page = person.opens("/")
    hurries_bots(page)
    page.locator("#play-name").fill(person.name)
    page.locator(f"[data-play={played}]").click()
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator("section[data-decision]").first).to_be_visible()
    return page.url.rpartition("/")[2]


def opens_each_help(page: Page, within: str) -> set[str]:
    """Press every word there that explains itself; the words."""
    found = set()
    for key in page.locator(f"{within} .term").evaluate_all("all => all.map(({ id }) => id)"):
        word = page.locator(f"#{key}")
        found.add(word.inner_text())
        word.click()
        explained = page.locator("dialog[open] .dialog-body")
        expect(explained).to_have_text(re.compile(r"\S{2,}"))
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(word).to_be_focused()
    return found


def is_told_and_plays_again(page: Page, game: str) -> None:
    """At the end one reads who has won and why, and one click is a new game."""
    expect(page.locator(".result-own")).to_be_visible()
    expect(page.locator(".result h2")).not_to_be_empty()
    expect(page.locator(".result-why")).to_have_text(re.compile(r"^\S.+\. \S.+\.$"))
    expect(page.locator(".result tbody tr").first).to_be_visible()
    move(page, "rematch").click()
    expect(page).not_to_have_url(re.compile(game))
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator("section[data-decision]").first).to_be_visible()


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_beginner_of_room_25(
    person: Callable[..., Person], client: Callable[..., Client], language: str
) -> None:
    ada = person("Ada", Look(language=language))
    game = plays_now(ada, "room25")
    page = ada.page
    page.locator(".b-role-seal").click()
    expect(page.locator(".b-role-name")).to_be_visible()
    page.locator(".b-role-shut").click()
    own = client("Ada", token=ada.token)
    page.locator(".b-terms summary").click()
    explained = opens_each_help(page, ".b-terms")
    code = language.partition("-")[0]
    book = own.get("/rulebooks/first_edition", game="room25", lang=code)
    named = [each["name"] for kind in ("actions", "rooms", "roles") for each in book[kind]]
    assert set(named) <= explained
    play_by_hand(game, [Hand(ada, own)], random.Random(3), turns=1)
    play_on(game, own, [own], random.Random(4))
    is_told_and_plays_again(page, game)
    expect(page.locator(".b-role-seal")).to_be_visible()


class Default:
    """Somebody who takes what is usual, wherever the options are trees."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def moves(self, game: str, choice: random.Random) -> int:  # noqa: ARG002 (see ``Mover``)
        """Answer what the game waits for; how many decisions there were."""
        answered = 0
        while found := self.client.asked(game):
            self.client.chooses(game, found[0]["default"])
            answered += 1
        return answered


def test_a_beginner_of_cerveauuu(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    game = plays_now(ada, "cerveauuu")
    own = client("Ada", token=ada.token)
    default = Default(own)
    while not own.state(game, "seat:1")["play"]["hands"].get(
        "1"
    ):  # cards are dealt after the set-up
        version = own.version(game)
        if not default.moves(game, random.Random(4)):
            own.ask(f"/games/{game}/events", after=version, wait=20)
    expect(ada.page.locator(".cv-hand .cv-card").first).to_be_visible()
    assert opens_each_help(ada.page, ".side")
    play_on(game, own, [default], random.Random(4))
    is_told_and_plays_again(ada.page, game)
