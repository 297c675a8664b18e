"""Gives commands to the bank, and looks at what the log holds of them."""

from __future__ import annotations

from typing import Any, cast

from events import seal
from events.codec import Envelope
from events.kernel import Command, TimestampMs
from events.log import StreamLog
from events.transact import CommandReceipt, Transactor
from tests.events.bank import ALICE, AT, RULES, STREAM, Bank, Open, Purse, codec, ring

KEYS = ring()


def transactor(log: StreamLog, **settings: Any) -> Transactor[Purse]:
    return Transactor(Bank(), codec(), log, rules=lambda _: RULES, **settings)


async def give(
    to: Transactor[Purse],
    command: Command,
    name: str,
    *,
    at: TimestampMs = AT,
    opens: bool = False,
    after: int | None = None,
    past_incidentals: bool = False,
) -> CommandReceipt:
    """Give a command of Alice's under a name; its content is what its repr says."""
    return await to.execute(
        STREAM,
        command,
        actor=ALICE,
        command_id=KEYS.command_id(ALICE.id, name),
        digest=KEYS.digest(repr(command).encode()),
        at=at,
        opens=opens,
        after=after,
        past_incidentals=past_incidentals,
    )


async def open_purse(to: Transactor[Purse], at: TimestampMs = AT) -> CommandReceipt:
    return await give(to, Open(owner="alice", key="secret seed"), "open", at=at, opens=True)


async def history(log: StreamLog) -> list[Envelope]:
    """All envelopes of the stream, after checking that they hash to its head."""
    entries = await log.read(STREAM)
    head = await log.head(STREAM)
    assert head is not None
    assert head.hash == seal.chain(seal.genesis(STREAM), 0, [entry.public for entry in entries])
    return codec().decode_many(STREAM, entries)


class Watched:
    """A log that notes which of its calls of the store were made."""

    def __init__(self, log: StreamLog) -> None:
        self._log = log
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._log, name)
        if name in {"require_fit", "replication"}:  # without a guard neither asks anybody
            return method

        async def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            return await method(*args, **kwargs)

        return counted


def watched(log: StreamLog) -> tuple[Watched, StreamLog]:
    spy = Watched(log)
    return spy, cast("StreamLog", spy)
