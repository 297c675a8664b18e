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
    wire hides from the service that the browser could unpack anything. ``alter``, if set, changes
    the bytes on their way to the browser and must not change their number.
    """

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.alter: Callable[[bytes], bytes] | None = None
        self._arrived = bytearray()
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
        """What the browser was given until now."""
        with self._lock:
            return bytes(self._arrived)

    def cut(self) -> None:
        """Break every connection that is open now."""
        with self._lock:
            open_now, self._open = self._open, set()
        for end in open_now:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def down(self) -> Iterator[None]:
        """Meanwhile every connection breaks, new ones at once."""
        self._down = True
        self.cut()
        try:
            yield
        finally:
            self._down = False

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if self._down:
                near.close()
                continue
            try:
                far = socket.create_connection(self._target)
            except OSError:  # the service is down; so are we
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            threading.Thread(target=self._pump, args=(near, far, self._ask), daemon=True).start()
            threading.Thread(target=self._pump, args=(far, near, self._give), daemon=True).start()

    def _pump(
        self, source: socket.socket, sink: socket.socket, take: Callable[[bytes], bytes]
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                sink.sendall(take(piece))
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self._lock:
            self._open -= {source, sink}

    def _ask(self, piece: bytes) -> bytes:
        return piece.replace(b"Accept-Encoding:", b"X-Unused-Header:")

    def _give(self, piece: bytes) -> bytes:
        if self.alter is not None:
            altered = self.alter(piece)
            assert len(altered) == len(piece)
            piece = altered
        with self._lock:
            self._arrived += piece
        return piece
