"""Missed turns on the page, the way back from them, and seats that lead nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.acting import choose_a_name, unfold
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import HOUR_S, Client
from tests.e2e.people import Look, Person
from tests.e2e.test_connection import CALM
from tests.e2e.watching import move, root, speaks, watch

WORDS: Final = {
    "en": ("I am here", "missed 1 turn", "You have missed 1 turn", "turns missed in a row: 1"),
    "fr": ("je suis là", "1 tour manqué", "Vous avez manqué 1 tour", "tours manqués d’affilée : 1"),
    "pl": (
        "jestem tutaj",
        "1 opuszczona runda",
        "Opuszczona runda: 1",
        "rundy opuszczone z rzędu: 1",
    ),
}


ASKED_WHERE_TO_LOOK: Final[dict[str, Any]] = {
    **CALM,
    "characters": {
        "emmett": {"seat": 1, "cell": "r1c1", "program": ["look", "push"]},
        "franck": {"seat": 2, "cell": "r3c3", "program": ["push", "look"]},
    },
    "only_named": True,
    "tiles": {cell: {"kind": "empty", "face": "down"} for cell in ("r0c1", "r1c2")},
    "phase": "round_1",
}
"""Seat 1 is asked where to look. Seat 2 is asked for nothing in this turn: it has nobody to push,
and around it all lies open."""


def begins(players: list[Client], scenario: dict[str, Any], **time: object) -> str:
    """A game that begins with a position."""
    game = players[0].opens("cooperation", len(players), scenario=scenario, time=time)
    for number, player in enumerate(players, 1):
        player.sits(game, seat=number)
    return game


def misses_a_turn(players: list[Client]) -> str:
    """A game whose players have a second for their programmes, and then as long as they like."""
    limits = {"programming": 1, "decision": HOUR_S}
    return begins(players, CALM, limits_s=limits, absent_after=2)


WIDTH: Final = "(it) => it.offsetWidth / it.closest('section').offsetWidth"
"""The share of its card that a button has."""


def test_whoever_has_missed_a_turn_says_to_be_here(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = misses_a_turn([ada, bob])
    one = person("Ada", Look(language="pl"))
    one.signs_in(ada)
    page = watch(one, game)
    card = page.locator("section[data-kind=return]")
    expect(card).to_be_visible()
    assert card.locator("button").evaluate(WIDTH) > 0.9
    page.reload()
    expect(card).to_be_visible()
    assert ada.state(game)["seats"]["1"]["strikes"] == 1, "reading brings nobody back"
    mine = page.locator(".b-person[data-seat='1']")
    for language in ("pl", "en", "fr"):
        speaks(page, language)
        button, tag, about, logged = WORDS[language]
        expect(card, language).to_contain_text(about)
        expect(mine, language).to_contain_text(tag)
        told = page.locator("[data-type=seat-timed-out]").first
        expect(told, language).to_contain_text(logged)
        expect(card.get_by_role("button", name=button), language).to_be_visible()
    button, tag, *_ = WORDS["fr"]
    card.get_by_role("button", name=button).click()
    expect(card).to_have_count(0)
    expect(mine).not_to_contain_text(tag)
    assert ada.state(game)["seats"]["1"]["strikes"] == 0
    assert ada.state(game)["seats"]["2"]["strikes"] == 1


# By day on a phone: the button is the same at a desktop.
@pytest.mark.parametrize("look", LOOKS)
def test_the_absent_come_back_by_one_button(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    ada, bob = client("Ada"), client("Bob")
    limits = {"programming": HOUR_S, "decision": 1}
    game = begins([ada, bob], ASKED_WHERE_TO_LOOK, limits_s=limits, absent_after=1)
    one = person("Ada", look)
    one.signs_in(ada)
    page = watch(one, game)
    card = page.locator("section[data-kind=return]")
    expect(card).to_contain_text("You count as absent")
    expect(page.locator(".b-person[data-seat='1']")).to_contain_text("absent")
    expect(page.locator(".p-idle")).to_have_count(0)  # it is all that there is to do
    card.get_by_role("button", name="I am here").click()
    expect(card).to_have_count(0)
    expect(page.locator(".b-person[data-seat='1']")).not_to_contain_text("absent")
    seats = ada.state(game)["seats"]
    assert not seats["1"]["absent"]
    assert seats["2"]["strikes"] == 0


def test_the_form_of_a_table_counts_turns(person: Callable[..., Person]) -> None:
    one = person("Ada")
    one.opens("/")
    choose_a_name(one)
    page = one.page
    page.locator("#top a[href='/?page=new']").click()
    unfold(page, "new-time")
    page.locator("label[for=pace-own]").click()
    expect(page.locator("label[for=absent_after]")).to_have_text(
        "Absent after so many missed turns in a row"
    )


def test_a_seat_may_lead_nobody(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    alone: dict[str, Any] = {"characters": {"emmett": {"seat": 2}}, "only_named": True, "turn": 2}
    game = ada.opens("cooperation", 2, scenario=alone)
    ada.sits(game, seat=1)
    bob.sits(game, seat=2)
    one = person("Ada")
    one.signs_in(ada)
    page = watch(one, game)
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(move(page, "viewer").locator("option:checked")).to_contain_text("Ada")
    expect(page.locator("[data-type=seat-taken]").first).to_contain_text("without a character")
    expect(page.locator(".b-person[data-seat='1'] .b-character")).to_have_count(0)
