"""Faults 2, 20, 21: answers and requests lost or doubled; scripts forgotten, or of two versions."""

from __future__ import annotations

import asyncio
import random
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

import pytest
from redis.asyncio import ConnectionPool, Redis
from redis.exceptions import ConnectionError as LostConnection

from events import log as events_log
from events.connections import SocketStoreConnection
from events.scripts import Script
from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.unguarded import GUARDED, script_of, without
from tests.unlimited import unlimited

SHARE = 0.08
COMMANDS = 150


class CarelessConnection(SocketStoreConnection):
    """Loses answers and requests, and sends some requests twice, the second one by another way."""

    chance = random.Random(25)
    met: ClassVar[Counter[str]] = Counter()
    others: ClassVar[list[socket.socket]] = []
    _lost = False

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 (redis-py's own signature)
        ours = isinstance(command, bytes)  # the greeting is a list
        self._lost = ours and self._happens("answer lost")
        if ours and self._happens("request lost"):
            raise LostConnection("the request was lost")
        if ours and self._happens("request doubled"):
            other = socket.socket(socket.AF_UNIX)
            other.connect(self.path)
            other.sendall(command)
            self.others.append(other)
        await cast("Any", super()).send_packed_command(command, check_health)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        answer = await cast("Any", super()).read_response(*args, **options)
        if self._lost:
            raise LostConnection("the answer was lost")
        return answer

    def _happens(self, what: str) -> bool:
        happens = self.chance.random() < SHARE
        self.met[what] += happens
        return happens


@pytest.fixture
def careless(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], RealLedger]]:
    """Makes services whose way to the store is not to be relied on."""
    monkeypatch.setattr(CarelessConnection, "chance", random.Random(25))
    monkeypatch.setattr(CarelessConnection, "met", Counter())
    monkeypatch.setattr(CarelessConnection, "others", [])

    def make() -> RealLedger:
        pool = ConnectionPool.from_url(store_url)
        pool.connection_class = CarelessConnection
        return RealLedger(store_url, client=Redis.from_pool(pool))

    yield make
    for other in CarelessConnection.others:
        other.close()


async def test_nothing_is_doubled_whatever_the_network_does(
    careless: Callable[[], RealLedger], store_url: str, sometimes: Sometimes
) -> None:
    async with playing([careless(), careless()]) as load:
        await load.more(COMMANDS)
    assert await judged(store_url, load.history) == []
    for what, times in CarelessConnection.met.items():
        sometimes(what, times)
    sometimes("answered again", load.counts["accepted again"])
    sometimes("entries of feeds told", load.counts["told by the feed"])
    sometimes("appends told by their own process", load.counts["told by its own process"])


async def test_without_the_record_of_commands_they_are_doubled(
    careless: Callable[[], RealLedger], store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(events_log, "APPEND", without("record"))
    async with playing([careless(), careless()], patient=False) as load:
        await load.more(COMMANDS)
    assert "doubled" in checks(await judged(store_url, load.history))


async def test_scripts_may_be_forgotten_and_be_of_two_versions(
    store_url: str, sometimes: Sometimes, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = GUARDED.text + "\n-- as another release has it\n"
    found, used = await flushed(store_url, other, monkeypatch)
    assert found == []
    sometimes("scripts forgotten", FLUSHES)
    sometimes("appends by the other version", used)


async def test_a_version_that_compares_less_is_found(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    found, _ = await flushed(store_url, without("version").text, monkeypatch)
    assert "chain" in found


FLUSHES = 8


async def flushed(
    store_url: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], int]:
    """What is amiss after two services, one with another script, and SCRIPT FLUSH now and then.

    And how often the other script was called.
    """
    services = [RealLedger(store_url), RealLedger(store_url)]
    used = 0
    script = script_of(other)
    before = services[1].log._caller.call  # noqa: SLF001 (the script of one of two)

    def call(asked: Script, *words: Any) -> Any:
        nonlocal used
        used += asked is GUARDED
        return before(script if asked is GUARDED else asked, *words)

    monkeypatch.setattr(services[1].log._caller, "call", call)  # noqa: SLF001 (same)
    async with (
        Redis.from_url(unlimited(store_url)) as admin,
        playing(services, patient=other != without("version").text) as load,
    ):
        for _ in range(FLUSHES):
            await asyncio.sleep(0)
            await admin.script_flush()
            await load.settled(15)
    return sorted(checks(await judged(store_url, load.history))), used
