"""A lost tail comes back: from the journal, from whoever appended it, from what is kept aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.clients import Client
from events.log import StreamLog
from runtime.journal import healing
from runtime.journal.healing import KEPT, kept_aside
from runtime.journal.segments import tails
from tests.events.setting_back import everything, set_back
from tests.workers.shipping import ONE, SHARD, TWO, Heads, Process, games, process, ship_all
from workers.shipper import Shipper


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
