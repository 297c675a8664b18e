"""How little a page asks for, and how few round trips that takes: the bars of docs/performance.md.

The bars are seconds, but no test looks at a clock: requests are recorded in Chromium over an
emulated Fast 3G, by HTTP/2 as proxies speak it, and the seconds are what round trips and bytes come
to. So a busy machine fails nothing. ``make loading`` prints the seconds that really went by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, Playwright, Route, expect

from tests.e2e.conftest import launched
from tests.e2e.front import Front
from tests.e2e.loading import (
    AFTERWARDS,
    FAST_3G,
    NEAR,
    Asked,
    Network,
    Recording,
    Shown,
    Visit,
    least_seconds,
    round_trips,
    shows_board,
    shows_lobby,
    tables,
    visit,
)
from tests.e2e.people import PATIENCE_MS, Person
from tests.e2e.serving import Service

LOBBY_S: Final = {NEAR.name: 1.0, FAST_3G.name: 3.0}
TABLE_S: Final = {NEAR.name: 1.0, FAST_3G.name: 3.0}
"""What the network may take for a first visit, in seconds."""
AGAIN_S: Final = 1.0
"""What it may take on either until a page that was here before stands again, with its data."""
MOST_AGAIN: Final = 3
"""How many things of the page itself a second visit may ask for, its service worker included."""
WORKER: Final = "/service-worker.js"
"""For which a browser asks beside a visit, now and then."""

NOTHING: Final = re.compile(r"(?!)")

_FILE: Final = re.compile(r"/assets/[0-9a-f]{24}/(?:chunks/)?(.+)")
"""Chunks by the module that they are named after."""
_LINK: Final = re.compile(r'<link rel="modulepreload" href="/assets/[0-9a-f]{24}/chunks/([^"]+)"')
_LATER: Final = re.compile(r"<template[^>]*>.*?</template>")


class Behind(Struct, frozen=True):
    """A browser, the addresses of a front and of the service, and a live table of each game."""

    browser: Browser
    url: str
    service: str
    tables: dict[str, str]


@pytest.fixture(scope="module")
def behind(
    driver: Playwright, service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Behind]:
    """The service behind HTTP/2."""
    with Front(service.port, tmp_path_factory.mktemp("front")) as front:
        browser = launched(driver, front.trust)
        yield Behind(browser, front.url, service.url, tables(service.url))
        browser.close()


TRIES: Final = 5


def undisturbed(
    behind: Behind,
    path: str,
    shown: Shown,
    unneeded: re.Pattern[str] = NOTHING,
    *,
    keeps: bool = True,
) -> list[Visit]:
    """A first and a second visit of a browser that was nowhere yet, as quick as they can be had.

    On a busy machine a file may be asked for so late that others have come by then, as if it had
    waited for them. Nothing makes a chain of requests shorter than it has to be, so of some tries
    the shortest counts; who has as few round trips as there can be needs no further one. What
    ``unneeded`` matches is left out. A browser that ``keeps`` nothing has no service workers.
    """
    found = []
    for _ in range(TRIES):
        context = behind.browser.new_context(
            base_url=behind.url, service_workers="allow" if keeps else "block"
        )
        context.set_default_timeout(PATIENCE_MS)
        both = visits(context, path, shown, keeps=keeps)
        context.close()
        for each in both:
            each.needed = [one for one in each.needed if not unneeded.fullmatch(one.path)]
        trips = [round_trips(each.needed) for each in both]
        if trips == [3, 1 if keeps else 2]:
            return both
        found.append((trips, both))
    return min(found, key=lambda each: each[0])[1]


@pytest.fixture
def context(behind: Behind) -> Iterator[BrowserContext]:
    """A browser that was nowhere yet; without service workers, whose answers pass no route."""
    made = behind.browser.new_context(base_url=behind.url, service_workers="block")
    made.set_default_timeout(PATIENCE_MS)
    yield made
    made.close()


def visits(
    context: BrowserContext,
    path: str,
    shown: Shown,
    network: Network = FAST_3G,
    *,
    keeps: bool = True,
) -> list[Visit]:
    """A first and a second visit."""
    return [visit(context, path, network, shown, keeps=keeps) for _ in range(2)]


def files(asked: list[Asked]) -> list[str]:
    """The page's own files among requests."""
    return [found[1] for each in asked if (found := _FILE.fullmatch(each.path))]


