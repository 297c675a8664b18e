"""The lists: what they say, who sees it, and that they are never truth."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from msgspec import UNSET
from redis.asyncio import Redis

from events.registry import CodecError
from events.tasks import end_tasks
from games.table.events import AnnulTable, CloseTable, LeaveSeat, PauseTable, Visibility
from projections.lobby import LISTS, ListKeys, Lobby, main, rebuild
from projections.rebuilding import rebuilt
from projections.rows import Row, encode_row
from runtime.embedded.store import Store
from runtime.listing import BadCursor, Listing, Page, Wanted, cursor_of, place_of
from tests.games.toy import TOY
from tests.runtime.stage import ANN, BEN, CIA, LONG, SHARDS, TOY_REGISTRY, Stage

DAN = f"p00-{'d' * 26}"


class Lists:
    """A follower and a reader on the stage's store."""

    def __init__(self, stage: Stage) -> None:
        self.client = stage.client
        self.lobby = Lobby(stage.log, stage.client, game_registry=TOY_REGISTRY)
        self.listing = Listing(stage.client, stage.log.layout)

    async def page(self, **wanted: Any) -> Page:
        await self.lobby.catch_up()
        return await self.listing.page(Wanted(**wanted))

    async def games(self, **wanted: Any) -> list[str]:
        return [row.id for row in (await self.page(limit=100, **wanted)).rows]

    async def row(self, game: str) -> Row:
        await self.lobby.catch_up()
        row = await self.listing.row(game)
        assert row is not None
        return row

    async def dump(self) -> dict[str, Any]:
        """All keys of the lists with their contents."""
        result: dict[str, Any] = {}
        async for key in self.client.scan_iter(match=f"*:{LISTS}:*"):
            name = key.decode()
            if name.endswith(":rows"):
                result[name] = await self.client.hgetall(name)
            elif name.endswith(":names"):
                result[name] = await self.client.smembers(name)
            else:
                result[name] = await self.client.zrange(name, 0, -1, withscores=True)
        return result

    async def delete(self) -> int:
        """Delete all keys of the lists by hand."""
        keys = [key async for key in self.client.scan_iter(match=f"*:{LISTS}:*")]
        return int(await self.client.delete(*keys))


@pytest.fixture
def lists(stage: Stage) -> Lists:
    return Lists(stage)


async def test_a_row_tells_the_public_facts(stage: Stage, lists: Lists) -> None:
    game = await stage.open(seats=3, host=CIA)
    opened = stage.clock.now
    stage.clock.now += 5
    await stage.sit(game, (ANN, BEN))
    row = await lists.row(game)
    assert (row.game, row.rulebook, row.mode, row.host) == ("toy", "toybook", "plain", CIA)
    assert (row.status, row.turn, row.version, row.result) == ("open", 0, 3, None)
    assert (row.seat_count, [s.player for s in row.seats]) == (3, [ANN, BEN])
    assert not any(seat.name or seat.deleted for seat in row.seats)
    named = row.named(await stage.tables.names.openings(row.seats))
    assert [s.name for s in named.seats] == ["name of a", "name of b"]
    await stage.tables.names.store.erase(BEN)
    named = row.named(await stage.tables.names.openings(row.seats))
    assert [(s.name, s.deleted) for s in named.seats] == [("name of a", False), (None, True)]
    assert (row.created_at, row.updated_at) == (opened, opened + 5)
    assert (row.scenario, row.paused, row.visibility) == (False, False, "public")


async def test_a_row_follows_its_table_to_the_end(stage: Stage, lists: Lists) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN, BEN))
    await stage.play_round(game, 1)
    row = await lists.row(game)
    assert (row.status, row.turn) == ("live", 2)
    await stage.give(game, PauseTable(), CIA, "director")
    assert (await lists.row(game)).paused
    await stage.give(game, AnnulTable(reason="other"), CIA, "director")
    row = await lists.row(game)
    assert row.status == "finished"
    assert row.result is not None
    assert row.result.reason == "annulled"
    assert not row.paused
    assert await lists.games(status="live") == []
    assert await lists.games(status="finished") == [game]


