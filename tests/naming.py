"""Names a store as the service does at its first start, for tests that have no service yet."""

from __future__ import annotations

from typing import Final

from events.clients import Client
from events.identity import Identities
from events.keys import KeyRing
from events.layout import Layout

STORE: Final = "0123456789abcdef"
NAME: Final = f"{STORE}:1"
KEYS: Final = KeyRing({"k1": b"1" * 32}, "k1")


async def name_store(client: Client, layout: Layout, keys: KeyRing = KEYS) -> None:
    """Name an empty store."""
    identities = Identities(client, layout)
    assert await identities.found(STORE, keys, 1_700_000_000_000, "tests")
    await identities.name_new_shards(NAME)
