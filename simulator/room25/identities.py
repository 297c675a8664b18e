"""The oracle of roles: which must be public by now, and which may become so (§4.8, §4.9).

Written from the rules for all rulebooks, sharing no function with the engine.
"""

from __future__ import annotations

from typing import Final

from games.room25.facts import events as ev
from games.room25.model.state import Character, State
from simulator.room25.position import FAMILY, PROTOTYPE, is_guard
from simulator.run import require

UNMASKING: Final = 3
"""So many in the prototype's Room 25 show everybody's role (R86)."""


def people(state: State) -> list[Character]:
    """All characters, dead or alive."""
    return list(state.characters.values())


def in_exit(state: State, c: Character) -> bool:
    """Whether somebody lives in the face-up Room 25."""
    tile = state.grid.get(c.cell or "")
    return tile is not None and tile.up and tile.kind == "room25"


def unmasked(state: State) -> list[Character]:
    """Whose role the crowd in Room 25 makes public (§4.8.3)."""
    within = [c for c in people(state) if in_exit(state, c)]
    outside = [c for c in people(state) if c not in within]
    if state.rulebook == PROTOTYPE:
        return people(state) if len(within) >= UNMASKING else []
    if state.rulebook in FAMILY:
        # Every role is dealt, unless only some characters are in play (H20).
        guards = sum(is_guard(c) for c in people(state))
        guards += sum(role != "prisoner" for role in state.undealt or ())
        return outside if 1 <= len(outside) <= guards else []
    living = [c for c in people(state) if c.alive]
    return [c for c in outside if c.alive] if 2 * len(within) > len(living) else []


def dead_shown(state: State) -> list[Character]:
    """The dead whose role is public: all in the prototype, else the chain of §4.9 (R80)."""
    dead = [state.characters[name] for name in state.dead]
    if state.rulebook == PROTOTYPE:
        return dead
    earlier = dead[:-1]
    return dead if any(c.role == "prisoner" for c in earlier) else earlier


def roles_are_shown(state: State, *, laid: bool) -> None:
    """What must be public is; ``laid``: the turn began in the middle.

    Raises:
        PropertyBroken: somebody hides a role.
    """
    for c in dead_shown(state):
        which = "the latest" if c.id == state.dead[-1] else "an earlier"
        require(c.role_public, f"{which} dead hides its role: {c.id}")
    for c in unmasked(state):
        require(c.role_public, f"a mask was not taken off: {c.id}")
    # Who dies during the last turn is not asked any more; whoever was dead before is (R87).
    opened = state.phase == "programming" and state.turn == state.last_turn and not laid
    if state.rulebook in FAMILY and opened:
        for name in state.dead:
            shown = state.characters[name].role_public
            require(shown, f"{name} was dead before the last turn and hides its role")


def judge_reveal(state: State, event: ev.RoleRevealed) -> None:
    """Whether a role may become public in this position, for the reason that is given.

    Raises:
        PropertyBroken: it may not.
    """
    c = state.characters[event.character]
    require(not c.role_public, f"{c.id} shows its role twice")
    require(event.role == c.role, f"{c.id} shows {event.role}")
    last = state.rulebook in FAMILY and state.turn == state.last_turn
    allowed = {
        "own": c.alive and is_guard(c),
        "death": c in dead_shown(state),
        "masks": c in unmasked(state),
        "last_turn": last and not c.alive,
        "scenario": True,
    }
    require(allowed[event.cause], f"{c.id} shows its role for no reason ({event.cause})")
