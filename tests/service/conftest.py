"""A service in the test's own loop, on an empty store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.service.stage import Stage, stage


@pytest.fixture
async def on(store_url: str) -> AsyncIterator[Stage]:
    """The service, with a clock in our hand."""
    async with stage(store_url) as made:
        yield made
