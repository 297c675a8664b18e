"""The agenda: what the engine still has to do, as data (§12.5; pure).

The agenda is a stack; its last frame is next. Frames are public: they hold references, never a
secret. They are a stored format: tags and field order are never changed, only added to at the end,
with a default.
"""

from __future__ import annotations

from msgspec import Struct

from events.kernel import Seat


class Frame(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """One thing to do."""


class RoundStage(Frame, frozen=True, array_like=True, omit_defaults=True, tag="stage"):
    """Begin a stage of the round (§4.1).

    ``stage`` is ``draw``, ``panic``, ``wandering``, ``pre_zombies``, ``zombies``, ``end_round`` or
    ``end``; ``humans`` and ``zombies`` are those of the setup.
    """

    stage: str


class PlaceHuman(Frame, frozen=True, array_like=True, omit_defaults=True, tag="place-human"):
    """Wait for ``seat`` to place a human (§3.4)."""

    seat: Seat
    id: str


class PlaceZombie(Frame, frozen=True, array_like=True, omit_defaults=True, tag="place-zombie"):
    """Wait for ``seat`` to place a zombie of its own (§3.5)."""

    seat: Seat
    id: str


class WanderTurn(Frame, frozen=True, array_like=True, omit_defaults=True, tag="wander-turn"):
    """Wait for a turn of wandering (§4.5.1)."""

    seat: Seat
    id: str


class Wanderers(Frame, frozen=True, array_like=True, omit_defaults=True, tag="wanderers"):
    """Give the next turn of wandering to whoever has it, or deal the batch (§4.5)."""


class WanderBatch(Frame, frozen=True, array_like=True, omit_defaults=True, tag="wander-batch"):
    """Wait for the sealed answers of the batch (§4.5.2)."""


class Goes(Frame, frozen=True, array_like=True, omit_defaults=True, tag="goes"):
    """Give the next go to whoever has it (§4.6)."""


class Go(Frame, frozen=True, array_like=True, omit_defaults=True, tag="go"):
    """Wait for a seat to choose what it does in its go (§4.6)."""

    seat: Seat
    id: str


class GoEnd(Frame, frozen=True, array_like=True, omit_defaults=True, tag="go-end"):
    """The running go is over."""


class AskAgain(Frame, frozen=True, array_like=True, omit_defaults=True, tag="ask-again"):
    """After a window of kind O: ask the seat anew, if there is still something to ask (§4.6)."""

    seat: Seat


class ActivationEnd(Frame, frozen=True, array_like=True, omit_defaults=True, tag="activated"):
    """The path has been carried out: attack, or end the go (§4.7.4)."""


class Answers(Frame, frozen=True, array_like=True, omit_defaults=True, tag="answers"):
    """Wait for the sealed answers to the version of the window (§5.3.2)."""


class Reopen(Frame, frozen=True, array_like=True, omit_defaults=True, tag="reopen"):
    """After a card: open the next version of the window (§5.3.5)."""

    seat: Seat


class Replan(Frame, frozen=True, array_like=True, omit_defaults=True, tag="replan"):
    """Wait for the mover to say how it goes on after a card (§4.7.3)."""

    seat: Seat
    id: str


class Support(Frame, frozen=True, array_like=True, omit_defaults=True, tag="support"):
    """Wait for the principal's seat to propose who supports it (§4.8.3)."""

    seat: Seat
    id: str


class Consents(Frame, frozen=True, array_like=True, omit_defaults=True, tag="consents"):
    """Wait for the sealed consents to a proposal (§4.8.3)."""

    id: str


class CombatWindow(Frame, frozen=True, array_like=True, omit_defaults=True, tag="combat"):
    """Supports are fixed: count them, let humans join, open window C (§4.8.4)."""


class Discards(Frame, frozen=True, array_like=True, omit_defaults=True, tag="discards"):
    """Wait for the sealed discards of the end of the round (§4.11.1)."""


WorkFrame = RoundStage | Wanderers | Goes | GoEnd | AskAgain | ActivationEnd | Reopen | CombatWindow
"""What the engine takes off and does."""

WaitFrame = (
    PlaceHuman
    | PlaceZombie
    | WanderTurn
    | WanderBatch
    | Go
    | Answers
    | Replan
    | Support
    | Consents
    | Discards
)
"""Where the game may stand still: each is taken off once nobody need be waited for."""

AnyFrame = WorkFrame | WaitFrame
