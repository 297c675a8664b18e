"""The agenda: what the engine still has to do, as data (architecture §3; pure).

The agenda is a stack; its last frame is next. Frames are public: they hold references ("slot 2 of
max"), never a secret value. They are a stored format: tags and field order are never changed, only
added to at the end, with a default.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.room25.model.board import Cell, Direction


class Frame(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """One thing to do."""


class Turn(Frame, frozen=True, array_like=True, omit_defaults=True, tag="turn"):
    """Go on with the turn at ``stage``, one of those of ``rules.turn_structure.turn``."""

    stage: str


class Clues(Frame, frozen=True, array_like=True, omit_defaults=True, tag="clues"):
    """Wait until every player has chosen a room to look at (§4.1.7)."""


class Programs(Frame, frozen=True, array_like=True, omit_defaults=True, tag="programs"):
    """Wait until every programming character has a programme (§4.3)."""


class Round(Frame, frozen=True, array_like=True, omit_defaults=True, tag="round"):
    """Serve the slots of those in ``queue``, in that order (§4.4)."""

    number: int
    queue: tuple[str, ...]


class Slot(Frame, frozen=True, array_like=True, omit_defaults=True, tag="slot"):
    """Begin a character's slot of round ``number``."""

    character: str
    number: int


class SlotEnd(Frame, frozen=True, array_like=True, omit_defaults=True, tag="slot-end"):
    """End a character's slot: deadlines of §4.4.6."""

    character: str
    number: int


class TakeAction(Frame, frozen=True, array_like=True, omit_defaults=True, tag="act"):
    """Turn up a token and carry it out; ``slot`` is 1 or 2, or 3 for adrenaline (§4.6.1)."""

    character: str
    slot: int
    token: str


class ActionEnd(Frame, frozen=True, array_like=True, omit_defaults=True, tag="action-end"):
    """End of an action (§4.4.5).

    ``armed`` is the entry number with which the character stood in an armed trap when the action
    began, 0 if in none; ``hidden`` whether it was hidden then.
    """

    character: str
    armed: int = 0
    hidden: bool = False


class Resolution(Frame, frozen=True, array_like=True, omit_defaults=True, tag="resolution"):
    """The ground of one resolution; ``triggered`` is its chain guard (R47)."""

    triggered: tuple[str, ...] = ()


class Ask(Frame, frozen=True, array_like=True, omit_defaults=True, tag="ask"):
    """Ask the player of ``character`` for a choice of ``kind``, a ``Question``.

    ``group``, ``cell`` and ``way`` say what the choice is about where a room asks it: who
    entered, where, and by a step in which direction. ``about`` says what else a kind needs.
    """

    kind: str
    character: str
    id: str = ""
    group: tuple[str, ...] = ()
    cell: Cell = ""
    way: Direction = ""
    about: tuple[str, ...] = ()


class Enter(Frame, frozen=True, array_like=True, omit_defaults=True, tag="enter"):
    """Bring a group to ``cell``: it leaves together and arrives together (§5.1).

    ``departed``: what its leaving sets off is done.
    """

    group: tuple[str, ...]
    cell: Cell
    way: Direction = ""
    cause: str = "move"
    departed: bool = False


class Effect(Frame, frozen=True, array_like=True, omit_defaults=True, tag="effect"):
    """Carry out the effect of the room on ``cell`` on the group that entered it (§5.4)."""

    group: tuple[str, ...]
    cell: Cell
    way: Direction = ""


class Adrenaline(Frame, frozen=True, array_like=True, omit_defaults=True, tag="adrenaline"):
    """Serve those in ``queue`` who have programmed adrenaline (§4.6.1)."""

    queue: tuple[str, ...]


class Boost(Frame, frozen=True, array_like=True, omit_defaults=True, tag="boost"):
    """One character's adrenaline action, and after it the flood (§4.6.1)."""

    character: str


class FloodRoom(Frame, frozen=True, array_like=True, omit_defaults=True, tag="flood"):
    """The check of flooded and burning rooms for one character (§4.4.6)."""

    character: str


class DrawCard(Frame, frozen=True, array_like=True, omit_defaults=True, tag="draw"):
    """Draw and resolve cards one after the other (§6.4); ``character`` drew it in a M.A.C. room.

    ``held`` are the cards that are still being resolved, which no shuffle may take up again.
    """

    count: int
    character: str = ""
    held: tuple[str, ...] = ()


class Card(Frame, frozen=True, array_like=True, omit_defaults=True, tag="card"):
    """Resolve a card, or go on with it at ``step``; ``names`` are those still to be served.

    At step -1 nothing is left to do: the card waits for what comes of it, and is discarded then.
    ``held`` are the cards that drew this one and are still being resolved.
    """

    card: str
    character: str = ""
    step: int = 0
    names: tuple[str, ...] = ()
    cell: Cell = ""
    held: tuple[str, ...] = ()


class RobotOrder(Frame, frozen=True, array_like=True, omit_defaults=True, tag="robot-order"):
    """Have ``character`` give a robot order, if one is legal (§6.3)."""

    character: str


class Carried(Frame, frozen=True, array_like=True, omit_defaults=True, tag="carried"):
    """Decide which of two who entered an acid bath together dies (D13)."""

    group: tuple[str, ...]
    cell: Cell


class SecondStep(Frame, frozen=True, array_like=True, omit_defaults=True, tag="second-step"):
    """Offer a killer its second step (§6.5)."""

    character: str


class SecondPush(Frame, frozen=True, array_like=True, omit_defaults=True, tag="second-push"):
    """Carry out a brute's second push, if it is still possible (R118)."""

    victim: str
    cell: Cell


class CheckEnd(Frame, frozen=True, array_like=True, omit_defaults=True, tag="check"):
    """The checks of §4.8."""


WorkFrame = (
    Turn
    | Round
    | Slot
    | SlotEnd
    | TakeAction
    | ActionEnd
    | Resolution
    | Enter
    | Effect
    | Adrenaline
    | Boost
    | FloodRoom
    | DrawCard
    | Card
    | RobotOrder
    | Carried
    | SecondStep
    | SecondPush
    | CheckEnd
)
"""What the engine takes off and does."""

WaitFrame = Clues | Programs | Ask
"""Where the game may stand still: each is taken off once nobody need be waited for."""

AnyFrame = WorkFrame | WaitFrame

Question = Literal[
    "acid_victim",
    "adrenaline_action",
    "android",
    "card_android",
    "card_carry",
    "card_lock",
    "card_lock_target",
    "card_push",
    "card_push_other",
    "card_robot",
    "card_scatter",
    "card_swap",
    "control_room",
    "control_target",
    "delay_single",
    "free_action",
    "illusion_target",
    "killer_step",
    "look_target",
    "move_target",
    "moving_target",
    "next_character",
    "pivot_orientation",
    "push_target",
    "robot_order",
    "robot_order_again",
    "secrets_target",
    "special_choice",
    "summon_refuse",
    "traitor_change",
    "tunnel_target",
    "vision_target",
]
"""The kinds of decisions that an ``Ask`` may ask for (§4.7)."""
