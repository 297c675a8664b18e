"""What tests of several folders need: a store of our own, clients, a log."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis
from hypothesis import settings

from events.clients import Client, commands, listening
from events.log import StreamLog
from ops.store import Store

SHARDS = 4
_BROWSER_TESTS = "tests/e2e/"

# A busy machine is no bug: what a test may take is nobody's promise.
settings.register_profile("room25", deadline=None)
settings.load_profile("room25")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell, whatever was run, if no browser has looked at the page."""
    reports = [r for reports in terminalreporter.stats.values() for r in reports]
    if not any(getattr(r, "nodeid", "").startswith(_BROWSER_TESTS) for r in reports):
        terminalreporter.write_sep("!", "BROWSER TESTS DID NOT RUN", yellow=True, bold=True)
        terminalreporter.write_line(
            "Nothing here has opened the page. `make e2e` does, in a real Chromium."
        )


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """One store for each worker of pytest, in a short path of its own."""
    home = Path(tempfile.mkdtemp(prefix="r25-"))
    try:
        # Nothing here survives the run, so nothing waits for a disk; durability has its own tests.
        with Store(home / "store", "appendfsync no") as running:
            yield running
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def store_url(store: Store) -> str:
    """The url of the store, which is empty when a test begins."""
    with redis.Redis.from_url(store.url) as client:
        client.flushall()
    return store.url


@pytest.fixture
async def client(store_url: str) -> AsyncIterator[Client]:
    """A client for short calls."""
    made = commands(store_url)
    yield made
    await made.aclose()


@pytest.fixture
async def log(client: Client, store_url: str) -> AsyncIterator[StreamLog]:
    """A log of four shards."""
    listener = listening(store_url)
    yield StreamLog(client, listener, SHARDS)
    await listener.aclose()
