"""The broadcaster: what a game has come to is read once, and reaches every channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from events.kernel import FULL, PUBLIC, Viewer
from games.table.events import Delay
from projections.views import StreamReading
from runtime.broadcaster import Broadcaster, Chunk, Follower, Viewpoint
from runtime.feed_subscriber import FeedSubscriber
from tests.runtime.stage import ANN, BEN, LONG, Stage


def _number(version: int, public: bytes, opened: bytes | None) -> bytes:
    del public, opened
    return b"%d " % version


def point(game: str, viewer: Viewer = PUBLIC) -> Viewpoint:
    return Viewpoint(game, viewer.kind, viewer, None, _number)


@pytest.fixture
async def broadcaster(stage: Stage) -> AsyncIterator[Broadcaster]:
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    made = Broadcaster(stage.tables, feed_subscriber)
    yield made
    await made.close()
    await feed_subscriber.stop()


async def heard(follower: Follower) -> bytes:
    async with asyncio.timeout(LONG):
        while (item := await follower.next()) is None:
            assert not follower.lost
    assert isinstance(item, Chunk)
    return item.data


async def test_a_channel_that_begins_behind_the_others_is_told_what_they_were_told(
    stage: Stage, broadcaster: Broadcaster
) -> None:
    game = await stage.open()
    early = await stage.tables.visible_version(game, PUBLIC)
    first = broadcaster.join(point(game), early)
    await stage.sit(game, (ANN,))
    assert await heard(first) == b"2 "
    late = broadcaster.join(point(game, FULL), early)  # it has looked before, and comes only now
    assert await heard(late) == b"2 "


async def test_a_game_is_read_as_far_as_it_is_told_for_all_its_channels(
    stage: Stage, broadcaster: Broadcaster, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, read = stage.tables.views.reading, list[int | None]()

    async def counted(stream: str, at_least: int | None = None) -> StreamReading:
        read.append(at_least)
        return await honest(stream, at_least)

    game = await stage.open()
    seen = await stage.tables.visible_version(game, PUBLIC)
    viewers = [PUBLIC, FULL, Viewer("seat", seat=1), Viewer("seat", seat=2)]
    followers = [broadcaster.join(point(game, viewer), seen) for viewer in viewers[:2]]
    await stage.sit(game, (ANN, BEN))
    for follower in followers:
        while b"4" not in await heard(follower):
            pass
    seen = await stage.tables.visible_version(game, PUBLIC)
    followers += [
        broadcaster.join(point(game, viewer)._replace(player=player), seen)
        for viewer, player in zip(viewers[2:], (ANN, BEN), strict=True)
    ]
    twin = stage.twin()  # another process, so that nothing is told here at once
    twin.names = stage.names
    monkeypatch.setattr(stage.tables.views, "reading", counted)
    await twin.play_round(game, 1)
    last = (await twin.tables.load(game)).version
    for follower in followers:
        while b"%d " % last not in await heard(follower):
            pass
    assert read
    assert None not in read, "it is told how far to read, and asks the store for no more"


async def test_a_delay_that_passes_moves_the_channel_of_the_public(
    stage: Stage, broadcaster: Broadcaster
) -> None:
    game = await stage.open(delay=Delay(seconds=1))
    seen = await stage.tables.visible_version(game, FULL)
    full = broadcaster.join(point(game, FULL), seen)
    public = broadcaster.join(point(game), seen)
    await stage.sit(game, (ANN, BEN))
    began = (await stage.tables.visible_version(game, PUBLIC)).version
    stage.clock.now += 500
    decision = (await stage.tables.decisions(game, [1]))[0][0]
    await stage.choose(game, 1, decision.id, decision.options[0].id)
    newest = (await stage.tables.load(game)).version
    assert began < newest
    for follower, last in ((full, newest), (public, began)):
        while b"%d " % last not in await heard(follower):
            pass
    assert broadcaster.upto(point(game)) == began, "though both were looked after at once"
    stage.clock.now += 1000
    assert (await heard(public)).endswith(b"%d " % newest)


async def test_who_catches_up_is_told_no_more_than_they_see_by_now(
    stage: Stage, broadcaster: Broadcaster
) -> None:
    """As when the clock was set back after they had looked."""
    game = await stage.open(delay=Delay(seconds=1))
    await stage.sit(game, (ANN, BEN))
    began = (await stage.tables.visible_version(game, PUBLIC)).version
    stage.clock.now += 500
    decision = (await stage.tables.decisions(game, [1]))[0][0]
    await stage.choose(game, 1, decision.id, decision.options[0].id)
    newest = (await stage.tables.load(game)).version
    assert (await broadcaster.catch_up(point(game, FULL), began, newest)).last == newest
    told = await broadcaster.catch_up(point(game), began - 1, newest)
    assert (told.last, told.data) == (began, b"%d " % began)
    assert (await broadcaster.catch_up(point(game), began, newest)).data == b""
