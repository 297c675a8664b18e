"""Random explicit situations: positions in the middle of a game, legal by construction."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.room25.board import CELLS, CENTRE, LINE_WAYS
from games.room25.catalogue import SIX
from games.room25.rulebook import Mode, Rulebook

ROUNDS: Final = ("round_1", "round_2")

Tiles = dict[str, dict[str, Any]]


def situation_of(rng: Random, rulebook: Rulebook, mode: Mode, seats: int) -> dict[str, Any]:
    """A position that a game of this mode may be in, and in which it is not over."""
    tiles = _tiles(rng, rulebook)
    names = _names(rng, mode, seats)
    last = mode.turns[seats]
    turn = rng.randint(1, last)
    phase = rng.choice(("start", "programming", *ROUNDS) + (("clue",) * (turn == 1)))
    cells = [where for where, tile in tiles.items() if tile["face"] == "up"]
    near = rng.choice([where for where in cells if tiles[where]["kind"] != "flooded"])
    characters: dict[str, dict[str, Any]] = {}
    for name, seat in names.items():
        where = near if rng.random() < 0.5 else rng.choice(cells)  # noqa: PLR2004 (a share)
        characters[name] = _character(rng, seat, where, tiles, turn)
    _limit(tiles, characters)
    if mode.id != "solo" and rng.random() < 0.3:  # noqa: PLR2004 (a share)
        _bury(characters[rng.choice(list(characters))])
    if mode.roles:
        _deal(rng, mode, seats, characters)
    if mode.programs and phase in ROUNDS:
        _program(rng, rulebook, tiles, characters)
    order = [name for name, c in characters.items() if not c.get("dead")]
    rng.shuffle(order)
    lines = rng.sample(list(LINE_WAYS), rng.randrange(3))
    return {
        "characters": characters,
        "tiles": tiles,
        "turn": turn,
        "last_turn": rng.randint(turn, last),
        "phase": phase,
        "order": order,
        "markers": {line: rng.choice(LINE_WAYS[line]) for line in lines},
    }


def _names(rng: Random, mode: Mode, seats: int) -> dict[str, int]:
    """Who sits where; a situation may deal characters as it likes."""
    ids = list(SIX)
    rng.shuffle(ids)
    return {ids.pop(): seat for seat in range(1, seats + 1) for _ in range(mode.per_seat[seats])}


def _tiles(rng: Random, rulebook: Rulebook) -> Tiles:
    """Rooms out of the box, about half of them turned up."""
    box = [k for k, n in rulebook.box.items() if k not in {"central", "room25"} for _ in range(n)]
    kinds = [*rng.sample(box, len(CELLS) - 2), "room25"]
    rng.shuffle(kinds)
    tiles = {
        where: {"kind": kinds.pop(), "face": rng.choice(("up", "down"))}
        for where in CELLS
        if where != CENTRE
    }
    tiles[CENTRE] = {"kind": "central", "face": "up"}
    return tiles


def _character(
    rng: Random, seat: int, where: str, tiles: Mapping[str, Mapping[str, Any]], turn: int
) -> dict[str, Any]:
    """A living character and what it has looked at."""
    down = [cell for cell, tile in tiles.items() if tile["face"] == "down"]
    looked = rng.sample(down, min(len(down), rng.randrange(3)))
    found: dict[str, Any] = {"seat": seat, "cell": where, "looked": looked}
    kind = tiles[where]["kind"]
    if kind == "trap":
        found["trap"] = turn
    if kind == "flooded":
        found["flood"] = turn + 1
    return found


def _limit(tiles: Tiles, characters: Mapping[str, dict[str, Any]]) -> None:
    """One character in each acid bath and flooded room, which is sealed; nobody in a mortal one."""
    taken: set[str] = set()
    for entry, c in enumerate(characters.values(), 1):
        kind = tiles[c["cell"]]["kind"]
        crowded = kind in {"acid", "flooded"} and c["cell"] in taken
        if crowded or kind == "mortal":
            c.pop("flood", None)
            c["cell"] = CENTRE
        else:
            taken.add(c["cell"])
            c["entry"] = entry
        if kind == "flooded" and not crowded:
            tiles[c["cell"]]["seal"] = True


def _bury(c: dict[str, Any]) -> None:
    """Make a character one that has died before; one death ends no game but a solo one."""
    c["dead"] = True
    for name in ("trap", "flood", "entry"):
        c.pop(name, None)


def _deal(rng: Random, mode: Mode, seats: int, characters: Mapping[str, dict[str, Any]]) -> None:
    prisoners, guards = mode.roles[seats]
    roles = ["prisoner"] * prisoners + ["guard"] * guards
    rng.shuffle(roles)
    for c in characters.values():
        c["role"] = roles.pop()
        if c["role"] == "guard" and not c.get("dead") and rng.random() < 0.3:  # noqa: PLR2004 (a share)
            c["role_public"] = True
            c["free"] = rng.random() < 0.5  # noqa: PLR2004 (a share)


def _program(
    rng: Random,
    rulebook: Rulebook,
    tiles: Tiles,
    characters: Mapping[str, dict[str, Any]],
) -> None:
    for c in characters.values():
        if not c.get("free") and not c.get("dead"):
            most = 1 if tiles[c["cell"]]["kind"] == "cold" else 2
            c["program"] = rng.sample(rulebook.actions, rng.randint(1, most))
