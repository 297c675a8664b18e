"""Runs a rules archive in a separate process, which can do nothing but judge.

The process gets the archive, msgspec and Python's own modules, an empty environment and an empty
folder; its time, memory and output are limited by the kernel before the first line of the archive
is run. The request comes through a pipe and is never written anywhere.
"""

from __future__ import annotations

import io
import marshal
import signal
import subprocess
import sys
import tempfile
import zipfile
from functools import lru_cache
from importlib.util import MAGIC_NUMBER, source_hash
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
"""The start of the process. Of the installed libraries only msgspec is let in: its folder is on the
path for that one import, and the archive finds the module already imported."""


_UNCHECKED: Final = 1
"""The flags of bytecode that is not compared with its source (PEP 552)."""

_ARCHIVES_KEPT: Final = 4
"""So many archives are kept compiled, 1.5 MB each."""


class IsolationError(Exception):
    """The process gave no answer; the text says why, without quoting the request."""


class ProcessLimits(Struct, frozen=True, kw_only=True):
    """The resources that a process may use.

    ``seconds`` of the clock and of the processor, bytes of ``memory`` and of ``output``.
    """

    seconds: int = 60
    memory: int = 1 << 30
    output: int = 1 << 20


def run_isolated(archive: bytes, request: bytes, limits: ProcessLimits) -> bytes:
    """What an archive answers to a request.

    Args:
        archive: a zipapp; who calls has seen that it is one of ours.
        request: the standard input.
        limits: what it may take.

    Raises:
        IsolationError: it could not be started, crashed, used too much or took too long.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="parlour-rules-") as folder:
            path = Path(folder, "rules.pyz")
            path.write_bytes(_compiled(archive))
            return _run(path, request, limits)
    except OSError as error:
        raise IsolationError(f"it could not be run: {error.strerror}") from error


@lru_cache(_ARCHIVES_KEPT)
def _compiled(archive: bytes) -> bytes:
    """The same archive with bytecode in place of source: to compile it takes longer than a case.

    Nothing of it is run here. What is no program stays as it is, and fails in its own process.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(made, "w") as compiled:
        for name in source.namelist():
            content = source.read(name)
            code = _bytecode(name, content) if name.endswith(".py") else None
            compiled.writestr(
                name if code is None else f"{name}c", content if code is None else code
            )
    return made.getvalue()


def _bytecode(name: str, source: bytes) -> bytes | None:
    """What a ``.pyc`` file of a module holds (PEP 552); None: it is no program."""
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    flags = _UNCHECKED.to_bytes(4, "little")
    return MAGIC_NUMBER + flags + source_hash(source) + marshal.dumps(code)


def _run(path: Path, request: bytes, limits: ProcessLimits) -> bytes:
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
    """How a process failed, by its return code."""
    if code > 0:
        return f"it ended with an error ({code})"
    return f"it was ended by {signal.Signals(-code).name}"
