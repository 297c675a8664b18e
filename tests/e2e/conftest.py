"""Fixtures of the tests in a real browser. ``make e2e`` runs them; ``make test`` does not.

All are synchronous: no test here is a coroutine.

- ``browser``: one Chromium for each worker of pytest, which draws no pixels. PARLOUR_CHROMIUM
  names it, or it is the first of ``BROWSERS`` on the path; without any nothing runs.
  ``drawing_browser`` is one that draws, for pictures.
- ``modules``: a blank page (playwright's ``Page``) at which the modules under ``web/`` can be
  imported, by ``modules.evaluate('async (x) => (await import("/web/fold/fold.js")).f(x)', x)``.
  It needs no service, has the address of a secure place (crypto.subtle works) and the strict
  content policy of the page. ``own_modules`` is one for a test that changes what it imports.
- ``town_page(name, …)``: calls what the page's modules for Cerveauuu! offer to tests there
  (``tests.e2e.town_modules``).
- ``service``: the whole service (``tests.e2e.serving``), one for each worker of pytest, with no
  rate limit that a test could meet. Its lists hold the games of other tests too.
- ``own_service``: one for this test alone, to stop and start.
- ``client(name)``: a player over REST (``tests.e2e.clients``), who opens tables, sits down and
  plays; new, or with the ``token`` of one who is on the page. ``play_out`` and ``finished_game``
  beside it play whole games.
- ``person(name, look=…, url=…)``: a person with a window of their own, whose ``page`` is at the
  service (``tests.e2e.people``). At the end the test fails if anything went wrong in the browser
  that ``person.allow(pattern)`` had not announced. The window is as good as new, but may have been
  others' and have the page's modules still (``tests.e2e.windows``).
- ``returning(name)``: the same, with a browser that keeps documents for a second visit.
- ``programming(look=…)``: a page that asks for the first programmes (``tests.e2e.programming``).
- ``calling(look=…)``: a table that calls a person whose browser records it (``tests.e2e.calling``).
- ``finished``: a finished game of suspicion with four players, with its lines and its record; the
  same for all tests of a worker.
- ``wire(port)``: a proxy to listen to, cut or tamper with (``tests.e2e.wire``).

Waiting is done by playwright's ``expect``, which has ``PATIENCE_MS``; nothing sleeps.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page, Playwright, WebError, expect, sync_playwright

from tests.e2e.call_stacks import quicken
from tests.e2e.calling import Made, recorded_table
from tests.e2e.clients import Client, finished_game
from tests.e2e.folding import Call
from tests.e2e.people import DESKTOP, PATIENCE_MS, RETURNING, Look, Person
from tests.e2e.pins import BY_DAY, keys
from tests.e2e.programming import Programming, first_programmes
from tests.e2e.serving import Service
from tests.e2e.town_modules import calls
from tests.e2e.tree_server import tree_server
from tests.e2e.windows import Windows, notes_what_is_spoilt
from tests.e2e.wire import Wire

BROWSERS: Final = ("chromium-headless-shell", "chromium")
"""What Debian calls them. The first has no windows of its own, which the second draws for each
context of a test, though nobody sees them: a third of the time of all tests."""

FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
UNDRAWN: Final = "--force-gpu-mem-available-mb=0"
"""Leaves a browser no memory for pixels: it lays its pages out, moves and hits what is on them as
ever, but draws none, which was a sixth of what it takes to load a table."""

FINISHED: Final = "a finished game, 1"
LONG: Final = 200
"""Events that the game of ``finished`` has at least: tests go to versions of it by number."""

PLAIN: Final = Look(width=1280, height=720, motion="no-preference", language="en-US")
"""Of pages that show nothing: what a browser has by itself."""

expect.set_options(timeout=PATIENCE_MS)


def chromium() -> Path:
    """Where Chromium is.

    Raises:
        FileNotFoundError: nowhere.
    """
    named = os.environ.get("PARLOUR_CHROMIUM")
    for name in [named] if named else BROWSERS:
        if found := shutil.which(name):
            return Path(found)
    raise FileNotFoundError(
        f"no Chromium: PARLOUR_CHROMIUM names {named}, which cannot be run"
        if named
        else f"no Chromium: on Debian install the package {BROWSERS[0]} (and fonts-dejavu-core); "
        "elsewhere let PARLOUR_CHROMIUM name one"
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of our own."""
    parser.addoption(
        "--draws",
        default=BY_DAY,
        help="any text: games are dealt otherwise than under another one (tests/e2e/pins.py)",
    )
    parser.addoption("--latency", type=int, default=0, help="milliseconds more for each request")


