"""Named points at which a part of the service kills itself, armed from outside while it runs.

A file of one byte says which point is armed; the part maps it into its memory, so a point that is
not armed costs nothing to pass.
"""

from __future__ import annotations

import mmap
import os
import signal
from pathlib import Path
from typing import Final

BEFORE_APPEND: Final = "before-append"
AFTER_APPEND: Final = "after-append"
BEFORE_WAIT: Final = "before-wait"
BEFORE_REPLY: Final = "before-reply"
BEFORE_ASKING: Final = "before-asking"
AFTER_ASKING: Final = "after-asking"
BEFORE_WRITING: Final = "before-writing"
AFTER_WRITING: Final = "after-writing"

POINTS: Final = (
    BEFORE_APPEND,
    AFTER_APPEND,
    BEFORE_WAIT,
    BEFORE_REPLY,
    BEFORE_ASKING,
    AFTER_ASKING,
    BEFORE_WRITING,
    AFTER_WRITING,
)
"""Around the append script, before the wait for a replica (after the script) and before the answer;
around what a clock asks of workers; around what the shipper writes to the journal."""

AT_FILE: Final = "FAULT_FILE"
"""The variable of the environment that names the file."""


class FaultTrigger:
    """The file that arms a point; whoever plants faults has it.

    Args:
        path: where it is made; nothing is armed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"\0")

    def arm(self, point: str) -> None:
        """Kill whoever passes the point from now on.

        Raises:
            ValueError: there is no such point.
        """
        self._put(1 + POINTS.index(point))

    def disarm(self) -> None:
        """Let all points be passed."""
        self._put(0)

    def _put(self, value: int) -> None:
        # In place: the parts have mapped this very file.
        with self.path.open("r+b") as file:
            file.write(bytes([value]))


class FaultPoints:
    """The same file, as the part has it that is to die.

    Raises:
        OSError: there is no file.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._armed = mmap.mmap(file.fileno(), 1, access=mmap.ACCESS_READ)

    def passed(self, point: str) -> None:
        """The part is at a point."""
        if self._armed[0] == 1 + POINTS.index(point):
            os.kill(os.getpid(), signal.SIGKILL)
