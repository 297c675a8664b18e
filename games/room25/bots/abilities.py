"""Special abilities and robots in thought: who may use which how, and what it does (pure).

A trick is an ability and what it is aimed at: the indices of pieces and robots, and places. It
follows the option ids of ``rules.abilities`` and ``rules.robots``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from games.room25.bots.position import ImaginedPosition
from games.room25.bots.terrain import AXES, MIDDLE, NEXT, PLACE, Place
from games.room25.model.catalogue import color_of, kinds_with
from games.room25.model.characters import SHEETS, Skill
from games.room25.rules.abilities import IMITATED

Aim = Sequence[int]
Trick = tuple[str, Aim]

SPARE: Final = 0.4
"""What one of the few empty tiles is worth in the hand."""
SECOND_WIND: Final = 0.8
"""What adrenaline is worth that one has again."""
WRECK: Final = 0.2
"""What a robot is worth that is still of use."""
DEADLY: Final = kinds_with("kills_with_robot")

RELIEF: Final = {"jail": 1.5, "cold": 0.8, "dark": 0.3, "paranoia": 1.5}
"""What it is worth to somebody that the room where it stands becomes an empty one."""
SHELTER: Final = 0.2
"""What it is worth not to be pushed, for each rival near by."""


def read(option: str, names: Sequence[str]) -> Trick:
    """The trick that an option stands for; an order to a robot is a ``hack_robot``."""
    ability, *about = option.split(":")
    if ability.startswith("robot"):
        ability, about = "hack_robot", [ability, *about]
    return ability, [_number(word, names) for word in about]


def _number(word: str, names: Sequence[str]) -> int:
    if word in names:
        return names.index(word)
    if word in PLACE:
        return PLACE[word]
    return _ORDERS.index(word) if word in _ORDERS else int(word.removeprefix("robot")) - 1


_ORDERS: Final = ("move", "push")
_MOVE, _PUSH = range(2)


# --- what may be done ---


def uses(turn: ImaginedPosition, piece: int) -> Iterator[Trick]:
    """What a piece can do with its special action, as far as it is worth a thought."""
    here, seen = turn.places[piece], turn.sight.seen
    if here == MIDDLE:
        return
    for skill in SHEETS[seen.pieces[piece].name].skills:
        for ability in _imitated(turn, piece) if skill == "mimic" else [skill]:
            for about in _aims(turn, piece, ability):
                yield ability, about


def _imitated(turn: ImaginedPosition, mimic: int) -> list[Skill]:
    """What those can do who are near enough."""
    here = turn.places[mimic]
    found: list[Skill] = []
    for i, piece in enumerate(turn.sight.seen.pieces):
        same, near = turn.places[i] == here, turn.places[i] in NEXT[here]
        if i != mimic:
            own = (skill for skill in SHEETS[piece.name].skills if skill in IMITATED)
            found += [skill for skill in own if same or (near and IMITATED[skill])]
    return list(dict.fromkeys(found))


def _aims(turn: ImaginedPosition, piece: int, ability: str) -> Iterator[Aim]:
    known = _AIMS.get(ability)
    return iter(()) if known is None else known(turn, piece)


def _summons(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    here = turn.places[piece]
    for victim, where in enumerate(turn.places):
        if where in NEXT[here] and _may_be_brought(turn, victim, turn.layout[here]):
            yield (victim,)


def _rides(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    here = turn.places[piece]
    for victim, where in enumerate(turn.places):
        if where == here and victim != piece:
            for door in turn.doors(piece):
                if _may_be_brought(turn, victim, turn.layout[door]):
                    yield victim, door


def _swaps(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    near = [n for n in NEXT[turn.places[piece]] if not _is_blue(turn, n)]
    yield from combinations(near, 2)


def _spares(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    if turn.unspent[piece] and not _is_blue(turn, turn.places[piece]):
        yield ()


def _seals(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    for place in NEXT[turn.places[piece]]:
        free = place not in turn.places and place not in turn.robots
        if free and _is_sealed(turn, place):
            yield (place,)


def _itself(_: ImaginedPosition, __: int) -> Iterator[Aim]:
    yield ()


def _locks(turn: ImaginedPosition, piece: int) -> Iterator[Aim]:
    """A lock helps those only who hold the crew up; with none in supply it is left alone."""
    if piece in turn.worth.crew or not turn.sight.seen.locks:
        return
    for place in (turn.places[piece], *NEXT[turn.places[piece]]):
        tile = turn.layout[place]
        if turn.sight.up[tile] and not turn.sight.closed[tile] and not _is_blue(turn, place):
            yield (place,)


def _is_sealed(turn: ImaginedPosition, place: Place) -> bool:
    tile = turn.layout[place]
    return turn.sight.closed[tile] and not turn.sight.seen.locked[tile]


def _may_be_brought(turn: ImaginedPosition, victim: int, tile: int) -> bool:
    return not turn.sight.seen.pieces[victim].hidden and turn.is_open(tile, victim)


def _is_blue(turn: ImaginedPosition, place: Place) -> bool:
    kind = turn.kind(place)
    return kind is not None and turn.sight.up[turn.layout[place]] and color_of(kind) == "blue"


def _orders(turn: ImaginedPosition, _: int) -> Iterator[Aim]:
    for robot, here in enumerate(turn.robots):
        if here is None:
            continue
        axis = turn.axis(turn.layout[here]) if turn.kind(here) == "pivoting" else None
        for door in NEXT[here]:
            if not _is_sealed(turn, door) and axis in {None, AXES[here, door]}:
                yield robot, _MOVE, door
        if not _is_blue(turn, here):
            for victim, where in enumerate(turn.places):
                if where == here and not turn.sight.seen.pieces[victim].hidden:
                    for door in turn.doors(victim):
                        yield robot, _PUSH, victim, door


_AIMS: Final[dict[str, Callable[[ImaginedPosition, int], Iterator[Aim]]]] = {
    "summon": _summons,
    "carry": _rides,
    "hack_building": _swaps,
    "hack_robot": _orders,
    "sabotage_room": _spares,
    "reactivate": _seals,
    "lock": _locks,
    "vitality": _itself,
    "invisibility": _itself,
}


# --- what it does ---


def use(turn: ImaginedPosition, piece: int, ability: str, about: Aim) -> None:
    """Do a trick in thought; one that is not understood does nothing."""
    trick = _TRICKS.get(ability)
    if trick is not None:
        trick(turn, piece, about)


def _summon(turn: ImaginedPosition, piece: int, about: Aim) -> None:
    turn.step(about[0], turn.places[piece], hasty=True, eager=False)


def _carry(turn: ImaginedPosition, piece: int, about: Aim) -> None:
    victim, door = about
    turn.step(piece, door, hasty=False)
    turn.step(victim, door, hasty=True, eager=False)


def _swap(turn: ImaginedPosition, _: int, about: Aim) -> None:
    turn.swap(*about)


def _order(turn: ImaginedPosition, _: int, about: Aim) -> None:
    """Let a robot move and turn up what it finds, or push somebody (§6.3)."""
    robot, what, *rest = about
    if what == _PUSH:
        victim, door = rest
        turn.step(victim, door, hasty=True, eager=False)
        return
    door = rest[0]
    tile, kind = turn.layout[door], turn.kind(door)
    if not turn.sight.up[tile]:
        turn.look(door)
    turn.robots[robot] = door
    if kind is not None and color_of(kind) == "red":
        turn.robots[robot] = None
        turn.toll += WRECK
        if kind in DEADLY:
            turn.toll += turn.killed(door)


def _empty(turn: ImaginedPosition, piece: int, _: Aim) -> None:
    """The own room becomes an empty one: nobody in it drowns or is caught (§5.5)."""
    here = turn.places[piece]
    turn.unspent[piece] -= 1
    turn.toll += SPARE * turn.sign(piece)
    inside = [i for i in turn.worth.crew if turn.places[i] == here]
    turn.toll -= RELIEF.get(turn.kind(here) or "", 0.0) * len(inside)
    turn.armed -= set(inside)
    turn.wet -= set(inside)
    turn.emptied |= {turn.layout[here]}


def _wreck(turn: ImaginedPosition, piece: int, about: Aim) -> None:
    turn.robots[about[0]] = None
    turn.toll += WRECK * turn.sign(piece)


def _lock(turn: ImaginedPosition, _: int, about: Aim) -> None:
    """A lock closes a room and opens the one that it came from."""
    target, *origins = [turn.layout[place] for place in about]
    _doors(turn, {target}, {*origins} - {target})


def _unseal(turn: ImaginedPosition, _: int, about: Aim) -> None:
    _doors(turn, set(), {turn.layout[about[0]]})


def _doors(turn: ImaginedPosition, closed: set[int], opened: set[int]) -> None:
    turn.worth = turn.worth.with_doors(closed, opened)
    turn.sight = turn.worth.sight


def _refresh(turn: ImaginedPosition, piece: int, _: Aim) -> None:
    """Adrenaline is worth something only to who has none, and has a turn left for it."""
    if turn.sight.seen.pieces[piece].drained and turn.sight.seen.left > 1:
        turn.toll -= SECOND_WIND * turn.sign(piece)


def _hide(turn: ImaginedPosition, piece: int, _: Aim) -> None:
    turn.toll -= SHELTER * turn.sign(piece) * _others_near(turn, piece)


def _others_near(turn: ImaginedPosition, piece: int) -> int:
    """How many of the other side may soon stand where the piece stands."""
    here, crew = turn.places[piece], turn.worth.crew
    others = [i for i in range(len(turn.places)) if (i in crew) != (piece in crew)]
    return sum(turn.places[i] == here or turn.places[i] in NEXT[here] for i in others)


_TRICKS: Final[dict[str, Callable[[ImaginedPosition, int, Aim], None]]] = {
    "summon": _summon,
    "carry": _carry,
    "hack_building": _swap,
    "hack_robot": _order,
    "sabotage_room": _empty,
    "sabotage_robot": _wreck,
    "lock": _lock,
    "reactivate": _unseal,
    "vitality": _refresh,
    "invisibility": _hide,
}
