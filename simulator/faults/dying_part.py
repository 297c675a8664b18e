"""A part of the service that kills itself at a named point, while something is under way.

``python -m simulator.faults.dying_part API|clock|work|ship`` is the part, but for two variables of
the environment: ``FAULT_FILE`` names the file that arms a point (``points``), ``FAULT_FORGETS``
lets an API take every request for a new one, which is a control.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from events import confirming
from events.keys import KeyRing
from events.log import StreamLog
from runtime.journal.segments import JournalWriter
from service.__main__ import main as serve
from service.api import decisions
from service.api.command_execution import receipt_of
from simulator.faults import points
from simulator.faults.parts import API
from simulator.faults.points import FaultPoints
from workers.__main__ import main as work
from workers.clock import GameClock

FORGETS: Final = "FAULT_FORGETS"


def plant(there: FaultPoints) -> None:
    """Let this process pass the points."""
    append: Callable[..., Awaitable[Any]] = StreamLog.append
    wait: Callable[..., Awaitable[bool]] = confirming._is_replicated  # noqa: SLF001 (between the script and the wait for a replica is no public place)
    ask: Callable[..., Awaitable[None]] = GameClock._ask  # noqa: SLF001 (same, around what a clock asks)
    write: Callable[..., None] = JournalWriter.append

    async def appended(log: StreamLog, batch: Any) -> Any:  # noqa: ANN401 (as it is)
        there.passed(points.BEFORE_APPEND)
        answer = await append(log, batch)
        there.passed(points.AFTER_APPEND)
        return answer

    async def waited(connection: Any) -> bool:  # noqa: ANN401 (as it is)
        there.passed(points.BEFORE_WAIT)
        return await wait(connection)

    def replied(*args: Any, **named: Any) -> Any:  # noqa: ANN401 (as it is)
        reply = receipt_of(*args, **named)
        there.passed(points.BEFORE_REPLY)
        return reply

    async def asked(clock: GameClock, batch: Any) -> None:  # noqa: ANN401 (as it is)
        there.passed(points.BEFORE_ASKING)
        await ask(clock, batch)
        there.passed(points.AFTER_ASKING)

    def written(writer: JournalWriter, entries: Any) -> None:  # noqa: ANN401 (as it is)
        there.passed(points.BEFORE_WRITING)
        write(writer, entries)
        there.passed(points.AFTER_WRITING)

    StreamLog.append = appended  # type: ignore[assignment,method-assign]  # this process is there for that
    confirming._is_replicated = waited  # noqa: SLF001 (same)
    decisions.receipt_of = replied  # type: ignore[attr-defined]  # same
    GameClock._ask = asked  # type: ignore[assignment,method-assign]  # noqa: SLF001 (same)
    JournalWriter.append = written  # type: ignore[assignment,method-assign]  # same


def forget_keys() -> None:
    """Take every request for a new one."""

    def drawn(_: KeyRing, __: str, ___: str) -> str:
        return secrets.token_urlsafe(16)

    KeyRing.command_id = drawn  # type: ignore[assignment,method-assign]  # same


def main(arguments: list[str]) -> int:
    """Run a part as its own program does; the exit code."""
    plant(FaultPoints(Path(os.environ[points.AT_FILE])))
    if os.environ.get(FORGETS):
        forget_keys()
    return serve([]) if arguments == [API] else work(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
