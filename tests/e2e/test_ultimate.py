"""The Ultimate edition on the page: its long programmes, and whole games played by clicking."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acting import Hand, card_of, choose_a_name, open_a_table, play_by_hand
from tests.e2e.clients import Client, Json
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_accessibility import reach
from tests.e2e.watching import badge, is_gapless, shows, watch

LAPTOP: Final = Look(width=1366, height=650)
TABLET: Final = Look(width=820, height=1100, touch=True)

FOCUSED: Final = "label:focus-within"

IN_SIGHT: Final = """(selector) => {
    const node = document.querySelector(selector);
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [left + 6, right - 6].every((x) => [top + 6, bottom - 6].every((y) =>
        node.contains(document.elementFromPoint(x, y))));
}"""
"""Whether all of an element is on the screen, and nothing before it."""


def programming(ada: Client) -> tuple[str, Json]:
    """A game in which a player of two characters has to programme, and its first such decision.

    A card may end a game before that; then there is another.
    """
    choice = random.Random(9)
    while True:
        game = ada.opens("cooperation", 2, "ultimate")
        ada.sits(game)
        ada.seats_bot(game)
        while ada.state(game)["phase"] != "finished":
            version = ada.version(game)
            asked = ada.asked(game)
            if asked and asked[0]["kind"] == "program":
                return game, asked[0]
            if asked:
                ada.chooses(game, choice.choice(asked[0]["options"])["id"])
            else:
                ada.waits(game, version)


@pytest.fixture
def asked(client: Callable[..., Client]) -> tuple[Client, str, Json]:
    """A player, the game, and the programme that is asked for."""
    ada = client("Ada")
    return ada, *programming(ada)


def opened(one: Person, asked: tuple[Client, str, Json]) -> Page:
    """The page of the game, when it asks for the programme."""
    ada, game, decision = asked
    one.signs_in(ada)
    page = watch(one, game)
    badge(page, "verified")
    expect(card_of(page, decision)).to_be_visible()
    return page


# By day the lower of the screens.
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.nightly),
        pytest.param(Look(scheme="dark"), id="dark", marks=pytest.mark.nightly),
        pytest.param(LAPTOP, id="laptop"),
    ],
)
def test_the_button_that_hands_a_programme_in_is_in_sight_as_soon_as_it_can_be_pressed(
    person: Callable[..., Person], asked: tuple[Client, str, Json], look: Look
) -> None:
    page = opened(person("Ada", look), asked)
    card = f"[data-decision='{asked[2]['id']}']"
    send = f"{card} .p-send"
    expect(page.locator(send)).to_be_disabled()
    page.locator(f"{card} .p-card").first.click()
    expect(page.locator(send)).to_be_enabled()
    page.wait_for_function(IN_SIGHT, arg=send)
    expect(page.locator(send)).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    assert page.locator(".watch-scroll").evaluate("column => column.scrollTop") == 0


def test_on_a_phone_it_is_in_sight_wherever_the_form_is(
    person: Callable[..., Person], asked: tuple[Client, str, Json]
) -> None:
    page = opened(person("Ada", PHONE), asked)
    card = f"[data-decision='{asked[2]['id']}']"
    page.locator(f"{card} .p-listed summary").click()
    for slot in (1, 2):  # while there is nothing to hand in, the cards need the room more
        page.locator(f"{card} [data-slot='{slot}'] input").nth(slot).check()
    expect(page.locator(f"{card} .p-send")).to_be_enabled()
    for slot in (1, 2):
        page.locator(f"{card} fieldset:has([data-slot='{slot}'])").evaluate(
            "slot => slot.scrollIntoView({ block: 'end' })"
        )
        page.wait_for_function(IN_SIGHT, arg=f"{card} .p-send")


# By day the narrowest screen; all others have more room.
@pytest.mark.parametrize(
    "look",
    [
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.nightly),
        pytest.param(LAPTOP, id="laptop", marks=pytest.mark.nightly),
        pytest.param(TABLET, id="tablet", marks=pytest.mark.nightly),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_nothing_lies_over_what_has_the_focus(
    person: Callable[..., Person], asked: tuple[Client, str, Json], look: Look
) -> None:
    decision = asked[2]
    page = opened(person("Ada", look), asked)
    tokens = {token for option in decision["options"] for token in option["meaning"]["tokens"]}
    card = f"[data-decision='{decision['id']}']"
    for token in sorted(tokens):
        page.locator(f"{card} .p-card[data-card={token}]").focus()
        page.wait_for_function(IN_SIGHT, arg=".p-card:focus")
    page.locator(f"{card} .p-listed summary").press("Enter")
    for slot in (1, 2):
        reach(page, f"{card} [data-slot='{slot}'] input")
        for _ in tokens:
            page.wait_for_function(IN_SIGHT, arg=FOCUSED)
            page.keyboard.press("ArrowDown")


BOTS: Final = {"suspicion": 12, "cooperation": 2}
"""Games in which a person is not dead at once, and has much to choose."""


# By day the next test plays a whole game of this rulebook, test_play.py one with a house bot.
@pytest.mark.nightly
@pytest.mark.parametrize(("mode", "seats"), [("suspicion", 4), ("cooperation", 2)])
def test_one_person_plays_a_whole_game_among_house_bots(
    person: Callable[..., Person], client: Callable[..., Client], mode: str, seats: int
) -> None:
    ada = person("Ada", pin=f"among bots, {BOTS[mode]}")
    ada.opens("/")
    choose_a_name(ada)
    game = open_a_table(ada, mode, seats, rulebook="room25-ultimate", bots=seats - 1)
    _plays_to_the_end(Hand(ada, client(ada.name, token=ada.token)), game)


def test_one_person_plays_all_four_with_madness_on_a_phone(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, one = client("Ada", pin="all four, 3"), person("Ada", PHONE)
    game = ada.opens("solo", 1, "ultimate", options={"madness": True})
    ada.sits(game)
    one.signs_in(ada)
    watch(one, game)
    _plays_to_the_end(Hand(one, ada), game)


def _plays_to_the_end(hand: Hand, game: str) -> None:
    """Play by clicking; then all of the game is there, and it adds up."""
    play_by_hand(game, [hand], random.Random(4))
    page, last = hand.person.page, hand.client.version(game)
    shows(page, last)
    is_gapless(page, last)
    badge(page, "verified")
    expect(page.locator(".result")).to_be_visible()
