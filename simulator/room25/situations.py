"""Random explicit situations: positions in the middle of a game, legal by construction.

Every rulebook's rooms, characters, robots, cards and tokens occur; what a rulebook, a mode or the
options of a table do not have is left out, by their data.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from games.contract import TableOpening
from games.room25.editions import RULEBOOKS
from games.room25.model.board import CELLS, CENTRE, LINE_WAYS
from games.room25.model.cards import BASE_CARDS, MADNESS, STAYING, deck_of
from games.room25.model.catalogue import SPECIAL, color_of
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.opening.setup import has_deck
from simulator.chance import often
from simulator.room25.figures import (
    Figures,
    Tiles,
    belongings,
    bury,
    deal,
    place,
    programs,
)
from simulator.room25.pasts import with_a_past
from simulator.room25.scenes import (
    FAVOURED,
    FIRST,
    LEADERS,
    LEADS,
    MAD_SCENES,
    MOMENTS,
    SCENES,
    SEALS,
    SHARES,
)

ROUNDS: Final = ("round_1", "round_2")
PROGRAMMED: Final = ("programming", *ROUNDS)

COLOURS: Final = ("green", "yellow", "yellow", "red")
"""Of which colour a situation may have more than its share."""


def situation_of(rng: Random, table: TableOpening) -> dict[str, Any]:
    """A position that a table with these options, all of them filled in, may have come to."""
    rulebook = RULEBOOKS[table.rulebook]
    mode = rulebook.modes[table.mode]
    last = mode.turns[table.seats]
    turn = rng.randint(1, last)
    phases = ("start", *PROGRAMMED, *(("clue",) * (turn == 1 and rulebook.clue)))
    tokens = [*rulebook.actions, *([SPECIAL] if table.options.get("specials") else [])]
    tiles = _tiles(rng, rulebook, mode)
    has_cards = has_deck(mode, {tile["kind"]: 1 for tile in tiles.values()})
    mad = has_cards and len(deck_of(table.options)) > len(BASE_CARDS)
    scene = rng.choice(MAD_SCENES if mad else SCENES)
    near = None if scene is None else scene(rng, rulebook, tiles)
    phase, plan = MOMENTS.get(scene, (rng.choice(phases), ""))
    leads = LEADS.get(scene, ()) if often(rng, 0.85) else ()
    card = rng.choice(leads or sorted({*MADNESS.values()}))
    leaders = LEADERS.get(card, FIRST) if mad else FIRST
    figures = _figures(rng, table, mode, leaders)
    place(rng, tiles, figures, turn, tokens, near, share=SHARES.get(scene))
    _tokens_on(rng, rulebook, tiles, table.seats)
    if mode.id != "solo" and often(rng, 0.3):
        bury(rng.choice(list(figures)), figures, tiles, tokens)
    if mode.roles:
        deal(rng, table, figures)
    belongings(rng, table, figures, tokens)
    if mode.programs and phase in ROUNDS:
        programs(rng, rulebook, tiles, figures, tokens, plan)
    found = _shared(rng, rulebook, mode, tiles, figures)
    found["order"] = _order(rng, figures, leaders)
    if has_cards:
        found |= _cards(rng, table, card)
    ends = last if mad and often(rng, 0.6) else rng.choice((turn, rng.randint(turn, last), last))
    whole = {**found, "turn": turn, "last_turn": ends, "phase": phase}
    return with_a_past(rng, table, whole, tokens, mad=mad)


def _shared(
    rng: Random, rulebook: Rulebook, mode: Mode, tiles: Tiles, figures: Figures
) -> dict[str, Any]:
    """The pieces on the table, and what they share."""
    return {
        "characters": figures,
        "tiles": tiles,
        "markers": _markers(rng) if rulebook.direction_lock else {},
        "robots": _robots(rng, rulebook, tiles, figures),
        "key_activated": mode.needs_key and often(rng, 0.75),
    }


def _figures(rng: Random, table: TableOpening, mode: Mode, leaders: Sequence[str]) -> Figures:
    """Who sits where; a situation may deal characters as it likes, one of ``leaders`` mostly."""
    names = list(RULEBOOKS[table.rulebook].characters)
    rng.shuffle(names)
    if often(rng, 0.6):
        favoured = (rng.choice(leaders), *rng.choice(FAVOURED))
        names.sort(key=lambda name: name in favoured)
    each = mode.per_seat[table.seats]
    return {names.pop(): {"seat": n + 1} for n in range(table.seats) for _ in range(each)}


def _order(rng: Random, figures: Figures, leaders: Sequence[str]) -> list[str]:
    """The order track; the dead keep their place until it would lead (R95)."""
    order = list(figures)
    rng.shuffle(order)
    found = [name for name in order if name in leaders]
    if found and often(rng, 0.7):
        order.sort(key=lambda name: name != found[0])
    while "dead" in figures[order[0]]:
        order.append(order.pop(0))
    return order


def _markers(rng: Random) -> dict[str, str]:
    lines = rng.sample(list(LINE_WAYS), rng.randrange(3))
    return {line: rng.choice(LINE_WAYS[line]) for line in lines}


# --- rooms and what lies on them ---


def _tiles(rng: Random, rulebook: Rulebook, mode: Mode) -> Tiles:
    """Rooms out of the box, many of one colour; about half of them turned up.

    A key lies only where one is needed.
    """
    fixed = {"central", "room25"} | (set() if mode.needs_key else {"key"})
    box = [kind for kind, n in rulebook.box.items() if kind not in fixed for _ in range(n)]
    colour = rng.choice(COLOURS)
    rng.shuffle(box)
    box.sort(key=lambda kind: color_of(kind) != colour or often(rng, 0.5))
    kinds = [*box[: len(CELLS) - 2], "room25"]
    rng.shuffle(kinds)
    share = rng.choice((0.4, 0.6, 0.9))
    tiles: Tiles = {}
    for where in CELLS:
        kind = "central" if where == CENTRE else kinds.pop()
        up = where == CENTRE or often(rng, share)
        tiles[where] = {"kind": kind, "face": "up" if up else "down"}
        if up and kind == "pivoting":
            tiles[where]["axis"] = rng.choice(("horizontal", "vertical"))
        if up and kind in SEALS and often(rng, 0.4):
            tiles[where]["seal"] = True
    return tiles


def _tokens_on(rng: Random, rulebook: Rulebook, tiles: Tiles, seats: int) -> None:
    """Up to two locks on rooms that may be locked (§6.1), and reminders on face-down ones."""
    free = [
        tile
        for tile in tiles.values()
        if tile["face"] == "up"
        and not (tile.get("seal") or tile.get("lock"))
        and color_of(tile["kind"]) != "blue"
    ]
    left = rulebook.locks - sum("lock" in tile for tile in tiles.values())
    count = rng.choice((0, min(left, 1), left, left, left))
    for tile in rng.sample(free, min(len(free), count)):
        tile["lock"] = True
    down = [tile for tile in tiles.values() if tile["face"] == "down"]
    for seat in range(1, seats + 1):
        if down and often(rng, 0.2):
            tile = rng.choice(down)
            tile["reminders"] = [*tile.get("reminders", ()), seat]


def _robots(rng: Random, rulebook: Rulebook, tiles: Tiles, figures: Figures) -> list[str]:
    """Robots on face-up rooms that do not destroy them (§5.3), often with somebody."""
    cells = [
        where
        for where, tile in tiles.items()
        if tile["face"] == "up" and color_of(tile["kind"]) != "red"
    ]
    shared = [c["cell"] for c in figures.values() if c.get("cell") in cells] or cells
    count = rng.randint(0, rulebook.robots)
    return [rng.choice(shared if often(rng, 0.7) else cells) for _ in range(count)]


def _cards(rng: Random, table: TableOpening, name: str) -> dict[str, Any]:
    """A deck of which some cards are gone, and some lie open; the rest is shuffled.

    Often all madness cards of a ``name`` are on top, or one that stays lies open.
    """
    cards = list(deck_of(table.options))
    rng.shuffle(cards)
    suiting = [card for card in cards if MADNESS.get(card) == name]
    staying = [card for card in cards if MADNESS.get(card) in STAYING]
    shown = rng.sample(staying, min(len(staying), rng.randrange(3)))
    if name in STAYING and often(rng, 0.6):
        shown = suiting[:1]
    others = [card for card in cards if card not in shown]
    top = [card for card in suiting if card not in shown]
    deck = top if often(rng, 0.8) else others[: rng.randrange(4)]
    left = [card for card in others if card not in deck]
    discard = left[: rng.choice((0, 3, len(left)))]
    return {"deck": deck, "discard": discard, "shown": shown, "deck_rest": often(rng, 0.8)}