async def test_a_row_tells_of_a_table_that_was_closed_before_its_game_began(
    stage: Stage, lists: Lists
) -> None:
    """A full one too. The others say nothing, which costs them nothing in the store."""
    called_off, begun = [await stage.open(name, host=CIA) for name in ("called off", "begun")]
    full = await stage.open("full", start="host", host=CIA)
    for game, players in ((called_off, (ANN,)), (full, (ANN, BEN)), (begun, (ANN, BEN))):
        await stage.sit(game, players)
        assert (await lists.row(game)).unbegun is UNSET
    await stage.give(called_off, CloseTable(), CIA)
    for game in (full, begun):
        await stage.give(game, AnnulTable(reason="other"), CIA, "director")
    rows = [await lists.row(game) for game in (called_off, full, begun, await stage.finished())]
    assert [row.status for row in rows] == ["finished"] * 4
    assert [row.unbegun for row in rows] == [True, True, UNSET, UNSET]
    assert [b"unbegun" in encode_row(row) for row in rows] == [True, True, False, False]


async def test_filters(stage: Stage, lists: Lists) -> None:
    one = await stage.open("one")
    two = await stage.open("two", host=BEN)
    await stage.sit(two, (ANN, CIA))
    done = await stage.finished("three")
    assert set(await lists.games()) == {one, two, done}
    assert await lists.games(status="open") == [one]
    assert await lists.games(status="live") == [two]
    assert await lists.games(status="finished") == [done]
    assert set(await lists.games(player=BEN)) == {two, done}
    assert await lists.games(player=CIA) == [two]
    assert await lists.games(player=ANN, status="live") == [two]
    assert len(await lists.games(mode="plain", rulebook="toybook")) == 3
    assert await lists.games(mode="other") == await lists.games(rulebook="other") == []


