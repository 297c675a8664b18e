"""The effect language: what a card may ask for and what it may do, as types (§7; pure data).

A card is data, and nothing in the engine knows a card by its id. A ``Card`` has a target, which is
a row of slots that its player fills, and effects, which are carried out in order. Effects name
pieces, seats and edges by selectors. Slots are counted from 1: ``Chosen(1)`` is ``$1`` of the
notation in §7 and §8.

``Effect``, ``PieceSelector``, ``SeatSelector``, ``EdgeSelector`` and ``Relation`` are closed
unions, so that whoever handles them is checked for completeness (``games/dispatch.py``). Each
struct's tag is its word in the notation.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

CardType = Literal[
    "end_credits",
    "weather",
    "media",
    "firearm",
    "weapon",
    "vehicle",
    "object",
    "character",
    "event",
]
"""The nine types of cards, in the order of the deck (§8)."""

Window = Literal["panic", "pre_zombies", "open", "movement", "combat", "end_round"]
"""The kinds of windows, in the order of §5.1."""

WINDOWS: Final[tuple[Window, ...]] = (
    "panic",
    "pre_zombies",
    "open",
    "movement",
    "combat",
    "end_round",
)

ANCHORED: Final[frozenset[Window]] = frozenset({"panic", "movement"})
"""The windows with a timeline: a play in them names an anchor (§5.1, §5.7)."""

Duration = Literal["combat", "round", "weather", "lasting"]
"""How long a change holds; ``weather``: while that card lies in the slot (§2.8)."""

PieceStat = Literal["combat", "move", "sight", "wander"]
SeatStat = Literal["draws", "hand"]
Stat = PieceStat | SeatStat
"""What a modifier changes (§2.8)."""

EdgeChange = Literal["breach", "door_open", "door_closed", "wall"]
"""The stored states that a card may give to an edge (§2.1)."""

CellFlag = Literal["impassable", "opaque"]
"""What a card may make of a cell (§2.5, §6)."""

PieceKind = Literal["H", "Z", "X"]
"""A human, a zombie, or either."""

SlotKind = Literal["H", "Z", "X", "C", "W", "D", "B", "P"]
"""What fills a slot: a piece, a cell, an inner wall edge, a door edge, a building or a seat."""

PieceFilter = Literal["in", "out", "own", "other"]
"""What a selector asks of pieces: indoors, outdoors, the player's zombies, another's zombies."""

Flag = Literal[
    "own",
    "other",
    "mover",
    "fight",
    "support",
    "in",
    "out",
    "free",
    "border",
    "blk",
    "spent",
    "ajar",
    "shut",
]
"""A filter of a slot that looks at what fills it and at nothing else (§7)."""


class Sees(Struct, frozen=True, tag="see"):
    """The human in slot ``slot`` has line of sight to it, within its ``sight``."""

    slot: int


class Within(Struct, frozen=True, tag="r"):
    """The range to what is in slot ``slot`` is ``distance`` or less."""

    slot: int
    distance: int


class AdjacentTo(Struct, frozen=True, tag="adj"):
    """It is adjacent to what is in slot ``slot``."""

    slot: int


Relation = Sees | Within | AdjacentTo
"""A filter that compares with an earlier slot."""


class Slot(Struct, frozen=True):
    """One thing that the player of a card names; all ``flags`` and ``relations`` must hold."""

    kind: SlotKind
    flags: tuple[Flag, ...] = ()
    relations: tuple[Relation, ...] = ()

    @property
    def is_piece(self) -> bool:
        """Whether what fills it is a designated piece (§5.2c, §5.2d)."""
        return self.kind in {"H", "Z", "X"}

    @property
    def lifts_immunity(self) -> bool:
        """Whether a blocked piece may fill it, and no other (§5.2c, C43)."""
        return "blk" in self.flags


class Pieces(Struct, frozen=True):
    """Which pieces a selector takes: of a kind, all ``filters`` kept."""

    kind: PieceKind
    filters: tuple[PieceFilter, ...] = ()


class Chosen(Struct, frozen=True, tag="$"):
    """What fills slot ``slot``: a piece, a cell, an edge, a building or a seat."""

    slot: int


class All(Struct, frozen=True, tag="all"):
    """Every such piece; a modifier on it asks anew at every reading (§2.8)."""

    pieces: Pieces


class Near(Struct, frozen=True, tag="near"):
    """The pieces at range ``distance`` or less of a piece or cell, that piece itself excluded."""

    slot: int
    distance: int
    pieces: Pieces


class Inside(Struct, frozen=True, tag="inside"):
    """The pieces in the building."""

    slot: int
    pieces: Pieces


class Beside(Struct, frozen=True, tag="beside"):
    """The pieces on the two cells of the edge."""

    slot: int
    pieces: Pieces


class At(Struct, frozen=True, tag="at"):
    """The pieces on the cell."""

    slot: int


class Foes(Struct, frozen=True, tag="foes"):
    """The combatants of the other side than the piece's."""

    slot: int


