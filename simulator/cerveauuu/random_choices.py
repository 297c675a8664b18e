"""Choices at random: uniform walks down the trees of options, and hungry ones."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Final

from events.kernel import Decision, Option
from games.cerveauuu.model.ids import is_human
from games.cerveauuu.rules.trees import SKIP
from simulator.chance import often
from simulator.option_trees import ListBelow, random_leaf

PLAYING: Final = 0.6
"""How often players at random do not simply pass a window.

They pass then as often as they play, so of ten windows in which they can play they pass seven
(§12.9).
"""

HUNGER: Final = 0.8
"""So often a go of hungry players is spent on getting at a human."""

TRIED: Final = 6
"""Of the cells nearest to humans so many are looked at."""

GREED: Final = 0.7
"""So often a greedy player's zombie attacks if it can reach a human."""

ASIDE: Final = 0.15
"""So often it thinks of a card or of a swap in its go, if it may."""


def uniform(decision: Decision, below: ListBelow, random: Random, playing: float = PLAYING) -> str:
    """The id of a leaf, uniform on each level; in windows mostly a pass.

    Args:
        decision: what is chosen.
        below: its tree.
        random: where the luck comes from.
        playing: how often the first level of a window is not simply passed.
    """
    if decision.kind == "respond" and not often(random, playing):
        return SKIP
    return random_leaf(random, decision.options, below)


def hungry(
    decision: Decision,
    below: ListBelow,
    random: Random,
    humans: Collection[str],
    playing: float = PLAYING,
) -> str:
    """The same, but most goes are spent on getting at a human; ``humans`` are their cells."""
    if decision.kind == "go" and random.random() < HUNGER:
        return _towards(decision, below, random, [_xy(cell) for cell in humans])
    return uniform(decision, below, random, playing)


def greedy(decision: Decision, below: ListBelow, random: Random, playing: float = PLAYING) -> str:
    """The same, but of its goes in which a zombie by lot can reach humans most end in an attack.

    Any of them is attacked, from anywhere; in all other goes the zombie walks anywhere (§13.3).
    """
    zombies = [each.id for each in decision.options if "piece" in each.meaning]
    others = [each for each in decision.options if each.branch and "piece" not in each.meaning]
    if decision.kind != "go":
        return uniform(decision, below, random, playing)
    if others and often(random, ASIDE):
        return random_leaf(random, others, below)
    level = below(random.choice(zombies))
    ways = [level, *(below(each.id) for each in level if each.branch)]
    leaves = [each for options in ways for each in options if not each.branch]
    bites: dict[str, list[str]] = {}
    for leaf in leaves:
        target = leaf.meaning.get("attack")
        if target is not None and is_human(str(target)):
            bites.setdefault(str(target), []).append(leaf.id)
    if bites and often(random, GREED):
        return random.choice(bites[random.choice(sorted(bites))])
    return random.choice([each.id for each in leaves if "attack" not in each.meaning])


def _towards(
    decision: Decision, below: ListBelow, random: Random, humans: list[tuple[int, int]]
) -> str:
    """Some zombie goes near to humans, and attacks if it may."""
    option = random.choice([each for each in decision.options if "piece" in each.meaning])
    level = below(option.id)
    ahead = sorted(
        (each for each in level if "cell" in each.meaning), key=lambda each: _nearest(each, humans)
    )
    near = [below(each.id) for each in ahead[:TRIED]]
    leaves = [each for options in (level, *near) for each in options if not each.branch]
    attacks = [each for each in leaves if "attack" in each.meaning]
    return random.choice(attacks or leaves).id


def _xy(cell: str) -> tuple[int, int]:
    y, x = cell[1:].split("c")
    return int(x), int(y)


def _nearest(option: Option, humans: list[tuple[int, int]]) -> int:
    """How far the cell of an option is from the nearest human, walls ignored."""
    x, y = _xy(str(option.meaning["cell"]))
    return min((max(abs(x - hx), abs(y - hy)) for hx, hy in humans), default=0)
