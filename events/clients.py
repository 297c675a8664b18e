"""Clients of the store, and the check that it keeps acknowledged writes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.driver_info import DriverInfo
from redis.exceptions import RedisClusterException, RedisError

from events.connections import as_text, of_ours
from events.logger import get_logger
from events.places import Place, address_of, read_places
from events.sentinels import (
    Primary,
    WatchedConnection,
    WatchedTlsConnection,
    is_watched,
    read_watched,
)
from events.tasks import end_tasks

Client: TypeAlias = "Redis | RedisCluster"
"""A client of one store or of a cluster; it belongs to one event loop and returns bytes."""

CLUSTER: Final = "redis+cluster://"
"""The scheme of a cluster's URL, which names some of its nodes, with commas between them."""

TLS_CLUSTER: Final = "rediss+cluster://"
"""The same over TLS, to every node."""

NO_ANSWER: Final = (RedisError, RedisClusterException, OSError)
"""What is raised where a store, a cluster or one of its nodes does not answer properly."""

_DURABLE: Final = {
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "maxmemory-policy": "noeviction",
}
_CLUSTER_FORM: Final = re.compile(
    r"(?P<scheme>rediss?)\+cluster://(?P<user>[^/]*@)?(?P<places>[^@/?]+)(?P<rest>.*)"
)
_PORT: Final = 6379
_CONNECTIONS = 16
_CALLS: Final = WeakKeyDictionary[Client, set[asyncio.Task[None]]]()
_SOCKET_SECONDS = 5
_POOL_SECONDS = 2
_PING_SECONDS = 15
_DRIVER = DriverInfo()
"""What redis says of itself to the store; for each client it would look its version up again."""
_log = get_logger(__name__)


class LossyStoreError(RuntimeError):
    """The store is configured so that it may lose acknowledged events."""


def is_cluster(url: str) -> bool:
    """Whether a URL names a cluster."""
    return url.startswith((CLUSTER, TLS_CLUSTER))


def has_replicas(url: str) -> bool:
    """Whether a URL names a store of several machines, of which one may take over from another."""
    return is_cluster(url) or is_watched(url)


def of_one_node(url: str) -> str:
    """A URL as redis-py knows it, which has no schemes for clusters and for Sentinel.

    Raises:
        ValueError: it names watchers, or nodes of a cluster, in a form that is not theirs.
    """
    if is_watched(url):
        return read_watched(url).store_url
    if is_cluster(url):
        return _with_place(url, places_of(url)[0])
    return url


def each_node(url: str) -> dict[str, str]:
    """The nodes of a cluster that its URL names, each by its place, with a URL of its own.

    Raises:
        ValueError: it does not name them by host and port.
    """
    return {address_of(place): _with_place(url, place) for place in places_of(url)}


def places_of(url: str) -> tuple[Place, ...]:
    """Where the nodes of a cluster are that its URL names.

    Raises:
        ValueError: it does not name them by host and port.
    """
    found = _CLUSTER_FORM.fullmatch(url)
    if found is None:
        raise ValueError("it is no cluster's")
    return read_places(found["places"], _PORT)


def _with_place(url: str, place: Place) -> str:
    """A cluster's URL as redis-py knows it, with one of its places alone."""
    found = _CLUSTER_FORM.fullmatch(url)
    assert found is not None, "its places have been read"
    return f"{found['scheme']}://{found['user'] or ''}{address_of(place)}{found['rest']}"


def _never() -> Retry:
    """A write that timed out may have happened, so the client must never retry it by itself."""
    return Retry(NoBackoff(), 0)


def commands(url: str) -> Client:
    """A client for short calls: it waits for a free connection and never sends a call twice."""
    if is_cluster(url):
        return _cluster(url, _SOCKET_SECONDS)
    pool = BlockingConnectionPool(
        max_connections=_CONNECTIONS,
        timeout=_POOL_SECONDS,
        retry=_never(),
        socket_timeout=_SOCKET_SECONDS,
        driver_info=_DRIVER,
        **_options(url),
    )
    return Redis.from_pool(pool)


def listening(url: str) -> Client:
    """A client for bells, whose connections may wait as long as they like.

    It speaks RESP2, in which a connection with subscriptions says everything as an answer.
    """
    if is_cluster(url):
        return _cluster(url, None, protocol=2)
    pool = ConnectionPool(
        retry=_never(),
        socket_timeout=None,
        health_check_interval=_PING_SECONDS,
        driver_info=_DRIVER,
        protocol=2,
        **_options(url),
    )
    return Redis.from_pool(pool)


def _options(url: str) -> dict[str, Any]:
    """What a URL says of the connections to one store."""
    options: dict[str, Any] = dict(parse_url(of_one_node(url)))
    if is_watched(url):
        store = read_watched(url)
        options["connection_class"] = WatchedTlsConnection if store.tls else WatchedConnection
        options["primary"] = Primary(store)
        return options
    return options | {"connection_class": of_ours(options.get("connection_class", Connection))}


