"""What happens in a game of Cerveauuu! (§12.2, §12.3; pure).

Secrets of several owners are separate events; what publishes a secret says so. Cells, edges and
pieces are ids. Events of cards, windows and their plays are in ``card_events``, those of fights,
goes and wandering in ``zombie_events``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import UNSET, field

from events.kernel import AtEnd, Event, Public, Seat
from games.cerveauuu.facts.card_events import CARD_EVENTS, CardEvent
from games.cerveauuu.facts.zombie_events import ZOMBIE_EVENTS, ZombieEvent
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.model.language import CellFlag, Duration, EdgeChange
from games.cerveauuu.model.state import Cell, Edge, Panic, Piece, PlannedStep, TypeBan, Weather


class GameBegan(Event, frozen=True, tag="game-began"):
    """The game was set up: who sits where with which colour, on which map (§2.10, §3.1, §3.2)."""

    rulebook: Public[str]
    mode: Public[str]
    options: Public[Mapping[str, object]]
    colours: Public[Mapping[Seat, str]]
    chief: Public[Seat]
    map: Public[str]


class DeckShuffled(Event, frozen=True, tag="deck-shuffled"):
    """The deck has a new order (§3.3); ``cards`` from the top."""

    size: Public[int]
    cards: AtEnd[tuple[str, ...]] = UNSET


class SituationSet(Event, frozen=True, tag="situation-set"):
    """A scenario put the table into an explicit situation; the hands come by ``HandDealt``."""

    round: Public[int]
    pieces: Public[tuple[Piece, ...]]
    credits: Public[tuple[str, ...]] = ()
    credits_need: Public[int] = 0
    piles: Public[Mapping[Seat, tuple[str, ...]]] = field(default_factory=dict)
    scores: Public[Mapping[Seat, int]] = field(default_factory=dict)
    played: Public[Mapping[Seat, int]] = field(default_factory=dict)
    weather: Public[Weather | None] = None
    bans: Public[tuple[TypeBan, ...]] = ()
    replacing: Public[Mapping[Seat, bool]] = field(default_factory=dict)
    media_lock: Public[bool] = False


class PieceAppeared(Event, frozen=True, tag="piece-appeared"):
    """A piece was placed (§3.4, §3.5) or came by a card (§7, ``spawn``)."""

    piece: Public[str]
    cell: Public[Cell]
    controller: Public[Seat | None] = None
    blocked: Public[bool] = False
    cause: Public[str] = "placed"


class RoundBegan(Event, frozen=True, tag="round-began"):
    """A round began (§4.1)."""

    round: Public[int]
    chief: Public[Seat]


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    """A phase of the round began: ``panic``, ``wandering``, ``zombies`` or ``end``."""

    phase: Public[str]


class RoundEnded(Event, frozen=True, tag="round-ended"):
    """Everything that lasts a round is over (§4.11.2)."""


class PanicBegan(Event, frozen=True, tag="panic-began"):
    """Who is to run, in order (§4.4.1)."""

    queue: Public[tuple[str, ...]]


class StepsTaken(Event, frozen=True, tag="steps-taken"):
    """The timeline has happened up to step ``to`` (§5.3.4, §5.3.6).

    ``cells`` is where those who moved stand now, ``moved`` the humans that have had their turn or
    are in it; ``panic`` how far the panic has come, if it is one.
    """

    to: Public[int]
    cells: Public[Mapping[str, Cell]]
    moved: Public[tuple[str, ...]] = ()
    panic: Public[Panic | None] = None


class PlanMade(Event, frozen=True, tag="plan-made"):
    """What is to come, after the steps that have happened, is planned anew (§4.4.2, §4.7.3)."""

    steps: Public[tuple[PlannedStep, ...]]


class PieceMoved(Event, frozen=True, tag="piece-moved"):
    """A card moved a piece along ``path``, whose last cell it stands on (§7), or a piece went back.

    ``cause`` is ``step``, ``place``, ``flee``, ``lure`` or ``settled`` (§2.4).
    """

    piece: Public[str]
    path: Public[tuple[Cell, ...]]
    cause: Public[str]


class PieceBlocked(Event, frozen=True, tag="piece-blocked"):
    """A piece is blocked until the end of the round."""

    piece: Public[str]


class PieceUnblocked(Event, frozen=True, tag="piece-unblocked"):
    """A piece is no longer blocked."""

    piece: Public[str]


class PieceDoomed(Event, frozen=True, tag="piece-doomed"):
    """A piece is to die when the window closes (§5.5)."""

    piece: Public[str]


class PieceSaved(Event, frozen=True, tag="piece-saved"):
    """A piece is protected until the window closes, and no longer doomed if ``undoomed`` (§5.5)."""

    piece: Public[str]
    cause: Public[str]
    undoomed: Public[bool] = False


class ExitDemanded(Event, frozen=True, tag="exit-demanded"):
    """A piece on an impassable cell must leave it, or no longer need to (§2.5)."""

    piece: Public[str]
    must_leave: Public[bool]


class ZombieReadied(Event, frozen=True, tag="zombie-readied"):
    """A zombie may be activated again (§7, ``ready``)."""

    piece: Public[str]


class PieceLost(Event, frozen=True, tag="piece-lost"):
    """A piece left the board, as a loss (§4.10) or killed in a fight (§4.9.7).

    ``cause`` is ``doomed``, ``impassable`` or ``melee``.
    """

    piece: Public[str]
    cause: Public[str]


class ProtectionsEnded(Event, frozen=True, tag="protections-ended"):
    """With its window each protection is over (§5.5)."""


class EdgeChanged(Event, frozen=True, tag="edge-changed"):
    """An edge got another stored state (§2.1)."""

    edge: Public[Edge]
    state: Public[EdgeChange]
    lasts: Public[Duration]


class CellFlagged(Event, frozen=True, tag="cell-flagged"):
    """A cell became impassable or opaque."""

    cell: Public[Cell]
    flag: Public[CellFlag]
    lasts: Public[Duration]


class ScoreChanged(Event, frozen=True, tag="score-changed"):
    """A seat got points, or lost some."""

    seat: Public[Seat]
    points: Public[int]


class SeatWithdrew(Event, frozen=True, tag="seat-withdrew"):
    """A player has resigned: its seat is dormant (§4.11, C71)."""

    seat: Public[Seat]


class AgendaSet(Event, frozen=True, tag="agenda-set"):
    """What the engine has still to do; ``asked`` counts the questions asked so far."""

    agenda: Public[tuple[AnyFrame, ...]]
    asked: Public[int]


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is over (§4.12), with the scores and the cards played of all seats."""

    publishes = True
    outcome: Public[str]
    winners: Public[tuple[Seat, ...]]
    scores: Public[Mapping[Seat, int]]
    played: Public[Mapping[Seat, int]]


BoardEvent = (
    GameBegan
    | DeckShuffled
    | SituationSet
    | PieceAppeared
    | RoundBegan
    | PhaseBegan
    | RoundEnded
    | PanicBegan
    | StepsTaken
    | PlanMade
    | PieceMoved
    | PieceBlocked
    | PieceUnblocked
    | PieceDoomed
    | PieceSaved
    | ExitDemanded
    | ZombieReadied
    | PieceLost
    | ProtectionsEnded
    | EdgeChanged
    | CellFlagged
    | ScoreChanged
    | SeatWithdrew
    | AgendaSet
    | GameEnded
)

BOARD_EVENTS: Final[tuple[type[Event], ...]] = get_args(BoardEvent)

Fact = BoardEvent | CardEvent | ZombieEvent
"""Whatever happens in the game; whoever records it handles all of it."""

EVENTS: Final[tuple[type[Event], ...]] = (*BOARD_EVENTS, *CARD_EVENTS, *ZOMBIE_EVENTS)
"""All events of the game."""
