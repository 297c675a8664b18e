"""A store behind Sentinel: its primary is found, followed through a failover, and told by name."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import cast

import pytest

from events import rights
from events.clients import close_client, commands
from events.durability import require_replicas
from events.layout import Layout
from events.log import Appended, StreamLog
from events.reach import UnfitStoreError, require_store, require_url
from events.reach import shown as without_secrets
from events.scripts import LogUnavailable
from events.sentinels import PORT, NoPrimaryError, Primary, WatchedConnection, read_watched
from runtime.embedded.ports import free_ports
from tests.events.bank import STREAM
from tests.events.lab import batch, entries, head_at
from tests.events.pair import Pair, ask, log_at, pair_in
from tests.events.test_replication import patiently
from tests.events.watchers import DOWN_MS, LONG_MS, SERVICE, have_user, watched

pytestmark = pytest.mark.system

URL = "rediss+sentinel://ann:se%40cret@h1:26380,[::1],h3/club/2"


def test_a_url_names_watchers_service_and_who_we_are() -> None:
    options = "sentinel_username=eve&sentinel_password=pass%26word&ssl_ca_certs=/ca.pem"
    found = read_watched(f"{URL}?{options}")
    assert found.watchers == (("h1", 26380), ("::1", PORT), ("h3", PORT))
    assert (found.service, found.tls) == ("club", True)
    assert found.store_url == "rediss://ann:se%40cret@primary/2?ssl_ca_certs=%2Fca.pem"
    assert found.own == {"username": "eve", "password": "pass&word"}
    assert found.options == {"ssl_ca_certs": "/ca.pem"}
    require_url(f"{URL}?{options}")
    assert without_secrets(f"{URL}?{options}") == "rediss+sentinel://h1:26380,[::1],h3/club/2"


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("redis+sentinel://h1,h2", "must name watchers and a service"),
        ("redis+sentinel:///club", "must name watchers and a service"),
        ("redis+sentinel://h1/club/two", "must name watchers and a service"),
        ("redis+sentinel://h1,/club", "must name watchers by host"),
        ("redis+sentinel://h1:0/club", "must name watchers by host"),
        ("redis+sentinel://h1:99999/club", "must name watchers by host"),
        ("redis+sentinel://eve:planted@h1/club?db=x", "has options that a store does not have"),
    ],
)
def test_a_url_that_is_none_is_refused(url: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault) as refused:
        require_url(url)
    assert "planted" not in str(refused.value)


@pytest.mark.slow
async def test_the_primary_is_found_and_followed_through_a_failover(home: Path) -> None:
    """By users with the least rights, both that of the service and that of the watchers."""
    dead = free_ports(1)[0]
    with pair_in(home) as pair:
        await pair.joined()
        have_user(pair, rights.watcher_line("watcher", "resetpass"))
        with watched(home, pair, "watcher") as watcher:
            await watcher.knows()
            url = f"redis+sentinel://parlour@127.0.0.1:{dead},{watcher.place}/{SERVICE}"
            await require_store(url, Layout(4).meta(1))
            client = commands(url)
            await require_replicas(client)
            await close_client(client)
            async with log_at(url) as log, log_at(url, replicated=False) as other:
                news = other.follow({1: 0})
                assert cast("Appended", await log.append(batch())).replicated
                assert (await anext(news)).version == 1
                watcher.waits(LONG_MS)
                pair.primary.kill()
                with pytest.raises(LogUnavailable):
                    await log.append(batch(after=1))
                with pytest.raises(LogUnavailable):
                    await anext(news)
                watcher.waits(DOWN_MS)
                assert await patiently(lambda: log.read(STREAM)) == entries(1, 1)
                assert await patiently(lambda: log.shown(STREAM, 1, head_at(STREAM, 1))) == 1
                heard = asyncio.create_task(next_after(other, 1))
                ask(pair.replica, "CONFIG", "SET", "min-replicas-to-write", 0)
                again = cast("Appended", await patiently(lambda: log.append(batch(after=1))))
                assert (again.version, again.replicated) == (2, False)
                async with asyncio.timeout(20):
                    assert await heard == 2, "the bells have moved as well"


async def next_after(log: StreamLog, seq: int) -> int:
    """The version of the next pointer, whatever the store is doing meanwhile."""

    async def first() -> int:
        async with aclosing(log.follow({1: seq})) as news:
            return (await anext(news)).version

    return await patiently(first)


@pytest.mark.slow
async def test_what_is_wrong_with_watchers_is_told_by_name(home: Path) -> None:
    dead = free_ports(1)[0]
    with pair_in(home) as pair:
        await pair.joined()
        with watched(home, pair) as watcher:
            await watcher.knows()
            nobody = f"redis+sentinel://eve:planted@{watcher.place}/casino"
            with pytest.raises(UnfitStoreError, match=f"'casino'.*{watcher.place} does not watch"):
                await require_store(nobody)
            with pytest.raises(UnfitStoreError, match=f"127.0.0.1:{dead} does not answer"):
                await require_store(f"redis+sentinel://127.0.0.1:{dead}/{SERVICE}")
            store = f"127.0.0.1:{pair.port}"
            with pytest.raises(UnfitStoreError, match=f"{store} refuses to tell") as refused:
                await require_store(f"redis+sentinel://eve:planted@{store}/{SERVICE}")
            assert "planted" not in str(refused.value)
            await require_store(f"redis+sentinel://{watcher.place}/{SERVICE}")  # the control


class _Misled(Primary):
    """Watchers that name a replica, as they may for a moment."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(read_watched(f"redis+sentinel://h1/{SERVICE}"))
        self.named = pair.replica_port

    async def place(self) -> tuple[str, int]:
        return "127.0.0.1", self.named


@pytest.mark.slow
async def test_a_replica_that_is_called_the_primary_is_left_by_name(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        misled = _Misled(pair)
        connection = WatchedConnection(primary=misled, protocol=2)
        with pytest.raises(NoPrimaryError, match=f"{pair.replica_port}, which.*is a replica"):
            await connection.connect()  # type: ignore[no-untyped-call]
        misled.named = pair.port  # the control
        await connection.connect()  # type: ignore[no-untyped-call]
        await connection.disconnect()
