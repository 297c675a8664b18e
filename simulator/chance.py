"""The chance of the drivers: seeded, so that a failure comes back."""

from __future__ import annotations

from random import Random


def chance(*parts: object) -> Random:
    """A generator made of ``parts``, whose text is its seed."""
    return Random("/".join(map(str, parts)))  # noqa: S311 (it decides games, not secrets)


def often(rng: Random, share: float) -> bool:
    """Whether something of this probability happens."""
    return rng.random() < share
