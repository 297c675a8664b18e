"""A table of Cerveauuu! as people have it: opened, looked at, played by pointer and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.acting import card_of, choose_a_name, unfold
from tests.e2e.axe import violations
from tests.e2e.clients import Client, Json
from tests.e2e.holding import heard, holds
from tests.e2e.people import Look, Person
from tests.e2e.town import CHASE, FROZEN, asked, cell, offered, on_a_phone, staged, takes, until
from tests.e2e.watching import choose_language, move, shows, speaks, turn_to, watch

ANSWERS: Final = "**/decisions/*"
"""Where the answer to a decision goes."""


def opens(ada: Person) -> str:
    """Open a table for two by the form, with humans placed by chance and a bot; its id."""
    page = ada.page
    page.locator("#top a[href='/?page=new']").click()
    unfold(page, "new-time")
    for choice in ("rulebook-cerveauuu-prototype", "seats-2", "pace-days"):
        page.locator(f"label[for={choice}]").click()
    page.get_by_text("5 options").click()
    page.get_by_label("Placing of humans").select_option(label="by chance")
    # Two players may draw the end of a shuffled game in its first round.
    page.get_by_label("End credits in the deck").select_option(label="spread evenly")
    page.locator("#bots").select_option("1")
    page.locator("#bot-pace").select_option("0")
    page.locator(".new-table [type=submit]").click()
    expect(page.locator(".cv-board [data-piece]").first).to_be_visible()
    found = re.search(r"/watch/(g[0-9a-z-]+)", page.url)
    assert found
    return found[1]


def walk(client: Client, game: str, go: Json) -> tuple[str, str]:
    """A zombie that can walk, and the option by which it walks somewhere."""
    zombies = [each["id"] for each in go["options"] if each["id"].startswith("z")]
    below = (client.get(f"/games/{game}/decisions/{go['id']}/options/{each}") for each in zombies)
    ways = (each["id"] for level in below for each in level["options"] if each.get("branch"))
    way = next(ways)
    return way.split(".")[0], way


def opens_and_places(
    person: Callable[..., Person], client: Callable[..., Client]
) -> tuple[Page, Client, str]:
    """Open a table, and place a zombie by pointer where one clicks; its page, player and id."""
    ada = person("Ada")
    page = ada.opens("/")
    choose_a_name(ada)
    game = opens(ada)
    own = client("Ada", token=ada.token)
    placing = until(own, game, "place_zombie")
    expect(card_of(page, placing)).to_be_visible()
    takes(page, next(each["id"] for each in placing["options"] if each["id"].startswith("r0")))
    return page, own, game


def test_a_table_is_opened_by_the_form_and_a_zombie_placed_by_a_click(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    page, own, game = opens_and_places(person, client)
    expect(page.locator(".cv-piece.cv-own")).to_have_count(1)
    # The bot places one of its own, and the next is asked for. All of it fits on a phone, too.
    expect(card_of(page, until(own, game, "place_zombie"))).to_be_visible()
    on_a_phone(page)
    expect(page.locator(".cv-board")).to_be_visible()
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")
    assert violations(page) == []


def test_windows_are_passed_and_a_zombie_goes_by_keys_and_in_words(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, {**FROZEN, "stage": "panic"})
    ada = person("Ada")
    ada.signs_in(own)
    page = watch(ada, game)
    # A window says who answers and what comes, and asks no more than everybody else is asked.
    card = card_of(page, until(own, game, "respond"))
    expect(card).to_contain_text("If everybody passes")
    expect(page.locator(".cv-window .cv-answer")).to_have_count(2)
    expect(page.locator(".cv-hand .cv-card").first).to_be_visible()
    bob.chooses(game, "pass")
    # A page that is told to pass does so with the window's slot; a public order goes at once.
    # It ends the phase, and the switch with it: so it is held while these are looked at.
    let_go = holds(page, ANSWERS)
    with page.expect_request(ANSWERS):
        page.locator("#standing").check()
    assert violations(page, ".p-panel") == []
    let_go()
    page.unroute(ANSWERS)
    expect(card).to_have_count(0)
    # The next window is one of another phase: the page does not pass that.
    rest = card_of(page, until(own, game, "respond")).locator("[data-shortcut=round]")
    expect(rest).to_have_text(re.compile(r"^[A-Z]"))  # as answers begin
    rest.click()
    expect(page.locator(".cv-yield")).to_contain_text("pass for the whole round")
    bob.chooses(game, "pass")
    # By keys: a zombie is opened on the board, then one of the cells that it reaches.
    go = until(own, game, "go")
    card = card_of(page, go)
    expect(card).to_be_visible()
    expect(page.locator("#standing")).not_to_be_checked()
    zombie, end = walk(own, game, go)
    stands = own.state(game)["play"]["pieces"][zombie]["cell"]
    offered(page, stands).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail")).to_contain_text(f"green zombie {int(zombie[1:])}")
    target = end.split(".")[-1]
    offered(page, target).focus()
    page.keyboard.press("Enter")
    expect(card.locator(".p-trail b")).to_have_count(2)
    card.locator(f"[data-option='{end}.end']").click()
    expect(card).to_have_count(0)
    # In words.
    move(page, "text").click()
    row = page.locator(".cv-text-board [data-piece]").first
    expect(row).to_contain_text(re.compile(r"\b[A-G]\d"))


ROUNDS: Final = {
    "en": ("Round 2", "Round 2, zombies", "Previous round", "Next round", "rounds"),
    "fr": ("Tour 2", "Tour 2, zombies", "Tour précédent", "Tour suivant", "tours"),
    "pl": ("Runda 2", "Runda 2, zombie", "Poprzednia runda", "Następna runda", "rundy"),
}


def test_lobby_head_log_and_buttons_say_round(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    game = staged(client("Ada"), client("Bob"), {**CHASE, "round": 2})
    cleo = person("Cleo", Look(language="pl"))
    page = cleo.opens("/")
    for language in ("pl", "en", "fr"):
        choose_language(page, language)
        row, *_ = ROUNDS[language]
        told = page.locator(f"[data-game={game}] .meta")
        expect(told, language).to_contain_text(re.compile(rf"^{row} ·"))
        name = "Cerveauuu !" if language == "fr" else "Cerveauuu!"
        expect(page.locator(".invitation h2").last, language).to_have_text(name)
    turn_to(cleo, game)
    for language in ("fr", "pl", "en"):
        speaks(page, language)
        _, head, back, on, kind = ROUNDS[language]
        expect(page.locator(".chapter"), language).to_have_text(head)
        expect(move(page, "turn-back"), language).to_have_attribute("aria-label", back)
        expect(move(page, "turn-on"), language).to_have_attribute("aria-label", on)
        expect(page.locator("h3").get_by_text(head), language).to_have_count(1)
        turns = page.locator(".log-filter label:has([data-filter=turn])")
        expect(turns, language).to_have_text(kind)


# By day the second test here lets the page answer by itself, in one view.
@pytest.mark.nightly
def test_what_the_page_answers_by_itself_outlasts_a_change_of_view(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """Though what is asked comes while nothing of the other view is there yet."""
    page, own, game = opens_and_places(person, client)
    until(own, game, "respond")
    holds(page, ANSWERS)  # a pass would end the phase, and the switch with it
    with page.expect_request(ANSWERS):
        page.locator("#standing").check()
    asking, seeing = re.compile(r"/decisions$"), re.compile(r"/events\?as=public")
    come, see = holds(page, asking), holds(page, seeing)
    with page.expect_request(asking):
        own.post(f"/games/{game}/phrases", {"phrase": "laugh"})
    with page.expect_request(seeing):
        move(page, "viewer").select_option("public")
    with page.expect_response(asking):
        come()
    heard(page)
    see()
    expect(page.locator("[data-viewer=public][data-version]")).to_be_visible()
    expect(page.locator("#standing")).to_be_checked()


def test_who_talks_points_at_a_cell_of_the_town_and_chooses_nothing_by_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    own, bob = client("Ada"), client("Bob")
    game = staged(own, bob, CHASE)
    ada = person("Ada", Look(language="fr-FR"))
    ada.signs_in(own)
    page = watch(ada, game)
    go = card_of(page, asked(own, game))
    expect(go).to_be_visible()
    shows(page, own.version(game))  # later the town is drawn anew
    page.locator("#talk-open").press("Enter")  # what still comes in would move it under a pointer
    page.locator("#talk-hunting_here").click()
    cell(page, "r2c0").click(force=True)  # where one's own zombie could be sent off
    expect(page.locator(".talk-bubble[data-seat='1']")).to_contain_text("A3")
    expect(page.locator(".log-lines")).to_contain_text("A3")
    expect(go.locator(".p-trail b")).to_have_count(0)
