"""A table as text, for terminals of 80 columns: monospace, without colours (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from events.kernel import Seat, TimestampMs
from games.drawing import DrawnFigure, Square
from projections.board import AwaitedSeat, Board, line_marker
from projections.plan_text import plan_lines

WIDTH: Final = 14
"""Characters between the walls of a room."""

_MARGIN = 4
_SIDE = 5
_LINES = 4
_FIGURES_A_LINE = 4

LEGEND: Final = (
    "ROOM face-up, (room) face-down but known here, ..... unknown; B G Y R blue green yellow red",
    "X sealed, L locked, = | corridor, *n reminder of seat n, on looked at by seat n, <>^v moved",
)
"""What the marks mean."""


def board_text(board: Board, caption: str = "") -> str:
    """The whole drawing: heading, board, figures, seats, open decisions; ends in a line break.

    ``caption`` is a first line that describes the drawing, such as its version and viewer.
    """
    parts = [
        [caption, board.heading] if caption else [board.heading],
        _grid(board) if board.squares else [],
        plan_lines(board.plan) if board.plan is not None else [],
        _order(board),
        _figures(board.figures),
        _people(board),
        [f"- {fact}" for fact in board.facts],
        _waiting(board),
        list(LEGEND) if board.squares else [],
        list(board.plan.legend) if board.plan is not None else [],
    ]
    blocks = ["\n".join(part) for part in parts if part]
    return "\n\n".join(blocks) + "\n"


def _grid(board: Board) -> list[str]:
    rows = [board.squares[start : start + _SIDE] for start in range(0, _SIDE * _SIDE, _SIDE)]
    arrows = {
        line_marker(line, way)[:2]: line_marker(line, way)[2] for line, way in board.markers.items()
    }
    wall = " " * _MARGIN + ("+" + "-" * WIDTH) * _SIDE + "+"
    columns = (f"c{n} {arrows.get(('col', n), '')}".strip().center(WIDTH) for n in range(_SIDE))
    lines = [(" " * (_MARGIN + 1) + " ".join(columns)).rstrip()]
    for number, row in enumerate(rows):
        margin = [f"r{number}", arrows.get(("row", number), ""), "", ""]
        cells = [_square(square) for square in row]
        lines.append(wall)
        lines += [
            f"{margin[i]:^{_MARGIN}}|" + "|".join(f"{cell[i]:<{WIDTH}}" for cell in cells) + "|"
            for i in range(_LINES)
        ]
    return [*lines, wall]


def _square(square: Square) -> list[str]:
    """The four lines of a room: what it is, who is in it (two lines), what lies on it."""
    return [
        " " + line[: WIDTH - 1]
        for line in (
            room_word(square),
            " ".join(square.figures[:_FIGURES_A_LINE]),
            " ".join(square.figures[_FIGURES_A_LINE:]),
            " ".join(_marks(square)),
        )
    ]


def room_word(square: Square) -> str:
    """A room in a word: ``R ACID`` face-up, ``R (acid)`` face-down but known, ``.....`` unknown."""
    if square.kind is None:
        return "....."
    color = (square.color or "?")[0].upper()
    return f"{color} {square.kind.upper()}" if square.face == "up" else f"{color} ({square.kind})"


def _marks(square: Square) -> list[str]:
    letters = {"sealed": "X", "locked": "L", "horizontal": "=", "vertical": "|"}
    found = [letters.get(mark, mark) for mark in square.marks]
    return [*found, *_tagged("*", square.reminders), *_tagged("o", square.looked)]


def _tagged(mark: str, seats: Sequence[Seat]) -> list[str]:
    return [mark + "".join(map(str, seats))] if seats else []


def _order(board: Board) -> list[str]:
    return [f"order: {' > '.join(board.order)}"] if board.order else []


def _figures(figures: Iterable[DrawnFigure]) -> list[str]:
    rows = [
        (
            f"{f.short} {f.called}",
            "" if f.seat is None else f"seat {f.seat}",
            f.cell or "--",
            "" if f.role is None else f"{f.role}{' (public)' if f.role_public else ''}",
            f.program,
            ", ".join(f.notes),
        )
        for f in figures
    ]
    titles = ("figure", "player", "cell", "role", "programme", "notes")
    return _columns([titles, *rows]) if rows else []


def _people(board: Board) -> list[str]:
    rows = [(f"seat {p.seat}", p.name, ", ".join(p.notes)) for p in board.people]
    return _columns(rows) if rows else []


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as a table without borders; a column that is empty but for its title is left out."""
    titled = len(rows) > 1
    wanted = [
        i
        for i in range(len(rows[0]))
        if any(row[i] for row in (rows[1:] if titled and rows[0][0] == "figure" else rows))
    ]
    widths = [max(len(row[i]) for row in rows) for i in wanted]
    return [
        "  ".join(f"{row[i]:<{w}}" for i, w in zip(wanted, widths, strict=True)).rstrip()
        for row in rows
    ]


def _waiting(board: Board) -> list[str]:
    if not board.settled:
        return ["in the middle of a command"]
    return [waiting_words(each) for each in board.waiting]


def waiting_words(waiting: AwaitedSeat) -> str:
    """Whom the game waits for, with what, and until when: ``waiting for seat 2: look target``."""
    who = f" for {waiting.who}" if waiting.who else ""
    until = "" if waiting.until is None else f" until {clock_words(waiting.until)}"
    return f"waiting for seat {waiting.seat}: {waiting.kind.replace('_', ' ')}{who}{until}"


def clock_words(at: TimestampMs) -> str:
    """A point in time as ``2025-01-31 12:00:00 UTC``."""
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
