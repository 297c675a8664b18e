"""A flood of connections that want nothing, for tests, ``make fuzz`` and ``make bench``.

``python -m simulator.flood PORT SECONDS [ADDRESS]`` floods a service that listens on 127.0.0.1 from
an address of the loopback network: it holds silent connections, drips heads and bodies byte by
byte, sends lines without an end, asks again and again without reading what is answered, and knocks.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, Self

ADDRESS: Final = "127.0.0.9"

_NICE: Final = 10
"""Floods come from other machines as a rule: on this one they are not to take the processor."""

_SILENT: Final = 20
_SILENT_S: Final = 0.2
_PATIENCE_S: Final = 2.0
_ENDLESS: Final = 8 << 20
_PIECE: Final = b"a" * 65536
_ALIVE: Final = b"GET /health/live HTTP/1.1\r\nhost: flood\r\n\r\n"
_LARGE: Final = b"GET /v1/openapi.json HTTP/1.1\r\nhost: flood\r\n\r\n"
_POST: Final = b"POST /v1/players HTTP/1.1\r\nhost: flood\r\ncontent-length: 60000\r\n\r\n"


class Flood:
    """Floods for as long as it is entered, with two threads of each kind.

    Args:
        port: where the service listens on 127.0.0.1.
        address: from where we come.

    Attributes:
        rounds: how often each kind of attack was begun.
    """

    def __init__(self, port: int, address: str = ADDRESS) -> None:
        self.rounds: Counter[str] = Counter()
        self._port = port
        self._address = address
        self._over = threading.Event()
        kinds = (
            self._be_silent,
            self._drip_head,
            self._drip_body,
            self._send_an_endless_line,
            self._send_an_endless_address,
            self._pipeline,
            self._take_nothing,
            self._knock,
        )
        self._threads = [threading.Thread(target=self._run, args=(kind,)) for kind in kinds * 2]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self, kind: Callable[[socket.socket], None]) -> None:
        while not self._over.is_set():
            self.rounds[kind.__name__.removeprefix("_")] += 1
            with contextlib.suppress(OSError), self._connect() as caller:
                kind(caller)

    def _connect(self) -> socket.socket:
        made = socket.socket()
        try:
            made.settimeout(_PATIENCE_S)
            made.bind((self._address, 0))
            made.connect(("127.0.0.1", self._port))
        except OSError:
            made.close()
            raise
        return made

    def _be_silent(self, _: socket.socket) -> None:
        with contextlib.ExitStack() as stack:
            for _n in range(_SILENT):
                stack.enter_context(self._connect())
            self._over.wait(_SILENT_S)

    def _drip(self, caller: socket.socket, data: bytes) -> None:
        for at in range(len(data)):
            if self._over.is_set():
                return
            caller.send(data[at : at + 1])

    def _drip_head(self, caller: socket.socket) -> None:
        self._drip(caller, b"GET /" + b"a" * 2000)

    def _drip_body(self, caller: socket.socket) -> None:
        caller.sendall(_POST)
        self._drip(caller, b" " * 2000)

    def _push(self, caller: socket.socket, data: bytes, size: int) -> None:
        sent = 0
        while sent < size and not self._over.is_set():
            sent += caller.send(data)

    def _send_an_endless_line(self, caller: socket.socket) -> None:
        caller.sendall(b"GET / HTTP/1.1\r\nx: ")
        self._push(caller, _PIECE, _ENDLESS)

    def _send_an_endless_address(self, caller: socket.socket) -> None:
        caller.sendall(b"GET /")
        self._push(caller, _PIECE, _ENDLESS)

    def _pipeline(self, caller: socket.socket) -> None:
        self._push(caller, _ALIVE * 100, 1 << 18)

    def _take_nothing(self, caller: socket.socket) -> None:
        caller.sendall(_LARGE * 20)
        self._over.wait(_SILENT_S)

    def _knock(self, caller: socket.socket) -> None:
        caller.recv(1, socket.MSG_DONTWAIT)


def main(arguments: Sequence[str]) -> int:
    """Flood for some seconds, and tell how often each attack was begun."""
    parser = argparse.ArgumentParser(prog="python -m simulator.flood", description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("address", nargs="?", default=ADDRESS)
    said = parser.parse_args(arguments)
    os.nice(_NICE)
    with Flood(said.port, said.address) as flood:
        print("flooding", flush=True)
        threading.Event().wait(said.seconds)
    print(dict(flood.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