class Allies(Struct, frozen=True, tag="allies"):
    """The combatants of the piece's side, itself included."""

    slot: int


PieceSelector = Chosen | All | Near | Inside | Beside | At | Foes | Allies
"""What names pieces; several are treated by ascending id."""


class Seats(Struct, frozen=True, tag="seats"):
    """The seat that plays the card, all others, or everybody, in seat order from that seat."""

    who: Literal["me", "others", "everyone"]


SeatSelector = Chosen | Seats


class Doors(Struct, frozen=True, tag="doors"):
    """All doors that touch the building, open or closed."""

    slot: int


EdgeSelector = Chosen | Doors


class ModifyStat(Struct, frozen=True, tag="mod"):
    """Add ``value`` to a stat, or set it to ``value`` if ``absolute`` (§2.8).

    ``draws`` and ``hand`` belong to seats, all other stats to pieces.
    """

    on: PieceSelector | Seats
    stat: Stat
    value: int
    lasts: Duration
    absolute: bool = False


class SetTie(Struct, frozen=True, tag="tie"):
    """``win``: gives its side the tie win. ``none``: takes a zombie's privilege (§4.9.4)."""

    on: PieceSelector
    right: Literal["win", "none"]
    lasts: Duration


class HaltMovement(Struct, frozen=True, tag="halt"):
    """The movement under way ends at the anchor; attacking is still possible."""

    on: PieceSelector


class Block(Struct, frozen=True, tag="block"):
    """Sets ``blocked``."""

    on: PieceSelector


class Unblock(Struct, frozen=True, tag="unblock"):
    """Clears ``blocked``."""

    on: PieceSelector


class TakeSteps(Struct, frozen=True, tag="step"):
    """Moves the piece 0 to ``steps`` steps, to the free cell sent with the play (C79)."""

    on: Chosen
    steps: int


class PlacePiece(Struct, frozen=True, tag="place"):
    """Puts the piece on the free cell in slot ``cell``."""

    on: Chosen
    cell: int


class Flee(Struct, frozen=True, tag="flee"):
    """Each operational human makes a flight of ``steps`` steps now (§4.3)."""

    on: PieceSelector
    steps: int


class Lure(Struct, frozen=True, tag="lure"):
    """Each operational piece makes up to ``steps`` steps to the cell in slot ``cell`` (C69)."""

    on: PieceSelector
    steps: int
    cell: int


class Kill(Struct, frozen=True, tag="kill"):
    """Dooms (§5.5)."""

    on: PieceSelector


class Save(Struct, frozen=True, tag="save"):
    """Removes the doom and protects until the window closes (§5.5).

    ``cause``: what is warded off. ``card`` and ``any`` undo a doom and ward off deaths by cards;
    ``melee`` and ``any`` ward off the death of a lost fight.
    """

    on: PieceSelector
    cause: Literal["card", "melee", "any"]


