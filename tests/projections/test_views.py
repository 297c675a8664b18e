"""Views: the same bytes however they came about; the cache is cold at worst."""

from __future__ import annotations

import asyncio
import random

import pytest
from redis.asyncio import Redis

from events import seal
from events.codec import Codec
from events.kernel import FULL, PUBLIC, Viewer, fold, redact
from events.log import TAIL_LIMIT, Damaged, StreamLog, StreamTail
from events.transact import NoSuchStream
from projections.views import View, Views
from simulator.option_trees import below_of, random_leaf
from tests.events.teller import Watched, watched
from tests.games.toy import TOY
from tests.runtime.stage import ANN, BEN, CIA, KEYS, TOY_REGISTRY, Stage

VIEWERS = (PUBLIC, FULL, *(Viewer(kind="seat", seat=seat) for seat in (1, 2, 3)))


def in_bytes(view: View) -> bytes:
    return seal.canonical(view)


def cold(stage: Stage, events_kept: int = 10_000, log: StreamLog | None = None) -> Views:
    """A cache that knows nothing yet."""
    codec = Codec(TOY_REGISTRY.registry(TOY.id), KEYS)
    return Views(log or stage.log, codec, TOY_REGISTRY.table, stage.clock, events_kept)


async def reads(views: Views, spy: Watched, game: str) -> bool:
    """Whether a look at a game, of whatever version, takes a look into the store."""
    spy.calls.clear()
    await views.view(game, PUBLIC, at_least=1)
    return bool(spy.calls)


async def test_grown_and_rebuilt_views_are_the_same_bytes_at_every_version(stage: Stage) -> None:
    game = await stage.open(seats=3)
    grown: dict[tuple[int, Viewer], bytes] = {}
    choice = random.Random(7)

    async def look() -> None:
        for viewer in VIEWERS:
            view = await stage.tables.view(game, viewer)
            grown[view.version, viewer] = in_bytes(view)

    for player in (ANN, BEN, CIA):
        await stage.sit(game, (player,))
        await look()
    while (state := (await stage.tables.load(game)).state).phase == "live":
        open_now = [
            d
            for seat in state.seats
            for d in stage.tables.table.decisions(state, seat)
            if d.kind != "resign" and not d.answered
        ]
        decision = choice.choice(open_now)
        below = below_of(stage.tables.table, state, decision)
        option = random_leaf(choice, decision.options, below)
        await stage.choose(game, decision.seat, decision.id, option)
        await look()
    rebuilt = cold(stage)
    for (version, viewer), seen in grown.items():
        assert in_bytes(await rebuilt.view(game, viewer, at=version)) == seen
    for viewer in VIEWERS:
        view = await rebuilt.view(game, viewer)
        assert in_bytes(view) == grown[view.version, viewer]


async def test_a_view_is_the_fold_of_what_the_viewer_may_read(stage: Stage) -> None:
    game = await stage.finished()
    views = cold(stage)
    for viewer in VIEWERS[:4]:
        events = [redact(e.event, viewer) for e in await views.envelopes(game)]
        assert (await views.view(game, viewer)).state == fold(TOY_REGISTRY.table, events)


async def test_a_view_that_was_handed_out_never_changes(stage: Stage) -> None:
    game = await stage.open()
    view = await stage.tables.view(game, PUBLIC)
    before = in_bytes(view)
    await stage.sit(game, (ANN, BEN))
    await stage.tables.view(game, PUBLIC)
    assert in_bytes(view) == before


async def test_a_version_that_is_known_is_not_fetched_again(stage: Stage) -> None:
    game = await stage.open()
    views = cold(stage)
    first = await views.view(game, PUBLIC)
    await stage.sit(game, (ANN,))
    assert (await views.view(game, PUBLIC, at_least=first.version)).version == first.version
    assert (await views.view(game, PUBLIC, at_least=first.version + 1)).version > first.version
    await stage.sit(game, (BEN,))
    assert (await views.view(game, PUBLIC)).state.phase == "live"


async def test_another_history_replaces_what_was_kept(stage: Stage, admin: Redis) -> None:
    """As after a failover that lost the tail: fewer events, then others."""
    game = await stage.open()
    views = cold(stage)
    await stage.sit(game, (ANN, BEN))
    await views.view(game, PUBLIC)
    await admin.flushall()
    with pytest.raises(NoSuchStream):
        await views.view(game, PUBLIC)
    again = stage.twin()
    await again.open()
    assert (await views.view(game, PUBLIC)).state.phase == "open"
    await views.view(game, PUBLIC)
    await again.sit(game, (CIA, BEN))
    assert (await views.view(game, PUBLIC)).state.seats[1].player == CIA


@pytest.mark.parametrize("shorter", [True, False])
async def test_a_cache_ahead_of_the_store_starts_anew(
    stage: Stage, *, shorter: bool, admin: Redis
) -> None:
    game = await stage.open()
    views = cold(stage)
    await stage.sit(game, (ANN, BEN))
    await views.view(game, PUBLIC)
    await admin.flushall()
    again = stage.twin()
    await again.open()
    if not shorter:
        await again.sit(game, (CIA, BEN))
    view = await views.view(game, PUBLIC)
    assert sorted(view.state.seats) == ([] if shorter else [1, 2])
    assert in_bytes(view) == in_bytes(await cold(stage).view(game, PUBLIC))