def of_the_page(made: Visit) -> list[str]:
    """The paths of what was asked for of the page itself, and not for what it shows."""
    own = [each.path for each in made.needed if not each.path.startswith("/v1/")]
    return [*own, *(path for path in made.beside if path != WORKER)]


def document(behind: Behind, path: str) -> str:
    """A document as a reader of English gets it."""
    return httpx.get(f"{behind.service}{path}", headers={"accept-language": "en"}).text


def named_at_once(text: str) -> set[str]:
    """The chunks that a document says that its page needs at once."""
    return {"main.js", *_LINK.findall(_LATER.sub("", text))}


def misses(first: Visit, second: Visit, bars: dict[str, float]) -> list[str]:
    """The bars that two visits miss."""
    found = [
        f"{least_seconds(first.needed, network):.2f} s at {network.name}"
        for network in (NEAR, FAST_3G)
        if least_seconds(first.needed, network) > bars[network.name]
    ]
    if any(least_seconds(second.needed, network) > AGAIN_S for network in (NEAR, FAST_3G)):
        found.append("too slow the second time")
    again = {WORKER, *of_the_page(second)}
    if len(again) > MOST_AGAIN:
        found.append(f"asks for {len(again)} things again")
    return found


def test_the_lobby_comes_in_three_round_trips_and_the_second_time_in_one(behind: Behind) -> None:
    first, second = undisturbed(behind, "/", shows_lobby)
    assert misses(first, second, LOBBY_S) == []
    assert round_trips(first.needed) == 3  # document, files, lists
    assert first.beside == [WORKER, "/"]  # once it stands
    assert round_trips(second.needed) == 1  # lists
    assert of_the_page(second) == ["/"]
    assert {each.protocol for each in first.needed} == {"h2"}
    asked = files(first.needed)
    assert {path for path in asked if path.endswith(".js")} == named_at_once(document(behind, "/"))
    assert len(asked) == len(set(asked))
    assert not [path for path in asked if re.match(r"games/\w+/(board|fold)/", path)]
    assert {
        path.split("/")[1] for path in asked if path.startswith("games/") and path.count("/") > 1
    } == set(behind.tables)  # which the lobby invites to, each in its own words


@pytest.mark.parametrize("which", [0, 1])
def test_a_table_loads_its_own_game_and_no_other(behind: Behind, which: int) -> None:
    game, table = list(behind.tables.items())[which]
    path = f"/watch/{table}"
    first, second = undisturbed(behind, path, shows_board, AFTERWARDS)
    assert misses(first, second, TABLE_S) == []
    assert round_trips(first.needed) == 3  # document, files, what they ask the service
    assert round_trips(second.needed) == 1
    assert of_the_page(second) == [path]
    asked = files(first.needed)
    assert f"games/{game}/game.js" in asked
    assert {
        each.split("/")[1] for each in asked if each.count("/") > 1 and each.startswith("games/")
    } == {game}
    assert {each for each in asked if each.endswith(".js")} == named_at_once(document(behind, path))
    assert len(asked) == len(set(asked))


def test_without_service_workers_every_visit_waits_for_its_document(behind: Behind) -> None:
    """Which is what the bars are there to notice."""
    first, second = undisturbed(behind, "/", shows_lobby, keeps=False)
    assert [round_trips(each.needed) for each in (first, second)] == [3, 2]
    assert of_the_page(second) == ["/"]
    assert misses(first, second, LOBBY_S) == ["too slow the second time"]


SHOWN: Final = """
  new MutationObserver((_, observer) => {
    if (document.querySelector(".watch[data-version] .stage svg")) {
      performance.mark("shown");
      observer.disconnect();
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""
EARLY: Final = r"""
  () => {
    const [{ startTime: shown }] = performance.getEntriesByName("shown");
    const files = performance.getEntriesByType("resource");
    const late = files.filter(({ name }) => /(extras|away|rematch|talk\/\w+)\.js$/.test(name));
    const early = late.filter(({ startTime }) => startTime < shown).map(({ name }) => name);
    return late.some(({ name }) => name.endsWith("/extras.js")) ? { early } : null;
  }
