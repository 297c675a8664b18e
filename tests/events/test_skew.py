"""Clocks that differ: who is wrong does not write, who is late is not wrong."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any, cast

import pytest
import structlog

from events import clients
from events.clients import Client, close_client
from events.kernel import DurationMs, Rejected, TimestampMs
from events.log import Appended, StreamAhead, StreamLog
from events.scripts import LogUnavailable
from events.skew import IN_DOUBT_S, MEASURE_S, OLDEST_MS, ClockGuard, ClockSkew
from runtime.embedded.store import Store
from runtime.table_service import now_ms
from tests.events.bank import Pay
from tests.events.lab import batch
from tests.events.teller import give, open_purse, transactor

TOLERANCE = 2000
HOUR = 3_600_000


class Wrong:
    """A clock that is off by so many ms, and a monotonic one that we turn by hand."""

    def __init__(self, off: DurationMs = 0) -> None:
        self.off = off
        self.seconds = 0.0

    def __call__(self) -> TimestampMs:
        return now_ms() + self.off

    def monotonic(self) -> float:
        """It goes as the real one does, and on by as much as we say."""
        return asyncio.get_running_loop().time() + self.seconds


def guard(client: Client, clock: Wrong) -> ClockGuard:
    return ClockGuard(client, clock, TOLERANCE, clock.monotonic)


def guarded(client: Client, clock: Wrong) -> StreamLog:
    """A log as a process with this clock has it."""
    return StreamLog(client, client, 4, guard=guard(client, clock))


async def store_time(client: Client) -> TimestampMs:
    seconds, micros = await cast("Any", client).time()
    return int(seconds * 1000 + micros // 1000)


# --- what the script sees ---


class Sent(ClockGuard):
    """Says that everything is sent at one time."""

    def __init__(self, client: Client, at: TimestampMs) -> None:
        super().__init__(client, lambda: at, TOLERANCE)


async def sends(client: Client, *, sent: TimestampMs, at: TimestampMs) -> object:
    """What becomes of an append that was sent at a time, of a command that arrived at another."""
    log = StreamLog(client, client, 4, guard=Sent(client, sent))
    try:
        return await log.append(batch(at=at))
    except (ClockSkew, StreamAhead) as no:
        return type(no)


@pytest.mark.parametrize(
    ("sent", "at", "becomes"),
    [
        (0, 0, Appended(1, 1)),
        (-5_000, -5_000, Appended(1, 1)),  # a stall of five seconds
        (0, -OLDEST_MS + 1000, Appended(1, 1)),  # it arrived long before it could be sent
        (-50_000, -50_000, Appended(1, 1)),
        (TOLERANCE - 1000, 0, Appended(1, 1)),
        (TOLERANCE + 1000, 0, ClockSkew),
        (HOUR, HOUR, ClockSkew),
        (-OLDEST_MS - 1000, -OLDEST_MS - 1000, ClockSkew),
        (0, -OLDEST_MS - 1000, ClockSkew),
        (0, TOLERANCE + 1000, StreamAhead),
    ],
)
async def test_a_late_call_is_taken_and_one_from_the_future_is_not(
    client: Client, sent: DurationMs, at: DurationMs, becomes: object
) -> None:
    now = await store_time(client)
    assert await sends(client, sent=now + sent, at=now + at) == becomes
    head = await StreamLog(client, client, 4).head(batch().stream)
    assert (head is not None) == isinstance(becomes, Appended)


async def test_a_repeated_command_has_its_first_answer_whatever_the_clocks_say(
    client: Client,
) -> None:
    now = await store_time(client)
    plain = StreamLog(client, client, 4)
    await plain.append(batch(at=now))
    late = StreamLog(client, client, 4, guard=Sent(client, now + HOUR))
    assert (await late.append(batch(at=now))) != Appended(1, 1)


# --- a stream that is ahead of the clock ---


async def test_a_stream_that_is_ahead_waits_or_is_let_go_on(client: Client) -> None:
    now = await store_time(client)
    await StreamLog(client, client, 4).append(batch(at=now + HOUR))
    log = StreamLog(client, client, 4, guard=Sent(client, now))
    with pytest.raises(StreamAhead) as no:
        await log.append(batch(after=1, at=now + HOUR))
    assert HOUR - 60_000 < no.value.by <= HOUR
    assert await log.append(batch(after=1, at=now + HOUR, accepts_ahead=True)) == Appended(2, 2)
    # From now on it goes on at that time, and no further ahead.
    assert await log.append(batch(after=2, at=now + HOUR)) == Appended(3, 3)
    with pytest.raises(StreamAhead):
        await log.append(batch(after=3, at=now + HOUR + 1))


async def test_once_the_time_has_come_nothing_is_remembered_of_it(client: Client) -> None:
    now = await store_time(client)
    log = StreamLog(client, client, 4, guard=Sent(client, now))
    await log.append(batch(at=now + HOUR, accepts_ahead=True))
    key = log.layout.stream(batch().stream).head
    assert await cast("Any", client).hget(key, "ahead") == str(now + HOUR).encode()
    await log.append(batch(after=1, at=now))
    assert await cast("Any", client).hget(key, "ahead") is None


# --- what a process sees of its own clock ---


@pytest.mark.parametrize("off", [-HOUR, -30_000, 30_000, HOUR])
async def test_a_process_whose_clock_is_wrong_decides_and_writes_nothing(
    client: Client, off: DurationMs
) -> None:
    right = transactor(guarded(client, Wrong()))
    await open_purse(right, at=now_ms())
    before = await StreamLog(client, client, 4).head(batch().stream)
    clock = Wrong(off)
    wrong = transactor(guarded(client, clock))
    with structlog.testing.capture_logs() as lines:
        for _ in range(2):
            with pytest.raises(ClockSkew):
                await give(wrong, Pay(seat=1, coins=7), "pay", at=clock())
            with pytest.raises(ClockSkew):  # a refusal is a judgement too
                await give(wrong, Pay(seat=1, coins=-700), "too much", at=clock())
    told = [line for line in lines if line["event"] == "clock_skewed"]
    assert [round(line["offset_ms"], -4) for line in told] == [round(off, -4)]
    assert await StreamLog(client, client, 4).head(batch().stream) == before
    clock.off = 0
    clock.seconds += MEASURE_S
    assert (await give(wrong, Pay(seat=1, coins=7), "pay", at=clock())).version == 2


async def test_without_a_guard_it_does(client: Client) -> None:
    """The control."""
    bank = transactor(StreamLog(client, client, 4))
    await open_purse(bank, at=now_ms() + HOUR)
    assert (await give(bank, Pay(seat=1, coins=7), "pay", at=now_ms())).at > now_ms() + HOUR // 2


async def test_a_refusal_by_the_right_clock_stands(client: Client) -> None:
    bank = transactor(guarded(client, Wrong()))
    await open_purse(bank, at=now_ms())
    with pytest.raises(Rejected):
        await give(bank, Pay(seat=1, coins=-700), "too much", at=now_ms())


async def test_it_is_measured_now_and_then_and_at_once_when_it_jumps(client: Client) -> None:
    clock = Wrong()
    made = guard(client, clock)
    await made.require_right("any")
    first = made.offsets
    await made.require_right("any")
    assert made.offsets is first
    clock.seconds += MEASURE_S
    await made.require_right("any")
    assert made.offsets is not first
    clock.off = HOUR  # nobody has waited for ten seconds
    with pytest.raises(ClockSkew):
        await made.require_right("any")
    assert not made.is_right
    clock.off = 0
    await made.require_right("any")
    assert made.is_right


async def test_a_clock_in_doubt_is_measured_soon_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose clock had jumped was the store's: the process's own gives no sign when it is back."""
    clock = Wrong()
    made = guard(client, clock)
    ask = client.time

    async def jumped() -> tuple[int, int]:
        seconds, micros = await cast("Any", ask)()
        return seconds + HOUR // 1000, micros

    with monkeypatch.context() as patched:
        patched.setattr(client, "time", jumped)
        with pytest.raises(ClockSkew):
            await made.require_right("any")
    with pytest.raises(ClockSkew):
        await made.require_right("any")
    clock.seconds += IN_DOUBT_S
    clock.off += int(IN_DOUBT_S * 1000)  # the machine's two clocks go alike: neither jumps
    await made.require_right("any")
    assert made.is_right


