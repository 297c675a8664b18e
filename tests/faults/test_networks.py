"""Fault 21: a network that swallows, loses answers, breaks off, or hands on in crumbs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events import clients
from events import log as events_log
from runtime.embedded.ports import free_ports
from runtime.embedded.store import Store
from tests.conftest import Sometimes
from tests.faults.load import RealLedger, checks, judged, playing
from tests.faults.proxy import Mood, StoreProxy
from tests.faults.unguarded import without

MOODS: tuple[Mood, ...] = ("crumbs", "break", "half open", "swallow")
FEW = 12


@pytest.fixture
def proxy(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreProxy]:
    """A way to a store, to which clients give a second."""
    monkeypatch.setattr(clients, "_SOCKET_SECONDS", 1)
    (port,) = free_ports(1)
    with Store(home / "store", "appendfsync no", port=port), StoreProxy(port) as made:
        yield made


async def played(proxy: StoreProxy, moods: tuple[Mood, ...], *, patient: bool) -> set[str]:
    """What is amiss after a network was in some moods, with progress after each."""
    services = [RealLedger(proxy.url), RealLedger(proxy.url)]
    async with playing(services, patient=patient) as load:
        await load.more(FEW)
        for mood in moods:
            proxy.mood = mood
            await load.settled(FEW)
            proxy.mood = "pass"
            await load.more(FEW)
    return checks(await judged(proxy.url, load.history))


async def test_whatever_it_does_all_goes_on_and_nothing_is_doubled(
    proxy: StoreProxy, sometimes: Sometimes
) -> None:
    assert await played(proxy, MOODS, patient=True) == set()
    for what, times in sorted(proxy.met.items()):
        sometimes(what, times)
    assert len(proxy.met) == len(MOODS)


async def test_without_the_record_of_commands_lost_answers_double_them(
    proxy: StoreProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control."""
    monkeypatch.setattr(events_log, "APPEND", without("record"))
    moods: tuple[Mood, ...] = ("half open", "break")
    assert "doubled" in await played(proxy, moods * 3, patient=False)
