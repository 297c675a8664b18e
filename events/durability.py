"""What the store is asked to promise of an acknowledged command, and whether it can."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Literal

from redis.asyncio import Redis, RedisCluster
from redis.exceptions import ResponseError

from events.clients import (
    NO_ANSWER,
    Client,
    LossyStoreError,
    config_of,
    durable_faults,
)

Durability = Literal["local", "replicated", "journaled"]
"""Where an acknowledged command is: on the disk of the primary (it survives ``kill -9`` and a loss
of power), on that of a replica as well (it survives the loss of one machine), or on that of the
primary and in the journal (it survives the loss of the whole store)."""

LEAST_REPLICAS: Final = "min-replicas-to-write"
_REPLICA_S: Final = 5


async def require_replicas(client: Client) -> None:
    """Refuse a store that cannot give the level ``replicated``.

    Raises:
        LossyStoreError: it cannot, or does not say; the message names each fault and its remedy.
    """
    try:
        if isinstance(client, RedisCluster):
            await client.initialize()
            nodes: list[tuple[str, Any, dict[str, Any]]] = [
                (f"the primary {node.name}", node, dict(node.connection_kwargs))
                for node in client.get_primaries()
            ]
        else:
            kwargs = dict(client.connection_pool.connection_kwargs)
            nodes = [("the primary", client, kwargs)]
        found = await asyncio.gather(*(_faults(*node) for node in nodes))
        faults = sorted({fault for each in found for fault in each})
    except NO_ANSWER as error:
        faults = [f"the store does not tell of its replicas ({error})"]
    if faults:
        raise LossyStoreError(
            "this store cannot promise that commands are replicated: " + "; ".join(faults)
        )


async def _faults(name: str, node: Any, kwargs: Mapping[str, Any]) -> list[str]:  # noqa: ANN401 (a client or a node of redis-py)
    """What keeps a primary from having commands replicated."""
    config = await config_of(node, LEAST_REPLICAS)
    faults = []
    if config.get(LEAST_REPLICAS, "0") == "0":
        faults.append(f"{LEAST_REPLICAS} of {name} is '0', set it to '1'")
    try:
        await node.execute_command("WAITAOF", 0, 0, 1)
    except ResponseError as refusal:
        faults.append(f"{name} does not know WAITAOF ({refusal}): Valkey or Redis 7.2 does")
    places = _replicas(await node.execute_command("INFO", "replication"))
    if not places:
        faults.append(f"{name} has no replica that is connected")
    for host, port in places:
        faults += await _faults_of_replica(host, port, kwargs)
    return faults


def _replicas(said: Any) -> list[tuple[str, int]]:  # noqa: ANN401 (as redis-py types answers)
    """Addresses of the replicas that a primary says are online."""
    if isinstance(said, (bytes, str)):
        text = said.decode() if isinstance(said, bytes) else said
        pairs = (line.partition(":") for line in text.splitlines())
        said = {name: value for name, _, value in pairs}
    found = []
    for number in range(int(said.get("connected_slaves", 0))):
        each = said.get(f"slave{number}", {})
        if isinstance(each, str):
            each = dict(part.partition("=")[::2] for part in each.split(","))
        if each.get("state") == "online":
            found.append((str(each["ip"]), int(each["port"])))
    return found


async def _faults_of_replica(host: str, port: int, kwargs: Mapping[str, Any]) -> list[str]:
    """Why a replica would acknowledge what it may lose: ``WAITAOF`` asks it, and it would lie."""
    named = ("username", "password", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs")
    known = {name: kwargs[name] for name in named if kwargs.get(name) is not None}
    replica = Redis(
        host=host,
        port=port,
        ssl=any(name.startswith("ssl_") for name in kwargs),
        socket_timeout=_REPLICA_S,
        socket_connect_timeout=_REPLICA_S,
        **known,
    )
    name = f"the replica {host}:{port}"
    try:
        faults = await durable_faults(replica)
    except NO_ANSWER as error:
        faults = [f"does not tell its configuration ({error})"]
    finally:
        await replica.aclose()
    return [f"{name}: {fault}" for fault in faults]
