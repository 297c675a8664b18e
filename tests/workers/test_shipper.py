"""What was acknowledged outlives the store: it is shipped, or kept until it is, and comes back."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
import redis
from redis.asyncio import Redis

from events.clients import Client
from events.identity import Epoch, Identities, Identity, checks_of
from events.known import Known, Mark, Marks
from events.layout import Layout
from events.log import StreamLog
from events.restoring import Restoring
from events.unshipped import Unshipped
from runtime.embedded.children import Child
from runtime.journal import healing
from runtime.journal.healing import KEPT, Tail, TailKeeper, heal, kept_aside
from runtime.journal.segments import JournalError, tails
from runtime.settings import environment
from tests.events.pair import Pair, ask, client_of, pair_in
from tests.events.setting_back import everything, set_back
from tests.lossy import Lossy
from tests.naming import KEYS, STORE, name_store
from tests.runtime.stage import until
from tests.service.stage import settings_for
from tests.workers.shipping import (
    ONE,
    SHARD,
    SHARDS,
    TWO,
    Heads,
    Process,
    games,
    process,
    ship_all,
    shipper,
)
from workers.shipper import Shipper


@pytest.fixture
async def here(log: StreamLog, store_url: str, tmp_path: Path) -> AsyncIterator[Process]:
    """A process on a store that has a name."""
    assert log.layout.shards
    async with process(store_url, tmp_path, Heads()) as made:
        yield made


@pytest.fixture
async def ships(log: StreamLog, store_url: str, tmp_path: Path) -> AsyncIterator[Shipper]:
    """What ships that store."""
    assert log.layout.shards
    async with shipper(store_url, tmp_path) as made:
        yield made


async def link(log: StreamLog, client: Client, seq: int) -> str | None:
    return await Restoring(client, log.layout).link_at(SHARD, seq)


# --- shipping ---


async def test_what_is_shipped_is_what_was_appended(
    here: Process, ships: Shipper, client: Client, tmp_path: Path
) -> None:
    await here.append(ONE, TWO, ONE)
    await here.log.append(here.heads.batch(ONE, events=3))
    await ship_all(ships)
    await here.append(TWO)
    assert here.log.unshipped is not None
    kept = list(here.log.unshipped.of(SHARD))
    await ship_all(ships)
    assert tails(tmp_path, {SHARD: 0})[SHARD] == kept
    end, shipped = await Restoring(client, here.log.layout).feed_end(SHARD)
    assert shipped == end == kept[-1].mark


async def test_it_goes_on_after_the_last_that_it_has(
    here: Process, store_url: str, tmp_path: Path
) -> None:
    for _ in range(3):
        await here.append(ONE, TWO)
        async with shipper(store_url, tmp_path) as ships:
            await ship_all(ships)
    assert [each.seq for each in tails(tmp_path, {SHARD: 0})[SHARD]] == [*range(1, 7)]


async def test_pointers_of_an_earlier_release_are_shipped_as_the_stream_is_now(
    here: Process, ships: Shipper, client: Client, tmp_path: Path
) -> None:
    await here.append(ONE, ONE)
    raw, key = cast("Any", client), here.log.layout.feed(SHARD)
    page = await raw.xrange(key)
    await raw.delete(key)
    for number, fields in page:
        await raw.xadd(key, {n: v for n, v in fields.items() if n not in {b"s", b"d"}}, number)
    await ship_all(ships)
    first, second = tails(tmp_path, {SHARD: 0})[SHARD]
    assert (first.status, second.status) == ("live 1", "live 1")
    assert first.due == second.due is not None


async def test_what_is_not_what_its_link_names_is_not_shipped(
    here: Process,
    ships: Shipper,
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await here.append(ONE)
    await ship_all(ships)
    await here.append(ONE, ONE)
    raw, key = cast("Any", client), here.log.layout.stream(ONE).entries
    await raw.delete(key)
    for version in (1, 2, 3):
        await raw.xadd(key, {"e": b'{"batch":{"id":"command-1"}}'}, f"{version}-0")
    await ship_all(ships)
    assert [each.seq for each in tails(tmp_path, {SHARD: 0})[SHARD]] == [1]
    await ship_all(ships)
    assert capsys.readouterr().out.count("shard_not_shipped") == 1, "told once"
    assert here.unshipped == [1, 2, 3]


class _AnyLink(str):
    """A link that is equal to every other: a shipper that does not compare."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, _: object) -> bool:
        return True

    def __ne__(self, _: object) -> bool:
        return False


