"""Transactions of several at once: nothing is lost or doubled, and all have their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from events.kernel import fold
from events.log import Append, Appended, StreamLog, StreamTail
from events.stream_locks import StreamLocks
from events.transact import Busy, CommandReceipt, Moved, NoSuchStream, Transactor
from tests.events.bank import ALICE, AT, OTHER, STREAM, Bank, Pay, Purse
from tests.events.teller import give, history, open_purse, transactor, watched


async def work(bank: Transactor[Purse], name: str, rounds: int) -> list[CommandReceipt]:
    """Pay in and take out again, and repeat every second command at once."""
    receipts = []
    for i in range(rounds):
        for coins in (3, -2):
            command, label = Pay(seat=1, coins=coins), f"{name} {i} {coins}"
            receipt = await give(bank, command, label)
            receipts.append(receipt)
            if coins < 0:
                assert await give(bank, command, label) == replace(receipt, again=True)
    return receipts


async def test_contention_loses_nothing_and_doubles_nothing(
    log: StreamLog, second: StreamLog
) -> None:
    banks = [transactor(log, tries=1000), transactor(second, tries=1000)]
    await open_purse(banks[0])
    tasks, rounds = 20, 4
    done = await asyncio.gather(*(work(banks[i % 2], f"task {i}", rounds) for i in range(tasks)))
    receipts = [receipt for each in done for receipt in each]
    assert len(receipts) == tasks * rounds * 2
    assert sorted(receipt.first for receipt in receipts) == list(range(2, len(receipts) + 2))
    assert not any(receipt.again for receipt in receipts)
    envelopes = await history(log)
    assert len(envelopes) == len(receipts) + 1
    for receipt in receipts:
        assert envelopes[receipt.first - 1].event == receipt.events[0]
    states = [(await bank.load(STREAM)).state for bank in banks]
    folded = fold(Bank(), [envelope.event for envelope in envelopes])
    assert states == [folded, folded]
    assert folded.coins == tasks * rounds
    pointers = await log.feed(1, 0, 1000)
    assert [pointer.version for pointer in pointers] == list(range(1, len(envelopes) + 1))


async def test_within_a_process_nobody_conflicts(log: StreamLog) -> None:
    spy, seen = watched(log)
    bank = transactor(seen)
    await open_purse(bank)
    await asyncio.gather(*(give(bank, Pay(seat=1, coins=1), f"pay {i}") for i in range(20)))
    assert spy.calls == ["append"] * 21


async def test_a_slow_reader_does_not_set_the_cache_back(
    log: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, tail, go_on = transactor(log), log.tail, asyncio.Event()
    await open_purse(bank)

    async def slow(*args: Any) -> StreamTail:
        found = await tail(*args)
        await go_on.wait()
        return found

    monkeypatch.setattr(log, "tail", slow)
    reading = asyncio.create_task(bank.load(STREAM))
    await give(bank, Pay(seat=1, coins=1), "a")
    await give(bank, Pay(seat=1, coins=1), "b")
    go_on.set()
    assert (await reading).version >= 1
    assert (await bank.load(STREAM, fresh=False)).version == 3


async def test_one_command_given_everywhere_at_once_happens_once(
    log: StreamLog, second: StreamLog
) -> None:
    banks = [transactor(log), transactor(second)]
    await open_purse(banks[0])
    receipts = await asyncio.gather(
        *(give(banks[i % 2], Pay(seat=1, coins=1), "pay") for i in range(10))
    )
    assert sum(not receipt.again for receipt in receipts) == 1
    assert {receipt.version for receipt in receipts} == {2}
    assert len(await history(log)) == 2


async def test_who_is_always_slower_is_told_so(
    log: StreamLog, second: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, faster = transactor(log, tries=3), transactor(second)
    await open_purse(bank)
    append, turns = log.append, iter(range(99))

    async def slowed(batch: Append) -> object:
        await give(faster, Pay(seat=1, coins=1), f"faster {next(turns)}")
        return await append(batch)

    monkeypatch.setattr(log, "append", slowed)
    with pytest.raises(Busy, match="3 times"):
        await give(bank, Pay(seat=1, coins=1), "slower")
    assert len(await history(log)) == 4


async def test_a_rival_with_many_commands_waiting_lets_others_through(
    log: StreamLog, second: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever we are about to append, the rival is faster, unless it leaves us a moment."""
    bank, rival, pay = transactor(log, tries=8), transactor(second), Pay(seat=1, coins=1)
    await open_purse(bank)
    append, give_back = log.append, StreamLocks.give_back
    waiting, pauses = list[asyncio.Task[CommandReceipt]](), list[Callable[[], None]]()
    paused = asyncio.Event()

    def held(turns: StreamLocks, stream: str, pause_s: float = 0.0) -> None:
        """A pause lasts until we have appended, not so many milliseconds."""
        if pause_s:
            pauses.append(partial(give_back, turns, stream))
            paused.set()
        else:
            give_back(turns, stream)

    async def outrun(batch: Append) -> object:
        waiting.append(asyncio.create_task(give(rival, pay, f"rival {len(waiting)}")))
        stopped = asyncio.create_task(paused.wait())
        await asyncio.wait({waiting[-1], stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        outcome = await append(batch)
        if isinstance(outcome, Appended):
            paused.clear()
            while pauses:
                pauses.pop()()
        return outcome

    monkeypatch.setattr(StreamLocks, "give_back", held)
    monkeypatch.setattr(log, "append", outrun)
    for number in range(3):
        await give(bank, pay, f"mine {number}")
    assert len(waiting) > 3, "it was faster more often than not"
    await asyncio.gather(*waiting)
    assert len(await history(log)) == 1 + 3 + len(waiting)


async def test_who_was_late_often_asks_for_precedence_and_is_given_it(
    log: StreamLog, second: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, rival, pay = transactor(log), transactor(second), Pay(seat=1, coins=1)
    await open_purse(bank)
    mine, others = log.append, second.append
    insisted, wanted = list[bool](), list[bool]()

    async def outrun(batch: Append) -> object:
        if len(insisted) < 5:
            await give(rival, pay, f"rival {len(insisted)}")
        insisted.append(batch.insists)
        return await mine(batch)

    async def noted(batch: Append) -> object:
        outcome = await others(batch)
        assert isinstance(outcome, Appended)
        wanted.append(outcome.wanted)
        return outcome

    monkeypatch.setattr(log, "append", outrun)
    monkeypatch.setattr(second, "append", noted)
    await give(bank, pay, "mine")
    assert insisted == [False, False, False, True, True, True]
    await give(rival, pay, "after")
    assert wanted == [False, False, False, False, True, False]
    assert len(await history(log)) == 8


async def test_a_command_for_one_version_is_refused_at_any_other(
    log: StreamLog, second: StreamLog
) -> None:
    bank, elsewhere, pay = transactor(log), transactor(second), Pay(seat=1, coins=1)
    await open_purse(bank)
    assert (await give(bank, pay, "a", after=1)).version == 2
    with pytest.raises(Moved) as refusal:
        await give(bank, pay, "b", after=1)
    assert refusal.value.version == 2
    assert (await give(elsewhere, pay, "c", after=2)).version == 3, "a cold cache catches up"
    assert (await give(bank, pay, "d", after=3)).version == 4, "so does one that is behind"
    with pytest.raises(Moved):
        await give(elsewhere, pay, "e", after=3)
    with pytest.raises(Moved):
        await give(bank, pay, "f", after=99)
    again = await give(bank, pay, "a", after=1)
    assert (again.version, again.again) == (2, True), "a repetition has its answer"
    with pytest.raises(NoSuchStream):
        await transactor(second).execute(
            OTHER, pay, actor=ALICE, command_id="x", digest="y", at=AT, after=1
        )
    assert len(await history(log)) == 4


async def test_a_stream_that_moves_while_a_command_for_one_version_is_decided_is_not_written(
    log: StreamLog, second: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, faster, pay = transactor(log), transactor(second), Pay(seat=1, coins=1)
    await open_purse(bank)
    append = log.append

    async def slowed(batch: Append) -> object:
        monkeypatch.undo()
        await give(faster, pay, "faster")
        return await append(batch)

    monkeypatch.setattr(log, "append", slowed)
    with pytest.raises(Moved):
        await give(bank, pay, "slower", after=1)
    assert len(await history(log)) == 2
