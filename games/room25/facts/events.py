"""What happens in a game of Room 25 (§3.11, §4.11; pure).

Secrets of several owners are separate events; what publishes a secret says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import UNSET, Struct, field

from events.kernel import AtEnd, Event, OnlySeat, Public, Seat
from games.room25.facts.edition_events import EDITION_EVENTS, EditionEvent
from games.room25.model.agenda import AnyFrame
from games.room25.model.board import Cell, Direction, Line


class Figure(Struct, frozen=True, omit_defaults=True):
    """A character as it enters the game: its player, its team and its action tokens."""

    id: str
    seat: Seat
    team: str
    tokens: tuple[str, ...]
    adrenaline: str = "none"
    spares: int = 0


class TileFacts(Struct, frozen=True, omit_defaults=True):
    """What everybody sees on a tile beside its kind."""

    seal: bool = False
    lock: bool = False
    axis: str | None = None
    reminders: tuple[Seat, ...] = ()


class FigureFacts(Struct, frozen=True, omit_defaults=True):
    """What everybody sees of a figure in an explicit situation; see ``state.Character``."""

    cell: Cell | None
    trap: int | None = None
    flood: int | None = None
    free: bool = False
    lost: tuple[str, ...] = ()
    adrenaline: str = "none"
    hidden: bool = False
    delayed: bool = False
    used: tuple[str, ...] = ()
    passed: bool = False
    acted: int = 0
    entry: int = 0
    cold_next: bool = False
    spares: int = 0


class GameBegan(Event, frozen=True, tag="game-began"):
    """The game was set up: who plays what, in which order, with which multiset of rooms (R134)."""

    rulebook: Public[str]
    mode: Public[str]
    options: Public[Mapping[str, object]]
    composition: Public[Mapping[str, int]]
    figures: Public[tuple[Figure, ...]]
    order: Public[tuple[str, ...]]
    last_turn: Public[int]
    robots: Public[int] = 0
    locks: Public[int] = 0


class ComplexLaid(Event, frozen=True, tag="complex-laid"):
    """The 25 tiles were laid out; ``kinds`` row-major, ``shown`` those that lie face-up."""

    shown: Public[Mapping[Cell, str]]
    kinds: AtEnd[tuple[str, ...]] = UNSET


class RoleDealt(Event, frozen=True, tag="role-dealt"):
    """A character got its role in secret (§4.1.5)."""

    seat: Public[Seat]
    character: Public[str]
    role: OnlySeat[str] = UNSET


class RolesLeftOver(Event, frozen=True, tag="roles-left-over"):
    """The role tiles that nobody got stay secret until the end (R13)."""

    count: Public[int]
    roles: AtEnd[tuple[str, ...]] = UNSET


class SituationSet(Event, frozen=True, tag="situation-set"):
    """A scenario put the table into an explicit situation."""

    turn: Public[int]
    last_turn: Public[int]
    order: Public[tuple[str, ...]]
    dead: Public[tuple[str, ...]]
    figures: Public[Mapping[str, FigureFacts]]
    tiles: Public[Mapping[Cell, TileFacts]] = field(default_factory=dict)
    markers: Public[Mapping[Line, Direction]] = field(default_factory=dict)
    room25_revealed: Public[bool] = False
    key_activated: Public[bool] = False
    robots: Public[tuple[Cell | None, ...] | None] = None
    locks: Public[int | None] = None
    shown: Public[tuple[str, ...]] = ()


class ClueChosen(Event, frozen=True, tag="clue-chosen"):
    """A player chose the room of its starting clue (§4.1.7)."""

    seat: Public[Seat]
    cell: OnlySeat[Cell] = UNSET


class CluesClosed(Event, frozen=True, tag="clues-closed"):
    """All starting clues are chosen; which room each player looks at is public now (§4.11)."""

    publishes = True
    cells: Public[Mapping[Seat, Cell]]


class RoomPeeked(Event, frozen=True, tag="room-peeked"):
    """A player looked at a face-down room: all see which, only the player learns what (§4.11)."""

    publishes = True
    seat: Public[Seat]
    cell: Public[Cell]
    kind: OnlySeat[str] = UNSET


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """A turn began; markers, programmes and everything per turn are gone (§4.2.1, §4.6.3)."""

    turn: Public[int]
    order: Public[tuple[str, ...]]


class GuardFreed(Event, frozen=True, tag="guard-freed"):
    """A revealed guard acts without programming from now on (§4.2.1)."""

    character: Public[str]


class ProgrammingOpened(Event, frozen=True, tag="programming-opened"):
    """Programming began; ``limited`` are those who may take one action only (§4.3.2)."""

    limited: Public[tuple[str, ...]] = ()


class ProgramSubmitted(Event, frozen=True, tag="program-submitted"):
    """A programme was handed in, or replaced one handed in before (§4.3.3)."""

    seat: Public[Seat]
    character: Public[str]
    tokens: OnlySeat[tuple[str, ...]] = UNSET
    adrenaline: OnlySeat[bool] = UNSET


class ProgrammingClosed(Event, frozen=True, tag="programming-closed"):
    """All programmes are in; how many actions each holds is public now (§4.3.3).

    ``adrenaline`` are those who have programmed a third action.
    """

    publishes = True
    actions: Public[Mapping[str, int]]
    adrenaline: Public[tuple[str, ...]] = ()


class SlotBegan(Event, frozen=True, tag="slot-began"):
    """A living character's slot began; its player's window for voluntary acts is open (R115).

    ``round`` 3 is the adrenaline round.
    """

    character: Public[str]
    round: Public[int]


class ActionDelayed(Event, frozen=True, tag="action-delayed"):
    """A single action was put off to round 2, unseen (R20)."""

    character: Public[str]


class ActionPassed(Event, frozen=True, tag="action-passed"):
    """One who acts without programming passed a slot (R23)."""

    character: Public[str]


class ActionRevealed(Event, frozen=True, tag="action-revealed"):
    """A token was turned up and is now carried out (§4.4.4)."""

    publishes = True
    character: Public[str]
    slot: Public[int]
    token: Public[str]
    drawn: Public[bool] = False


class ActionLost(Event, frozen=True, tag="action-lost"):
    """There was no legal way to carry the action out; it was an action all the same (R31)."""

    character: Public[str]
    token: Public[str]


class CharacterMoved(Event, frozen=True, tag="character-moved"):
    """A character entered a tile; its old deadlines are gone (§5.1). ``entry`` orders arrivals."""

    character: Public[str]
    cell: Public[Cell]
    entry: Public[int]
    cause: Public[str]


class RoomRevealed(Event, frozen=True, tag="room-revealed"):
    """A face-down room was turned up; reminder tokens on it went back (§5.1.2)."""

    publishes = True
    cell: Public[Cell]
    kind: Public[str]


class TilesSwapped(Event, frozen=True, tag="tiles-swapped"):
    """Two tiles changed places with everything on them (R44)."""

    first: Public[Cell]
    second: Public[Cell]
    cause: Public[str]


class LineShifted(Event, frozen=True, tag="line-shifted"):
    """A line moved one step with everything on it (§7.3); its marker shows the direction."""

    line: Public[Line]
    way: Public[Direction]
    cause: Public[str]


class RoomSealed(Event, frozen=True, tag="room-sealed"):
    """Nobody may enter this tile any more (§5.5)."""

    cell: Public[Cell]


class TrapArmed(Event, frozen=True, tag="trap-armed"):
    """A character must be off this tile at the end of its next action (R51)."""

    character: Public[str]
    tile: Public[int]


class FloodArmed(Event, frozen=True, tag="flood-armed"):
    """A character must be off this tile at the check of turn ``due`` (R52)."""

    character: Public[str]
    due: Public[int]


class CharacterEliminated(Event, frozen=True, tag="character-eliminated"):
    """A character died; ``cause`` is a room kind, or ``resigned``."""

    character: Public[str]
    cause: Public[str]


class RoleRevealed(Event, frozen=True, tag="role-revealed"):
    """A role became public: ``cause`` is ``own``, ``death`` or ``masks`` (§4.8, §4.9)."""

    publishes = True
    character: Public[str]
    role: Public[str]
    cause: Public[str]


class AlarmRaised(Event, frozen=True, tag="alarm-raised"):
    """Room 25 was entered early: the game now ends with turn ``last_turn`` (R70)."""

    last_turn: Public[int]


class EscapeAttempted(Event, frozen=True, tag="escape-attempted"):
    """Somebody inside pushed Room 25 towards an exit; ``outcome`` None: it wraps round (§7.4)."""

    publishes = True
    character: Public[str]
    line: Public[Line]
    way: Public[Direction]
    outcome: Public[str | None]


class ReminderPlaced(Event, frozen=True, tag="reminder-placed"):
    """A player marked a face-down tile (R97)."""

    seat: Public[Seat]
    cell: Public[Cell]


class ColorClaimed(Event, frozen=True, tag="color-claimed"):
    """A player said what colour a looked-at room has; it need not be true (R29)."""

    seat: Public[Seat]
    cell: Public[Cell]
    color: Public[str]


class SeatWithdrew(Event, frozen=True, tag="seat-withdrew"):
    """A player has resigned; its characters go on with defaults, or leave with their team (R19)."""

    seat: Public[Seat]


class AgendaSet(Event, frozen=True, tag="agenda-set"):
    """What the engine has still to do; ``asked`` counts the questions asked so far."""

    agenda: Public[tuple[AnyFrame, ...]]
    asked: Public[int]


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is decided (§4.10). ``winners`` are seats, the dead among them too (R94)."""

    publishes = True
    outcome: Public[str]
    winners: Public[tuple[Seat, ...]]
    score: Public[int | None] = None


BasicEvent = (
    GameBegan
    | ComplexLaid
    | RoleDealt
    | RolesLeftOver
    | SituationSet
    | ClueChosen
    | CluesClosed
    | RoomPeeked
    | TurnBegan
    | GuardFreed
    | ProgrammingOpened
    | ProgramSubmitted
    | ProgrammingClosed
    | SlotBegan
    | ActionDelayed
    | ActionPassed
    | ActionRevealed
    | ActionLost
    | CharacterMoved
    | RoomRevealed
    | TilesSwapped
    | LineShifted
    | RoomSealed
    | TrapArmed
    | FloodArmed
    | CharacterEliminated
    | RoleRevealed
    | AlarmRaised
    | EscapeAttempted
    | ReminderPlaced
    | ColorClaimed
    | SeatWithdrew
    | AgendaSet
    | GameEnded
)

BASIC_EVENTS: Final[tuple[type[Event], ...]] = get_args(BasicEvent)

Fact = BasicEvent | EditionEvent
"""Whatever happens in the game; whoever records it handles all of it."""

EVENTS: Final[tuple[type[Event], ...]] = (*BASIC_EVENTS, *EDITION_EVENTS)
"""All events of the game."""