def calls_of(client: Client) -> set[asyncio.Task[None]]:
    """The calls under way through a client that go on when nobody waits for them any more.

    Whoever starts one enters it here, and takes it out when it has ended.
    """
    return _CALLS.setdefault(client, set())


async def close_client(client: Client) -> None:
    """Close a client, and before that end the calls under way through it.

    One that went on would open connections after the closing, which nobody would close.
    """
    await asyncio.sleep(0)  # in which calls that have gathered are sent
    await end_tasks(*calls_of(client))
    await client.aclose()


@asynccontextmanager
async def commanding(url: str) -> AsyncIterator[Client]:
    """``commands(url)``, closed at the end."""
    client = commands(url)
    try:
        yield client
    finally:
        await close_client(client)


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[tuple[Client, Client]]:
    """``commands(url)`` and ``listening(url)``, both closed at the end."""
    async with commanding(url) as client:
        listener = listening(url)
        try:
            yield client, listener
        finally:
            await listener.aclose()


class _ClusterClient(RedisCluster):
    """redis-py's client of a cluster, with our connections; it can be closed at any time."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 (redis-py's own)
        super().__init__(**options)
        kind = of_ours(self.connection_kwargs["connection_class"])
        self.connection_kwargs["connection_class"] = kind  # of the nodes that it will find
        for node in self.startup_nodes:
            node.connection_class = kind  # type: ignore[assignment]  # its stub knows TCP alone

    async def aclose(self) -> None:
        """Close all connections.

        After a call that failed, redis-py takes itself for a client that was never opened, and
        leaves its connections to the collector.
        """
        await super().aclose()
        await self.nodes_manager.aclose()
        await self.nodes_manager.aclose("startup_nodes")


def _cluster(url: str, socket_timeout: float | None, protocol: int = 3) -> RedisCluster:
    # Redirections of a moved slot are still followed: the node that redirects has done nothing. A
    # redirection corrects what is known of its slot; to forget everything now and then, as redis-py
    # would, ends the calls under way to all nodes.
    _, *others = places_of(url)
    return _ClusterClient.from_url(
        of_one_node(url),
        startup_nodes=[ClusterNode(*place) for place in others],
        retry=_never(),
        socket_timeout=socket_timeout,
        protocol=protocol,
        reinitialize_steps=0,
    )


async def require_durable(client: Client, *, allow_lossy: bool = False) -> list[str]:
    """Refuse a store that may lose data; with ``allow_lossy``, return what is wrong instead.

    Raises:
        LossyStoreError: the store, or a primary of the cluster, may lose acknowledged events, or
            does not say; the message names each fault and its remedy.
    """
    try:
        faults = await _all_faults(client)
    except NO_ANSWER as error:
        faults = [f"the store does not tell its configuration ({error})"]
    faults = sorted(set(faults))
    if faults and not allow_lossy:
        raise LossyStoreError("this store may lose games: " + "; ".join(faults))
    for fault in faults:
        _log.warning("lossy_store_allowed", fault=fault)
    return faults


async def durable_faults(node: Any) -> list[str]:  # noqa: ANN401 (a client, or a node of redis-py's cluster)
    """What in the configuration of one node may lose acknowledged events, and the remedies.

    Raises:
        NO_ANSWER: it does not answer, or does not tell.
    """
    return _faults(await config_of(node, *_DURABLE))


async def config_of(node: Any, *names: str) -> dict[str, str]:  # noqa: ANN401 (as above)
    """Some of the configuration of one node.

    Raises:
        NO_ANSWER: it does not answer, or does not tell.
    """
    return texts_of(await node.execute_command("CONFIG GET", *names))


async def primaries_of(client: Client) -> list[Any]:
    """The store itself, or each primary of a cluster.

    Raises:
        NO_ANSWER: the cluster does not answer.
    """
    if not isinstance(client, RedisCluster):
        return [client]
    await client.initialize()
    return list(client.get_primaries())


async def _all_faults(client: Client) -> list[str]:
    """Those of the store, or of each primary."""
    nodes = await primaries_of(client)
    return [fault for node in nodes for fault in await durable_faults(node)]


def texts_of(fields: Any) -> dict[str, str]:  # noqa: ANN401 (as redis-py types answers)
    """Names and values, in any form in which a client returns them, as strings."""
    pairs = (
        fields.items() if isinstance(fields, dict) else zip(fields[::2], fields[1::2], strict=True)
    )
    return {as_text(name): as_text(value) for name, value in pairs}


def _faults(config: dict[str, str]) -> list[str]:
    return [
        f"{name} is {config.get(name, 'unknown')!r}, set it to {value!r}"
        for name, value in _DURABLE.items()
        if config.get(name) != value
    ]
