"""Scenes of random situations: a cell where many stand, with surroundings that make things happen.

Each scene changes the tiles and says where; which madness cards suit it is in ``LEADS``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from games.room25.board import CENTRE, EXIT_ZONES, NEIGHBOURS
from games.room25.catalogue import color_of
from games.room25.rulebook import Rulebook
from ops.fuzzing.figures import NOBODY, Tiles

SEALS: Final = ("flooded", "shredder", "condemned")
"""Rooms that may lie sealed with nobody inside."""

PLAIN: Final = NOBODY | {"central", "room25", "empty"}
CROWDED_RED: Final = {"trap", "shredder", "paranoia", "illusion", "burning"}
BESIDE_THE_EXIT: Final = ("r0c2", "r1c1", "r3c3", "r4c2", "r2c0")

Scene = Callable[[Random, Rulebook, Tiles], str]
"""Makes a scene and returns its cell."""


def at_the_exit(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """Room 25 lies open in an exit zone, or beside one."""
    start = next(where for where, tile in tiles.items() if tile["kind"] == "room25")
    aim = rng.choice([*EXIT_ZONES, *BESIDE_THE_EXIT])
    tiles[start], tiles[aim] = tiles[aim], {"kind": "room25", "face": "up"}
    return aim


def walled_in(rng: Random, rulebook: Rulebook, tiles: Tiles) -> str:
    """The Central Room stands among sealed and locked rooms, as far as there are any."""
    around = list(NEIGHBOURS[CENTRE].values())
    rng.shuffle(around)
    sealable = [where for where, tile in tiles.items() if tile["kind"] in SEALS]
    for aim, start in zip(around, sealable, strict=False):
        tiles[start], tiles[aim] = tiles[aim], tiles[start]
        tiles[aim] |= {"face": "up", "seal": True}
    bare = [tiles[where] for where in around if not tiles[where].get("seal")]
    for tile in [tile for tile in bare if color_of(tile["kind"]) != "blue"][: rulebook.locks]:
        _open(tile)
        tile["lock"] = True
    return CENTRE


def in_a_room(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """Some room that is not like any other lies open."""
    aim = rng.choice([where for where, tile in tiles.items() if tile["kind"] not in PLAIN])
    _open(tiles[aim])
    return aim


def in_danger(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """Some red room that can hold many, if there is one, lies open."""
    aims = [where for where, tile in tiles.items() if tile["kind"] in CROWDED_RED]
    aim = rng.choice(aims or [CENTRE])
    _open(tiles[aim])
    return aim


def amid_yellow(rng: Random, rulebook: Rulebook, tiles: Tiles) -> str:
    """Open yellow rooms lie round an open one: cards push and carry into these."""
    return _amid(rng, rulebook, tiles, "yellow")


def amid_red(rng: Random, rulebook: Rulebook, tiles: Tiles) -> str:
    """Red rooms lie round an open one: robots die in them."""
    return _amid(rng, rulebook, tiles, "red")


def _amid(rng: Random, _: Rulebook, tiles: Tiles, colour: str) -> str:
    aims = [w for w, t in tiles.items() if color_of(t["kind"]) in {"green", "yellow"}]
    aim = rng.choice(aims)
    around = [where for where in NEIGHBOURS[aim].values() if where != CENTRE]
    coloured = [where for where, tile in tiles.items() if color_of(tile["kind"]) == colour]
    rng.shuffle(coloured)
    for place, start in zip(around, [w for w in coloured if w != aim], strict=False):
        tiles[start], tiles[place] = tiles[place], tiles[start]
    _open(tiles[aim])
    for place in around:
        if colour == "yellow" or rng.randrange(2):
            _open(tiles[place])
            if tiles[place]["kind"] in SEALS and rng.randrange(2):
                tiles[place]["seal"] = True
    return aim


def _open(tile: dict[str, Any]) -> None:
    """Turn a tile up, bare of all that lay on it."""
    kind = tile["kind"]
    tile.clear()
    tile |= {"kind": kind, "face": "up"}
    if kind == "pivoting":
        tile["axis"] = "vertical"


SCENES: Final[tuple[Scene | None, ...]] = (
    None,
    None,
    at_the_exit,
    walled_in,
    in_a_room,
    in_a_room,
    amid_yellow,
    amid_red,
    amid_red,
    amid_red,
    in_danger,
)
"""Each as often as it is named; with none of them people stand anywhere."""

MAD_SCENES: Final[tuple[Scene | None, ...]] = (
    *SCENES,
    at_the_exit,
    *[in_danger] * 3,
    *[amid_yellow] * 10,
)
"""Where there are madness cards."""

LEADS: Final[dict[Scene, tuple[str, ...]]] = {
    at_the_exit: ("acceleration",),
    in_a_room: ("time_bomb", "rewind", "deactivate_yellow"),
    in_danger: ("time_bomb",),
    amid_red: ("time_bomb", "chaos"),
    amid_yellow: (*["robot_card"] * 4, "panic", "panic", "chaos", "lock_card", "lock_card"),
}
"""Madness cards that suit a scene."""

FIRST: Final = ("alice", "bruce", "max")
"""Whom cards treat in ways of their own: often one of them leads the track."""

FAVOURED: Final = (
    ("kevin", "alice"),
    ("kevin", "sarah"),
    ("bruce", "emmett"),
    ("bruce", "max"),
    ("bruce", "kevin", "alice"),
    ("alice", "max", "emmett"),
)
"""Who often plays together: what one of them can do takes the other, or a robot, or a card."""
