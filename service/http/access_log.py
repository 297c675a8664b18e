"""The access log: one JSON line per request, written in batches.

Lines are buffered for at most ``DELAY_S`` and written together, so that a busy service does not
spend its time on system calls. A killed process loses its last lines; nothing depends on them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

DELAY_S: Final = 0.02

Line = dict[str, Any]
"""The fields of a line."""

_encode_lines = msgspec.json.Encoder().encode_lines
_MS = 1000


class AccessLog:
    """Writes lines through ``write``, which takes bytes and may be called outside of requests.

    ``process`` names the process in every line, as in the other logs. ``clock`` gives seconds
    since 1970 UTC.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        process: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._write = write
        self._process = process
        self._clock = clock
        self._waiting: list[Line] = []
        self._second = -1
        self._stamp = ""

    def __call__(self, line: Line) -> None:
        """Queue a line, stamped now. Must be called in a running loop."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(DELAY_S, self.flush)
        line["process"] = self._process
        line["timestamp"] = self._now()
        self._waiting.append(line)

    def flush(self) -> None:
        """Write the buffered lines now."""
        if self._waiting:
            lines, self._waiting = self._waiting, []
            self._write(_encode_lines(lines))

    def _now(self) -> str:
        """The time (ISO 8601, UTC, milliseconds); the part up to the second is cached."""
        ms = int(self._clock() * _MS)
        second = ms // _MS
        if second != self._second:
            self._second = second
            self._stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return f"{self._stamp}.{ms % _MS:03}+00:00"


def nothing(_: Line) -> None:
    """An access log that discards every line."""
