"""Players of a simulated service: they repeat each command under its id until it is settled."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec.structs import replace

from events.durability import Durability
from events.kernel import Actor, Command, Rejected
from events.log import Damaged, KeyReused
from events.scripts import LogError
from events.transact import CommandReceipt, NoSuchStream
from simulator.appends.ledger import CountCoins, MoveCoins, OpenLedger
from simulator.appends.process import Shown
from simulator.history import Attempt, History, Read

STREAMS: Final = ("g00-a", "g00-b", "g01-c")

_PATIENCE_S: Final = 12.0
_PAUSE_S: Final = 0.05
_READS: Final = 0.25


def now_ns() -> int:
    """The time that all players of one simulation share, in ns."""
    return int(asyncio.get_running_loop().time() * 1_000_000_000)


class LedgerPlace(Protocol):
    """A process that takes commands and shows streams."""

    @property
    def is_up(self) -> bool:
        """Whether it runs."""
        ...

    def command(
        self, stream: str, command: Command, by: Actor, command_id: str, *, opens: bool
    ) -> asyncio.Task[CommandReceipt]:
        """Execute a command."""
        ...

    def read(self, stream: str) -> asyncio.Task[Shown]:
        """What a reader is shown."""
        ...


class LedgerPlayer:
    """Gives commands to any process, and notes what it is told.

    Args:
        name: what it is called.
        services: the processes.
        chance: what it does.
        history: where it notes.
        counts: how often what happened.
        level: what is promised of all that is shown.
        fresh: whether reads show all that had been acknowledged.
        thinks_s: the longest pause before a command, in seconds.

    Attributes:
        odd: what it was told and should not have been.
    """

    def __init__(
        self,
        name: str,
        services: Sequence[LedgerPlace],
        chance: random.Random,
        history: History,
        counts: Counter[str],
        *,
        level: Durability,
        fresh: bool,
        thinks_s: float = 0.4,
    ) -> None:
        self.name = name
        self.odd: list[str] = []
        self._services = services
        self._chance = chance
        self._history = history
        self._counts = counts
        self._level: Durability = level
        self._fresh = fresh
        self._thinks_s = thinks_s
        self._given = 0

    def now_ns(self) -> int:
        """The time that all players share, in ns."""
        return now_ns()

    async def play(self, commands: int) -> None:
        """Give so many commands, one after another, and read in between."""
        for _ in range(commands):
            await asyncio.sleep(self._chance.random() * self._thinks_s)
            stream = self._chance.choice(STREAMS)
            if self._chance.random() < _READS:
                await self._read(stream)
            await self.give(stream, self._command())

    def _command(self) -> Command:
        kind = self._chance.random()
        if kind < (0.6 if self._given < 2 else 0.05):  # noqa: PLR2004 (most begin by it)
            return OpenLedger(owner=self.name)
        if kind < 0.2:  # noqa: PLR2004 (same)
            return CountCoins()
        return MoveCoins(coins=self._chance.randrange(-4, 8))

    async def give(self, stream: str, command: Command, by: LedgerPlace | None = None) -> str:
        """Give a command until it is settled; how: ``accepted`` or ``refused``.

        Args:
            stream: where to.
            command: what is asked.
            by: the process to ask; None: another one each time.
        """
        self._given += 1
        command_id = f"{self.name}-{self._given}"
        while True:
            service = by or self._chance.choice(self._services)
            attempt = Attempt(
                client=self.name, stream=stream, command_id=command_id, sent=self.now_ns()
            )
            if service.is_up:
                attempt = await self._attempt(service, attempt, command)
            self._history.attempts.append(attempt)
            self._counts[f"attempt {attempt.outcome}"] += 1
            if attempt.outcome != "unknown":
                return attempt.outcome
            await asyncio.sleep(_PAUSE_S)

    async def _attempt(self, service: LedgerPlace, attempt: Attempt, command: Command) -> Attempt:
        """What came of one sending."""
        task = service.command(
            attempt.stream,
            command,
            Actor("player", self.name),
            attempt.command_id,
            opens=isinstance(command, OpenLedger),
        )
        await asyncio.wait([task], timeout=_PATIENCE_S)
        if not task.done() or task.cancelled():
            return attempt
        error = task.exception()
        if error is None:
            return self._accepted(attempt, task.result())
        if isinstance(error, Rejected | NoSuchStream):
            return replace(attempt, answered=self.now_ns(), outcome="refused")
        if not isinstance(error, LogError):
            raise error
        self._counts[f"told {type(error).__name__}"] += 1
        if isinstance(error, KeyReused | Damaged):
            self.odd.append(f"{attempt.command_id}: {error!r}")
        return attempt

    def _accepted(self, attempt: Attempt, receipt: CommandReceipt) -> Attempt:
        self._counts["accepted again"] += receipt.again
        self._counts[f"accepted {receipt.level}"] += 1
        return replace(
            attempt,
            answered=self.now_ns(),
            outcome="accepted",
            level=receipt.level,
            first=receipt.first,
            version=receipt.version,
        )

    async def _read(self, stream: str) -> None:
        service = self._chance.choice(self._services)
        if not service.is_up:
            return
        began, task = self.now_ns(), service.read(stream)
        await asyncio.wait([task], timeout=_PATIENCE_S)
        if not task.done() or task.cancelled():
            return
        error = task.exception()
        if error is not None:
            if not isinstance(error, LogError):
                raise error
            return
        shown = task.result()
        self._counts["read"] += 1
        self._history.reads.append(
            Read(
                client=self.name,
                stream=stream,
                version=shown.version,
                head=shown.head,
                began=began,
                level=self._level,
                fresh=self._fresh,
            )
        )
