"""Profiles and leaderboards: a fold that comes out the same live, rebuilt, interrupted and late."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from msgspec.structs import replace

from events.feed import FeedBroken
from events.tasks import end_tasks
from projections.leaderboards import FORM, GameTooLate, Leaderboards, main, rebuild
from projections.lobby import ListKeys, Lobby
from projections.rebuilding import rebuilt
from projections.results import Ladder, decode_record, record_field
from projections.rows import Row, decode_row, encode_row
from runtime.embedded.store import Store
from tests.projections.finished_rows import BEGAN, QUARTER_MS, duel, player
from tests.runtime.stage import ANN, BEN, LONG, SHARDS, TOY_REGISTRY, Stage


class Boards:
    """A follower on the stage's store, and rows laid into its lists by hand."""

    def __init__(self, stage: Stage) -> None:
        self.log = stage.log
        self.client = stage.client
        self.lists = ListKeys(stage.log.layout)
        self.fold = Leaderboards(stage.log, stage.client)
        self.seqs = dict.fromkeys(range(SHARDS), 0)
        self.meta = stage.log.layout.meta

    async def lay(self, row: Row, shard: int) -> None:
        """Let a shard's lists have a finished game."""
        self.seqs[shard] += 1
        await self.client.hset(self.lists.rows(shard), row.id, encode_row(row))
        await self.client.zadd(self.lists.ended(shard), {row.id: self.seqs[shard]})
        await self.client.hset(self.meta(shard), "seq", self.seqs[shard])

    async def dump(self) -> dict[str, Any]:
        """All that is kept, by key."""
        found: dict[str, Any] = {}
        async for key in self.client.scan_iter(match=f"*:{FORM}:*"):
            name = key.decode()
            if name.endswith((":book", ":window")):
                found[name] = await self.client.hgetall(name)
            elif name.endswith(":names"):
                found[name] = await self.client.smembers(name)
            else:
                found[name] = await self.client.zrange(name, 0, -1, withscores=True)
        return found

    async def refolded(self) -> dict[str, Any]:
        """The same after a rebuild."""
        await self.fold.forget()
        assert await self.dump() == {}
        await self.fold.catch_up()
        return await self.dump()

    async def games(self) -> int:
        """How many games a player's record has."""
        found: Any = await self.client.hget(self.fold.keys.book, record_field(player(1)))
        return 0 if found is None else sum(t.games for t in decode_record(found).lines.values())


@pytest.fixture
def boards(stage: Stage) -> Boards:
    return Boards(stage)


def games(count: int, seed: int = 1) -> list[tuple[Row, int]]:
    """Games of five players, in the order in which they ended, each with a shard."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        one, other = rng.sample(range(1, 6), 2)
        at = BEGAN + number // 2 * QUARTER_MS // count  # two of each moment
        found.append((duel(one, other, number=number, at=at), rng.randrange(SHARDS)))
    return found


async def test_a_played_game_is_counted_for_both(stage: Stage) -> None:
    game = await stage.finished()
    lobby = Lobby(stage.log, stage.client, game_registry=TOY_REGISTRY)
    await lobby.catch_up()
    assert lobby.has_ended.is_set()
    fold = Leaderboards(stage.log, stage.client)
    assert await fold.catch_up() == 1
    for name in (ANN, BEN):
        found: Any = await stage.client.hget(fold.keys.book, record_field(name))
        (key,) = decode_record(found).lines
        assert key.startswith("2023-4|toy|toybook|plain|")
    stored: Any = await stage.client.hget(lobby.keys.rows(stage.log.layout.shard_of(game)), game)
    ends = [seat.finish for seat in decode_row(stored).seats]
    assert [end.side for end in ends if end is not None] == ["first", "later"]


async def test_live_and_rebuilt_are_equal_to_the_byte(boards: Boards) -> None:
    for row, shard in games(40):
        await boards.lay(row, shard)
        await boards.fold.catch_up()
    live = await boards.dump()
    assert any(":b:" in name for name in live)
    assert await boards.refolded() == live


async def test_the_order_in_which_games_are_heard_of_does_not_matter(boards: Boards) -> None:
    """Each is put in its place, however late it comes."""
    heard = games(40)
    random.Random(2).shuffle(heard)
    for row, shard in heard:
        await boards.lay(row, shard)
        await boards.fold.catch_up()
    live = await boards.dump()
    assert await boards.games() > 0
    assert await boards.refolded() == live


async def test_a_late_game_changes_what_came_after_it(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: a fold that lets late games be last comes to other ratings."""
    heard = games(12)
    late = heard.pop(2)
    for row, shard in heard:
        await boards.lay(row, shard)
    await boards.fold.catch_up()
    await boards.lay(*late)
    monkeypatch.setattr("projections.leaderboards._place", lambda row: (2**50, row.id))
    await boards.fold.catch_up()
    planted = await boards.dump()
    monkeypatch.undo()
    assert planted[boards.fold.keys.book] != (await boards.refolded())[boards.fold.keys.book]


