"""Aims, abilities, robots and powers, for the oracle of what is legal (§4.5, §6.1, §6.3, §6.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Final, NamedTuple

from games.room25.model.state import Character
from simulator.room25.position import (
    CENTRE,
    LINES,
    MOVABLE,
    TOKENS,
    Place,
    TablePosition,
    has_specials,
    name,
    place_of,
    ways_of,
)


class Question(NamedTuple):
    """What is asked: of whom, in which position.

    ``about`` are the words of the question; ``card`` was drawn last, and ``first`` is its first
    player; ``left`` are those whose slot of the running round is still to come.
    """

    p: TablePosition
    c: Character
    kind: str
    about: tuple[str, ...]
    card: str
    first: str
    left: tuple[str, ...]


def owned(c: Character) -> list[str]:
    """A character's tokens without those that penalties took (§3.5)."""
    return [token for token in (*TOKENS, "special") if token in set(c.tokens) - set(c.lost)]


# --- aims of the tokens (§4.5) ---


def aims(p: TablePosition, c: Character, token: str) -> list[str]:
    """What a token may be aimed at; nothing: the action is lost."""
    usual = _AIMS[token](p, c)
    more = [option for option in _more_aims(p, c, token) if option not in usual]
    return ["lose", *more] if more and not usual else usual + more


def _look(p: TablePosition, c: Character) -> list[str]:
    here = p.at(c)
    ways = [] if p.shown(here) == "dark" else p.ways_out(here)
    return [name(there) for there in ways if not p.tiles[there].up]


def _push(p: TablePosition, c: Character) -> list[str]:
    return [f"{v.id}:{cell}" for v in _victims(p, c) for cell in p.steps(v)]


def _victims(p: TablePosition, c: Character) -> list[Character]:
    """Whom somebody may push: Alice sees a hidden Bruce, nobody else sees who hides."""
    if p.at(c) == CENTRE:
        return []
    return [v for v in p.others(c) if not v.hidden or (c.id, v.id) == ("alice", "bruce")]


def _control(p: TablePosition, c: Character) -> list[str]:
    row, column = p.at(c)
    if (row, column) == CENTRE:
        return []
    return p.shifts([f"row{row}"] * (row in MOVABLE) + [f"col{column}"] * (column in MOVABLE))


def _special(p: TablePosition, c: Character) -> list[str]:
    """All uses of one's abilities (D16), never in the Central Room (R36)."""
    if p.at(c) == CENTRE or not has_specials(p.state):
        return []
    return [option for ability in abilities(p, c) for option in ABILITIES[ability](p, c)]


def abilities(p: TablePosition, c: Character) -> Sequence[str]:
    """What a character can do by the special action, by itself or by imitation."""
    return _mimicked(p, c) if c.id == "bruce" else OWN[c.id]


_AIMS: Final[dict[str, Callable[[TablePosition, Character], list[str]]]] = {
    "look": _look,
    "move": lambda p, c: p.steps(c),
    "push": _push,
    "control": _control,
    "special": _special,
}


# --- what a revealed guard of the prototype may do besides (§6.5, R118) ---


def _more_aims(p: TablePosition, c: Character, token: str) -> list[str]:
    power = (c.role, token) if c.role_public else ("", token)
    if power == ("hacker", "control"):
        return [f"{line}:{way}" for line in LINES for way in ways_of(line)]
    if power == ("brute", "push"):
        return [
            f"{first.id}+{second.id}:{cell}"
            for first, second in permutations(_victims(p, c), 2)
            for cell in p.steps(first)
            if p.leads(second, place_of(cell))
        ]
    if power == ("architect", "look") and p.shown(p.at(c)) != "dark":
        hidden = [f"hide:{name(place)}" for place in sorted(p.tiles) if _may_hide(p, place)]
        return p.down() + hidden
    return []


