"""A connection whose transport has been closed is a lost connection, over whatever it went."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from redis.asyncio import ConnectionPool, Redis, RedisCluster, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection
from redis.exceptions import ConnectionError as LostConnection

from events.clients import Client, close_client, commands, listening
from events.connections import (
    SocketStoreConnection,
    StoreConnection,
    TlsStoreConnection,
    of_ours,
)
from events.sentinels import WatchedConnection, WatchedTlsConnection
from tests.unlimited import unlimited


async def closed(store_url: str, kind: type[AbstractConnection]) -> AbstractConnection:
    """A connection to the store that still believes to be one."""
    pool = ConnectionPool.from_url(unlimited(store_url))
    assert pool.connection_class is UnixDomainSocketConnection
    connection = kind(**pool.connection_kwargs)
    await connection.connect()
    writer = connection._writer  # noqa: SLF001 (no one else can close it under the connection)
    assert writer is not None
    writer.transport.abort()
    for _ in range(3):
        await asyncio.sleep(0)
    assert connection.is_connected
    return connection


async def test_to_send_over_it_is_to_have_lost_it(store_url: str) -> None:
    connection = await closed(store_url, SocketStoreConnection)
    with pytest.raises(LostConnection):
        await connection.send_command("PING")
    assert not connection.is_connected
    await connection.send_command("PING")
    assert await connection.read_response() in {b"PONG", "PONG"}
    await connection.disconnect()


async def test_without_ours_it_is_what_no_caller_expects(store_url: str) -> None:
    """The control."""
    connection = await closed(store_url, UnixDomainSocketConnection)
    with pytest.raises(RuntimeError, match="closed"):
        await connection.send_command("PING")
    await connection.disconnect()


async def test_so_it_is_when_another_closes_it_while_one_sends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when another task finds out that the node has left the cluster."""
    monkeypatch.setattr(Connection, "is_connected", True)  # it was when this one looked
    with pytest.raises(LostConnection, match="'NoneType' object"):
        await StoreConnection().send_command("PING", check_health=False)
    with pytest.raises(AttributeError, match="'NoneType' object"):
        await Connection().send_command("PING", check_health=False)  # the control


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://h", StoreConnection),
        ("rediss://h", TlsStoreConnection),
        ("unix:///s", SocketStoreConnection),
        ("redis+sentinel://h/service", WatchedConnection),
        ("rediss+sentinel://h/service", WatchedTlsConnection),
    ],
)
@pytest.mark.parametrize("opened", [commands, listening])
async def test_every_client_of_a_store_has_ours(
    opened: Callable[[str], Client], url: str, kind: type[AbstractConnection]
) -> None:
    client = opened(url)
    assert isinstance(client, Redis)
    assert client.connection_pool.connection_class is kind
    assert kind.send_packed_command is StoreConnection.send_packed_command
    await close_client(client)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis+cluster://h:1,i:2", StoreConnection),
        ("rediss+cluster://h:1,i:2", TlsStoreConnection),
    ],
)
@pytest.mark.parametrize("opened", [commands, listening])
async def test_every_node_of_a_cluster_has_ours(
    opened: Callable[[str], Client], url: str, kind: type[AbstractConnection]
) -> None:
    client = opened(url)
    assert isinstance(client, RedisCluster)
    assert len(client.startup_nodes) == 2
    assert {node.connection_class for node in client.startup_nodes} == {kind}
    assert client.nodes_manager.connection_kwargs["connection_class"] is kind
    await close_client(client)


@pytest.mark.parametrize("kind", [Connection, SSLConnection, UnixDomainSocketConnection])
def test_ours_is_one_of_theirs(kind: type[AbstractConnection]) -> None:
    assert issubclass(of_ours(kind), kind)


async def test_a_pipeline_is_sent_without_a_task_of_its_own(store_url: str) -> None:
    """Who sends it has a time limit for it and its answers."""
    pool = ConnectionPool.from_url(unlimited(store_url), socket_timeout=5)
    connection: AbstractConnection = SocketStoreConnection(**pool.connection_kwargs)
    await connection.connect()
    loop, begun = asyncio.get_running_loop(), 0

    def counting(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        nonlocal begun
        begun += 1
        return asyncio.Task(coro, loop=loop, **options)

    loop.set_task_factory(counting)
    try:
        await connection.send_packed_command(b"*1\r\n$4\r\nPING\r\n" * 2)
        assert begun == 0
        await connection.send_packed_command([b"*1\r\n$4\r\nPING\r\n"])
        assert begun == 1  # redis-py's own way
    finally:
        loop.set_task_factory(None)
    for _ in range(3):
        assert await connection.read_response() in {b"PONG", "PONG"}
    await connection.disconnect()


@pytest.mark.parametrize("kind", [SocketStoreConnection, StoreConnection])
async def test_to_send_a_pipeline_over_it_is_to_have_lost_it(
    store_url: str, kind: type[AbstractConnection], monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind is StoreConnection:  # another has closed it while this one sends
        monkeypatch.setattr(StoreConnection, "is_connected", True)
        connection: AbstractConnection = StoreConnection()
    else:
        connection = await closed(store_url, kind)
    with pytest.raises(LostConnection):
        await connection.send_packed_command(b"*1\r\n$4\r\nPING\r\n")
