"""A stage for every test of the workers."""

from __future__ import annotations

import pytest

from events.clients import Client
from events.log import StreamLog
from tests.runtime.stage import Stage


@pytest.fixture
def stage(client: Client, log: StreamLog) -> Stage:
    """A table service for the toy on an empty store, with a still clock."""
    return Stage(client, log)
