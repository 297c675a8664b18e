"""A table of Cerveauuu! as people have it: opened, looked at, played by pointer and keys."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.e2e.acting import card_of, choose_a_name
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.people import Person


def opens(ada: Person) -> str:
    """Open a table for two by the form, with humans placed by chance and a bot; its id."""
    page = ada.page
    page.locator("#top a[href='/?page=new']").click()
    for choice in ("rulebook-cerveauuu-prototype", "seats-2", "pace-days"):
        page.locator(f"label[for={choice}]").click()
    page.get_by_text("5 options").click()
    page.get_by_label("Placing of humans").select_option(label="by chance")
    page.locator("#bots").select_option("1")
    page.locator("#bot-pace").select_option("0")
    page.locator(".new-table [type=submit]").click()
    expect(page.locator(".cv-board [data-piece]").first).to_be_visible()
    found = re.search(r"/watch/(g[0-9a-z-]+)", page.url)
    assert found
    return found[1]


def asked(client: Client, game: str) -> Json:
    """What is asked next; the bot answers by itself."""
    while not (found := client.asked(game)):
        client.version(game)
    return found[0]


def until(client: Client, game: str, kind: str) -> Json:
    """Let defaults be, until such a decision is asked."""
    while (decision := asked(client, game))["kind"] != kind:
        default = decision["default"]
        client.post(f"/games/{game}/decisions/{decision['id']}", {"option": default})
    return decision


def cell(page: Page, name: str) -> Locator:
    """A cell of the board."""
    return page.locator(f".cv-board [data-cell='{name}']")


def test_a_table_is_opened_and_played_on_the_board_by_keys_and_in_words(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada = person("Ada")
    page = ada.opens("/")
    choose_a_name(ada)
    game = opens(ada)
    own = client("Ada", token=ada.token)
    # By pointer: a zombie is placed where one clicks.
    placing = until(own, game, "place_zombie")
    expect(card_of(page, placing)).to_be_visible()
    cell(page, "r0c9").click()
    expect(page.locator(".cv-piece.cv-own")).to_have_count(1)
    # A window says who answers and what comes, and asks no more than everybody else is asked.
    window = until(own, game, "respond")
    card = card_of(page, window)
    expect(card).to_contain_text("If everybody passes")
    expect(page.locator(".cv-window .cv-answer")).to_have_count(2)
    expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
    card.locator("[data-shortcut=round]").click()
    expect(page.locator(".cv-yield")).to_contain_text("pass for the whole round")
    assert violations(page) == []
    # By keys: a zombie is opened on the board, then one of the cells that it reaches.
    go = until(own, game, "go")
    card = card_of(page, go)
    expect(card).to_be_visible()
    zombie = next(o["id"] for o in go["options"] if o["id"].startswith("z"))
    stands = own.state(game)["play"]["pieces"][zombie]["cell"]
    cell(page, stands).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail")).to_contain_text(zombie)
    below = own.get(f"/games/{game}/decisions/{go['id']}/options/{zombie}")["options"]
    end = next(o["id"] for o in below if o.get("branch"))
    target = end.split(".")[-1]
    expect(cell(page, target)).to_have_attribute("role", "button")
    cell(page, target).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail b")).to_have_count(2)
    card.locator(f"[data-option='{end}.end']").click()
    expect(card).to_have_count(0)
    # In words, and on a phone.
    page.locator("[data-move=text]").click()
    row = page.locator(f".cv-text-board [data-piece='{zombie}']")
    expect(row).to_contain_text(re.compile(r"\b[A-T]\d"))
    page.locator("[data-move=text]").click()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".cv-board")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
