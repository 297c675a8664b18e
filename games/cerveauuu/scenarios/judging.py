"""Whether the game's own checks hold, by the JSON of what their viewer sees (pure)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, assert_never

import msgspec

from games.cerveauuu.board import MAPS, Grid, parse_map, print_map
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.stats import seat_stat, stat
from games.cerveauuu.rules.yields import DEEP
from games.cerveauuu.scenarios.checks import (
    CellCheck,
    CellsCheck,
    DeckCheck,
    EdgeCheck,
    FightCheck,
    GameCheck,
    MapCheck,
    OwnCheck,
    PieceCheck,
    PiecesCheck,
    SeatCheck,
    WindowCheck,
)
from games.scenarios import Json, differences


class CheckJudge:
    """Judges checks; it remembers the boards that it has read, and the view that it read last."""

    def __init__(self) -> None:
        self._grids = Grids()
        self._last: tuple[Json, State] | None = None

    def judge(self, check: OwnCheck, play: Json) -> str | None:
        """None if the check holds, else what is the case instead."""
        state = self._state(play)
        grid = self._grids.of(state)
        match check:
            case GameCheck():
                return differences(check, _game(state), ("viewer",))
            case SeatCheck():
                return _seat(check, state)
            case PieceCheck():
                return _piece(check, state, grid)
            case PiecesCheck():
                return differences(check, _pieces(state), ("viewer",))
            case CellCheck():
                return _cell(check, state, grid)
            case EdgeCheck():
                return _edge(check, grid)
            case CellsCheck():
                return _cells(check, grid)
            case MapCheck():
                return differences(check, _map(state), ("viewer",))
            case DeckCheck():
                return _deck(check, state)
            case WindowCheck():
                return differences(check, _window(state), ("viewer",))
            case FightCheck():
                return differences(check, _fight(state), ("viewer",))
            case _:
                assert_never(check)

    def _state(self, play: Json) -> State:
        if self._last is None or self._last[0] is not play:
            self._last = (play, msgspec.convert(play, State, str_keys=True))
        return self._last[1]


def _plain(value: Any) -> Any:  # noqa: ANN401 (JSON)
    """As a check's facts are compared: keys are texts, rows are lists."""
    return msgspec.to_builtins(value, builtin_types=(), str_keys=True)


def _listed(values: Any) -> list[Any]:  # noqa: ANN401 (a row of anything)
    return list(values)


def _game(state: State) -> Json:
    return {
        "round": state.round,
        "phase": state.phase,
        "chief": state.chief,
        "go": state.go,
        "deck_size": state.deck_size,
        "credits": _listed(state.credits),
        "credits_need": state.credits_need,
        "weather": None if state.weather is None else state.weather.card,
        "media_lock": state.media_lock,
        "bans": [ban.type for ban in state.bans],
        "dormant": _listed(state.dormant),
        "options": _plain(state.options),
    }


def _seat(check: SeatCheck, state: State) -> str | None:
    seat = check.seat
    if seat not in state.seats:
        return "there is no such seat"
    hand = state.hands[seat]
    order = state.yields.get(seat)
    facts = {
        "colour": state.colours[seat],
        "score": state.scores[seat],
        "played": state.played[seat],
        "hand_size": len(hand),
        "numbers": sorted(hand),
        "cards": [hand[number] for number in sorted(hand)],
        "pile": _listed(state.piles[seat]),
        "swapped": seat in state.swapped,
        "replacing": state.replacing[seat],
        "dormant": seat in state.dormant,
        "yields": None if order is None else order.kind + (DEEP if order.deep else ""),
        "draws": seat_stat(state, seat, "draws"),
        "keeps": seat_stat(state, seat, "hand"),
    }
    return differences(check, facts, ("viewer", "seat"))


def _piece(check: PieceCheck, state: State, grid: Grid) -> str | None:
    piece = state.pieces.get(check.id)
    facts = {"cell": None} if piece is None else _facts_of(piece, state, grid)
    return differences(check, facts, ("viewer", "id"))


