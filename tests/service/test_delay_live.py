"""Who waits for a table with a delay, or follows it, hears no sooner than it may see (D0011)."""

from __future__ import annotations

import asyncio

import pytest

from runtime import long_poll
from tests.service.listening import Listener, listen
from tests.service.stage import Stage, ok
from tests.service.test_delay import NDJSON, SECONDS, SVG, Delayed, delayed
from tests.service.test_reading import polling


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a time looks at the clock again and again, as it stands still."""
    monkeypatch.setattr(long_poll, "LOOK_S", 0.005)


@pytest.mark.usefixtures("restless")
async def test_a_poll_ends_when_its_caller_may_see_something_and_no_sooner(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    on.clock.now += 120_000
    shown = await game.seen()
    assert shown == await game.newest()
    first = await game.eve.get(f"{game.path}/decisions")
    known = {"if-none-match": first.headers["etag"]}
    public = {"if-none-match": f'"{shown}-public"'}
    drawn = SVG | {"if-none-match": f'"{shown}-public-svg"'}
    polls = [
        await polling(on, game.stranger.get(f"{game.path}/events", after=shown, wait=25)),
        await polling(on, game.stranger.get(f"{game.path}/state", public, wait=25)),
        await polling(on, game.stranger.get(f"{game.path}/state", drawn, wait=25)),
        await polling(on, game.eve.get(f"{game.path}/decisions", known, wait=25)),
    ]
    await polling(on, game.ada.get(f"{game.path}/events", after=shown, wait=25))
    newest = await game.clues()
    await on.service.app_context.feed_subscriber.wait(game.id, newest - 1, 20)
    on.clock.now += 119_999
    ok(await game.ada.get(f"{game.path}/events", after=newest - 1, wait=25))
    assert not any(poll.done() for poll in polls)
    on.clock.now += 1
    events, state, image, decisions = [await poll for poll in polls]
    assert ok(events)["next"] == ok(state)["version"] == ok(decisions)["version"] == newest
    assert image.headers["etag"] == f'"{newest}-public-svg"'


async def silent(stream: Listener, said: str) -> None:
    """The stream has said nothing else, whatever the broadcaster did meanwhile."""
    assert stream.text.replace(": still here\n\n", "") == said


@pytest.mark.usefixtures("restless")
async def test_a_stream_goes_on_as_time_goes_by_and_is_flushed_at_the_end(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    setup = await game.newest()
    path = f"{game.path}/events"
    async with listen(on, game.stranger, path) as public, listen(on, game.ada, path) as hers:
        first = await public.next()
        assert (first.event, first.id, first.json()["version"]) == ("snapshot", "4", 4)
        assert (await hers.next()).id == str(setup)
        on.clock.now += 10_000
        newest = await game.clues()
        await hers.events(newest)
        said = public.text
        on.clock.now += 109_999
        last = await game.interrupt("break")
        await hers.events(last)
        await silent(public, said)
        on.clock.now += 1
        assert [m.id for m in await public.events(setup)] == [str(n) for n in range(5, setup + 1)]
        said = public.text
        async with listen(on, game.eve, path, after=2) as late:
            await late.events(setup)
            on.clock.now += 10_000
            await late.events(newest)
        await public.events(newest)
        assert said != public.text
        assert '"reason":"break"' not in public.text
        last = await game.end()
        assert (await public.events(last))[-1].id == str(last)
        end = await public.next()
        assert (end.event, end.json()) == ("end", {"version": last, "durable_version": last})
        assert '"reason":"break"' in public.text
    pages = await game.stranger.get(path, NDJSON, after=4, limit=1000)
    lines = [line[6:] for line in public.text.splitlines() if line.startswith('data: {"at"')]
    assert lines == pages.text.splitlines()


@pytest.mark.usefixtures("restless")
@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
async def test_who_names_a_version_beyond_the_horizon_gets_nothing_until_it_is_passed(
    on: Stage, accept: str
) -> None:
    game = await delayed(on, SECONDS)
    newest = await game.clues()
    headers = {"accept": accept, "last-event-id": str(newest)}
    opening = "retry: 2000\n\n" if accept == "text/event-stream" else ""
    path = f"{game.path}/events"
    async with (
        listen(on, game.stranger, path, headers, follow="true") as ahead,
        listen(on, game.eve, path, {"accept": accept}, follow="true", after=newest - 1) as close,
        listen(on, game.eve, path, {"accept": accept}, follow="true", after=0) as behind,
    ):
        await behind.until('"v":4')
        assert '"v":5' not in behind.text
        on.clock.now += 120_000
        await close.until(f'"v":{newest}')
        assert close.text.count('"v":') == 1
        await silent(ahead, opening)
        last = await game.end()
        await ahead.until("end")
    assert (ahead.status, ahead.text.count('"v":')) == (200, last - newest)
    assert f'"v":{newest}' not in ahead.text


@pytest.mark.usefixtures("restless")
async def test_a_hosts_own_stream_knows_no_more_than_the_host(on: Stage) -> None:
    game = await delayed(on, SECONDS)
    await on.list_up()
    newest = await game.clues()
    async with (
        listen(on, game.hana, "/v1/stream") as hers,
        listen(on, game.ada, "/v1/stream") as own,
    ):
        [standing] = (await hers.next()).json()
        assert (standing["version"], standing["calls"]) == (await game.seen(), [])
        [standing] = (await own.next()).json()
        assert standing["version"] == newest
        on.clock.now += 1000
        last = await game.interrupt("break")
        await on.service.app_context.feed_subscriber.wait(game.id, last - 1, 20)
        assert hers.text.count("event: ") == 1
        last = await game.end()
        ended = await hers.next()
        assert (ended.event, ended.json()["version"]) == ("game-ended", last)


async def test_a_host_who_does_not_play_is_told_of_the_end_though_no_player_listens(
    on: Stage,
) -> None:
    game = await delayed(on, None)
    await on.list_up()
    async with listen(on, game.hana, "/v1/stream") as hers:
        await hers.next()
        newest = await game.clues()
        async with asyncio.timeout(20):
            while hers_knows(on, game) < newest:  # noqa: ASYNC110 (notices tell nobody of this)
                await asyncio.sleep(0.005)
        await game.end()
        assert (await hers.next()).event == "game-ended"


def hers_knows(on: Stage, game: Delayed) -> int:
    """The version of which Hana's stream was told in silence."""
    [listener] = on.service.app_context.notifications._listeners[game.hana.id]
    return listener.known[game.id].version
