"""Whether a store can be reached and is usable at all: checked once, at the start."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.cluster import PRIMARY
from redis.connection import parse_url
from redis.exceptions import ClusterDownError, RedisClusterException, ResponseError

from events.certificates import files_fault
from events.clients import (
    CLUSTER,
    NO_ANSWER,
    TLS_CLUSTER,
    Client,
    commands,
    each_node,
    is_cluster,
    of_one_node,
    places_of,
)
from events.connections import as_text
from events.handshakes import causes, connection_fault
from events.logger import get_logger
from events.rights import trials
from events.sentinels import is_watched, read_watched

SCHEMES: Final = (
    *("redis", "rediss", "unix", "redis+cluster", "rediss+cluster"),
    *("redis+sentinel", "rediss+sentinel"),
)

OLDEST: Final = (7, 0)
"""The oldest version with everything we use. Valkey reports the version it is compatible with."""

_VERSION: Final = re.compile(r"redis_version:([0-9]+)\.([0-9]+)(\S*)")
_SOCKET: Final = re.compile(r"([^/@]*@)?/")
_OK: Final = (b"OK", "OK")
_CREDENTIALS: Final = re.compile(r"(?<=://)[^/]*@")
_COVERED: Final = re.compile(r"(\d+) of (\d+) covered")
_IN_CLUSTER: Final = re.compile(r"(?:redis|server)_mode:cluster\b")
_DOWN: Final = (
    "the cluster is down: some of its slots have no node that serves them, and it serves none of"
    " the others either, unless cluster-require-full-coverage is no; CLUSTER INFO counts them"
)
_log = get_logger(__name__)


class UnfitStoreError(RuntimeError):
    """The store does not answer, or is not one that we can use. The message is a sentence."""


def require_url(url: str) -> None:
    """Check that a text is the URL of a store.

    Raises:
        ValueError: it is not; the message quotes nothing of it, as it may hold a password.
    """
    scheme, _, place = url.partition("://")
    if scheme not in SCHEMES:
        raise ValueError(f"must begin with {', '.join(f'{name}://' for name in SCHEMES)}")
    if scheme == "unix":
        if not _SOCKET.match(place):
            raise ValueError("must name a socket by its whole path after unix://")
    elif is_watched(url):
        read_watched(url)
    elif is_cluster(url):
        _require_places(url)
    elif not _has_host(url):
        raise ValueError("must name a host and perhaps a port, as redis://host:6379")
    try:
        parse_url(of_one_node(url))
    except ValueError:
        raise ValueError("has options that a store does not have") from None


def _require_places(url: str) -> None:
    try:
        places_of(url)
    except ValueError:
        raise ValueError(
            "must name nodes of the cluster by host and perhaps port, with commas between them,"
            f" as {CLUSTER}h1:6379,h2:6379"
        ) from None


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def shown(url: str) -> str:
    """A store's URL without the name and the password in it."""
    return _CREDENTIALS.sub("", url).partition("?")[0]


async def require_store(url: str, key: str | None = None) -> None:
    """Check that a store answers and is new enough, over a connection opened for this.

    Args:
        url: the store's.
        key: a key of a shard: then its user must have all rights of the service in such keys.

    Raises:
        UnfitStoreError: it does not or is not, or each right that is missing, by name.
    """
    if fault := files_fault(url):
        raise UnfitStoreError(f"the store at {shown(url)} cannot be reached over TLS: {fault}")
    client = commands(url)
    try:
        for node in await _nodes(client, f"the store at {shown(url)}"):
            try:
                await _require_node(node, key)
            except NO_ANSWER as error:
                if node.slots is None:
                    _log.debug("replica_not_asked", node=node.place, reason=str(error))
                elif node.slots:
                    there = f"{node.place}, which has {node.slots} slots,"
                    raise _silent(there, url, error) from error
                else:
                    raise
    except NO_ANSWER as error:
        silent = await _silent_nodes(url)
        raise silent or unanswered(url, error) from error
    finally:
        await client.aclose()


async def _silent_nodes(url: str) -> UnfitStoreError | None:
    """The refusal of a cluster of which no node answers that its URL names; None: one does."""
    if not is_cluster(url) or len(nodes := each_node(url)) == 1:
        return None
    reasons = []
    for place, alone in nodes.items():
        client = commands(alone)
        try:
            await client.execute_command("PING")
        except NO_ANSWER as error:
            reasons.append(f"{place} does not answer ({_reason(alone, error)})")
        else:
            return None
        finally:
            await client.aclose()
    said = "; ".join(reasons)
    return UnfitStoreError(f"no node that the URL of {shown(url)} names answers: {said}")


