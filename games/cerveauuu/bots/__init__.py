"""The house bots of Cerveauuu!: ``random`` and ``steady``, each with its own view alone (pure)."""

from games.cerveauuu.bots.at_random import AtRandom
from games.cerveauuu.bots.steady import Steady

__all__ = ["AtRandom", "Steady"]
