"""What differs between two positions, in words, so that a table of cards can say what each does.

``h01@r3c3`` moved there, ``h01 blocked``, ``h01 move 7`` reads so now, ``+z02@r1c1:1 blocked`` has
come, ``r4c5e breach`` is so now, ``s1 score +1``, ``s2 hand -1`` beyond a card played, and so on.
What every card does (hand, pile, counter, ``touched_by``) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.cerveauuu.board import Grid
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.model.language import PieceStat
from games.cerveauuu.model.state import Piece, State
from games.cerveauuu.rules.stats import seat_stat, stat, tie
from tests.games.cerveauuu.rules.staging import Done, grid_of

_STATS: Final[dict[bool, tuple[PieceStat, ...]]] = {
    True: ("move", "combat", "sight", "wander"),
    False: ("move", "combat"),
}


def told(before: State, done: Done, seat: int = 1) -> set[str]:
    """All that a card has changed.

    Args:
        before: the position before it.
        done: what has come of it.
        seat: who played it.
    """
    after = done.state
    return {
        *_pieces(before, after),
        *_readings(before, after),
        *_board(before, after),
        *_table(before, after, seat),
        *_fight(before, after),
        *_lasting(before, after),
        *_seen(done),
    }


def _pieces(before: State, after: State) -> Iterator[str]:
    for name in before.pieces.keys() - after.pieces.keys():
        yield f"-{name}"
    for name, piece in after.pieces.items():
        was = before.pieces.get(name)
        if was is None:
            owner = "" if piece.controller is None else f":{piece.controller}"
            yield f"+{name}@{piece.cell}{owner}{' blocked' if piece.blocked else ''}"
        else:
            yield from _piece(was, piece)


def _piece(was: Piece, piece: Piece) -> Iterator[str]:
    name = piece.id
    if was.cell != piece.cell:
        yield f"{name}@{piece.cell}"
    for mark in ("blocked", "doomed", "must_leave", "moved", "activated", "attacked"):
        if getattr(was, mark) != getattr(piece, mark):
            yield f"{name} {'' if getattr(piece, mark) else 'not '}{mark}"
    for cause in piece.protections[len(was.protections) :]:
        yield f"{name} safe from {cause}"


def _readings(before: State, after: State) -> Iterator[str]:
    """Stats and ties of those who were there before and are still, where they stand now."""
    grid = grid_of(after)
    for name in before.pieces.keys() & after.pieces.keys():
        where = grid.cell_of(after.pieces[name].cell)
        for each in _STATS[after.pieces[name].human]:
            value = stat(after, grid, name, each)
            if value != stat(before, grid, name, each, where):
                yield f"{name} {each} {value}"
        was, now = tie(before, grid_of(before), name), tie(after, grid, name)
        if was.wins != now.wins:
            yield f"{name} {'wins' if now.wins else 'no longer wins'} ties"
        if was.deprived != now.deprived:
            yield f"{name} {'loses' if now.deprived else 'has again'} its privilege"


def _board(before: State, after: State) -> Iterator[str]:
    was, now = grid_of(before), grid_of(after)
    for edge in now.edges:
        if was.stored(edge) != now.stored(edge):
            yield f"{now.edge_id(edge)} {now.stored(edge)}"
    for flag, old, new in (
        ("impassable", was.impassable, now.impassable),
        ("opaque", was.opaque, now.opaque),
    ):
        yield from _flags(now, flag, old, new)


def _flags(grid: Grid, flag: str, old: frozenset[int], new: frozenset[int]) -> Iterator[str]:
    yield from (f"{grid.cell_id(cell)} {flag}" for cell in new - old)
    yield from (f"{grid.cell_id(cell)} no longer {flag}" for cell in old - new)


def _table(before: State, after: State, seat: int) -> Iterator[str]:
    for each in after.seats:
        hand = len(after.hands[each]) - len(before.hands[each]) + (each == seat)
        if hand:
            yield f"s{each} hand {hand:+}"
        if after.scores[each] != before.scores[each]:
            yield f"s{each} score {after.scores[each] - before.scores[each]:+}"
        for name in ("draws", "hand"):
            value = seat_stat(after, each, name)
            if value != seat_stat(before, each, name):
                yield f"s{each} {name} limit {value}"
    for trigger in after.triggers[len(before.triggers) :]:
        yield f"when {trigger.pieces[0]} {trigger.when}"
    for ban in after.bans[len(before.bans) :]:
        yield f"no {ban.type}"
    if after.credits_need != before.credits_need:
        yield f"need {after.credits_need}"
    if after.credits != before.credits:
        yield f"credits {' '.join(after.credits) or 'none'}"
    if after.weather != before.weather and after.weather is not None:
        yield f"weather {after.weather.card}"
    if after.media_lock != before.media_lock:
        yield "no more media"


def _fight(before: State, after: State) -> Iterator[str]:
    if after.activation != before.activation and after.activation and after.activation.halted:
        yield "halted"
    if before.fight is None or after.fight is None:
        return
    for name in after.pieces:
        side = after.fight.side(name)
        if side != before.fight.side(name):
            yield f"{name} leaves the fight" if side is None else f"{name} joins {side}"


def _lasting(before: State, after: State) -> Iterator[str]:
    """How long what has been changed lasts."""
    found = {
        *(each.lasts for each in after.modifiers if each not in before.modifiers),
        *(each.lasts for each in after.bans if each not in before.bans),
        *(each.lasts for each in after.triggers if each not in before.triggers),
    }
    for old, new in ((before.edges, after.edges), (before.cells, after.cells)):
        for where, changes in new.items():
            found |= {lasts for _, lasts in changes[len(old.get(where, ())) :]}
    yield from (f"for {lasts}" for lasts in found)


def _seen(done: Done) -> Iterator[str]:
    for event in done.events:
        if isinstance(event, cards.HandSeen):
            assert isinstance(event.cards, dict)
            yield f"s{event.seat} sees {' '.join(event.cards.values())}"
