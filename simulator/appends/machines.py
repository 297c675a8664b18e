"""The machines of a simulated store: one, or a primary with its replica (no I/O; virtual time).

A machine is a log of the calls that wrote something. What it keeps through a crash is the part of
the log that was on its disk; what a replica takes over is the part that had reached it. Its keys
are what the model makes of that log.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from redis.exceptions import ResponseError

from simulator.appends.guards import Guards
from simulator.appends.model import ModelStore

EPOCH_MS: Final = 1_700_000_000_000
"""What clocks say when a run begins, in ms."""

_DELIVERY_S: Final = (0.0002, 0.003)
_SYNC_S: Final = (0.0005, 0.004)
_LAZY_SYNC_S: Final = 1.0
_LONELY_S: Final = 2.0
"""After so long without a replica a primary that needs one takes no more writes."""

_WRITES: Final = frozenset({b"EVALSHA", b"EVAL", b"HSET"})


class LoggedWrite(Struct, frozen=True):
    """A call that wrote something, and the time at which it ran.

    ``appends``: the number that it gave to a batch in the feed; 0 if it appended none. ``torn``:
    only a part of it is left.
    """

    words: list[bytes]
    now: int
    appends: int = 0
    torn: bool = False


def uniform(chance: random.Random, bounds: tuple[float, float]) -> float:
    """A number between two."""
    return bounds[0] + (bounds[1] - bounds[0]) * chance.random()


class Machine:
    """One server.

    Attributes:
        log: the calls that wrote something, in order.
        synced: how many of them are on its disk.
        is_up: whether it runs.
        paused_until: until when it stands still, in seconds of the loop.
        skew_ms: how far its clock is ahead.
        needs_replica: whether it takes no writes after it has been without a replica for a while.
        lonely_since: since when it is; None: it is not.
        life: one more with each crash and each time that it begins to follow another.
    """

    def __init__(self, name: str, guards: Guards) -> None:
        self.name = name
        self.guards = guards
        self.store = ModelStore(guards)
        self.log: list[LoggedWrite] = []
        self.synced = 0
        self.is_up = True
        self.paused_until = 0.0
        self.skew_ms = 0
        self.life = 0
        self.needs_replica = False
        self.lonely_since: float | None = None
        self._synced_at = 0.0

    @property
    def now_ms(self) -> int:
        """What its clock says."""
        return EPOCH_MS + int(asyncio.get_running_loop().time() * 1000) + self.skew_ms

    def execute(self, words: Sequence[bytes]) -> Any:  # noqa: ANN401 (whatever the store answers)
        """The answer to a call; what it writes is on the disk before that, unless the guard is off.

        Raises:
            ResponseError: the store refuses it.
        """
        if words[0] in _WRITES and self._is_alone():
            raise ResponseError("NOREPLICAS Not enough good replicas to write.")
        before, now = self.store.changes, self.now_ms
        answer = self.store.run(words, now)
        if self.store.changes > before:
            appends = answer[2] if isinstance(answer, list) and answer[0] == b"ok" else 0
            self.log.append(LoggedWrite([*words], now, appends))
            self._sync()
        return answer

    def _is_alone(self) -> bool:
        since, now = self.lonely_since, asyncio.get_running_loop().time()
        return self.needs_replica and since is not None and now - since > _LONELY_S

    def _sync(self) -> None:
        """Bring the log to the disk: always, or only once a second."""
        now = asyncio.get_running_loop().time()
        if self.guards.syncs_before_answers or now - self._synced_at >= _LAZY_SYNC_S:
            self.synced = len(self.log)
            self._synced_at = now

    def crash(self) -> int:
        """Lose everything but what is on the disk; how many calls that were."""
        self.is_up = False
        self.life += 1
        lost = len(self.log) - self.synced
        del self.log[self.synced :]
        last = self.log[-1] if self.log else None
        if not self.guards.writes_whole_batches and last is not None and last.appends:
            self.log[-1] = replace(last, torn=True)
        return lost

    def start(self) -> None:
        """Run, with what the log holds."""
        self.is_up = True
        self.store = ModelStore(self.guards)
        for write in self.log:
            if write.torn:
                self.store.tear(write.words)
            else:
                self.store.replay(write.words, write.now)


class StorePair:
    """A store that clients take for one: a machine, or two of which one is the primary.

    Args:
        chance: how long things take.
        guards: which checks are made.
        replicated: whether there is a replica.
        counts: how often what happened.

    Attributes:
        dropped: how many calls failovers and crashes have thrown away.
        is_split: whether the deposed primary does not know yet that it is.
        kept: the appends that came to be on the disks of both machines, each with the time, in
            seconds of the loop; again where a machine has begun anew.
        whole: set once the replica has had all of the primary's log since it began to follow it;
            before that it has nothing that could take over, and no cluster lets it.
    """

    def __init__(
        self, chance: random.Random, guards: Guards, counts: Counter[str], *, replicated: bool
    ) -> None:
        self.primary = Machine("A", guards)
        self.other = Machine("B", guards) if replicated else None
        self.dropped = 0
        self.kept: list[tuple[LoggedWrite, float]] = []
        self.is_split = False
        self.whole = asyncio.Event()
        self.whole.set()
        self._chance = chance
        self._guards = guards
        self._counts = counts
        self._linked = replicated
        self._term = 0
        # How much of the primary's log the replica has said in this term to have on its disk: what
        # lies there from before, when it was the primary itself, is another log.
        self._told_synced = 0
        for machine in (self.primary, self.other):
            if machine is not None:
                machine.needs_replica = replicated
        self._waiters: list[asyncio.Future[None]] = []

    def execute(self, machine: Machine, words: Sequence[bytes]) -> Any:  # noqa: ANN401 (see Machine)
        """As ``Machine.execute``; what it writes sets out for the replica.

        Raises:
            ResponseError: the store refuses it.
        """
        answer = machine.execute(words)
        if machine is self.primary:
            self._send_on()
        return answer

    def link(self, *, up: bool) -> None:
        """Let the replica follow, or not."""
        self._linked = up and self.other is not None
        self.primary.lonely_since = None if up else asyncio.get_running_loop().time()
        if up:
            self._send_on()

    def fail_over(self, *, from_disk: bool) -> None:
        """Let the replica take over with what it was sent, or with what is on its disk."""
        old, new = self.primary, self.other
        assert new is not None, "there is a replica"
        del new.log[new.synced if from_disk else len(new.log) :]
        new.synced = len(new.log)
        lost = len(old.log) - len(new.log)
        self.dropped += max(0, lost)
        self._counts["lost tail"] += lost > 0
        new.start()
        self.primary, self.other = new, old
        old.lonely_since = new.lonely_since = asyncio.get_running_loop().time()
        self._term += 1
        self._told_synced = 0
        self._linked = False

    def rejoin(self) -> None:
        """Let the other machine run, and follow from the beginning."""
        other = self.other
        self.is_split = False
        if other is None:
            return
        diverged = self._diverged(other)
        self.dropped += diverged
        self._counts["deposed writes thrown away"] += diverged
        other.is_up = True
        other.life += 1
        other.log, other.synced = [], 0
        self.whole.clear()
        self._term += 1
        self._told_synced = 0
        self.link(up=True)

    def _diverged(self, other: Machine) -> int:
        """How many calls the other machine has that the primary does not know."""
        pairs = zip(other.log, self.primary.log, strict=False)
        common = next((n for n, (a, b) in enumerate(pairs) if a != b), len(self.primary.log))
        return max(0, len(other.log) - common)

    async def replicas_with(self, machine: Machine, offset: int, wait_s: float) -> int:
        """How many replicas have on disk what a machine had written, after a while."""
        if not self._guards.waits_for_replicas:
            return 1
        term = self._term
        try:
            async with asyncio.timeout(wait_s):
                while not self._has(machine, offset, term):
                    waiter = asyncio.get_running_loop().create_future()
                    self._waiters.append(waiter)
                    await waiter
        except TimeoutError:
            return 0
        return 1

    def _has(self, machine: Machine, offset: int, term: int) -> bool:
        mine = machine is self.primary and term == self._term
        return mine and self._told_synced >= offset

    def _send_on(self) -> None:
        if self._linked:
            delay = uniform(self._chance, _DELIVERY_S)
            loop = asyncio.get_running_loop()
            loop.call_later(delay, self._deliver, self._term, len(self.primary.log))

    def _deliver(self, term: int, upto: int) -> None:
        other = self.other
        if term != self._term or not self._linked or other is None or not other.is_up:
            return
        other.log += self.primary.log[len(other.log) : upto]
        delay = uniform(self._chance, _SYNC_S)
        asyncio.get_running_loop().call_later(delay, self._replica_synced, term, upto)

    def _replica_synced(self, term: int, upto: int) -> None:
        other = self.other
        if term != self._term or other is None or not other.is_up:
            return
        now = asyncio.get_running_loop().time()
        self.kept += [(w, now) for w in other.log[other.synced : upto] if w.appends]
        other.synced = self._told_synced = max(other.synced, upto)
        self.whole.set()
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
