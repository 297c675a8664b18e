"""Which lines of some modules a piece of work runs through."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

Lines = set[tuple[str, int]]


class Footprint:
    """Follows work through the modules of a folder; anything else runs at full speed."""

    def __init__(self, folder: Path) -> None:
        self._start = f"{folder}/"
        self.lines: Lines = set()

    @contextmanager
    def follow(self) -> Iterator[Lines]:
        """Collect the lines, as (module's path in the folder, number), that run inside."""
        self.lines = set()
        _forget_answers()
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield self.lines
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ANN401 (a tracer)
        name = frame.f_code.co_filename
        if not name.startswith(self._start):
            return None
        self._step(frame, event, argument)
        return self._step

    def _step(self, frame: FrameType, _: str, __: Any) -> Any:  # noqa: ANN401 (a tracer)
        self.lines.add((frame.f_code.co_filename.removeprefix(self._start), frame.f_lineno))
        return self._step


def _forget_answers() -> None:
    """Whoever asks a cached function is to run through it, not only the first."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games."):
            for value in list(vars(module).values()):
                forget = getattr(value, "cache_clear", None)
                if forget is not None:
                    forget()
