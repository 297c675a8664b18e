"""What was appended is shipped, once and in its order, and forgotten by whoever appended it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from redis.asyncio import Redis

from events.clients import Client
from events.known import Mark
from events.restoring import Restoring
from runtime.journal.segments import JournalError, tails
from tests.events.setting_back import everything
from tests.naming import STORE
from tests.workers.shipping import ONE, SHARD, TWO, Process, ship_all, shipper
from workers.shipper import Shipper


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
