"""Live tables in the lobby are small boards that move on, light or dark as their reader likes."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Final, Literal

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Browser, Locator, Route, expect

from tests.e2e.axe import violations
from tests.e2e.clients import Client
from tests.e2e.layout import flaws, lasting
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.test_layout import RULE
from tests.e2e.town import CHASE, staged
from tests.e2e.windows import Window


def test_a_live_table_shows_its_board_and_a_private_one_does_not(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    ada, bob = client("Ada"), client("Bob")
    game = ada.opens("cooperation", 2)
    hidden = ada.opens("cooperation", 2, visibility="private", invited=[])
    for each in (game, hidden):
        ada.sits(each)
        ada.seats_bot(each) if each == hidden else bob.sits(each)
    eve = person("Ada")
    eve.signs_in(ada)
    page = eve.opens("/")
    screen = page.locator(f"[data-game='{game}'] img.screen")
    drawn = f"""() => document.querySelector("[data-game='{game}'] img.screen").naturalWidth > 0"""
    expect(screen).to_have_attribute("src", f"/v1/games/{game}/preview.svg?at={ada.version(game)}")
    page.wait_for_function(drawn)
    expect(page.locator(f"[data-game='{hidden}']")).to_be_visible()
    expect(page.locator(f"[data-game='{hidden}'] img")).to_have_count(0)
    assert violations(page) == []
    # A move of Bob's rings for Ada, and the board is that of the newest version.
    asked = bob.asked(game)[0]
    bob.post(f"/games/{game}/decisions/{asked['id']}", {"option": asked["options"][0]["id"]})
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(screen).to_have_attribute("src", f"/v1/games/{game}/preview.svg?at={ada.version(game)}")
    page.wait_for_function(drawn)


RUNS_OVER: Final = """(card) => card.scrollWidth > card.clientWidth
    ? [`${card.scrollWidth} of ${card.clientWidth}`] : []"""
"""Whether something runs over the edge of a card."""


def test_a_long_remark_on_a_table_stays_on_its_card(
    person: Callable[..., Person], client: Callable[..., Client]
) -> None:
    """On an upright tablet, beside the picture, in the longest of the languages."""
    own = client("Ada")
    game = staged(own, client("Bob"), CHASE)
    ada = person("Ada", Look(width=820, height=1180, language="pl-PL"))
    ada.signs_in(own)
    page = ada.opens("/")
    card = page.locator(f"[data-game='{game}']")
    expect(card.locator(".marks")).to_contain_text("Scenariusz")
    assert lasting(page, lambda: card.evaluate(RUNS_OVER) + flaws(page)) == []
    # A planted fault, which outlasts each drawing of the list.
    page.evaluate(RULE, ".tag { white-space: nowrap !important; }")
    assert card.evaluate(RUNS_OVER) != [], "a remark that breaks nowhere would be found"


def brightness(picture: Locator) -> float:
    """How bright the middle of a picture is on the screen, from 0 to 255."""
    shown = Image.open(BytesIO(picture.screenshot())).convert("L")
    width, height = shown.size
    return ImageStat.Stat(shown.crop((width // 4, height // 4, width // 2, height // 2))).mean[0]


@pytest.mark.parametrize(
    ("scheme", "rule", "is_dark"),
    [
        # By day the fault shows what a light one looks like.
        pytest.param("light", "dark", False, marks=pytest.mark.nightly),
        ("dark", "dark", True),
        ("dark", "darker", False),
    ],
)
def test_a_town_is_dark_in_the_lobby_of_whoever_likes_pages_dark(
    drawing_browser: Browser,
    service: Service,
    client: Callable[..., Client],
    *,
    scheme: Literal["light", "dark"],
    rule: str,
    is_dark: bool,
) -> None:
    """Without the rule for the dark, a planted fault, it would be light there."""
    own = client("Ada")
    game = staged(own, client("Bob"), CHASE)
    ada = Person(Window(drawing_browser, service.url, Look(scheme=scheme)), "Ada")
    ada.signs_in(own)

    def spoil(route: Route) -> None:
        answer = route.fetch()
        condition = "(prefers-color-scheme:{})"
        assert condition.format("dark") in answer.text()
        body = answer.text().replace(condition.format("dark"), condition.format(rule))
        route.fulfill(response=answer, body=body)

    ada.page.route(f"**/{game}/preview.svg?*", spoil)
    screen = ada.opens("/").locator(f"[data-game='{game}'] img.screen")
    expect(screen).to_have_attribute("src", f"/v1/games/{game}/preview.svg?at={own.version(game)}")
    screen.evaluate("(each) => each.decode()")
    assert (brightness(screen) < 128) == is_dark
    window = ada.leaves()
    window.answers_nothing_more()
    window.closes()
    assert ada.unexpected() == []
