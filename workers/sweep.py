"""Ends tables that never begin, so that no table waits, and costs, for ever."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from events.clients import NO_ANSWER, Client
from events.kernel import Actor, DurationMs, Rejected
from events.keys import SecretError
from events.logger import get_logger
from events.registry import CodecError
from events.scripts import LogError, LogUnavailable
from events.transact import Moved
from games.table.events import AnnulTable, Reason
from projections.lobby import ListKeys
from runtime.table_service import TableService
from workers.host import Host

SWEEP_S: Final = 60.0
"""Seconds between two sweeps."""

AT_ONCE: Final = 100
"""Most tables of one shard that one sweep ends."""

REASON: Final[Reason] = "unbegun"
_SWEEPER: Final = Actor("director", "clock")
_HOUR_MS: Final[DurationMs] = 3_600_000
_log = get_logger(__name__)


async def end_unbegun(tables: TableService, client: Client, keys: ListKeys, hours: int) -> int:
    """End the tables that have waited ``hours`` without beginning; returns how many.

    A table that begins at that very moment goes on: it is ended only at the version at which it was
    seen waiting.

    Raises:
        LogUnavailable: the store does not answer.
    """
    before = tables.clock() - hours * _HOUR_MS
    ended = 0
    for shard in range(tables.log.layout.shards):
        try:
            found: Any = await client.zrangebyscore(keys.waiting(shard), "-inf", before, 0, AT_ONCE)
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        for name in found:
            ended += await _end(tables, name.decode())
    return ended


async def _end(tables: TableService, game: str) -> bool:
    """End one table, unless it has begun or ended; returns whether this call ended it."""
    try:
        loaded = await tables.load(game)
        if loaded.state.phase != "open":
            return False
        receipt = await tables.command(
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
    except (LogError, CodecError, SecretError) as error:  # an unreadable table delays no other
        _log.error("table_not_ended", game=game, error=type(error).__name__)
        return False
    return not receipt.again


async def sweep(host: Host, hours: int) -> None:
    """Sweep for ever; survives restarts of the store."""
    while True:
        try:
            ended = 0
            if host.watch.may_write:
                ended = await end_unbegun(host.tables, host.client, host.lobby.keys, hours)
            if ended:
                _log.info("tables_ended_unbegun", tables=ended)
        except LogUnavailable as error:
            _log.info("sweep_waits_for_store", reason=str(error))
        await asyncio.sleep(SWEEP_S)