def pytest_sessionstart() -> None:
    """Without a browser no test could say anything: end at once, and loudly."""
    try:
        chromium()
    except FileNotFoundError as error:
        pytest.exit(str(error), returncode=2)


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """Playwright itself."""
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as running:
        quicken(patched)
        notes_what_is_spoilt(patched)
        yield running


def launched(driver: Playwright, *flags: str) -> Browser:
    """A new Chromium, without a window; with more ``flags`` than all have."""
    return driver.chromium.launch(
        executable_path=chromium(), args=[*FLAGS, *flags], timeout=PATIENCE_MS
    )


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    """One Chromium, of whose pages there are no pictures."""
    with launched(driver, UNDRAWN) as running:
        yield running


@pytest.fixture(scope="module")
def drawing_browser(driver: Playwright) -> Iterator[Browser]:
    """One Chromium of whose pages there are."""
    with launched(driver) as running:
        yield running


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The whole service; whatever it logged was a warning at most."""
    with Service() as running:
        yield running


@pytest.fixture
def own_service() -> Iterator[Service]:
    """The same, for one test alone."""
    with Service() as running:
        yield running


@pytest.fixture(scope="session")
def draws(request: pytest.FixtureRequest) -> str:
    """What all pins begin with."""
    return str(request.config.getoption("--draws"))


@pytest.fixture
def client(
    service: Service, draws: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Client]]:
    """Makes players over REST; by their ``pin`` they and their games are the same in every run."""
    numbers = itertools.count()
    with ExitStack() as stack:

        def make(
            name: str, url: str = service.url, token: str | None = None, pin: str | None = None
        ) -> Client:
            number = next(numbers)
            own = f"{draws}/{pin or request.node.nodeid}/{number}"
            made = Client(url, name, token, keys(own))
            stack.callback(made.close)
            return made

        yield make


class Finished(Struct, frozen=True):
    """A game that has ended. ``lines`` are its public events, ``record`` its record file."""

    game: str
    lines: tuple[str, ...]
    record: str

    @property
    def last(self) -> int:
        """The last version."""
        return len(self.lines)

    @property
    def batch_ends(self) -> list[int]:
        """The versions at which a command had done all that it did."""
        begins = [v for v, line in enumerate(self.lines, 1) if '"batch":' in line]
        return [v - 1 for v in begins[1:]] + [self.last]

    @property
    def turns(self) -> list[int]:
        """The versions at which turns began."""
        return [v for v, line in enumerate(self.lines, 1) if '"type":"turn-began"' in line]


def _serves(client: Client, game: str) -> bool:
    """Whether a finished game is not a short one, and a guard was dealt in it."""
    state = client.ask(f"/games/{game}?as=full").json()["state"]
    roles = [each.get("role") for each in state["play"]["characters"].values()]
    return client.version(game) >= LONG and "guard" in roles


@pytest.fixture(scope="session")
def finished(service: Service, draws: str) -> Finished:
    """A game of suspicion that has ended, played by four at random; not a short one, with a guard.

    Of the roles for four one stays in the box, which may be the guard's.
    """
    with ExitStack() as stack:
        names = ("Ada", "Ben", "Cleo", "Dan")
        players = [
            Client(service.url, name, keys=keys(f"{draws}/{FINISHED}/{name}")) for name in names
        ]
        for player in players:
            stack.callback(player.close)
        while not _serves(players[0], game := finished_game(players, "suspicion")):
            pass
        lines = tuple(players[0].lines(game))
        return Finished(game, lines, players[0].ask(f"/games/{game}/record").text)


@pytest.fixture
def wire() -> Iterator[Callable[[int], Wire]]:
    """Lays wires to a port of this machine."""
    with ExitStack() as stack:
        yield lambda port: stack.enter_context(Wire(port))


@pytest.fixture(scope="session")
def latency(request: pytest.FixtureRequest) -> int:
    """How many milliseconds more each request of a window takes."""
    return int(request.config.getoption("--latency"))


@pytest.fixture(scope="session")
def windows(browser: Browser, service: Service, latency: int) -> Iterator[Windows]:
    """The windows that people use one after another."""
    made = Windows(browser, service.url, latency)
    yield made
    made.close()


@pytest.fixture
def person(
    windows: Windows,
    service: Service,
    wire: Callable[[int], Wire],  # noqa: ARG001 (people leave before their wires are taken down)
    draws: str,
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Person]]:
    """Brings people with browsers in, and asks in the end whether all went well."""
    here: list[Person] = []

    def come(
        name: str = "Ada",
        look: Look = DESKTOP,
        url: str = service.url,
        pin: str | None = None,
    ) -> Person:
        made = Person(windows.take(look, url), name)
        made.pin = f"{draws}/{pin or request.node.nodeid}/{name}"
        here.append(made)
        return made

    yield come
    for one in here:
        windows.give_back(one.leaves())
    assert [complaint for one in here for complaint in one.unexpected()] == []


@pytest.fixture
def returning(person: Callable[..., Person]) -> Callable[..., Person]:
    """Brings in people whose browsers keep documents."""
    return partial(person, look=RETURNING)


@pytest.fixture
def programming(
    person: Callable[..., Person], client: Callable[..., Client]
) -> Callable[..., Programming]:
    """Opens games at their first programmes."""
    return partial(first_programmes, person, client)


@pytest.fixture
def calling(person: Callable[..., Person], client: Callable[..., Client]) -> Callable[..., Made]:
    """Makes tables that call Ada once Bob has come."""
    return partial(recorded_table, person, client)


@pytest.fixture(scope="session")
def blanks(browser: Browser, latency: int) -> Iterator[Windows]:
    """The windows in which ``modules`` and ``own_modules`` are."""
    with tree_server() as url:
        made = Windows(browser, url, latency)
        yield made
        made.close()


@pytest.fixture(scope="session")
def imports(blanks: Windows) -> Iterator[tuple[Page, list[str]]]:
    """A blank page, the same for all tests of a worker, and what went wrong at it."""
    with _blank(blanks) as (page, failures):
        yield page, failures


@pytest.fixture
def modules(imports: tuple[Page, list[str]]) -> Iterator[Page]:
    """A blank page from which ``/web/…`` can be imported; modules that others imported are there.

    So a test leaves them as it found them; who cannot takes ``own_modules``.
    """
    page, failures = imports
    yield page
    assert failures == []


@pytest.fixture
def town_page(modules: Page) -> Call:
    """Calls a function of pages/cerveauuu.js."""
    return calls(modules)


@pytest.fixture
def own_modules(blanks: Windows) -> Iterator[Page]:
    """The same for one test alone: a document of its own, whose files the browser may have kept."""
    with _blank(blanks) as (page, failures):
        yield page
    assert failures == []


@contextmanager
def _blank(blanks: Windows) -> Iterator[tuple[Page, list[str]]]:
    window = blanks.take(PLAIN, blanks.url)
    failures: list[str] = []

    def fails(error: WebError) -> None:
        failures.append(str(error.error))

    window.context.on("weberror", fails)
    window.page.goto("/")
    yield window.page, failures
    window.context.cookies()  # once this is answered, all that went wrong before has been heard
    window.context.remove_listener("weberror", fails)
    blanks.give_back(window)
