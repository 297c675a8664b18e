"""Whoever has been away is led back to the table, told what was missed, and whether to act now."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.clients import Client
from tests.e2e.listening_in import hide, record
from tests.e2e.people import BROKEN_LINE, DESKTOP, PHONE, Look, Person
from tests.e2e.serving import Service
from tests.e2e.watching import complete, drawn_in, reaches, speaks, turn_to, watch
from tests.e2e.wire import Wire

AWAY: Final = {
    "en": ("While you were away", "You may act now", "it is your turn", "the others are to play"),
    "fr": (
        "Pendant votre absence",
        "Vous pouvez agir maintenant",
        "C’est à vous de jouer",
        "C’est aux autres de jouer",
    ),
    "pl": ("Pod twoją nieobecność", "Możesz teraz działać", "twoja kolej", "teraz grają inni"),
}

LONG_MS: Final = 3_600_000

LOOKS_AGAIN: Final = """() => {
    setInterval(() => document.dispatchEvent(new Event("visibilitychange")), 500);
}"""
"""Somebody comes back from other tabs: the page asks at once who is connected."""


def begins(ada: Client, bob: Client) -> str:
    """A game of Room 25 at which both are to choose a room."""
    game = ada.opens("cooperation", 2)
    ada.sits(game, seat=1)
    bob.sits(game, seat=2)
    return game


def strip(page: Page, game: str, kind: str) -> None:
    """The lobby's strip says of a table how it stands."""
    expect(page.locator(f".way-back [data-back='{game}']")).to_have_attribute("data-kind", kind)


def is_told(page: Page, language: str) -> None:
    """At the table one is told that one was away, and may act now."""
    title, act, *_ = AWAY[language]
    expect(page.locator(".away h2")).to_have_text(title)
    expect(page.locator(".away")).to_contain_text(act)


# By day on a phone in Polish; the next two tests read what the other languages tell at a table.
@pytest.mark.parametrize(
    ("look", "language"),
    [
        pytest.param(PHONE, "pl", id="phone-pl"),
        *(
            pytest.param(look, language, id=f"{size}-{language}", marks=pytest.mark.nightly)
            for size, look in (("desktop", DESKTOP), ("phone", PHONE))
            for language in AWAY
            if (look, language) != (PHONE, "pl")
        ),
    ],
)
def test_whoever_comes_back_is_told_what_was_missed(
    person: Callable[..., Person], client: Callable[..., Client], look: Look, language: str
) -> None:
    languages = sorted(AWAY, key=lambda each: each != language)  # one's own at the beginning
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    one = person("Ada", Look(width=look.width, height=look.height, language=language))
    one.signs_in(ada)
    page = one.opens("/")
    strip(page, game, "asked")
    for each in languages:
        drawn_in(page, each)
        expect(page.locator(".way-back a")).to_contain_text(AWAY[each][2])
    page.locator(".way-back a").click()
    expect(page.locator("section[data-decision]").first).to_be_visible()
    complete(page)
    expect(page.locator(".away")).to_be_hidden()  # who is here for the first time missed nothing
    ada.chooses(game, "r1c2")
    seen = ada.version(game)
    reaches(page, seen)
    one.goes_to("/")
    strip(page, game, "waits")
    for each in reversed(languages):
        drawn_in(page, each)
        expect(page.locator(".way-back a")).to_contain_text(AWAY[each][3])
    bob.chooses(game, "r1c2")
    strip(page, game, "asked")
    page.locator(".way-back a").click()
    away = page.locator(".away")
    is_told(page, language)
    missed = away.locator("li").all_text_contents()
    assert missed
    told = page.locator(".log li[data-v]").evaluate_all(
        "(all, seen) => all.filter((e) => +e.dataset.v > seen).map((e) => e.textContent)", seen
    )
    assert all(any(each in line for line in told) for each in missed)
    away.locator("[data-move=away-close]").click()
    expect(away).to_be_hidden()
    page.reload()
    expect(page.locator("section[data-decision]").first).to_be_visible()
    complete(page)
    expect(away).to_be_hidden()  # what was read is not told again


def test_an_answer_says_that_it_has_been_read(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    one = person("Ada")
    record(one)
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator("section[data-decision]").first).to_be_visible()
    hide(page)
    bob.chooses(game, "r1c2")
    reaches(page, ada.version(game))
    expect(page.locator(".away")).to_be_hidden()  # nobody looks
    hide(page, hidden=False)
    expect(page.locator(".away li").first).to_be_visible()
    is_told(page, "en")
    missed = page.locator(".away li").count()
    speaks(page, "fr")  # the page is drawn anew, and goes on telling
    is_told(page, "fr")
    expect(page.locator(".away li")).to_have_count(missed)
    page.locator("section[data-decision] button[data-option='r1c2']").click()
    expect(page.locator(".away")).to_be_hidden()
    speaks(page, "en")
    expect(page.locator(".away")).to_be_hidden()