async def test_a_tournaments_tables_are_looked_up_and_not_searched_for(
    stage: Stage, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that looks at one table only finds it, wherever it is among others."""
    cup = await stage.open("cup", tournament="cup")
    hidden = await stage.open("hidden", tournament="cup", visibility="unlisted")
    others = []
    for number in range(4):
        stage.clock.now += 1
        other = "cup-2" if number % 2 else None
        others.append(await stage.open(f"later {number}", tournament=other))
    assert set(await lists.games(caller=ANN, tournament="cup")) == {cup, hidden}
    assert set(await lists.games()) == {cup, *others}
    monkeypatch.setattr("runtime.listing.SCAN_MAX", 1)
    for wanted in ({}, {"status": "open"}, {"player": ANN}):
        assert [row.id for row in (await lists.page(tournament="cup", **wanted)).rows] == [cup]
    assert (await lists.page(tournament="cup", status="live")).rows == []
    # The planted fault: whoever goes by all tables that are open does not find it.
    everything = ListKeys.status
    monkeypatch.setattr(ListKeys, "tournament", lambda keys, n, _: everything(keys, n, "open"))
    assert (await lists.page(tournament="cup")).rows == []


async def test_a_table_stays_with_its_tournament_to_the_end(stage: Stage, lists: Lists) -> None:
    game = await stage.open(tournament="cup")
    await stage.sit(game, (ANN, BEN))
    assert await lists.games(tournament="cup", status="live") == [game]
    await stage.give(game, AnnulTable(reason="other"), CIA, "director")
    assert await lists.games(tournament="cup", status="live") == []
    assert await lists.games(tournament="cup", status="finished") == [game]


async def test_finished_games_are_found_by_how_and_when_they_ended(
    stage: Stage, lists: Lists
) -> None:
    won = await stage.finished("one")
    row = await lists.row(won)
    assert row.result is not None
    winners = {s.player for s in row.seats if s.seat in row.result.winners}
    between = stage.clock.now = stage.clock.now + 1_000
    annulled = await stage.open("two")
    await stage.sit(annulled, (ANN, BEN))
    await stage.give(annulled, AnnulTable(reason="other"), CIA, "director")
    for player in (ANN, BEN):
        how = "won" if player in winners else "lost"
        assert await lists.games(player=player, result=how) == [won]
        assert await lists.games(player=player, result="undecided") == [annulled]
        other = "lost" if how == "won" else "won"
        assert await lists.games(player=player, result=other) == []
    assert await lists.games(outcome=row.result.outcome) == [won]
    assert await lists.games(outcome="annulled", player=ANN) == [annulled]
    assert await lists.games(opened_from=between) == [annulled]
    assert await lists.games(opened_from=between + 1) == []
    assert await lists.games(opened_before=between) == [won]
    assert await lists.games(opened_before=between, opened_from=row.created_at) == [won]
    assert await lists.games(opened_before=row.created_at) == []


async def test_how_a_game_ended_is_looked_up_and_not_searched_for(
    stage: Stage, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that looks at one game only finds it, wherever it is among others."""
    won = await stage.finished("first of all")
    row = await lists.row(won)
    assert row.result is not None
    (winner, *_) = (s.player for s in row.seats if s.seat in row.result.winners)
    outcome = row.result.outcome
    for number in range(4):
        stage.clock.now += 1
        game = await stage.open(f"later {number}", visibility="private" if number % 2 else "public")
        await stage.sit(game, (ANN,))
        await stage.give(game, AnnulTable(reason="other"), ANN, "director")
    monkeypatch.setattr("runtime.listing.SCAN_MAX", 1)
    for caller in (None, winner):
        for wanted in (
            {"player": winner, "result": "won"},
            {"player": winner, "result": "won", "outcome": outcome},
            {"player": winner, "outcome": outcome},
            {"outcome": outcome},
        ):
            page = await lists.page(caller=caller, **wanted)
            assert [row.id for row in page.rows] == [won]
    # The planted fault: whoever goes by all games of a player does not find it.
    monkeypatch.setattr("runtime.listing.ending", lambda key, *_: key)
    assert (await lists.page(player=winner, result="won")).rows == []


async def test_what_is_not_public_is_found_by_its_end_for_its_people_only(
    stage: Stage, lists: Lists
) -> None:
    game = await stage.open(visibility="private", invited=(BEN,))
    await stage.sit(game, (ANN, BEN))
    await stage.give(game, AnnulTable(reason="other"), ANN, "director")
    for wanted in (
        {"player": ANN, "result": "undecided"},
        {"player": ANN, "result": "undecided", "outcome": "annulled"},
        {"outcome": "annulled"},
    ):
        assert await lists.games(caller=ANN, **wanted) == [game]
        assert await lists.games(caller=BEN, **wanted) == [game]
        assert await lists.games(caller=CIA, **wanted) == await lists.games(**wanted) == []


async def test_games_of_a_time_are_paged(stage: Stage, lists: Lists) -> None:
    games = []
    for number in range(5):
        stage.clock.now += 10
        games.append(await stage.open(str(number)))
    first = (await lists.row(games[1])).created_at
    last = (await lists.row(games[4])).created_at
    wanted = {"opened_from": first, "opened_before": last, "limit": 2}
    page = await lists.page(**wanted)
    assert [row.id for row in page.rows] == [games[3], games[2]]
    rest = await lists.page(cursor=page.cursor, **wanted)
    assert ([row.id for row in rest.rows], rest.cursor) == ([games[1]], None)


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
async def test_what_is_not_public_is_listed_for_its_people_only(
    stage: Stage, lists: Lists, visibility: Visibility
) -> None:
    game = await stage.open(visibility=visibility, invited=(BEN,))
    assert await lists.games() == []
    assert await lists.games(caller=CIA) == []
    assert await lists.games(player=ANN) == await lists.games(player=BEN, caller=CIA) == []
    assert await lists.games(caller=ANN) == await lists.games(caller=BEN) == [game]
    assert await lists.games(caller=BEN, player=ANN) == [game]
    assert await lists.games(caller=BEN, status="live") == []


async def test_a_cursor_never_names_a_table_that_is_not_for_the_caller(
    stage: Stage, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where a page ends because it has looked at enough rows."""
    monkeypatch.setattr("runtime.listing.SCAN_MAX", 1)
    hidden = {await stage.open(f"hidden {n}", visibility="private", host=BEN) for n in range(3)}
    shown = await stage.open("shown", host=BEN)
    own = await stage.open("own", visibility="private", host=ANN, invited=(BEN,))
    for caller in (None, ANN):
        cursor, found = None, set()
        while True:
            page = await lists.page(caller=caller, player=BEN, cursor=cursor, mode="plain")
            found |= {row.id for row in page.rows}
            cursor = page.cursor
            if cursor is None:
                break
            assert place_of(cursor)[1] not in hidden
        assert found == ({shown} if caller is None else {shown, own})


async def test_who_left_its_seat_has_the_table_no_longer(stage: Stage, lists: Lists) -> None:
    game = await stage.open(host=CIA)
    await stage.sit(game, (ANN,))
    assert await lists.games(player=ANN) == [game]
    await stage.give(game, LeaveSeat(seat=1), ANN)
    assert await lists.games(player=ANN) == []
    assert await lists.games(player=CIA) == [game]


async def test_pages_come_newest_first_without_gaps_or_repeats(stage: Stage, lists: Lists) -> None:
    opened = []
    for number in range(25):
        stage.clock.now += number % 3
        opened.append((stage.clock.now, await stage.open(f"game {number}")))
    wanted = [game for _, game in sorted(opened, reverse=True)]
    found: list[str] = []
    cursor = None
    for _ in range(9):
        page = await lists.page(limit=3, cursor=cursor, caller=ANN)
        found += [row.id for row in page.rows]
        cursor = page.cursor
        # What happens between two pages must not disturb the rest.
        await stage.open(f"later {len(found)}", host=BEN)
        last = wanted[len(found) - 4]
        if len(found) == 12:
            await stage.give(last, AnnulTable(reason="other"), CIA, "director")
    assert found == wanted
    assert cursor is None


async def test_many_tables_of_one_millisecond(stage: Stage, lists: Lists) -> None:
    games = {await stage.open(f"game {number}") for number in range(70)}
    keys = Counter(stage.log.layout.shard_of(game) for game in games)
    found: list[str] = []
    cursor = None
    while True:
        page = await lists.page(limit=2, cursor=cursor)
        found += [row.id for row in page.rows]
        cursor = page.cursor
        if cursor is None:
            break
    assert found == sorted(games, reverse=True)
    assert len(keys) == SHARDS


@pytest.mark.parametrize("cursor", ["", "x", "MS4", "é", "MTIzLmcwMA==", "A" * 500])
async def test_a_cursor_of_somebody_else_is_refused(lists: Lists, cursor: str) -> None:
    with pytest.raises(BadCursor):
        await lists.page(cursor=cursor)
    assert place_of(cursor_of((123, "g00-x"))) == (123, "g00-x")


async def played(stage: Stage) -> None:
    """A store with a bit of everything."""
    for number in range(4):
        await stage.finished(f"done {number}")
        await stage.open(f"open {number}", visibility="private", invited=(DAN,))
    game = await stage.open("left", host=CIA)
    await stage.sit(game, (ANN,))
    await stage.give(game, LeaveSeat(seat=1), ANN)
    await stage.give(await stage.open("called off", host=CIA), CloseTable(), CIA)


async def test_two_rebuilds_are_equal(stage: Stage, lists: Lists) -> None:
    await played(stage)
    await lists.lobby.catch_up()
    grown = await lists.dump()
    for _ in range(2):
        await lists.lobby.forget()
        assert await lists.dump() == {}
        await lists.lobby.catch_up()
        assert await lists.dump() == grown


async def test_deleted_lists_come_back_by_following(stage: Stage, lists: Lists) -> None:
    await played(stage)
    await lists.lobby.catch_up()
    before = await lists.dump()
    assert await lists.delete() == len(before)
    await Lists(stage).lobby.catch_up()
    assert await lists.dump() == before


async def test_growing_step_by_step_gives_what_one_step_gives(stage: Stage, lists: Lists) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    await lists.lobby.catch_up()
    await stage.sit(game, (BEN,))
    await lists.lobby.catch_up()
    await stage.play_round(game, 1)
    await stage.play_round(game, 2)
    await lists.lobby.catch_up()
    grown = await lists.dump()
    await lists.lobby.forget()
    await Lists(stage).lobby.catch_up()
    assert await lists.dump() == grown


async def test_several_followers_at_once_do_no_harm(stage: Stage, lists: Lists) -> None:
    followers = [Lists(stage) for _ in range(4)]
    playing = asyncio.create_task(played(stage))
    while not playing.done():
        await asyncio.gather(*(f.lobby.catch_up() for f in followers))
    await asyncio.gather(*(f.lobby.catch_up() for f in followers))
    grown = await lists.dump()
    await lists.lobby.forget()
    await lists.lobby.catch_up()
    assert await lists.dump() == grown


async def test_a_follower_that_was_overtaken_writes_nothing(stage: Stage, lists: Lists) -> None:
    game = await stage.open()
    shard = stage.log.layout.shard_of(game)
    assert not await lists.lobby._move(shard, "7", 8, [("row", game, "{}")])
    assert await lists.dump() == {}


async def test_a_running_follower_keeps_up(stage: Stage, lists: Lists) -> None:
    task = asyncio.create_task(lists.lobby.run())
    game = await stage.finished()
    async with asyncio.timeout(LONG):
        while True:
            row = await lists.listing.row(game)
            if row is not None and row.status == "finished":
                break
    await end_tasks(task)


async def test_a_running_follower_brings_deleted_lists_back(
    stage: Stage, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.lobby.SWEEP_S", 0.01)
    game = await stage.open()
    task = asyncio.create_task(lists.lobby.run())
    async with asyncio.timeout(LONG):
        while await lists.listing.row(game) is None:
            pass
        await lists.delete()
        while await lists.listing.row(game) is None:
            pass
    await end_tasks(task)


async def test_a_feed_that_went_back_makes_the_lists_anew(
    stage: Stage, lists: Lists, admin: Redis
) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    await lists.lobby.catch_up()
    dump = await lists.dump()
    await admin.flushall()
    for name, value in dump.items():  # the lists survived, the log did not
        if name.endswith(":rows"):
            await stage.client.hset(name, mapping=value)
    again = stage.twin()
    await again.open()
    task = asyncio.create_task(lists.lobby.run())
    async with asyncio.timeout(LONG):
        while (row := await lists.listing.row(game)) is None or row.version != 1:
            pass
    assert await lists.listing.page(Wanted()) == Page([row], None)
    await end_tasks(task)


async def test_one_table_that_cannot_be_read_does_not_stop_the_others(
    stage: Stage, lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = await stage.open("bad"), await stage.open("good")
    decode = lists.lobby._codecs.of(TOY.id).decode_many

    def fails(stream: str, entries: Any) -> Any:
        if stream == bad:
            raise CodecError("planted")
        return decode(stream, entries)

    monkeypatch.setattr(lists.lobby._codecs.of(TOY.id), "decode_many", fails)
    assert await lists.games() == [good]
    monkeypatch.undo()
    await lists.lobby.forget()
    assert set(await lists.games()) == {bad, good}


async def test_a_rebuild_leaves_out_what_it_cannot_fold(stage: Stage, store: Store) -> None:
    """The command line knows the house's own games only: a toy is not listed, and stops nothing."""
    lists = Lists(stage)
    game = await stage.open()
    assert await lists.games() == [game]
    assert await rebuilt(rebuild, store.url, SHARDS) == 0
    assert await lists.games() == []


def test_the_command_line_rebuilds(store_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rebuild", "--store", store_url, "--shards", "4"]) == 0
    assert capsys.readouterr().out == "0 tables listed\n"
