"""Spectators see a delayed game up to its horizon, to the millisecond and to the event (D0011)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from events.codec import Envelope
from events.kernel import FULL, PUBLIC, Viewer, fold, redact
from games.contract import TimeControl
from games.table.events import AnnulTable, Delay, PauseTable, TableClosed, TableStarted
from projections.lobby import Lobby
from projections.rows import Row
from projections.views import NoSuchVersion
from projections.visible_version import DelayCourse, VisibleVersion
from runtime import long_poll
from runtime.feed_subscriber import FeedSubscriber
from runtime.listing import Listing, Wanted
from runtime.long_poll import wait_to_see
from tests.runtime.stage import ANN, BEN, CIA, LONG, TOY_REGISTRY, Stage

SEAT = Viewer(kind="seat", seat=1)
SECONDS = Delay(seconds=60)
BEGUN = 4
"""The version at which a table of two begins: opened, two seats, the beginning itself."""


def course(delay: Delay | None, times: Sequence[int], started: int = 1) -> DelayCourse:
    """A running game whose events have these times."""
    return DelayCourse(delay=delay, started=started, times=list(times))


def clock(now: int) -> Callable[[], int]:
    """A clock that stands."""
    return lambda: now


def turns(*versions: int) -> Any:
    return lambda: versions


@pytest.mark.parametrize(
    ("now", "version", "moves_at"),
    [
        (60_999, 1, 61_000),
        (61_000, 3, 62_000),
        (61_999, 3, 62_000),
        (62_000, 4, 69_000),
        (68_999, 4, 69_000),
        (69_000, 5, None),
        (0, 1, 61_000),
    ],
)
def test_by_seconds_a_batch_is_seen_whole_at_its_very_millisecond(
    now: int, version: int, moves_at: int | None
) -> None:
    five = course(SECONDS, [500, 1000, 1000, 2000, 9000])
    assert five.visible_version(PUBLIC, clock(now), turns()) == VisibleVersion(
        version, 5, ended=False, moves_at=moves_at, delayed=True
    )


@pytest.mark.parametrize(
    ("hidden", "began", "version"),
    [
        (1, (), 2),
        (1, (5,), 4),
        (1, (5, 8), 7),
        (2, (5,), 2),
        (2, (5, 8), 4),
        (2, (5, 8, 9), 7),
        (3, (5, 8), 2),
        (100, (5, 8, 9), 2),
        (1, (1,), 2),
    ],
)
def test_by_turns_the_horizon_is_just_before_a_turn(
    hidden: int, began: tuple[int, ...], version: int
) -> None:
    ten = course(Delay(turns=hidden), range(10), started=2)
    assert ten.visible_version(PUBLIC, clock(10**9), turns(*began)) == VisibleVersion(
        version, 10, ended=False, delayed=True
    )


@pytest.mark.parametrize("viewer", [SEAT, FULL])
def test_who_is_not_the_public_sees_everything(viewer: Viewer) -> None:
    assert course(SECONDS, [1, 2, 3]).visible_version(viewer, clock(0), turns()) == VisibleVersion(
        3, 3, ended=False
    )


def test_nothing_is_hidden_before_the_beginning_after_the_end_or_without_a_delay() -> None:
    for shown in (
        course(SECONDS, [1, 2, 3], started=0),
        course(None, [1, 2, 3]),
        DelayCourse(delay=SECONDS, started=1, ended=True, times=[1, 2, 3]),
    ):
        assert shown.visible_version(PUBLIC, clock(0), turns()) == VisibleVersion(3, 3, shown.ended)


def by_hand(past: Sequence[Envelope], delay: Delay, now: int) -> int:
    """The horizon worked out from the rule alone, one version after the other."""
    started = next((e.version for e in past if isinstance(e.event, TableStarted)), 0)
    if not started or any(isinstance(e.event, TableClosed) for e in past):
        return len(past)
    if isinstance(delay.seconds, int):
        old = [e.version for e in past if e.at <= now - delay.seconds * 1000]
        return max([started, *old])
    assert isinstance(delay.turns, int)
    game = TOY_REGISTRY.table.games["toy"]
    states = [fold(TOY_REGISTRY.table, (e.event for e in past[: e.version])) for e in past]
    turn = [0 if s.play is None else game.turn(s.play) for s in states]
    hidden = max(1, turn[-1] - delay.turns + 1)
    first = next((n for n, each in enumerate(turn, 1) if each >= hidden), len(past) + 1)
    return max(started, min(first - 1, len(past))) if turn[-1] >= delay.turns else started


@pytest.mark.parametrize(
    "delay", [Delay(turns=1), Delay(turns=2), Delay(turns=3), Delay(seconds=1), Delay(seconds=3)]
)
async def test_at_every_version_and_moment_the_horizon_is_what_the_rule_says(
    stage: Stage, delay: Delay
) -> None:
    game = await stage.open(rounds=4, delay=delay)
    await stage.sit(game, (ANN, BEN))
    for turn in range(1, 5):
        stage.clock.now += 700
        await stage.play_round(game, turn)
    past = await stage.tables.views.envelopes(game)
    seen: set[int] = set()
    for count in range(1, len(past) + 1):
        found, upto = DelayCourse(), past[:count]
        for envelope in upto:
            found.note(envelope.event, envelope.at)
        starts: dict[int, int] = {}
        for envelope in upto:
            state = fold(TOY_REGISTRY.table, (e.event for e in past[: envelope.version]))
            turn = 0 if state.play is None else TOY_REGISTRY.table.games["toy"].turn(state.play)
            starts.setdefault(turn, envelope.version)
        began = turns(*(v for turn, v in starts.items() if turn))
        for late in (0, 299, 300, 999, 1000, 1001, 3000):
            now = upto[-1].at + late
            version = found.visible_version(PUBLIC, clock(now), began).version
            assert version == by_hand(upto, delay, now)
            seen.add(version)
    assert len(seen) > 5, "the horizon moved"


async def test_views_events_and_turns_end_at_the_horizon(stage: Stage) -> None:
    tables = stage.tables
    game = await stage.open(rounds=3, delay=SECONDS)
    await stage.sit(game, (ANN, BEN))
    began = stage.clock.now
    stage.clock.now += 1000
    await stage.play_round(game, 1)
    last = (await tables.load(game)).version
    assert (await tables.view(game, PUBLIC)).version == BEGUN
    for viewer in (SEAT, FULL):
        assert (await tables.view(game, viewer)).version == last
        assert len(await tables.events(game, viewer, at_least=last)) == last
        assert await tables.version_of_turn(game, viewer, 2) is not None
    assert len(await tables.events(game, PUBLIC, after=0, limit=99)) == BEGUN
    assert await tables.events(game, PUBLIC, after=BEGUN, limit=99) == []
    assert await tables.version_of_turn(game, PUBLIC, 1) is None
    for at in (BEGUN + 1, last, last + 1):
        with pytest.raises(NoSuchVersion) as refusal:
            await tables.view(game, PUBLIC, at=at)
        assert (refusal.value.version, str(last) in str(refusal.value)) == (BEGUN, at == last)
    stage.clock.now = began + 60_000 - 1
    assert (await tables.view(game, PUBLIC)).version == BEGUN
    stage.clock.now += 1
    shown = await tables.view(game, PUBLIC)
    assert BEGUN < shown.version < last
    assert shown.settled
    past = await tables.views.envelopes(game)
    assert shown.time == began == past[shown.version - 1].at < past[shown.version].at
    state = fold(TOY_REGISTRY.table, (redact(e.event, PUBLIC) for e in past[: shown.version]))
    assert shown.state == state == (await tables.view(game, PUBLIC, at=shown.version)).state
    assert await tables.version_of_turn(game, PUBLIC, 1) is not None
    assert await tables.version_of_turn(game, PUBLIC, 2) is None
    stage.clock.now += 1000
    assert (await tables.view(game, PUBLIC)).version == last


async def test_what_was_hidden_is_hidden_again_if_the_clock_is_set_back(stage: Stage) -> None:
    game = await stage.open(delay=SECONDS)
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += 60_000
    ahead = await stage.tables.view(game, PUBLIC)
    stage.clock.now -= 1
    behind = await stage.tables.view(game, PUBLIC)
    assert (behind.version, behind.settled) == (BEGUN, False)
    assert behind.version < ahead.version
    past = await stage.tables.views.envelopes(game)
    state = fold(TOY_REGISTRY.table, (redact(e.event, PUBLIC) for e in past[:BEGUN]))
    assert behind.state == state


@pytest.mark.parametrize("delay", [SECONDS, Delay(turns=1)])
async def test_the_end_shows_everything(stage: Stage, delay: Delay) -> None:
    game = await stage.open(delay=delay)
    await stage.sit(game, (ANN, BEN))
    assert not (await stage.tables.visible_version(game, PUBLIC)).ended
    await stage.give(game, AnnulTable(reason="other"), ANN, "director")
    last = (await stage.tables.load(game)).version
    assert await stage.tables.visible_version(game, PUBLIC) == VisibleVersion(
        last, last, ended=True
    )
    assert (await stage.tables.view(game, PUBLIC)).state.phase == "finished"


async def test_what_is_kept_may_be_behind_and_is_looked_up_again(stage: Stage) -> None:
    game = await stage.open(rounds=3, delay=Delay(turns=1))
    await stage.sit(game, (ANN, BEN))
    behind = stage.twin()
    await stage.play_round(game, 1)
    await behind.tables.view(game, PUBLIC)
    seen = (await stage.tables.visible_version(game, PUBLIC)).version
    await stage.play_round(game, 2)
    wanted = (await stage.tables.visible_version(game, PUBLIC)).version
    assert wanted > seen
    for at in range(seen, wanted + 1):
        assert (await behind.tables.view(game, PUBLIC, at=at)).version == at


# --- waiting ---


async def subscriber_of(stage: Stage) -> FeedSubscriber:
    feed_subscriber = FeedSubscriber(stage.log)
    await feed_subscriber.start()
    return feed_subscriber


async def test_a_wait_ends_when_time_lets_it_see_and_not_with_the_event(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_poll, "LOOK_S", 0.005)
    feed_subscriber = await subscriber_of(stage)
    slow = TimeControl(limits_s={"programming": 1000, "decision": 1000})
    game = await stage.open(rounds=3, delay=SECONDS, time=slow)
    await stage.sit(game, (ANN, BEN))
    stage.clock.now += 60_000
    seen = await stage.tables.visible_version(game, PUBLIC)
    assert (seen.version, seen.moves_at) == (seen.newest, None)
    wait = asyncio.create_task(
        wait_to_see(stage.tables, feed_subscriber, game, PUBLIC, seen, seen.version, LONG)
    )
    await stage.play_round(game, 1)
    last = (await stage.tables.load(game)).version
    # Somebody who may see it at once has been woken, and then some.
    full = await stage.tables.visible_version(game, FULL, 1)
    await wait_to_see(stage.tables, feed_subscriber, game, FULL, full, last - 1, LONG)
    for _ in range(20):
        await asyncio.sleep(0)
    assert not wait.done()
    stage.clock.now += 60_000
    found = await wait
    assert found is not None
    assert found.version == last
    await feed_subscriber.stop()


async def test_a_wait_gives_up_in_its_time_and_at_the_end_of_the_process(stage: Stage) -> None:
    feed_subscriber = await subscriber_of(stage)
    game = await stage.open(delay=SECONDS)
    await stage.sit(game, (ANN, BEN))
    seen = await stage.tables.visible_version(game, PUBLIC)
    assert seen.moves_at is not None
    for beyond in (seen.version, seen.newest, 10**6):
        assert (
            await wait_to_see(stage.tables, feed_subscriber, game, PUBLIC, seen, beyond, 0.01)
            is None
        )
    wait = asyncio.create_task(
        wait_to_see(stage.tables, feed_subscriber, game, PUBLIC, seen, 10**6, LONG)
    )
    await asyncio.sleep(0)
    await feed_subscriber.stop()
    assert await wait is None


# --- lists ---


async def listed(stage: Stage, caller: str | None) -> Row:
    lobby = Lobby(stage.log, stage.client, game_registry=TOY_REGISTRY)
    await lobby.catch_up()
    listing = Listing(stage.client, stage.log.layout, tables=stage.tables)
    [row] = (await listing.page(Wanted(caller=caller))).rows
    return row


async def test_lists_tell_each_what_it_may_see(stage: Stage) -> None:
    game = await stage.open(rounds=3, host=CIA, delay=Delay(turns=1))
    await stage.sit(game, (ANN, BEN))
    began = stage.clock.now
    stage.clock.now += 5000
    await stage.play_round(game, 1)
    await stage.give(game, PauseTable(), CIA, "director")
    last = (await stage.tables.load(game)).version
    own = await listed(stage, ANN)
    assert (own.version, own.turn, own.paused, own.updated_at) == (last, 2, True, stage.clock.now)
    shown = (await stage.tables.visible_version(game, PUBLIC)).version
    for caller in (None, CIA):
        row = await listed(stage, caller)
        assert (row.status, row.delay, row.version) == ("live", Delay(turns=1), shown)
        assert (row.turn, row.paused, row.updated_at) == (1, False, stage.clock.now)
        assert row.seats == own.seats
    assert began < stage.clock.now
    await stage.give(game, AnnulTable(reason="other"), CIA, "director")
    assert await listed(stage, None) == await listed(stage, ANN)


async def test_a_row_that_cannot_be_made_is_left_out(stage: Stage) -> None:
    game = await stage.open(delay=SECONDS)
    await stage.sit(game, (ANN, BEN))
    assert (await listed(stage, None)).version == BEGUN
    listing = Listing(stage.client, stage.log.layout, tables=stage.twin().tables)
    await stage.client.delete(stage.log.layout.stream(game).entries)
    assert (await listing.page(Wanted())).rows == []
    assert [row.id for row in (await listing.page(Wanted(caller=ANN))).rows] == [game]
