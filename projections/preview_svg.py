"""The picture of a table that a link to it shows on other sites, in the reader's words (pure).

It is looked at from a distance: the board without its small print, and beside it what one would
say of the game in a sentence or two. Nothing is conveyed by colour alone; who has won has a star.
It is dark for everybody, so it suits any page; a plan is light in it, for those who like it so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape

from msgspec import Struct
from msgspec.structs import replace

from events.kernel import Seat
from games.drawing import DrawnFigure, Square
from games.rulebooks import RulebookName
from games.table.state import TableState
from projections.board import Board, Person
from projections.board_svg import CELL, EDGES, FILLS, SIDE, SVG, square_words
from projections.plan_svg import (
    DARK_PLAN_STYLE,
    PLAN_STYLE,
    figure_mark,
    plan_parts,
    plan_size,
)

PREVIEW: Final = (1200, 630)
"""Width and height of a preview, the shape that other sites expect of one."""

Say = Callable[..., str]
"""The text of a message key of every table's, such as ``preview.turn``, filled with values."""

_MARGIN: Final = 24
_STYLE: Final = (
    "text{font-family:ui-sans-serif,system-ui,sans-serif;fill:#f2f4f7}"
    ".pt{font-size:46px;font-weight:700}.ph{font-size:30px;fill:#c3cad5}"
    ".ps{font-size:28px;font-weight:700;fill:#ffb629}.pe{font-size:34px;font-weight:700}"
    ".pm{font-size:26px}.pw{font-weight:700;fill:#ffb629}"
    ".r{font-size:15px;font-weight:700;text-anchor:middle;fill:#1b1b1b}"
    ".q{font-size:40px;font-weight:700;text-anchor:middle;fill:#aeb6c2}"
    ".f{font-size:13px;font-weight:700;text-anchor:middle;fill:#1b1b1b}"
)


class _Style(Struct, frozen=True):
    """Lines of text: how far one goes down, how many characters fit, and how many lines may be."""

    step: int
    fits: int
    most: int


_STYLES: Final = {
    "pt": _Style(54, 20, 3),
    "ph": _Style(46, 32, 1),
    "ps": _Style(48, 33, 2),
    "pe": _Style(46, 26, 3),
}
_NAME: Final = 28
_PERSON_STEP: Final = 38
_MORE: Final = " \N{HORIZONTAL ELLIPSIS}"
_STAR: Final = "M0-12 3.5-4 12-3.7 5.7 1.7 7.1 10 0 5.5-7.1 10-5.7 1.7-12-3.7-3.5-4z"
"""A star round (0, 0), since not every font has one."""

_ROOM: Final = _Style(17, 11, 2)
"""The name of a room on its tile."""

_STEEL: Final = ("#3d4756", "#5a6678")
"""The lid of a room that nobody sees, and its edge."""

_HATCH: Final = (
    f'<circle cx="{CELL // 2}" cy="{CELL // 2}" r="{CELL // 4}" fill="none" stroke="{_STEEL[1]}" '
    f'stroke-width="3"/><text class="q" x="{CELL // 2}" y="{CELL // 2 + 14}">?</text>'
)

