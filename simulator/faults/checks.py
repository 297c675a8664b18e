"""What must hold once a fault is over: all goes on, nothing is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import httpx

from events.clients import connected
from events.log import StreamLog
from events.scripts import LogUnavailable
from replay.list_audit import INDEXES, LISTS
from replay.store_audit import StoreAudit
from replay.stream_audit import ROW, AuditFault
from runtime.settings import Settings
from simulator.deadline_history import judge_deadlines
from simulator.faults.load import Ack
from simulator.faults.parts import ServiceParts
from simulator.feed_history import FeedPromise, judge_feeds
from simulator.feed_notes import FeedTold
from simulator.history import FinalBatch, History, judge
from simulator.history_streams import final_feeds, final_streams

SETTLES_S: Final = 180.0
"""Within so many seconds everything must go on, also on a machine that does ten other things."""

LATEST_MS: Final = int(SETTLES_S * 1000)
"""The longest after a deadline that somebody is timed out, faults and loaded machine included."""

LATE_MS: Final = 5000
"""A deadline that is so much overdue is one that nobody sees to."""

_PAUSE_S: Final = 0.1
_PATIENCE_S: Final = 10.0
_FOLLOWED: Final = frozenset({ROW, LISTS, INDEXES})
"""What may be behind for a moment, because the lists follow."""


class FaultDamage(AssertionError):
    """Something does not hold."""


def wait_for(what: str, holds: Callable[[], bool], seconds: float = SETTLES_S) -> None:
    """Wait until something holds.

    Raises:
        FaultDamage: it does not in time.
    """
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise FaultDamage(f"{what}: not within {seconds:g} s")
        time.sleep(_PAUSE_S)


def status(rig: ServiceParts, path: str) -> int:
    """The status of an answer; 0: there is none."""
    try:
        return rig.http.get(path).status_code
    except httpx.HTTPError:
        return 0


def goes_on(rig: ServiceParts) -> None:
    """All parts are there, and the service can read and append.

    Raises:
        FaultDamage: a part has ended, or they do not in time.
    """
    if ended := rig.ended():
        raise FaultDamage(f"ended by themselves: {', '.join(ended)}")
    if not rig.store_runs:
        raise FaultDamage("the store has ended by itself")
    wait_for("the service can append", lambda: _is_well(rig, "/health/writable"))
    wait_for("the service can read", lambda: _is_well(rig, "/health/ready"))


def _is_well(rig: ServiceParts, path: str) -> bool:
    rig.revive()
    return status(rig, path) == httpx.codes.OK


def kept(rig: ServiceParts, acks: Sequence[Ack]) -> None:
    """Each accepted command, given again, has the answer that it had.

    Raises:
        FaultDamage: it has another one, so what was acknowledged is lost or was done again.
    """
    with httpx.Client(base_url=rig.url, timeout=_PATIENCE_S) as http:
        for ack in acks:
            answer = http.post(ack.path, content=ack.body, headers=ack.headers)
            if (answer.status_code, answer.content) != (ack.status, ack.answer):
                raise FaultDamage(
                    f"{ack.path} was {ack.answer[:200]!r}, is {answer.content[:200]!r}"
                )


def once(acks: Sequence[Ack]) -> None:
    """No two commands led to the same versions of a game.

    Raises:
        FaultDamage: two did.
    """
    ranges = sorted(found for ack in acks if (found := ack.receipt()) is not None)
    for (game, first, last), (other, begin, end) in pairwise(ranges):
        if game == other and begin <= last:
            raise FaultDamage(f"{game}: {first} to {last} and {begin} to {end} overlap")


def consistent(rig: ServiceParts, history: History) -> None:
    """What players were told, of every sending, agrees with what the games' streams hold.

    And nobody was timed out but when it was time to, which these streams tell too.

    Raises:
        FaultDamage: it does not; the message names every violation.
    """
    streams = {attempt.stream for attempt in history.attempts if attempt.stream}
    ends = asyncio.run(final_streams(rig.settings, streams))
    found = [*judge(history, ends, is_house=_is_house), *judge_deadlines(ends, LATEST_MS)]
    if found:
        raise FaultDamage("\n".join(violation.line() for violation in found))


def told_as_promised(settings: Settings, history: History) -> int:
    """Followers were told of all in order, and all of it is there; of how many entries.

    Raises:
        FaultDamage: that does not hold; the message names every violation.
    """
    feeds, ends = asyncio.run(final_feeds(settings))
    promise = FeedPromise(survives={settings.durability}, stayed=history.stayed)
    if found := judge_feeds(history.feeds, feeds, ends, promise):
        raise FaultDamage("\n".join(violation.line() for violation in found))
    return sum(isinstance(note, FeedTold) for note in history.feeds)


def _is_house(batch: FinalBatch) -> bool:
    """Whether the service did it by itself: time-outs, bots' choices, lost time given back."""
    return not batch.by.startswith("player:")


def timed_out(rig: ServiceParts) -> None:
    """Nothing stays overdue: no time-out is lost.

    Raises:
        FaultDamage: a deadline is not seen to.
    """
    wait_for("deadlines are seen to", lambda: _all_seen_to(rig))


def _all_seen_to(rig: ServiceParts) -> bool:
    rig.revive()
    return not asyncio.run(_overdue(rig.settings))


async def _overdue(settings: Settings) -> bool:
    async with connected(settings.store_url) as (client, listener):
        due = await StreamLog(client, listener, settings.layout()).next_due()
    return due is not None and due < time.time_ns() // 1_000_000 - LATE_MS


def verified(rig: ServiceParts) -> int:
    """The whole store is as it should be; how many events it holds.

    Raises:
        FaultDamage: it is not; the message names all faults.
    """
    found: list[AuditFault] = []
    events = 0

    def is_sound() -> bool:
        nonlocal events
        found[:], events = asyncio.run(_audit(rig.settings))
        return not found or any(fault.check not in _FOLLOWED for fault in found)

    wait_for("the lists follow", is_sound)
    if found:
        raise FaultDamage("\n".join(_lines(found)))
    return events


def _lines(faults: Sequence[AuditFault]) -> Iterator[str]:
    yield "the store is damaged:"
    yield from (fault.line() for fault in faults)


async def _audit(settings: Settings) -> tuple[list[AuditFault], int]:
    audit = StoreAudit(settings)
    try:
        found = [fault async for fault in audit.faults()]
    except LogUnavailable as error:
        raise FaultDamage(f"the store cannot be verified: {error}") from error
    return found, audit.tally.events


def all_holds(rig: ServiceParts, acks: Sequence[Ack], history: History) -> int:
    """Everything; how many events the store holds.

    Raises:
        FaultDamage: something does not hold.
    """
    goes_on(rig)
    timed_out(rig)
    once(acks)
    kept(rig, acks)
    consistent(rig, history)
    return verified(rig)
