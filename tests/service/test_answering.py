"""How an answer is written to its connection: in one piece, whole, and never more than it says."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from service.http.answering import Cycle

TEXT = (b"content-type", b"text/plain")


class Wire:
    """A transport that keeps each piece, and whether it was closed."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.pieces.append(bytes(data))

    def close(self) -> None:
        self.closed = True


class Flow:
    """A client that takes everything, as long as nobody says that it does not."""

    def __init__(self) -> None:
        self.write_paused = False


def cycle(wire: Wire, method: str = "GET", *, keeps: bool = True) -> Cycle:
    """An answer about to be given."""
    quiet = logging.getLogger("nobody")
    parts: Any = {
        "scope": {"type": "http", "method": method},
        "transport": wire,
        "flow": Flow(),
        "logger": quiet,
        "access_logger": quiet,
        "access_log": False,
        "default_headers": [(b"date", b"now")],
        "message_event": asyncio.Event(),
        "expect_100_continue": False,
        "keep_alive": keeps,
        "on_response": lambda: None,
    }
    return Cycle(**parts)


def start(*headers: tuple[bytes, bytes], status: int = 200) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": list(headers)}


def body(data: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": data, "more_body": more}


async def said(wire: Wire, made: Cycle, *messages: dict[str, Any]) -> list[bytes]:
    for message in messages:
        await made.send(message)
    return wire.pieces


async def test_a_small_answer_is_one_piece() -> None:
    wire = Wire()
    made = cycle(wire)
    pieces = await said(wire, made, start(TEXT, (b"Content-Length", b"2")), body(b"hi"))
    head = b"HTTP/1.1 200 OK\r\ndate: now\r\ncontent-type: text/plain\r\nContent-Length: 2\r\n\r\n"
    assert pieces == [head + b"hi"]
    assert made.response_complete
    assert not wire.closed


async def test_the_head_of_a_stream_waits_for_nothing() -> None:
    wire = Wire()
    made = cycle(wire)
    (head,) = await said(wire, made, start(TEXT))
    assert head.endswith(b"transfer-encoding: chunked\r\n\r\n")
    await said(wire, made, body(b"one", more=True), body(b"", more=True), body(b""))
    assert wire.pieces[1:] == [b"3\r\none\r\n", b"0\r\n\r\n"]


async def test_no_body_follows_the_head_that_was_asked_for() -> None:
    wire = Wire()
    answer = (start((b"content-length", b"2")), body(b"hi"))
    (head,) = await said(wire, cycle(wire, "HEAD"), *answer)
    assert head.endswith(b"content-length: 2\r\n\r\n")


@pytest.mark.parametrize("status", [204, 304])
async def test_what_has_no_body_has_no_length(status: int) -> None:
    wire = Wire()
    (head,) = await said(wire, cycle(wire), start(status=status), body(b""))
    assert b"content-length" not in head
    assert b"transfer-encoding" not in head


async def test_the_last_answer_of_a_connection_says_so() -> None:
    wire = Wire()
    answer = (start((b"content-length", b"0")), body(b""))
    (head,) = await said(wire, cycle(wire, keeps=False), *answer)
    assert b"\r\nconnection: close\r\n" in head
    assert wire.closed


@pytest.mark.parametrize(
    "field",
    [
        (b"x", b"a\r\nset-cookie: b"),
        (b"x", b"a\n"),
        (b"x", b"\ra"),
        (b"x\r\ny", b"a"),
        (b"x", b"\0"),
    ],
)
async def test_no_field_ends_its_line(field: tuple[bytes, bytes]) -> None:
    wire = Wire()
    with pytest.raises(RuntimeError, match="a line break or NUL"):
        await said(wire, cycle(wire), start(field, (b"content-length", b"0")), body(b""))
    assert wire.pieces == []


@pytest.mark.parametrize(
    ("messages", "complaint"),
    [
        ([start((b"content-length", b"1")), body(b"hi")], "longer"),
        ([start((b"content-length", b"3")), body(b"hi")], "shorter"),
        ([body(b"hi")], "order"),
        ([start(), start()], "order"),
        ([start(), body(b""), body(b"")], "order"),
    ],
)
async def test_an_app_that_breaks_asgi_is_told(
    messages: list[dict[str, Any]], complaint: str
) -> None:
    wire = Wire()
    with pytest.raises(RuntimeError, match=complaint):
        await said(wire, cycle(wire), *messages)


async def test_a_client_that_is_gone_is_sent_nothing() -> None:
    wire = Wire()
    made = cycle(wire)
    made.disconnected = True
    assert await said(wire, made, start(), body(b"hi")) == []


async def test_a_part_may_be_written_at_once() -> None:
    wire = Wire()
    made = cycle(wire)
    await said(wire, made, start(TEXT), body(b"one", more=True))
    assert made.write_now(b"twenty-five bytes of text")
    await said(wire, made, body(b"three", more=True))
    assert wire.pieces[1:] == [
        b"3\r\none\r\n",
        b"19\r\ntwenty-five bytes of text\r\n",
        b"5\r\nthree\r\n",
    ]


@pytest.mark.parametrize("state", ["before", "slow", "gone", "over", "of a known length"])
async def test_nothing_is_written_at_once_to_who_cannot_take_it(state: str) -> None:
    wire = Wire()
    made = cycle(wire)
    if state == "of a known length":
        await said(wire, made, start(TEXT, (b"content-length", b"9")), body(b"four", more=True))
    elif state != "before":
        await said(wire, made, start(TEXT), body(b"one", more=state != "over"))
    made.disconnected = state == "gone"
    made.flow.write_paused = state == "slow"
    before = list(wire.pieces)
    assert not made.write_now(b"two")
    assert wire.pieces == before


async def test_no_part_of_a_body_follows_the_head_that_was_asked_for() -> None:
    wire = Wire()
    made = cycle(wire, "HEAD")
    await said(wire, made, start(TEXT))
    assert not made.write_now(b"one")
