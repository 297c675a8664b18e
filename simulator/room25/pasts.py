"""What random situations say of the past, and of who is in play at all."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.contract import TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.model.board import CENTRE
from games.room25.model.catalogue import color_of
from games.room25.model.rulebook import Mode, Rulebook
from simulator.chance import often
from simulator.room25.figures import Figures, Tiles

SEALABLE: Final = {"flooded", "shredder"}
"""Rooms that Emmett may have turned down (§6.1)."""

BEFORE: Final = ("program", "delayed", "trap", "flood", "stack", "hidden", "entry", "free")
"""What nobody has any more who has come back to life."""


def with_a_past(
    rng: Random, table: TableOpening, situation: dict[str, Any], tokens: list[str], *, mad: bool
) -> dict[str, Any]:
    """The situation with what it may say of the past, and perhaps with fewer characters.

    ``rng`` is not drawn from: whatever else is worked out with it stays as it is.
    """
    own = Random()  # noqa: S311 (its state follows from the seed of the game)
    own.setstate(rng.getstate())
    rulebook = RULEBOOKS[table.rulebook]
    mode = rulebook.modes[table.mode]
    tiles, figures = situation["tiles"], situation["characters"]
    _remember(own, table, rulebook, mode, tiles, mad=mad)
    late = situation["phase"] == "round_2"
    if late and mode.roles and "regeneration" in rulebook.box and often(own, 0.6):
        _bring_back(own, tiles, figures)
    _lay_stacks(own, tiles, figures, tokens)
    return _thinned_out(own, situation) if often(own, 0.1) else situation


def _remember(
    rng: Random, table: TableOpening, rulebook: Rulebook, mode: Mode, tiles: Tiles, *, mad: bool
) -> None:
    """Some face-down rooms have lain face-up, where anything turns rooms down (R107, §6)."""
    options = table.options
    for tile in tiles.values():
        kind = tile["kind"]
        if rulebook.identities:
            may = bool(mode.roles)
        else:
            sealed = bool(options.get("specials")) and kind in SEALABLE
            may = sealed or (mad and color_of(kind) != "blue")
        if tile["face"] == "down" and may and often(rng, 0.3):
            tile["known"] = True


def _bring_back(rng: Random, tiles: Tiles, figures: Figures) -> None:
    """Somebody has come back to life in this turn, and used the room up that did it (R63)."""
    living = [name for name, c in figures.items() if not c.get("dead")]
    if len(living) < 2:  # noqa: PLR2004 (one to come back, one to have brought it)
        return
    for tile in tiles.values():
        if tile["kind"] == "regeneration":
            tile["kind"] = "empty"
    name = rng.choice(living)
    kept = {key: value for key, value in figures[name].items() if key not in BEFORE}
    if kept.get("adrenaline") == "programmed":
        kept["adrenaline"] = "spent"
    figures[name] = {**kept, "cell": CENTRE, "returned": True}


def _lay_stacks(rng: Random, tiles: Tiles, figures: Figures, tokens: list[str]) -> None:
    """Some paranoia stacks of entries to come are laid out."""
    if all(tile["kind"] != "paranoia" for tile in tiles.values()):
        return
    for c in figures.values():
        if often(rng, 0.5):
            known = [token for token in tokens if token not in c.get("lost", ())]
            c["next_stack"] = rng.sample(known, len(known))


def _thinned_out(rng: Random, situation: dict[str, Any]) -> dict[str, Any]:
    """Some characters are not in play; somebody stays, and lives, and leads."""
    figures = dict(situation["characters"])
    stays = rng.choice([name for name, c in figures.items() if not c.get("dead")])
    for name in list(figures):
        if name != stays and often(rng, 0.3):
            del figures[name]
    order = [name for name in situation["order"] if name in figures]
    while "dead" in figures[order[0]]:
        order.append(order.pop(0))
    return {**situation, "characters": figures, "order": order, "only_named": True}
