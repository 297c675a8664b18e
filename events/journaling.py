"""How much of each shard is in the journal: what may be shown where that is promised.

As ``replication``, with the journal in the place of a replica: the mark of a shard is what the
shipper has said in the store (``shipped``), and the shipper rings when it rises.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from events.bells import Ring
from events.clients import Client
from events.confirming import WAIT_MS, Confirmed
from events.durability import Durability
from events.known import Mark
from events.layout import Layout
from events.logger import get_logger
from events.replication import Replication
from events.scripts import LogUnavailable, Script, Word

_POLL_S = 0.02
_log = get_logger(__name__)


class Journaling(Replication):
    """The marks of all shards, for one process that promises the journal."""

    level: Durability = "journaled"

    async def call(self, script: Script, keys: Sequence[str], args: Iterable[Word]) -> Confirmed:
        """A script's answer; that it is in the journal is waited for afterwards (``settled``).

        Raises:
            LogUnavailable: the outcome is unknown, or the store refused the script.
        """
        return Confirmed(await self._caller.call(script, keys, args), replicated=False)

    async def settled(self, shard: int, seq: int, *, replicated: bool) -> bool:
        """Whether an entry that was just appended is in the journal, or is soon."""
        return replicated or await self.reached(shard, seq)

    def wrote(self, shard: int, entry: Mark, *, replicated: bool) -> None:
        """This process has appended an entry; the shipper tells others of it."""
        if not replicated:
            self._pursue(shard, entry.seq)

    def _confirms(self, ring: Ring) -> bool:
        return ring.journaled

    def _tell_behind(self, shard: int) -> None:
        _log.warning("journal_behind", shard=shard)

    def _tell_caught_up(self, shard: int) -> None:
        _log.info("journal_caught_up", shard=shard)

    async def _fence(self, shard: int) -> bool:
        """Whether all that the shard holds now is in the journal, or is soon."""
        end = asyncio.get_running_loop().time() + WAIT_MS / 1000
        meta, wanted = self._layout.meta(shard), None
        while True:
            try:
                seq, told = await self._caller.command("HMGET", meta, "seq", "shipped")
            except LogUnavailable as error:
                _log.debug("shipped_not_read", shard=shard, reason=str(error))
                return False
            wanted = int(seq or 0) if wanted is None else wanted
            shipped = Mark.of(told)
            self._raise(shard, shipped)
            if shipped.seq >= wanted:
                return True
            if asyncio.get_running_loop().time() >= end:
                return False
            await asyncio.sleep(_POLL_S)


def promised(
    level: Durability, client: Client, layout: Layout, *, shows: bool = True
) -> Replication | None:
    """What a log needs to promise a level; None: nothing."""
    kinds = {"local": None, "replicated": Replication, "journaled": Journaling}
    kind = kinds[level]
    return None if kind is None else kind(client, layout, shows=shows)