def _may_hide(p: TablePosition, place: Place) -> bool:
    """R107: open, free, not sealed, and not the Central Room."""
    tile = p.tiles[place]
    return tile.up and not tile.seal and place != CENTRE and p.is_free(place)


def _killer(q: Question) -> list[str]:
    return ["stop", *q.p.steps(q.c)]


def _traitor(q: Question) -> list[str]:
    """Leave it, swap a pair in round 1, or put an unused token in a slot yet to come."""
    tokens = q.c.programmed
    in_second = q.p.state.round > 1
    slots = (2,) if in_second and len(tokens) > 1 else range(1, len(tokens) + 1)
    swap = ["swap"] if len(tokens) > 1 and not in_second else []
    other = [token for token in owned(q.c) if token not in tokens]
    return ["keep", *swap, *(f"replace:{slot}:{token}" for slot in slots for token in other)]


# --- the abilities (§6.1) ---


def _summon(p: TablePosition, c: Character) -> list[str]:
    """Who stands next door in sight and may come in here; corridors do not matter (R33)."""
    here = p.at(c)
    everybody = [p.state.characters[n] for n in p.state.order]
    return [
        f"summon:{v.id}"
        for v in everybody
        if v.alive and not v.hidden and p.at(v) in p.near(here) and p.lets_in(here, v)
    ]


def _carry(p: TablePosition, c: Character) -> list[str]:
    """Somebody in sight on the same tile, and a way that both may go (R130)."""
    return [
        f"carry:{v.id}:{cell}"
        for v in p.others(c)
        if not v.hidden and (c.id, v.id) != ("bruce", "max")
        for cell in p.steps(c)
        if p.lets_in(place_of(cell), v)
    ]


def _reactivate(p: TablePosition, c: Character) -> list[str]:
    near = p.near(p.at(c))
    return [f"reactivate:{name(n)}" for n in near if p.tiles[n].seal and p.is_free(n)]


def lockable(p: TablePosition, place: Place) -> bool:
    """Open, not blue, no lock and no seal on it (R100)."""
    tile = p.tiles[place]
    return tile.up and not tile.lock and not tile.seal and p.colour(place) != "blue"


def locks(p: TablePosition, places: list[Place]) -> list[str]:
    """Where a lock may go; with none left in supply, also which one is moved there."""
    targets = [name(place) for place in places if lockable(p, place)]
    if p.state.locks:
        return targets
    placed = [name(place) for place, tile in sorted(p.tiles.items()) if tile.lock]
    return [f"{target}:{other}" for target in targets for other in placed]


def _lock(p: TablePosition, c: Character) -> list[str]:
    here = p.at(c)
    return [f"lock:{option}" for option in locks(p, [here, *p.near(here)])]


def _sabotage_room(p: TablePosition, c: Character) -> list[str]:
    return ["sabotage_room"] if c.spares and p.colour(p.at(c)) != "blue" else []


def _sabotage_robot(p: TablePosition, c: Character) -> list[str]:
    here = p.at(c)
    return [f"sabotage_robot:{n}" for n, place in enumerate(p.robots, 1) if place == here]


def _hack_building(p: TablePosition, c: Character) -> list[str]:
    """Two of the neighbours, neither an open blue room (R99)."""
    fit = sorted(n for n in p.near(p.at(c)) if p.colour(n) != "blue")
    return [f"hack_building:{name(a)}:{name(b)}" for a, b in combinations(fit, 2)]


def _hack_robot(p: TablePosition, _: Character) -> list[str]:
    return [f"hack_robot:{order}" for order in orders(p)]


ABILITIES: Final[dict[str, Callable[[TablePosition, Character], list[str]]]] = {
    "summon": _summon,
    "carry": _carry,
    "invisibility": lambda _, __: ["invisibility"],
    "vitality": lambda _, __: ["vitality"],
    "reactivate": _reactivate,
    "lock": _lock,
    "sabotage_room": _sabotage_room,
    "sabotage_robot": _sabotage_robot,
    "hack_building": _hack_building,
    "hack_robot": _hack_robot,
}

