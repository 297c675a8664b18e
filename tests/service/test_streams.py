"""Live streams of a game: what is in them, how they resume, how they end (architecture 8)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec import json

from events import seal
from service.access import streaming
from tests.service.listening import Listener, listen
from tests.service.stage import Player, Stage, ok, problem, stage


async def pair(on: Stage) -> tuple[Player, Player, str]:
    """A game of two, waiting for their clues."""
    ada, bob = await on.player("Ada"), await on.player("Bob")
    return ada, bob, await on.game(ada, bob)


async def version(who: Player, game: str) -> int:
    return int(ok(await who.get(f"/v1/games/{game}"))["version"])


async def clue(who: Player, game: str, seat: int, where: str = "r1c2") -> int:
    """Choose a clue; the version after it."""
    path = f"/v1/games/{game}/decisions/clue-s{seat}"
    return int(ok(await who.post(path, {"option": where}))["version"])


async def pages(who: Player, game: str, after: int = 0, **more: Any) -> list[bytes]:
    answer = await who.get(
        f"/v1/games/{game}/events", {"accept": "application/x-ndjson"}, after=after, **more
    )
    assert answer.status_code == 200
    return answer.content.splitlines()


def events(game: str) -> str:
    return f"/v1/games/{game}/events"


async def test_a_stream_begins_with_the_view_and_goes_on_with_what_happens(on: Stage) -> None:
    ada, bob, game = await pair(on)
    first = await version(ada, game)
    async with listen(on, on.stranger, events(game)) as stream:
        snapshot = await stream.next()
        assert "parlour_streams 1.0" in (await on.stranger.get("/metrics")).text
        assert stream.status == 200
        assert stream.headers["content-type"] == "text/event-stream"
        assert stream.headers["cache-control"] == "no-store"
        assert (snapshot.event, snapshot.id) == ("snapshot", str(first))
        assert snapshot.json() == ok(await on.stranger.get(f"/v1/games/{game}"))
        last = await clue(ada, game, 1)
        last = await clue(bob, game, 2)
        said = await stream.events(last)
    assert [message.id for message in said] == [str(v) for v in range(first + 1, last + 1)]
    stored = await pages(on.stranger, game, first)
    assert [message.data for message in said] == [[line.decode()] for line in stored]
    assert {message.event for message in said} == {"message"}


async def test_the_public_bytes_of_a_stream_are_those_that_are_hashed(on: Stage) -> None:
    ada, bob, game = await pair(on)
    await clue(ada, game, 1)
    last = await clue(bob, game, 2)
    loaded = await on.service.app_context.tables.load(game)
    for who in (on.stranger, ada):
        async with listen(on, who, events(game), after=0) as stream:
            said = await stream.events(last)
        public = (message.data[0].encode() for message in said)
        assert seal.chain(seal.genesis(game), 0, public) == loaded.head


async def test_a_seat_is_told_its_secrets_beside_the_public_bytes(on: Stage) -> None:
    ada, bob, game = await pair(on)
    first = await version(ada, game)
    async with (
        listen(on, ada, events(game)) as hers,
        listen(on, bob, events(game)) as his,
        listen(on, on.stranger, events(game)) as theirs,
    ):
        for stream in (hers, his, theirs):
            await stream.next()
        last = await clue(ada, game, 1, "r1c2")
        heard = [await stream.events(last) for stream in (hers, his, theirs)]
    mine, others, strangers = heard
    beside = [message.json(1) for message in mine if len(message.data) > 1]
    assert beside[0]["opened"]["event.cell"]["value"] == "r1c2"
    assert [message.data for message in others] == [message.data for message in strangers]
    assert all(len(message.data) == 1 for message in others)
    assert "r1c2" not in his.text.partition("event: snapshot")[2].partition("\n\n")[2]
    assert [line.decode() for line in await pages(ada, game, first)] == [
        _joined(message.data) for message in mine
    ]


def _joined(data: list[str]) -> str:
    """The lines of a message as a page of events has them."""
    return data[0] if len(data) == 1 else f"{data[0][:-1]},{data[1][1:]}"


@pytest.mark.parametrize("by", ["header", "query"])
async def test_a_stream_resumes_after_any_version(on: Stage, by: str) -> None:
    ada, bob, game = await pair(on)
    await clue(ada, game, 1)
    last = await clue(bob, game, 2)
    for after in range(last):
        headers = {"last-event-id": str(after)} if by == "header" else {}
        queries = {} if by == "header" else {"after": after}
        async with listen(on, ada, events(game), headers, **queries) as stream:
            said = await stream.events(last)
        assert [message.id for message in said] == [str(v) for v in range(after + 1, last + 1)]


async def test_the_header_wins_over_the_query_which_a_browser_repeats(on: Stage) -> None:
    ada, bob, game = await pair(on)
    last = await clue(ada, game, 1)
    headers = {"last-event-id": str(last)}
    async with listen(on, bob, events(game), headers, after=1) as stream:
        last = await clue(bob, game, 2)
        assert (await stream.next()).id == headers["last-event-id"].replace(
            headers["last-event-id"], str(int(headers["last-event-id"]) + 1)
        )


async def test_ndjson_follows_where_it_is_told_to(on: Stage) -> None:
    ada, _, game = await pair(on)
    first = await version(ada, game)
    ndjson = {"accept": "application/x-ndjson"}
    async with listen(on, ada, events(game), ndjson, follow="true") as stream:
        await stream.until("\n")
        assert json.decode(stream.text)["snapshot"]["version"] == first
        last = await clue(ada, game, 1)
        await stream.until(f'"v":{last}')
        lines = stream.text.splitlines()[1:]
    assert [line.encode() for line in lines] == await pages(ada, game, first)
    assert stream.headers["content-type"] == "application/x-ndjson"


async def test_a_slow_client_is_told_and_can_resume(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob, game = await pair(on)
    first = await version(ada, game)
    monkeypatch.setattr(on.service.app_context.broadcaster, "_limit", 300)
    async with listen(on, on.stranger, events(game)) as slow:
        await slow.next()
        slow.taking.clear()
        await clue(ada, game, 1)
        last = await clue(bob, game, 2)
        monkeypatch.undo()
        async with listen(on, on.stranger, events(game), after=first) as quick:
            await quick.events(last)
        slow.taking.set()
        async with asyncio.timeout(20):
            await slow.ended.wait()
    said = [m async for m in _all(slow)]
    assert said[-1].event == "reset"
    reached = said[-1].json()["version"]
    assert [m.id for m in said[:-1]] == [str(v) for v in range(first + 1, reached + 1)]
    async with listen(on, on.stranger, events(game), {"last-event-id": str(reached)}) as again:
        assert [m.id for m in await again.events(last)] == [
            str(v) for v in range(reached + 1, last + 1)
        ]


async def _all(stream: Listener) -> Any:
    """The messages that a stream has said and nobody has read."""
    while "\n\n" in stream.unread:
        yield await stream.next()


async def test_a_stream_ends_with_its_game_and_a_browser_comes_no_more(on: Stage) -> None:
    ada, bob, game = await pair(on)
    async with listen(on, bob, events(game)) as stream:
        await stream.next()
        ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
        last = await version(ada, game)
        await stream.events(last)
        end = await stream.next()
        assert (end.event, end.json()) == ("end", {"version": last, "durable_version": last})
        async with asyncio.timeout(20):
            await stream.ended.wait()
    async with listen(on, bob, events(game), {"last-event-id": str(last)}) as late:
        async with asyncio.timeout(20):
            await late.ended.wait()
        assert (late.status, late.text) == (204, "")
    async with listen(on, bob, events(game), {"last-event-id": str(last - 1)}) as late:
        assert [(await late.next()).id, (await late.next()).event] == [str(last), "end"]


async def test_heartbeats_fire_nothing_and_ask_whether_the_token_still_holds(on: Stage) -> None:
    ada, bob, game = await pair(on)
    broadcaster = on.service.app_context.broadcaster
    broadcaster.beat_s = 0.01
    async with (
        listen(on, ada, events(game)) as hers,
        listen(on, bob, events(game)) as his,
    ):
        await his.until(": still here\n\n")
        name = ok(await bob.get("/v1/tokens"))["tokens"][0]["id"]
        assert (await bob.delete(f"/v1/tokens/{name}")).status_code == 204
        async with asyncio.timeout(20):
            await his.ended.wait()
        last = await clue(ada, game, 1)
        await hers.next()
        assert (await hers.next()).event == "message"
    assert f'"v":{last}' not in his.text


async def test_a_seat_that_changes_hands_takes_nobodys_stream_along(on: Stage) -> None:
    ada, bob, cleo = [await on.player(name) for name in ("Ada", "Bob", "Cleo")]
    game = await on.table(ada)
    await on.sit(game, ada)
    async with listen(on, ada, events(game)) as stream:
        await stream.next()
        ok(await ada.delete(f"/v1/games/{game}/seats/1"))
        await on.sit(game, bob, cleo)
        async with asyncio.timeout(20):
            await stream.ended.wait()
        assert [m.event async for m in _all(stream)][-1] == "reset"
    last = await clue(bob, game, 1)
    async with listen(on, ada, events(game), after=0) as public:
        said = await public.events(last)
    assert all(len(message.data) == 1 for message in said)


async def test_bytes_are_made_once_for_all_who_look_through_the_same_eyes(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _, game = await pair(on)
    first = await version(ada, game)
    made: list[int] = []
    plain = streaming.SSE_FORM.event

    def counted(number: int, public: bytes, opened: bytes | None) -> bytes:
        made.append(number)
        return plain(number, public, opened)

    monkeypatch.setattr("service.api.games.SSE_FORM", _replace(streaming.SSE_FORM, event=counted))
    async with (
        listen(on, on.stranger, events(game)) as one,
        listen(on, on.stranger, events(game)) as two,
        listen(on, on.stranger, events(game)) as three,
    ):
        for stream in (one, two, three):
            await stream.next()
        last = await clue(ada, game, 1)
        for stream in (one, two, three):
            await stream.events(last)
    assert made == list(range(first + 1, last + 1))
    assert on.service.app_context.broadcaster.count == 0


def _replace(form: streaming.Form, **more: Any) -> streaming.Form:
    from msgspec.structs import replace  # noqa: PLC0415 (named like what it wraps)

    return replace(form, **more)


@pytest.mark.parametrize("accept", [b"text/event-stream", b"application/json"])
@pytest.mark.parametrize("sent", ["x", "{}", "-1", "1.5", "9" * 11, "٣"])
async def test_a_last_event_id_that_is_no_version_is_refused(
    on: Stage, sent: str, accept: bytes
) -> None:
    _, _, game = await pair(on)
    async with listen(on, on.stranger, events(game)) as good:
        await good.next()
    answer = await on.http.get(
        events(game),
        headers=[(b"accept", accept), (b"last-event-id", sent.encode())],
    )
    assert answer.status_code == 400
    assert problem(answer, "invalid-parameter")["errors"][0]["at"] == "Last-Event-ID"


@pytest.mark.parametrize("after", ["null", "None", "x", "-1", ""])
async def test_an_after_that_is_no_version_is_refused(on: Stage, after: str) -> None:
    _, _, game = await pair(on)
    answer = await on.stranger.get(events(game), after=after)
    assert problem(answer, "invalid-parameter")["errors"][0]["at"] == "after"


async def test_a_stream_of_what_one_may_not_see_is_refused_as_ever(on: Stage) -> None:
    ada, _, game = await pair(on)
    cleo = await on.player("Cleo")
    sse = {"accept": "text/event-stream"}
    problem(await cleo.get(events(game), sse, as_="seat:1"), "view-not-yours")
    hidden = await on.table(ada, visibility="private")
    problem(await cleo.get(events(hidden), sse), "game-not-found")
    problem(await cleo.get(events(game), {"accept": "image/png"}), "not-acceptable")


async def test_a_stream_ends_by_itself_after_its_time_and_is_taken_up_again(
    store_url: str,
) -> None:
    async with stage(store_url, stream_limit_s=1) as on:
        ada, _, game = await pair(on)
        async with listen(on, on.stranger, events(game)) as stream:
            first = await stream.next()
            async with asyncio.timeout(20):
                await stream.ended.wait()
        last = await clue(ada, game, 1)
        async with listen(on, on.stranger, events(game), {"last-event-id": first.id}) as again:
            await again.events(last)
        assert on.service.app_context.broadcaster.count == 0


async def test_a_client_that_takes_nothing_is_hung_up_on(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "SEND_TIMEOUT_S", 0.05)
    ada, _, game = await pair(on)
    async with listen(on, on.stranger, events(game)) as stream:
        await stream.next()
        stream.taking.clear()
        await clue(ada, game, 1)
        async with asyncio.timeout(20):
            await stream.left.wait()
        assert not stream.ended.is_set(), "what was not taken is not called whole"
    assert on.service.app_context.broadcaster.count == 0