async def test_who_does_not_compare_links_ships_what_was_altered(
    here: Process,
    ships: Shipper,
    client: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control of the test above."""
    monkeypatch.setattr("runtime.journal.pages.link_after", lambda *_: _AnyLink())
    await here.append(ONE)
    raw, key = cast("Any", client), here.log.layout.stream(ONE).entries
    ((_, fields),) = await raw.xrange(key)
    await raw.delete(key)
    await raw.xadd(key, {"e": fields[b"e"] + b" "}, "1-0")
    await ship_all(ships)
    (altered,) = tails(tmp_path, {SHARD: 0})[SHARD]
    assert altered.head != here.heads.at(ONE)[1], "what was appended is another batch"


async def test_a_process_forgets_what_is_shipped_and_nothing_else(
    here: Process, ships: Shipper
) -> None:
    await here.append(ONE, TWO)
    await here.tail.look()
    assert here.unshipped == [1, 2], "nobody has shipped it"
    await ship_all(ships)
    await here.append(ONE)
    assert here.unshipped == [1, 2, 3]
    await here.tail.look()
    assert here.unshipped == [3]


async def test_a_journal_that_was_lost_is_made_again(
    here: Process, client: Client, store_url: str, tmp_path: Path
) -> None:
    await here.append(ONE, TWO)
    async with shipper(store_url, tmp_path / "first") as ships:
        await ship_all(ships)
    await here.append(ONE)
    async with shipper(store_url, tmp_path / "second") as ships:
        await ships.look()
        _, shipped = await Restoring(client, here.log.layout).feed_end(SHARD)
        assert shipped == Mark(0), "the store does not say any more that it is"
        await ship_all(ships)
    assert len(tails(tmp_path / "second", {SHARD: 0})[SHARD]) == 3


async def test_a_store_of_another_name_is_not_shipped(
    here: Process, client: Client, store_url: str, tmp_path: Path
) -> None:
    await here.append(ONE)
    async with shipper(store_url, tmp_path) as ships:
        await ship_all(ships)
    await cast("Any", client).hset(here.log.layout.identity(), "store", "another")
    async with shipper(store_url, tmp_path) as late:
        with pytest.raises(JournalError, match=f"is of the store {STORE}"):
            await late.look()


async def test_a_store_without_a_name_is_not_shipped(
    here: Process, ships: Shipper, client: Client, admin: Redis, tmp_path: Path
) -> None:
    await here.append(ONE)
    await ship_all(ships)
    await admin.flushall()
    await ship_all(ships)
    assert await everything(client) == {}
    assert len(tails(tmp_path, {SHARD: 0})[SHARD]) == 1


# --- a lost tail ---


async def test_what_was_shipped_comes_back(
    here: Process, ships: Shipper, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    await here.append(ONE, TWO)
    before = await everything(client)
    await here.append(TWO, ONE, ONE)
    await ship_all(ships)
    after = await games(client)
    await set_back(client, before)
    assert await games(client) != after, "the control: without the journal it is lost"
    await ships.look()
    assert await games(client) == after
    assert "tail_put_back" in capsys.readouterr().out
    await here.append(ONE)
    await ship_all(ships)
    assert (await here.log.feed_ends())[SHARD] == 6


async def test_what_was_not_shipped_comes_back_from_who_appended_it(
    here: Process, client: Client
) -> None:
    await here.append(ONE, TWO)
    before = await everything(client)
    await here.append(TWO, ONE, ONE)
    after = await games(client)
    await set_back(client, before)
    assert await games(client) != after
    await here.tail.look()
    assert await games(client) == after
    await here.append(ONE)


async def test_all_give_back_what_they_have_and_take_turns(
    here: Process, ships: Shipper, client: Client, store_url: str, tmp_path: Path
) -> None:
    async with process(store_url, tmp_path, here.heads) as other:
        await here.append(ONE)
        before = await everything(client)
        await here.append(ONE, TWO)
        await ship_all(ships)
        await here.tail.look()
        await other.append(ONE, TWO)
        await here.append(TWO)
        await other.append(ONE)
        after = await games(client)
        await set_back(client, before)
        everybody = [here.tail.look, other.tail.look, ships.look]
        for _ in range(4):
            for look in everybody:
                await look()
        assert await games(client) == after
        assert here.unshipped == [6]
        assert other.unshipped == [4, 5, 7]


async def test_a_gap_is_told_and_what_is_behind_it_kept_aside(
    here: Process,
    client: Client,
    store_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(healing, "_PATIENCE", 2)
    async with process(store_url, tmp_path, here.heads) as other:
        before = await everything(client)
        await other.append(TWO)
        await here.append(ONE, ONE)
        after = await games(client)
        await set_back(client, before)
        await here.tail.look()
        assert kept_aside(tmp_path) == []
        await here.tail.look()
        assert [each.seq for each in kept_aside(tmp_path)] == [2, 3]
        assert "tail_has_gap" in capsys.readouterr().out
        assert await games(client) == {
            key: value for key, value in after.items() if key in await games(client)
        }
        await other.tail.look()  # as soon as others have filled it, it goes on
        await here.tail.look()
        assert await games(client) == after


async def test_what_a_process_kept_aside_comes_back_without_it(
    ships: Shipper, client: Client, log: StreamLog, store_url: str, tmp_path: Path
) -> None:
    heads = Heads()
    async with process(store_url, tmp_path, heads) as gone:
        await gone.append(ONE, TWO)
        await ship_all(ships)
        before = await everything(client)
        await gone.append(TWO, ONE)
        after = await games(client)
        await gone.tail.close()
    await set_back(client, before)
    await ships.look()
    assert await games(client) == after
    await ship_all(ships)
    assert len(tails(tmp_path, {SHARD: 0})[SHARD]) == 4
    assert log.layout.shards


async def test_nothing_is_left_aside_of_what_is_shipped(
    here: Process, ships: Shipper, tmp_path: Path
) -> None:
    await here.append(ONE)
    await here.tail.keep_aside()
    assert len(list((tmp_path / KEPT).iterdir())) == 1
    await ship_all(ships)
    await here.tail.look()
    assert list((tmp_path / KEPT).iterdir()) == []


async def test_what_was_kept_aside_and_altered_is_told(
    here: Process, ships: Shipper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await here.append(ONE)
    await here.tail.keep_aside()
    (path,) = (tmp_path / KEPT).iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    await ship_all(ships)
    assert "kept_batches_damaged" in capsys.readouterr().out
    assert len(tails(tmp_path, {SHARD: 0})[SHARD]) == 1, "the rest goes on"


# --- a fork ---


async def forked(here: Process, ships: Shipper, client: Client) -> None:
    """The store loses a tail, part of which is shipped, and goes another way."""
    await here.append(ONE, TWO)
    before = await everything(client)
    rival = here.heads.copy()
    await here.append(ONE)
    await ship_all(ships)
    await here.append(TWO)
    unshipped, here.log.unshipped = here.log.unshipped, None
    await set_back(client, before)
    for stream in (TWO, ONE, ONE):
        await here.log.append(rival.batch(stream))
    here.log.unshipped = unshipped


async def test_a_fork_is_told_and_nothing_put_on_top_of_it(
    here: Process,
    ships: Shipper,
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await forked(here, ships, client)
    there = await games(client)
    for _ in range(2):
        await here.tail.look()
        await ship_all(ships)
    assert await games(client) == there
    out = capsys.readouterr().out
    assert out.count("tail_forked") == 1
    assert out.count("shard_not_shipped") == 1
    assert [each.seq for each in tails(tmp_path, {SHARD: 0})[SHARD]] == [1, 2, 3]
    kept = [each.seq for each in kept_aside(tmp_path)]
    assert kept == [1, 2, 3, 4], "both branches are there: the other is in the store"


async def test_who_does_not_compare_links_forgets_what_is_not_shipped(
    here: Process, ships: Shipper, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above: the numbers alone say that all is well."""
    await here.append(ONE)
    before = await everything(client)
    rival = here.heads.copy()
    await here.append(ONE)
    unshipped, here.log.unshipped = here.log.unshipped, None
    await set_back(client, before)
    await here.log.append(rival.batch(TWO))
    here.log.unshipped = unshipped
    await ship_all(ships)
    await here.tail.look()
    assert here.unshipped == [1, 2]

    async def careless(_: object, __: int, entries: Any) -> tuple[Tail, int]:
        return (Tail.WHOLE if entries else Tail.GAP), 0

    monkeypatch.setattr(healing, "heal", careless)
    await here.tail.look()
    assert here.unshipped == []


async def test_a_process_gives_up_what_an_operator_has_decided_on(
    here: Process, ships: Shipper, client: Client, tmp_path: Path
) -> None:
    known = Known()
    known.learn(Marks(STORE, 1, {}))
    tail = TailKeeper(
        unshipped := here.log.unshipped or Unshipped(),
        Restoring(client, here.log.layout, known),
        tmp_path,
        "api",
    )
    await forked(here, ships, client)
    await tail.look()
    assert [each.seq for each in unshipped.of(SHARD)] == [1, 2, 3, 4]
    known.learn(Marks(STORE, 2, {}))
    await tail.look()
    assert unshipped.count == 0
    assert kept_aside(tmp_path) == []


async def test_what_is_kept_aside_is_removed_once_it_is_shipped(
    ships: Shipper, store_url: str, tmp_path: Path
) -> None:
    async with process(store_url, tmp_path, Heads()) as gone:
        await gone.append(ONE, TWO)
        await gone.tail.close()
    assert len(kept_aside(tmp_path)) == 2
    await ship_all(ships)
    await ships.look()
    assert kept_aside(tmp_path) == []
    assert len(tails(tmp_path, {SHARD: 0})[SHARD]) == 2


async def test_in_a_later_epoch_the_other_branch_is_shipped(
    here: Process, ships: Shipper, client: Client, tmp_path: Path, store_url: str
) -> None:
    await forked(here, ships, client)
    await ship_all(ships)
    assert len(tails(tmp_path, {SHARD: 0})[SHARD]) == 3
    identities = Identities(client, here.log.layout)
    first, second = (Identity(STORE, epoch, SHARDS, checks_of(KEYS)) for epoch in (1, 2))
    assert await identities.accept(second, first, Epoch(2, 1_700_000_000_000, "x", "tail-lost"))
    await ship_all(ships)
    found = tails(tmp_path, {SHARD: 0})[SHARD]
    assert [each.seq for each in found] == [1, 2, 3, 4, 5]
    assert found[-1].link == await link(here.log, client, 5)
    async with process(store_url, tmp_path, here.heads) as late:
        assert await heal(Restoring(client, late.log.layout), SHARD, found) == (Tail.WHOLE, 0)


# --- a real failover ---


@pytest.mark.system
@pytest.mark.parametrize("who", ["the shipper", "the process"])
async def test_a_failover_that_lost_a_tail_ends_at_the_acknowledged_head(
    home: Path, tmp_path: Path, who: str
) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with client_of(pair.url) as client:
            await name_store(client, Layout(SHARDS))
        heads = Heads()
        async with process(pair.url, tmp_path, heads) as before:
            await before.append(ONE, TWO)
            await until_replicated(pair)
            cut_off(pair)
            await before.append(TWO, ONE, ONE)
            assert before.log.unshipped is not None
            kept = list(before.log.unshipped.of(SHARD))
            if who == "the shipper":
                async with shipper(pair.url, tmp_path) as ships:
                    await ship_all(ships)
            url = pair.promote()
        async with client_of(url) as client, process(url, tmp_path, heads) as after:
            restoring = Restoring(client, Layout(SHARDS))
            end, _ = await restoring.feed_end(SHARD)
            assert end == kept[1].mark, "the control: the failover has lost three batches"
            if who == "the shipper":
                async with shipper(url, tmp_path) as ships:
                    await ships.look()
            else:
                for entry in kept:
                    assert after.log.unshipped is not None
                    after.log.unshipped.keep(entry)
                await after.tail.look()
            end, _ = await restoring.feed_end(SHARD)
            assert end == kept[-1].mark
            head = await after.log.head(kept[-1].stream)
            assert head is not None
            assert (head.version, head.hash) == (kept[-1].version, kept[-1].head)
            await after.append(ONE, TWO)


@pytest.mark.system
async def test_a_shipper_that_is_killed_at_any_moment_leaves_no_gap_and_no_double(
    lossy: Lossy,
) -> None:
    async with client_of(lossy.store.url) as client:
        await name_store(client, Layout(SHARDS))
    folder = lossy.home / "journal"
    settings = settings_for(lossy.store.url, journal=str(folder), clock_tolerance_ms=2000)
    environ = {**os.environ, **environment(settings)}
    async with process(lossy.store.url, folder, Heads()) as writing:
        for goal in range(20, 101, 20):
            child = Child("shipper", ["-m", "workers", "ship"], environ)
            end = shipped = Mark(0)
            async with asyncio.timeout(60):
                while shipped.seq < goal:
                    if end.seq < shipped.seq + 40:
                        await writing.append(ONE, TWO)
                    await asyncio.sleep(0.002)
                    end, shipped = await writing.tail.restoring.feed_end(SHARD)
            os.kill(child.pid, signal.SIGKILL)
            child.stop()
        last = Child("shipper", ["-m", "workers", "ship"], environ)
        await writing.append(ONE)  # which it has to ship, so it is up
        async with asyncio.timeout(60):
            while writing.unshipped:
                await writing.tail.look()
                await asyncio.sleep(0.02)
        assert last.stop() == 0
        end, _ = await writing.tail.restoring.feed_end(SHARD)
    found = tails(folder, {SHARD: 0})[SHARD]
    assert [each.seq for each in found] == [*range(1, end.seq + 1)]
    lossy.empty()
    async with process(lossy.store.url, folder, Heads()) as late:
        assert await heal(late.tail.restoring, SHARD, found) == (Tail.WHOLE, len(found))
        assert (await late.tail.restoring.feed_end(SHARD))[0] == end


async def until_replicated(pair: Pair) -> None:
    """Wait until the replica has all that there is on its disk."""

    def there() -> bool:
        with redis.Redis.from_url(pair.primary.admin_url, single_connection_client=True) as client:
            client.set("fence", 1)
            return bool(client.execute_command("WAITAOF", 1, 1, 50) == [1, 1])

    await until(there)


def cut_off(pair: Pair) -> None:
    """Stop the replica and its connection, so that nothing more reaches it."""
    pair.hold()
    ask(pair.primary, "CONFIG", "SET", "min-replicas-to-write", 0)
    ask(pair.primary, "CLIENT", "KILL", "TYPE", "replica")
