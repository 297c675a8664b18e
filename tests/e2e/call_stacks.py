"""The stack that playwright keeps of each call, read without looking for sources."""

from __future__ import annotations

import sys
from inspect import FrameInfo
from types import FrameType, SimpleNamespace

import pytest
from playwright._impl import _connection, _sync_base


def stack(context: int = 1) -> list[FrameInfo]:
    """What ``inspect.stack(0)`` gives its caller, the innermost frame first.

    ``context`` is how many lines of source are wanted, which must be none.
    """
    assert context == 0, "no source is read here"
    found: list[FrameInfo] = []
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 (as inspect itself does)
    while frame is not None:
        code = frame.f_code
        found.append(FrameInfo(frame, code.co_filename, frame.f_lineno, code.co_name, None, None))
        frame = frame.f_back
    return found


def quicken(patched: pytest.MonkeyPatch) -> None:
    """Let playwright use ``stack`` for its own.

    Before each call, and whenever somebody begins or ends to listen, it asks ``inspect``, which
    looks for the file of every frame: 3 ms of a core, because of the frames of pytest's workers
    that have none, and are sought among all modules.
    """
    for asking in (_sync_base, _connection):
        patched.setattr(asking, "inspect", SimpleNamespace(stack=stack))