def test_whoever_opens_a_closed_laptop_is_told_what_was_missed(
    person: Callable[..., Person],
    client: Callable[..., Client],
    wire: Callable[[int], Wire],
    service: Service,
) -> None:
    """The page was in sight all the while: nothing but the time tells that nobody was here."""
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    line = wire(service.port)
    one = person("Ada", url=line.url)
    one.allow(BROKEN_LINE)
    one.context.clock.install()
    one.signs_in(ada)
    page = watch(one, game)
    away = page.locator(".away")
    expect(page.locator("section[data-decision]").first).to_be_visible()
    line.cut()
    bob.chooses(game, "r1c2")
    reaches(page, ada.version(game))
    expect(away).to_be_hidden()  # whoever was here all the while has missed nothing
    with line.down():
        expect(page.locator("[data-banner=waiting]")).to_be_visible()
        bob.post(f"/games/{game}/decisions/clue-s2", {"option": "r2c3"})
    page.clock.fast_forward(LONG_MS)  # as when a computer was closed, each timer runs once
    expect(away.locator("li").first).to_be_visible()
    is_told(page, "en")
    reaches(page, ada.version(game))
    away.locator("[data-move=away-close]").click()
    expect(away).to_be_hidden()
    page.locator("section[data-decision] button[data-option='r1c2']").click()
    expect(page.locator("section[data-decision='clue-s1']")).to_have_count(0)
    expect(away).to_be_hidden()


def test_a_table_of_the_second_game_leads_back_too(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    time = {"limits_s": {"response": 3600, "decision": 3600}, "bot_pace_ms": 0}
    game = ada.opens("standard", 2, "prototype", game="cerveauuu", time=time)
    ada.sits(game)
    one = person("Ada", Look(language="fr"))
    one.signs_in(ada)
    page = watch(one, game)
    expect(page.locator(".away")).to_be_hidden()
    seen = ada.version(game)
    one.goes_to("/")
    bob.sits(game)
    while not ada.asked(game):
        bob.chooses(game, bob.asked(game)[0]["options"][0]["id"])
    strip(page, game, "asked")
    page.locator(".way-back a").click()
    expect(page).to_have_url(re.compile(game))
    expect(page.locator(".away li").first).to_be_visible()
    is_told(page, "fr")
    assert page.locator(".away li").count() <= ada.version(game) - seen


def test_strangers_and_spectators_are_led_nowhere(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    eve = person("Eve")
    watch(eve, game)
    page = eve.goes_to("/")
    expect(page.locator(f"[data-game='{game}']")).to_be_visible()
    expect(page.locator(".way-back")).to_be_hidden()
    ada.chooses(game, "r1c2")
    bob.chooses(game, "r1c2")
    turn_to(eve, game)
    reaches(page, ada.version(game))
    expect(page.locator(".away")).to_be_hidden()


def test_players_see_who_is_disconnected_or_elsewhere(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    one, two = person("Ada"), person("Bob")
    one.signs_in(ada)
    page = watch(one, game)
    seat = page.locator(".b-person[data-seat='2']")
    expect(seat).to_contain_text("disconnected")
    expect(page.locator(".b-person[data-seat='1']")).not_to_contain_text("disconnected")
    spectator = watch(two, game)  # who has not said yet who he is
    expect(spectator.locator(".b-person[data-seat='2']")).not_to_contain_text("disconnected")
    two.signs_in(bob)
    two.goes_to("/")
    page.evaluate(LOOKS_AGAIN)
    expect(seat).to_contain_text("at another table or page")
    turn_to(two, game)
    expect(seat).not_to_contain_text("at another table or page")
    expect(seat).not_to_contain_text("disconnected")


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
def test_nobody_who_plays_alone_reads_that_nobody_plays(
    person: Callable[..., Person], client: Callable[..., Client], *, listed: bool
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = begins(ada, bob)
    one = person("Ada")
    one.signs_in(ada)

    def leaves_ones_own(route: Route) -> None:
        whole = {k: v for k, v in route.request.headers.items() if k != "if-none-match"}
        answer = route.fetch(headers=whole)
        body = answer.json()
        games = [row for row in body["games"] if row["id"] == game and listed]
        route.fulfill(response=answer, json={**body, "games": games, "next": None})

    # Others play at the same service: their tables are taken out of the list of all.
    lists = re.compile(r"/v1/games\?(?!.*player=).*status=live")
    one.page.route(lists, leaves_ones_own)
    page = one.opens("/")
    strip(page, game, "asked")
    expect(page.locator("[data-section=live]")).to_be_hidden()
