"""Short words for the parts of a card, so that a row of the deck reads like the table (§7, pure).

What each of them makes is told in ``model/language.py``. A slot's filters stand in the order of the
table; windows are written as their letters (§5.1).
"""

from __future__ import annotations

from functools import partial
from typing import Final, Literal

from games.cerveauuu.model.language import (
    WINDOWS,
    AddPoints,
    AdjacentTo,
    All,
    Allies,
    At,
    Ban,
    Beside,
    Block,
    Card,
    CardType,
    CellFlag,
    ChangeCombatants,
    Chosen,
    Doors,
    DrawCards,
    DropCards,
    Duration,
    Effect,
    Flag,
    FlagCell,
    Flee,
    Foes,
    HaltMovement,
    Inside,
    Kill,
    LookAtHand,
    Lure,
    MakeReady,
    ModifyStat,
    Near,
    PieceFilter,
    PieceKind,
    Pieces,
    PieceSelector,
    PlacePiece,
    RaiseCreditsNeed,
    Relation,
    ReturnCredits,
    Save,
    Seats,
    Sees,
    SetEdges,
    SetTie,
    Slot,
    SlotKind,
    Spawn,
    Stat,
    TakeCard,
    TakeSteps,
    Trigger,
    Unblock,
    Window,
    Within,
)

LETTERS: Final[dict[str, Window]] = dict(zip("PZOMCE", WINDOWS, strict=True))
"""The letter of each window."""

ANY: Final = "".join(LETTERS)
"""All windows."""

DRAWN: Final = ""
"""No window: the card acts when it is drawn."""

ONE: Final = Chosen(1)
TWO: Final = Chosen(2)
ME: Final = Seats("me")
OTHERS: Final = Seats("others")
EVERYONE: Final = Seats("everyone")

# Words that only say it shorter.
see = Sees
r = Within
adj = AdjacentTo
at = At
foes = Foes
allies = Allies
doors = Doors
tie = SetTie
halt = HaltMovement
block = Block
unblock = Unblock
step = TakeSteps
flee = Flee
kill = Kill
save = Save
draw = DrawCards
drop = DropCards
take = TakeCard
look = LookAtHand
edge = SetEdges
score = AddPoints
ready = MakeReady
when = Trigger
ban = Ban
credits_return = ReturnCredits
credits_need = RaiseCreditsNeed
combatant = ChangeCombatants


def card(kind: CardType, card_id: str, windows: str, *parts: Slot | Effect) -> Card:
    """A row of the deck: its slots, then its effects.

    Raises:
        KeyError: ``windows`` has a letter that is no window's.
    """
    target = tuple(part for part in parts if isinstance(part, Slot))
    effect = tuple(part for part in parts if not isinstance(part, Slot))
    return Card(card_id, kind, tuple(LETTERS[letter] for letter in windows), target, effect)


def slot(kind: SlotKind, *filters: Flag | Relation) -> Slot:
    """A slot with its filters."""
    flags = tuple(each for each in filters if isinstance(each, str))
    relations = tuple(each for each in filters if not isinstance(each, str))
    return Slot(kind, flags, relations)


def every(kind: PieceKind, *filters: PieceFilter) -> All:
    """All pieces of a kind."""
    return All(Pieces(kind, filters))


def near(number: int, distance: int, kind: PieceKind, *filters: PieceFilter) -> Near:
    """The pieces round a slot."""
    return Near(number, distance, Pieces(kind, filters))


def inside(number: int, kind: PieceKind) -> Inside:
    """The pieces in a building."""
    return Inside(number, Pieces(kind))


def beside(number: int) -> Beside:
    """All pieces at an edge."""
    return Beside(number, Pieces("X"))


def mod(on: PieceSelector | Seats, stat: Stat, value: int, lasts: Duration) -> ModifyStat:
    """Adds to a stat."""
    return ModifyStat(on, stat, value, lasts)


def fix(on: PieceSelector | Seats, stat: Stat, value: int, lasts: Duration) -> ModifyStat:
    """Sets a stat: ``=value`` in the table."""
    return ModifyStat(on, stat, value, lasts, absolute=True)


def place(on: Chosen, cell: Chosen) -> PlacePiece:
    """Puts a piece on a cell."""
    return PlacePiece(on, cell.slot)


def lure(on: PieceSelector, steps: int, cell: Chosen) -> Lure:
    """Draws pieces towards a cell."""
    return Lure(on, steps, cell.slot)


def spawn(what: Literal["human", "zombie_blocked", "zombie_ready"], cell: Chosen) -> Spawn:
    """Brings a new piece."""
    return Spawn(what, cell.slot)


def cell(where: Chosen, flag: CellFlag, lasts: Duration) -> FlagCell:
    """Flags a cell."""
    return FlagCell(where.slot, flag, lasts)


end_credits = partial(card, "end_credits")
weather = partial(card, "weather")
media = partial(card, "media")
firearm = partial(card, "firearm")
weapon = partial(card, "weapon")
vehicle = partial(card, "vehicle")
thing = partial(card, "object")
character = partial(card, "character")
event = partial(card, "event")

# Slots by the letters of the table.
h = partial(slot, "H")
z = partial(slot, "Z")
x = partial(slot, "X")
c = partial(slot, "C")
w = partial(slot, "W")
d = partial(slot, "D")
b = partial(slot, "B")
p = partial(slot, "P")
