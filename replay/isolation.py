"""Running an archive of rules in a process of its own, which can do nothing but judge.

The process gets the archive, msgspec and Python's own modules, an empty environment and an empty
folder; what it may take of time, memory and output is limited by the kernel before the first line
of the archive is run. What it is asked comes by a pipe and is never written anywhere.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

_BEGIN: Final = """\
import resource, sys
archive, libraries, seconds, memory, output = sys.argv[1:]
for kind, most in (
    (resource.RLIMIT_CPU, int(seconds)),
    (resource.RLIMIT_AS, int(memory)),
    (resource.RLIMIT_FSIZE, int(output)),
    (resource.RLIMIT_NOFILE, 32),
    (resource.RLIMIT_CORE, 0),
):
    resource.setrlimit(kind, (most, most))
sys.path.append(libraries)
import msgspec
sys.path.remove(libraries)
import runpy
runpy.run_path(archive, run_name="__main__")
"""
"""What the process begins with. Of the libraries that lie about only msgspec is let in: its folder
is on the path for that one import, and the archive finds what has been imported."""


class IsolationError(Exception):
    """The process gave no answer; the text says why, and nothing of what it was asked."""


class Limits(Struct, frozen=True, kw_only=True):
    """What a process may take.

    ``seconds`` of the clock and of the processor, bytes of ``memory`` and of ``output``.
    """

    seconds: int = 60
    memory: int = 1 << 30
    output: int = 1 << 20


def run_isolated(archive: bytes, request: bytes, limits: Limits) -> bytes:
    """What an archive answers to a request.

    Args:
        archive: a zipapp; who calls has seen that it is one of ours.
        request: its standard input.
        limits: what it may take.

    Raises:
        IsolationError: it could not be started, crashed, took too much or too long.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="parlour-rules-") as folder:
            path = Path(folder, "rules.pyz")
            path.write_bytes(archive)
            return _run(path, request, limits)
    except OSError as error:
        raise IsolationError(f"it could not be run: {error.strerror}") from error


def _run(path: Path, request: bytes, limits: Limits) -> bytes:
    libraries = Path(msgspec.__file__).resolve().parents[1]
    most = (str(limits.seconds), str(limits.memory), str(limits.output))
    # A file takes the output, because the kernel limits how long a file may get.
    with tempfile.TemporaryFile() as output:
        with subprocess.Popen(  # noqa: S603 (Python itself, and code that we shipped)
            [sys.executable, "-I", "-S", "-B", "-c", _BEGIN, str(path), str(libraries), *most],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.DEVNULL,
            cwd=path.parent,
            env={},
        ) as process:
            try:
                process.communicate(request, timeout=limits.seconds)
            except subprocess.TimeoutExpired:
                raise IsolationError(f"it gave no answer within {limits.seconds} s") from None
            finally:
                process.kill()
        if process.returncode:
            raise IsolationError(_end(process.returncode))
        output.seek(0)
        return output.read()


def _end(code: int) -> str:
    """How a process ended that did not end well, by its return code."""
    if code > 0:
        return f"it ended with an error ({code})"
    return f"it was ended by {signal.Signals(-code).name}"
