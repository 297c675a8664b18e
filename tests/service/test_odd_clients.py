"""Odd clients and bad ones: each gets what is its due, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

import pytest
from uvicorn.server import ServerState

from service.app import create_service
from service.http.connection import LEAST_TAKEN, Connection
from service.http.gate import Gate
from service.server import config_for
from tests.service.live import Live, live
from tests.service.raw import Caller, crowd, figure, request
from tests.service.stage import settings_for
from tests.service.test_live import command, game_of_two
from tests.service.test_smuggling import HEAD, HEADS, HIDDEN, KEYED, UPGRADE
from tests.service.test_timeouts import BODY

pytestmark = [pytest.mark.slow, pytest.mark.system]


def alone(running: Live) -> None:
    """See that the service serves, and that in the end nobody but who asks is connected."""
    for _ in range(20_000):
        if figure(running.url, "parlour_connections") == 1:
            return
    raise AssertionError("connections were left behind")


def test_pipelined_requests_are_answered_in_order_however_many(store_url: str) -> None:
    with live(store_url) as running, Caller(running.port) as caller:
        ids = [f"request-{number:05}" for number in range(2000)]
        caller.send(b"".join(request("/health/live", headers={"x-request-id": x}) for x in ids))
        assert [caller.answer().headers["x-request-id"] for _ in ids] == ids
        caller.socket.close()
        alone(running)


def test_a_request_may_come_byte_by_byte(usual: Live) -> None:
    chunked = b"transfer-encoding: chunked\r\n\r\n7;a=b\r\n%b\r\n7\r\n%b\r\n0\r\nx: y\r\n\r\n"
    with Caller(usual.port) as caller:
        caller.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for whole in (
            request("/health/live"),
            b"\r\n" + request("/health/live"),
            KEYED % 1 + b"content-length: %d\r\n\r\n" % len(BODY) + BODY,
            KEYED % 2 + UPGRADE + chunked % (BODY[:7], BODY[7:]),
        ):
            for at in range(len(whole)):
                caller.send(whole[at : at + 1])
            assert caller.answer().status in {200, 201}


def test_who_leaves_in_the_middle_leaves_nothing_behind(store_url: str) -> None:
    begun = (
        b"",
        b"G",
        HEAD,
        KEYED % 1 + b"content-length: 50\r\n\r\nabc",
        KEYED % 2 + b"transfer-encoding: chunked\r\n\r\n5;",
        HIDDEN * 50,
        HEADS["two lengths"],
        request("/v1/openapi.json") * 20,
    )
    with live(store_url) as running:
        for data in begun * 4:
            with Caller(running.port) as caller:  # it says that it is done
                caller.push(data or b"\r\n", len(data) or 2)
                caller.socket.shutdown(socket.SHUT_WR)
            with Caller(running.port) as caller:  # it vanishes with a reset
                caller.push(data or b"\r\n", len(data) or 2)
                gone = struct.pack("ii", 1, 0)
                caller.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, gone)
        alone(running)


def test_http_1_0_is_answered_once(usual: Live) -> None:
    old = b"GET /health/live HTTP/1.0\r\n%b\r\n"
    for more in (b"", b"connection: keep-alive\r\n", b"host: localhost\r\n"):
        with Caller(usual.port) as caller:
            caller.send(old % more + HIDDEN)
            assert caller.answer().headers["connection"] == "close"
            assert caller.rest() == b""


def test_a_target_may_name_the_host(usual: Live) -> None:
    with Caller(usual.port) as caller:
        for target in (
            "http://localhost/health/live",
            "HTTP://LOCALHOST/health/live",
            "/health/live",
        ):
            assert caller.ask(target).status == 200, target
        assert caller.ask("http://localhost").status == 200  # the page


def test_who_asks_before_it_sends_a_body_is_told_to_go_on(store_url: str) -> None:
    expecting = b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n"
    with live(store_url, body_limit=1024, body_timeout_ms=1000) as running:
        with Caller(running.port) as caller:
            caller.send(KEYED % 1 + expecting % len(BODY))
            assert caller.answer().status == 100
            caller.send(BODY)
            assert caller.answer().status == 201
        with Caller(running.port) as caller:  # the body is too large: nobody wants it
            caller.send(KEYED % 2 + expecting % 2000)
            assert caller.answer().problem("body-too-large")
            assert caller.rest() == b""
        with Caller(running.port) as caller:
            caller.send(KEYED % 3 + expecting % len(BODY))
            assert caller.answer().status == 100
            caller.answer().problem("request-too-slow")


def test_a_connection_goes_on_after_a_refusal_but_not_within_a_body(store_url: str) -> None:
    with live(store_url) as running:
        with Caller(running.port) as caller:
            for path in ("/nothing", "/v1/games/none", "/v1/tokens", "/v1/games?x=1"):
                assert caller.ask(path).status in {400, 401, 404}
            assert caller.ask("/health/live").status == 200
        with Caller(running.port) as caller:  # it is answered before its body has come
            caller.send(b"POST /nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500\r\n\r\n")
            answer = caller.answer()
            assert (answer.status, answer.headers["connection"]) == (404, "close")
            caller.push(HIDDEN * 3, 3 * len(HIDDEN))
            assert caller.rest() == b""
        with Caller(running.port) as caller:  # the answer comes whole, however much is sent
            caller.send(KEYED % 1 + b"content-length: 70000\r\n\r\n" + b" " * 70_000)
            assert caller.answer().problem("body-too-large")
        alone(running)


def test_what_is_sent_behind_a_wish_for_a_stream_waits(usual: Live) -> None:
    game, tokens = game_of_two(usual.url)
    wish = request(f"/v1/games/{game}/events", headers={"accept": "text/event-stream"})
    with Caller(usual.port) as stream:
        stream.send(wish + HEADS["two lengths"] + HIDDEN * 100)
        stream.until(b"event: snapshot")
        path = f"/v1/games/{game}/decisions/clue-s1"
        told = command(usual.url, path, {"option": "r2c3"}, tokens[0])
        assert b"HTTP/1.1 4" not in stream.until(b"id: %d\n" % told["version"])


def test_the_service_ends_in_time_with_odd_clients_connected(store_url: str) -> None:
    with live(store_url) as running, crowd(running.port, 30) as callers:
        begun = (b"", HEAD, KEYED % 1 + b"content-length: 9\r\n\r\n", HEADS["two lengths"])
        for number, caller in enumerate(callers):
            caller.send(begun[number % len(begun)])
        assert running.stop() in {0, -15}
        for caller in callers:
            caller.rest()


class Wire:
    """A transport in our hand: ``left`` is what its client has not taken yet."""

    def __init__(self) -> None:
        self.left = 0
        self.aborted = False

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None

    def get_write_buffer_size(self) -> int:
        """What is left."""
        return self.left

    def abort(self) -> None:
        """The connection is cut."""
        self.aborted = True


def connection(store_url: str, **more: Any) -> tuple[Connection, Wire, Gate]:
    """A connection over a wire in our hand."""
    service = create_service(settings_for(store_url, **more))
    config = config_for(service, "127.0.0.1", 0)
    config.load()
    made = Connection(config, ServerState(), {}, service.gate, ("198.51.100.1", 1))
    wire = Wire()
    made.connection_made(wire)  # type: ignore[arg-type]
    service.gate.enter(made)
    return made, wire, service.gate


@pytest.mark.parametrize(
    ("takes", "patience_ms", "cut"),
    [
        (LEAST_TAKEN, 30_000, False),
        (LEAST_TAKEN - 1, 30_000, True),
        (0, 30_000, True),
        (0, 0, False),
    ],
)
async def test_who_takes_little_of_its_answer_is_cut_off_and_who_takes_enough_is_not(
    store_url: str, takes: int, patience_ms: int, *, cut: bool
) -> None:
    made, wire, gate = connection(store_url, write_timeout_ms=patience_ms, header_timeout_ms=0)
    wire.left = 10 * LEAST_TAKEN
    made.pause_writing()
    now = asyncio.get_running_loop().time()
    for step in range(1, 6):
        wire.left -= takes
        gate.look(now + 29 + 30.5 * (step - 1))
        assert not wire.aborted or step > 1
        gate.look(now + 30.5 * step)
    assert wire.aborted is cut


async def test_who_has_taken_everything_is_left_alone(store_url: str) -> None:
    made, wire, gate = connection(store_url, header_timeout_ms=0)
    wire.left = 100
    made.pause_writing()
    now = asyncio.get_running_loop().time()
    wire.left = 0
    made.resume_writing()
    gate.look(now + 1000)
    assert not wire.aborted
