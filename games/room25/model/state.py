"""The state of a game of Room 25 (§3; pure).

The same record holds the truth and every view: what a viewer does not know is None. Its parts
are immutable; only the working copy's own attributes are ever replaced.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from events.kernel import Seat
from games.room25.model.agenda import AnyFrame
from games.room25.model.board import Cell, Direction, Line


class Tile(Struct, frozen=True, omit_defaults=True, gc=False):
    """A room tile. ``id`` is neutral (R119); ``kind`` is None while the viewer does not know it."""

    id: int
    kind: str | None = None
    up: bool = False
    seal: bool = False
    lock: bool = False
    axis: str | None = None
    reminders: tuple[Seat, ...] = ()


class Trap(Struct, frozen=True, gc=False):
    """An armed trap: the tile that will close, and the turn in which it was armed (R51)."""

    tile: int
    turn: int


class Claim(Struct, frozen=True, gc=False):
    """What a player has said of a room that it has looked at: the tile, the colour (R29)."""

    tile: int
    color: str


class Program(Struct, frozen=True, gc=False):
    """A submitted programme (§3.5).

    ``tokens`` are the one or two actions by slot: None is a token the viewer does not know, ``""``
    an empty slot. Before the phase closes even the number is unknown (``tokens`` is None).
    """

    tokens: tuple[str | None, ...] | None = None
    adrenaline: bool | None = None


class Character(Struct, frozen=True, omit_defaults=True, gc=False):
    """A figure (§3.2).

    ``cell`` is None when eliminated; ``flood`` is the turn whose round-2 slot drowns it;
    ``used`` are the tokens taken this turn by one who acts without programming, ``passed``
    whether it passed a slot; ``limited`` allows only one action this turn; ``acted`` counts the
    actions of this turn; ``entry`` orders arrivals on a tile; ``cold_next`` limits the next turn;
    ``paranoid`` draws its actions from ``stack`` (secret, ``stacked`` tokens in it, those ``drawn``
    are public; ``leaving`` once it is out of the room); ``spares`` are the empty tiles in hand;
    ``returned`` came back to life this turn; ``powered`` has used a guard's power this turn.
    """

    id: str
    seat: Seat
    team: str
    cell: Cell | None
    alive: bool = True
    tokens: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    program: Program | None = None
    delayed: bool = False
    adrenaline: str = "none"
    hidden: bool = False
    acted: int = 0
    trap: Trap | None = None
    flood: int | None = None
    entry: int = 0
    role: str | None = None
    role_public: bool = False
    free: bool = False
    limited: bool = False
    used: tuple[str, ...] = ()
    passed: bool = False
    cold_next: bool = False
    paranoid: bool = False
    leaving: bool = False
    stacked: int = 0
    stack: tuple[str, ...] | None = None
    drawn: tuple[str, ...] = ()
    spares: int = 0
    returned: bool = False
    powered: bool = False

    @property
    def programmed(self) -> tuple[str | None, ...]:
        """The tokens of its programme by slot; empty without one, or while it is all secret."""
        return () if self.program is None else self.program.tokens or ()


class End(Struct, frozen=True):
    """How the game ended (§4.10)."""

    outcome: str
    winners: tuple[Seat, ...]
    score: int | None = None


class State(Struct):
    """A game. ``turn`` is 0 before the first one.

    ``order`` lists the characters of the order track, first player first (§3.4); ``grid`` maps
    each cell to its tile; ``markers`` the lines moved this turn to their direction (§3.6);
    ``peeked`` tile ids by seat (that a seat has looked is public, §4.11); ``reminded`` how often
    each seat has placed its reminder; ``claims`` what each seat has said, in order; ``windows`` the
    seats whose window for voluntary acts is open (R115);
    ``round`` is 0 outside the action rounds. ``robots`` are where each robot stands, None in
    supply; ``locks`` those in supply; ``deck`` the draw pile from the top, of ``deck_size`` cards;
    ``shown`` the cards that stay in force this turn; ``tiles_made`` counts tiles brought in later.
    """

    rulebook: str = ""
    mode: str = ""
    options: Mapping[str, object] = {}
    composition: Mapping[str, int] = {}
    turn: int = 0
    last_turn: int = 0
    phase: str = "setup"
    round: int = 0
    actor: str | None = None
    order: tuple[str, ...] = ()
    characters: Mapping[str, Character] = {}
    grid: Mapping[Cell, Tile] = {}
    markers: Mapping[Line, Direction] = {}
    dead: tuple[str, ...] = ()
    room25_revealed: bool = False
    key_activated: bool = False
    clues: Mapping[Seat, Cell | None] = {}
    peeked: Mapping[Seat, tuple[int, ...]] = {}
    reminded: Mapping[Seat, int] = {}
    claims: Mapping[Seat, tuple[Claim, ...]] = {}
    windows: tuple[Seat, ...] = ()
    withdrawn: tuple[Seat, ...] = ()
    undealt: tuple[str, ...] | None = None
    entries: int = 0
    asked: int = 0
    agenda: tuple[AnyFrame, ...] = ()
    end: End | None = None
    robots: tuple[Cell | None, ...] = ()
    locks: int = 0
    deck: tuple[str, ...] | None = None
    deck_size: int = 0
    discard: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    shuffles: int = 0
    tiles_made: int = 0

    def living(self) -> list[Character]:
        """The living characters in turn order (§0.3)."""
        return [c for n in self.order if (c := self.characters[n]).alive]

    def occupants(self, where: Cell) -> list[Character]:
        """The living characters on a cell, in turn order."""
        return [c for n in self.order if (c := self.characters[n]).cell == where]

    def is_occupied(self, where: Cell) -> bool:
        """Whether a character or a robot is on a cell."""
        return where in self.robots or any(c.cell == where for c in self.characters.values())

    def where_kind(self, kind: str) -> Cell | None:
        """The cell of the first face-up tile of a kind, row-major."""
        return next((c for c, t in self.grid.items() if t.up and t.kind == kind), None)

    def seats(self) -> tuple[Seat, ...]:
        """All seats in order."""
        return tuple(sorted({c.seat for c in self.characters.values()}))

    def of_seat(self, seat: Seat) -> list[Character]:
        """A seat's characters in the order in which it got them."""
        return [c for c in self.characters.values() if c.seat == seat]
