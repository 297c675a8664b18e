"""What the service may do in its store: the least rights of an ACL user (pure).

The embedded store and the cluster of ``make cluster`` give their processes a user with these rights
and no others, so every test that goes through the code runs under them. A test compares the lists
with what the code says, and what they deny with what must be denied.

Each right is said as a call that needs it, with ``K`` for a key: with these calls a store is asked
at the start whether its user may make them (``ACL DRYRUN``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

USER: Final = "parlour"
"""The name of the user in the stores that we start ourselves."""

ANY_PREFIX: Final = "*"
"""In the place of a prefix: whatever it is."""

SHARD: Final = "{s*}"
"""How the keys and channels of shards begin: their tags."""

KEYS: Final = (SHARD, "{api}", "{marks}", "rate", "quota")
"""How keys begin, up to their first colon: those of shards; who accepts commands; marks that
processes exchange; budgets and quotas."""

CONNECTION: Final = (
    "auth x",
    "hello",
    "ping",
    "client setinfo lib-name x",
    "client setname x",
    "acl whoami",
    "acl dryrun x ping",
)
"""What is said when a connection is made, and asked of the user's rights."""

SCRIPTS: Final = (
    "del K",
    "exists K",
    "get K",
    "hdel K f",
    "hexists K f",
    "hget K f",
    "hgetall K",
    "hlen K",
    "hmget K f",
    "hset K f v",
    "pexpire K 1",
    "sadd K x",
    "set K x",
    "smembers K",
    "spublish K x",
    "srem K x",
    "time",
    "xadd K * f v",
    "xlen K",
    "xrange K - +",
    "xrevrange K + -",
    "zadd K 1 x",
    "zcard K",
    "zrange K 0 1",
    "zrangebyscore K 0 1",
    "zrem K x",
    "zremrangebyscore K 0 1",
    "zscore K x",
)
"""What our scripts call."""

LOG: Final = (
    "config get x",
    "eval x 1 K",
    "evalsha x 1 K",
    "hscan K 0",
    "hsetnx K f v",
    "info",
    "lpop K",
    "lrem K 0 x",
    "rpush K x",
    "scan 0",
    "sscan K 0",
    "ssubscribe K",
    "sunsubscribe",
    "waitaof 0 0 0",
    "zrevrangebyscore K 1 0",
    "zscan K 0",
)
"""What the log, its lists, its clocks and its audits say besides."""

CLUSTER: Final = ("asking", "cluster slots", "cluster shards", "command", "readonly")
"""What redis-py asks of a cluster besides."""

BACKUP: Final = ("bgsave",)
"""What saving a running store needs besides."""

WATCHER: Final = (
    "client kill x",
    "client setname x",
    "config rewrite",
    "exec",
    "info",
    "multi",
    "ping",
    "publish x x",
    "replicaof no one",
    "role",
    "script kill",
    "slaveof no one",
    "subscribe x",
)
"""What Sentinel says to the nodes that it watches."""

_RQ: Final = """
    blpop client|list del discard eval evalsha exec exists expire get hdel hexists hget hgetall
    hincrby hincrbyfloat hmget hset hsetnx info llen lpop lrange lrem multi persist publish rpush
    sadd scard script|load set sismember smembers srem subscribe time ttl unsubscribe unwatch watch
    xadd xrevrange xtrim zadd zcard zcount zrange zrangebyscore zrem zremrangebyscore zrevrange
    zscore
"""
QUEUE: Final = frozenset(_RQ.split())
"""What RQ needs, in keys and channels of its own."""

_FAMILIES: Final = ("acl", "client", "cluster", "config", "script")
"""Commands of which a user has some subcommands alone."""


def right(call: str) -> str:
    """The name of the right that a call needs, as a rule of an ACL has it: ``config|get``."""
    words = call.split()
    return "|".join(words[:2]) if words[0] in _FAMILIES else words[0]


def rights(calls: Iterable[str]) -> frozenset[str]:
    """The names of the rights that calls need."""
    return frozenset(map(right, calls))


def trials(key: str) -> Iterator[tuple[str, Sequence[str]]]:
    """The rights that any process needs, each with the words of a call that needs it.

    Args:
        key: a key, or a channel, of a shard.
    """
    for call in (*SCRIPTS, *LOG):
        yield right(call), [key if word == "K" else word for word in call.split()]


def rules(prefix: str = ANY_PREFIX) -> list[str]:
    """The rules of a user for the log and, in a selector of its own, for the queue of RQ.

    Args:
        prefix: what stands before every key (``PARLOUR_PREFIX``).

    Returns: words of ``ACL SETUSER`` after the name, without any that say how it logs in.
    """
    log = rights((*CONNECTION, *SCRIPTS, *LOG, *CLUSTER, *BACKUP))
    return [
        "resetkeys",
        "resetchannels",
        "-@all",
        *(f"~{prefix}{each}:*" for each in KEYS),
        f"&{prefix}{SHARD}:*",
        *(f"+{name}" for name in sorted(log)),
        f"(~rq:* &rq:* {' '.join(f'+{name}' for name in sorted(QUEUE))})",
    ]


def line(user: str, login: str, prefix: str = ANY_PREFIX) -> str:
    """A line of a store's configuration, or of its ACL file, that makes a user.

    Args:
        user: its name.
        login: ``nopass``, or ``#`` and the SHA-256 of a password in hexadecimal.
        prefix: as for ``rules``.
    """
    return " ".join(["user", user, "on", login, *rules(prefix)])


def watcher_line(user: str, login: str) -> str:
    """As ``line``, a user for Sentinel: it replaces primaries, and reads nothing that is stored."""
    said = sorted(f"+{name}" for name in rights(WATCHER))
    return " ".join(["user", user, "on", login, "resetkeys", "allchannels", "-@all", *said])