def unanswered(url: str, error: BaseException) -> UnfitStoreError:
    """The refusal of a store that does not answer as it should.

    Args:
        url: the store's.
        error: what was raised instead of an answer.
    """
    return _silent(f"the store at {shown(url)}", url, error)


def _silent(place: str, url: str, error: BaseException) -> UnfitStoreError:
    return UnfitStoreError(f"{place} does not answer: {_reason(url, error)}")


def _reason(url: str, error: BaseException) -> str:
    if any(isinstance(each, ClusterDownError) for each in causes(error)):
        return _DOWN
    return connection_fault(url, error) or str(error) or type(error).__name__


class _Node(Struct, frozen=True, eq=False):
    """A store, or a node of a cluster.

    Args:
        place: what it is called.
        client: asks it: a client, or a node of redis-py's cluster.
        slots: how many it has; None: it is a replica, which may be away; 0: it is no cluster's.
    """

    place: str
    client: Any
    slots: int | None


async def _require_node(node: _Node, key: str | None) -> None:
    """Check version, kind and rights.

    Raises:
        UnfitStoreError: it is too old, or of a cluster that its URL does not tell of, or its user
            lacks rights.
        NO_ANSWER: it does not answer.
    """
    place = node.place
    missing = await _denied(node.client, key) if key else []
    if "info" not in missing:
        said = _text(await node.client.execute_command("INFO", "server"))
        number, text = _version(said)
        if number < OLDEST:
            wanted = ".".join(map(str, OLDEST))
            raise UnfitStoreError(f"{place} is of version {text}; {wanted} or newer is needed")
        if node.slots == 0 and _IN_CLUSTER.search(said):
            raise UnfitStoreError(
                f"{place} is a node of a cluster: the URL of one begins with {CLUSTER} or"
                f" {TLS_CLUSTER}"
            )
    if missing:
        raise UnfitStoreError(
            f"the user of {place} has no right to {', '.join(sorted(missing))} "
            f"in keys like {key}; `parlour store rights` prints what it needs"
        )


async def _denied(node: Any, key: str) -> list[str]:  # noqa: ANN401 (a client, or a node of redis-py's cluster)
    """The rights that the user of a node lacks; without these two it cannot be asked."""
    try:
        user = await node.execute_command("ACL", "WHOAMI")
        await node.execute_command("ACL", "DRYRUN", user, "PING")
    except ResponseError:
        return ["acl|whoami", "acl|dryrun"]
    asked = [(name, ("ACL", "DRYRUN", user, *words)) for name, words in trials(key)]
    return [name for name, words in asked if await node.execute_command(*words) not in _OK]


async def _nodes(client: Client, place: str) -> list[_Node]:
    """The store; of a cluster each node. A replica is asked too, since it may take over.

    Raises:
        UnfitStoreError: no node has some of the slots.
        NO_ANSWER: the store does not answer.
    """
    if not isinstance(client, RedisCluster):
        return [_Node(place, client, 0)]
    try:
        await client.initialize()
    except RedisClusterException as error:  # redis-py serves no cluster that lacks slots
        covered = _COVERED.search(str(error))
        if covered is None:
            raise
        bare = int(covered[2]) - int(covered[1])
        raise UnfitStoreError(f"{place} has {bare} slots that no node serves") from error
    slots = Counter(nodes[0].name for nodes in client.nodes_manager.slots_cache.values())
    return [
        _Node(
            f"the node {node.name} of {place}",
            node,
            slots[node.name] if node.server_type == PRIMARY else None,
        )
        for node in client.get_nodes()
    ]


def _text(said: Any) -> str:  # noqa: ANN401 (as redis-py types answers)
    """What a node says of itself, in whichever form a client returns it, as lines."""
    if isinstance(said, dict):
        return "\n".join(f"{name}:{value}" for name, value in said.items())
    return as_text(said)


def _version(said: str) -> tuple[tuple[int, int], str]:
    found = _VERSION.search(said)
    if found is None:
        return (0, 0), "unknown"
    return (int(found[1]), int(found[2])), f"{found[1]}.{found[2]}{found[3]}"
