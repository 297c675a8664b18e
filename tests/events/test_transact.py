"""Transactions: nothing lost, nothing doubled, nothing refused that is legal."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from msgspec.structs import replace

from events.clients import Client
from events.kernel import Command, Context, Event, Rejected
from events.keys import KeyRing
from events.log import KeyReused, StreamLog
from events.transact import CommandReceipt, NoSuchStream, Transactor
from tests.conftest import Sometimes
from tests.events.bank import (
    ALICE,
    AT,
    CANARY,
    RULES,
    STREAM,
    Bank,
    Count,
    Counted,
    Open,
    Opened,
    Paid,
    Pay,
    Purse,
    codec,
)
from tests.events.teller import KEYS, give, history, open_purse, transactor, watched


async def test_a_command_is_executed(log: StreamLog) -> None:
    bank = transactor(log)
    opened = await open_purse(bank)
    assert opened == CommandReceipt(
        version=1,
        first=1,
        count=1,
        events=(Opened(owner="alice", key="secret seed"),),
        again=False,
        at=AT,
    )
    paid = await give(bank, Pay(seat=1, coins=7, note=CANARY), "pay", at=AT + 5)
    assert (paid.version, paid.first, paid.count, paid.at) == (2, 2, 1, AT + 5)
    counted = await give(bank, Count(), "count", at=AT + 9)
    assert (counted.version, counted.first, counted.count) == (4, 3, 2)
    assert isinstance(counted.events[0], Counted)
    envelopes = await history(log)
    assert tuple(e.event for e in envelopes) == opened.events + paid.events + counted.events
    assert [e.at for e in envelopes] == [AT, AT + 5, AT + 9, AT + 9]
    batches = [e.batch for e in envelopes]
    assert batches[3] is None, "only the first event of a batch has its command"
    assert batches[1] is not None
    assert batches[1].command == Pay(seat=1, coins=7, note=CANARY)
    assert batches[1].rules == RULES
    head = await log.head(STREAM)
    assert head is not None
    assert head.status == "open"


async def test_an_accepted_command_on_a_warm_cache_is_one_call(log: StreamLog) -> None:
    spy, seen = watched(log)
    bank = transactor(seen)
    await open_purse(bank)
    assert spy.calls == ["append"], "opening needs no look either"
    await give(bank, Pay(seat=1, coins=1), "pay")
    assert spy.calls == ["append", "append"]
    with pytest.raises(Rejected):
        await give(bank, Pay(seat=1, coins=-9), "steal")
    assert spy.calls == ["append", "append", "answered"], "a rejection is one call more"


async def test_deadlines_follow_the_state(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    assert await log.next_due() is None
    await give(bank, Pay(seat=1, coins=1), "a")
    await give(bank, Pay(seat=1, coins=1), "b")
    assert await log.next_due() == 2000


async def test_time_never_runs_backwards(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    late = await give(bank, Pay(seat=1, coins=1), "late", at=AT + 500)
    early = await give(bank, Pay(seat=1, coins=1), "early", at=AT + 100)
    assert (late.at, early.at) == (AT + 500, AT + 500)
    cold = await give(transactor(log), Pay(seat=1, coins=1), "cold", at=AT)
    assert cold.at == AT + 500


async def test_a_repeat_gets_the_first_answer(log: StreamLog, second: StreamLog) -> None:
    bank, elsewhere = transactor(log), transactor(second)
    await open_purse(bank)
    first = await give(bank, Pay(seat=1, coins=5, note=CANARY), "pay")
    await give(bank, Count(), "count")
    for where in (bank, elsewhere, transactor(second)):
        again = await give(where, Pay(seat=1, coins=5, note=CANARY), "pay", at=AT + 99)
        assert again == replace(first, again=True)
    assert len(await history(log)) == 4


async def test_a_repeat_that_is_illegal_by_now_gets_the_first_answer(
    log: StreamLog, second: StreamLog
) -> None:
    bank, elsewhere = transactor(log), transactor(second)
    await open_purse(bank)
    await give(bank, Pay(seat=1, coins=5), "in")
    first = await give(bank, Pay(seat=1, coins=-5), "out")
    for where in (bank, elsewhere):
        assert await give(where, Pay(seat=1, coins=-5), "out") == replace(first, again=True)
        with pytest.raises(Rejected, match="too-poor"):
            await give(where, Pay(seat=1, coins=-5), "out of nothing")
        assert (await open_purse(where)).again


async def test_a_reused_key_is_refused(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    await give(bank, Pay(seat=1, coins=5), "pay")
    with pytest.raises(KeyReused):
        await give(bank, Pay(seat=1, coins=6), "pay")
    with pytest.raises(KeyReused):
        await give(bank, Pay(seat=1, coins=-60), "pay")
    assert (await bank.load(STREAM)).state.coins == 5


async def test_a_stale_cache_refuses_nothing_that_is_legal(
    log: StreamLog, second: StreamLog
) -> None:
    bank, elsewhere = transactor(log), transactor(second)
    await open_purse(bank)
    await elsewhere.load(STREAM)
    for i in range(5):
        await give(bank, Pay(seat=1, coins=10), f"in {i}")
        taken = await give(elsewhere, Pay(seat=1, coins=-10), f"out {i}")
        assert taken.version == 2 * i + 3


async def test_a_stale_cache_accepts_nothing_that_is_illegal(
    log: StreamLog, second: StreamLog
) -> None:
    bank, elsewhere = transactor(log), transactor(second)
    await open_purse(bank)
    await give(bank, Pay(seat=1, coins=10), "in")
    await elsewhere.load(STREAM)
    await give(bank, Pay(seat=1, coins=-10), "out")
    with pytest.raises(Rejected, match="too-poor"):
        await give(elsewhere, Pay(seat=1, coins=-10), "out again")


async def test_a_rejection_leaves_nothing_behind(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    before = await bank.load(STREAM)
    with pytest.raises(Rejected):
        await give(bank, Pay(seat=1, coins=-1), "steal")
    assert await bank.load(STREAM) == before
    assert before.state == Purse(owner="alice", key="secret seed")
    assert len(await history(log)) == 1
    await give(bank, Pay(seat=1, coins=1), "in")
    accepted = await give(bank, Pay(seat=1, coins=-1), "steal")
    assert not accepted.again, "a rejected command is not remembered"


async def test_unknown_streams(log: StreamLog) -> None:
    bank = transactor(log)
    for _ in range(2):
        with pytest.raises(NoSuchStream):
            await give(bank, Pay(seat=1, coins=1), "pay")
        with pytest.raises(NoSuchStream):
            await bank.load(STREAM)
    assert (await open_purse(bank)).version == 1


async def test_a_stream_is_opened_once(log: StreamLog, second: StreamLog) -> None:
    banks = [transactor(log), transactor(second)]
    first = await open_purse(banks[0])
    for bank in banks:
        with pytest.raises(Rejected, match="already-open"):
            await give(bank, Open(owner="bob"), "other", opens=True)
        assert await open_purse(bank) == replace(first, again=True)


async def test_loading_what_will_do(log: StreamLog, second: StreamLog) -> None:
    bank = transactor(log)
    spy, seen = watched(second)
    elsewhere = transactor(seen)
    await open_purse(bank)
    assert (await elsewhere.load(STREAM)).version == 1
    await give(bank, Pay(seat=1, coins=3), "pay")
    spy.calls.clear()
    assert (await elsewhere.load(STREAM, at_least=1)).version == 1
    assert (await elsewhere.load(STREAM, fresh=False)).version == 1
    assert spy.calls == []
    assert (await elsewhere.load(STREAM, at_least=2)).version == 2
    await give(bank, Pay(seat=1, coins=3), "more")
    loaded = await elsewhere.load(STREAM)
    assert (loaded.version, loaded.state.coins, loaded.at) == (3, 6, AT)
    assert loaded.head == (await bank.load(STREAM)).head
    assert (await elsewhere.load(STREAM, at_least=9)).version == 3, "it is not there yet"


class Mute(Bank):
    """Accepts whatever is asked of it, and says nothing of it."""

    def decide(self, command: Command, state: Purse, context: Context) -> list[Event]:
        del command, state, context
        return []


async def test_a_command_that_makes_no_event_is_a_mistake_of_the_decider(log: StreamLog) -> None:
    mute = Transactor(Mute(), codec(), log, rules=lambda _: RULES)
    with pytest.raises(ValueError, match="Open was accepted and made no event"):
        await open_purse(mute)
    assert await log.head(STREAM) is None
    await open_purse(transactor(log))
    with pytest.raises(ValueError, match="Count was accepted and made no event"):
        await give(mute, Count(), "count")
    assert len(await history(log)) == 1


async def test_many_ask_for_a_cold_state_and_one_reads(log: StreamLog, second: StreamLog) -> None:
    await open_purse(transactor(log))
    spy, seen = watched(second)
    elsewhere = transactor(seen)
    loaded = await asyncio.gather(*(elsewhere.load(STREAM, fresh=False) for _ in range(20)))
    assert {each.version for each in loaded} == {1}
    assert spy.calls == ["tail"]


async def test_a_small_cache_forgets_and_is_never_wrong(log: StreamLog) -> None:
    spy, seen = watched(log)
    bank = transactor(seen, cached=2)
    streams = [f"g01-{i}" for i in range(5)]
    for turn in range(3):
        for stream in streams:
            command: Command = Pay(seat=1, coins=1) if turn else Open(owner=stream)
            name = f"{stream} {turn}"
            await bank.execute(
                stream, command, actor=ALICE, command_id=name, digest="d", at=AT, opens=not turn
            )
    assert [(await bank.load(stream)).state.coins for stream in streams] == [2] * 5
    spy.calls.clear()
    for stream in streams[:2:-1]:
        await bank.load(stream, fresh=False)
    assert spy.calls == [], "those used last are kept"
    await bank.load(streams[0], fresh=False)
    assert spy.calls == ["tail"], "the others are not"


async def test_long_tails_are_caught_up_with(log: StreamLog, second: StreamLog) -> None:
    bank, elsewhere = transactor(log), transactor(second)
    await open_purse(bank)
    await elsewhere.load(STREAM)
    for i in range(300):
        await give(bank, Pay(seat=1, coins=1), f"pay {i}")
    receipt = await give(elsewhere, Pay(seat=1, coins=-300), "all")
    assert receipt.version == 302
    assert (await transactor(second).load(STREAM)).state.coins == 0


async def test_no_secret_is_in_the_public_bytes_or_anywhere_in_the_store(
    log: StreamLog, admin: Client
) -> None:
    bank, raw = transactor(log), cast("Any", admin)
    await give(bank, Open(owner="alice", key=CANARY), "open", opens=True)
    await give(bank, Pay(seat=1, coins=5, note=CANARY), CANARY)
    await give(bank, Count(), "count")
    state = (await transactor(log).load(STREAM)).state
    assert state.key == CANARY, "it is there for who holds the keys"
    needles = [CANARY.encode(), KEYS.game_key(STREAM), KEYS.game_key(STREAM).hex().encode()]
    found = 0
    for key in await raw.keys("*"):
        seen = [key, await raw.dump(key)]  # DUMP may compress, so everything is also read
        match await raw.type(key):
            case b"hash":
                seen += [part for pair in (await raw.hgetall(key)).items() for part in pair]
            case b"stream":
                pages = await raw.xrange(key)
                seen += [part for _, fields in pages for part in fields.values()]
            case b"zset":
                seen += await raw.zrange(key, 0, -1)
        found += len(seen)
        assert not any(needle in part for needle in needles for part in seen)
    assert found > 20


async def test_a_rotation_in_the_middle_of_a_stream(
    log: StreamLog, second: StreamLog, sometimes: Sometimes
) -> None:
    both = KeyRing({"k1": b"1" * 32, "k2": b"2" * 32}, "k2", naming="k1")
    bank = transactor(log)
    turned = Transactor(Bank(), codec(both), second, rules=lambda _: RULES)
    await open_purse(bank)
    for i, where in enumerate((turned, bank, turned, bank)):
        await give(where, Pay(seat=1, coins=i, note=f"note {i}"), f"pay {i}")
    notes = [e.event.note for e in await history(log) if isinstance(e.event, Paid)]
    assert notes == [f"note {i}" for i in range(4)], "one key reads the whole stream"
    sometimes("keys rotated", 2)


async def test_a_bug_in_a_decider_does_not_lock_the_stream(
    log: StreamLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = transactor(log)
    await open_purse(bank)
    decide = Bank.decide

    def broken(*_: object) -> list[Event]:
        raise ZeroDivisionError

    monkeypatch.setattr(Bank, "decide", broken)
    with pytest.raises(ZeroDivisionError):
        await give(bank, Count(), "count")
    monkeypatch.setattr(Bank, "decide", decide)
    assert (await give(bank, Count(), "count")).version == 3
