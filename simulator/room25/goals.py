"""Rare ends to aim at: who is to reach Room 25, who is to die and how, and when to push out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal

from msgspec import Struct

from events.kernel import Seat
from games.room25.editions.endings import teams
from games.room25.model.catalogue import PRISONER, is_guard
from games.room25.model.state import State

Hold = Literal["now", "last", "never"]

DEADLY = ("mortal", "mortal", "acid", "trap", "flooded", "burning", "shredder", "timer")
CHAINS = ("moving", "control", "tunnel", "vortex", "vision", "illusion")
PLAIN = ("empty", "central", "room25")
MEETINGS = ("vision", "secrets", "robot", "mac", "regeneration", "shredder", "control", "dark")
"""Where a crowd may meet; the first kind that is laid out."""


class Goal(Struct, frozen=True, kw_only=True):
    """What a steered game aims at.

    ``insiders`` go to Room 25; ``actors`` push it out once all insiders are in and ``hold``
    allows; ``victims`` go where they die, by the kind of room; ``wanderers`` go to rooms of
    ``chains`` kinds and like to be sent on; ``seekers`` look for one kind of room each, or meet in
    one; ``shows`` are guards who show themselves; ``resigns`` are seats that give up in turn
    ``resign_turn``; ``keyless``: nobody thinks of the key.
    """

    insiders: frozenset[str] = frozenset()
    actors: frozenset[str] = frozenset()
    hold: Hold = "now"
    victims: Mapping[str, str] = {}
    seekers: Mapping[str, str] = {}
    wanderers: frozenset[str] = frozenset()
    shows: frozenset[str] = frozenset()
    resigns: frozenset[Seat] = frozenset()
    resign_turn: int = 0
    keyless: bool = False


def goal_of(rng: Random, state: State) -> Goal:
    """A goal for a game that has just begun."""
    if rng.randrange(8) == 0:
        return _wandering(state)
    if rng.randrange(5) == 0:
        return _seeking(rng, state)
    if state.mode == "suspicion":
        return _suspicion(rng, state)
    if state.mode in {"competition", "team"}:
        return _rivals(rng, state)
    return _together(rng, state)


def _wandering(state: State) -> Goal:
    """Everybody looks for rooms that send on to other rooms."""
    return Goal(wanderers=frozenset(state.characters), hold="never")


def _seeking(rng: Random, state: State) -> Goal:
    """Everybody looks for some special room of its own, or all meet in one; guards show."""
    guards = frozenset(n for n, c in state.characters.items() if is_guard(c.role))
    kinds = sorted(kind for kind, n in state.composition.items() if n and kind not in PLAIN)
    meeting = [kind for kind in MEETINGS if state.composition.get(kind)]
    if meeting and rng.randrange(2):
        seekers = dict.fromkeys(state.characters, rng.choice(meeting))
    else:
        seekers = {name: rng.choice(kinds) for name in state.characters}
    return Goal(seekers=seekers, shows=guards, hold="never")


def _doom(rng: Random, state: State, names: Iterable[str]) -> dict[str, str]:
    """Each of ``names`` is to die in some kind of room; acid and saws take two to work."""
    kinds = [kind for kind in DEADLY if state.composition.get(kind)] or ["mortal"]
    one_kind = rng.choice(kinds)
    crowded = one_kind in {"acid", "shredder"}
    return {name: one_kind if crowded else rng.choice(kinds) for name in names}


def _living(state: State, names: Iterable[str]) -> list[str]:
    return [name for name in names if state.characters[name].alive]


def _suspicion(rng: Random, state: State) -> Goal:
    """Escapes, masks, death chains, both guards dead."""
    everybody = _living(state, state.characters)
    prisoners = [n for n in everybody if state.characters[n].role == PRISONER]
    guards = [n for n in everybody if is_guard(state.characters[n].role)]
    rng.shuffle(prisoners)
    shows = frozenset(guards if rng.randrange(2) else ())
    plots = ("escape", "escape", "last", "last", "masks", "guards", "chain", "show")
    plot = rng.choice(plots if guards else ("escape", "last", "chain", "chain"))
    if plot == "escape":
        inside = [*prisoners, *(guards if rng.randrange(2) else ())]
        return Goal(insiders=frozenset(inside), actors=frozenset(inside))
    if plot == "last":
        inside = prisoners[1:]
        victims = _doom(rng, state, prisoners[:1]) if rng.randrange(2) else {}
        who = frozenset(inside)
        return Goal(insiders=who, actors=who, hold="last", victims=victims, shows=shows)
    if plot == "masks":
        outsider = rng.choice(everybody)
        return Goal(insiders=frozenset(everybody) - {outsider}, hold="never")
    if plot == "guards":
        who = frozenset(prisoners)
        return Goal(insiders=who, actors=who, hold="last", victims=_doom(rng, state, guards))
    if plot == "chain":
        mixed = guards and rng.randrange(2)
        dead = [*guards[:1], *prisoners[:2]] if mixed else everybody[:3]
        return Goal(victims=_doom(rng, state, dead), shows=shows, hold="never")
    return Goal(insiders=frozenset(everybody), hold="never", shows=frozenset(guards))


def _together(rng: Random, state: State) -> Goal:
    """Cooperation and solo: whole and partial victories, one death too many."""
    everybody = _living(state, state.characters)
    rng.shuffle(everybody)
    fragile = "key" in state.composition or state.key_activated
    losses = rng.choice((0, 0, 0, 0, 0, 1) if fragile else (0, 0, 0, 1, 1, 2, len(everybody)))
    inside = frozenset(everybody[losses:])
    hold: Hold = rng.choice(("now", "now", "last"))
    victims = _doom(rng, state, everybody[:losses])
    if not inside:
        victims = dict.fromkeys(everybody, "mortal")  # Acid would spare the last one.
    keyless = rng.randrange(6) == 0
    return Goal(insiders=inside, actors=inside, hold=hold, victims=victims, keyless=keyless)


def _rivals(rng: Random, state: State) -> Goal:
    """Teams: first out, last alive, out at the very last, ties, others pushed out, resigned."""
    sides = [_living(state, [c.id for c in members]) for members in teams(state).values()]
    sides = [side for side in sides if side]
    rng.shuffle(sides)
    first, *others = sides
    rest = [name for side in others for name in side]
    plots = ["out", "kill", "last", "tie", "gift", "gift", "draw", "resign"]
    plot = rng.choice(plots + ["draw"] * 4 * (len(others) - 1))
    if plot == "out":
        return Goal(insiders=frozenset(first), actors=frozenset(first))
    if plot == "kill":
        return Goal(insiders=frozenset(first), victims=_doom(rng, state, rest), hold="never")
    if plot == "last":
        who = frozenset(first[1:])
        return Goal(insiders=who, actors=who, victims=_doom(rng, state, first[:1]), hold="last")
    if plot == "tie":
        return Goal(insiders=frozenset(side[0] for side in sides), hold="never")
    if plot == "gift":
        giver = rest[:1]
        return Goal(insiders=frozenset([*first, *giver]), actors=frozenset(giver))
    if plot == "draw":
        inside = [name for side in sides[:2] for name in side]
        actors = frozenset(side[0] for side in sides[2:]) or frozenset(first)
        return Goal(insiders=frozenset(inside) | actors, actors=actors)
    return _giving_up(rng, state, others)


def _giving_up(rng: Random, state: State, sides: list[list[str]]) -> Goal:
    """Whole sides resign, one after the other; the rest goes on."""
    gone = {state.characters[name].seat for side in sides[: rng.randint(1, 2)] for name in side}
    inside = frozenset(_living(state, state.characters))
    return Goal(
        insiders=inside,
        actors=inside,
        hold="last",
        resigns=frozenset(gone),
        resign_turn=rng.randint(1, 5),
    )
