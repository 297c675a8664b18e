"""Outages: players do not lose time during which commands could not be accepted.

The clock writes a heartbeat for each shard while commands can be accepted: while the store takes
writes and some API process announces that it takes them too. After a gap in the heartbeats it gives
every running game of the shard the time that its players lost, by the same extension that directors
use; only then do heartbeats and time-outs resume.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from events.heartbeat import GAP_MS
from events.kernel import DurationMs, Rejected, TimestampMs
from events.keys import SecretError
from events.log import Damaged, StreamAhead
from events.logger import get_logger
from events.registry import CodecError
from events.scripts import LogError
from events.transact import NoSuchStream
from games.table.checks import EXTENSION_MAX_S
from games.table.events import ExtendTime, Reason
from games.table.outage import OUTAGE, lost_to_outage
from runtime.presence import Accepting, Presence
from runtime.table_service import TableService

BEAT_MS: Final[DurationMs] = 1000
"""The pause between two heartbeats."""

REASON: Final[Reason] = "outage"
_AT_ONCE: Final = 16
_log = get_logger(__name__)


class Outages:
    """Writes the heartbeats of all shards and compensates for outages.

    Args:
        tables: executes the extensions.
        presence: tells whether the API accepts commands.
        takes_choices: whether the store has room for choices, as far as this process knows.
    """

    def __init__(
        self,
        tables: TableService,
        presence: Presence,
        takes_choices: Callable[[], bool] = lambda: True,
    ) -> None:
        self._tables = tables
        self._presence = presence
        self._takes_choices = takes_choices
        self._held: Mapping[int, TimestampMs] = {}
        self._looked: TimestampMs | None = None
        self._beaten: TimestampMs | None = None

    async def settle(self, now: TimestampMs) -> Mapping[int, TimestampMs]:
        """Write heartbeats and give back lost time, at most once in ``BEAT_MS``.

        Returns:
            The shards in which nobody may be timed out now, because commands cannot be accepted
            there or the lost time has not been given back, each with its last heartbeat:
            deadlines before that stand.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if self._looked is not None and 0 <= now - self._looked < BEAT_MS:
            return self._held
        accepting = await self._presence.accepting()
        shards = range(self._tables.log.layout.shards)
        accepts = self._takes_choices() and not accepting.has_stopped
        if not (accepts and self._has_just_beaten(now)):
            held, fine = await self._sorted(shards, accepting, now)
        else:
            held, fine = {}, list(shards)
        await self._tables.log.heartbeats.beat(fine, now)
        self._beaten = None if held else now
        self._tell(held)
        self._looked = now
        return self._held

    def rests(self, now: TimestampMs) -> DurationMs:
        """How long ``settle`` has nothing to do, in ms."""
        if self._looked is None or now < self._looked:
            return 0
        return max(0, self._looked + BEAT_MS - now)

    def forget(self) -> None:
        """Rely on no heartbeat of one's own any more: the store may not be the one that has it."""
        self._beaten = None

    def _has_just_beaten(self, now: TimestampMs) -> bool:
        """Whether all shards have a heartbeat of this process's own that is no outage ago.

        Then there is none, whatever is found, and nothing need be read.
        """
        return self._beaten is not None and 0 <= now - self._beaten <= GAP_MS

    async def _sorted(
        self, shards: range, accepting: Accepting, now: TimestampMs
    ) -> tuple[dict[int, TimestampMs], list[int]]:
        """The shards to be held, each with its last heartbeat, and those to have one now."""
        beats = await self._tables.log.heartbeats.read(shards)
        held: dict[int, TimestampMs] = {}
        fine: list[int] = []
        for shard, beat in zip(shards, beats, strict=True):
            if not self._takes_choices():
                held[shard] = beat or 0
            elif accepting.has_stopped:
                if beat is not None and now - beat > GAP_MS:
                    held[shard] = beat
            elif await self._make_good(shard, beat, accepting, now):
                fine.append(shard)
            else:
                held[shard] = beat or 0
        return held, fine

    def _tell(self, held: Mapping[int, TimestampMs]) -> None:
        """Remember which shards are held, and log changes."""
        if held.keys() - self._held.keys():
            _log.warning("time_outs_held", shards=sorted(held))
        elif self._held.keys() - held.keys():
            _log.info("time_outs_resumed", shards=sorted(self._held.keys() - held.keys()))
        self._held = held

    async def _make_good(
        self, shard: int, beat: TimestampMs | None, accepting: Accepting, now: TimestampMs
    ) -> bool:
        """Give a shard's games the time lost since ``beat``; returns whether all now have it."""
        if beat is None or now - beat <= GAP_MS:
            return True
        # The clock itself may have been down while everything else was running.
        until = min(now, accepting.since or 0)
        if until - beat <= GAP_MS:
            return True
        games = await self._tables.log.timers.all_of(shard)
        _log.warning("outage", shard=shard, lost_ms=until - beat, games=len(games))
        slots = asyncio.Semaphore(_AT_ONCE)

        async def extend(game: str) -> bool:
            async with slots:
                return await self._extend(game, beat, until)

        return all(await asyncio.gather(*map(extend, games)))

    async def _extend(self, game: str, beat: TimestampMs, until: TimestampMs) -> bool:
        """Give one game its time back; returns False if that is not possible now."""
        try:
            state = (await self._tables.load(game)).state
            left = -(-lost_to_outage(state, beat, until) // 1000)
            number = 0
            while left > 0:
                seconds = min(left, EXTENSION_MAX_S)
                await self._tables.command(
                    game,
                    ExtendTime(seconds=seconds, reason=REASON),
                    actor=OUTAGE,
                    command_id=f"outage:{game}:{beat}:{number}",
                    digest="outage",
                )
                left, number = left - seconds, number + 1
        except Rejected as refusal:
            _log.info("outage_not_extended", game=game, code=refusal.code)
        except (Damaged, CodecError, SecretError, NoSuchStream, StreamAhead) as error:
            # A game that cannot go on holds up no other.
            _log.error("outage_not_extended", game=game, error=type(error).__name__)
        except LogError:
            return False
        return True