class Spawn(Struct, frozen=True, tag="spawn"):
    """A new piece appears on the free cell in slot ``cell``; a zombie belongs to the player."""

    what: Literal["human", "zombie_blocked", "zombie_ready"]
    cell: int


class DrawCards(Struct, frozen=True, tag="draw"):
    """``number`` draws for each seat (§4.2)."""

    seats: SeatSelector
    number: int


class DropCards(Struct, frozen=True, tag="drop"):
    """``number`` cards of each seat go unplayed to its pile, fewer if it holds fewer.

    Chosen with the play if ``seats`` is ``me``, by chance otherwise.
    """

    seats: SeatSelector
    number: int


class TakeCard(Struct, frozen=True, tag="take"):
    """One card by chance moves from that seat's hand to the player's."""

    seat: Chosen


class LookAtHand(Struct, frozen=True, tag="look"):
    """The player sees that seat's hand, once, privately."""

    seat: Chosen


class SetEdges(Struct, frozen=True, tag="edge"):
    """Sets the stored state of edges."""

    edges: EdgeSelector
    state: EdgeChange
    lasts: Duration


class FlagCell(Struct, frozen=True, tag="cell"):
    """Flags the cell in slot ``cell``."""

    cell: int
    flag: CellFlag
    lasts: Duration


class AddPoints(Struct, frozen=True, tag="score"):
    """Adds points, or takes them if ``points`` is negative."""

    seats: SeatSelector
    points: int


class MakeReady(Struct, frozen=True, tag="ready"):
    """Clears ``activated`` and ``attacked``."""

    on: PieceSelector


class Trigger(Struct, frozen=True, tag="when"):
    """Has ``effect`` once when the piece ``wins``, ``loses`` or ``eats`` (§4.9.8).

    Played in window C it waits for this combat only, otherwise until the end of the round.
    """

    at: Literal["wins", "loses", "eats"]
    on: Chosen
    effect: Block | DrawCards | AddPoints


class Ban(Struct, frozen=True, tag="ban"):
    """Cards of the type cannot be played."""

    card_type: CardType
    lasts: Duration


class ReturnCredits(Struct, frozen=True, tag="credits_return"):
    """The latest end-credits card leaves play and is shuffled into the deck; its effect ends."""


class RaiseCreditsNeed(Struct, frozen=True, tag="credits_need"):
    """``credits_need`` grows by ``value``."""

    value: int


class ChangeCombatants(Struct, frozen=True, tag="combatant"):
    """The piece leaves the fight, or joins the side of the piece in slot 1 (§4.9.2)."""

    on: Chosen
    change: Literal["leave", "join"]


Effect = (
    ModifyStat
    | SetTie
    | HaltMovement
    | Block
    | Unblock
    | TakeSteps
    | PlacePiece
    | Flee
    | Lure
    | Kill
    | Save
    | Spawn
    | DrawCards
    | DropCards
    | TakeCard
    | LookAtHand
    | SetEdges
    | FlagCell
    | AddPoints
    | MakeReady
    | Trigger
    | Ban
    | ReturnCredits
    | RaiseCreditsNeed
    | ChangeCombatants
)
"""What a card does: the 24 primitives; ``credits`` is two of these types."""


class Card(Struct, frozen=True):
    """A row of the deck (§8). ``when`` is empty for end-credits cards, which act when drawn."""

    id: str
    type: CardType
    when: tuple[Window, ...]
    target: tuple[Slot, ...]
    effect: tuple[Effect, ...]

    @property
    def steps(self) -> TakeSteps | None:
        """The effect whose end cell travels with the play, if there is one; never two (§5.2h)."""
        return next((each for each in self.effect if isinstance(each, TakeSteps)), None)

    @property
    def drops(self) -> int:
        """How many cards of one's own the play names, if one holds as many (§5.2h)."""
        return sum(
            each.number
            for each in self.effect
            if isinstance(each, DropCards) and each.seats == Seats("me")
        )
