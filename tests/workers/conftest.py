"""A stage for every test of the workers; a process that appends, and what ships its store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from events.clients import Client
from events.log import StreamLog
from tests.runtime.stage import Stage
from tests.workers.shipping import Heads, Process, process, shipper
from workers.shipper import Shipper


@pytest.fixture
def stage(client: Client, log: StreamLog) -> Stage:
    """A table service for the toy on an empty store, with a still clock."""
    return Stage(client, log)


@pytest.fixture
async def here(log: StreamLog, store_url: str, tmp_path: Path) -> AsyncIterator[Process]:
    """A process on a store that has a name."""
    assert log.layout.shards
    async with process(store_url, tmp_path, Heads()) as made:
        yield made


@pytest.fixture
async def ships(log: StreamLog, store_url: str, tmp_path: Path) -> AsyncIterator[Shipper]:
    """What ships that store."""
    assert log.layout.shards
    async with shipper(store_url, tmp_path) as made:
        yield made
