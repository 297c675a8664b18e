"""File descriptors: as many as the system allows, and some that no caller gets.

A connection is a descriptor, and so is each connection to the store and each open file. A service
that has given all of them to callers cannot ask its store, nor open a file, nor accept anybody.
"""

from __future__ import annotations

import resource
from typing import Final

import structlog

OWN: Final = 64
"""How many a process keeps for itself at least: connections to the store, files, the loop's own."""

_UNBOUNDED: Final = 1 << 20
"""What is asked for where the system sets no bound: its own bound on a process, as a rule."""

_log = structlog.get_logger(__name__)


def raised() -> int:
    """Raise this process's limit as far as it may, and tell it (``RLIMIT_NOFILE``)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _UNBOUNDED if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as error:  # above what the kernel gives any process
        _log.warning("descriptors_not_raised", limit=soft, reason=str(error))
        return soft
    return wanted


def for_callers(descriptors: int, percent: int) -> int:
    """How many of them may be callers' connections, at least one; at 100 percent all of them."""
    share = descriptors * percent // 100
    kept = OWN if percent < 100 else 0  # noqa: PLR2004 (a hundred in a hundred)
    return max(1, min(share, descriptors - kept))
