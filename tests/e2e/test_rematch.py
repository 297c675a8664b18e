"""After the end: who has won and why, who was what, what one can take away, and the rematch."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client, finished_game, play_on
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import PHONE, Look, Person
from tests.e2e.watching import move, root, speaks, turn_to, watch

LANGUAGES: Final = {
    "en": ("You lose.", "Everybody else has given up.", "Play again too"),
    "fr": ("Vous perdez.", "Tous les autres ont abandonné.", "Rejouer aussi"),
    "pl": ("Przegrywasz.", "Wszyscy pozostali zrezygnowali.", "Zagraj i ty"),
}

ENDINGS: Final = """async (plays) => {
    const { everything } = await import("/pages/all.js");
    const { endingOf } = await import("/web/games/room25/words/ending.js");
    await everything("en");
    return plays.map((play) => endingOf({ play }));
}"""

LAST_SCENES: Final = """async (plays) => {
    const { everything } = await import("/pages/all.js");
    const { finale } = await import("/web/games/room25/board/finale.js");
    await everything("en");
    const names = { character: (id) => id, role: (id) => id };
    const book = { character: (id) => ({ id, name: id, shape: "square" }), has: () => false };
    return plays.map((play) => {
        const people = ["emmett", "kevin"];
        const characters = Object.fromEntries(Object.values(play.characters).map((each, i) =>
            [people[i], { id: people[i], seat: 1, role: null, ...each }]));
        const given = { names, book, seat: 1, won: true };
        const { title, drawing } = finale({ play: { ...play, characters }, result: {} }, given);
        return [title, drawing.querySelector(".b-finale-kept") !== null];
    });
}"""
"""What the last scene of won games says, and whether Room 25 stays in it."""


def suspicion(ada: Client) -> str:
    """A game of somebody with house bots, played to its end."""
    game = ada.opens("suspicion", 4)
    ada.sits(game)
    for _ in range(3):
        ada.seats_bot(game)
    play_on(game, ada, [ada], random.Random(4))
    return game


def played_out(ada: Client, bob: Client, played: str) -> str:
    """A game of two that is over."""
    return finished_game([ada, bob], "competition") if played == "room25" else given_up(ada, bob)


def given_up(ada: Client, bob: Client) -> str:
    """A game of Cerveauuu! of two, of whom the second has given up."""
    game = ada.opens("standard", 2, "prototype", game="cerveauuu", time={})
    for one in (ada, bob):
        one.sits(game)
    bob.post(f"/games/{game}/decisions/resign-s2", {"option": "resign"})
    return game


def sits_at_the_end(person: Person, client: Client, game: str) -> Page:
    """Come back to a game of one's own that is over."""
    person.signs_in(client)
    page = watch(person, game)
    expect(root(page)).to_have_attribute("data-status", "ended")
    expect(page.locator(".result")).to_be_visible()
    expect(page.locator(".result[aria-busy]")).to_have_count(0)
    return page