_FIGURES: Final = tuple(
    (CELL // 2 + 31 * x, CELL - 23 - 28 * y) for y in (0, 1) for x in (0, -1, 1)
)
"""Where figures stand on a tile, the first one in the middle."""


class PreviewWords(Struct, frozen=True, kw_only=True):
    """What is said beside the board: of what is not to be said, ""."""

    rulebook: str
    mode: str = ""
    status: str = ""
    end: str = ""
    winners: tuple[Seat, ...] = ()


def preview_words(
    state: TableState, board: Board, book: RulebookName | None, say: Say
) -> PreviewWords:
    """What to say of a table in the language of ``book`` and ``say``.

    Args:
        state: the table, as the reader may see it.
        board: what is drawn of it.
        book: names its rulebook, modes and outcomes; None: nobody plays it here, so ids must do.
        say: has the words of every table.
    """
    free, result = state.seat_count - len(state.seats), state.result
    modes, outcomes = ({}, {}) if book is None else (book.mode_names, book.outcomes)
    status = (
        say("preview.scenario") if state.scenario else "",
        say("preview.free", free=free, count=state.seat_count)
        if state.phase == "open" and free
        else "",
        _turn(board, "turn" if book is None else book.turn, say) if board.turn else "",
        say("preview.paused") if state.paused_at is not None else "",
        say("preview.finished") if state.phase == "finished" else "",
    )
    return PreviewWords(
        rulebook=board.title if book is None else book.name,
        mode=modes.get(state.mode, state.mode),
        status=" \N{MIDDLE DOT} ".join(filter(None, status)),
        end="" if result is None else outcomes.get(result.outcome, result.outcome),
        winners=() if result is None else result.winners,
    )


def _turn(board: Board, turn: str, say: Say) -> str:
    if board.last_turn:
        return say(f"preview.{turn}_of", turn=board.turn, last=board.last_turn)
    return say(f"preview.{turn}", turn=board.turn)


def preview_svg(board: Board, words: PreviewWords) -> str:
    """The picture as a complete SVG document, ending in a line break.

    It shows what ``board`` shows: for a public preview, pass the public view.
    """
    width, height = PREVIEW
    side = height - 2 * _MARGIN
    is_laid = bool(board.squares) or board.plan is not None
    left = 2 * _MARGIN + side if is_laid else 3 * _MARGIN
    people = [f"{'*' if each.seat in words.winners else ''}{each.name}" for each in board.people]
    told = filter(None, (words.rulebook, words.mode, words.status, words.end, *people))
    parts = [
        f'<svg {SVG} width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<title id="title">{escape(words.rulebook)}</title>',
        f'<desc id="desc">{escape(". ".join(told))}.</desc>',
        f"<style>{_STYLE}{'' if board.plan is None else PLAN_STYLE + DARK_PLAN_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="#14181f"/>',
        *_board(board, side),
        *_words(board, words, left),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _board(board: Board, side: int) -> Iterator[str]:
    """The board in a square with a side of so many pixels; none before the game."""
    named = {each.short: each for each in board.figures}
    if board.plan is not None:
        wide = max(plan_size(board.plan))
        ground = [
            f'<rect class="open" width="{wide}" height="{wide}"/>',
            *plan_parts(board.plan, named, 0, 0),
        ]
    elif board.squares:
        wide = CELL * SIDE
        ground = [_tile(named, place, square) for place, square in enumerate(board.squares)]
    else:
        return
    place = f'x="{_MARGIN}" y="{_MARGIN}" width="{side}" height="{side}"'
    yield f'<svg {place} viewBox="0 0 {wide} {wide}">'
    yield from ground
    yield "</svg>"


def _tile(named: Mapping[str, DrawnFigure], place: int, square: Square) -> str:
    x, y = CELL * (place % SIDE), CELL * (place // SIDE)
    color = square.color or ""
    fill, edge = FILLS.get(color, "#ffffff"), EDGES.get(color, "#555555")
    if square.kind is None:
        fill, edge = _STEEL
    look = f'fill="{fill}" stroke="{edge}" stroke-width="3"'
    standing = zip(square.figures, _FIGURES, strict=False)
    return "".join(
        (
            f'<g transform="translate({x} {y})"><title>{escape(square_words(square))}</title>',
            f'<rect x="3" y="3" width="{CELL - 6}" height="{CELL - 6}" rx="8" {look}/>',
            _HATCH if square.kind is None else "",
            *_name(square),
            *(_disc(named[name], *spot) for name, spot in standing),
            "</g>",
        )
    )


def _name(square: Square) -> Iterator[str]:
    for row, line in enumerate(_lines(square.name or "", _ROOM)):
        yield f'<text class="r" x="{CELL // 2}" y="{24 + _ROOM.step * row}">{escape(line)}</text>'


def _disc(figure: DrawnFigure, x: int, y: int) -> str:
    """A figure: with a colour an outline, otherwise a disc with its short name, faint once gone."""
    if figure.color is not None:
        return figure_mark(replace(figure, label=" "), x, y)
    fading = "" if figure.cell else ' opacity="0.4"'
    return (
        f'<g{fading}><title>{escape(figure.called)}</title><circle cx="{x}" cy="{y}" r="14" '
        'fill="#ffffff" stroke="#1b1b1b" stroke-width="2"/>'
        f'<text class="f" x="{x}" y="{y + 5}">{escape(figure.short)}</text></g>'
    )


def _words(board: Board, words: PreviewWords, left: int) -> Iterator[str]:
    """What stands beside the board, as far as it fits."""
    y = _MARGIN
    lines = [("pt", words.rulebook), ("ph", words.mode), ("ps", words.status), ("pe", words.end)]
    for style, text in lines:
        for line in _lines(text, _STYLES[style]):
            y += _STYLES[style].step
            yield f'<text class="{style}" x="{left}" y="{y}">{escape(line)}</text>'
    room = (PREVIEW[1] - _MARGIN - y) // max(1, len(board.people))
    for person in board.people:
        y += min(room, _PERSON_STEP)
        yield _person(board, person, words, left, y + _MARGIN // 2)


def _person(board: Board, person: Person, words: PreviewWords, left: int, y: int) -> str:
    """A line for a player: what they play, who it is, and whether they have won."""
    own = [each for each in board.figures if each.seat == person.seat]
    # A plan has many figures, and all of a seat look alike.
    marks = own[:1] if board.plan is not None else own
    drawn = [_disc(each, left + 14 + 32 * place, y - 9) for place, each in enumerate(marks)]
    at = left + 32 * len(marks) + (8 if marks else 0)
    style = "pm"
    if person.seat in words.winners:
        drawn.append(f'<path class="pw" d="{_STAR}" transform="translate({at + 12} {y - 9})"/>')
        style, at = "pm pw", at + 34
    name = person.name
    if len(name) > _NAME:
        name = f"{name[: _NAME - 1].rstrip()}\N{HORIZONTAL ELLIPSIS}"
    return f'{"".join(drawn)}<text class="{style}" x="{at}" y="{y}">{escape(name)}</text>'


def _lines(text: str, style: _Style) -> list[str]:
    """A text in as many lines as it may have; what does not fit is left out, and that is seen."""
    return textwrap.wrap(text, style.fits, max_lines=style.most, placeholder=_MORE)
