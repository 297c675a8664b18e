"""Players on a real store: the same who play in the simulation, and the same judge."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final, TypeVar

from events import seal
from events.clients import Client, close_client, commands, listening
from events.durability import Durability
from events.journaling import promised
from events.kernel import Actor, Command
from events.log import StreamLog
from events.tasks import end_tasks
from events.transact import CommandReceipt, NoSuchStream, Transactor
from simulator.appends.ledger import RULES, Ledger, LedgerState, ledger_codec
from simulator.appends.players import STREAMS, LedgerPlayer
from simulator.appends.process import KEYS, LAYOUT, Shown
from simulator.feed_follower import FeedFollower
from simulator.feed_history import FeedPromise, judge_feeds
from simulator.history import EVERY_LEVEL, History, Violation, judge
from simulator.history_streams import feeds_as_they_lie, streams_as_they_lie
from tests.runtime.stage import until

T = TypeVar("T")

PLAYERS = 4
NOW_NS: Final = time.monotonic_ns
"""Not a loop's own time: uvloop's is that of its last turn, in whole milliseconds, and beside a
process with another loop an answer would seem to have come before it did."""

_CODEC = ledger_codec(KEYS)
_numbers = count(1)


class RealLedger:
    """What a process has: a log on a store, and the transactions on it.

    Args:
        url: of the store, or of a cluster.
        level: what it promises.
        client: in place of one made for the url.
    """

    def __init__(self, url: str, level: Durability = "local", client: Client | None = None) -> None:
        self.is_up = True
        self.client = client or commands(url)
        self.log = StreamLog(
            self.client,
            listening(url),
            LAYOUT,
            replication=promised(level, self.client, LAYOUT),
        )
        self.follower = FeedFollower(
            self.log, f"follower {os.getpid()}.{next(_numbers)}", NOW_NS, level
        )
        self.transactor: Transactor[LedgerState] = Transactor(
            Ledger(),
            _CODEC,
            self.log,
            rules=lambda _: RULES,
            on_appended=self.follower.appended,
        )
        self._tasks: set[asyncio.Task[Any]] = set()
        self._follows: asyncio.Task[None] | None = None

    def command(
        self, stream: str, command: Command, by: Actor, command_id: str, *, opens: bool
    ) -> asyncio.Task[CommandReceipt]:
        work = self.transactor.execute(
            stream,
            command,
            actor=by,
            command_id=command_id,
            digest=KEYS.digest(repr(command).encode()),
            at=1_700_000_000_000,
            opens=opens,
        )
        return self._run(work)

    def read(self, stream: str) -> asyncio.Task[Shown]:
        return self._run(self._read(stream))

    async def close(self) -> None:
        """End what runs, and all connections."""
        self.is_up = False
        if self._follows is not None:
            await end_tasks(self._follows)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.log.close()
        await close_client(self.client)
        await self.log.bells._client.aclose()  # noqa: SLF001 (nobody else has it)

    def begin_to_follow(self) -> None:
        """Have the follower be told of what happens, from now on."""
        if self._follows is None:
            self._follows = asyncio.create_task(self.follower.follow(), name="follower")

    def _run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        self.begin_to_follow()
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever still wants it has it

    async def _read(self, stream: str) -> Shown:
        entries = await self.log.read(stream)
        if not entries:
            raise NoSuchStream(stream)
        heads = list(seal.heads(seal.genesis(stream), 0, (entry.public for entry in entries)))
        shown = await self.log.shown(stream, len(entries), heads[-1], insists=True)
        return Shown(shown, heads[shown - 1] if shown else seal.genesis(stream))


class RealPlayer(LedgerPlayer):
    """A player of this machine's time."""

    def now_ns(self) -> int:
        return NOW_NS()


class RealLoad:
    """Players who play until they are stopped.

    Attributes:
        services: whom they ask; may change meanwhile.
        history: what they note.
        counts: how often what happened.
    """

    def __init__(
        self,
        services: Sequence[RealLedger],
        seed: int,
        level: Durability,
        names: str,
        *,
        fresh: bool,
    ) -> None:
        self.services = list(services)
        self.history = History([], [])
        self.counts: Counter[str] = Counter()
        self._stopped = False
        self._players = [
            RealPlayer(
                f"{names}{number}",
                self.services,
                random.Random(f"{seed}/{number}"),
                self.history,
                self.counts,
                level=level,
                fresh=fresh,
                thinks_s=0.01,
            )
            for number in range(PLAYERS)
        ]

    @property
    def accepted(self) -> int:
        return self.counts["attempt accepted"]

    async def more(self, commands: int) -> None:
        """Wait until so many more commands have been accepted."""
        enough = self.accepted + commands
        await until(lambda: self.accepted >= enough)

    async def settled(self, attempts: int) -> None:
        """Wait until so many more sendings have come to anything or nothing."""
        enough = len(self.history.attempts) + attempts
        await until(lambda: len(self.history.attempts) >= enough)

    async def told_all(self) -> None:
        """Wait until the followers of all that is up have been told of everything."""
        for service in self.services:
            if service.is_up:
                assert await service.follower.catches_up(self.history)

    async def play(self) -> None:
        for service in self.services:
            service.begin_to_follow()
        await asyncio.gather(*(self._play(player) for player in self._players))

    @property
    def odd(self) -> list[str]:
        """What players were told and should not have been."""
        return [what for player in self._players for what in player.odd]

    async def _play(self, player: LedgerPlayer) -> None:
        while not self._stopped:
            await player.play(1)

    def stop(self) -> None:
        self._stopped = True


@asynccontextmanager
async def playing(
    services: Sequence[RealLedger],
    seed: int = 25,
    level: Durability = "local",
    *,
    fresh: bool = True,
    names: str = "p",
    patient: bool = True,
) -> AsyncIterator[RealLoad]:
    """Players who play while the context lasts, and then, if patient, await their last answers."""
    load = RealLoad(services, seed, level, names, fresh=fresh)
    task = asyncio.create_task(load.play())
    try:
        yield load
        load.stop()
        if patient:
            async with asyncio.timeout(120):
                await task
                await load.told_all()
            assert load.odd == []
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        for service in load.services:
            await service.close()
            load.history.feeds += service.follower.notes
            load.counts["told by the feed"] += len(service.follower.notes)
            load.counts["told by its own process"] += service.follower.own


async def judged(
    url: str, history: History, survives: Collection[Durability] = EVERY_LEVEL
) -> list[Violation]:
    """What does not hold of a history, by the streams and feeds of a store."""
    client = commands(url)
    try:
        ends = await streams_as_they_lie(client, LAYOUT, STREAMS)
        feeds = await feeds_as_they_lie(client, LAYOUT)
    finally:
        await close_client(client)
    promise = FeedPromise(survives=survives, stayed=history.stayed)
    told = judge_feeds(history.feeds, feeds, ends, promise)
    return sorted([*judge(history, ends, survives=survives), *told])


def checks(found: Sequence[Violation]) -> set[str]:
    """The checks that have found something."""
    return {violation.check for violation in found}
