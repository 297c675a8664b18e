"""Why a card, a cell or a piece of the town cannot be chosen is said where one presses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect

from tests.e2e.acting import card_of
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.people import DESKTOP, PHONE, Look, Person
from tests.e2e.test_unavailable import says, told
from tests.e2e.town import CHASE, HOUSE, cell, staged, until
from tests.e2e.watching import speaks, watch

ARMED: Final = {**CHASE, "hands": {"1": ["c031", "c044"], "2": ["c043"]}}
"""Seat 1 has a rifle, and a bat that is only for fights."""

GO: Final = "You cannot choose this in your go: "

NOBODY: Final = {
    "fr": "Il n’y a pas de pion ici, et c’est un pion qui est demandé.",
    "pl": "Nie ma tu żadnego pionka, a pytanie dotyczy pionka.",
    "en": "No piece is standing here, and a piece is asked for.",
}

NO_HUMAN: Final = {
    "fr": "Impossible pendant votre passage\u00a0: le pion n’est pas un humain.",
    "pl": "W swojej kolejce nie możesz tego wybrać: pionek nie jest człowiekiem.",
    "en": f"{GO}the piece is not a human.",
}


WALLED: Final = {**HOUSE, "hands": {"1": ["c075", "c121", "c021", "c040"]}}
"""Seat 1 can shut the one door, break a wall, single out a player, and shoot if it drops cards."""


def in_a_go(
    person: Callable[..., Person], client: Callable[..., Client], look: Look, position: Json = ARMED
) -> tuple[Page, Client, str]:
    """A page before which somebody has a go; the client of the same player, and the game."""
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, position)
    one = person("Ada", look)
    one.signs_in(own)
    page = watch(one, game)
    expect(card_of(page, until(own, game, "go"))).to_be_visible()
    return page, own, game


def test_a_card_and_a_cell_say_why_they_cannot_be_chosen(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page, own, game = in_a_go(person, client, DESKTOP)
    go = until(own, game, "go")
    bat, rifle = (page.locator(f".cv-hand [data-card={card}] button") for card in ("c044", "c031"))
    bat.click()
    expect(told(page)).to_contain_text("Baseball bat")
    assert violations(page, "dialog[open]") == []
    says(page, f"{GO}the card is not for a moment like this.")
    bat.press("Enter")
    says(page, f"{GO}the card is not for a moment like this.")
    rifle.click()
    expect(told(page)).to_contain_text("Rifle")
    expect(told(page).locator(".place-why")).to_be_empty()
    page.keyboard.press("Escape")
    # What is said is of the level that is open: first of zombies, then of one's ways.
    cell(page, "r0c4").click()
    says(page, f"{GO}the zombie is not yours.")
    cell(page, "r3c0").press("Enter")
    says(page, NOBODY["en"])
    card_of(page, go).locator("[data-option=z01]").click()
    expect(card_of(page, go).locator("[data-option='z01.end']")).to_be_visible()
    cell(page, "r3c5").click()
    says(page, f"{GO}it is too many steps away.")
    cell(page, "r3c5").press("Enter")
    says(page, f"{GO}it is too many steps away.")
    cell(page, "r0c6").click()
    reasons = ("it is not adjacent.", "a piece is standing on the cell.")
    expect(told(page).locator(".place-why p")).to_have_text([f"{GO}{why}" for why in reasons])
    page.keyboard.press("Escape")
    cell(page, "r2c3").click()
    expect(card_of(page, go).locator(".p-trail b")).to_have_count(2)
    assert until(own, game, "go")["id"] == go["id"]


def test_a_piece_says_to_a_finger_why_a_card_cannot_be_played_on_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page, own, game = in_a_go(person, client, PHONE)
    card = card_of(page, until(own, game, "go"))
    for option in ("play", "play.k1"):
        card.locator(f"[data-option='{option}']").tap()
    expect(card.locator("[data-option='play.k1.h01']")).to_be_visible()
    for language, why in NO_HUMAN.items():
        speaks(page, language)
        cell(page, "r3c6").tap()
        says(page, why)
        cell(page, "r3c1").tap()
        says(page, NOBODY[language])
    page.locator(".cv-hand [data-card=c044] button").tap()
    expect(told(page).locator(".place-why")).to_be_empty()
    page.keyboard.press("Escape")
    cell(page, "r1c4").tap()
    expect(card.locator("[data-option='play.k1.h01.z02']")).to_be_visible()


def test_edges_players_and_the_card_itself_say_why_a_card_is_not_played_on_them(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page, own, game = in_a_go(person, client, DESKTOP, WALLED)
    go = until(own, game, "go")
    card = card_of(page, go)

    def goes(*options: str) -> None:
        for option in options:
            branch = card.locator(f"[data-option='{option}']")
            branch.click()
            expect(branch).to_have_count(0)  # what is below it is shown

    def back() -> None:
        card.locator(".p-trail button").click()

    # A human is no zombie that could go.
    cell(page, "r1c1").click()
    says(page, f"{GO}the piece is not a zombie.")
    # By pointer a wall itself, by keys one of its cells; of what is offered nothing is said.
    goes("play", "play.k1")
    expect(page.locator(".cv-edge-choice")).to_have_count(1)
    page.locator(".cv-edge-told[data-edge='r0c1s']").click()
    expect(told(page)).to_contain_text("Wall between B1 and B2")
    assert violations(page, "dialog[open]") == []
    says(page, f"{GO}there is no door there.")
    cell(page, "r0c1").focus()
    page.keyboard.press("Enter")
    says(page, f"{GO}there is no door there.")
    back()
    # A seat says so where its part is pressed, by keys its first line, if a seat is asked for.
    own_part, other = (page.locator(f"[data-seat='{seat}'] .cv-seat") for seat in (1, 2))
    own_part.click()
    expect(told(page)).to_have_count(0)
    goes("play.k3")
    own_part.click()
    says(page, f"{GO}the card is for another player.")
    own_part.click(button="right")
    says(page, f"{GO}the card is for another player.")
    own_part.locator("button.cv-score").press("Enter")
    says(page, f"{GO}the card is for another player.")
    expect(other.locator("button.cv-score")).to_have_count(0)
    other.click()
    expect(told(page)).to_have_count(0)
    back()
    goes("play.k4", "play.k4.z02")
    page.locator(".cv-hand [data-card=c040] button").click()
    says(page, f"{GO}this is the card being played.")
    assert until(own, game, "go")["id"] == go["id"]
