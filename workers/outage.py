"""Outages: time in which commands could not be accepted is not the players'.

The clock writes a heartbeat for each shard while commands can be accepted: while the store takes
writes and some process of the API announces that it takes them too. After a gap in the heartbeats
it gives every running game of the shard the time that its players have lost, by the director's own
extension, and only then goes on beating and lets anybody be timed out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

import structlog

from events.heartbeat import GAP_MS
from events.kernel import Millis, Rejected
from events.keys import SecretError
from events.log import Damaged, StreamAhead
from events.registry import CodecError
from events.scripts import LogError
from events.transact import NoSuchStream
from games.outage import OUTAGE, lost_to_outage
from games.table_checks import EXTENSION_MAX_S
from games.table_events import ExtendTime, Reason
from projections.desk import Desk
from projections.presence import Accepting, Presence

BEAT_MS: Final[Millis] = 1000
"""The pause between two heartbeats."""

REASON: Final[Reason] = "outage"
_AT_ONCE: Final = 16
_log = structlog.get_logger(__name__)


class Outages:
    """Keeps the heartbeats of all shards, and makes outages good.

    Args:
        desk: gives games their time.
        presence: tells whether the API accepts commands.
        takes_choices: whether the store has room for them, as far as this process knows.
    """

    def __init__(
        self, desk: Desk, presence: Presence, takes_choices: Callable[[], bool] = lambda: True
    ) -> None:
        self._desk = desk
        self._presence = presence
        self._takes_choices = takes_choices
        self._held: Mapping[int, Millis] = {}
        self._looked: Millis | None = None

    async def settle(self, now: Millis) -> Mapping[int, Millis]:
        """Beat, and make good what was lost since the last beat, at most once in ``BEAT_MS``.

        Returns:
            The shards in which nobody may be timed out now, because commands cannot be accepted
            there or what was lost has not been made good, each with its last heartbeat: what was
            due before that stands.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if self._looked is not None and 0 <= now - self._looked < BEAT_MS:
            return self._held
        accepting = await self._presence.accepting()
        shards = range(self._desk.log.layout.shards)
        beats = await self._desk.log.heartbeats.read(shards)
        held: dict[int, Millis] = {}
        fine: list[int] = []
        for shard, beat in zip(shards, beats, strict=True):
            if not self._takes_choices():
                held[shard] = beat or 0
            elif accepting.ever and accepting.since is None:
                if beat is not None and now - beat > GAP_MS:
                    held[shard] = beat
            elif await self._make_good(shard, beat, accepting, now):
                fine.append(shard)
            else:
                held[shard] = beat or 0
        await self._desk.log.heartbeats.beat(fine, now)
        self._tell(held)
        self._looked = now
        return self._held

    def _tell(self, held: Mapping[int, Millis]) -> None:
        """Remember which shards are held, and log what is new about that."""
        if held.keys() - self._held.keys():
            _log.warning("time_outs_held", shards=sorted(held))
        elif self._held.keys() - held.keys():
            _log.info("time_outs_resumed", shards=sorted(self._held.keys() - held.keys()))
        self._held = held

    async def _make_good(
        self, shard: int, beat: Millis | None, accepting: Accepting, now: Millis
    ) -> bool:
        """Give the games of a shard the time that was lost since ``beat``; whether all have it."""
        if beat is None or now - beat <= GAP_MS:
            return True
        # The clock itself may have been gone while everything else went on.
        until = min(now, accepting.since or 0)
        if until - beat <= GAP_MS:
            return True
        games = await self._desk.log.timers.all_of(shard)
        _log.warning("outage", shard=shard, lost_ms=until - beat, games=len(games))
        slots = asyncio.Semaphore(_AT_ONCE)

        async def extend(game: str) -> bool:
            async with slots:
                return await self._extend(game, beat, until)

        return all(await asyncio.gather(*map(extend, games)))

    async def _extend(self, game: str, beat: Millis, until: Millis) -> bool:
        """Give one game its time back; False: that could not be done now."""
        try:
            state = (await self._desk.load(game)).state
            left = -(-lost_to_outage(state, beat, until) // 1000)
            number = 0
            while left > 0:
                seconds = min(left, EXTENSION_MAX_S)
                await self._desk.command(
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
            # A game that cannot be played on holds up no other.
            _log.error("outage_not_extended", game=game, error=type(error).__name__)
        except LogError:
            return False
        return True
