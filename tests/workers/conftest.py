"""A stage for every test of the workers."""

from __future__ import annotations

import pytest

from events.clients import Client
from events.log import StreamLog
from tests.projections.stage import Stage


@pytest.fixture
def stage(client: Client, log: StreamLog) -> Stage:
    """A desk for the toy on an empty store, with a still clock."""
    return Stage(client, log)
