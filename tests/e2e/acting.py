"""What people do on the page by hand: become somebody, open a table, sit down, choose."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.e2e.clients import Client, Json, play_on
from tests.e2e.people import Person
from tests.e2e.pins import pin_page
from tests.e2e.planting import plant_files
from tests.e2e.watching import open_site_menu

_GAME: Final = re.compile(r"/watch/(g[0-9a-f]{2}-[0-9a-z]{26})")


def choose_a_name(person: Person) -> None:
    """Become a player through the account page; afterwards the head of the page has the name."""
    page = person.page
    open_site_menu(page)
    page.locator("#top a[href='/?page=account']").click()
    pin_page(page, person.pin)
    page.locator("#field-name").fill(person.name)
    page.locator("form", has=page.locator("#field-name")).locator("[type=submit]").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(person.name)
    expect(page.locator("#top .who")).to_have_text(person.name)


def unfold(page: Page, part: str) -> None:
    """Unfold a part of the form for a table, as ``new-time``."""
    page.locator(f"#{part} > summary").press("Enter")
    expect(page.locator(f"#{part}")).to_have_attribute("open", "")


def open_a_table(
    person: Person, mode: str, seats: int, *, rulebook: str = "room25-first_edition", bots: int = 0
) -> str:
    """Open a table by the form, sit down at it, and seat house bots; the game's id."""
    page = person.page
    open_site_menu(page)
    page.locator("#top a[href='/?page=new']").click()
    unfold(page, "new-time")
    for choice in (f"rulebook-{rulebook}", f"mode-{mode}", f"seats-{seats}", "pace-days"):
        page.locator(f"label[for={choice}]").click()
        expect(page.locator(f"#{choice}")).to_be_checked()
    page.locator("#bots").select_option(str(bots))
    if bots:
        page.locator("#bot-pace").select_option("0")
    page.locator(".new-table [type=submit]").click()
    expect(page.locator("[data-version]")).to_be_visible()
    found = _GAME.search(page.url)
    assert found, page.url
    return found[1]


def take_a_seat(person: Person, game: str) -> None:
    """Sit down at a table that the lobby shows."""
    page = person.page
    page.locator("#top .brand").click()
    page.locator(f"[data-game='{game}'] [data-action=sit]").click()
    expect(page).to_have_url(re.compile(f"/watch/{game}"))


@contextmanager
def pressed(what: Locator) -> Iterator[None]:
    """Press the mouse on the middle of something that has come to rest; afterwards let it go."""
    what.hover()
    mouse = what.page.mouse
    mouse.down()
    yield
    mouse.up()


NOTHING_STAYS: Final = """
export const patch = (parent, ...children) =>
    parent.replaceChildren(...children.flat(Infinity).filter((child) => child));
export const patchElement = (element, drawing) => element.replaceWith(drawing);
"""
"""The module that brings drawings up to date, as if it drew everything anew."""


def draws_all_anew(person: Person) -> None:
    """Plant a fault: whatever is drawn again loses what is pressed and what has the focus."""
    plant_files(person.context, {"patch.js": NOTHING_STAYS})


def card_of(page: Page, decision: Json) -> Locator:
    """The decision on the page, while it is unanswered."""
    return page.locator(f"section[data-decision='{decision['id']}']:not(.p-answered)")


def answer(page: Page, decision: Json, option: Json, *, on_board: bool = False) -> None:
    """Choose an option of a decision by clicking, and see that the page has taken it.

    ``on_board``: by its room on the board, where that says which option is meant.
    """
    card = card_of(page, decision)
    expect(card).to_be_visible()
    cell = cell_of(option)
    about = [o for o in decision["options"] if cell in o.get("meaning", {}).values()]
    if decision["kind"] == "program":
        programme(card, option)
    elif on_board and cell and len(about) == 1:
        page.locator(f".b-board [data-cell='{cell}']").click()
    else:
        card.locator(f"button[data-option='{option['id']}']").click()
    expect(card).to_have_count(0)


def cell_of(option: Json) -> str | None:
    """The room that an option is about."""
    cell: str | None = option.get("meaning", {}).get("cell")
    return cell


def programme(card: Locator, option: Json) -> None:
    """Put a programme together card by card, and hand it in."""
    boosted = ["adrenaline"] if option["meaning"].get("adrenaline") else []
    for place in reversed(card.locator(".p-laid").all()):
        place.click()
    for token in [*option["meaning"]["tokens"], *boosted]:
        card.locator(f".p-card[data-card='{token}']").click()
    send = card.locator(".p-send")
    expect(send).to_have_attribute("data-option", option["id"])
    send.click()


class Hand:
    """Somebody who plays on the page, and what the service says is asked of them."""

    def __init__(self, person: Person, client: Client) -> None:
        self.person = person
        self.client = client

    def moves(self, game: str, choice: random.Random) -> int:
        """Answer all that the game waits for, by clicking; how many decisions there were."""
        answered = 0
        while self.makes_one_move(game, choice):
            answered += 1
        return answered

    def makes_one_move(self, game: str, choice: random.Random) -> bool:
        """Answer the first thing that the game waits for; False: it waits for nothing."""
        found = self.client.asked(game)
        if found:
            option = choice.choice(found[0]["options"])
            answer(self.person.page, found[0], option, on_board=choice.random() < 0.5)
        return bool(found)


class Hesitant:
    """A hand that makes one move at a time, so that whoever plays on can stop it.

    A house bot without a pace has answered before one asks again: ``Hand.moves`` beside it comes to
    an end with the game alone, and not with a turn.
    """

    def __init__(self, hand: Hand) -> None:
        self._hand = hand

    def moves(self, game: str, choice: random.Random) -> int:
        """Answer one decision; how many there were."""
        return int(self._hand.makes_one_move(game, choice))


def play_by_hand(
    game: str, hands: Sequence[Hand], choice: random.Random, *, turns: int | None = None
) -> None:
    """Play until the game has ended, or until a turn is over."""
    movers = hands if turns is None else [Hesitant(hand) for hand in hands]
    play_on(game, hands[0].client, movers, choice, turns=turns)
