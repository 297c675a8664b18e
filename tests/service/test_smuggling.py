"""What could be read in two ways ends the connection: nobody hides a request behind another."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from tests.service.live import LONG, Live
from tests.service.raw import Caller, request
from tests.service.test_timeouts import BODY

pytestmark = pytest.mark.slow

HEAD = b"POST /v1/players HTTP/1.1\r\nhost: localhost\r\n"
KEYED = HEAD + b"content-type: application/json\r\nidempotency-key: a-key-for-registering-%d\r\n"
HIDDEN = request("/health/live?hidden")

HEADS = {
    "a length and chunks": HEAD
    + b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": HEAD
    + b"transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n",
    "two lengths": HEAD + b"content-length: 0\r\ncontent-length: 50\r\n\r\n",
    "a length twice": HEAD + b"content-length: 0\r\ncontent-length: 0\r\n\r\n",
    "a list of lengths": HEAD + b"content-length: 0, 0\r\n\r\n",
    "a length with a sign": HEAD + b"content-length: +0\r\n\r\n",
    "a negative length": HEAD + b"content-length: -1\r\n\r\n",
    "a length in hexadecimal": HEAD + b"content-length: 0x0\r\n\r\n",
    "a length of nothing": HEAD + b"content-length:\r\n\r\n",
    "a length beyond all numbers": HEAD + b"content-length: " + b"9" * 40 + b"\r\n\r\n",
    "another encoding": HEAD + b"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two encodings": HEAD + b"transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "an encoding twice": HEAD + b"transfer-encoding: chunked\r\n" * 2 + b"\r\n0\r\n\r\n",
    "chunks are not the last": HEAD + b"transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "an encoding behind a tab": HEAD + b"transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP/1.0": b"POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "a folded line": HEAD + b"x: a\r\n b: c\r\n\r\n",
    "a folded length": HEAD + b"content-length:\r\n 0\r\n\r\n",
    "a bare LF": HEAD + b"x: a\ncontent-length: 0\r\n\r\n",
    "bare LFs alone": b"GET / HTTP/1.1\nhost: localhost\n\n",
    "a bare CR": HEAD + b"x: a\rcontent-length: 0\r\n\r\n",
    "a NUL in a value": HEAD + b"x: a\0b\r\n\r\n",
    "a NUL in the target": b"GET /\0 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a space before the colon": HEAD + b"content-length : 0\r\n\r\n",
    "a name with a space": HEAD + b"x content-length: 0\r\n\r\n",
    "a line without a colon": HEAD + b"content-length\r\n\r\n",
    "a field without a name": HEAD + b": 0\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: other\r\n\r\n",
    "another host in the target": b"GET http://other/ HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a target that is no path": b"GET health HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a target with a fragment": b"GET /health/live#x HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a target with a space": b"GET / x HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "two spaces": b"GET  / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a tab": b"GET\t/ HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a method in small letters": b"get / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "no method that there is": b"BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a wish for a tunnel": b"CONNECT test:80 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "an odd wish for another protocol": HEAD
    + b"Connection: uPGRADE\r\nuPgRaDe: h2c\r\ncontent-length: 0\r\n\r\n",
    "another protocol": b"GET / RTSP/1.0\r\nhost: localhost\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/1.2": b"GET / HTTP/1.2\r\nhost: localhost\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a handshake of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "empty lines": b"\r\n\r\n",
}

CHUNKS = {
    "a sign": b"+0\r\n\r\n",
    "a negative size": b"-1\r\n\r\n",
    "a prefix": b"0x0\r\n\r\n",
    "an underscore": b"0_0\r\n\r\n",
    "a space behind": b"0 \r\n\r\n",
    "a space before": b" 0\r\n\r\n",
    "no size": b"\r\n0\r\n\r\n",
    "no number": b"zero\r\n\r\n",
    "more than there is": b"1" * 17 + b"\r\n",
    "zeros without end": b"0" * 40 + b"\r\n\r\n",
    "a bare LF": b"0\n\r\n",
    "bare LFs": b"0\n\n",
    "a bare CR": b"0\r\r\n\r\n",
    "a NUL": b"0\0\r\n\r\n",
    "an extension behind a space": b"0 ;x\r\n\r\n",
    "an extension with a bare LF": b"0;x\n\r\n\r\n",
    "an extension with a bare CR": b"0;x\ry\r\n\r\n",
    "a quoted end of line": b'0;x="\r\n"\r\n\r\n',
    "more than was announced": b"1\r\nab\r\n0\r\n\r\n",
    "less than was announced": b"2\r\na\r\n0\r\n\r\n",
    "no line behind the chunk": b"1\r\na0\r\n\r\n",
    "a bare LF behind the chunk": b"1\r\na\n0\r\n\r\n",
    "a trailer that is a length": b"0\r\ncontent-length: 50\r\n\r\n",
    "a folded trailer": b"0\r\nx: a\r\n b\r\n\r\n",
    "a trailer with a bare LF": b"0\r\nx: a\ny: b\r\n\r\n",
    "a trailer without a colon": b"0\r\nx\r\n\r\n",
}


FORGIVEN = (
    "two encodings",
    "chunks in HTTP/1.0",
    "no host",
    "two hosts",
    "another host in the target",
    "two spaces",
    "another protocol",
)
"""Heads with which the server library alone goes on."""

UPGRADE = b"connection: upgrade\r\nupgrade: h2c\r\n"


def answers(caller: Caller, data: bytes) -> list[int]:
    """The status of each answer to some bytes, in order, until the service hangs up."""
    caller.push(data, len(data))
    return [int(each[:3]) for each in caller.rest().split(b"HTTP/1.1 ")[1:]]


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An app that reads what comes and says yes."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body", "body": b""})


@contextmanager
def library_alone() -> Iterator[int]:
    """The server library with its own protocol, which is the guard left out; the port."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        echo, http="httptools", loop="uvloop", lifespan="off", log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(LONG)
        listening.close()


