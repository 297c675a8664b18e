"""The bodies of requests and answers about tours."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from events.kernel import Version
from service.contract.bodies import VIEWER

MARKS_MAX: Final = 24
PLACE_MAX: Final = 10_000

_Coordinate = Annotated[int, Meta(ge=-PLACE_MAX, le=PLACE_MAX)]


class NewTourMark(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something to be drawn on the board; see ``TourMark``."""

    shape: Literal["arrow", "circle"]
    x: _Coordinate
    y: _Coordinate
    to_x: _Coordinate
    to_y: _Coordinate


class NewTourPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the leader of a tour goes; see ``TourPlace``."""

    at: Annotated[Version, Meta(ge=1)] | None = None
    eyes: Annotated[str, Meta(pattern=VIEWER)] = "public"
    marks: Annotated[tuple[NewTourMark, ...], Meta(max_length=MARKS_MAX)] = ()
    offered: bool = False


class TourMark(Struct, frozen=True, kw_only=True):
    """Something drawn on the board: an arrow between two points, or a circle round the first one.

    Points are those of the board's own drawing; a circle goes through its second one.
    """

    shape: Literal["arrow", "circle"]
    x: int
    y: int
    to_x: int
    to_y: int


class TourPlace(Struct, frozen=True, kw_only=True):
    """Where the leader of a tour is.

    ``at`` is the version, null for the newest of a running game; ``eyes`` whose view. With
    ``offered``, whoever follows may take the lead.
    """

    at: Version | None = None
    eyes: str = "public"
    marks: tuple[TourMark, ...] = ()
    offered: bool = False


class TourInfo(Struct, frozen=True, kw_only=True):
    """A tour of a game: its id, where it is, and whether you lead it."""

    tour: str
    game: str
    leading: bool
    place: TourPlace
