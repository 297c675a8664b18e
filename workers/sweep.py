"""Ending tables that never begin, so that nobody's table waits, and costs, for ever."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import structlog
from redis.exceptions import RedisError

from events.clients import Client
from events.kernel import Actor, Millis, Rejected
from events.keys import SecretError
from events.registry import CodecError
from events.scripts import LogError, LogUnavailable
from events.transact import Moved
from games.table_events import AnnulTable, Reason
from projections.desk import Desk
from projections.lobby import ListKeys
from workers.host import Host

SWEEP_S: Final = 60.0
"""Seconds between two looks."""

AT_ONCE: Final = 100
"""Tables of one shard that one look ends."""

REASON: Final[Reason] = "unbegun"
_SWEEPER: Final = Actor("director", "clock")
_HOUR_MS: Final[Millis] = 3_600_000
_log = structlog.get_logger(__name__)


async def end_unbegun(desk: Desk, client: Client, keys: ListKeys, hours: int) -> int:
    """End the tables that have waited for ``hours`` and have not begun; how many that were.

    A table that begins in that very moment goes on: it is ended only at the version at which it was
    seen to wait.

    Raises:
        LogUnavailable: the store does not answer.
    """
    before = desk.clock() - hours * _HOUR_MS
    ended = 0
    for shard in range(desk.log.layout.shards):
        try:
            found: Any = await client.zrangebyscore(keys.waiting(shard), "-inf", before, 0, AT_ONCE)
        except RedisError as error:
            raise LogUnavailable(str(error)) from error
        for name in found:
            ended += await _end(desk, name.decode())
    return ended


async def _end(desk: Desk, game: str) -> bool:
    """End one table, unless it has begun or ended; whether this call did."""
    try:
        loaded = await desk.load(game)
        if loaded.state.phase != "open":
            return False
        receipt = await desk.command(
            game,
            AnnulTable(reason=REASON),
            actor=_SWEEPER,
            command_id=f"unbegun:{game}",
            digest="unbegun",
            after=loaded.version,
        )
    except (Rejected, Moved):
        return False
    except LogUnavailable:
        raise
    except (LogError, CodecError, SecretError) as error:  # what cannot be read delays no other one
        _log.error("table_not_ended", game=game, error=type(error).__name__)
        return False
    return not receipt.again


async def sweep(host: Host, hours: int) -> None:
    """Look for ever; outlives restarts of the store."""
    while True:
        try:
            ended = 0
            if host.watch.may_write:
                ended = await end_unbegun(host.desk, host.client, host.lobby.keys, hours)
            if ended:
                _log.info("tables_ended_unbegun", tables=ended)
        except LogUnavailable as error:
            _log.info("sweep_waits_for_store", reason=str(error))
        await asyncio.sleep(SWEEP_S)
