"""The questions that cards ask, for the oracle of what is legal (§6.4, D17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.room25.model.state import Character
from simulator.room25.legal_editions import Question, lockable, locks
from simulator.room25.position import CENTRE, Place, TablePosition, name, place_of
from simulator.run import require

LOCK_CARD: Final = "Z09"
ROBOT_CARDS: Final = {"Z05", "Z06"}
PANICS: Final = {"Z17", "Z18", "Z19"}


def _lock(q: Question) -> list[str]:
    """A tile for a lock, and with none in supply the lock that is moved there.

    The lock card asks for a neighbour, Emmett's panic for his own tile. When somebody else has
    chosen the tile (``about``), Emmett says which lock goes there.
    """
    here = q.p.at(q.c)
    if q.card != LOCK_CARD:
        require(q.c.id == q.first == "emmett", f"{q.c.id} locks in a panic")
        return locks(q.p, [here])
    if len(q.about) == 1:
        require(q.c.id == "emmett" != q.first, f"{q.c.id} chooses Emmett's lock")
        return locks(q.p, [place_of(q.about[0])])
    require(q.c.id == q.first, f"{q.c.id} locks for {q.first}")
    require(q.p.state.locks or not _emmett_chooses(q), "Emmett is not asked for a lock")
    return locks(q.p, q.p.near(here))


def _lock_target(q: Question) -> list[str]:
    """Somebody else than Emmett says where; he will say which."""
    require(_emmett_chooses(q) and not q.p.state.locks, f"{q.c.id} has only half a choice")
    require(q.c.id == q.first, f"{q.c.id} locks for {q.first}")
    some = any(tile.lock for tile in q.p.tiles.values())
    return [name(n) for n in q.p.near(q.p.at(q.c)) if some and lockable(q.p, n)]


def _emmett_chooses(q: Question) -> bool:
    emmett = q.p.state.characters.get("emmett")
    return emmett is not None and emmett.alive and q.c.id != "emmett"


def _robot(q: Question) -> list[str]:
    require(q.c.id == q.first, f"{q.c.id} calls a robot for {q.first}")
    return [f"robot{n}" for n, place in enumerate(q.p.robots, 1) if place is not None]


def _push(q: Question) -> list[str]:
    """Where a robot pushes by a card: who hides is not pushed (§6.2)."""
    require(not q.c.hidden, f"{q.c.id} hides and is pushed by a card")
    return q.p.yellow_steps(q.c)


def _push_other(q: Question) -> list[str]:
    """Alice has refused: her player takes somebody else there (R137)."""
    require(q.c.id == "alice", f"{q.c.id} refused a robot")
    return [f"{v.id}:{c}" for v in q.p.others(q.c) if not v.hidden for c in q.p.yellow_steps(v)]


def _swap(q: Question) -> list[str]:
    """Two tiles side by side, no open blue one; somebody on them if there is such a pair."""
    require(q.c.id == q.first == "kevin", f"{q.c.id} swaps rooms in a panic")
    pairs = [
        (place, (place[0] + dr, place[1] + dc))
        for place in sorted(q.p.tiles)
        for dr, dc in ((0, 1), (1, 0))
    ]
    fit = [pair for pair in pairs if all(_may_swap(q.p, place) for place in pair)]
    busy = [(a, b) for a, b in fit if not (q.p.is_free(a) and q.p.is_free(b))]
    return [f"{name(a)}:{name(b)}" for a, b in busy or fit]


def _may_swap(p: TablePosition, place: Place) -> bool:
    return place in p.tiles and p.colour(place) != "blue"


def _carry(q: Question) -> list[str]:
    """Max takes everybody along to a yellow room; Alice and who hides stay (R139)."""
    require(q.c.id == q.first == "max" and _company(q), f"{q.c.id} carries nobody in a panic")
    return q.p.yellow_steps(q.c)


def _scatter(q: Question) -> list[str]:
    """Bruce picks one yellow room next door; whether they get there is tested later (R138)."""
    require(q.c.id == q.first == "bruce" and _company(q), f"{q.c.id} pushes nobody in a panic")
    return [name(n) for n in q.p.near(q.p.at(q.c)) if q.p.colour(n) == "yellow"]


def _company(q: Question) -> list[str]:
    return [v.id for v in q.p.others(q.c) if v.id != "alice" and not v.hidden]


def card_question(p: TablePosition, first: Character, card: str) -> str:
    """What a card asks its first player at once, given several answers; ``""``: nothing."""
    q = Question(p, first, "", (), card, first.id, ())
    if card == LOCK_CARD:
        half = _emmett_chooses(q) and not p.state.locks
        return "card_lock_target" if half else "card_lock"
    if card in ROBOT_CARDS:
        calls = p.colour(p.at(first)) not in {"red", "blue"}
        return "card_robot" if calls and None not in p.robots else ""
    if card not in PANICS:
        return ""
    if first.id in {"kevin", "emmett"}:
        return "card_swap" if first.id == "kevin" else "card_lock"
    if first.id not in {"max", "bruce"} or p.at(first) == CENTRE or not _company(q):
        return ""
    return "card_carry" if first.id == "max" else "card_scatter"


CARD_OPTIONS: Final[dict[str, Callable[[Question], list[str]]]] = {
    "card_lock": _lock,
    "card_lock_target": _lock_target,
    "card_robot": _robot,
    "card_push": _push,
    "card_android": lambda _: ["refuse", "accept"],
    "card_push_other": _push_other,
    "card_swap": _swap,
    "card_carry": _carry,
    "card_scatter": _scatter,
}
"""What is offered by the kinds of decision that cards ask for."""
