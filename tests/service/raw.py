"""Speaks HTTP/1.1 byte by byte over a socket, well and badly."""

from __future__ import annotations

import contextlib
import select
import socket
from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec import Struct, json

PATIENCE_S = 20.0
SMALL = 8192


class Answer(Struct):
    """An answer as it came: ``status``, headers by their names in small letters, the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self, code: str) -> Any:
        """Its problem document, of the kind ``code``, after which the connection ends."""
        found = json.decode(self.body)
        assert found["type"] == f"/problems/{code}", (self.status, found)
        assert (found["status"], self.headers["connection"]) == (self.status, "close")
        assert self.headers["content-type"] == "application/problem+json"
        assert found["title"]
        assert found["detail"]
        return found

    def problem_code(self) -> str:
        """The kind of its problem, after which the connection may go on."""
        code: str = json.decode(self.body)["type"].removeprefix("/problems/")
        return code


class Caller:
    """A connection to a service, from an address of the loopback network.

    Args:
        port: where the service listens on 127.0.0.1.
        source: our address.
        window: bytes of our receive buffer, if that matters.
    """

    def __init__(self, port: int, source: str = "127.0.0.1", window: int | None = None) -> None:
        self.socket = socket.socket()
        if window is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.socket.settimeout(PATIENCE_S)
        self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Send all of it."""
        self.socket.sendall(data)

    def push(self, data: bytes, size: int) -> int:
        """Send ``data`` again and again, up to ``size`` bytes; how much of it was taken."""
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < size:
                sent += self.socket.send(data[: size - sent])
        return sent

    def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """A well-formed request without a body, and its answer."""
        self.send(request(path, method, headers))
        return self.answer()

    def answer(self) -> Answer:
        """The next answer, whole; its length must be given."""
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        head, _, rest = self._buffer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines)}
        length = int(headers.get("content-length", "0"))
        while len(rest) < length:
            self._more()
            rest = self._buffer.partition(b"\r\n\r\n")[2]
        self._buffer = rest[length:]
        return Answer(int(first.split()[1]), headers, rest[:length])

    def until(self, needle: bytes) -> bytes:
        """All that comes up to and with some bytes."""
        while needle not in self._buffer:
            self._more()
        before, _, self._buffer = self._buffer.partition(needle)
        return before + needle

    def rest(self) -> bytes:
        """All that comes until the service hangs up, politely or not."""
        with contextlib.suppress(ConnectionError):
            while part := self.socket.recv(65536):
                self._buffer += part
        found, self._buffer = self._buffer, b""
        return found

    def says_something(self, seconds: float) -> bool:
        """Whether something can be read within so many seconds."""
        return bool(select.select([self.socket], [], [], seconds)[0])

    def _more(self) -> None:
        part = self.socket.recv(65536)
        assert part, f"the service hung up after {self._buffer!r}"
        self._buffer += part


def request(path: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> bytes:
    """A well-formed request without a body."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode()


def head_of(size: int, path: str = "/health/live") -> bytes:
    """A well-formed request whose head has so many bytes."""
    short = request(path, headers={"x-padding": ""})
    return request(path, headers={"x-padding": "a" * (size - len(short))})


@contextlib.contextmanager
def crowd(port: int, count: int, source: str = "127.0.0.1") -> Iterator[list[Caller]]:
    """So many connections at once."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Caller(port, source)) for _ in range(count)]


def figure(url: str, name: str) -> float:
    """What the service says of one of its metrics, 0 if it has not come up."""
    with Caller(int(url.rpartition(":")[2])) as caller:
        return figure_in(caller.ask("/metrics").body.decode(), name)


def figure_in(text: str, name: str) -> float:
    """The same in a text of metrics."""
    values = [line.rpartition(" ")[2] for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(values[0]) if values else 0.0


def until_figure(url: str, name: str, least: float) -> None:
    """Ask again and again until a metric has come to ``least``."""
    for _ in range(20_000):
        if figure(url, name) >= least:
            return
    raise AssertionError(f"{name} never came to {least}")
