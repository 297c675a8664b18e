"""Pairwise covers: rows in which every possible pair of settings of a table occurs.

A factor is something a host settles: how many sit down, and each option with all its values and
with nothing said. The number of players, the number of guards and the composition depend on each
other (§2.1); the other options go with anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Final

from games.room25.editions import RULEBOOKS
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.opening.setup import CUSTOM
from simulator.chance import chance

UNSAID: Final = "unsaid"
"""Stands for an option that the host leaves out; no option has this value."""

SEATS: Final = "seats"
COMPOSITION: Final = "composition"
GUARDS: Final = "guards"

CANDIDATES: Final = 40
"""So many rows are thought up for each row taken: the more, the fewer rows in the end."""

Row = Mapping[str, object]
"""A value for every factor."""

Pair = frozenset[tuple[str, object]]
"""Two settings, each a factor and its value."""


@cache
def cover(rulebook_id: str, mode_id: str) -> tuple[Row, ...]:
    """Rows that hold every pair of settings which a table of this mode can have."""
    rulebook = RULEBOOKS[rulebook_id]
    mode = rulebook.modes[mode_id]
    rng = chance("cover", rulebook_id, mode_id)
    dependent, free = list(cores(rulebook, mode)), free_factors(rulebook, mode)
    left = dict.fromkeys(pairs(rulebook, mode))
    rows: list[Row] = []
    while left:
        wanted = next(iter(left))
        found = [_row(rng, wanted, dependent, free) for _ in range(CANDIDATES)]
        best = max(found, key=lambda row: sum(pair in left for pair in pairs_of(row)))
        rows.append(best)
        for pair in pairs_of(best):
            left.pop(pair, None)
    return tuple(rows)


def pairs(rulebook: Rulebook, mode: Mode) -> Iterator[Pair]:
    """Every pair of settings that some table can have."""
    free = free_factors(rulebook, mode)
    for core in cores(rulebook, mode):
        yield from pairs_of(core)
        for setting in core.items():
            yield from (frozenset({setting, (f, v)}) for f, vs in free.items() for v in vs)
    for one, other in combinations(free, 2):
        yield from (frozenset({(one, a), (other, b)}) for a in free[one] for b in free[other])


def pairs_of(row: Row) -> Iterator[Pair]:
    """The pairs of settings in a row."""
    return map(frozenset, combinations(row.items(), 2))


def cores(rulebook: Rulebook, mode: Mode) -> Iterator[Row]:
    """What goes together of the factors that depend on each other."""
    names = [SEATS, *(name for name in (GUARDS, COMPOSITION) if name in mode.options)]
    for values in product(*(_values(rulebook, mode, name) for name in names)):
        core = dict(zip(names, values, strict=True))
        if _agree(rulebook, mode, core):
            yield core


def free_factors(rulebook: Rulebook, mode: Mode) -> dict[str, tuple[object, ...]]:
    """The options that go with anything, and their values."""
    bound = {COMPOSITION, GUARDS, "rooms"}
    return {name: _values(rulebook, mode, name) for name in mode.options if name not in bound}


def _values(rulebook: Rulebook, mode: Mode, name: str) -> tuple[object, ...]:
    if name == SEATS:
        return mode.seats
    if name == COMPOSITION:
        known = (c for c, found in rulebook.compositions.items() if mode.id in found.modes)
        return (UNSAID, CUSTOM, *known)
    return (UNSAID, *rulebook.options[name].values)


def _agree(rulebook: Rulebook, mode: Mode, core: Row) -> bool:
    """Whether so many players may have so many guards, and these rooms with them."""
    seats = int(str(core[SEATS]))
    found = [by_seats[seats] for by_seats in (mode.roles, mode.other_roles) if seats in by_seats]
    counts = [guards for _, guards in found]
    guards = core.get(GUARDS, UNSAID)
    if guards != UNSAID and guards not in counts:
        return False
    dealt = guards if guards != UNSAID else next(iter(counts), 0)
    known = rulebook.compositions.get(str(core[COMPOSITION]))
    return known is None or known.guards in {None, dealt}


def _row(
    rng: Random, wanted: Pair, dependent: list[Row], free: Mapping[str, tuple[object, ...]]
) -> Row:
    """A row with two settings that are wanted, and anything that goes with them."""
    fixed = dict(wanted)
    fitting = [c for c in dependent if all(c[name] == fixed.get(name, c[name]) for name in c)]
    row = dict(rng.choice(fitting))
    for name, values in free.items():
        row[name] = fixed[name] if name in fixed else rng.choice(values)
    return row
