"""Sets a store back to what it was, as a failover or an old backup does."""

from __future__ import annotations

from typing import Any, cast

from events.clients import Client

Everything = dict[bytes, bytes]


async def everything(client: Client) -> Everything:
    """The whole store, key by key, as DUMP writes it."""
    raw = cast("Any", client)
    return {key: await raw.dump(key) for key in await raw.keys("*")}


async def set_back(client: Client, before: Everything) -> None:
    """Let the store hold this and nothing else."""
    raw = cast("Any", client)
    await raw.flushall()
    for key, value in before.items():
        await raw.restore(key, 0, value)