OWN: Final = {
    "emmett": ("reactivate", "lock"),
    "kevin": ("hack_building", "hack_robot"),
    "franck": ("vitality",),
    "jennifer": ("summon",),
    "max": ("carry",),
    "alice": ("invisibility",),
    "sarah": ("sabotage_room", "sabotage_robot"),
}

MODELS: Final = (
    ("jennifer", "summon"),
    ("franck", "vitality"),
    ("max", "carry"),
    ("kevin", "hack_robot"),
    ("emmett", "reactivate"),
    ("alice", "invisibility"),
    ("sarah", "sabotage_room"),
)
"""Whom Bruce imitates, and in what."""


def _mimicked(p: TablePosition, bruce: Character) -> list[str]:
    """What the living with him or next door can do, hidden or not (R101); Franck only with him."""
    here = p.at(bruce)
    found = []
    for who, ability in MODELS:
        model = p.state.characters.get(who)
        if model is not None and model.alive:
            reach = [here] if who == "franck" else [here, *p.near(here)]
            found += [ability] * (p.at(model) in reach)
    return found


# --- robots (§6.3) ---


def orders(p: TablePosition) -> list[str]:
    """Every legal order: a robot's moves, then its pushes; then the next robot's."""
    return [
        f"robot{n}:{order}"
        for n, here in enumerate(p.robots, 1)
        if here is not None
        for order in (*_robot_moves(p, here), *_robot_pushes(p, here))
    ]


def _robot_moves(p: TablePosition, here: Place) -> list[str]:
    """Only a seal and a corridor stop a robot (R65)."""
    return [f"move:{name(there)}" for there in p.ways_out(here) if not p.tiles[there].seal]


def _robot_pushes(p: TablePosition, here: Place) -> list[str]:
    victims = [] if p.colour(here) == "blue" else [v for v in p.standing(here) if not v.hidden]
    return [f"push:{v.id}:{cell}" for v in victims for cell in p.steps(v)]


def _order_again(q: Question) -> list[str]:
    """R137: the same robot, somebody else; ``about`` names the robot, from 0."""
    robot = int(q.about[0])
    here = q.p.robots[robot]
    pushes = [] if here is None else _robot_pushes(q.p, here)
    return [f"robot{robot + 1}:{p}" for p in pushes if not p.startswith("push:alice:")]


# --- rooms that ask (§5.4) ---


def _tunnels(q: Question) -> list[str]:
    """The other open tunnels that let the entrant in (R48)."""
    here = q.p.at(q.c)
    return [
        name(place)
        for place in sorted(q.p.tiles)
        if place != here and q.p.shown(place) == "tunnel" and q.p.lets_in(place, q.c)
    ]


def _secrets(q: Question) -> list[str]:
    everybody = [q.p.state.characters[n] for n in q.p.state.order]
    return [c.id for c in everybody if c.alive and c.seat != q.c.seat and not c.role_public]


def _refuse(_: Question) -> list[str]:
    """Yes or no; the default comes first."""
    return ["refuse", "accept"]


EDITION_OPTIONS: Final[dict[str, Callable[[Question], list[str]]]] = {
    "special_choice": lambda q: aims(q.p, q.c, "special"),
    "summon_refuse": _refuse,
    "android": _refuse,
    "robot_order": lambda q: orders(q.p),
    "robot_order_again": _order_again,
    "tunnel_target": _tunnels,
    "acid_victim": lambda _: ["passenger", "carrier"],
    "pivot_orientation": lambda _: ["horizontal", "vertical"],
    "secrets_target": _secrets,
    "adrenaline_action": lambda q: [token for token in TOKENS if aims(q.p, q.c, token)],
    "next_character": lambda q: list(q.left),
    "killer_step": _killer,
    "traitor_change": _traitor,
}
"""What is offered by kinds of decision that only some rulebooks have."""
