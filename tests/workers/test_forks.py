"""A store loses a tail and goes another way: that is told, and both branches are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.clients import Client
from events.identity import Epoch, Identities, Identity, checks_of
from events.known import Known, Marks
from events.log import StreamLog
from events.restoring import Restoring
from events.unshipped import Unshipped
from runtime.journal import healing
from runtime.journal.healing import Tail, TailKeeper, heal, kept_aside
from runtime.journal.segments import tails
from tests.events.setting_back import everything, set_back
from tests.naming import KEYS, STORE
from tests.workers.shipping import ONE, SHARD, SHARDS, TWO, Process, games, process, ship_all
from workers.shipper import Shipper


async def link(log: StreamLog, client: Client, seq: int) -> str | None:
    return await Restoring(client, log.layout).link_at(SHARD, seq)


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