def test_at_the_end_one_is_told_why_and_who_was_what_and_plays_again_with_the_same_bots(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    eve, ada = person("Ada"), client("Ada")
    game = suspicion(ada)
    page = sits_at_the_end(eve, ada, game)
    result = page.locator(".result")
    expect(result.locator(".result-own")).to_have_text(re.compile(r"^You (win|lose)\.$"))
    expect(result.locator(".result-why")).to_have_text(re.compile(r"^\S.+\. \S.+\.$"))
    # The board tells no more than the seat knew; who was what is open all the same.
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(result.locator("tbody tr").first).to_be_visible()
    expect(result).not_to_contain_text("not shown")
    roles = ada.state(game, "full")["play"]["characters"].values()
    cells = result.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert sum("uard" in cell for cell in cells) == sum(c["role"] != "prisoner" for c in roles)
    assert lasting(page, lambda: flaws(page)) == []
    assert violations(page, ".result") == []
    with page.expect_download() as started:
        move(page, "record").click()
    assert started.value.path().read_text() == ada.ask(f"/games/{game}/record").text
    move(page, "rematch").click()
    expect(page).not_to_have_url(re.compile(game))
    expect(root(page)).to_have_attribute("data-viewer", "seat:1")
    expect(page.locator(".b-person")).to_have_count(4)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    page.go_back()
    expect(page.locator("[data-move=rematch-table]")).to_be_visible()
    move(page, "replay").click()
    expect(page.locator("[data-move=play]")).to_have_attribute("aria-label", "Pause")
    expect(result).to_be_hidden()


# By day a town; test_two_people.py has people meet again in a complex.
@pytest.mark.parametrize("played", [pytest.param("room25", marks=pytest.mark.nightly), "cerveauuu"])
def test_two_people_meet_again_in_their_seats(
    person: Callable[..., Person], client: Callable[..., Client], played: str
) -> None:
    one, two, ada, bob = person("Ada"), person("Bob", PHONE), client("Ada"), client("Bob")
    game = played_out(ada, bob, played)
    hers, his = sits_at_the_end(one, ada, game), sits_at_the_end(two, bob, game)
    expect(his.locator("[data-move=rematch]")).to_have_text("Rematch")
    move(hers, "rematch").click()
    expect(hers).not_to_have_url(re.compile(game))
    expect(his.locator(".rematch")).to_contain_text("Ada would like to play again.")
    assert lasting(his, lambda: flaws(his)) == []
    move(his, "rematch").click()
    expect(his).not_to_have_url(re.compile(game))  # he had this seat at the old table, too
    for page, seat in ((hers, 1), (his, 2)):
        expect(root(page)).to_have_attribute("data-viewer", f"seat:{seat}")
        expect(page.locator(".b-person.b-you .b-person-name")).to_have_text(
            "Ada" if seat == 1 else "Bob"
        )
    assert ada.state(hers.url.rpartition("/")[2])["phase"] == "live"


def test_the_end_is_told_in_three_languages(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    two, ada, bob = person("Bob", Look(language="pl-PL")), client("Ada"), client("Bob")
    game = given_up(ada, bob)
    page = sits_at_the_end(two, bob, game)
    ada.post(f"/games/{game}/rematch", {})
    for language in ("pl", "en", "fr"):
        speaks(page, language)
        lost, why, join = LANGUAGES[language]
        expect(page.locator(".result-own")).to_have_text(lost)
        expect(page.locator(".result-why")).to_contain_text(why)
        expect(move(page, "rematch")).to_have_text(join)


def test_whoever_only_watched_is_offered_no_rematch_but_finds_it(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = given_up(ada, bob)
    eve = person("Eve")
    page = watch(eve, game)
    for one in (ada, bob):
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator("[data-move=rematch], [data-move=rematch-table]")).to_have_count(0)
        one.post(f"/games/{game}/rematch", {})
        eve.goes_to("/")
        turn_to(eve, game)
    expect(page.locator("[data-move=rematch-table]")).to_have_text("Go to the rematch")


def test_every_end_of_a_complex_has_its_reason(own_modules: Page) -> None:
    people = {"a": {"team": "t1"}, "b": {"team": "t2"}}
    dead = {
        name: {"alive": False, "role": "prisoner", "role_public": True, "team": "t2"}
        for name in ("a", "b")
    }
    ends = [
        ("prisoners", 4, people, "with all prisoners in it."),
        ("prisoners", 8, people, "or all but one."),
        ("guards", 8, people, "The last turn is over"),
        ("guards", 4, people | dead, "Two prisoners are dead"),
        ("complex", 4, people, "Too many have died"),
        ("complex", 8, people, "The last turn is over"),
        ("complex", 4, dead, "Nobody is left alive."),
        ("players", 4, people, "everybody in it who had to be"),
        ("players_partial", 4, people, "not everybody got out alive"),
        ("team", 4, people, "all of them in it"),
        ("team", 8, people, "they were ahead in Room 25"),
        ("team", 4, {"a": {"team": "t1"}, "b": dead["b"]}, "Nobody of the others"),
        ("draw", 8, people, "the same claim"),
        ("draw", 4, dead, "Nobody is left alive."),
    ]
    plays = [
        {"end": {"outcome": end}, "turn": turn, "last_turn": 8, "characters": who}
        for end, turn, who, _ in ends
    ]
    assert own_modules.evaluate(LAST_SCENES, [plays[9], plays[11]]) == [
        ["You escaped", False],
        ["You outlived the others", True],
    ]
    said = own_modules.evaluate(ENDINGS, plays)
    for sentence, (*_, part) in zip(said, ends, strict=True):
        assert part in sentence