async def test_a_slow_answer_proves_no_skew(client: Client) -> None:
    """Half the round trip is how wrong a measurement may be."""
    clock = Wrong()
    made = guard(client, clock)
    ask = client.time

    async def slow() -> Any:
        answer = await cast("Any", ask)()
        clock.seconds += 8.0
        clock.off += 8000
        return answer

    client.time = slow  # type: ignore[method-assign,assignment]
    await made.look()
    offset = made.offsets["store"]
    assert offset.error >= 4000
    assert (offset.least <= TOLERANCE, made.is_right) == (True, True)


async def test_while_the_store_is_away_the_last_measurement_holds(
    client: Client, store: Store
) -> None:
    clock = Wrong()
    made = guard(client, clock)
    await made.require_right("any")
    store.stop()
    try:
        clock.seconds += MEASURE_S
        await made.require_right("any")
        with pytest.raises(LogUnavailable):
            await made.look()
    finally:
        store.start()


# --- a real stall ---


@pytest.mark.slow
async def test_a_store_that_stands_still_for_five_seconds_refuses_no_timely_move(
    store: Store, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than a call waits for its answer, so what was sent is sent again."""
    monkeypatch.setattr(clients, "_SOCKET_SECONDS", 5)
    client = clients.commands(store_url)
    log = guarded(client, Wrong())
    bank = transactor(log)
    await open_purse(bank, at=now_ms())
    loop = asyncio.get_running_loop()
    os.kill(store.pid, signal.SIGSTOP)
    wake: Callable[[], None] = lambda: os.kill(store.pid, signal.SIGCONT)  # noqa: E731 (a callback)
    loop.call_later(5.5, wake)
    arrived = now_ms()
    receipts = await asyncio.gather(
        *(give(bank, Pay(seat=1, coins=1), f"pay {n}", at=arrived) for n in range(3))
    )
    assert sorted(receipt.version for receipt in receipts) == [2, 3, 4]
    assert all(receipt.at - arrived < 1000 for receipt in receipts), "arrival is what counts"
    await close_client(client)
