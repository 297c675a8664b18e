"""Places for streams: so many for each caller, given back however a stream ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any
from urllib.parse import parse_qsl

import pytest
from msgspec import Struct
from prometheus_client import Gauge

from events.tasks import end_tasks
from service.http.addresses import Addresses
from service.http.connection_limits import RETRY_S, ConnectionLimits
from service.http.problems import Refused
from tests.service.listening import PATIENCE_S, Listener, listen
from tests.service.stage import Player, Stage, ok, problem, shown, stage

SSE = {"accept": "text/event-stream"}


class User(Struct):
    """As much of a principal as counts here."""

    player: str


def scope(player: str | None, address: str = "192.0.2.1") -> Any:
    """A request that has been let in."""
    user = None if player is None else User(player)
    return {"user": user, "client": (address, 1), "headers": []}


def connection_limits(each: int = 2, together: int = 3) -> tuple[ConnectionLimits, Gauge]:
    gauge = Gauge("open", "Open ones", registry=None)
    return ConnectionLimits(Addresses(), each, together, gauge), gauge


def test_players_and_addresses_have_limits_of_their_own() -> None:
    made, gauge = connection_limits()
    answer = ("too-many-streams", {"Retry-After": str(RETRY_S)})
    with ExitStack() as stack:
        for who, limit in ((scope("ada"), 2), (scope(None), 3), (scope(None, "192.0.2.2"), 3)):
            for _ in range(limit):
                stack.enter_context(made.take(who))
            with pytest.raises(Refused) as no, made.take(who):
                pass
            assert (no.value.code, no.value.headers) == answer
        assert (made.callers, shown(gauge)) == (3, 8)
    assert (made.callers, shown(gauge)) == (0, 0)


def test_an_address_is_no_player_of_that_name() -> None:
    made, _ = connection_limits(each=1, together=1)
    with made.take(scope("192.0.2.1")), made.take(scope(None)):
        assert made.callers == 2


@pytest.mark.parametrize("error", [None, RuntimeError, asyncio.CancelledError, GeneratorExit])
def test_a_place_is_given_back_however_it_ends(error: type[BaseException] | None) -> None:
    made, gauge = connection_limits(each=1)

    def use() -> None:
        with made.take(scope("ada")):
            if error is not None:
                raise error

    for _ in range(3):
        if error is None:
            use()
        else:
            with pytest.raises(error):
                use()
        assert (made.callers, shown(gauge)) == (0, 0)


def test_a_refusal_takes_no_place() -> None:
    made, gauge = connection_limits(each=1)
    with made.take(scope("ada")):
        for _ in range(3):
            with pytest.raises(Refused), made.take(scope("ada")):
                pass
        assert shown(gauge) == 1
    with made.take(scope("ada")):
        pass


# --- in the service ---


async def game_of_two(on: Stage) -> tuple[Player, Player, str]:
    ada, bob = await on.player("Ada"), await on.player("Bob")
    return ada, bob, await on.game(ada, bob)


async def is_full(who: Player, path: str) -> bool:
    """Whether another stream is refused, as documented."""
    answer = await asyncio.wait_for(who.get(path, SSE), PATIENCE_S)
    problem(answer, "too-many-streams")
    assert (answer.status_code, answer.headers["retry-after"]) == (429, str(RETRY_S))
    return True


async def test_a_player_has_so_many_streams_over_all_games_and_tokens(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=2, streams_per_address=1) as on:
        ada, bob, game = await game_of_two(on)
        spare = ok(await ada.post("/v1/tokens", {"scopes": ["play"]}), 201)["token"]
        again, path = Player(on.http, spare, ada.id), f"/v1/games/{game}/events"
        async with listen(on, ada, path) as first, listen(on, again, "/v1/stream") as second:
            await first.next()
            await second.next()
            for who in (ada, again):
                assert await is_full(who, path)
                assert await is_full(who, "/v1/stream")
            async with listen(on, bob, path) as his, listen(on, on.stranger, path) as theirs:
                await his.next()
                await theirs.next()
                assert await is_full(on.stranger, path)
                assert (await on.stranger.get(path)).status_code == 200
            text = (await on.stranger.get("/metrics")).text
            assert "parlour_streams 2.0" in text
            assert 'parlour_problems_total{code="too-many-streams"} 5.0' in text
            assert "parlour_stream_callers 1.0" in text
        assert on.service.app_context.connection_limits.callers == 0


async def test_who_hangs_up_may_come_back(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        for path in (f"/v1/games/{game}/events", "/v1/stream") * 2:
            async with listen(on, ada, path) as stream:
                await stream.next()
                assert await is_full(ada, path)
        assert on.service.app_context.connection_limits.callers == 0


async def test_a_stream_that_the_service_ends_gives_its_place_back(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        path = f"/v1/games/{game}/events"
        async with listen(on, ada, path) as stream:
            await stream.next()
            ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "other"}))
            await asyncio.wait_for(stream.left.wait(), PATIENCE_S)
            assert on.service.app_context.connection_limits.callers == 0
            async with listen(on, ada, path) as other:
                await asyncio.wait_for(other.left.wait(), PATIENCE_S)
            last = ok(await ada.get(f"/v1/games/{game}"))["version"]
            answer = await ada.get(path, SSE, after=last)
            assert (answer.status_code, on.service.app_context.connection_limits.callers) == (
                204,
                0,
            )
            assert "content-length" not in answer.headers  # RFC 9110 §8.6


async def test_a_refused_stream_of_notices_leaves_no_listener_behind(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, _ = await game_of_two(on)
        notifications = on.service.app_context.notifications
        async with listen(on, ada, "/v1/stream") as stream:
            await stream.next()
            before = notifications.listening
            assert await is_full(ada, "/v1/stream")
            assert notifications.listening == before == 1


async def test_a_stream_without_a_place_is_refused_before_anything_is_read(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        path = f"/v1/games/{game}/events"
        async with listen(on, ada, path) as stream:
            await stream.next()

            async def read(*_: Any) -> Any:
                raise AssertionError("read for nobody")

            monkeypatch.setattr(on.service.app_context.notifications, "join", read)
            monkeypatch.setattr(on.service.app_context.tables, "view", read)
            assert await is_full(ada, "/v1/stream")
            assert await is_full(ada, path)


async def test_a_stream_that_is_cut_off_gives_its_place_back(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        asgi = on.service.asgi
        began = asyncio.Event()
        opening = {
            "type": "http",
            "method": "GET",
            "path": f"/v1/games/{game}/events",
            "raw_path": f"/v1/games/{game}/events".encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [
                (name.encode(), value.encode()) for name, value in ada.headers(SSE).items()
            ],
            "client": ("192.0.2.1", 1),
            "state": {},
        }

        async def receive() -> Any:
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body":
                began.set()

        call = asyncio.create_task(asgi(opening, receive, send))
        await asyncio.wait_for(began.wait(), PATIENCE_S)
        assert on.service.app_context.connection_limits.callers == 1
        await end_tasks(call)
        assert on.service.app_context.connection_limits.callers == 0


# --- long polls ---


POLLS = ("events?after={version}&wait=30", "state?at={next}&wait=30", "state?at=turn:9&wait=30")
"""Reads of a game that wait for what has not come."""


@asynccontextmanager
async def polling(
    on: Stage, who: Player, path: str, headers: dict[str, str] | None = None
) -> AsyncIterator[Listener]:
    """A long poll that waits."""
    bare, _, query = path.partition("?")
    accept = {"accept": "application/json"} | (headers or {})
    before = waiting(on)
    async with listen(on, who, bare, accept, **dict(parse_qsl(query))) as poll:
        async with asyncio.timeout(PATIENCE_S):
            while waiting(on) == before:
                assert not poll.left.is_set(), (poll.status, poll.text)
                await asyncio.sleep(0.001)
        yield poll


def waiting(on: Stage) -> float:
    """How many long polls wait."""
    return shown(on.service.app_context.metrics.waiting)


async def polls_of(who: Player, game: str) -> list[tuple[str, dict[str, str]]]:
    """All long polls that there are, each with what it needs to wait."""
    there = f"/v1/games/{game}"
    state = await who.get(there)
    version = ok(state)["version"]
    found: list[tuple[str, dict[str, str]]] = [
        (f"{there}/{path.format(version=version, next=version + 1)}", {}) for path in POLLS
    ]
    found.append((f"{there}/state?wait=30", {"if-none-match": state.headers["etag"]}))
    if who.token is not None:
        etag = (await who.get(f"{there}/decisions")).headers["etag"]
        found.append((f"{there}/decisions?wait=30", {"if-none-match": etag}))
    return found


async def test_long_polls_count_as_streams_do(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=2, streams_per_address=1) as on:
        ada, bob, game = await game_of_two(on)
        path = f"/v1/games/{game}/events"
        for poll, headers in await polls_of(ada, game):
            async with listen(on, ada, path) as stream, polling(on, ada, poll, headers):
                await stream.next()
                assert await is_full(ada, "/v1/stream")
                for other, known in await polls_of(ada, game):
                    refused = await asyncio.wait_for(ada.get(other, known), PATIENCE_S)
                    problem(refused, "too-many-streams")
                    assert refused.headers["retry-after"] == str(RETRY_S)
                async with polling(on, bob, *(await polls_of(bob, game))[0]):
                    assert shown(on.service.app_context.metrics.streams) == 1
            assert on.service.app_context.connection_limits.callers == 0
        for poll, headers in await polls_of(on.stranger, game):
            async with polling(on, on.stranger, poll, headers):
                assert await is_full(on.stranger, path)
        assert (on.service.app_context.connection_limits.callers, waiting(on)) == (0, 0)


async def test_who_need_not_wait_needs_no_place(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        there = f"/v1/games/{game}"
        version = ok(await ada.get(there))["version"]
        async with listen(on, ada, f"{there}/events") as stream:
            await stream.next()
            ok(await ada.get(f"{there}/events", after=version - 1, wait=30))
            ok(await ada.get(f"{there}/state", at=version, wait=30))
            ok(await ada.get(f"{there}/state", wait=30))
            ok(await ada.get(f"{there}/decisions", wait=30))
            problem(await ada.get(f"{there}/state", at=version + 1), "version-not-found")
            ok(await on.operator.post(f"{there}/annul", {"reason": "other"}))
            last = ok(await ada.get(there))["version"]
            # Nothing comes after the end, so nobody waits for it.
            assert ok(await ada.get(f"{there}/events", after=last, wait=30))["events"] == []


async def test_a_long_poll_gives_its_place_back_however_it_ends(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        connection_limits = on.service.app_context.connection_limits
        for poll, headers in await polls_of(ada, game):
            async with polling(on, ada, poll, headers) as listener:  # the client hangs up
                assert connection_limits.callers == 1
                listener.gone.set()
                await asyncio.wait_for(listener.left.wait(), PATIENCE_S)
                assert connection_limits.callers == 0
        poll, headers = (await polls_of(ada, game))[0]
        async with polling(on, ada, poll, headers) as listener:  # it has come
            ok(await on.operator.post(f"/v1/games/{game}/pause", {}))
            await asyncio.wait_for(listener.left.wait(), PATIENCE_S)
            assert (listener.status, connection_limits.callers) == (200, 0)
        poll, headers = (await polls_of(ada, game))[0]
        async with polling(on, ada, poll, headers) as listener:  # the service ends
            on.service.app_context.closing.set()
            await asyncio.wait_for(listener.left.wait(), PATIENCE_S)
            assert (listener.status, connection_limits.callers) == (200, 0)


async def test_an_exempted_address_may_have_any_number_of_long_polls(store_url: str) -> None:
    async with stage(store_url, streams_per_address=1) as on:
        _, _, game = await game_of_two(on)
        ok(await on.operator.put("/v1/exemptions/127.0.0.1"))
        poll, headers = (await polls_of(on.stranger, game))[0]
        async with (
            polling(on, on.stranger, poll, headers),
            polling(on, on.stranger, poll, headers),
            polling(on, on.stranger, poll, headers),
        ):
            assert waiting(on) == 3
