"""The state of a game of Cerveauuu! (§2; pure).

The same record holds the truth and every view: what a viewer does not know is None. Its parts
are immutable; only the working copy's own attributes are ever replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from events.kernel import Seat
from games.cerveauuu.model.agenda import Answers, AnyFrame
from games.cerveauuu.model.language import CardType, CellFlag, Duration, EdgeChange, Pieces, Window

Cell = str
"""``r<y>c<x>``."""

Edge = str
"""``r<y>c<x>e`` or ``r<y>c<x>s`` (§2.1)."""


class Piece(Struct, frozen=True, omit_defaults=True, gc=False):
    """A human or a zombie on the board (§2.6); ``controller`` is None for a human.

    ``protections`` are the causes it is protected from, ``card``, ``melee`` or ``any``, until the
    window closes; ``touched_by`` the seats that have played a card on it this round.
    """

    id: str
    cell: Cell
    controller: Seat | None = None
    blocked: bool = False
    doomed: bool = False
    moved: bool = False
    activated: bool = False
    attacked: bool = False
    must_leave: bool = False
    protections: tuple[str, ...] = ()
    touched_by: tuple[Seat, ...] = ()

    @property
    def operational(self) -> bool:
        """Neither blocked nor doomed."""
        return not (self.blocked or self.doomed)

    @property
    def human(self) -> bool:
        """Whether nobody controls it."""
        return self.controller is None


class Modifier(Struct, frozen=True, omit_defaults=True, gc=False):
    """A change of a stat (§2.8).

    ``stat`` is ``combat``, ``move``, ``sight``, ``wander``, ``draws``, ``hand``, ``tie_win`` or
    ``tie_none``; ``value`` is added, or takes the base's place if ``absolute``. ``area`` are the
    pieces of an ``all(…)``, which is evaluated at every reading, with ``seat`` as whose ``own`` is
    meant; otherwise ``pieces`` or ``seats`` are those found when the card took effect.
    """

    card: str
    stat: str
    lasts: Duration
    value: int = 0
    absolute: bool = False
    area: Pieces | None = None
    seat: Seat | None = None
    pieces: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()


class TypeBan(Struct, frozen=True, gc=False):
    """Cards of ``type`` cannot be played."""

    card: str
    type: CardType
    lasts: Duration


class ArmedTrigger(Struct, frozen=True, omit_defaults=True, gc=False):
    """A ``when`` that has not fired yet (§7).

    ``effect`` is the place of the ``when`` among the effects of ``card``, from 0; ``slots`` what
    the card's slots were filled with; ``pieces`` those of its selector, found when the card took
    effect. ``lasts`` is ``combat`` or ``round``.
    """

    card: str
    effect: int
    seat: Seat
    when: str
    pieces: tuple[str, ...]
    slots: tuple[str, ...]
    lasts: Duration


class Weather(Struct, frozen=True, gc=False):
    """The weather in effect and the seat that played it."""

    card: str
    seat: Seat


class YieldOrder(Struct, frozen=True, omit_defaults=True, gc=False):
    """A public standing order to pass (§5.6).

    ``kind`` is ``go``, ``my_go``, ``round`` or ``uninvolved``; ``deep`` is never suspended by a
    card; ``window``: it was given outside a go and ends when a window closes.
    """

    kind: str
    deep: bool = False
    window: bool = False


class PlannedStep(Struct, frozen=True, array_like=True, gc=False):
    """One step of a timeline: who, and onto which cell."""

    piece: str
    cell: Cell


class LastPlay(Struct, frozen=True, gc=False):
    """The last card of a window: its player, its designated pieces, in order."""

    seat: Seat
    card: str
    designated: tuple[str, ...]


class CardWindow(Struct, frozen=True, omit_defaults=True):
    """The window that is open (§5.3).

    ``trigger`` answers last. ``order`` is the order of answers;
    ``passed`` are the seats that the engine has passed in this version, with the reason (``hand``,
    ``dormant``, ``yield``); ``answers`` those handed in, None where the viewer may not know it.
    ``timeline`` counts from the window's opening; ``floor`` of its steps have happened.
    ``suspended`` are seats whose yield a card has suspended.
    """

    number: int
    kind: Window
    trigger: Seat
    version: int = 0
    floor: int = 0
    order: tuple[Seat, ...] = ()
    passed: Mapping[Seat, str] = {}
    answers: Mapping[Seat, str | None] = {}
    timeline: tuple[PlannedStep, ...] = ()
    last: LastPlay | None = None
    suspended: tuple[Seat, ...] = ()


class Panic(Struct, frozen=True, omit_defaults=True, gc=False):
    """How far the panic has come (§4.4).

    ``queue`` are the humans whose turn is still to come; ``runner`` is in mid-run, has ``taken``
    steps of its own and has ``seen`` these zombies; ``trail`` are all cells of its movement, moves
    by cards included.
    """

    queue: tuple[str, ...]
    runner: str | None = None
    taken: int = 0
    seen: tuple[str, ...] = ()
    trail: tuple[Cell, ...] = ()


class Wandering(Struct, frozen=True, omit_defaults=True):
    """How far the wandering has come (§4.5): turns taken, passes in a row, and the batch.

    ``batch`` maps each human dealt to its seat; ``asked`` are those that can go somewhere;
    ``answers`` maps those answered to a cell or ``stay``, None where the viewer may not know it.
    """

    turns: int = 0
    passes: int = 0
    batch: Mapping[str, Seat] = {}
    asked: tuple[str, ...] = ()
    answers: Mapping[str, str | None] = {}


class Activation(Struct, frozen=True, omit_defaults=True, gc=False):
    """The running activation (§4.7).

    ``rest`` is what is left of the declared path, kept when the zombie is stopped; ``trail`` all
    cells of its movement, moves by cards included; ``owes``: it began with ``must_leave``.
    """

    zombie: str
    rest: tuple[Cell, ...] = ()
    attack: str | None = None
    trail: tuple[Cell, ...] = ()
    halted: bool = False
    stopped: bool = False
    owes: bool = False


class Proposal(Struct, frozen=True):
    """Who is invited to support, and which attacker eats which defender (§4.8.3)."""

    invited: tuple[str, ...]
    share: Mapping[str, str]


class Fight(Struct, frozen=True, omit_defaults=True):
    """The running fight (§4.8, §4.9).

    ``share`` maps defenders to their eaters; ``exempt`` the pieces that joined by card to the cell
    on which they need no enemy next to them; ``asked`` counts the proposals made; ``consents``
    those given to ``proposal``, None where the viewer may not know it. ``last_side`` is that of
    the last card played on a combatant in window C. ``totals`` of attackers and defenders and
    ``winner`` (``attackers``, ``defenders`` or None) are the provisional result.
    """

    principal: str
    target: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    share: Mapping[str, str] = {}
    exempt: Mapping[str, Cell] = {}
    asked: int = 0
    proposal: Proposal | None = None
    consents: Mapping[Seat, bool | None] = {}
    last_side: str | None = None
    totals: tuple[int, int] = (0, 0)
    winner: str | None = None

    def side(self, piece: str) -> str | None:
        """``attackers`` or ``defenders``, or None of a piece that is no combatant."""
        if piece in self.attackers:
            return "attackers"
        return "defenders" if piece in self.defenders else None


class Ending(Struct, frozen=True):
    """How the game ended (§4.12)."""

    outcome: str
    winners: tuple[Seat, ...]


class State(Struct):
    """A game (§2.7). ``round`` is 0 before the first one.

    ``map`` is the text of §2.10; ``edges`` and ``cells`` hold the changes made to it, each with how
    long it lasts (``round`` or ``lasting``), the latest last. ``hands`` map a card's number to the
    card. ``next_numbers`` is the last number given in each hand; ``counters`` the last number of
    each kind of piece. ``go`` is the seat whose go it is, ``last_go`` whose go was the last.
    ``discards`` are those handed in at the end of the round. ``windows`` counts windows, ``asked``
    questions, ``shuffles`` the orders of the deck.
    """

    rulebook: str = ""
    mode: str = ""
    options: Mapping[str, object] = {}
    seats: tuple[Seat, ...] = ()
    colours: Mapping[Seat, str] = {}
    map: str = ""
    edges: Mapping[Edge, tuple[tuple[EdgeChange, Duration], ...]] = {}
    cells: Mapping[Cell, tuple[tuple[CellFlag, Duration], ...]] = {}
    round: int = 0
    phase: str = "setup"
    chief: Seat = 1
    pieces: Mapping[str, Piece] = {}
    counters: Mapping[str, int] = {}
    deck: tuple[str, ...] | None = None
    deck_size: int = 0
    shuffles: int = 0
    hands: Mapping[Seat, Mapping[int, str | None]] = {}
    next_numbers: Mapping[Seat, int] = {}
    piles: Mapping[Seat, tuple[str, ...]] = {}
    credits: tuple[str, ...] = ()
    credits_need: int = 0
    weather: Weather | None = None
    media_lock: bool = False
    scores: Mapping[Seat, int] = {}
    played: Mapping[Seat, int] = {}
    swapped: tuple[Seat, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    bans: tuple[TypeBan, ...] = ()
    triggers: tuple[ArmedTrigger, ...] = ()
    yields: Mapping[Seat, YieldOrder] = {}
    replacing: Mapping[Seat, bool] = {}
    dormant: tuple[Seat, ...] = ()
    windows: int = 0
    window: CardWindow | None = None
    panic: Panic | None = None
    wandering: Wandering | None = None
    go: Seat | None = None
    last_go: Seat | None = None
    activation: Activation | None = None
    fight: Fight | None = None
    discards: Mapping[Seat, tuple[int, ...] | None] = {}
    asked: int = 0
    agenda: tuple[AnyFrame, ...] = ()
    end: Ending | None = None

    def order(self) -> tuple[Seat, ...]:
        """Seat order: the chief, then each seat to the left (§1)."""
        return self.order_from(self.chief)

    def order_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, beginning with ``seat``."""
        start = self.seats.index(seat)
        return self.seats[start:] + self.seats[:start]

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def right_of(self, seat: Seat) -> Seat:
        """The seat before, clockwise."""
        return self.seats[self.seats.index(seat) - 1]

    def humans(self) -> Iterator[Piece]:
        """The humans on the board, by id."""
        return (p for p in self.pieces.values() if p.controller is None)

    def zombies(self) -> Iterator[Piece]:
        """The zombies on the board, by id."""
        return (p for p in self.pieces.values() if p.controller is not None)

    def active(self) -> tuple[Seat, ...]:
        """The seats whose players have not resigned."""
        return tuple(seat for seat in self.seats if seat not in self.dormant)

    def responders(self) -> tuple[Seat, ...]:
        """The seats that are asked for an answer to the window, those that have given one too.

        In the order of answers (§5.3). Nobody is asked between two versions, while the mover plans
        anew (§4.7.3), nor once the game is over.
        """
        if self.window is None or not self.agenda or not isinstance(self.agenda[-1], Answers):
            return ()
        passed = {*self.window.passed, *self.dormant}
        return tuple(seat for seat in self.window.order if seat not in passed)
