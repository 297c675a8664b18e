"""Explicit positions at random, in which a game may begin (§2, §11)."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.cerveauuu.board import default_grid
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import piece_id

STAGES: Final = ("draw", "panic", "wandering", "pre_zombies", "zombies", "end_round")

RESCUES: Final = ("c070", "c071", "c124", "c126", "c130")
"""Cards that shut a cell, and that save whoever stands there."""

_GRID: Final = default_grid()


def situation_of(rng: Random, seats: int) -> dict[str, Any]:
    """A position with humans and zombies close together, hands, piles, scores and weather."""
    humans, zombies = rng.randint(4, 10 + 2 * seats), rng.randint(seats, 4 * seats)
    cells = _cells(rng, humans + zombies)
    pieces: dict[str, Any] = {}
    for number in range(1, humans + 1):
        pieces[piece_id("h", number)] = {"cell": cells.pop(), **_flags(rng, "blocked", "moved")}
    for number in range(1, zombies + 1):
        flags = _flags(rng, "blocked", "activated")
        seat = 1 + (number - 1) % seats
        pieces[piece_id("z", number)] = {"cell": cells.pop(), "seat": seat, **flags}
    cards = [name for name, card in CARDS.items() if card.type != "end_credits"]
    ends = [name for name, card in CARDS.items() if card.type == "end_credits"]
    rng.shuffle(cards)
    weather = [name for name in cards if CARDS[name].type == "weather"]
    found: dict[str, Any] = {
        "pieces": pieces,
        "stage": rng.choice(STAGES),
        "chief": rng.randint(1, seats),
        "round": rng.randint(1, 6),
        "scores": {str(n): rng.randint(-1, 6) for n in range(1, seats + 1)},
        "credits": rng.sample(ends, rng.randint(0, 1)),
        "media_lock": rng.randrange(4) == 0,
    }
    if rng.randrange(3) == 0:
        found["weather"] = {"card": weather[0], "seat": rng.randint(1, seats)}
        cards.remove(weather[0])
    if rng.randrange(3) == 0:  # drawn from the end: what acts on who stands somewhere comes first
        cards.sort(key=lambda name: name in RESCUES)
    found["hands"] = {
        str(n): [cards.pop() for _ in range(rng.randint(0, 8))] for n in range(1, seats + 1)
    }
    found["piles"] = {str(n): [cards.pop() for _ in range(rng.randrange(3))] for n in (1, seats)}
    return found


def _flags(rng: Random, *names: str) -> dict[str, bool]:
    return {name: True for name in names if rng.randrange(8) == 0}


def _cells(rng: Random, count: int) -> list[str]:
    """Cells around two or three places, none twice."""
    middles = [rng.randrange(_GRID.size) for _ in range(rng.randint(2, 3))]
    near = [cell for cell in range(_GRID.size) if min(_GRID.range(m, cell) for m in middles) <= 4]  # noqa: PLR2004 (a choice)
    rest = [cell for cell in range(_GRID.size) if cell not in set(near)]
    rng.shuffle(near)
    rng.shuffle(rest)
    return [_GRID.cell_id(cell) for cell in (near + rest)[:count]]
