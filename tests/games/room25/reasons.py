"""Positions in which something cannot be chosen, and the reasons that they give."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.kernel import Decision
from games.contract import Unavailable
from games.room25.model.agenda import Ask
from games.room25.model.state import State
from games.room25.rules.engine import asked_decision
from games.room25.rules.unavailable import unavailable
from simulator.room25.reasons import flaw_of
from tests.games.begun import situation

ALL: Mapping[str, Mapping[str, Any]] = {
    "max": {"seat": 1, "cell": "r1c1"},
    "kevin": {"seat": 2, "cell": "r1c1"},
    "jennifer": {"seat": 3, "cell": "r3c3"},
    "franck": {"seat": 4, "cell": "r3c3"},
}


def position(
    cast: Mapping[str, Mapping[str, Any]] | None = None, seals: tuple[str, ...] = (), **given: Any
) -> State:
    """Four in cooperation before their programmes: two together, one far away, one dead."""
    characters = {name: {**ALL[name], **(cast or {}).get(name, {})} for name in ALL}
    state = situation(
        "cooperation", 4, "ultimate", characters=characters, phase="programming", **given
    )
    dead = replace(state.characters["franck"], cell=None, alive=False)
    grid = {**state.grid, **{cell: replace(state.grid[cell], seal=True) for cell in seals}}
    return replace(state, characters={**state.characters, "franck": dead}, grid=grid)


def asked(
    state: State, kind: str, character: str = "max", **about: Any
) -> tuple[State, Decision, tuple[Unavailable, ...]]:
    """The state with that question on top of its agenda, the decision, and what it lacks."""
    ask = Ask(kind=kind, character=character, id="t3-1-asked", **about)
    state = replace(state, agenda=(*state.agenda, ask))
    decision = asked_decision(state, ask)
    assert unavailable(state, decision, ("r0c0",)) == ()  # it has no branch
    return state, decision, unavailable(state, decision, ())


def why(told: tuple[Unavailable, ...], **meaning: object) -> str | None:
    """The code for what has exactly that meaning."""
    return next((each.code for each in told if each.meaning == meaning), None)


def reason(state: State, kind: str, meaning: Mapping[str, object], **about: Any) -> str | None:
    """The code for a meaning in a position, of a list without a flaw."""
    state, decision, told = asked(state, kind, **about)
    assert flaw_of(state, decision, told) is None
    return why(told, **meaning)


def placed(state: State, **figures: Mapping[str, Any]) -> State:
    """The same with some of the characters otherwise."""
    changed = {name: replace(state.characters[name], **part) for name, part in figures.items()}
    return replace(state, characters={**state.characters, **changed})


def with_others(*names: str, **given: Any) -> State:
    """The same rooms with other characters, all in B2."""
    cast = {name: {"seat": seat, "cell": "r1c1"} for seat, name in enumerate(names, 1)}
    return situation("cooperation", 4, "ultimate", characters=cast, phase="programming", **given)


def sealed(state: State, *cells: str) -> State:
    """The same with seals on some rooms."""
    seals = {cell: replace(state.grid[cell], seal=True) for cell in cells}
    return replace(state, grid={**state.grid, **seals})


TILES: Mapping[str, Any] = {
    "r0c1": {"kind": "empty", "face": "down"},
    "r1c0": {"kind": "empty", "lock": True},
    "r1c2": "vision",
    "r2c1": "jail",
}
"""Round B2: a face-down room, a locked one, a sealed green one and a yellow one."""
