"""What several tests of the log need."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from events.clients import close_client, commands, listening
from events.log import StreamLog
from runtime.embedded.cluster import EmbeddedCluster
from tests.homes import passing_home


@pytest.fixture
async def second(store_url: str) -> AsyncIterator[StreamLog]:
    """The log as another process has it: clients of its own."""
    client, listener = commands(store_url), listening(store_url)
    yield StreamLog(client, listener, 4)
    await close_client(client)
    await listener.aclose()


@pytest.fixture(scope="session")
def cluster() -> Iterator[EmbeddedCluster]:
    """Three primaries for each worker of pytest that needs them; what is in them stays there."""
    # Nothing here survives the run, so nothing waits for a disk.
    with passing_home() as home, EmbeddedCluster(home, 3, 0, "appendfsync no") as running:
        yield running