"""


def early(context: BrowserContext, path: str) -> list[str]:
    """The files of what is loaded later that were asked for before the board stood."""
    page = context.new_page()
    page.add_init_script(SHOWN)
    page.goto(path)
    shows_board(page)
    told = page.wait_for_function(EARLY).json_value()
    page.close()
    return list(told["early"])


def is_told(route: Route, document: str) -> None:
    """Answer with another document."""
    route.fulfill(content_type="text/html", body=document)


def test_what_nobody_waits_for_is_asked_for_once_the_board_stands(
    behind: Behind, context: BrowserContext
) -> None:
    path = f"/watch/{next(iter(behind.tables.values()))}"
    assert early(context, path) == []
    # A planted fault: the document names it at once.
    text = document(behind, path)
    place = re.search(r"/assets/[0-9a-f]{24}/", text)
    assert place is not None
    named = f'<link rel="modulepreload" href="{place[0]}chunks/watch/extras.js" /></head>'
    planted = text.replace("</head>", named, 1)
    context.route(f"{behind.url}{path}", lambda route: is_told(route, planted))
    assert [Path(each).name for each in early(context, path)] == ["extras.js"]


# By day the test of a browser without service workers shows that missed bars are noticed.
@pytest.mark.nightly
def test_files_that_the_document_forgets_are_noticed(
    behind: Behind, context: BrowserContext
) -> None:
    """A planted fault: a document that leaves it to its modules to tell what they import."""
    link = re.compile(r'<link rel="modulepreload" href="[^"]*" />')
    text, changes = link.subn("", document(behind, "/"))
    assert changes > 1
    context.route(f"{behind.url}/", lambda route: is_told(route, text))
    page = context.new_page()
    recording = Recording(page, FAST_3G)
    page.goto("/", wait_until="commit")
    shows_lobby(page)
    asked = recording.over_the_network
    assert "lobby/lobby.js" in set(files(asked))
    assert "lobby/lobby.js" not in named_at_once(text)
    assert round_trips(asked) > 3


# By day as the test before this one.
@pytest.mark.nightly
def test_a_file_that_may_not_be_kept_is_noticed(
    driver: Playwright, service: Service, tmp_path: Path
) -> None:
    tables(service.url)  # a lobby without any would never be shown
    with Front(service.port, tmp_path, spoilt=".css") as front:
        browser = launched(driver, front.trust)
        context = browser.new_context(base_url=front.url)
        first, second = visits(context, "/", shows_lobby, NEAR)
        browser.close()
    assert "asks for" in " ".join(misses(first, second, LOBBY_S))
    assert {Path(path).suffix for path in of_the_page(second)} == {"", ".css"}


def test_a_page_whose_release_has_gone_is_loaded_anew_where_one_was_going(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada")
    ada.allow("404")
    page = ada.opens("/")
    shows = page.locator("#top nav")
    expect(shows).to_be_visible()
    expect(page.locator("h1")).to_be_visible()
    gone: list[str] = []

    asked: list[str] = []

    def answers(route: Route) -> None:
        if "HEAD" in asked:  # the page knows that its release has gone
            route.continue_()
            return
        asked.append(route.request.method)
        gone.append(route.request.url)
        route.fulfill(status=404, content_type="application/problem+json", body="{}")

    page.route("**/assets/**", answers)
    page.locator("#top a[href='/?page=new']").click()
    expect(page.locator(".new-table h1")).to_be_visible()
    assert page.url.endswith("/?page=new")
    assert any(each.endswith("/main.js") for each in gone)
    kind = "() => performance.getEntriesByType('navigation')[0].type"
    assert page.evaluate(kind) == "reload"


def test_without_the_service_one_is_told_so_and_nothing_is_loaded_anew(
    person: Callable[..., Person],
) -> None:
    ada = person("Ada")
    ada.allow("ERR_FAILED|Failed to fetch|could not be loaded|Failed to load")
    page = ada.opens("/")
    expect(page.locator("h1")).to_be_visible()
    page.route("**/assets/**", lambda route: route.abort())
    page.locator("#top a[href='/?page=new']").click()
    expect(page.locator(".failure button")).to_be_visible()
    page.unroute("**/assets/**")
    page.locator(".failure button").click()
    expect(page.locator(".new-table h1")).to_be_visible()
