"""Nothing is cut or covered: four screens, three languages, names of forty letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect

from tests.e2e.clients import Client, finished_game
from tests.e2e.layout import covered, flaws, misnamed
from tests.e2e.people import Look, Person
from tests.e2e.serving import Service
from tests.e2e.watching import move, open_tools, reaches, watch

NAMES: Final = (
    "Wolfeschlegelsteinhausenbergerdorff-Abcd",
    "WWWWWWWWWWMMMMMMMMMMWWWWWWWWWWMMMMMMMMMM",
    "Grzegorz Brzęczyszczykiewicz z Chrząszcz",
    "Ada",
)
SIZES: Final = {
    "small-phone": Look(width=360, height=640, touch=True),
    "phone": Look(width=390, height=844, touch=True),
    "tablet": Look(width=768, height=1024, touch=True),
    "desktop": Look(width=1440, height=900),
}
LANGUAGES: Final = ("en", "fr", "pl")
OPEN_ALL: Final = "document.querySelectorAll('details').forEach((it) => { it.open = true; })"


class Tables(Struct, frozen=True):
    """Games of people with long names: one that is open, one that is played, one that is over."""

    ada: Client
    waiting: str
    played: str
    over: str


@pytest.fixture(scope="session")
def tables(service: Service) -> Iterator[Tables]:
    """Games in all states, the same for all tests of a worker."""
    assert all(len(name) == 40 for name in NAMES[:3])
    with ExitStack() as stack:
        players = [Client(service.url, name) for name in NAMES]
        for player in players:
            stack.callback(player.close)
        yield _games_of(players)


def _games_of(players: list[Client]) -> Tables:
    ada = players[0]
    over = finished_game(players, "suspicion", seed=4)
    waiting = ada.opens("suspicion", 6)
    played = ada.opens("suspicion", 4)
    for player in players[:2]:
        player.sits(waiting)
    for player in players:
        player.sits(played)
    for player in players:
        player.chooses(played, "r1c2")
    players[2].chooses(played, "look+move")
    return Tables(ada, waiting, played, over)


def fine(page: Page) -> None:
    """Everything has its room, and is called what is written on it."""
    page.evaluate("document.fonts.ready")
    assert flaws(page) == []
    assert misnamed(page) == []


ALWAYS: Final = {
    *(("small-phone", language) for language in LANGUAGES),
    ("phone", "en"),
    ("tablet", "fr"),
    ("desktop", "pl"),
}
"""The smallest screen in every language, and each other in one; the rest runs at night."""

EVERYTHING: Final = [
    pytest.param(size, language, marks=() if (size, language) in ALWAYS else pytest.mark.nightly)
    for size in sorted(SIZES)
    for language in LANGUAGES
]


@pytest.mark.parametrize(("size", "language"), EVERYTHING)
def test_nothing_is_cut_or_covered(
    person: Callable[..., Person], tables: Tables, size: str, language: str
) -> None:
    shape = SIZES[size]
    look = Look(width=shape.width, height=shape.height, touch=shape.touch, language=language)
    one = person("Ada", look)
    one.signs_in(tables.ada)
    page = one.page
    for place, there in (("/", "[data-game]"), ("/?page=account", "h1"), ("/?page=new", "form")):
        one.opens(place)
        expect(page.locator(there).first).to_be_visible()
        fine(page)
        page.evaluate(OPEN_ALL)
        fine(page)
    watch(one, tables.waiting)
    expect(page.locator(".seats")).to_be_visible()
    fine(page)
    watch(one, tables.played)
    expect(page.locator("section[data-decision]")).to_be_visible()
    fine(page)
    page.locator("#play-more").click()
    fine(page)
    _a_replay(one, tables.over)


def _a_replay(one: Person, game: str) -> None:
    """Its end, its middle with all secrets, the board as a table, and the bar below."""
    page = watch(one, game)
    expect(page.locator(".result")).to_be_visible()
    fine(page)
    watch(one, game, "?at=60&as=full&speed=real")
    open_tools(page)
    fine(page)
    assert covered(page, ".watch-bar") == []
    move(page, "text").click()
    expect(page.locator(".text-board table")).to_be_visible()
    assert page.locator(".text-board").evaluate("it => it.scrollWidth - it.clientWidth") <= 1
    fine(page)


@pytest.mark.parametrize(
    ("size", "language"), [each for each in EVERYTHING if "phone" in str(each.values[0])]
)
def test_the_bar_of_a_running_game_covers_none_of_its_own(
    person: Callable[..., Person], tables: Tables, size: str, language: str
) -> None:
    shape = SIZES[size]
    look = Look(width=shape.width, height=shape.height, touch=shape.touch, language=language)
    page = watch(person("Eve", look), tables.played, "?at=3")
    reaches(page, tables.ada.version(tables.played))
    expect(move(page, "live")).to_be_visible()
    assert covered(page, ".watch-bar") == []
    page.locator(".watch-bar summary").click()
    assert flaws(page) == []


CUT_BY_THE_HEADING: Final = """() => {
    const list = document.querySelector(".log-lines");
    const { top } = list.getBoundingClientRect();
    const box = (node) => node.getBoundingClientRect();
    const stuck = [...list.querySelectorAll("h3")].filter((h3) => Math.abs(box(h3).top - top) < 2);
    const edge = Math.max(top, ...stuck.map((h3) => box(h3).bottom));
    return [...list.querySelectorAll("li:not([hidden])")]
        .filter((li) => box(li).top < edge - 1 && box(li).bottom > edge + 1)
        .map((li) => li.textContent);
}"""


@pytest.mark.parametrize("size", sorted(SIZES))
def test_the_heading_of_the_log_cuts_no_line(
    person: Callable[..., Person], tables: Tables, size: str
) -> None:
    page = watch(person("Eve", SIZES[size]), tables.over, "?at=20")
    last = tables.ada.version(tables.over)
    for version in range(30, last + 1, last // 7):
        move(page, "scrubber").fill(str(version))
        expect(page.locator(".watch")).to_have_attribute("data-version", str(version))
        page.wait_for_function(f"() => ({CUT_BY_THE_HEADING})().length === 0")


def test_the_heading_of_the_log_never_covers_what_has_the_focus(
    person: Callable[..., Person], tables: Tables
) -> None:
    page = watch(person("Eve"), tables.over)
    expect(page.locator(".log li.current a")).to_be_visible()
    page.locator(".log li.current a").focus()
    for _ in range(40):
        page.keyboard.press("ArrowUp")
        assert page.evaluate("""() => {
            const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
            const there = [top + 3, bottom - 3].map((y) =>
                document.elementFromPoint((left + right) / 2, y));
            return there.every((each) => each !== null && document.activeElement.contains(each));
        }""")
