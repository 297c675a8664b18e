"""What is promised to be on two machines is; what is not is shown to nobody."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from events import feed, seal
from events.bells import Ring
from events.clients import LossyStoreError
from events.durability import require_replicas
from events.feed import FeedBroken
from events.layout import SLOTS, slot, tag
from events.log import Again, Appended
from events.scripts import LogUnavailable, Script
from runtime.embedded.cluster import EmbeddedCluster
from tests.events.bank import STREAM
from tests.events.lab import batch, entries, grow, head_at
from tests.events.pair import SHARDS, ask, client_of, log_at, pair_in
from tests.runtime.stage import until

T = TypeVar("T")
pytestmark = [pytest.mark.slow, pytest.mark.system]


def read_up_to(version: int, stream: str = STREAM) -> tuple[str, int, bytes]:
    """What ``shown`` is asked by who has read a stream that ``batch`` made up to a version."""
    return stream, version, head_at(stream, version)


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """What a call answers when a node that is gone has been replaced."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await call()
            except LogUnavailable:
                await asyncio.sleep(0.05)


async def test_what_was_replicated_outlives_its_primary_and_nothing_else_was_shown(
    home: Path,
) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log, log_at(pair.url) as other:
            for after in range(5):
                assert await log.append(batch(after=after)) == Appended(
                    after + 1, after + 1, replicated=True
                )
            assert await other.shown(*read_up_to(5)) == 5
            assert await other.feed_ends() == {0: 0, 1: 5, 2: 0, 3: 0}
            followed = other.follow({1: 0})
            seen = [(await anext(followed)).version for _ in range(5)]
            pair.hold()
            assert await log.append(batch(after=5)) == Appended(6, 6, replicated=False)
            assert await log.shown(*read_up_to(6)) == 5
            assert await other.shown(*read_up_to(6)) == 5
            assert await other.feed(1, 5, 10) == []
            assert await other.feed_ends() == {0: 0, 1: 5, 2: 0, 3: 0}
            url = pair.promote()
            await followed.aclose()
        async with log_at(url, replicated=False) as after_all:
            assert seen == [1, 2, 3, 4, 5]
            # What was acknowledged as replicated is there. The control: what was not is gone.
            assert await after_all.read(STREAM) == entries(1, 5)


