"""The access log: one JSON line for each request, many lines to a write.

Lines wait for at most ``DELAY_S`` and go out together, so that a busy service does not spend its
time on system calls. A process that is killed takes its last lines along; nothing relies on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

DELAY_S: Final = 0.02

Line = dict[str, Any]
"""The fields of a line."""

_encode = msgspec.json.Encoder().encode


class AccessLog:
    """Writes lines through ``write``, which takes bytes and may be called outside of requests.

    ``process`` names the process in every line, as in the other logs.
    """

    def __init__(self, write: Callable[[bytes], object], process: str) -> None:
        self._write = write
        self._process = process
        self._waiting: list[bytes] = []

    def __call__(self, line: Line) -> None:
        """Write a line, soon. Must be called in a running loop."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(DELAY_S, self.flush)
        line["process"] = self._process
        line["timestamp"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._waiting.append(_encode(line))

    def flush(self) -> None:
        """Write what waits, now."""
        if self._waiting:
            self._waiting.append(b"")
            lines = b"\n".join(self._waiting)
            self._waiting = []
            self._write(lines)


def nothing(_: Line) -> None:
    """The access log of those who want none."""