async def test_an_altered_event_is_never_folded(stage: Stage) -> None:
    game = await stage.open()
    await stage.sit(game, (ANN,))
    key = stage.log.layout.stream(game).entries
    entries = await stage.log.read(game)
    await stage.client.delete(key)
    for stored in entries:
        public = stored.public.replace(b'"seat":1', b'"seat":2')
        await stage.client.xadd(
            key, {"e": public, "p": stored.private or b""}, f"{stored.version}-0"
        )
    with pytest.raises(Damaged):
        await cold(stage).view(game, PUBLIC)


async def test_little_room_makes_it_slow_but_not_wrong(stage: Stage) -> None:
    games = [await stage.finished(f"game {number}") for number in range(3)]
    small, large = cold(stage, events_kept=20), cold(stage)
    for game in games * 2:
        for viewer in VIEWERS[:3]:
            got, wanted = await small.view(game, viewer), await large.view(game, viewer)
            assert in_bytes(got) == in_bytes(wanted)


async def test_what_was_seen_last_is_kept_as_far_as_there_is_room(stage: Stage) -> None:
    games = [await stage.finished(f"game {number}") for number in range(3)]
    sizes = [len(await cold(stage).envelopes(game)) for game in games]
    for room, kept in (
        (sum(sizes[1:]), games[1:]),
        (sum(sizes[1:]) - 1, games[2:]),
        (1, games[2:]),
    ):
        spy, seen = watched(stage.log)
        views = cold(stage, room, seen)
        for game in games:
            assert await reads(views, spy, game)
        for game in reversed(kept):
            assert not await reads(views, spy, game)
        assert await reads(views, spy, games[0])


async def test_many_may_ask_at_once(stage: Stage) -> None:
    game, other = await stage.finished("game"), await stage.finished("other")
    spy, seen = watched(stage.log)
    room = sum([len(await cold(stage).envelopes(each)) for each in (game, other)])
    views = cold(stage, room, seen)
    found = await asyncio.gather(*(views.view(game, viewer) for viewer in VIEWERS * 5))
    for viewer, view in zip(VIEWERS * 5, found, strict=True):
        assert in_bytes(view) == in_bytes(await cold(stage).view(game, viewer))
    await views.view(other, PUBLIC)
    assert not await reads(views, spy, game), "it was counted once, so there is room for both"


async def test_of_many_who_wait_for_a_version_one_reads_it(stage: Stage) -> None:
    game = await stage.open()
    spy, seen = watched(stage.log)
    views = cold(stage, log=seen)
    version = (await views.view(game, PUBLIC)).version
    await stage.sit(game, (ANN,))
    spy.calls.clear()
    many = (views.visible_version(game, viewer, version + 1) for viewer in VIEWERS * 5)
    assert {found.newest > version for found in await asyncio.gather(*many)} == {True}
    assert len(spy.calls) == 1
    await asyncio.gather(*(views.visible_version(game, viewer) for viewer in VIEWERS))
    assert len(spy.calls) == 1 + len(VIEWERS), "who wants what there is by now asks the store"


async def test_what_the_process_itself_appends_is_not_read(stage: Stage) -> None:
    game = await stage.open()
    spy, seen = watched(stage.log)
    views = stage.tables.views = cold(stage, log=seen)
    for viewer in VIEWERS:
        await views.view(game, viewer)
    spy.calls.clear()
    await stage.sit(game, (ANN, BEN))
    assert (await views.visible_version(game, PUBLIC, 3)).newest > 3
    assert not spy.calls
    for viewer in VIEWERS:
        assert in_bytes(await views.view(game, viewer)) == in_bytes(
            await cold(stage).view(game, viewer)
        )


async def test_an_own_append_behind_those_of_others_is_read_with_theirs(stage: Stage) -> None:
    game = await stage.open()
    views, twin = stage.tables.views, stage.twin()
    twin.names = stage.names
    before = (await views.view(game, PUBLIC)).version
    await twin.sit(game, (BEN,))
    await stage.sit(game, (ANN,))
    view = await views.view(game, PUBLIC)
    assert view.version > before + 1
    assert in_bytes(view) == in_bytes(await cold(stage).view(game, PUBLIC))


async def test_an_own_append_while_the_stream_is_read_is_kept_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await stage.open()
    views = stage.tables.views
    await views.view(game, PUBLIC)
    tail = stage.log.tail

    async def tail_and_more(stream: str, after: int, limit: int = TAIL_LIMIT) -> StreamTail:
        monkeypatch.setattr(stage.log, "tail", tail)
        found = await tail(stream, after, limit)
        await stage.sit(game, (ANN,))
        return found

    monkeypatch.setattr(stage.log, "tail", tail_and_more)
    await views.view(game, PUBLIC)
    assert in_bytes(await views.view(game, PUBLIC)) == in_bytes(
        await cold(stage).view(game, PUBLIC)
    )