def _facts_of(piece: Piece, state: State, grid: Grid) -> dict[str, Any]:
    facts = {name: getattr(piece, name) for name in Piece.__struct_fields__}
    facts["protections"] = _listed(piece.protections)
    facts["touched_by"] = _listed(piece.touched_by)
    facts["move"] = stat(state, grid, piece.id, "move")
    facts["combat"] = stat(state, grid, piece.id, "combat")
    if piece.human:
        facts["sight"] = stat(state, grid, piece.id, "sight")
        facts["wander"] = stat(state, grid, piece.id, "wander")
    return facts


def _pieces(state: State) -> Json:
    controlled = dict.fromkeys(state.seats, 0)
    for piece in state.zombies():
        controlled[piece.controller or 0] += 1
    return {
        "humans": sum(1 for _ in state.humans()),
        "zombies": sum(1 for _ in state.zombies()),
        "controlled": _plain(controlled),
        "blocked": sum(piece.blocked for piece in state.pieces.values()),
    }


def _standing(state: State, cell: str) -> Iterator[str]:
    return (piece.id for piece in state.pieces.values() if piece.cell == cell)


def _cell(check: CellCheck, state: State, grid: Grid) -> str | None:
    try:
        cell = grid.cell_of(check.at)
    except ValueError as error:
        return str(error)
    facts = {
        "piece": next(_standing(state, check.at), None),
        "building": grid.building(cell),
        "impassable": grid.is_impassable(cell),
        "opaque": grid.is_opaque(cell),
    }
    return differences(check, facts, ("viewer", "at"))


def _edge(check: EdgeCheck, grid: Grid) -> str | None:
    try:
        edge = grid.edge_of(check.at)
    except ValueError as error:
        return str(error)
    facts = {"state": grid.stored(edge), "effective": grid.effective(edge)}
    return differences(check, facts, ("viewer", "at"))


def _cells(check: CellsCheck, grid: Grid) -> str | None:
    try:
        first, second = grid.cell_of(check.first), grid.cell_of(check.second)
    except ValueError as error:
        return str(error)
    facts = {
        "adjacent": grid.adjacent(first, second),
        "sees": grid.sees(first, second),
        "distance": grid.distance(first, second),
    }
    return differences(check, facts, ("viewer", "first", "second"))


def _map(state: State) -> Json:
    text = MAPS.get(state.map, state.map)
    map_ = parse_map(text)
    grid = Grid.of(map_)
    cells = range(grid.size)
    return {
        "cells": grid.size,
        "indoor": sum(map(grid.indoor, cells)),
        "border": sum(map(grid.border, cells)),
        "impassable": len(grid.impassable),
        "doors": sum(grid.stored(edge) == "door_open" for edge in grid.edges),
        "farthest": max(max(grid.distances(cell)) for cell in cells),
        "prints_back": print_map(map_) == text and parse_map(print_map(map_)) == map_,
    }


def _deck(check: DeckCheck, state: State) -> str | None:
    if state.deck is None:
        return "this viewer does not know the deck"
    cards = iter(state.deck)
    parts = [list(islice(cards, size)) for size in check.parts]
    facts = {
        "size": len(state.deck),
        "top": _listed(state.deck[: len(check.top)]),
        "parts": [len(part) for part in parts],
        "credits": [sum(CARDS[card].type == "end_credits" for card in part) for part in parts],
    }
    return differences(check, facts, ("viewer",))


def _window(state: State) -> Json:
    window = state.window
    if window is None:
        return {"kind": None}
    return {
        "kind": window.kind,
        "number": window.number,
        "trigger": window.trigger,
        "version": window.version,
        "floor": window.floor,
        "order": _listed(window.order),
        "passed": _plain(window.passed),
        "answered": sorted(window.answers),
        "timeline": [(step.piece, step.cell) for step in window.timeline],
        "steps": len(window.timeline),
    }


def _fight(state: State) -> Json:
    fight = state.fight
    if fight is None:
        return {"principal": None}
    return {
        "principal": fight.principal,
        "target": fight.target,
        "attackers": _listed(fight.attackers),
        "defenders": _listed(fight.defenders),
        "totals": _listed(fight.totals),
        "winner": fight.winner,
        "share": _plain(fight.share),
    }
