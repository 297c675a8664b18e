"""What a drawing shows of any game: places, figures and facts (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from events.kernel import Seat
from games.words import ENGLISH

Face = Literal["up", "known", "hidden"]
"""How a tile looks to the viewer: face-up; face-down, but known; face-down."""


class Square(Struct, frozen=True, kw_only=True):
    """A cell with the tile that lies on it.

    ``kind`` and ``color`` are None unless the viewer knows the room. ``marks`` are words such as
    ``sealed``; ``reminders`` the seats whose token lies here, ``looked`` the seats that have looked
    at the room while it lay face-down, ``figures`` the short names of those who stand here.
    """

    cell: str
    face: Face
    kind: str | None = None
    name: str | None = None
    color: str | None = None
    marks: tuple[str, ...] = ()
    reminders: tuple[Seat, ...] = ()
    looked: tuple[Seat, ...] = ()
    figures: tuple[str, ...] = ()


Ground = Literal["open", "room", "solid", "veiled"]
"""How a cell of a plan looks: plain; inside a building; nobody can enter it; nobody sees in."""

Barrier = Literal["wall", "door", "shut", "gap"]
"""What lies between two cells of a plan: a wall; an open door; a closed one; a hole in a wall."""


class PlanCell(Struct, frozen=True, kw_only=True):
    """A cell of a plan; ``mark`` is a letter for what it belongs to, ``""`` if it is nothing.

    ``figures`` are the short names of those who stand here.
    """

    cell: str
    ground: Ground = "open"
    mark: str = ""
    figures: tuple[str, ...] = ()


class BoardPlan(Struct, frozen=True, kw_only=True):
    """A board of small cells with barriers between them, as it is drawn.

    ``cells`` are ``width`` a row, the northernmost row first. ``east`` and ``south`` are what lies
    on these sides of a cell, by the cell's id; where they name none there is nothing. Around the
    whole is a wall. ``legend`` are lines that explain the marks of a text, ``image_legend``
    those of an image. ``names`` are what marks stand for, by mark: an image writes them once where
    a text repeats the mark in each cell.
    """

    width: int
    cells: tuple[PlanCell, ...]
    east: Mapping[str, Barrier] = {}
    south: Mapping[str, Barrier] = {}
    legend: tuple[str, ...] = ()
    image_legend: tuple[str, ...] = ()
    names: Mapping[str, str] = {}

    @property
    def rows(self) -> tuple[tuple[PlanCell, ...], ...]:
        """The cells row by row."""
        starts = range(0, len(self.cells), self.width)
        return tuple(self.cells[start : start + self.width] for start in starts)


class DrawnFigure(Struct, frozen=True, kw_only=True):
    """A figure. ``role`` is None where there is none, ``?`` where the viewer does not know it.

    ``seat`` is None if it is nobody's. ``program`` says what the viewer knows of the programme,
    ``""`` if there is none; ``notes`` are all other public facts about the figure. ``color`` is a
    colour of SVG, and ``corners`` the number of its outline's corners, 0 for a disc; with both a
    plan tells whose a figure is, so that an image need only write its ``label`` on it.
    ``name`` is what sentences call it, where that is not its id.
    """

    id: str
    short: str
    seat: Seat | None
    cell: str | None
    role: str | None = None
    role_public: bool = False
    program: str = ""
    notes: tuple[str, ...] = ()
    color: str | None = None
    corners: int = 0
    label: str = ""
    name: str = ""

    @property
    def called(self) -> str:
        """Its name; its id if it has none of its own."""
        return self.name or self.id


class DrawnPosition(Struct, frozen=True, kw_only=True):
    """A game as it is drawn.

    ``turn`` of ``last_turn`` is running, 0 before the first one; ``order`` are the short names on
    the order track, first player first; ``markers`` the lines moved this turn and their direction;
    ``facts`` everything else the viewer knows, one sentence each. Before the game there are no
    squares. A board that is no set of tiles is a ``plan`` and has no squares. A game without a last
    turn has 0.
    """

    turn: int = 0
    last_turn: int = 0
    squares: tuple[Square, ...] = ()
    plan: BoardPlan | None = None
    order: tuple[str, ...] = ()
    figures: tuple[DrawnFigure, ...] = ()
    markers: Mapping[str, str] = {}
    facts: tuple[str, ...] = ()


class Drawing(Protocol):
    """How a game is drawn, as text and as an image."""

    def position(self, state: Any, language: str = ENGLISH) -> DrawnPosition:  # noqa: ANN401 (the game's own state)
        """The drawing of the game's ``state``, the truth or any view of it.

        Names of places are those of ``language``, one of ``games.words``; all else is in English.
        """
        ...


def short_names(ids: Iterable[str]) -> dict[str, str]:
    """A short name for each id: two letters if that keeps them distinct."""
    names = list(ids)
    length = 2
    while len({name[:length] for name in names}) < len(names):
        length += 1
    return {name: name[:length].capitalize() for name in names}
