"""Transactions when calls are lost, given up, or the store took another course."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from redis.asyncio import ConnectionPool, Redis, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as LostConnection

from events import seal
from events.clients import Client, close_client
from events.connections import SocketStoreConnection
from events.log import Damaged, StreamLog
from events.scripts import LogUnavailable
from tests.events.bank import STREAM, Pay
from tests.events.teller import give, history, open_purse, transactor


class Unreliable(SocketStoreConnection):
    """A connection that loses replies to scripts, or the requests, as often as it is told to."""

    lose_replies = 0
    lose_requests = 0
    _asked = False

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 (redis-py's own signature)
        self._asked = isinstance(command, bytes)  # ours; the greeting is a list
        if self._asked and Unreliable.lose_requests:
            Unreliable.lose_requests -= 1
            raise LostConnection("the request was lost")
        await cast("Any", super()).send_packed_command(command, check_health)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        answer = await cast("Any", super()).read_response(*args, **options)
        if self._asked and Unreliable.lose_replies:
            Unreliable.lose_replies -= 1
            raise LostConnection("the reply was lost")
        return answer


@pytest.fixture
async def unreliable(store_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Redis]:
    monkeypatch.setattr(Unreliable, "lose_replies", 0)
    monkeypatch.setattr(Unreliable, "lose_requests", 0)
    pool = ConnectionPool.from_url(store_url)
    assert pool.connection_class is UnixDomainSocketConnection
    pool.connection_class = Unreliable
    client = Redis.from_pool(pool)
    yield client
    await close_client(client)


@pytest.mark.parametrize("lost", ["lose_replies", "lose_requests"])
async def test_a_lost_call_is_made_good(unreliable: Redis, lost: str) -> None:
    log = StreamLog(unreliable, unreliable, 4)
    bank = transactor(log)
    await open_purse(bank)
    setattr(Unreliable, lost, 1)
    receipt = await give(bank, Pay(seat=1, coins=5), "pay")
    assert (receipt.version, receipt.count) == (2, 1)
    assert receipt.again is (lost == "lose_replies")
    assert (await bank.load(STREAM)).state.coins == 5
    assert len(await history(log)) == 2


@pytest.mark.parametrize("lost", ["lose_replies", "lose_requests"])
async def test_a_call_lost_twice_is_unknown_and_settled_by_repeating(
    unreliable: Redis, lost: str
) -> None:
    log = StreamLog(unreliable, unreliable, 4)
    bank = transactor(log)
    await open_purse(bank)
    setattr(Unreliable, lost, 2)
    with pytest.raises(LogUnavailable, match="lost"):
        await give(bank, Pay(seat=1, coins=5), "pay")
    setattr(Unreliable, lost, 0)
    receipt = await give(bank, Pay(seat=1, coins=5), "pay")
    assert (receipt.version, receipt.again) == (2, lost == "lose_replies")
    assert len(await history(log)) == 2


async def test_a_lost_call_after_which_others_moved_is_decided_again(
    unreliable: Redis, second: StreamLog
) -> None:
    bank, elsewhere = transactor(StreamLog(unreliable, unreliable, 4)), transactor(second)
    await open_purse(bank)
    await give(elsewhere, Pay(seat=1, coins=1), "others")
    Unreliable.lose_requests = 1
    receipt = await give(bank, Pay(seat=1, coins=5), "pay")
    assert (receipt.version, receipt.again) == (3, False)


async def test_a_cancelled_command_is_settled_by_repeating(log: StreamLog) -> None:
    bank = transactor(log)
    await open_purse(bank)
    given_up = asyncio.create_task(give(bank, Pay(seat=1, coins=5), "pay"))
    await asyncio.sleep(0)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    await give(bank, Pay(seat=1, coins=5), "pay")
    await give(bank, Pay(seat=1, coins=1), "more")
    assert (await bank.load(STREAM)).state.coins == 6


async def rewind(client: Client, log: StreamLog, version: int) -> None:
    """Take the store back to an earlier version, as a failover would that lost a tail."""
    raw, keys = cast("Any", client), log.layout.stream(STREAM)
    entries = await log.read(STREAM, limit=version)
    head = seal.chain(seal.genesis(STREAM), 0, [entry.public for entry in entries])
    await raw.delete(keys.entries, keys.commands)
    for entry in entries:
        fields = {"e": entry.public} | ({"p": entry.private} if entry.private else {})
        await raw.xadd(keys.entries, fields, id=f"{entry.version}-0")
    await raw.hset(keys.head, mapping={"ver": version, "head": head})


async def test_a_store_that_lost_its_tail_is_followed(log: StreamLog, client: Client) -> None:
    bank, seat = transactor(log), Pay(seat=1, coins=1)
    await open_purse(bank)
    for i in range(5):
        await give(bank, seat, f"pay {i}")
    await rewind(client, log, 3)
    assert (await bank.load(STREAM)).version == 3
    assert (await bank.load(STREAM, fresh=False)).version == 3, "nothing else is cached"
    assert (await give(bank, seat, "pay 9")).version == 4
    assert (await bank.load(STREAM)).state.coins == 3


async def test_a_store_that_took_another_course_is_followed(
    log: StreamLog, second: StreamLog, client: Client
) -> None:
    bank, elsewhere, seat = transactor(log), transactor(second), Pay(seat=1, coins=1)
    await open_purse(bank)
    for i in range(5):
        await give(bank, seat, f"pay {i}")
    await rewind(client, log, 2)
    for i in range(6):
        await give(elsewhere, Pay(seat=1, coins=100), f"other {i}")
    assert (await give(bank, seat, "pay 9")).version == 9
    assert (await bank.load(STREAM)).state.coins == 602


async def test_an_altered_entry_is_never_folded(log: StreamLog, client: Client) -> None:
    bank, raw, keys = transactor(log), cast("Any", client), log.layout.stream(STREAM)
    await open_purse(bank)
    await give(bank, Pay(seat=1, coins=5), "pay")
    forged = (await log.read(STREAM))[1].public.replace(b'"coins":5', b'"coins":6')
    first = (await log.read(STREAM))[0].public
    await raw.delete(keys.entries)
    for version, public in enumerate((first, forged), 1):
        await raw.xadd(keys.entries, {"e": public}, id=f"{version}-0")
    with pytest.raises(Damaged, match="does not hash to its head"):
        await transactor(log).load(STREAM)
