"""The house bot ``steady``, which plays Room 25 sensibly from its own seat's view (pure)."""

from games.room25.bots.steady import Steady

__all__ = ["Steady"]
