"""Explicit situations: the format of ``scenario`` tables (pure).

The format can say every given of every acceptance scenario of all four rulebooks. What the table's
rulebook does not have (robots, cards, locks ...) is refused as impossible, never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from events.kernel import Seat
from games.contract import Roster, TableOpening
from games.room25.model.board import CELLS, CENTRE
from games.room25.model.catalogue import CENTRAL, EMPTY, EXIT
from games.room25.model.characters import EVERYBODY

TurnNumber = Annotated[int, Meta(ge=1, le=100)]
CellName = Annotated[str, Meta(pattern=r"^r[0-4]c[0-4]\Z")]


class GivenTile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tile: its kind, how it lies and what lies on it. ``reminders`` are seats.

    ``known``: it lies face-down, but has lain face-up before, so everybody knows its kind.
    """

    kind: str
    face: Literal["up", "down"] = "up"
    known: bool = False
    seal: bool = False
    lock: bool = False
    axis: Literal["horizontal", "vertical"] | None = None
    reminders: tuple[Seat, ...] = ()


class GivenCharacter(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A character: its seat and everything that differs from the beginning of a game.

    ``trap`` is the turn in which the trap under it was armed, ``flood`` the turn whose second slot
    drowns it; ``looked`` the face-down cells that its player has looked at; ``program`` is handed
    in already; ``identity`` is a prototype guard's; ``stack`` the paranoia stack from the top,
    ``next_stack`` the one that it gets whenever it enters a paranoia room in play; ``spares`` and
    ``locks`` are tokens in hand; ``returned``: it has come back to life in this turn.
    """

    seat: Annotated[Seat, Meta(ge=1, le=8)]
    cell: CellName = CENTRE
    dead: bool = False
    role: str | None = None
    identity: str | None = None
    role_public: bool = False
    free: bool = False
    program: tuple[str, ...] | None = None
    delayed: bool = False
    lost: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    passed: bool = False
    acted: Annotated[int, Meta(ge=0, le=3)] = 0
    trap: TurnNumber | None = None
    flood: TurnNumber | None = None
    looked: tuple[CellName, ...] = ()
    entry: Annotated[int, Meta(ge=1, le=1000)] | None = None
    adrenaline: Literal["none", "available", "programmed", "spent"] | None = None
    hidden: bool = False
    cold_next: bool = False
    stack: tuple[str, ...] | None = None
    next_stack: tuple[str, ...] | None = None
    spares: Annotated[int, Meta(ge=0, le=2)] | None = None
    locks: Annotated[int, Meta(ge=0, le=2)] | None = None
    returned: bool = False


class Situation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An explicit position.

    ``tiles`` by cell, a kind alone meaning face-up; cells not named hold a face-up ``rest``, the
    Central Room lies in the middle and Room 25 face-down on ``r4c4`` unless placed. ``phase`` says
    where play begins: ``clue``, the ``start`` of the turn, its ``programming``, or a round, for
    which every programme must be given. ``order`` is the order track, by default by seat. ``dead``
    orders the deaths. ``undealt`` are role tiles nobody got. ``deck`` lists cards from the top;
    with ``deck_rest`` the cards named nowhere lie shuffled under them. ``seed`` (64 hexadecimal
    digits) becomes the game key and so fixes every draw, but for the players' entropy.
    ``only_named``: nobody is in play but the characters named; a seat may have fewer than the mode
    gives it, or none, and roles that they have not are among the ``undealt``.
    """

    characters: Mapping[str, GivenCharacter]
    only_named: bool = False
    tiles: Mapping[CellName, GivenTile | str] = {}
    rest: str = EMPTY
    turn: TurnNumber = 3
    last_turn: TurnNumber | None = None
    phase: Literal["clue", "start", "programming", "round_1", "round_2"] = "start"
    order: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    markers: Mapping[str, str] = {}
    undealt: tuple[str, ...] | None = None
    room25_revealed: bool | None = None
    key_activated: bool = False
    robots: tuple[CellName, ...] = ()
    deck: tuple[str, ...] | None = None
    deck_rest: bool = True
    discard: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] | None = None

    def __post_init__(self) -> None:
        """Put the characters into the box's order: a log does not keep that of an object's keys."""
        box = EVERYBODY
        names = sorted(self.characters, key=lambda n: (box.index(n) if n in box else len(box), n))
        force_setattr(self, "characters", {name: self.characters[name] for name in names})


def tiles_of(s: Situation) -> dict[str, GivenTile]:
    """All 25 tiles, with what the situation leaves unsaid."""
    given = {
        where: GivenTile(kind=tile) if isinstance(tile, str) else tile
        for where, tile in s.tiles.items()
    }
    given.setdefault(CENTRE, GivenTile(kind=CENTRAL))
    if not any(tile.kind == EXIT for tile in given.values()):
        given.setdefault("r4c4", GivenTile(kind=EXIT, face="down"))
    return {where: given.get(where) or GivenTile(kind=s.rest) for where in CELLS}


def by_seat(s: Situation) -> list[str]:
    """The characters by seat, each seat's in the box's order."""
    return sorted(s.characters, key=lambda name: s.characters[name].seat)


def order_of(s: Situation) -> tuple[str, ...]:
    """The order track: as given, or the living by seat."""
    return s.order or tuple(name for name in by_seat(s) if not s.characters[name].dead)


def roster_of(opening: TableOpening, situation: Situation) -> Roster:
    """Who plays what in a situation."""
    return Roster(
        opening=opening,
        characters={
            seat: tuple(name for name, c in situation.characters.items() if c.seat == seat)
            for seat in range(1, opening.seats + 1)
        },
    )


def situation_cast(opening: TableOpening, seat: Seat) -> tuple[str, ...]:
    """The characters that a situation gives to a seat."""
    situation = msgspec.convert(opening.situation, Situation)
    return roster_of(opening, situation).characters[seat]
