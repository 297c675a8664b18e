"""Places for streams: so many for each caller, given back however a stream ends."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest
from msgspec import Struct
from prometheus_client import Gauge

from events.tasks import end_tasks
from service.addresses import Addresses
from service.places import RETRY_S, Places
from service.problems import Refused
from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Player, Stage, ok, problem, stage

SSE = {"accept": "text/event-stream"}


class User(Struct):
    """As much of a principal as counts here."""

    player: str


def scope(player: str | None, address: str = "192.0.2.1") -> Any:
    """A request that has been let in."""
    user = None if player is None else User(player)
    return {"user": user, "client": (address, 1), "headers": []}


def places(each: int = 2, together: int = 3) -> tuple[Places, Gauge]:
    gauge = Gauge("open", "Open ones", registry=None)
    return Places(Addresses(), each, together, gauge), gauge


def opened(gauge: Gauge) -> float:
    """What a gauge shows."""
    return float(gauge._value.get())


def test_players_and_addresses_have_limits_of_their_own() -> None:
    made, gauge = places()
    answer = ("too-many-streams", {"Retry-After": str(RETRY_S)})
    with ExitStack() as stack:
        for who, limit in ((scope("ada"), 2), (scope(None), 3), (scope(None, "192.0.2.2"), 3)):
            for _ in range(limit):
                stack.enter_context(made.take(who))
            with pytest.raises(Refused) as no, made.take(who):
                pass
            assert (no.value.code, no.value.headers) == answer
        assert (made.callers, opened(gauge)) == (3, 8)
    assert (made.callers, opened(gauge)) == (0, 0)


def test_an_address_is_no_player_of_that_name() -> None:
    made, _ = places(each=1, together=1)
    with made.take(scope("192.0.2.1")), made.take(scope(None)):
        assert made.callers == 2


@pytest.mark.parametrize("error", [None, RuntimeError, asyncio.CancelledError, GeneratorExit])
def test_a_place_is_given_back_however_it_ends(error: type[BaseException] | None) -> None:
    made, gauge = places(each=1)

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
        assert (made.callers, opened(gauge)) == (0, 0)


def test_a_refusal_takes_no_place() -> None:
    made, gauge = places(each=1)
    with made.take(scope("ada")):
        for _ in range(3):
            with pytest.raises(Refused), made.take(scope("ada")):
                pass
        assert opened(gauge) == 1
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
            assert "room25_streams 2.0" in text
            assert 'room25_problems_total{code="too-many-streams"} 5.0' in text
            assert "room25_stream_callers 1.0" in text
        assert on.service.house.places.callers == 0


async def test_who_hangs_up_may_come_back(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        for path in (f"/v1/games/{game}/events", "/v1/stream") * 2:
            async with listen(on, ada, path) as stream:
                await stream.next()
                assert await is_full(ada, path)
        assert on.service.house.places.callers == 0


async def test_a_stream_that_the_service_ends_gives_its_place_back(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, game = await game_of_two(on)
        path = f"/v1/games/{game}/events"
        async with listen(on, ada, path) as stream:
            await stream.next()
            ok(await on.operator.post(f"/v1/games/{game}/annul", {"reason": "fire"}))
            await asyncio.wait_for(stream.left.wait(), PATIENCE_S)
            assert on.service.house.places.callers == 0
            async with listen(on, ada, path) as other:
                await asyncio.wait_for(other.left.wait(), PATIENCE_S)
            last = ok(await ada.get(f"/v1/games/{game}"))["version"]
            answer = await ada.get(path, SSE, after=last)
            assert (answer.status_code, on.service.house.places.callers) == (204, 0)
            assert "content-length" not in answer.headers  # RFC 9110 §8.6


async def test_a_refused_stream_of_notices_leaves_no_listener_behind(store_url: str) -> None:
    async with stage(store_url, streams_per_caller=1) as on:
        ada, _, _ = await game_of_two(on)
        notices = on.service.house.notices
        async with listen(on, ada, "/v1/stream") as stream:
            await stream.next()
            before = len(notices._everybody())
            assert await is_full(ada, "/v1/stream")
            assert len(notices._everybody()) == before == 1


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

            monkeypatch.setattr(on.service.house.notices, "join", read)
            monkeypatch.setattr(on.service.house.desk, "view", read)
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
        assert on.service.house.places.callers == 1
        await end_tasks(call)
        assert on.service.house.places.callers == 0
