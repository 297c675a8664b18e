"""Nothing is cut or covered, the board has its share: three languages, names of forty letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLate

from games.registry import GAMES
from tests.e2e.clients import Client, finished_game
from tests.e2e.layout import (
    NEXT_FRAME,
    covered,
    flaws,
    in_view,
    lasting,
    misnamed,
    moves_the_board,
    shares,
)
from tests.e2e.people import PATIENCE_MS, Look, Person
from tests.e2e.pins import keys
from tests.e2e.serving import Service
from tests.e2e.watching import move, open_log, open_tools, reaches, turn_to, watch

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
LONG: Final = 100
"""Events that the finished game has at least: it is looked at in the middle."""

OPEN_ALL: Final = "document.querySelectorAll('details').forEach((it) => { it.open = true; })"


class Tables(Struct, frozen=True):
    """Games of people with long names: one that is open, one that is played, one that is over."""

    ada: Client
    waiting: str
    played: str
    over: str
    town: str
    """A game of Cerveauuu! that asks her for a decision."""


@pytest.fixture(scope="session")
def tables(service: Service, draws: str) -> Iterator[Tables]:
    """Games in all states, the same for all tests of a worker."""
    assert all(len(name) == 40 for name in NAMES[:3])
    with ExitStack() as stack:
        pin = f"{draws}/tables of long names"
        players = [Client(service.url, name, keys=keys(f"{pin}/{name}")) for name in NAMES]
        for player in players:
            stack.callback(player.close)
        yield _games_of(players)


A_DAY: Final[dict[str, object]] = {"limits_s": dict.fromkeys(GAMES["room25"].rules.waits, 86_400)}
"""The longest time that a clock tells, 23:59:59."""


def _games_of(players: list[Client]) -> Tables:
    ada = players[0]
    while ada.version(over := finished_game(players, "suspicion", seed=4)) < LONG:
        pass
    waiting = ada.opens("suspicion", 6)
    played = ada.opens("suspicion", 4, time=A_DAY)
    for player in players[:2]:
        player.sits(waiting)
    for player in players:
        player.sits(played)
    for player in players:
        player.chooses(played, "r1c2")
    players[2].chooses(played, "look+move")
    town = _asking(players, "standard", "prototype", game="cerveauuu")
    return Tables(ada, waiting, played, over, town)


OTHERS: Final = (("suspicion", "prototype"), ("cooperation", "bga"), ("cooperation", "ultimate"))
"""Modes and rulebooks of Room 25 beside those of ``_games_of``."""


def _asking(players: list[Client], mode: str, rulebook: str, **more: object) -> str:
    """A game of a rulebook in which the first player is asked something."""
    game = players[0].opens(mode, len(players), rulebook, **more)
    for player in players:
        player.sits(game)
    while not players[0].asked(game):
        for player in players[1:]:
            for decision in player.asked(game):
                answer = {"option": decision["default"]}
                player.post(f"/games/{game}/decisions/{decision['id']}", answer)
    return game


def fine(page: Page) -> None:
    """Everything has its room, and is called what is written on it."""
    page.evaluate("document.fonts.ready")
    assert lasting(page, lambda: flaws(page) + misnamed(page)) == []


BARS: Final = {
    (1280, 800): 45.0,
    (1366, 657): 32.0,
    (1440, 900): 45.0,
    (390, 844): 45.0,
    (640, 400): 40.0,
    (683, 328): 20.0,
}
"""How many per cent of the screen the board must have; the last two are 1280 by 800 and 1366 by 657
at 200 %, where nothing is smaller than 11 px of the page, which are 22 of the screen."""

UPRIGHT: Final = ((820, 1180), (1024, 1366))
"""Tablets, held upright."""

ENLARGED: Final = ({"width": 640, "height": 400}, {"width": 683, "height": 328})

DRAWN: Final = """async ([width, height]) => {
    let late = 0;
    const patience = new Promise((_, fail) => {
        late = setTimeout(() => fail(new Error(`no ${width} × ${height} is drawn`)), PATIENCE);
    });
    const next = NEXT_FRAME;
    const frame = () => Promise.race([patience, next()]);
    while (innerWidth !== width || innerHeight !== height) {
        await frame();
    }
    await frame();
    await frame();
    clearTimeout(late);
}""".replace("PATIENCE", str(PATIENCE_MS)).replace("NEXT_FRAME", NEXT_FRAME)
"""A screen has got its size, and the board has been drawn for it; if it never is, it fails."""

RULE: Final = (
    "(css) => document.styleSheets[0].insertRule(css, document.styleSheets[0].cssRules.length)"
)
UNRULE: Final = "(at) => document.styleSheets[0].deleteRule(at)"
"""Takes a rule back that ``RULE`` has put there, by the place that it gave."""
AT_ONCE: Final = "* { transition: none !important; animation: none !important; }"

FAULTS: Final = (
    ".watch > .stage { width: 20rem !important; }",
    ".stage > svg text { font-size: 6px !important; }",
    ".watch > .watch-bar { margin-top: -4rem !important; }",
    ".watch > .watch-rest { min-height: 120vh !important; }",
    ".watch > .watch-head { height: 12px !important; }",
    ".log-lines { min-height: 120vh !important; }",
)
"""What must not go unnoticed."""


def sizes(page: Page) -> Iterator[float]:
    """Show a page on one screen after another; how much of each the board must have."""
    for (width, height), least in BARS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN, [width, height])
        yield least


def fits_on_every_screen(page: Page, *, asked: bool = False) -> None:
    """Nothing is wrong with how a table shares any screen; what is ``asked`` is in view there."""
    page.evaluate(RULE, AT_ONCE)
    for least in sizes(page):
        assert lasting(page, partial(unshared, page, least, asked=asked)) == [], page.viewport_size
    assert lasting(page, lambda: flaws(page)) == []


def unshared(page: Page, least: float, *, asked: bool) -> list[str]:
    """What is wrong with how a table shares the present screen."""
    whole = page.viewport_size not in ENLARGED
    return shares(page, least) + (in_view(page, whole=whole) if asked else [])


def test_the_board_has_its_share_of_every_screen(
    person: Callable[..., Person], tables: Tables
) -> None:
    one = person("Ada")
    one.signs_in(tables.ada)
    page = one.page
    for game in (tables.played, tables.town):
        come = watch if game == tables.played else turn_to
        come(one, game)
        expect(page.locator("section[data-decision]:not(.p-answered)").first).to_be_visible()
        fits_on_every_screen(page, asked=True)
    assert moves_the_board(page) == []
    for game, query in ((tables.waiting, ""), (tables.over, ""), (tables.over, "?at=60&as=full")):
        come = watch if query else turn_to
        come(one, game, query)
        fits_on_every_screen(page)
    assert moves_the_board(page) == []


# By day test_decision_layout.py sees decisions of every rulebook, each on one of these screens.
@pytest.mark.nightly
@pytest.mark.parametrize(("mode", "rulebook"), OTHERS)
def test_the_board_has_its_share_in_every_rulebook(
    person: Callable[..., Person], client: Callable[..., Client], mode: str, rulebook: str
) -> None:
    players = [client(name) for name in NAMES]
    game = _asking(players, mode, rulebook)
    one = person("Ada")
    one.signs_in(players[0])
    page = watch(one, game)
    expect(page.locator("section[data-decision]:not(.p-answered)").first).to_be_visible()
    fits_on_every_screen(page, asked=True)


def test_an_upright_tablet_has_the_board_above_all_else(
    person: Callable[..., Person], tables: Tables
) -> None:
    """Beside the rest it would be smaller, above an empty half of the screen."""
    one = person("Ada", Look(width=UPRIGHT[0][0], height=UPRIGHT[0][1], touch=True))
    one.signs_in(tables.ada)
    page = watch(one, tables.played)
    expect(page.locator("section[data-decision]")).to_be_visible()
    page.evaluate(RULE, AT_ONCE)
    for width, height in UPRIGHT:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN, [width, height])
        found = lasting(page, lambda: unshared(page, 35.0, asked=True) + flaws(page))
        assert found == [], (width, height)


def test_a_spectator_sees_as_much_of_the_board(
    person: Callable[..., Person], tables: Tables
) -> None:
    one = person("Eve", Look(language="pl", scheme="dark"))
    page = one.page
    for game in (tables.played, tables.town):
        come = watch if game == tables.played else turn_to
        come(one, game)
        fits_on_every_screen(page)
    least = next(sizes(page))
    for fault in FAULTS:
        at = page.evaluate(RULE, fault)
        page.evaluate(DRAWN, list(next(iter(BARS))))
        assert shares(page, least) != [], fault
        page.evaluate(UNRULE, at)
    page.evaluate(RULE, ".watch > .watch-head { height: auto !important; }")
    page.evaluate(RULE, ".watch { grid-template-rows: auto minmax(0, 1fr) auto !important; }")
    assert moves_the_board(page) != []


ALWAYS: Final = {("small-phone", "pl")}
"""The longest words where there is least room; the rest at night. By day the tests around it see
tables on desktops and tablets, and test_decision_layout.py sees them in French."""

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
    one.opens("/")
    for place, there in (("/", "[data-game]"), ("/?page=account", "h1"), ("/?page=new", "form")):
        one.goes_to(place)
        expect(page.locator(there).first).to_be_visible()
        fine(page)
        page.evaluate(OPEN_ALL)
        fine(page)
    turn_to(one, tables.waiting)
    expect(page.locator(".seats")).to_be_visible()
    fine(page)
    turn_to(one, tables.played)
    expect(page.locator("section[data-decision]")).to_be_visible()
    fine(page)
    page.locator("#play-more").click()
    fine(page)
    _a_replay(one, tables.over)


def _a_replay(one: Person, game: str) -> None:
    """Its end, its middle with all secrets, the board as a table, and the bar below."""
    page = turn_to(one, game)
    expect(page.locator(".result")).to_be_visible()
    fine(page)
    watch(one, game, "?at=60&as=full&speed=real")
    open_tools(page)
    fine(page)
    assert lasting(page, lambda: covered(page, ".watch-bar")) == []
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
    assert lasting(page, lambda: covered(page, ".watch-bar")) == []
    page.locator(".watch-bar summary").click()
    assert lasting(page, lambda: flaws(page)) == []


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


@pytest.mark.parametrize(
    "screens",
    [
        pytest.param(("desktop",), id="desktop"),
        pytest.param(("small-phone",), id="small-phone"),
        # By day on the smallest screen, on which more lines are cut in two.
        pytest.param(("phone", "tablet"), id="touch", marks=pytest.mark.nightly),
    ],
)
def test_the_heading_of_the_log_cuts_no_line(
    person: Callable[..., Person], tables: Tables, screens: tuple[str, ...]
) -> None:
    page = watch(person("Eve", SIZES[screens[0]]), tables.over, "?at=20")
    last = tables.ada.version(tables.over)
    for size in screens:
        shape = SIZES[size]
        page.set_viewport_size({"width": shape.width, "height": shape.height})
        page.evaluate(DRAWN, [shape.width, shape.height])
        if not page.locator(".log").is_visible():
            open_log(page)
        for version in (*range(30, last, last // 7), last):
            move(page, "scrubber").fill(str(version))
            expect(page.locator(".watch")).to_have_attribute("data-version", str(version))
            no_line_is_cut(page, f"on a {size} at {version}")


def no_line_is_cut(page: Page, where: str) -> None:
    """Wait until the heading of the log cuts no line; ``where`` tells it where one is cut."""
    try:
        page.wait_for_function(f"() => ({CUT_BY_THE_HEADING})().length === 0")
    except TooLate as late:
        raise AssertionError(f"{where}: {page.evaluate(CUT_BY_THE_HEADING)}") from late


def test_the_heading_of_the_log_never_covers_what_has_the_focus(
    person: Callable[..., Person], tables: Tables
) -> None:
    page = watch(person("Eve"), tables.over)
    expect(page.locator(".log li.current a")).to_be_visible()
    page.locator(".log li.current a").focus()
    for _ in range(40):
        page.keyboard.press("ArrowUp")
        # Lines that come into sight take their true height only with the next frame.
        page.wait_for_function("""() => {
            const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
            const there = [top + 3, bottom - 3].map((y) =>
                document.elementFromPoint((left + right) / 2, y));
            return there.every((each) => each !== null && document.activeElement.contains(each));
        }""")
