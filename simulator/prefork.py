"""Starts programs of ours by forking a process that has already imported what they import.

A run of the tests, or of kills, starts hundreds of processes, and each would spend half a second of
a core on the same imports. What begins here is still a process like any other: our own child, with
its own environment, streams and signals, in which the program's ``__main__`` runs from its first
line. A supervisor that begins here has its parts forked in the same way. Who tests what a process
imports, or how it is started, uses ``subprocess`` itself. Linux only.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from runtime.embedded import children

ROOT: Final = Path(__file__).resolve().parents[1]
SUPERVISORS: Final = ("ops.run", "ops.cluster")
PROGRAMS: Final = ("replay.__main__", *SUPERVISORS)
IMPORTED: Final = (
    "anyio._backends._asyncio",
    "service.app",
    "service.http.acceptor",
    "service.http.access_log",
    "service.server",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "workers.clock",
    "workers.shipper",
    "workers.worker",
    *PROGRAMS,
)
"""What has been imported when a program begins."""

_CLONE_PARENT: Final = 0x8000
_PR_SET_PDEATHSIG: Final = 1
_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_LONGEST: Final = 1 << 20
_PIPES: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_THEIR_ENDS: Final = (0, 3, 5)
"""The places in ``_PIPES`` of what the process has as its streams 0, 1 and 2."""

_GIVEN: Final = (
    *("executable", "preexec_fn", "close_fds", "pass_fds", "cwd", "env", "startupinfo"),
    *("creationflags", "shell", *_PIPES, "restore_signals", "gid", "gids", "uid", "umask"),
    *("start_new_session", "process_group"),
)
"""What ``Popen`` hands to the method that starts a process, after its arguments."""


class Prefork(subprocess.Popen[Any]):
    """A ``Popen`` of ``[python, "-m", module, …]`` that forks instead of starting Python.

    It obeys the arguments, the environment, the folder, the three streams and ``process_group``,
    and refuses ``preexec_fn``, ``shell`` and ``pass_fds``.

    Attributes:
        prepared_by: modules whose ``make_all`` is called in the process that forks, beforehand.
    """

    prepared_by: ClassVar[tuple[str, ...]] = ()

    # The one method that subprocess has for each system: all about pipes and waiting is left to it.
    def _execute_child(self, args: list[str], *values: Any) -> None:  # noqa: ANN401 (as it is)
        given = dict(zip(_GIVEN, values, strict=True))
        refused = [name for name in ("preexec_fn", "pass_fds", "shell") if given[name]]
        assert refused == [], "a fork does not obey these"
        pipes = [given[name] for name in _PIPES]
        streams = [pipes[n] if pipes[n] != -1 else own for own, n in enumerate(_THEIR_ENDS)]
        env, cwd, group = given["env"], given["cwd"], given["process_group"]
        wish = {
            "argv": args[args.index("-m") + 1 :],
            "cwd": str(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "group": os.getpgrp() if group == -1 else group,
            "umask": _umask(),
        }
        try:
            self.pid = self._forks().fork(wish, streams)
            self._child_created = True
        finally:
            self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]  # not in the stubs

    def _forks(self) -> _Forker:
        """The process that forks ours."""
        return _forker(self.prepared_by)


class _Part(Prefork):
    """A part of a supervisor that was forked itself: what it has imported, its parts have, too."""

    forker: ClassVar[_Forker]

    # To die with its parent, and to block no signal, is all that is asked of a part beforehand;
    # whoever is forked does so.
    def _execute_child(self, args: list[str], *values: Any) -> None:  # noqa: ANN401 (as it is)
        given = dict(zip(_GIVEN, values, strict=True)) | {"preexec_fn": None}
        super()._execute_child(args, *given.values())

    def _forks(self) -> _Forker:
        return self.forker

    @classmethod
    def begins(cls, arguments: Sequence[str], **given: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 (as Popen)
        """Start a part: a program of ours, or the store, which is none."""
        ours = list(arguments[:2]) == [sys.executable, "-m"]
        return (cls if ours else subprocess.Popen)(arguments, **given)


class _Forker:
    """The process that forks, and our line to it."""

    def __init__(self, line: socket.socket, bury: Callable[[], object]) -> None:
        self._line, self._bury = line, bury

    def fork(self, wish: dict[str, Any], streams: list[int]) -> int:
        """Ask for a process with these streams; its id."""
        socket.send_fds(self._line, [json.dumps(wish).encode()], streams)
        said = self._line.recv(_LONGEST)
        assert said, "the process that forks has ended"
        return int(said)

    def close(self) -> None:
        """End it. What it has forked goes on."""
        self._line.close()
        self._bury()


def _pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


@cache
def _forker(prepared_by: tuple[str, ...]) -> _Forker:
    """Ours, from the first use on: a process that imports everything first."""
    ours, theirs = _pair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno()), *prepared_by],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            process_group=0,
        )
    made = _Forker(ours, process.wait)
    atexit.register(made.close)
    return made


def _fork_for_parent() -> int:
    """``os.fork``, but what comes into being is our parent's child (clone(2), CLONE_PARENT)."""
    python = ctypes.PyDLL(None)
    python.PyOS_BeforeFork()
    pid = python.syscall(_CLONE[os.uname().machine], _CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
    if pid:
        python.PyOS_AfterFork_Parent()
    else:
        python.PyOS_AfterFork_Child()
    return int(pid)


def _serve(line: socket.socket) -> list[str]:
    """Fork for each that asks. Returns in the forked process only: the arguments of its program."""
    while True:
        said, streams, _, _ = socket.recv_fds(line, _LONGEST, len(_THEIR_ENDS))
        if not said:
            os._exit(0)
        pid = _fork_for_parent()
        if not pid:
            line.close()
            return _become(json.loads(said), streams)
        for fd in streams:
            os.close(fd)
        line.send(str(pid).encode())


def _umask() -> int:
    """Ours, which one can read only by setting another."""
    os.umask(mask := os.umask(0o077))
    return mask


def _become(wish: dict[str, Any], streams: list[int]) -> list[str]:
    """Take on the environment, the folder and the streams that were asked for."""
    _belong_to(wish["group"])
    os.umask(wish["umask"])
    for own, fd in enumerate(streams):
        os.dup2(fd, own)
        os.close(fd)
    os.chdir(wish["cwd"])
    os.environ.clear()
    os.environ.update(wish["env"])
    argv: list[str] = wish["argv"]
    return argv


def _belong_to(group: int) -> None:
    """Be of this process group, and die with our parent: no test's end leaves anybody behind."""
    os.setpgid(0, group)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _supervise(argv: list[str]) -> list[str]:
    """Let the parts of a supervisor be forked by a child of it, which knows nothing but imports.

    Returns in the supervisor, and in each part: the arguments of its program.
    """
    ours, theirs = _pair()
    if os.fork():
        theirs.close()
        _Part.forker = _Forker(ours, bury=lambda: None)
        children.popen = _Part.begins
        return argv
    ours.close()
    _belong_to(0)
    for own in range(len(_THEIR_ENDS)):  # who reads what the supervisor says must see its end
        os.dup2(os.open(os.devnull, os.O_RDWR), own)
    return _serve(theirs)


def _prepare(prepared_by: Sequence[str]) -> None:
    """Import what programs import, and forget the programs: ``runpy`` wants to be the first."""
    for name in IMPORTED:
        importlib.import_module(name)
    for name in prepared_by:
        importlib.import_module(name).make_all()
    for name in PROGRAMS:
        del sys.modules[name]
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    _prepare(sys.argv[2:])
    sys.argv = _serve(socket.socket(fileno=int(sys.argv[1])))
    if sys.argv[0] in SUPERVISORS:
        sys.argv = _supervise(sys.argv)
    sys.path[0] = str(Path.cwd())
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
