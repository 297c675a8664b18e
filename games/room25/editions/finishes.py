"""How each seat ended a game: with whom, on which side, and whether it won (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.kernel import Seat
from games.contract import Finish
from games.room25.editions import RULEBOOKS
from games.room25.model.catalogue import GUARD, PRISONER
from games.room25.model.state import State

SIDES: Final = (PRISONER, GUARD)
"""The sides of suspicion; whoever knows their partners from the start has none."""

_BEST: Final = 1
_REST: Final = 2


def finishes(state: State) -> Mapping[Seat, Finish]:
    """How each seat ended the game; empty before it is over.

    Only facts that everybody has are asked: in suspicion all of one side win, or nobody does
    because no guard was dealt, so the winners and the outcome tell who was on which side (§4.10).
    """
    if state.end is None:
        return {}
    found = {}
    for seat in state.seats():
        won = seat in state.end.winners
        party, side = _party(state, seat, state.end.outcome, won=won)
        found[seat] = Finish(party=party, side=side, rank=_BEST if won else _REST)
    return found


def _party(state: State, seat: Seat, outcome: str, *, won: bool) -> tuple[str, str | None]:
    mode = RULEBOOKS[state.rulebook].modes[state.mode]
    if mode.roles:
        side = GUARD if won != (outcome == "prisoners") else PRISONER
        return side, side
    return (state.of_seat(seat)[0].team, None) if mode.teams else ("together", None)
