"""Words and things common to all rulebooks: actions, characters, room kinds (§1; data).

Descriptions are for people who browse ``GET /v1/rulebooks``; no rule is computed from them.
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

SIX: Final = tuple(c.id for c in CHARACTERS[:6])
EIGHT: Final = tuple(c.id for c in CHARACTERS)


class RoomKind(Struct, frozen=True):
    """A kind of room: its colour class (§1.1) and, in our words, what it does (§5.4)."""

    id: str
    name: str
    color: Color
    effect: str


ROOM_KINDS: Final[dict[str, RoomKind]] = {
    room.id: room
    for room in (
        RoomKind(
            "central",
            "Central Room",
            "blue",
            "Everybody starts here. It never moves. One may only look and move from it.",
        ),
        RoomKind(
            "room25",
            "Room 25",
            "blue",
            "The exit. Whoever stands in it may push it out of the complex with a control action.",
        ),
        RoomKind(
            "key",
            "Key Room",
            "blue",
            "The first to enter switches Room 25 on; nobody escapes before. It is empty from then "
            "on.",
        ),
        RoomKind("empty", "Empty Room", "green", "Nothing happens."),
        RoomKind(
            "vision",
            "Vision Chamber",
            "green",
            "Look at any one face-down room of the complex.",
        ),
        RoomKind(
            "moving",
            "Moving Chamber",
            "green",
            "Swap this room, and everybody in it, with any face-down room.",
        ),
        RoomKind(
            "control",
            "Control Chamber",
            "green",
            "Shift any movable line one step, but not against its marker.",
        ),
        RoomKind(
            "tunnel",
            "Tunnel Room",
            "green",
            "Go to another face-up tunnel room, if there is one.",
        ),
        RoomKind(
            "regeneration",
            "Regeneration Room",
            "green",
            "If anybody is dead, all the dead come back in the Central Room; this room is empty "
            "from then on.",
        ),
        RoomKind(
            "robot",
            "Robot Room",
            "green",
            "Bring a robot into play, as long as there are fewer than face-up Robot Rooms; then "
            "order a robot about.",
        ),
        RoomKind(
            "secrets",
            "Chamber of Secrets",
            "green",
            "In suspicion: see somebody's role.",
        ),
        RoomKind("vortex", "Vortex Room", "yellow", "Go back to the Central Room."),
        RoomKind(
            "jail",
            "Jail Cell",
            "yellow",
            "One may leave only to an adjacent occupied room or to the adjacent Central Room.",
        ),
        RoomKind(
            "cold",
            "Cold Chamber",
            "yellow",
            "Whoever is inside when programming begins takes only one action that turn.",
        ),
        RoomKind("dark", "Dark Chamber", "yellow", "One cannot look from here."),
        RoomKind(
            "pivoting",
            "Pivoting Room",
            "yellow",
            "A corridor with two exits, turned to the way by which one came in.",
        ),
        RoomKind("mac", "M.A.C. Room", "yellow", "Draw a card; it concerns whoever came in."),
        RoomKind(
            "mirror",
            "Mirror Room",
            "yellow",
            "Lose your adrenaline and the actions you still have programmed.",
        ),
        RoomKind(
            "jamming",
            "Jamming Room",
            "yellow",
            "Nobody may talk while somebody is inside.",
        ),
        RoomKind(
            "condemned",
            "Condemned Chamber",
            "yellow",
            "It is sealed behind the first to enter.",
        ),
        RoomKind(
            "burning",
            "Burning Chamber",
            "red",
            "Whoever is still here after their second slot of the next turn dies.",
        ),
        RoomKind(
            "shredder",
            "Shredder Room",
            "red",
            "When somebody leaves, everybody still inside dies and the room is sealed.",
        ),
        RoomKind(
            "paranoia",
            "Paranoia Room",
            "red",
            "As long as you are inside, your actions are drawn at random from all your tokens.",
        ),
        RoomKind(
            "timer",
            "Timer Room",
            "red",
            "One turn less is left, or whoever came in dies if it was the last. Then it is empty.",
        ),
        RoomKind(
            "acid",
            "Acid Bath",
            "red",
            "Whoever was here before dies when somebody else comes in.",
        ),
        RoomKind(
            "trap",
            "Trapped Room",
            "red",
            "Whoever is still here at the end of their next action dies.",
        ),
        RoomKind(
            "flooded",
            "Flooded Room",
            "red",
            "It is sealed behind whoever enters, and they die if they are still here after their "
            "second slot of the next turn.",
        ),
        RoomKind("mortal", "Mortal Room", "red", "Whoever enters dies at once."),
        RoomKind(
            "illusion",
            "Illusion Chamber",
            "red",
            "It changes places with any face-down room, which turns up and acts on the one who "
            "came in.",
        ),
    )
}
"""All room kinds, by id."""


def color_of(kind: str) -> Color:
    """The colour class of a kind."""
    return ROOM_KINDS[kind].color
