"""Room 25 as it is drawn: its state, from any view, in words and places (pure).

A view is read and nothing else, so a drawing can show no more than its viewer knows.
"""

from __future__ import annotations

from collections.abc import Mapping

from events.kernel import Seat
from games.drawing import DrawnFigure, DrawnPosition, Face, Square, short_names
from games.room25.model.board import CELLS
from games.room25.model.catalogue import ROOM_KINDS
from games.room25.model.state import Character, Program, State, Tile
from games.room25.rules.context import mode_of
from games.room25.words import WORDS
from games.words import ENGLISH


class ComplexDrawing:
    """The complex with its figures (``games.drawing.Drawing``)."""

    def position(self, state: State, language: str = ENGLISH) -> DrawnPosition:
        """What a drawing shows of a state; rooms have their names in ``language``."""
        short = short_names(state.characters)
        return DrawnPosition(
            turn=state.turn,
            last_turn=state.last_turn,
            squares=tuple(
                _square(state, short, where, language) for where in CELLS if where in state.grid
            ),
            order=tuple(short[name] for name in state.order),
            figures=tuple(_figure(state, short, c) for c in state.characters.values()),
            markers=dict(state.markers),
            facts=tuple(_game_facts(state)),
        )


def _square(play: State, short: Mapping[str, str], where: str, language: str) -> Square:
    tile = play.grid[where]
    known = tile.kind is not None
    face: Face = "up" if tile.up else "known" if known else "hidden"
    room = ROOM_KINDS.get(tile.kind or "")
    return Square(
        cell=where,
        face=face,
        kind=tile.kind,
        name=None if room is None else WORDS.word(language, f"room25/room.{room.id}.name"),
        color=None if room is None else room.color,
        marks=_tile_marks(tile),
        reminders=tile.reminders,
        looked=() if tile.up else _lookers(play, tile),
        figures=tuple(short[c.id] for c in play.occupants(where)),
    )


def _tile_marks(tile: Tile) -> tuple[str, ...]:
    marks = ["sealed" if tile.seal else "", "locked" if tile.lock else "", tile.axis or ""]
    return tuple(filter(None, marks))


def _lookers(play: State, tile: Tile) -> tuple[Seat, ...]:
    return tuple(sorted(seat for seat, tiles in play.peeked.items() if tile.id in tiles))


def _figure(play: State, short: Mapping[str, str], c: Character) -> DrawnFigure:
    role = c.role or ("?" if mode_of(play).roles else None)
    return DrawnFigure(
        id=c.id,
        short=short[c.id],
        seat=c.seat,
        cell=c.cell,
        role=role,
        role_public=c.role_public,
        program="" if c.program is None else program_words(c.program),
        notes=_figure_notes(play, c),
    )


def program_words(program: Program) -> str:
    """A programme as far as it is known: ``look+?``; ``handed in`` while nothing is known."""
    if program.tokens is None:
        words = "handed in"
    else:
        words = "+".join("?" if token is None else token or "-" for token in program.tokens)
    return f"{words}, adrenaline" if program.adrenaline else words


def _figure_notes(play: State, c: Character) -> tuple[str, ...]:
    notes = [
        "" if c.alive else "dead",
        "its turn" if play.actor == c.id and c.alive else "",
        f"team {c.team}" if c.team not in {"", "all", f"seat{c.seat}"} else "",
        "one action only" if c.limited else "",
        "delays its action" if c.delayed else "",
        "acts freely" if c.free else "",
        f"used {'+'.join(c.used)}" if c.used else "",
        "passed" if c.passed else "",
        f"lost {'+'.join(c.lost)}" if c.lost else "",
        f"adrenaline {c.adrenaline}" if c.adrenaline != "none" else "",
        "hidden" if c.hidden else "",
        f"trap armed in turn {c.trap.turn}" if c.trap is not None else "",
        f"drowns in turn {c.flood}" if c.flood is not None else "",
    ]
    return tuple(filter(None, notes))


def _game_facts(play: State) -> list[str]:
    clues = [str(seat) for seat in sorted(play.clues)] if play.phase == "starting_clue" else []
    where = {tile.id: cell for cell, tile in play.grid.items()}
    facts = [
        f"starting clue chosen by seat(s) {', '.join(clues)}" if clues else "",
        *(_own_clue(play, seat) for seat in sorted(play.clues) if clues),
        *(
            f"seat {seat} said that {where[claim.tile]} is {claim.color}"
            for seat, claims in sorted(play.claims.items())
            for claim in claims
        ),
        f"died in this order: {', '.join(play.dead)}" if play.dead else "",
        "Room 25 has been found" if play.room25_revealed else "",
        "the key has been activated" if play.key_activated else "",
        f"not dealt: {', '.join(play.undealt)}" if play.undealt else "",
    ]
    return [fact for fact in facts if fact]


def _own_clue(play: State, seat: Seat) -> str:
    cell = play.clues[seat]
    return "" if cell is None else f"seat {seat} wants to look at {cell}"
