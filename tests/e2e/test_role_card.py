"""One's own role: on a card that is sealed, then held to be seen, and nowhere else on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.by_day import LOOKS
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, in_view
from tests.e2e.panel_layout import out_of_sight
from tests.e2e.people import Look, Person
from tests.e2e.watching import watch

ROLES: Final = {"prisoner": "Prisoner", "guard": "Guard"}
WINS: Final = {
    "prisoner": "You win if the prisoners get out with Room 25.",
    "guard": "You win if they do not get out.",
}

MOVES: Final = "(each) => getComputedStyle(each).animationName"


def dealt(ada: Client) -> tuple[str, str]:
    """A game of suspicion that has begun, and the role of its only person."""
    game = ada.opens("suspicion", 4)
    ada.sits(game)
    for _ in range(3):
        ada.seats_bot(game)
    characters = ada.state(game, "seat:1")["play"]["characters"].values()
    return game, next(c["role"] for c in characters if c["seat"] == 1)


def tells(page: Page, role: str) -> bool:
    """Whether the role stands somewhere beside the board, in whatever case."""
    texts = page.locator(".side").inner_text() + page.locator(".log").inner_text()
    return f"{ROLES[role].lower()}\n" in f"{texts.lower()}\n" or WINS[role] in texts


# By day on a phone, where there is least room; test_beginner.py opens it at a desktop, too.
@pytest.mark.parametrize("look", LOOKS)
def test_a_role_is_sealed_until_it_is_opened_and_then_held(
    person: Callable[..., Person], client: Callable[..., Client], look: Look
) -> None:
    one, ada = person("Ada", look), client("Ada")
    game, role = dealt(ada)
    one.signs_in(ada)
    page = watch(one, game)
    # From here on nothing happens at the table that could move the card under the pointer.
    expect(page.locator(".b-person:not(.b-you)")).to_contain_text(["handed in"] * 3)
    seal, peek = page.locator(".b-role-seal"), page.locator(".b-role-peek")
    face = page.locator(".b-role-face")
    expect(seal).to_be_visible()
    assert out_of_sight(page, ".b-role-seal") + in_view(page, whole=True) == []
    expect(page.locator(".b-you .b-role-unknown")).to_have_text("role sealed")
    expect(face).to_have_text("")
    assert not tells(page, role)
    assert flaws(page) == []
    assert violations(page) == []
    seal.click()
    expect(face).to_contain_text(ROLES[role])
    expect(face).to_contain_text(WINS[role])
    assert tells(page, role), "this is what was looked for"
    assert violations(page) == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".b-role-face > div").evaluate(MOVES) == "role-turns"
    page.emulate_media(reduced_motion="reduce")
    page.locator(".b-role-shut").click()
    expect(face).to_have_text("")
    assert in_view(page, whole=True) == []
    # From now on it is seen only as long as it is held, by pointer or key.
    peek.hover()
    page.mouse.down()
    expect(face).to_contain_text(WINS[role])
    page.mouse.up()
    expect(face).to_have_text("")
    peek.focus()
    page.keyboard.down("Enter")
    expect(face).to_contain_text(WINS[role])
    page.keyboard.up("Enter")
    expect(face).to_have_text("")
    # A screen reader presses without a finger or a key.
    peek.evaluate("button => button.click()")
    expect(face).to_contain_text(WINS[role])
    peek.evaluate("button => button.click()")
    expect(face).to_have_text("")
    page.reload()
    expect(peek).to_be_visible()
    expect(seal).to_be_hidden()
    assert not tells(page, role)


def test_there_is_no_card_where_nothing_is_secret(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    one, ada = person("Ada"), client("Ada")
    game, _ = dealt(ada)
    page = watch(one, game)
    expect(page.locator(".b-person")).to_have_count(4)
    expect(page.locator(".b-role-card")).to_be_hidden()
    one.signs_in(ada)
    expect(page.locator(".b-role-seal")).to_be_visible()
    alone = ada.opens("solo", 1)
    ada.sits(alone)
    page = watch(one, alone)
    expect(page.locator(".b-person")).to_have_count(1)
    expect(page.locator(".b-role-card")).to_be_hidden()
