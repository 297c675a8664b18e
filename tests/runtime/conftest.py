"""What several tests of the runtime need: a stage, a feed subscriber, a store of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from events.clients import Client
from events.log import StreamLog
from runtime.embedded.store import Store
from runtime.feed_subscriber import FeedSubscriber
from tests.runtime.stage import Stage


@pytest.fixture
def stage(client: Client, log: StreamLog) -> Stage:
    """A table service for the toy on an empty store, with a still clock."""
    return Stage(client, log)


@pytest.fixture
async def feed_subscriber(stage: Stage) -> AsyncIterator[FeedSubscriber]:
    """One that follows what is asked of it on the store of the stage."""
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    yield feed_subscriber
    await feed_subscriber.stop()


@pytest.fixture
def own_store(home: Path) -> Iterator[Store]:
    """A store that a test may kill."""
    with Store(home / "store") as store:
        yield store
