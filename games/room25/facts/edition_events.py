"""What only some rulebooks have: adrenaline, robots, cards, abilities, guard powers (pure)."""

from __future__ import annotations

from typing import Final, get_args

from msgspec import UNSET

from events.kernel import AtEnd, Event, OnlySeat, Public, Seat
from games.room25.model.board import Cell


class ProgramShown(Event, frozen=True, tag="program-shown"):
    """A programme that lies open, with whether adrenaline is in it (R14)."""

    publishes = True
    character: Public[str]
    tokens: Public[tuple[str, ...]]
    adrenaline: Public[bool] = False


class TokenDiscarded(Event, frozen=True, tag="token-discarded"):
    """A programmed action was lost before its slot; the slot stays empty (§3.5, §6.4)."""

    character: Public[str]
    slot: Public[int]
    token: Public[str]


class TokenReplaced(Event, frozen=True, tag="token-replaced"):
    """A traitor changed its programme (§6.5); a token for a later slot stays secret (R118)."""

    seat: Public[Seat]
    character: Public[str]
    tokens: OnlySeat[tuple[str, ...]] = UNSET


class ActionPenalised(Event, frozen=True, tag="action-penalised"):
    """A character lost an action for the rest of the game (§6.4).

    ``slot`` is where it was programmed and not yet turned up, 0 if it was not: the token is then
    discarded, so all learn whether it is in the programme. ``drawn``: it had left the paranoia
    stack before the position was laid out, which the log does not tell otherwise.
    """

    publishes = True
    character: Public[str]
    token: Public[str]
    slot: Public[int] = 0
    drawn: Public[bool] = False


class AdrenalineChanged(Event, frozen=True, tag="adrenaline-changed"):
    """A character's adrenaline is ``available``, ``programmed`` or ``spent`` now."""

    character: Public[str]
    adrenaline: Public[str]


class ProgramCancelled(Event, frozen=True, tag="program-cancelled"):
    """What was left of a programme is gone, unseen (R67)."""

    character: Public[str]


class ParanoiaBegan(Event, frozen=True, tag="paranoia-began"):
    """A character draws its actions from all its tokens from now on (§5.4)."""

    character: Public[str]
    stacked: Public[int]
    stack: AtEnd[tuple[str, ...]] = UNSET


class ParanoiaEnded(Event, frozen=True, tag="paranoia-ended"):
    """A character left the room, or its tokens ran out (R68). ``now``: it draws no more."""

    character: Public[str]
    now: Public[bool]


class ColdLingers(Event, frozen=True, tag="cold-lingers"):
    """A character may take only one action in its next turn (R58)."""

    character: Public[str]


class RoomTurned(Event, frozen=True, tag="room-turned"):
    """A pivoting room's corridor has this axis now."""

    cell: Public[Cell]
    axis: Public[str]


class RoomReplaced(Event, frozen=True, tag="room-replaced"):
    """A tile was replaced by a face-up empty one; seal and lock went back to supply (§5.5)."""

    cell: Public[Cell]
    kind: Public[str]


class RoomTurnedDown(Event, frozen=True, tag="room-turned-down"):
    """A face-up tile was turned face-down; everybody remembers what it is.

    A lock on it goes back to supply: locks lie on face-up tiles only (R135).
    """

    cell: Public[Cell]


class RoomUnsealed(Event, frozen=True, tag="room-unsealed"):
    """A seal was taken away."""

    cell: Public[Cell]


class RoomLocked(Event, frozen=True, tag="room-locked"):
    """A lock was put on a tile: from supply, or from the tile on ``moved_from``."""

    cell: Public[Cell]
    moved_from: Public[Cell | None] = None


class LocksGone(Event, frozen=True, tag="locks-gone"):
    """All locks left the complex (Emmett died)."""


class SpareUsed(Event, frozen=True, tag="spare-used"):
    """A character used one of its spare empty tiles."""

    character: Public[str]


class CharacterHid(Event, frozen=True, tag="character-hid"):
    """A character is hidden until the end of its next action (§6.2)."""

    character: Public[str]


class CharacterShowed(Event, frozen=True, tag="character-showed"):
    """A hidden character is visible again."""

    character: Public[str]


class CharacterReturned(Event, frozen=True, tag="character-returned"):
    """A dead character came back to life in the Central Room (R63, R96).

    ``locks`` are in supply again where it brings them.
    """

    character: Public[str]
    entry: Public[int]
    locks: Public[int | None] = None


class KeyTurned(Event, frozen=True, tag="key-turned"):
    """The key room was entered: Room 25 can leave from now on."""


class TurnsCut(Event, frozen=True, tag="turns-cut"):
    """The Timer Room took a turn: the game now ends with ``last_turn``."""

    last_turn: Public[int]


class RobotPlaced(Event, frozen=True, tag="robot-placed"):
    """A robot came to a cell: from supply, by an order or a card."""

    robot: Public[int]
    cell: Public[Cell]


class RobotRemoved(Event, frozen=True, tag="robot-removed"):
    """A robot went back to supply."""

    robot: Public[int]


class SpecialUsed(Event, frozen=True, tag="special-used"):
    """A character used a special ability; ``option`` is what was chosen."""

    character: Public[str]
    option: Public[str]


class OfferRefused(Event, frozen=True, tag="offer-refused"):
    """A character refused to be moved: Alice by a robot (R66), Jennifer by a mimic (D21)."""

    character: Public[str]


class RolePeeked(Event, frozen=True, tag="role-peeked"):
    """A player saw another character's role (§5.4, ``secrets``)."""

    publishes = True
    seat: Public[Seat]
    character: Public[str]
    role: OnlySeat[str] = UNSET


class DeckShuffled(Event, frozen=True, tag="deck-shuffled"):
    """The draw pile was made: at the beginning, or of the discarded cards (R75).

    ``discard`` is what lies face-up beside it: in a scenario, or cards still being resolved.
    """

    count: Public[int]
    discard: Public[tuple[str, ...]] = ()
    cards: AtEnd[tuple[str, ...]] = UNSET


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """The top card was turned up; ``stays``: it lies there until the countdown.

    ``character`` entered a M.A.C. room (R74); without one it is a card step of the turn (§6.4).
    """

    publishes = True
    card: Public[str]
    stays: Public[bool] = False
    character: Public[str | None] = None


class ReminderTaken(Event, frozen=True, tag="reminder-taken"):
    """A player took its reminder up again to move it (R97)."""

    seat: Public[Seat]


class PowerUsed(Event, frozen=True, tag="power-used"):
    """A revealed guard used its power (§6.5)."""

    character: Public[str]
    option: Public[str]


EditionEvent = (
    ProgramShown
    | TokenDiscarded
    | TokenReplaced
    | ActionPenalised
    | AdrenalineChanged
    | ProgramCancelled
    | ParanoiaBegan
    | ParanoiaEnded
    | ColdLingers
    | RoomTurned
    | RoomReplaced
    | RoomTurnedDown
    | RoomUnsealed
    | RoomLocked
    | LocksGone
    | SpareUsed
    | CharacterHid
    | CharacterShowed
    | CharacterReturned
    | KeyTurned
    | TurnsCut
    | RobotPlaced
    | RobotRemoved
    | SpecialUsed
    | OfferRefused
    | RolePeeked
    | DeckShuffled
    | CardDrawn
    | ReminderTaken
    | PowerUsed
)

EDITION_EVENTS: Final[tuple[type[Event], ...]] = get_args(EditionEvent)
"""The events above."""
