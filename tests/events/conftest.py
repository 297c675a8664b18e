"""What several tests of the log need."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from events.clients import commands, listening
from events.log import StreamLog


@pytest.fixture
async def second(store_url: str) -> AsyncIterator[StreamLog]:
    """The log as another process has it: clients of its own."""
    client, listener = commands(store_url), listening(store_url)
    yield StreamLog(client, listener, 4)
    await client.aclose()
    await listener.aclose()
