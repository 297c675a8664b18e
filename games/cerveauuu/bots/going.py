"""What to do in a go: attack where it is won, else come nearer (§4.6, §12.9; pure)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from games.cerveauuu.bots.front import Front, Muster
from games.cerveauuu.bots.mind import Mind, part_of
from games.cerveauuu.model.ids import is_human
from games.cerveauuu.rules.movement import KEEP
from games.cerveauuu.rules.pieces import reach_of, ready_zombies
from games.cerveauuu.rules.stats import stat
from games.cerveauuu.rules.trees import ATTACK, END
from games.trees import parts_of

RIVAL: Final = 0.4
"""What another seat's zombie is worth, in humans."""

FRESH: Final = 0.3
"""What it costs to spend a supporter that could still act."""

WALKED: Final = 0.02
"""What a step costs: a movement opens a window in which others may play cards (§4.7.2)."""


class Strike(Struct, frozen=True):
    """An activation that ends in an attack: the cell where it ends, the fight, what it is worth."""

    zombie: str
    cell: int
    target: str
    muster: Muster
    worth: float


class Ways(Struct, frozen=True):
    """Where a zombie may come to, the nearest first, its own cell included."""

    zombie: str
    start: int
    ends: tuple[int, ...]


def ways_of(mind: Mind, zombie: str) -> Ways:
    """Where a ready zombie may come to."""
    state, grid = mind.state, mind.grid
    start = grid.cell_of(state.pieces[zombie].cell)
    steps = stat(state, grid, zombie, "move")
    return Ways(zombie, start, (start, *reach_of(state, grid, zombie, steps).ends))


def strikes(mind: Mind, front: Front, ways: Ways) -> list[Strike]:
    """All attacks of a zombie that are won without luck."""
    grid, state = mind.grid, mind.state
    targets = {
        front.cells[p.id]: p.id
        for p in state.pieces.values()
        if not p.doomed and p.controller != mind.seat
    }
    found = []
    for place, cell in enumerate(ways.ends):
        near = [targets[each] for each in grid.neighbours(cell) if each in targets]
        if not near:
            continue
        front.put(ways.zombie, cell)
        for target in near:
            muster = front.own_prospect(ways.zombie, target, mind.seat)
            if muster.wins:
                worth = _worth(mind, muster, target) - WALKED * bool(place)
                found.append(Strike(ways.zombie, cell, target, muster, worth))
    front.put(ways.zombie, ways.start)
    return found


def _worth(mind: Mind, muster: Muster, target: str) -> float:
    pieces = mind.state.pieces
    fresh = sum(not pieces[helper].activated for helper in muster.attackers[1:])
    gain = float(muster.victims) if is_human(target) else RIVAL
    return gain - FRESH * fresh


def attack(mind: Mind) -> str | None:
    """The attack with most victims; None: none is won."""
    front = Front(mind.state, mind.grid)
    found = [strike for each in _all_ways(mind) for strike in strikes(mind, front, each)]
    if not found:
        return None
    most = max(strike.worth for strike in found)
    best = [strike for strike in found if strike.worth == most]
    names = {_name(mind, strike): strike for strike in best}
    strike = names[mind.any_of(names)]
    return _leaf(mind, strike.zombie, strike.cell, f"{ATTACK}{strike.target}")


def _all_ways(mind: Mind) -> list[Ways]:
    return [ways_of(mind, zombie) for zombie in ready_zombies(mind.state, mind.seat)]


def _name(mind: Mind, strike: Strike) -> str:
    return f"{strike.zombie}.{mind.grid.cell_id(strike.cell)}.{strike.target}"


def _leaf(mind: Mind, zombie: str, cell: int, last: str) -> str:
    name = mind.grid.cell_id(cell)
    if name == mind.state.pieces[zombie].cell:
        return mind.leaf(zombie, last)
    return mind.leaf(zombie, name, last)


def walk(mind: Mind) -> str:
    """The zombie that can come nearest to a human goes there; §12.9: to one step off it."""
    grid, state = mind.grid, mind.state
    prey = [grid.distances(grid.cell_of(p.cell)) for p in state.humans() if not p.doomed]
    values = {}
    for each in _all_ways(mind):
        for place, cell in enumerate(each.ends):
            off = min((distances[cell] for distances in prey), default=0)
            values[f"{each.zombie} {cell}"] = -float(off) - WALKED * bool(place)
    zombie, _, end = mind.best(values).partition(" ")
    return _leaf(mind, zombie, int(end), END)


def replan(mind: Mind) -> str:
    """After a card: as declared while there is something to attack, else the best that is left."""
    activation = mind.state.activation
    keep = next(o for o in mind.decision.options if o.id == KEEP)
    if activation is None or keep.meaning.get("attack") is not None:
        return KEEP
    front = Front(mind.state, mind.grid)
    start = front.cells[activation.zombie]
    further = (o.meaning["cell"] for o in mind.decision.options if o.branch)
    ends = (start, *(mind.grid.cell_of(str(cell)) for cell in further))
    offered = {part_of(o) for o in mind.decision.options}
    values = {KEEP: 0.0}
    for strike in strikes(mind, front, Ways(activation.zombie, start, ends)):
        last = f"{ATTACK}{strike.target}"
        if strike.cell != start:
            values[f"{mind.grid.cell_id(strike.cell)}.{last}"] = strike.worth
        elif last in offered:  # it may have to go back before it stops (§2.4)
            values[last] = strike.worth
    best = mind.best(values)
    return mind.leaf(*parts_of(best))
