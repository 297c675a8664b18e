"""Games played by clicking: from choosing a name to the end."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.acting import Hand, choose_a_name, open_a_table, play_by_hand, take_a_seat
from tests.e2e.clients import Client
from tests.e2e.people import BROKEN_LINE, PHONE, Person
from tests.e2e.watching import badge, is_gapless, reaches, shows, watch


# A game of four turns that somebody wins, and one of ten that nobody wins. By day the first turn is
# begun; test_beginner.py plays one by clicking, and test_ultimate.py a whole game.
@pytest.mark.parametrize(
    ("number", "whole"),
    [
        pytest.param(1, False, id="begun"),
        pytest.param(1, True, id="won", marks=pytest.mark.nightly),
        pytest.param(3, True, id="lost", marks=pytest.mark.nightly),
    ],
)
def test_two_people_play_a_game_and_a_third_one_watches(
    person: Callable[..., Person], client: Callable[..., Client], number: int, *, whole: bool
) -> None:
    pin = f"two people, {number}"
    ada, bob, eve = person("Ada", pin=pin), person("Bob", PHONE, pin=pin), person("Eve")
    ada.opens("/")
    choose_a_name(ada)
    game = open_a_table(ada, "competition", 2)
    bob.opens("/")
    choose_a_name(bob)
    take_a_seat(bob, game)
    watch(eve, game)
    hands = [Hand(one, client(one.name, token=one.token)) for one in (ada, bob)]
    choice = random.Random(3)
    if whole:
        play_by_hand(game, hands, choice)
    else:  # each says where to look and what to do, and one gives up
        for hand in (*hands, *hands):
            assert hand.makes_one_move(game, choice)
        hands[1].client.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    last = hands[0].client.version(game)
    for one in (ada, bob, eve):
        shows(one.page, last)
        is_gapless(one.page, last)
        badge(one.page, "verified")
        expect(one.page.locator(".result")).to_be_visible()


def test_somebody_plays_with_a_house_bot_and_comes_back_after_breaks(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada", pin="a house bot, 4")
    ada.allow(BROKEN_LINE)
    ada.opens("/")
    choose_a_name(ada)
    hand = Hand(ada, client(ada.name, token=ada.token))
    # One source of choices for all: when a turn ends for us depends on how soon the bot is.
    choice = random.Random(5)
    game = open_a_table(ada, "cooperation", 2, bots=1)
    _answers(hand, game, choice)
    ada.page.reload()
    _answers(hand, game, choice)
    ada.context.set_offline(True)
    ada.context.set_offline(False)
    play_by_hand(game, [hand], choice, turns=1)
    last = hand.client.version(game)
    reaches(ada.page, last)  # the house bot may have gone on
    is_gapless(ada.page, last)
    badge(ada.page, "verified")


def _answers(hand: Hand, game: str, choice: random.Random) -> None:
    """Answer what is asked first, as soon as anything is."""
    version = hand.client.version(game)
    while not hand.makes_one_move(game, choice):
        hand.client.waits(game, version)
        version = hand.client.version(game)