async def test_a_follower_hears_of_an_event_when_a_replica_has_it(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with (
            log_at(pair.url) as log,
            log_at(pair.url) as other,
            log_at(pair.url, replicated=False) as careless,
        ):
            await log.append(batch())
            pointers = other.follow(await other.feed_ends())
            control = careless.follow({1: 1})
            news = asyncio.create_task(anext(pointers))
            pair.hold()
            assert not (await log.append(batch(after=1))).replicated  # type: ignore[union-attr]
            # The control: who does not ask for replicas follows what a failover may lose.
            async with asyncio.timeout(20):
                assert (await anext(control)).version == 2
            assert await other.shown(*read_up_to(2)) == 1
            assert not news.done()
            pair.let_go()
            async with asyncio.timeout(20):
                assert (await news).version == 2
            assert await other.shown(*read_up_to(2)) == 2
            await log.append(batch(after=2))
            async with asyncio.timeout(20):
                assert (await anext(pointers)).version == 3
            await pointers.aclose()
            await control.aclose()


async def test_on_a_cluster_the_replica_of_a_shard_has_what_it_takes_over(home: Path) -> None:
    lines = ("repl-diskless-sync-delay 0", "repl-diskless-sync yes")
    with EmbeddedCluster(home, 3, 1, *lines, node_timeout_ms=500) as cluster:
        async with log_at(cluster.url) as log, log_at(cluster.url) as other:
            home_of = next(s for s in range(SHARDS) if slot(tag(s)) <= SLOTS // 3)
            stream = f"g{home_of:02x}-a"
            assert cluster.primary_of(slot(tag(home_of))) is cluster.primaries[0]
            await patiently(partial(other.shown, *read_up_to(0, stream)))  # a replica has answered
            after = 0
            while True:  # until the replica has written all of it anew
                said = cast("Appended", await log.append(batch(after=after, stream=stream)))
                after += 1
                if said.replicated:
                    break
            # Who asks first asks the replica, which may be slow to answer.
            assert await patiently(partial(other.shown, *read_up_to(after, stream))) == after
            cluster.primaries[0].store.kill()
            said = cast(
                "Appended", await patiently(lambda: log.append(batch(after=after, stream=stream)))
            )
            assert said == Appended(after + 1, after + 1, replicated=False), "nobody has it but one"
            assert await log.read(stream) == entries(1, after + 1)
            for each in (log, other):
                shown = await patiently(partial(each.shown, *read_up_to(after + 1, stream)))
                assert shown == after


async def test_what_was_read_from_a_machine_that_is_gone_is_not_taken_for_replicated(
    home: Path,
) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log:
            await grow(log, 5)
            pair.hold()
            await log.append(batch(after=5))
        async with log_at(pair.promote()) as log:
            assert log.replication is not None
            log.replication.hears(1, Ring(1, 5, None, replicated=True))
            # Its feed has nothing above the mark, as if all that was read were below it.
            with pytest.raises(LogUnavailable, match="has no version 6 any more"):
                await log.shown(*read_up_to(6))
            assert await log.shown(*read_up_to(5)) == 5, "the control"


async def test_what_was_read_of_a_history_that_is_gone_is_not_shown_whatever_is_there_now(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others have brought the stream to the same version, and beyond it, by other events."""
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log:
            await grow(log, 5)
            pair.hold()
            await log.append(batch(after=5))
            assert await log.read(STREAM, 5) == entries(6, 6), "what a reader has read"
        url = pair.promote()
        async with log_at(url) as log, log_at(url, replicated=False) as others:
            assert log.replication is not None
            rewritten = b"another event 6"
            sixth = seal.link(head_at(STREAM, 5), 6, rewritten)
            changes: dict[str, Any] = {"entries": [(rewritten, None)], "command_id": "another"}
            said = cast("Appended", await others.append(batch(after=5, head=sixth, **changes)))
            log.replication.hears(1, Ring(1, said.seq, None, replicated=True))
            with pytest.raises(LogUnavailable, match="has another version 6 by now"):
                await log.shown(*read_up_to(6))
            with pytest.raises(LogUnavailable, match="has another batch at 6"):
                await log.is_kept(STREAM, Again(6, entries(6, 6)))
            assert await log.is_kept(STREAM, Again(6, await log.read(STREAM, 5)))
            assert await log.shown(STREAM, 6, sixth) == 6
            # The control: who asks by version alone shows what is gone.
            text = feed.SHOWN.text.replace("head ~= ARGV[3]", "false")
            assert text != feed.SHOWN.text
            with monkeypatch.context() as by_version:
                sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
                by_version.setattr("events.feed.SHOWN", Script(text, sha))
                by_version.setattr("events.feed.seal.chain", lambda *_: sixth)
                assert await log.shown(*read_up_to(6)) == 6
            log.replication.note(STREAM, 6, sixth)
            seventh = seal.link(sixth, 7, b"event 7")
            more = batch(after=6, previous=sixth, head=seventh)
            said = cast("Appended", await others.append(more))
            log.replication.hears(1, Ring(1, said.seq, None, replicated=True))
            with pytest.raises(LogUnavailable, match="does not go on from version 6"):
                await log.shown(*read_up_to(6))
            for version in (3, 5):
                assert await log.shown(*read_up_to(version)) == version, "both histories have it"


async def test_a_mark_of_another_history_says_nothing(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log, log_at(pair.url) as other:
            await grow(log, 2)
            assert other.replication is not None
            other.replication.hears(1, Ring(1, 2, None, replicated=True, link="f" * 16))
            with pytest.raises(LogUnavailable, match="has not the entry 2, which was replicated"):
                await other.shown(*read_up_to(2))
            assert await other.shown(*read_up_to(2)) == 2, "the mark is looked for anew"
            other.replication.forget()
            other.replication.hears(1, Ring(1, 2, None, replicated=True, link="f" * 16))
            with pytest.raises(FeedBroken, match="another entry 2 than was replicated"):
                await other.feed(1, 0, 10)


async def test_a_stream_is_found_above_the_mark_however_much_lies_between(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.feed._PAGE", 3)
    monkeypatch.setattr("events.feed._ENTRIES", 2)
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log, log_at(pair.url, replicated=False) as others:
            await log.append(batch())
            pair.hold()
            await grow(others, 7, "g01-other")
            for after in range(1, 8):
                await others.append(batch(after=after))
            assert await log.shown(*read_up_to(2)) == 1, "beyond several pages of the feed"
            assert await log.shown(*read_up_to(1)) == 1, "seven entries on, by pages of two"


async def test_what_was_lost_is_not_looked_for_without_end(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log:
            await log.append(batch())
            assert log.replication is not None
            for lost in (99, 1000):
                log.replication.hears(1, Ring(1, lost, None))
                assert not await log.replication.reached(1, lost)
            said = ask(pair.primary, "INFO", "commandstats")
            assert said["cmdstat_evalsha"]["calls"] <= 10
            assert cast("Appended", await log.append(batch(after=1))).replicated


async def test_who_has_never_met_a_replica_shows_nothing(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with log_at(pair.url) as log, log_at(pair.url) as late:
            await log.append(batch())
            pair.replica.stop()
            await until(lambda: ask(pair.primary, "INFO", "replication")["connected_slaves"] == 0)
            assert await log.shown(*read_up_to(1)) == 1, "what is known is known"
            with pytest.raises(LogUnavailable, match="NOREPLICAS"):
                await log.append(batch(after=1))
            with pytest.raises(LogUnavailable, match="is not known"):
                await late.shown(*read_up_to(1))


async def test_a_store_that_cannot_replicate_is_refused_by_name(home: Path) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with client_of(pair.url) as client:
            await require_replicas(client)
            for store, name, wrong, right, told in (
                (pair.primary, "min-replicas-to-write", 0, 1, "min-replicas-to-write of the prim"),
                (pair.replica, "appendfsync", "everysec", "always", "appendfsync is 'everysec'"),
            ):
                ask(store, "CONFIG", "SET", name, wrong)
                with pytest.raises(LossyStoreError, match=told):
                    await require_replicas(client)
                ask(store, "CONFIG", "SET", name, right)
            pair.replica.stop()
            await until(lambda: ask(pair.primary, "INFO", "replication")["connected_slaves"] == 0)
            with pytest.raises(LossyStoreError, match="has no replica that is connected"):
                await require_replicas(client)
