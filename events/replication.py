"""How much of each shard is on the disks of two machines: what may be shown where that is promised.

A shard's **mark** is an entry of its feed, by its number and its link; all entries up to it are on
the disk of the primary and of a replica. A process raises it by its own appends, which wait for a
replica anyway; by bells, with which others tell of theirs; and where an entry is known of and no
bell comes, by a fence: a small write after it, for which it waits itself. A mark never sinks,
unless the feed is broken. A number alone would say nothing where a machine has been replaced:
another history counts by the same numbers.

Entries above the mark are there, and commands are decided on them; but they are not shown to
anybody, because a machine that dies may take them along.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from events.bells import REPLICATED, Ring
from events.clients import Client
from events.confirming import Confirmed, ConfirmingCaller
from events.durability import Durability
from events.kernel import Version
from events.known import Mark
from events.layout import Layout
from events.logger import get_logger
from events.lru import LruCache
from events.pauses import pause_s
from events.scripts import Caller, LogUnavailable, Script, Word, load_script
from events.tasks import end_tasks

POSITIONS_KEPT: Final = 100_000
"""Of how many streams a process remembers what it has found to be replicated."""

_GRACE_S: Final = 0.02
"""How long a bell is waited for before a fence is written."""

_REACH_S: Final = 0.5
"""How long a reader waits for a mark; a fence needs less if a replica is there."""

_UNKNOWN: Final = -1
_KEPT_MS: Final = 60_000
_FENCE = load_script(__package__, "fence.lua")
_log = get_logger(__name__)


def told_by(mark: Mark, what: str) -> str:
    """What a bell says of a mark: ``REPLICATED`` or ``JOURNALED``, with its link at the end."""
    return f"{mark.seq} {what} {mark.chain}".rstrip()


class _Waiter(Struct, eq=False):
    seq: int
    reached: asyncio.Future[bool]


class Replication:
    """The marks of all shards, for one process. Belongs to the client's event loop.

    Args:
        client: for short calls.
        layout: where everything lies.
        shows: whether this process shows anybody what it reads; if not, it hides nothing either.
        kept: of how many streams it is remembered what was found to be replicated.

    Attributes:
        level: what it promises.
    """

    level: Durability = "replicated"

    def __init__(
        self, client: Client, layout: Layout, *, shows: bool = True, kept: int = POSITIONS_KEPT
    ) -> None:
        self.shows = shows
        self._layout = layout
        self._writer = ConfirmingCaller(client, keeps_connection=True)
        self._caller = Caller(client)
        self._marks: dict[int, Mark] = {}
        self._positions: LruCache[str, tuple[Version, bytes]] = LruCache(kept)
        self._listeners: list[Callable[[int], None]] = []
        self._waiters: dict[int, list[_Waiter]] = {}
        self._wanted: dict[int, int] = {}
        self._pursuits: dict[int, asyncio.Task[None]] = {}
        self._behind: set[int] = set()
        self._untold: dict[int, Mark] = {}
        self._telling: asyncio.Task[None] | None = None

    async def call(self, script: Script, keys: Sequence[str], args: Iterable[Word]) -> Confirmed:
        """A script's answer, once what it has written is replicated or has not been in time.

        Raises:
            LogUnavailable: the outcome is unknown, or the store refused the script.
        """
        answer: Confirmed = await self._writer.call(script, keys, args)
        return answer

    async def settled(self, shard: int, seq: int, *, replicated: bool) -> bool:
        """Whether an entry that was just appended is where it is promised to be."""
        del shard, seq
        return replicated

    def wrote(self, shard: int, entry: Mark, *, replicated: bool) -> None:
        """This process has appended an entry: others are told, or it is pursued."""
        if not replicated:
            self._pursue(shard, entry.seq)
            return
        self._raise(shard, entry)
        untold = self._untold.get(shard)
        if untold is None or entry.seq > untold.seq:
            self._untold[shard] = entry
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell(), name="marks told")

    def hears(self, shard: int, ring: Ring | None) -> bool:
        """Take in a bell; False: it is of no use to a reader yet, who is told when it is."""
        if ring is None:
            return True
        if self._confirms(ring):
            self._raise(shard, Mark(ring.seq, ring.link))
            return False
        if ring.seq <= self._reach(shard):
            return True
        self._pursue(shard, ring.seq)
        return False

    def _confirms(self, ring: Ring) -> bool:
        """Whether a bell tells that a mark may rise."""
        return ring.replicated

    def _tell_behind(self, shard: int) -> None:
        _log.warning("replica_behind", shard=shard)

    def _tell_caught_up(self, shard: int) -> None:
        _log.info("replica_caught_up", shard=shard)

    @contextlib.contextmanager
    def told(self, listener: Callable[[int], None]) -> Iterator[None]:
        """Call ``listener`` with each shard whose mark rises, while the context lasts."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def has(self, stream: str, version: Version, head: bytes) -> bool:
        """Whether this is what was last found of a stream to be replicated."""
        return self._positions.use(stream) == (version, head)

    def note(self, stream: str, version: Version, head: bytes) -> None:
        """A stream is replicated up to ``version``, where its head is ``head``.

        A version alone would say nothing: others may have brought the stream there by other events.
        """
        self._positions.keep(stream, (version, head))

    def known(self, shard: int) -> Mark | None:
        """The mark of a shard as far as it is known now."""
        return self._marks.get(shard)

    def reaches(self, shard: int, seq: int) -> bool:
        """Whether an entry is known to be replicated by now; if not, it is pursued."""
        if seq <= self._reach(shard):
            return True
        self._pursue(shard, seq)
        return False

    async def reached(self, shard: int, seq: int, *, insists: bool = False) -> bool:
        """Whether an entry is replicated, or becomes so soon.

        Nobody waits for a lost replica, but who ``insists`` has it asked now: a process that
        follows no feed hears no bell of its return, and itself asks once a second only.
        """
        if self.reaches(shard, seq):
            return True
        if shard in self._behind:
            return insists and await self._fence(shard) and self.reaches(shard, seq)
        waiter = _Waiter(seq, asyncio.get_running_loop().create_future())
        self._waiters.setdefault(shard, []).append(waiter)
        try:
            async with asyncio.timeout(_REACH_S):
                return await waiter.reached
        except TimeoutError:
            return False
        finally:
            self._waiters[shard].remove(waiter)

    async def mark(self, shard: int) -> Mark:
        """The mark of a shard.

        Raises:
            LogUnavailable: it is not known, because no replica has answered yet.
        """
        if shard not in self._marks:
            await self.reached(shard, 0)
        found = self._marks.get(shard)
        if found is None:
            raise LogUnavailable(f"how much of shard {shard} is replicated is not known")
        return found

    def forget(self) -> None:
        """Forget all marks: the feeds are not what they were."""
        self._marks.clear()
        self._positions.clear()

    async def close(self) -> None:
        """End what runs in the background."""
        tasks = [*self._pursuits.values(), *([] if self._telling is None else [self._telling])]
        await end_tasks(*tasks)

    def _reach(self, shard: int) -> int:
        """The number of a shard's mark."""
        found = self._marks.get(shard)
        return _UNKNOWN if found is None else found.seq

    def _raise(self, shard: int, mark: Mark) -> None:
        """Raise a mark, and tell whoever waits for it."""
        if mark.seq <= self._reach(shard):
            return
        self._marks[shard] = mark
        for waiter in self._waiters.get(shard, ()):
            if waiter.seq <= mark.seq and not waiter.reached.done():
                waiter.reached.set_result(True)
        for listener in tuple(self._listeners):
            listener(shard)

    def _pursue(self, shard: int, seq: int) -> None:
        """See that the mark of a shard rises to ``seq``, whenever that becomes possible."""
        self._wanted[shard] = max(seq, self._wanted.get(shard, 0))
        if shard not in self._pursuits:
            self._pursuits[shard] = asyncio.create_task(self._run(shard), name="mark")

    async def _run(self, shard: int) -> None:
        try:
            await self._catch_up(shard)
        finally:
            del self._pursuits[shard]

    async def _catch_up(self, shard: int) -> None:
        """Fence until the mark is where it is wanted.

        Or until the feed is known to end before that: what was there has been lost by a failover.
        """
        tries = 0
        if shard in self._marks:
            await asyncio.sleep(_GRACE_S)
        while self._reach(shard) < (wanted := self._wanted[shard]):
            if await self._fence(shard):
                if self._wanted[shard] == wanted:
                    self._wanted[shard] = 0
                    break
                tries = 0
                continue
            if shard not in self._behind:
                self._behind.add(shard)
                self._tell_behind(shard)
            for waiter in self._waiters.get(shard, ()):
                if not waiter.reached.done():
                    waiter.reached.set_result(False)
            await asyncio.sleep(pause_s(tries))
            tries += 1
        if shard in self._behind:
            self._behind.discard(shard)
            self._tell_caught_up(shard)

    async def _fence(self, shard: int) -> bool:
        """Whether all that the shard holds now is replicated; if so, the mark rises to it."""
        keys = [self._layout.meta(shard), self._layout.probe(shard)]
        try:
            said = await self.call(_FENCE, keys, [_KEPT_MS])
        except LogUnavailable as error:
            _log.debug("fence_not_written", shard=shard, reason=str(error))
            return False
        if said.replicated:
            _, seq, link = said.answer
            self._raise(shard, Mark(seq, link.decode()))
        return said.replicated

    async def _tell(self) -> None:
        """Ring for what this process has brought to a replica. A bell is a hint, and may fail."""
        while self._untold:
            untold, self._untold = self._untold, {}
            calls: list[Any] = [
                self._caller.command(
                    "SPUBLISH", self._layout.feed(shard), told_by(mark, REPLICATED)
                )
                for shard, mark in untold.items()
            ]
            await asyncio.gather(*calls, return_exceptions=True)
