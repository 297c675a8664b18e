"""An API process that kills itself at a named point, while a command is in flight.

``python -m simulator.faults.dying_service`` is ``python -m service`` but for two variables of the
environment: ``FAULT_AT=POINT:COUNT`` names the point and how often it is passed before,
``FAULT_FORGETS`` lets it take every request for a new one, which is a control.
"""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from events.keys import KeyRing
from events.log import StreamLog
from service.__main__ import main
from service.api import decisions
from service.api.command_execution import receipt_of

AT: Final = "FAULT_AT"
FORGETS: Final = "FAULT_FORGETS"

BEFORE_APPEND: Final = "before-append"
AFTER_APPEND: Final = "after-append"
BEFORE_REPLY: Final = "before-reply"
POINTS: Final = (BEFORE_APPEND, AFTER_APPEND, BEFORE_REPLY)


class FaultPoint:
    """A named point that is passed so many times, and kills the process the next time."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._left = count

    def passed(self, name: str) -> None:
        """The process is at a point."""
        if name == self._name:
            self._left -= 1
            if self._left < 0:
                os.kill(os.getpid(), signal.SIGKILL)


def plant(point: FaultPoint) -> None:
    """Let the service pass the points."""
    append: Callable[..., Awaitable[Any]] = StreamLog.append

    async def watched(log: StreamLog, batch: Any) -> Any:  # noqa: ANN401 (as it is)
        point.passed(BEFORE_APPEND)
        answer = await append(log, batch)
        point.passed(AFTER_APPEND)
        return answer

    def replied(*args: Any, **named: Any) -> Any:  # noqa: ANN401 (as it is)
        reply = receipt_of(*args, **named)
        point.passed(BEFORE_REPLY)
        return reply

    StreamLog.append = watched  # type: ignore[assignment,method-assign]  # this process is there for that
    decisions.receipt_of = replied  # type: ignore[attr-defined]  # same


def forget_keys() -> None:
    """Take every request for a new one."""

    def drawn(_: KeyRing, __: str, ___: str) -> str:
        return secrets.token_urlsafe(16)

    KeyRing.command_id = drawn  # type: ignore[assignment,method-assign]  # same


if __name__ == "__main__":
    name, _, count = os.environ.get(AT, "").partition(":")
    if name:
        if name not in POINTS:
            sys.exit(f"there is no point {name!r}")
        plant(FaultPoint(name, int(count or "0")))
    if os.environ.get(FORGETS):
        forget_keys()
    sys.exit(main(sys.argv[1:]))
