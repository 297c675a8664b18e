"""A table as an SVG image (pure).

Nothing is conveyed by colour alone: rooms carry their names and a letter for their colour class,
unknown rooms a pattern, figures their short names. Every tile and figure has a title for screen
readers, and the image a title and a description.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from games.drawing import DrawnFigure, Square
from projections.board import Board, line_marker
from projections.board_text import waiting_words
from projections.plan_svg import LEGEND as PLAN_LEGEND
from projections.plan_svg import PLAN_STYLE, plan_edges, plan_parts, plan_size

CELL: Final = 112
"""The side of a room in user units."""

SIDE: Final = 5
"""How many rooms there are in a row."""

_LEFT = 44
_TOP = 76
_BOARD = CELL * SIDE
_PANEL = 400
_LINE = 17
_FACT = 62  # characters of a fact that fit into a line of the panel, whatever letters they are
_NAME = 24
FILLS: Final = {"blue": "#cfe2f6", "green": "#d5ecd4", "yellow": "#f8edc0", "red": "#f5d0cc"}
EDGES: Final = {"blue": "#1d4e89", "green": "#256029", "yellow": "#7a5d00", "red": "#8e1b12"}
_STYLE = (
    "text{font-family:ui-sans-serif,system-ui,sans-serif;font-size:13px;fill:#1b1b1b}"
    ".h{font-size:16px;font-weight:600}.r{font-weight:600}.k{font-style:italic}"
    ".m{font-size:11px}.f{font-size:12px;font-weight:600;text-anchor:middle}"
    ".a{font-size:18px;font-weight:700;text-anchor:middle}.c{text-anchor:middle}"
)
SVG: Final = 'xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc"'
_PATTERN = (
    '<pattern id="unknown" width="8" height="8" patternUnits="userSpaceOnUse">'
    '<rect width="8" height="8" fill="#e6e6e6"/>'
    '<path d="M0 8 8 0" stroke="#b9b9b9" stroke-width="1"/></pattern>'
)
_ARROWS = {"<": "\N{LEFTWARDS ARROW}", ">": "\N{RIGHTWARDS ARROW}"} | {
    "^": "\N{UPWARDS ARROW}",
    "v": "\N{DOWNWARDS ARROW}",
}
_FIGURE_SPOTS = tuple((24 + 31 * (i % 3), 46 + 29 * (i // 3)) for i in range(6))

_LEGEND = (
    "upright: face-up; slanted and dashed: face-down, but known here; hatched: unknown",
    "B G Y R: blue, green, yellow, red; *n: reminder of seat n; on: looked at by seat n",
)


def board_svg(board: Board, caption: str = "") -> str:
    """The drawing as a complete SVG document, ending in a line break.

    ``caption`` says what is shown, such as the version and the viewer.
    """
    panel = _panel_lines(board)
    across, down = _size(board)
    legend = 18 + 16 * max(2, len(_legend_lines(board)))
    height = max(_TOP + down + legend, _TOP + _LINE * len(panel) + 20)
    width = _LEFT + across + _PANEL
    title = escape(f"{board.title}: {board.heading}")
    parts = [
        f'<svg {SVG} viewBox="0 0 {width} {height}">',
        f'<title id="title">{title}</title>',
        f'<desc id="desc">{escape(description(board))}</desc>',
        f"<style>{_STYLE}{PLAN_STYLE if board.plan else ''}</style><defs>{_PATTERN}</defs>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text class="h" x="12" y="24">{title}</text>',
        f'<text class="m" x="12" y="42">{escape(caption)}</text>' if caption else "",
        *_edges(board),
        *_ground(board),
        *_panel(board, panel),
        *_legend(board),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _size(board: Board) -> tuple[int, int]:
    """Width and height of the board in user units; before the game it has no width."""
    if board.plan is not None:
        return plan_size(board.plan)
    return (_BOARD if board.squares else 0), _BOARD


def _ground(board: Board) -> Iterator[str]:
    """The board with all that stands on it."""
    yield from (_square(board, i, square) for i, square in enumerate(board.squares))
    if board.plan is not None:
        named = {figure.short: figure for figure in board.figures}
        yield from plan_parts(board.plan, named, _LEFT, _TOP)


def _legend(board: Board) -> list[str]:
    """What the marks mean, below the board."""
    top = _TOP + _size(board)[1] + 18
    return [
        f'<text class="m" x="{_LEFT}" y="{top + 16 * i}">{escape(line)}</text>'
        for i, line in enumerate(_legend_lines(board))
    ]


def _legend_lines(board: Board) -> tuple[str, ...]:
    if board.plan is not None:
        return (*PLAN_LEGEND, *board.plan.image_legend)
    return _LEGEND if board.squares else ()


def description(board: Board) -> str:
    """The drawing in a few sentences, for people who cannot see it."""
    known = [s for s in board.squares if s.kind is not None]
    up = sum(s.face == "up" for s in known)
    sentences = [board.heading]
    if board.squares:
        sentences.append(f"{up} rooms lie face-up, {len(known) - up} more are known here")
    sentences += [_figure_words(f) for f in board.figures]
    sentences += [*board.facts, *map(waiting_words, board.waiting)]
    return ". ".join(sentences) + "."


def _figure_words(figure: DrawnFigure) -> str:
    where = f"on {figure.cell}" if figure.cell else "not on the board"
    role = f", role {'unknown' if figure.role == '?' else figure.role}" if figure.role else ""
    seat = "" if figure.seat is None else f" (seat {figure.seat})"
    return f"{figure.called}{seat} {where}{role}"


def _edges(board: Board) -> list[str]:
    """The names of rows and columns, and the markers of moved lines."""
    if board.plan is not None:
        return plan_edges(board.plan, _LEFT, _TOP)
    if not board.squares:
        return []
    parts = []
    for n in range(SIDE):
        middle = CELL * n + CELL // 2
        parts.append(f'<text class="c" x="{_LEFT + middle}" y="{_TOP - 6}">c{n}</text>')
        parts.append(f'<text class="c" x="26" y="{_TOP + middle}">r{n}</text>')
    for line, way in board.markers.items():
        axis, n, arrow = line_marker(line, way)
        middle = CELL * n + CELL // 2
        x, y = (26, _TOP + middle + 20) if axis == "row" else (_LEFT + middle + 22, _TOP - 5)
        parts.append(
            f'<g><title>{line} was moved {way}</title><text class="a" x="{x}" y="{y}">'
            f"{_ARROWS[arrow]}</text></g>"
        )
    return parts


def _square(board: Board, place: int, square: Square) -> str:
    x, y = _LEFT + CELL * (place % SIDE), _TOP + CELL * (place // SIDE)
    fill = FILLS.get(square.color or "", "#ffffff") if square.kind else "url(#unknown)"
    edge = EDGES.get(square.color or "", "#555555")
    look = f'fill="{fill}" stroke="{edge}" stroke-width="2"'
    look += "" if square.face == "up" else ' stroke-dasharray="5 4"'
    look += ' fill-opacity="0.45"' if square.face == "known" else ""
    parts = [
        f'<g transform="translate({x} {y})"><title>{escape(square_words(square))}</title>',
        f'<rect x="3" y="3" width="{CELL - 6}" height="{CELL - 6}" rx="6" {look}/>',
    ]
    if square.kind is not None:
        style = "r" if square.face == "up" else "k"
        letter = (square.color or "?")[0].upper()
        parts.append(f'<text class="{style}" x="10" y="21">{letter} {escape(square.kind)}</text>')
    parts += [
        f'<text class="m" x="10" y="{CELL - 12}">{escape(_marks(square))}</text>',
        *_tokens(board, square),
        "</g>",
    ]
    return "".join(parts)


def square_words(square: Square) -> str:
    """What a screen reader says of a tile."""
    face = {"up": "face-up", "known": "face-down, known", "hidden": "face-down, unknown"}
    words = [square.cell, square.name or "a room", face[square.face], *square.marks]
    words += [f"reminder of seat {seat}" for seat in square.reminders]
    words += [f"looked at by seat {seat}" for seat in square.looked]
    words += [f"{name} is here" for name in square.figures]
    return ", ".join(words)


def _marks(square: Square) -> str:
    words = [*square.marks]
    words += [f"*{''.join(map(str, square.reminders))}"] if square.reminders else []
    words += [f"o{''.join(map(str, square.looked))}"] if square.looked else []
    return " ".join(words)


def _tokens(board: Board, square: Square) -> list[str]:
    """The figures on a tile: circles with a short name."""
    named = {f.short: f for f in board.figures}
    return [
        f"<g><title>{escape(_figure_words(named[name]))}</title>"
        f'<circle cx="{x}" cy="{y}" r="13" fill="#ffffff" stroke="#1b1b1b" stroke-width="2"/>'
        f'<text class="f" x="{x}" y="{y + 4}">{escape(name)}</text></g>'
        for name, (x, y) in zip(square.figures, itertools.cycle(_FIGURE_SPOTS), strict=False)
    ]


def _panel_lines(board: Board) -> list[tuple[str, str]]:
    """The lines beside the board with their classes."""
    lines = [("r", f"order: {' > '.join(board.order)}")] if board.order else []
    lines += _figure_lines(board) if board.plan is None else _noted(board)
    if not board.figures or board.plan is not None:
        lines += [("r", f"seat {p.seat} {p.name[:_NAME]}") for p in board.people]
    lines += [("m", f"seat {p.seat}: {', '.join(p.notes)}") for p in board.people if p.notes]
    lines += [("m", line) for fact in board.facts for line in _wrapped(fact)]
    if not board.settled:
        lines.append(("m", "in the middle of a command"))
    return lines + [("m", waiting_words(each)) for each in board.waiting]


def _wrapped(fact: str) -> list[str]:
    """A fact in lines of the panel, all but the first one indented."""
    return textwrap.wrap(fact, _FACT, subsequent_indent="\N{NO-BREAK SPACE}" * 3)


def _noted(board: Board) -> list[tuple[str, str]]:
    """The figures of a plan of which there is something to say; all of them stand on it."""
    return [("m", f"{f.called}: {', '.join(f.notes)}") for f in board.figures if f.notes]


def _figure_lines(board: Board) -> list[tuple[str, str]]:
    """All figures, with what is known of them."""
    lines: list[tuple[str, str]] = []
    people = {p.seat: p for p in board.people}
    for f in board.figures:
        person = None if f.seat is None else people.get(f.seat)
        name = f" {person.name[:_NAME]}" if person is not None else ""
        role = f", {f.role}{' (public)' if f.role_public else ''}" if f.role else ""
        seat = "" if f.seat is None else f", seat {f.seat}"
        lines.append(("r", f"{f.short} {f.called}{seat}{name}{role}"))
        words = [f"programme {f.program}" if f.program else "", *f.notes]
        detail = ", ".join(word for word in words if word)
        lines += [("m", f"   {detail}")] if detail else []
    return lines


def _panel(board: Board, lines: list[tuple[str, str]]) -> list[str]:
    x = _LEFT + _size(board)[0] + 18
    return [
        f'<text class="{style}" x="{x}" y="{_TOP + 14 + _LINE * i}" xml:space="preserve">'
        f"{escape(text)}</text>"
        for i, (style, text) in enumerate(lines)
    ]
