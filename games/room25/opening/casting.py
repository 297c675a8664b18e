"""Which characters a seat may have (§4.1.2; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from events.kernel import Rejected, Seat
from games.contract import TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.model.characters import CHARACTERS
from games.room25.model.codes import Code

Taken = Mapping[Seat, tuple[str, ...]]

_DUO = {c.id: c.duo for c in CHARACTERS}


def team_of(opening: TableOpening, seat: Seat) -> str:
    """A seat's team: everybody's, its own, or one of several by turns (§4.1.3)."""
    count = RULEBOOKS[opening.rulebook].modes[opening.mode].teams.get(opening.seats, 0)
    if count == 0:
        return "all"
    return f"seat{seat}" if count == opening.seats else "ABC"[(seat - 1) % count]


def _fits(opening: TableOpening, taken: Taken, seat: Seat, wish: tuple[str, ...]) -> bool:
    """Whether a whole set of characters is allowed for a seat, given who sits elsewhere."""
    mode = RULEBOOKS[opening.rulebook].modes[opening.mode]
    used = {name for n, names in taken.items() if n != seat for name in names}
    if used.intersection(wish) or len(set(wish)) != mode.per_seat[opening.seats]:
        return False
    if mode.duos and len(wish) == 2:  # noqa: PLR2004 (a duo)
        return len({_DUO[name] for name in wish}) == 1
    if mode.team_casting:
        return _team_fits(opening, taken, seat, wish[0])
    return True


def _team_fits(opening: TableOpening, taken: Taken, seat: Seat, name: str) -> bool:
    """Four seats: one duo for each team; six: one of each duo in each team (§4.1.2)."""
    mates = [
        _DUO[other]
        for n, names in taken.items()
        if n != seat and team_of(opening, n) == team_of(opening, seat)
        for other in names
    ]
    rivals = [
        _DUO[other]
        for n, names in taken.items()
        if team_of(opening, n) != team_of(opening, seat)
        for other in names
    ]
    if opening.seats == 4:  # noqa: PLR2004 (two teams of two)
        return all(duo == _DUO[name] for duo in mates) and _DUO[name] not in rivals
    return _DUO[name] not in mates


def cast(opening: TableOpening, taken: Taken, seat: Seat, wish: tuple[str, ...]) -> tuple[str, ...]:
    """The characters of a seat: those wished, completed in canonical order, or the first free.

    Raises:
        Rejected: unknown-character, character-taken or character-not-allowed.
    """
    used = {name for n, names in taken.items() if n != seat for name in names}
    known = RULEBOOKS[opening.rulebook].characters
    for name in wish:
        if name not in known:
            raise Rejected(Code.UNKNOWN_CHARACTER, "this rulebook has no such character")
        if name in used:
            raise Rejected(Code.CHARACTER_TAKEN, "somebody else plays this character")
    count = RULEBOOKS[opening.rulebook].modes[opening.mode].per_seat[opening.seats]
    for names in combinations(known, count):
        if set(wish) <= set(names) and _fits(opening, taken, seat, names):
            return tuple(wish) + tuple(name for name in names if name not in wish)
    raise Rejected(Code.CHARACTER_NOT_ALLOWED, "the mode does not allow this choice of characters")
