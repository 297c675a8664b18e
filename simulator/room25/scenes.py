"""Scenes of random situations: a cell where many stand, with surroundings that make things happen.

Each scene changes the tiles and says where; which madness cards suit it is in ``LEADS``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from games.room25.model.board import CENTRE, EXIT_ZONES, NEIGHBOURS
from games.room25.model.catalogue import color_of
from games.room25.model.rulebook import Rulebook
from simulator.room25.figures import NOBODY, Tiles

SEALS: Final = ("flooded", "shredder", "condemned")
"""Rooms that may lie sealed with nobody inside."""

PLAIN: Final = NOBODY | {"central", "room25", "empty"}
CROWDED_RED: Final = {"trap", "shredder", "paranoia", "illusion", "burning"}
BESIDE_THE_EXIT: Final = ("r0c2", "r1c1", "r3c3", "r4c2", "r2c0")
ONE_STEP_AWAY: Final = ("r0c1", "r1c0", "r1c1", "r0c3", "r1c4", "r3c1", "r3c3", "r4c3")
"""From here some line takes a room out by its second step (§7.3)."""

Scene = Callable[[Random, Rulebook, Tiles], str]
"""Makes a scene and returns its cell."""


def at_the_exit(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """Room 25 lies open in an exit zone, or beside one."""
    return _exit_at(rng.choice([*EXIT_ZONES, *BESIDE_THE_EXIT]), tiles)


def out_by_adrenaline(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """All are in Room 25, in an exit zone, and nothing is left to do but third actions."""
    return _exit_at(rng.choice(EXIT_ZONES), tiles)


def out_by_two_steps(rng: Random, _: Rulebook, tiles: Tiles) -> str:
    """All are in Room 25, one step from where the next one pushes it out, and lines move twice."""
    return _exit_at(rng.choice(ONE_STEP_AWAY), tiles)


def _exit_at(aim: str, tiles: Tiles) -> str:
    start = next(where for where, tile in tiles.items() if tile["kind"] == "room25")
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


def on_an_illusion(rng: Random, rulebook: Rulebook, tiles: Tiles) -> str:
    """Somebody stands on an Illusion where it takes everybody along (R61), others beside it.

    Acid, in which a choice follows (H10), lies face-down.
    """
    aims = [where for where, tile in tiles.items() if tile["kind"] == "illusion"]
    if "illusion" not in rulebook.acts_on_all or not aims:
        return in_danger(rng, rulebook, tiles)
    for tile in tiles.values():
        if tile["kind"] == "acid":
            tile["face"] = "down"
    for where in (aims[0], *NEIGHBOURS[aims[0]].values()):
        if tiles[where]["kind"] not in {"central", "room25", "acid", *NOBODY}:
            _open(tiles[where])
    return aims[0]


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
    out_by_adrenaline,
    walled_in,
    in_a_room,
    in_a_room,
    amid_yellow,
    amid_red,
    amid_red,
    amid_red,
    in_danger,
    on_an_illusion,
    on_an_illusion,
)
"""Each as often as it is named; with none of them people stand anywhere."""

MAD_SCENES: Final[tuple[Scene | None, ...]] = (
    *SCENES,
    *[out_by_two_steps] * 3,
    *[in_danger] * 3,
    *[amid_yellow] * 10,
)
"""Where there are madness cards."""

LEADS: Final[dict[Scene | None, tuple[str, ...]]] = {
    at_the_exit: ("acceleration",),
    out_by_two_steps: ("acceleration",),
    in_a_room: ("time_bomb", "rewind", "deactivate_yellow"),
    in_danger: ("time_bomb",),
    amid_red: ("time_bomb", "chaos"),
    amid_yellow: (*["robot_card"] * 4, "panic", "panic", "chaos", "lock_card", "lock_card"),
}
"""Madness cards that suit a scene."""

SHARES: Final[dict[Scene | None, float]] = {
    out_by_adrenaline: 1.0,
    out_by_two_steps: 1.0,
    on_an_illusion: 0.4,
}
"""How many stand on the cell of a scene, where it matters."""

MOMENTS: Final[dict[Scene | None, tuple[str, str]]] = {
    # A single action that was not put off is done with in the second round.
    out_by_adrenaline: ("round_2", "look"),
    out_by_two_steps: ("round_1", "control"),
    on_an_illusion: ("round_1", "move"),
}
"""The phase in which a scene begins, and what everybody has programmed, where it matters."""

FIRST: Final = ("alice", "bruce", "max")
"""Whom cards treat in ways of their own: often one of them leads the track."""

LEADERS: Final = {"robot_card": ("alice",), "rewind": ("alice",), "panic": ("bruce", "max")}
"""Who should lead it where a card is on top that asks only of them what it seldom asks."""

FAVOURED: Final = (
    ("kevin", "alice"),
    ("kevin", "sarah"),
    ("bruce", "emmett"),
    ("bruce", "max"),
    ("bruce", "kevin", "alice"),
    ("alice", "max", "emmett"),
)
"""Who often plays together: what one of them can do takes the other, or a robot, or a card."""
