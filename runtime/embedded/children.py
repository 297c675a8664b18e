"""Child processes that end when their parent does, however it ends. Linux only."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import IO, Final

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG: Final = 1
_TIMEOUT_S: Final = 15.0

popen: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
"""How a process begins. Where supervisors are started by the dozen, it is another
(``simulator.prefork``)."""


class ChildError(RuntimeError):
    """A process did not start."""


def dying_with_parent() -> Callable[[], None]:
    """What a new process does first, so that it is told to end when its parent's thread ends."""
    parent = os.getpid()

    def die_with_parent() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before we could ask for its signal
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # a blocked mask would be inherited

    return die_with_parent


class Child:
    """A process, as a rule one of our Python ones, in its own process group.

    The terminal's Ctrl-C does not reach it: the supervisor stops its children in order. Must be
    created in the main thread, because the death signal follows the thread.

    Args:
        name: what the supervisor calls it.
        arguments: what follows the program.
        environ: its environment.
        speaks: whether ``first_line`` reads its standard output.
        log: the file for its standard error; by default it goes where ours goes.
        program: what is run.
    """

    def __init__(
        self,
        name: str,
        arguments: list[str],
        environ: Mapping[str, str],
        *,
        speaks: bool = False,
        log: IO[bytes] | None = None,
        program: str = sys.executable,
    ) -> None:
        self.name = name
        self._process = popen(
            [program, *arguments],
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if speaks else None,
            stderr=log,
            preexec_fn=dying_with_parent(),  # a supervisor has one thread
            process_group=0,
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.poll()

    def first_line(self, timeout_s: float = 60.0) -> str:
        """Wait for the first line that it prints.

        Raises:
            ChildError: it ended, or said nothing in time.
        """
        assert self._process.stdout is not None
        said = b""
        end = time.monotonic() + timeout_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in said:
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise ChildError(f"the {self.name} said nothing for {timeout_s:g} s")
                part = os.read(self._process.stdout.fileno(), 4096)
                if not part:
                    raise ChildError(f"the {self.name} did not start")
                said += part
        return said.partition(b"\n")[0].decode()

    def stop(self) -> int:
        """SIGTERM, then SIGKILL to the whole group if that does not help; the exit code."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code
