"""What tests of several folders need: a store of our own, clients, a log."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import redis
import uvloop
from hypothesis import settings
from redis.asyncio import Redis

from events import clients, sentinels
from events.clients import Client, close_client, commands, listening
from events.log import StreamLog
from runtime.embedded.store import Store
from tests import importing
from tests.asked_for import is_asked_for
from tests.homes import passing_home
from tests.lossy import Lossy
from tests.naming import name_store
from tests.simulator.pinned import PINS, Pins

SHARDS = 4
_SELDOM = (100_000, 20, 50)
"""The thresholds of the collector of garbage, as in the service."""

_APART = (
    (
        "system",
        "NO WHOLE SERVICE WAS STARTED",
        "Nothing here has killed, cut off or copied one. `make system` does.",
    ),
    (
        "tests/e2e/",
        "BROWSER TESTS DID NOT RUN",
        "Nothing here has opened the page. `make e2e` does, in a real Chromium.",
    ),
    (
        "tests/contract/",
        "NO CLIENT WAS GENERATED",
        "Nothing here has read the document as generators do. `make contract` does, by four.",
    ),
    (
        "tests/faults/",
        "THE CATALOGUE OF FAULTS DID NOT RUN",
        "Nothing here has broken a whole service. `make faults-short` does, with controls.",
    ),
    (
        "tests/page/",
        "THE PAGE WAS NOT TYPE-CHECKED",
        "Nothing here has read the page's modules as a compiler does. `make web-check` does.",
    ),
)
"""Tests that are run by a command of their own: mark or folder, and what is said without them."""

# A busy machine is no bug: what a test may take is nobody's promise.
settings.register_profile("parlour", deadline=None)
settings.load_profile("parlour")


# Who stalls for five seconds may be a busy machine and not the store. What becomes of a call that
# has no answer in time is tested where it is meant, with a time of its own.
clients._SOCKET_SECONDS = 60
sentinels.WATCHER_S = 60


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of our own."""
    parser.addoption(
        "--pin-games",
        action="store_true",
        help="search the games in which planted faults bite, and keep their places",
    )


def pytest_configure() -> None:
    """Let the collector of garbage look seldom: to collect tests makes objects that all stay."""
    gc.set_threshold(*_SELDOM)


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], uvloop.Loop]]:
    """What is asynchronous runs on the loop on which the service runs."""
    return {"uvloop": uvloop.new_event_loop}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules alone of which no test will run: each worker would import them all."""
    if collection_path.suffix != ".py" or is_asked_for(collection_path, config.option.markexpr):
        return None
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker import a share of the modules before it collects all.

    Whoever imports a module first rewrites its assertions and compiles it, and the others find it
    done. In a fresh clone all workers would else do that for every module, at the same time.
    """
    config = session.config
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    if worker is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
    for name in importing.share(importing.modules_of(config), number, workers):
        with suppress(Exception):  # it is imported again to be collected, and its error told there
            import_module(name)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the modules that take long: the last of them would let other workers wait."""
    slow = {_module(item) for item in items if item.get_closest_marker("slow") is not None}
    items.sort(key=lambda item: _module(item) not in slow)


def _module(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Spare the collector what is there for the whole run: seven thousand tests, all modules."""
    _look_once()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Spare it what a run has kept: from here on pytest has it look five times."""
    _look_once()


def _look_once() -> None:
    """Give back what nobody holds any more, and have the collector pass over the rest."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Tell the seed of a run that failed, and what is tested elsewhere."""
    if any(terminalreporter.stats.get(what) for what in ("failed", "error")):
        seed = config.getoption("randomly_seed", default=None)
        terminalreporter.write_line(
            f"to have this order and these draws again: --randomly-seed={seed}"
        )
    reports = [r for reports in terminalreporter.stats.values() for r in reports]
    _tell_searches(terminalreporter, config, reports)
    if any(_is_of(report, place) for report in reports for place, _, _ in _APART):
        return  # somebody asked for these, and not for the others
    for _, title, text in _APART:
        terminalreporter.write_sep("!", title, yellow=True, bold=True)
        terminalreporter.write_line(text)


def _is_of(report: Any, place: str) -> bool:
    """Whether a report is of a test with this mark or in this folder; a warning is of none."""
    return place in getattr(report, "keywords", ()) or getattr(report, "nodeid", "").startswith(
        place
    )


def _tell_searches(
    reporter: pytest.TerminalReporter, config: pytest.Config, reports: list[Any]
) -> None:
    """Keep in which games planted faults bite, or say that somebody should."""
    told = [pair for report in reports for pair in getattr(report, "user_properties", [])]
    found: Pins = dict(value for name, value in told if name == "searched")
    if not config.getoption("pin_games"):
        for test in sorted(found):
            reporter.write_line(f"its pin says nothing, look anew by --pin-games: {test}")
        return
    ran = {r.nodeid.removeprefix("tests/simulator/") for r in reports if hasattr(r, "nodeid")}
    pins: Pins = json.loads(PINS.read_text())
    pins = {test: places for test, places in pins.items() if test not in ran} | found
    PINS.write_text(json.dumps(pins, indent=1, sort_keys=True) + "\n")


Sometimes = Callable[[str, int], None]
"""Called with something that a test wants to have met, and how often it has."""


@pytest.fixture
def sometimes(record_property: Callable[[str, object], None]) -> Sometimes:
    """Tell that something really happened, for the catalogue of faults; never is a failure."""

    def tell(what: str, times: int) -> None:
        assert times > 0, f"it never happened: {what}"
        record_property(f"sometimes:{what}", times)

    return tell


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of the test's own, whose path is short enough for the socket of a store."""
    with passing_home() as folder:
        yield folder


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """Whoever runs the tests, what is made is open to others if nobody sees to it.

    A command that sets a mask of its own is undone as well.
    """
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def lossy(home: Path) -> Iterator[Lossy]:
    """A store that runs, and can be set back."""
    made = Lossy(home)
    made.store.start()
    try:
        yield made
    finally:
        made.store.stop()


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """One store for each worker of pytest, in a short path of its own."""
    # Nothing here survives the run, so nothing waits for a disk; durability has its own tests.
    with passing_home() as home, Store(home / "store", "appendfsync no") as running:
        yield running


@pytest.fixture(scope="session")
def emptier(store: Store) -> Iterator[redis.Redis]:
    """Who empties the store, connected once: to connect takes ten times as long as to empty it."""
    with redis.Redis.from_url(store.admin_url) as client:
        yield client


@pytest.fixture
def store_url(store: Store, emptier: redis.Redis) -> str:
    """The url of the store, which is empty when a test begins."""
    emptier.flushall()
    return store.url


@pytest.fixture
async def client(store_url: str) -> AsyncIterator[Client]:
    """A client for short calls."""
    made = commands(store_url)
    yield made
    await close_client(made)


@pytest.fixture
async def admin(store: Store, store_url: str) -> AsyncIterator[Redis]:
    """A client that may do everything, also what the service must not: to tamper, to look in."""
    del store_url  # it empties the store
    async with Redis.from_url(store.admin_url) as made:
        yield made


@pytest.fixture
async def log(client: Client, store_url: str) -> AsyncIterator[StreamLog]:
    """A log of four shards, in a store that has a name."""
    listener = listening(store_url)
    made = StreamLog(client, listener, SHARDS)
    await name_store(client, made.layout)
    yield made
    await listener.aclose()
