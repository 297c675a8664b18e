"""How long to wait before something is asked of the store again."""

from __future__ import annotations

from typing import Final

_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)


def pause_s(tries: int) -> float:
    """Seconds to wait after the first try (0) that was no use, the second (1), and so on."""
    return _PAUSES_S[min(tries, len(_PAUSES_S) - 1)]
