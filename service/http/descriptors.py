"""File descriptors: as many as the system allows, with a reserve for the service itself.

Every connection uses a descriptor, and so does each connection to the store and each open file. A
service that has given all of them to callers can neither reach its store nor open a file nor accept
anybody.
"""

from __future__ import annotations

import resource
from typing import Final

from events.logger import get_logger

OWN: Final = 64
"""The least that a process reserves for itself: store connections, files, the event loop."""

_UNBOUNDED: Final = 1 << 20
"""What is requested where the system sets no limit: usually the kernel's per-process limit."""

_log = get_logger(__name__)


def raised() -> int:
    """Raise this process's ``RLIMIT_NOFILE`` as far as allowed, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _UNBOUNDED if hard == resource.RLIM_INFINITY else hard
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as error:  # above the kernel's per-process limit
        _log.warning("descriptors_not_raised", limit=soft, reason=str(error))
        return soft
    return wanted


def for_callers(descriptors: int, percent: int) -> int:
    """How many descriptors callers may use: at least one, and all of them at 100 percent."""
    share = descriptors * percent // 100
    kept = OWN if percent < 100 else 0  # noqa: PLR2004 (percent)
    return max(1, min(share, descriptors - kept))
