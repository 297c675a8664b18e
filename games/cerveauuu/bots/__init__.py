"""The house bot ``steady``, which plays Cerveauuu! sensibly from its own seat's view (pure)."""

from games.cerveauuu.bots.steady import Steady

__all__ = ["Steady"]