def test_what_is_ambiguous_is_refused_and_nothing_behind_it_is_read(usual: Live) -> None:
    for why, head in HEADS.items():
        with Caller(usual.port) as caller:
            assert answers(caller, head + HIDDEN) == [400], why
        with Caller(usual.port) as caller:  # behind what is good it is found all the same
            assert answers(caller, HIDDEN + head + HIDDEN) == [200, 400], why
    with Caller(usual.port) as caller:
        caller.send(HEADS["two lengths"])
        caller.answer().problem("bad-request")
    with library_alone() as port:
        for why in FORGIVEN:
            with Caller(port) as caller:
                caller.send(HEADS[why])
                assert caller.answer().status == 200, why
        with Caller(port) as caller:  # its refusal overtakes the answer to what was asked before
            assert answers(caller, HIDDEN + HEADS["two lengths"]) == [400]


def test_a_body_is_no_request_whatever_protocol_is_wished_for(usual: Live) -> None:
    head = UPGRADE + b"content-length: %d\r\n\r\n"
    with Caller(usual.port) as caller:
        caller.send(KEYED % 1 + head % len(BODY))
        caller.send(BODY + HIDDEN)
        assert [caller.answer().status for _ in range(2)] == [201, 200]
    with Caller(usual.port) as caller:
        caller.send(KEYED % 2 + head % len(HIDDEN))
        caller.send(HIDDEN)
        assert caller.answer().problem_code() == "malformed-body"
        assert caller.ask("/metrics").status == 200
    with Caller(usual.port) as caller:
        assert caller.ask("/health/live", connection="upgrade", upgrade="h2c").status == 200
        assert caller.ask("/health/live").status == 200
    with library_alone() as port, Caller(port) as caller:
        caller.send(HEAD + head % len(HIDDEN))
        assert caller.answer().status == 200
        caller.send(HIDDEN)
        assert caller.answer().status == 200


def test_chunks_that_are_ambiguous_end_the_connection(usual: Live) -> None:
    encoded = b"transfer-encoding: chunked\r\n\r\n"
    for number, (why, chunk) in enumerate(CHUNKS.items()):
        with Caller(usual.port) as caller:
            assert answers(caller, KEYED % number + encoded + chunk + HIDDEN) == [400], why
        with Caller(usual.port) as caller:  # and when it comes bit by bit
            whole = KEYED % number + encoded
            caller.send(whole)
            assert answers(caller, chunk + HIDDEN) == [400], why
    with Caller(usual.port) as caller:
        good = b"%x;x=y\r\n%b\r\n0\r\nx: y\r\n\r\n" % (len(BODY), BODY)
        caller.send(KEYED % 99 + encoded + good + HIDDEN)
        assert [caller.answer().status for _ in range(2)] == [201, 200]
    with library_alone() as port, Caller(port) as caller:
        caller.send(HEAD + encoded + CHUNKS["zeros without end"])
        assert caller.answer().status == 200


def test_a_trailer_is_no_header(usual: Live) -> None:
    encoded = b"transfer-encoding: chunked\r\n\r\n"
    good = b"%x\r\n%b\r\n0\r\n" % (len(BODY), BODY)
    trailer = b"authorization: Bearer nonsense\r\ncontent-encoding: gzip\r\n\r\n"
    with Caller(usual.port) as caller:
        caller.send(KEYED % 1 + encoded + good + trailer)
        assert caller.answer().status == 201
        caller.send(KEYED % 1 + trailer[:-2] + encoded + good + b"\r\n")
        assert caller.answer().problem_code() == "token-invalid"
