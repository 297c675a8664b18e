"""A service in the test's own loop, on an empty store; and one in a process of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from runtime.embedded.store import Store
from tests.homes import passing_home
from tests.service.live import Live, live
from tests.service.stage import Stage, stage


@pytest.fixture
async def on(store_url: str) -> AsyncIterator[Stage]:
    """The service, with a clock in our hand."""
    async with stage(store_url) as made:
        yield made


@pytest.fixture(scope="session")
def usual() -> Iterator[Live]:
    """A process with the usual settings, for those who neither stop it nor count what it holds.

    It has a store of its own, which is not emptied between tests.
    """
    with (
        passing_home() as home,
        Store(home / "store", "appendfsync no") as store,
        live(store.url) as running,
    ):
        yield running
