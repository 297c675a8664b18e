"""A wire between browser and service that a test may listen to, cut and tamper with."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, Self

_PIECE: Final = 65536


class Wire:
    """A TCP proxy on a port of its own, in threads of its own.

    ``arrived`` is every byte that the browser was given, headers and all. It is uncompressed: the
    wire hides from the service that the browser could unpack anything. ``alter``, if set, is what
    becomes what on its way to the browser, wherever it comes; both are equally long.
    """

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.alter: tuple[bytes, bytes] | None = None
        self._arrived: list[bytearray] = []
        self._open: set[socket.socket] = set()
        self._down = False
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self.cut()

    @property
    def arrived(self) -> bytes:
        """What the browser was given until now, one connection after another."""
        with self._lock:
            return b"\n".join(self._arrived)

    def cut(self) -> None:
        """Break every connection that is open now; one whose other end is not there yet, too."""
        with self._lock:
            self._break()

    @contextlib.contextmanager
    def down(self) -> Iterator[None]:
        """Meanwhile every connection breaks, new ones at once."""
        with self._lock:
            self._down = True
            self._break()
        try:
            yield
        finally:
            self._down = False

    def _break(self) -> None:
        """Break what is open; nothing is opened meanwhile."""
        open_now, self._open = self._open, set()
        for end in open_now:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _takes(self, near: socket.socket) -> bool:
        """Let a connection in, unless the wire is down; from now on it can be cut."""
        with self._lock:
            if not self._down:
                self._open.add(near)
            return not self._down

    def _joins(self, near: socket.socket, far: socket.socket) -> bool:
        """Let its other end in, unless it has been cut meanwhile."""
        with self._lock:
            if near in self._open:
                self._open.add(far)
            return near in self._open

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if not self._takes(near):
                near.close()
                continue
            try:
                far = socket.create_connection(self._target)
            except OSError:  # the service is down; so are we
                self._forget(near)
                near.close()
                continue
            if not self._joins(near, far):
                near.close()
                far.close()
                continue
            threading.Thread(target=self._pump, args=(near, far, self._ask), daemon=True).start()
            threading.Thread(
                target=self._pump, args=(far, near, self._giver()), daemon=True
            ).start()

    def _pump(
        self, source: socket.socket, sink: socket.socket, take: Callable[[bytes], bytes]
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                sink.sendall(take(piece))
            sink.sendall(take(b""))
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._forget(source, sink)

    def _forget(self, *ends: socket.socket) -> None:
        with self._lock:
            self._open.difference_update(ends)

    def _ask(self, piece: bytes) -> bytes:
        return piece.replace(b"Accept-Encoding:", b"X-Unused-Header:")

    def _giver(self) -> Callable[[bytes], bytes]:
        """Alters and keeps what one connection brings, a piece at a time; the last one is empty."""
        arrived, held = bytearray(), b""
        with self._lock:
            self._arrived.append(arrived)

        def give(piece: bytes) -> bytes:
            nonlocal held
            given, held = held + piece, b""
            if self.alter is not None and piece:
                old, new = self.alter
                assert len(old) == len(new)
                given, held = _without_beginning(given.replace(old, new), old)
            with self._lock:
                arrived.extend(given)
            return given

        return give


def _without_beginning(data: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Cut off the end of ``data`` in which ``text`` may begin: a piece may end anywhere."""
    cut = next((n for n in range(len(text) - 1, 0, -1) if data.endswith(text[:n])), 0)
    return data[: len(data) - cut], data[len(data) - cut :]
