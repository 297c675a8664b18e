"""A process of a simulated service: the real log and transactions on a simulated client."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import Any, Final, cast

from msgspec import Struct

from events import seal
from events.clients import Client
from events.durability import Durability
from events.feed import Pointer
from events.identity import Identities
from events.journaling import promised
from events.kernel import Actor, Command
from events.keys import KeyRing
from events.known import Known, Mark, Marks, judge
from events.layout import Layout
from events.log import StreamLog
from events.scripts import LogError
from events.skew import ClockGuard
from events.stand import read_stand
from events.transact import CommandReceipt, NoSuchStream, Transactor
from simulator.appends.guards import Guards
from simulator.appends.ledger import RULES, Ledger, LedgerState, ledger_codec
from simulator.appends.machines import EPOCH_MS
from simulator.appends.network import Network, SimulatedClient, SimulatedProcess

SHARDS: Final = 2
STORE: Final = "0123456789abcdef"
TOLERANCE_MS: Final = 2000
LAYOUT: Final = Layout(SHARDS)
KEYS: Final = KeyRing({"k1": b"1" * 32}, "k1")

_LOOK_S: Final = 1.0
_PAGE: Final = 64
_CODEC: Final = ledger_codec(KEYS)


class Shown(Struct, frozen=True):
    """What a reader was shown: up to which version, and its head."""

    version: int
    head: bytes


class HeldMark(Struct, frozen=True):
    """A place in a feed of which a process once knew, and the epoch in which it did."""

    epoch: int
    shard: int
    mark: Mark


class RememberedKnown(Known):
    """Keeps every mark that it ever held."""

    def __init__(self) -> None:
        super().__init__()
        self.held: set[HeldMark] = set()

    def note(self, shard: int, seq: int, chain: str) -> None:
        """As ``Known.note``."""
        super().note(shard, seq, chain)
        marks = self.marks()
        if marks is not None and marks.shards.get(shard) == Mark(seq, chain):
            self.held.add(HeldMark(marks.epoch, shard, Mark(seq, chain)))


class LedgerService:
    """One process: it can be killed and started again, stand still, and have a wrong clock.

    What it knows of its store outlives it, as the files do that keep it.

    Args:
        name: what it is called.
        network: the way to the store.
        guards: which checks are made.
        level: what it promises.
        counts: how often what happened.

    Attributes:
        known: what it knows of its store.
        skew_ms: how far its clock is ahead.
        is_up: whether it runs.
    """

    def __init__(
        self,
        name: str,
        network: Network,
        guards: Guards,
        level: Durability,
        counts: Counter[str],
    ) -> None:
        self.place = SimulatedProcess(name)
        self.known = RememberedKnown()
        self.skew_ms = 0
        self.is_up = False
        self._network = network
        self._guards = guards
        self._level: Durability = level
        self._counts = counts
        self._tasks: set[asyncio.Task[Any]] = set()
        self.learn(Marks(STORE, 1, {}))

    def clock(self) -> int:
        """What its clock says, in ms."""
        return EPOCH_MS + int(asyncio.get_running_loop().time() * 1000) + self.skew_ms

    def learn(self, marks: Marks) -> None:
        """Take a store for the known one."""
        self.known.learn(marks)
        self.known.trouble = ""

    def start(self) -> None:
        """Run, with empty caches."""
        self._client = SimulatedClient(self._network, self.place)
        client = cast("Client", self._client)  # as far as the log goes
        guards = self._guards
        seconds = asyncio.get_running_loop().time
        self._log = StreamLog(
            client,
            client,
            LAYOUT,
            guard=ClockGuard(client, self.clock, TOLERANCE_MS, seconds)
            if guards.measures_clocks
            else None,
            known=self.known,
            replication=promised(self._level, client, LAYOUT),
        )
        self._transactor: Transactor[LedgerState] = Transactor(
            Ledger(),
            _CODEC,
            self._log,
            rules=lambda _: RULES,
            on_rewritten=self._note_rewritten,
        )
        self.is_up = True
        if guards.watches_the_store:
            self._run(self._watch())

    def _note_rewritten(self, *_: object) -> None:
        self._counts["history rewritten"] += 1

    def kill(self) -> None:
        """End at once; what was sent is on its way."""
        self.is_up = False
        for task in sorted(self._tasks, key=asyncio.Task.get_name):
            task.cancel()
        self._tasks.clear()
        self._run(self._log.close())

    def command(
        self, stream: str, command: Command, by: Actor, command_id: str, *, opens: bool
    ) -> asyncio.Task[CommandReceipt]:
        """Execute a command, as long as the process lives."""
        work = self._transactor.execute(
            stream,
            command,
            actor=by,
            command_id=command_id,
            digest=KEYS.digest(repr(command).encode()),
            at=self.clock(),
            opens=opens,
        )
        return self._run(work)

    def read(self, stream: str) -> asyncio.Task[Shown]:
        """What a reader is shown."""
        return self._run(self._read(stream))

    def feed(self, shard: int, after: int) -> asyncio.Task[list[Pointer]]:
        """What a follower is told of a shard after an entry."""
        return self._run(self._feed(shard, after))

    def ends(self) -> asyncio.Task[dict[int, int]]:
        """Where the feeds end for a follower that begins."""
        return self._run(self._log.feed_ends())

    def state(self, stream: str) -> asyncio.Task[LedgerState]:
        """The newest state that a command would be decided on."""
        return self._run(self._state(stream))

    def _run(self, work: Any) -> asyncio.Task[Any]:  # noqa: ANN401 (any coroutine)
        self._counts["tasks"] += 1
        name = f"{self.place.name} {self._counts['tasks']:09}"
        task: asyncio.Task[Any] = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever still wants it has it

    async def _feed(self, shard: int, after: int) -> list[Pointer]:
        feed = self._log.pointers
        if self._guards.hides_unreplicated:
            return await feed.read(shard, after, _PAGE)
        return await feed.page(shard, after, _PAGE)

    async def _state(self, stream: str) -> LedgerState:
        return (await self._transactor.load(stream)).state

    async def _read(self, stream: str) -> Shown:
        entries = await self._log.read(stream)
        if not entries:
            raise NoSuchStream(stream)
        version = len(entries)
        heads = list(seal.heads(seal.genesis(stream), 0, (entry.public for entry in entries)))
        if self._guards.hides_unreplicated:
            shown = await self._log.shown(stream, version, heads[-1], insists=True)
            self._counts["shown less"] += shown < version
            version = min(version, shown)
        return Shown(version, heads[version - 1] if version else seal.genesis(stream))

    async def _watch(self) -> None:
        """Look once a second whether the store has all that was seen of it."""
        client = cast("Client", self._client)
        while True:
            await asyncio.sleep(_LOOK_S)
            marks = self.known.marks()
            assert marks is not None, "it has known its store from the beginning"
            try:
                stand = await read_stand(client, LAYOUT, marks)
            except LogError:
                continue
            if marks.epoch != (self.known.marks() or marks).epoch:
                continue
            trouble = judge(marks, stand)
            if trouble:
                self._counts["loss told"] += not self.known.trouble
                self.known.trouble = trouble
                continue
            identity = stand.identity
            assert identity is not None, "it has a name"
            if any(end.name is None for end in stand.ends.values()):
                # A replica has taken over that had not heard of all shards' names yet.
                self._counts["shards named"] += 1
                with contextlib.suppress(LogError):
                    await Identities(client, LAYOUT).name_new_shards(identity.name)
            ends = {shard: end.mark for shard, end in stand.ends.items() if end.mark.seq}
            self.learn(Marks(identity.store, identity.epoch, _longer(ends, marks)))


def _longer(ends: dict[int, Mark], marks: Marks) -> dict[int, Mark]:
    """What is found, but never less than what was known."""
    known = dict(marks.shards)
    return {s: m for s, m in ends.items() if s not in known or m.seq >= known[s].seq}
