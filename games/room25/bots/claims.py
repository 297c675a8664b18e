"""What ``steady`` does of its own accord: say what colours it has seen, and show itself (pure).

To tell a colour is allowed where rooms may not be named (R29), and it wins games: the blue of
Room 25 brings everybody there. Against rivals it holds its tongue, as they would hear it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.kernel import Decision, Seat
from games.room25.bots.memory import Memory
from games.room25.bots.search import works_against
from games.room25.model.catalogue import color_of, is_guard
from games.room25.model.state import State

TALKATIVE: Final = frozenset({"cooperation", "suspicion"})
"""Modes in which claims are of use."""


def voluntary_act(
    state: State, decisions: Sequence[Decision], memory: Memory
) -> tuple[str, str] | None:
    """A voluntary act among ``decisions``, as (decision, option), or None; ask until it is None.

    Every act changes the view so that it is not wanted again.
    """
    for decision in decisions:
        if decision.kind == "claim_color" and state.mode in TALKATIVE:
            option = _claim(state, decision)
        elif decision.kind == "reveal_guard":
            option = _reveal(state, decision, memory)
        else:
            option = None
        if option is not None:
            return decision.id, option
    return None


def _claim(state: State, decision: Decision) -> str | None:
    """The colour of a room of which this seat has not spoken yet."""
    told = {claim.tile for claim in state.claims.get(decision.seat, ())}
    for option in decision.options:
        tile = state.grid[option.meaning["cell"]]
        if tile.kind and tile.id not in told:
            color = _colour_told(state, decision.seat, tile.kind)
            return next(
                o.id
                for o in decision.options
                if o.meaning == {"cell": option.meaning["cell"], "color": color}
            )
    return None


def _colour_told(state: State, seat: Seat, kind: str) -> str:
    """The truth, but for a guard who has found the exit."""
    guard = any(is_guard(c.role) for c in state.of_seat(seat))
    return "red" if guard and kind == "room25" else color_of(kind)


def _reveal(state: State, decision: Decision, memory: Memory) -> str | None:
    """A guard shows itself once prisoners stand in Room 25: hiding is over, acting freely pays."""
    goal = state.where_kind("room25")
    others = [c for c in state.living() if c.seat != decision.seat and c.cell == goal]
    pays = goal is not None and len(others) > 1 and state.turn < state.last_turn
    hides = not (pays and works_against(state, decision.seat, memory))
    return None if hides else decision.options[0].id
