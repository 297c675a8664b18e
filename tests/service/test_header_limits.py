"""A request's head, and all else that is not its body, has so many bytes and no more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.embedded.store import Store
from tests.homes import passing_home
from tests.service.live import Live, live
from tests.service.raw import Caller, head_of, request

pytestmark = [pytest.mark.slow, pytest.mark.system]

LIMIT = 2048
PLENTY = 2**28
ENDLESS = 16 * 2**20
BODY = b'{"name":"Ada"}'
CHUNKED = (
    b"POST /v1/players HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"idempotency-key: a-key-for-registering-%d\r\ntransfer-encoding: chunked\r\n\r\n"
)


@pytest.fixture(scope="module")
def open_to_all() -> Iterator[Live]:
    """A service that takes heads of any size for as long as they come; on a store of its own."""
    every = {"header_limit": PLENTY, "header_fields": 10**6, "header_timeout_ms": 0}
    with (
        passing_home() as home,
        Store(home / "store", "appendfsync no") as store,
        live(store.url, **every) as running,
    ):
        yield running


def fields(count: int) -> bytes:
    """A request with so many header fields."""
    return request("/health/live", headers={f"x-{number}": "" for number in range(count - 1)})


def test_a_header_section_has_so_many_bytes_and_no_more(store_url: str, open_to_all: Live) -> None:
    long_line = request("/health/live?" + "a" * LIMIT)
    with live(store_url, header_limit=LIMIT) as running:
        with Caller(running.port) as caller:
            for _ in range(2):
                caller.send(head_of(LIMIT))
                assert caller.answer().status == 200
            caller.send(head_of(LIMIT + 1) + request("/health/live"))
            caller.answer().problem("headers-too-large")
            assert caller.rest() == b""
        with Caller(running.port) as caller:  # one that has not come to its end
            caller.send(head_of(LIMIT + 4)[:LIMIT])
            caller.answer().problem("headers-too-large")
        with Caller(running.port) as caller:
            caller.send(long_line)
            assert caller.answer().problem("address-too-long")["status"] == 414
        with Caller(running.port) as caller:
            caller.send(fields(100))
            assert caller.answer().status == 200
            caller.send(fields(101))
            assert caller.answer().problem("headers-too-large")["status"] == 431
    with Caller(open_to_all.port) as caller:
        for each in (head_of(LIMIT + 1), head_of(200_000), fields(5000), long_line):
            caller.send(each)
            assert caller.answer().status == 200


def test_an_endless_line_is_not_read_to_its_end(usual: Live, open_to_all: Live) -> None:
    for begin, code in ((b"GET /", "address-too-long"), (b"GET / HTTP/1.1\r\nx: ", None)):
        with Caller(usual.port) as caller:
            caller.send(begin)
            assert caller.push(b"a" * 65536, ENDLESS) < ENDLESS
            caller.answer().problem(code or "headers-too-large")
    with Caller(usual.port) as caller:
        assert caller.ask("/health/live").status == 200
    with Caller(open_to_all.port) as caller:
        caller.send(b"GET /health/live HTTP/1.1\r\nhost: localhost\r\nx: ")
        assert caller.push(b"a" * 65536, ENDLESS) == ENDLESS
        caller.send(b"\r\n\r\n")
        assert caller.answer().status == 200


def chunked(*, number: int, extension: bytes = b"", trailer: bytes = b"", each: int = 100) -> bytes:
    """A registration in chunks."""
    parts = [BODY[at : at + each] for at in range(0, len(BODY), each)]
    body = b"".join(b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts)
    return CHUNKED % number + body + b"0\r\n" + trailer + b"\r\n"


def test_trailers_and_chunk_extensions_have_bounds_too(store_url: str, open_to_all: Live) -> None:
    too_much = {
        "one extension": chunked(number=1, extension=b";x=" + b"a" * LIMIT),
        "many extensions": chunked(number=2, extension=b";x=" + b"a" * (LIMIT // 10), each=1),
        "one trailer": chunked(number=3, trailer=b"x: " + b"a" * LIMIT + b"\r\n"),
        "many trailers": chunked(number=4, trailer=b"x: aaaaaaaaaaaa\r\n" * (LIMIT // 16)),
        "an extension that goes on": (CHUNKED % 5 + b"5;x=" + b"a" * LIMIT)[: 300 + LIMIT],
        "a trailer that goes on": CHUNKED % 6 + b"0\r\nx: " + b"a" * LIMIT,
        "sizes": CHUNKED % 7 + b"1\r\na\r\n" * LIMIT,
    }
    with live(store_url, header_limit=LIMIT) as running:
        for number, fits in enumerate(
            (
                chunked(number=10, each=1),
                chunked(number=11, extension=b";x=" + b"a" * 1000),
                chunked(number=12, trailer=b"x: " + b"a" * 1000 + b"\r\n"),
            )
        ):
            with Caller(running.port) as caller:
                caller.send(fits + request("/health/live"))
                assert caller.answer().status == 201, number
                assert caller.answer().status == 200, number
        for why, each in too_much.items():
            with Caller(running.port) as caller:
                caller.push(each, len(each))
                assert caller.answer().problem("headers-too-large"), why
    for why in ("one extension", "many extensions", "one trailer", "many trailers"):
        with Caller(open_to_all.port) as caller:
            caller.send(too_much[why])
            assert caller.answer().status == 201, why
