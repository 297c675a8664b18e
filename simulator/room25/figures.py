"""Characters of random situations: where they stand, and what they have and are."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.contract import TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.model.board import CENTRE, NEIGHBOURS
from games.room25.model.catalogue import SPECIAL
from games.room25.model.characters import SHEETS
from games.room25.model.rulebook import Rulebook
from games.room25.opening.setup import roles_of
from simulator.chance import often

Tiles = dict[str, dict[str, Any]]
"""Tiles by cell, as a situation has them."""

Figures = dict[str, dict[str, Any]]
"""Characters by id, as a situation has them."""

NOBODY: Final = {"mortal", "key", "timer"}
"""Rooms in which nobody is ever left standing: one dies there, or the room is gone."""

ONE: Final = {"acid", "flooded", "condemned"}
"""Rooms that hold one character."""

SEALING: Final = {"flooded", "condemned"}
"""Rooms that are sealed as soon as somebody is inside."""


def place(
    rng: Random,
    tiles: Tiles,
    figures: Figures,
    turn: int,
    tokens: list[str],
    crowded: str | None,
    *,
    share: float | None = None,
) -> None:
    """Put everybody on a face-up room that may hold them, half of them or more on the same.

    ``share``: how many of them, if it matters.
    """
    cells = [where for where, tile in tiles.items() if tile["face"] == "up"]
    near = rng.choice(cells) if crowded is None else crowded
    if share is None:
        share = 0.5 if crowded is None else rng.choice((0.6, 0.8, 1.0, 1.0))
    beside = [where for where in NEIGHBOURS[near].values() if where in cells] or cells
    down = [where for where, tile in tiles.items() if tile["face"] == "down"]
    taken: set[str] = set()
    for entry, c in enumerate(figures.values(), 1):
        where = near if often(rng, share) else rng.choice(beside if often(rng, 0.5) else cells)
        if not _holds(tiles[where], taken=where in taken):
            where = CENTRE
        taken.add(where)
        c |= {"cell": where, "entry": entry}
        c["looked"] = rng.sample(down, min(len(down), rng.randrange(3)))
        _suffer(rng, c, tiles[where], turn, tokens)


def _holds(tile: Mapping[str, Any], *, taken: bool) -> bool:
    """Whether somebody may stand in a room that perhaps holds somebody already."""
    shredded = tile["kind"] == "shredder" and tile.get("seal")
    full = tile["kind"] in ONE and taken
    return not (shredded or full or tile["kind"] in NOBODY)


def _suffer(
    rng: Random, c: dict[str, Any], tile: dict[str, Any], turn: int, tokens: list[str]
) -> None:
    """What a room has done to somebody who is inside."""
    kind = tile["kind"]
    if kind in SEALING:
        tile["seal"] = True
    if kind == "trap":
        c["trap"] = rng.randint(max(1, turn - 1), turn)
    if kind in {"flooded", "burning"}:
        c["flood"] = rng.randint(turn, turn + 1)
    if kind == "paranoia":
        c["stack"] = rng.sample(tokens, rng.choice((1, 1, 2, len(tokens))))


def bury(name: str, figures: Figures, tiles: Tiles, tokens: list[str]) -> None:
    """Make a character one that has died before; one death ends no game but a solo one.

    With Emmett the locks have left (§6.1).
    """
    figures[name] = {"seat": figures[name]["seat"], "dead": True}
    if name == "emmett" and SPECIAL in tokens:
        figures[name]["locks"] = 0
        for tile in tiles.values():
            tile.pop("lock", None)


def deal(rng: Random, table: TableOpening, figures: Figures) -> None:
    """Roles, guards that have shown themselves, and who each guard is."""
    rulebook = RULEBOOKS[table.rulebook]
    prisoners, guards = roles_of(rulebook.modes[table.mode], table.seats, table.options)
    roles = ["prisoner"] * prisoners + ["guard"] * guards
    rng.shuffle(roles)
    identities = rng.sample(rulebook.identities, len(rulebook.identities))
    for c in figures.values():
        c["role"] = roles.pop()
        if c["role"] != "guard":
            continue
        if identities:
            c["identity"] = identities.pop()
        if not c.get("dead") and often(rng, 0.6 if identities else 0.4):
            c["role_public"] = True
            c["free"] = rulebook.guards_freed and not c.get("stack") and often(rng, 0.5)


def belongings(rng: Random, table: TableOpening, figures: Figures, tokens: list[str]) -> None:
    """Adrenaline, spares, lost actions, a lingering cold, being hidden."""
    rulebook = RULEBOOKS[table.rulebook]
    boosted = rulebook.adrenaline and table.options.get("adrenaline", True)
    for name, c in figures.items():
        if boosted and not table.options.get("madness") and not c.get("free"):
            c["adrenaline"] = rng.choice(("available", "available", "spent"))
        if c.get("dead"):
            continue
        if rulebook.cold_lingers and often(rng, 0.15):
            c["cold_next"] = True
        if SPECIAL in tokens:
            _tokens(rng, name, c)


def _tokens(rng: Random, name: str, c: dict[str, Any]) -> None:
    """What only special abilities and their cards bring about."""
    if SHEETS[name].spares:
        c["spares"] = rng.randint(0, SHEETS[name].spares)
    if name in {"alice", "bruce"} and often(rng, 0.3):
        c["hidden"] = True
    if often(rng, 0.15) and "stack" not in c:
        c["lost"] = rng.sample(("look", "control", SPECIAL), 1)


def programs(
    rng: Random,
    rulebook: Rulebook,
    tiles: Tiles,
    figures: Figures,
    tokens: list[str],
    only: str = "",
) -> None:
    """A programme for everybody who hands one in; perhaps one that also holds adrenaline.

    ``only``: the single action that they have chosen, as far as they have it.
    """
    for c in figures.values():
        if c.get("free") or c.get("dead"):
            continue
        if c.get("stack"):
            if c.get("adrenaline") == "available":
                c["program"] = []
            continue
        chilled = c.get("cold_next") if rulebook.cold_lingers else _is_cold(tiles, c)
        known = [token for token in tokens if token not in c.get("lost", ())]
        c["program"] = rng.sample(known, 1 if chilled else rng.randint(1, 2))
        if only in known:
            c["program"] = [only]
        if c.get("adrenaline") == "available" and not chilled and often(rng, 0.5):
            c["adrenaline"] = "programmed"


def _is_cold(tiles: Tiles, c: Mapping[str, Any]) -> bool:
    return bool(tiles[c["cell"]]["kind"] == "cold")
