"""A beginner's path: from an empty browser to a rematch, with nothing typed but a name."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.acting import Hand, card_of, play_by_hand
from tests.e2e.clients import Client, Json, Mover, play_on
from tests.e2e.people import DESKTOP, Look, Person
from tests.e2e.pins import pin_page
from tests.e2e.watching import move, root, shows

PHONE: Final = Look(width=390, height=844, touch=True, language="fr-FR", worker=True)


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
    pin_page(page, person.pin)
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


def is_waited_for(page: Page, own: Client, game: str, seat: int = 1) -> None:
    """Wait until the game waits for this seat alone: what the page shows then stays as it is.

    Before that the others play on, and whatever is to be read may be over when it is pressed.
    """
    found = own.get(f"/games/{game}")
    while {each["seat"] for each in found["asked"]} != {seat}:
        assert found["state"]["phase"] != "finished"
        own.waits(game, found["version"])
        found = own.get(f"/games/{game}")
    shows(page, found["version"])
    expect(card_of(page, own.asked(game)[0])).to_be_visible()


def plays_elsewhere(
    person: Person, game: str, own: Client, mover: Mover, choice: random.Random
) -> None:
    """Play what is left of a game while nobody looks at it, and come back to its end."""
    page = person.goes_to("/?page=account")
    play_on(game, own, [mover], choice)
    page.go_back()


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


# By day a town is begun on a phone, and the help in Polish is proved in test_room25_help.py.
@pytest.mark.parametrize(
    ("look", "number"),
    [
        pytest.param(DESKTOP, 19, id="desktop"),
        pytest.param(PHONE, 16, id="phone", marks=pytest.mark.nightly),
        pytest.param(Look(language="pl-PL"), 3, id="polish", marks=pytest.mark.nightly),
    ],
)
def test_a_beginner_of_room_25(
    person: Callable[..., Person], client: Callable[..., Client], look: Look, number: int
) -> None:
    ada = person("Ada", look, pin=f"a beginner, {number}")
    game = plays_now(ada, "room25")
    page, own = ada.page, client("Ada", token=ada.token)
    is_waited_for(page, own, game)
    page.locator(".b-role-seal").click()
    expect(page.locator(".b-role-name")).to_be_visible()
    page.locator(".b-role-shut").click()
    page.locator(".b-terms summary").press("Enter")
    explained = opens_each_help(page, ".b-terms")
    code = look.language.partition("-")[0]
    book = own.get("/rulebooks/first_edition", game="room25", lang=code)
    named = [each["name"] for kind in ("actions", "rooms", "roles") for each in book[kind]]
    assert set(named) <= explained
    play_by_hand(game, [Hand(ada, own)], random.Random(3))
    is_told_and_plays_again(page, game)
    expect(page.locator(".b-role-seal")).to_be_visible()


class Beginner:
    """Somebody who passes whole rounds, goes where a zombie can, and else takes what is usual.

    All by clicking, in the list: the options are trees. ``went`` is how often a zombie was sent.
    """

    def __init__(self, page: Page, client: Client) -> None:
        self.page = page
        self.client = client
        self.went = 0

    def moves(self, game: str, choice: random.Random) -> int:
        """Answer what the game waits for; how many decisions there were."""
        answered = 0
        while found := self.client.asked(game):
            self._answers(game, found[0], choice)
            answered += 1
        return answered

    def _answers(self, game: str, decision: Json, choice: random.Random) -> None:
        card = card_of(self.page, decision)
        expect(card).to_be_visible()
        whole_round = card.locator("[data-shortcut=round]")
        if whole_round.count():
            whole_round.click()
        else:
            path = self._way(game, decision, choice).split(".")
            for length in range(1, len(path) + 1):
                card.locator(f"[data-option='{'.'.join(path[:length])}']").click()
        expect(card).to_have_count(0)

    def _way(self, game: str, decision: Json, choice: random.Random) -> str:
        """The option that is taken."""
        zombies = [each for each in decision["options"] if each["id"].startswith("z")]
        if decision["kind"] != "go" or not zombies:
            return str(decision["default"])
        self.went += 1
        option = choice.choice(zombies)
        while option.get("branch"):
            below = f"/games/{game}/decisions/{decision['id']}/options/{option['id']}"
            option = choice.choice(self.client.get(below)["options"])
        return str(option["id"])


class Default:
    """Somebody who takes what is usual, without a browser."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def moves(self, game: str, choice: random.Random) -> int:  # noqa: ARG002 (see ``Mover``)
        """Answer what the game waits for; how many decisions there were."""
        answered = 0
        while found := self.client.asked(game):
            self.client.chooses(game, found[0]["default"])
            answered += 1
        return answered


# A game takes up to nine rounds. By day the first is played by clicking, and of others what comes
# up is clicked in test_cerveauuu.py, test_town_cards.py and test_town_answers.py.
@pytest.mark.parametrize(
    ("look", "whole"),
    [
        pytest.param(PHONE, False, id="begun-on-a-phone"),
        pytest.param(PHONE, True, id="phone", marks=pytest.mark.nightly),
        pytest.param(DESKTOP, True, id="desktop", marks=pytest.mark.nightly),
    ],
)
def test_a_beginner_of_cerveauuu(
    person: Callable[..., Person], client: Callable[..., Client], look: Look, *, whole: bool
) -> None:
    ada = person("Ada", look, pin=f"a beginner of a town, {10 if look is PHONE else 2}, {whole}")
    game = plays_now(ada, "cerveauuu")
    page, own = ada.page, client("Ada", token=ada.token)
    beginner, choice = Beginner(page, own), random.Random(4)
    while not beginner.went:  # cards are dealt after the set-up
        version = own.version(game)
        if not beginner.moves(game, choice):
            own.waits(game, version)
    expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
    is_waited_for(page, own, game)
    assert opens_each_help(page, ".side")
    if whole:
        play_on(game, own, [beginner], choice)
    else:
        plays_elsewhere(ada, game, own, Default(own), choice)
    is_told_and_plays_again(page, game)
