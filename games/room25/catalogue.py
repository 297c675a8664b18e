"""Things common to all rulebooks: actions, characters, room kinds (§1; data).

What they are called stands in ``games.words``; no rule is computed from it.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

Color = Literal["blue", "green", "yellow", "red"]

COLORS: Final[tuple[Color, ...]] = ("green", "yellow", "red", "blue")
"""The colours that a player may claim for a room, in option order."""

BASIC_ACTIONS: Final = ("look", "move", "push", "control")
"""The basic action tokens in their canonical order (§1.2)."""

DEFAULT_ORDER: Final = ("look", "push", "control", "move", "special")
"""Which single token a time-out programmes: the first one at hand (D2, R18)."""

SPECIAL: Final = "special"
"""The fifth token, for a character's own ability (§6.1)."""

PRISONER: Final = "prisoner"
GUARD: Final = "guard"
GUARD_IDENTITIES: Final = ("hacker", "brute", "architect", "killer", "traitor")
"""The guards of a rulebook in which each has a power of its own (§6.5)."""


def is_guard(role: str | None) -> bool:
    """Whether a known role is a guard's, of whatever identity."""
    return role is not None and role != PRISONER


class Character(Struct, frozen=True):
    """A character of the box: its duo, and the shape of its base (§1.3, R10)."""

    id: str
    duo: int
    shape: str


CHARACTERS: Final[tuple[Character, ...]] = (
    Character("emmett", 1, "square"),
    Character("kevin", 1, "square"),
    Character("franck", 2, "round"),
    Character("jennifer", 2, "round"),
    Character("max", 3, "cross"),
    Character("alice", 3, "cross"),
    Character("sarah", 4, "square"),
    Character("bruce", 4, "round"),
)
"""All characters; every rulebook has the first six."""

PASSIVE: Final[dict[str, tuple[str, ...]]] = {"alice": ("android",), "emmett": ("pin",)}
"""Abilities that take no action, where a table plays with special abilities (§6.1)."""

SIX: Final = tuple(c.id for c in CHARACTERS[:6])
EIGHT: Final = tuple(c.id for c in CHARACTERS)


class RoomKind(Struct, frozen=True):
    """A kind of room and its colour class (§1.1); ``games.words`` says what it is and does."""

    id: str
    color: Color


ROOM_KINDS: Final[dict[str, RoomKind]] = {
    room.id: room
    for room in (
        RoomKind("central", "blue"),
        RoomKind("room25", "blue"),
        RoomKind("key", "blue"),
        RoomKind("empty", "green"),
        RoomKind("vision", "green"),
        RoomKind("moving", "green"),
        RoomKind("control", "green"),
        RoomKind("tunnel", "green"),
        RoomKind("regeneration", "green"),
        RoomKind("robot", "green"),
        RoomKind("secrets", "green"),
        RoomKind("vortex", "yellow"),
        RoomKind("jail", "yellow"),
        RoomKind("cold", "yellow"),
        RoomKind("dark", "yellow"),
        RoomKind("pivoting", "yellow"),
        RoomKind("mac", "yellow"),
        RoomKind("mirror", "yellow"),
        RoomKind("jamming", "yellow"),
        RoomKind("condemned", "yellow"),
        RoomKind("burning", "red"),
        RoomKind("shredder", "red"),
        RoomKind("paranoia", "red"),
        RoomKind("timer", "red"),
        RoomKind("acid", "red"),
        RoomKind("trap", "red"),
        RoomKind("flooded", "red"),
        RoomKind("mortal", "red"),
        RoomKind("illusion", "red"),
    )
}
"""All room kinds, by id."""


def color_of(kind: str) -> Color:
    """The colour class of a kind."""
    return ROOM_KINDS[kind].color
