"""Sets a store back to what it was, as a failover or an old backup does."""

from __future__ import annotations

from typing import Any

from redis.asyncio import Redis

from events.clients import Client

Everything = dict[bytes, bytes]


def unlimited_client(client: Client) -> Redis:
    """Another client of one of our stores, as the user who may do everything."""
    assert isinstance(client, Redis)
    return Redis(unix_socket_path=client.connection_pool.connection_kwargs["path"])


async def everything(client: Client) -> Everything:
    """The whole store, key by key, as DUMP writes it."""
    async with unlimited_client(client) as raw:
        keys: list[Any] = await raw.keys("*")
        return {key: await raw.dump(key) or b"" for key in keys}


async def set_back(client: Client, before: Everything) -> None:
    """Let the store hold this and nothing else."""
    async with unlimited_client(client) as raw:
        await raw.flushall()
        for key, value in before.items():
            await raw.restore(key, 0, value)
