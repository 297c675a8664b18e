"""Who is slow on purpose is hung up on, and who only waits is not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.embedded.store import Store
from tests.homes import passing_home
from tests.service.live import Live, live
from tests.service.raw import Caller, figure, request, until_figure
from tests.service.test_live import command, game_of_two

pytestmark = [pytest.mark.slow, pytest.mark.system]

SOON_MS = 1000
"""Long enough for who behaves, also on a machine that has much to do."""
BOUNDS = tuple(f"{which}_timeout_ms" for which in ("header", "body", "idle", "write"))
BEGUN = b"GET /health/live HTTP/1.1\r\nhost: local"
REST = b"host\r\n\r\n"
BODY = b'{"name":"Ada"}'
POST = (
    b"POST /v1/players HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"idempotency-key: a-key-for-registering-1\r\ncontent-length: %d\r\n\r\n" % len(BODY)
)
WHY = 'parlour_connections_ended_total{{why="{}"}}'
BIG = "/v1/openapi.json"


@pytest.fixture(scope="module")
def patient() -> Iterator[Live]:
    """A service that waits for ever, for whatever it may be; on a store of its own."""
    with (
        passing_home() as home,
        Store(home / "store", "appendfsync no") as store,
        live(store.url, **dict.fromkeys(BOUNDS, 0)) as running,
    ):
        yield running


def drip(caller: Caller, data: bytes) -> int:
    """Send a byte at a time for as long as nobody answers; how many were sent."""
    for count in range(len(data)):
        if caller.says_something(0.02):
            return count
        caller.send(data[count : count + 1])
    raise AssertionError("it was taken to its end")


def test_a_header_section_comes_in_time_or_not_at_all(store_url: str, patient: Live) -> None:
    with (
        live(store_url, header_timeout_ms=SOON_MS) as running,
        Caller(patient.port) as waiting,
    ):
        waiting.send(BEGUN)
        with Caller(running.port) as caller:
            caller.send(BEGUN)
            caller.answer().problem("request-too-slow")
            assert caller.rest() == b""
        with Caller(running.port) as caller:  # what comes meanwhile buys no more time
            drip(caller, b"GET /" + b"a" * 1000)
            assert caller.answer().problem("request-too-slow")["status"] == 408
        with Caller(running.port) as caller:  # nor do the requests before
            assert caller.ask("/health/live").status == 200
            caller.send(request("/health/live") + BEGUN)
            assert caller.answer().status == 200
            caller.answer().problem("request-too-slow")
        with Caller(running.port) as caller:  # who has said nothing is told nothing
            assert caller.rest() == b""
        waiting.send(REST)
        assert waiting.answer().status == 200


def test_a_connection_without_requests_is_closed(store_url: str, patient: Live) -> None:
    with (
        live(store_url, idle_timeout_ms=SOON_MS) as running,
        Caller(patient.port) as waiting,
    ):
        assert waiting.ask("/health/live").status == 200
        with Caller(running.port) as caller:
            assert caller.ask("/health/live").status == 200
            assert caller.rest() == b""
        assert waiting.ask("/health/live").status == 200


def test_a_body_comes_in_time_or_not_at_all(store_url: str, patient: Live) -> None:
    half = len(BODY) // 2
    chunked = POST.replace(b"content-length: %d" % len(BODY), b"transfer-encoding: chunked")
    with (
        live(store_url, body_timeout_ms=SOON_MS) as running,
        Caller(patient.port) as waiting,
    ):
        waiting.send(POST + BODY[:half])
        for begun in (POST, POST + BODY[:half], chunked + b"5\r\nabc", chunked + b"0\r\nx: "):
            with Caller(running.port) as caller:
                caller.send(begun)
                assert caller.answer().problem("request-too-slow")["status"] == 408
                assert caller.rest() == b""
        with Caller(running.port) as caller:
            caller.send(POST.replace(b"%d" % len(BODY), b"1000"))
            drip(caller, b" " * 1000)
            caller.answer().problem("request-too-slow")
        # The app reads no body here, and its answer does not wait for one.
        with Caller(running.port) as caller:
            caller.send(
                b"GET /health/live HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n"
            )
            assert (caller.answer().status, caller.rest()) == (200, b"")
        waiting.send(BODY[half:])
        assert waiting.answer().status == 201


def ask_without_reading(running: Live, times: int) -> Caller:
    """Ask for a large document again and again, and take nothing of it."""
    caller = Caller(running.port, window=4096)
    caller.send(request(BIG) * times)
    return caller


def test_who_takes_nothing_of_its_answer_is_hung_up_on(store_url: str, patient: Live) -> None:
    times = 48
    with (
        live(store_url, write_timeout_ms=SOON_MS, idle_timeout_ms=SOON_MS) as running,
        Caller(patient.port) as good,
    ):
        size = len(good.ask(BIG).body)
        with (
            ask_without_reading(running, times) as caller,
            ask_without_reading(patient, times) as waiting,
        ):
            until_figure(running.url, WHY.format("answer-not-taken"), 1)
            assert len(caller.rest()) < times * size
            for _ in range(times):
                assert len(waiting.answer().body) == size
        assert figure(running.url, WHY.format("answer-not-taken")) == 1


def test_a_stream_outlasts_every_bound(store_url: str) -> None:
    with live(store_url, **dict.fromkeys(BOUNDS, SOON_MS)) as running:
        game, tokens = game_of_two(running.url)
        with Caller(running.port) as stream:
            stream.send(
                request(f"/v1/games/{game}/events", headers={"accept": "text/event-stream"})
            )
            stream.until(b"event: snapshot")
            for _ in range(3):
                with Caller(running.port) as slow:
                    slow.send(BEGUN)
                    slow.answer().problem("request-too-slow")
            path = f"/v1/games/{game}/decisions/clue-s1"
            told = command(running.url, path, {"option": "r2c3"}, tokens[0])
            stream.until(b"id: %d\n" % told["version"])
