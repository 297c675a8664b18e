"""A fork that a real failover has made: either branch may be kept, and the other one is told."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from events.layout import Layout
from ops.branch_choice import TwoBranches, branches_of, choose_journal
from ops.branches import Fork, put_back
from runtime.journal.healing import kept_aside
from tests.events.pair import client_of, cut_off, log_at, pair_in
from tests.naming import name_store
from tests.workers.shipping import ONE, SHARD, SHARDS, TWO, Heads, process, ship_all, shipper

pytestmark = pytest.mark.system

THREE = "g01-three"


@pytest.mark.slow
@pytest.mark.parametrize("branch", ["journal", "store"])
async def test_a_fork_of_a_failover_is_held_until_a_branch_is_chosen(
    home: Path, tmp_path: Path, branch: Literal["journal", "store"]
) -> None:
    with pair_in(home) as pair:
        await pair.joined()
        async with client_of(pair.url) as client:
            await name_store(client, Layout(SHARDS))
        lost, newer = Heads(), Heads()
        async with process(pair.url, tmp_path, lost) as before:
            await before.append(ONE, TWO)
            newer = lost.copy()
            await pair.joined()
            cut_off(pair)
            await before.append(ONE, ONE, TWO)
            async with shipper(pair.url, tmp_path) as ships:
                await ship_all(ships)
            url = pair.promote()
        async with process(url, tmp_path / "elsewhere", newer) as after:
            await after.append(ONE, THREE)
        async with log_at(url, replicated=False) as log, client_of(url) as client:
            async with shipper(url, tmp_path) as ships:
                await ship_all(ships)
                assert ships.writer.end(SHARD).seq == 5, "nothing is shipped of the new branch"
            assert await log.read(ONE) != [], "nor is anything put on top of it"
            found = await branches_of(log, client, tmp_path, SHARD)
            assert found is not None
            assert found.both() == {ONE: TwoBranches(1, 3, 2)}
            if branch == "journal":
                await choose_journal(log, client, tmp_path, found)
                assert len(kept_aside(tmp_path)) == 2, "the branch of the store"
            done = await put_back(log, client, [tmp_path])
            chosen, fork = (lost, Fork(1, 2)) if branch == "journal" else (newer, Fork(1, 3))
            assert done.forks == {ONE: fork}, "the other branch is told"
            assert done.batches == 1, "what has one branch goes on, whichever it is"
            for stream, heads in ((ONE, chosen), (TWO, lost), (THREE, newer)):
                head = await log.head(stream)
                assert head is not None
                assert (head.version, head.hash) == heads.at(stream)
            assert await branches_of(log, client, tmp_path / "elsewhere", SHARD) is None