async def test_games_older_than_all_that_are_kept_have_all_folded_anew(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.leaderboards.WINDOW", 4)
    monkeypatch.setattr("projections.leaderboards.SWEEP_S", 0)
    heard = games(12)
    first = heard.pop(0)
    for row, shard in heard:
        await boards.lay(row, shard)
        await boards.fold.catch_up()
    assert await boards.client.hlen(boards.fold.keys.window) == 4
    await boards.lay(*first)
    with pytest.raises(GameTooLate):
        await boards.fold.catch_up()
    task = asyncio.create_task(boards.fold.run(asyncio.Event()))
    async with asyncio.timeout(LONG):
        while b'"games":12' not in (await boards.client.hget(boards.fold.keys.book, "@") or b""):
            pass
    await end_tasks(task)
    live = await boards.dump()
    assert await boards.refolded() == live


async def test_a_fold_that_is_interrupted_goes_on_where_it_was(
    boards: Boards, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.leaderboards.STEP", 2 * SHARDS)
    for row, shard in games(30):
        await boards.lay(row, shard)
    assert 0 < await boards.fold.step() < 30
    half = await boards.dump()
    again = Leaderboards(boards.log, boards.client)
    await again.catch_up()
    assert await boards.dump() != half
    live = await boards.dump()
    assert await boards.refolded() == live


async def test_several_followers_at_once_do_no_harm(boards: Boards) -> None:
    followers = [Leaderboards(boards.log, boards.client) for _ in range(3)]
    for row, shard in games(20):
        await boards.lay(row, shard)
        await asyncio.gather(*(each.catch_up() for each in followers))
    live = await boards.dump()
    assert await boards.refolded() == live


async def test_a_rating_is_listed_after_ten_games(boards: Boards) -> None:
    board = boards.fold.keys.board(Ladder("all", "toy", "first"))
    for number in range(10):
        assert await boards.client.zcard(board) == 0
        await boards.lay(duel(number=number, at=BEGAN + number), 0)
        await boards.fold.catch_up()
    assert await boards.client.zrange(board, 0, -1) == [player(1).encode()]


async def test_what_does_not_count_leaves_no_trace(boards: Boards) -> None:
    await boards.lay(replace(duel(), scenario=True), 0)
    assert await boards.fold.catch_up() == 1
    assert (await boards.dump()).keys() == {boards.fold.keys.book}
    assert await boards.games() == 0


async def test_a_feed_that_went_back_has_all_folded_anew(boards: Boards) -> None:
    await boards.lay(duel(), 0)
    await boards.fold.catch_up()
    await boards.client.hset(boards.meta(0), "seq", 0)
    with pytest.raises(FeedBroken):
        await boards.fold.catch_up()


async def test_the_rebuild_folds_anew_what_the_lists_have(stage: Stage, store: Store) -> None:
    await stage.finished()
    await Lobby(stage.log, stage.client, game_registry=TOY_REGISTRY).catch_up()
    assert await rebuilt(rebuild, store.url, SHARDS) == 1


def test_the_command_line_rebuilds(store_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rebuild", "--store", store_url, "--shards", "4"]) == 0
    assert capsys.readouterr().out == "0 games counted\n"
    assert main(["rebuild", "--store", "nonsense"]) == 1
