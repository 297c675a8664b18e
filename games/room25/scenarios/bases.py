"""The tables that scenarios begin with, by name (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.room25.model.catalogue import GUARD, PRISONER
from games.room25.model.characters import SIX
from games.scenarios import Base

_FOUR: Final = SIX[:4]
_SIX: Final = SIX


def _base(about: str, mode: str, seats: Sequence[tuple[str, ...]], guards: str = "") -> Base:
    """A table: the characters of each seat, and who are the guards where there are roles."""
    characters: dict[str, dict[str, object]] = {}
    for seat, names in enumerate(seats, 1):
        for name in names:
            role = GUARD if name in guards.split() else PRISONER
            characters[name] = {"seat": seat, **({"role": role} if guards else {})}
    return Base(
        about=about,
        told="; ".join(", ".join(_told(name, guards) for name in names) for names in seats),
        mode=mode,
        seats=len(seats),
        situation={"characters": characters},
    )


def _told(name: str, guards: str) -> str:
    return f"`{name}`" + (f" ({GUARD})" if name in guards.split() else "")


def _one_each(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [(name,) for name in names]


def _two_each(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(names[n : n + 2]) for n in range(0, len(names), 2)]


BASES: Final[Mapping[str, Base]] = {
    "four-suspects": _base("three prisoners and a guard", "suspicion", _one_each(_FOUR), _FOUR[3]),
    "six-suspects": _base(
        "four prisoners and two guards", "suspicion", _one_each(_SIX), " ".join(_SIX[4:])
    ),
    "four-allies": _base("four prisoners", "cooperation", _one_each(_FOUR)),
    "one-alone": _base("one player with four characters", "solo", [_FOUR]),
    "two-rivals": _base("two players with two characters each", "competition", _two_each(_FOUR)),
    "three-rivals": _base("three players with two characters each", "competition", _two_each(_SIX)),
    "two-teams": _base("two teams of two players", "team", _one_each(_FOUR)),
    "three-teams": _base("three teams of two players", "team", _one_each(_SIX)),
}
"""All of them; everybody stands in the Central Room, in the third turn, and all rooms are empty."""
