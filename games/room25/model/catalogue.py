"""Things common to all rulebooks: actions, roles, room kinds (§1; data).

What they are called stands in ``games.words``; no rule is computed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
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

Power = Literal["any_line", "double_push", "far_look", "second_step", "change_of_mind"]
"""What a guard can do once it has shown itself, in a rulebook with powers (§6.5)."""

GUARD_POWERS: Final[Mapping[str, Power]] = {
    "hacker": "any_line",
    "brute": "double_push",
    "architect": "far_look",
    "killer": "second_step",
    "traitor": "change_of_mind",
}
"""The power of each guard, by its identity."""

GUARD_IDENTITIES: Final = tuple(GUARD_POWERS)
"""The guards of a rulebook in which each has a power of its own."""


def is_guard(role: str | None) -> bool:
    """Whether a known role is a guard's, of whatever identity."""
    return role is not None and role != PRISONER


Trait = Literal[
    "confining",
    "lightless",
    "corridor",
    "chilling",
    "silencing",
    "sealable",
    "floods",
    "drowns",
    "shreds",
    "kills_with_robot",
    "deranging",
    "draws",
    "trapped",
    "transit",
    "restoring",
]
"""What a face-up room is to those inside, beside what it does to who enters (§5.2 to §5.5, §6).

``confining``: one leaves it only to company. ``lightless``: nobody looks from it. ``corridor``: one
leaves it, and looks, along its axis only. ``chilling``: one action, no adrenaline. ``silencing``:
nobody talks while somebody is on it. ``sealable``: it is ever sealed; ``floods``: by a robot, too.
``drowns``: it may set a deadline. ``shreds``: who stays behind when somebody leaves. For
``kills_with_robot`` see §5.3. ``deranging``: one draws one's actions. ``draws``: cards.
``trapped``: a trap is armed. ``transit``: one goes on to another of its kind. ``restoring``: the
dead come back.
"""


class RoomKind(Struct, frozen=True):
    """A kind of room: its colour class (§1.1) and its traits; what it does is in ``rules.rooms``.

    ``games.words`` says what it is called.
    """

    id: str
    color: Color
    traits: tuple[Trait, ...] = ()


CENTRAL: Final = "central"
"""The room in the middle, where everybody begins."""

EXIT: Final = "room25"
"""The room that all look for."""

EMPTY: Final = "empty"
"""The room that takes the place of one that is used up, and that fills boards."""

KEY: Final = "key"
"""The room without which the exit stays, in modes that need it."""

ROOM_KINDS: Final[dict[str, RoomKind]] = {
    room.id: room
    for room in (
        RoomKind(CENTRAL, "blue"),
        RoomKind(EXIT, "blue"),
        RoomKind(KEY, "blue"),
        RoomKind(EMPTY, "green"),
        RoomKind("vision", "green"),
        RoomKind("moving", "green"),
        RoomKind("control", "green"),
        RoomKind("tunnel", "green", ("transit",)),
        RoomKind("regeneration", "green", ("restoring",)),
        RoomKind("robot", "green"),
        RoomKind("secrets", "green"),
        RoomKind("vortex", "yellow"),
        RoomKind("jail", "yellow", ("confining",)),
        RoomKind("cold", "yellow", ("chilling",)),
        RoomKind("dark", "yellow", ("lightless",)),
        RoomKind("pivoting", "yellow", ("corridor",)),
        RoomKind("mac", "yellow", ("draws",)),
        RoomKind("mirror", "yellow"),
        RoomKind("jamming", "yellow", ("silencing",)),
        RoomKind("condemned", "yellow", ("sealable",)),
        RoomKind("burning", "red", ("drowns",)),
        RoomKind("shredder", "red", ("sealable", "shreds", "kills_with_robot")),
        RoomKind("paranoia", "red", ("deranging",)),
        RoomKind("timer", "red"),
        RoomKind("acid", "red", ("kills_with_robot",)),
        RoomKind("trap", "red", ("trapped",)),
        RoomKind("flooded", "red", ("sealable", "floods", "drowns")),
        RoomKind("mortal", "red"),
        RoomKind("illusion", "red"),
    )
}
"""All room kinds, by id."""


def color_of(kind: str) -> Color:
    """The colour class of a kind."""
    return ROOM_KINDS[kind].color


def is_kind(kind: str | None, trait: Trait) -> bool:
    """Whether rooms of a kind have a trait; what is not known, or no kind at all, has none."""
    room = ROOM_KINDS.get(kind or "")
    return room is not None and trait in room.traits


def kinds_with(trait: Trait) -> frozenset[str]:
    """The kinds of room that have a trait."""
    return frozenset(kind.id for kind in ROOM_KINDS.values() if trait in kind.traits)
