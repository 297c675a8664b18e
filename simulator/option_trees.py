"""Trees of options as drivers and oracles of any game walk them.

An oracle returns what is wrong as a sentence, or None; what a game lists is never trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from random import Random
from typing import Final

from events.kernel import Decision, Option
from games.table.decider import Table
from games.table.options import unavailable
from games.table.state import TableState
from games.trees import PATH, PATH_MAX, parts_of

ListBelow = Callable[[str], Sequence[Option]]
"""``below(id)`` are the options below the branch of that id."""

_PATH: Final = re.compile(PATH)


def random_leaf(rng: Random, options: Sequence[Option], below: ListBelow) -> str:
    """The id of some leaf: any option on each level, with one lot for each level."""
    option = rng.choice(options)
    while option.branch:
        option = rng.choice(below(option.id))
    return option.id


def below_of(table: Table, state: TableState, decision: Decision) -> ListBelow:
    """What is below the branches of an open decision, in the truth or in a view."""
    return lambda name: table.branch(state, decision, name)


def levels(options: Sequence[Option], below: ListBelow) -> Iterator[tuple[str, Sequence[Option]]]:
    """Each level of a tree with the id of its branch, the first with an empty one."""
    waiting: list[tuple[str, Sequence[Option]]] = [("", options)]
    while waiting:
        name, level = waiting.pop()
        yield name, level
        if len(name) < PATH_MAX:  # a tree without an end has paths that are too long
            waiting += [(each.id, below(each.id)) for each in level if each.branch]


def sampled_levels(
    options: Sequence[Option], below: ListBelow, rng: Random, width: int
) -> Iterator[tuple[str, Sequence[Option]]]:
    """The same, but of no depth more than ``width`` branches: small trees are walked whole.

    Of a depth that has more, so many are drawn by lot, but at least one below each branch of the
    depth above that was drawn itself: no part of the tree is left out for having few leaves.
    """
    yield "", options
    families = [[each.id for each in options if each.branch]]
    while any(families):
        found = []
        for name in _shared_out(families, rng, width):
            level = below(name)
            yield name, level
            inner = len(name) < PATH_MAX  # a tree without an end has paths that are too long
            found.append([each.id for each in level if each.branch and inner])
        families = found


def _shared_out(families: Sequence[Sequence[str]], rng: Random, width: int) -> list[str]:
    """All names if there are no more than ``width``, else so many, in turn from each family."""
    names = [name for family in families for name in family]
    if len(names) <= width:
        return names
    mixed = [rng.sample(family, len(family)) for family in families if family]
    rng.shuffle(mixed)
    turns = zip_longest(*mixed)
    return [name for turn in turns for name in turn if name is not None][:width]


def flaw_of_tree(table: Table, state: TableState, decision: Decision) -> str | None:
    """Whether a decision's tree is well formed, and exactly its leaves can be chosen."""
    found = list(levels(decision.options, below_of(table, state, decision)))
    if len(found) > 1:
        flaw = next(filter(None, (flaw_of_level(name, level) for name, level in found)), None)
        if flaw is not None:
            return f"{decision.id}: {flaw}"
    every = [option for _, level in found for option in level]
    leaves = {option.id for option in every if not option.branch}
    if decision.default is not None and decision.default not in leaves:
        return f"{decision.id}: its default {decision.default} is no leaf"
    for name in dict.fromkeys(chain(leaves, (o.id for o in every if o.branch), _near(leaves))):
        if table.offers(state, decision, name) != (name in leaves):
            how = "cannot be chosen" if name in leaves else "can be chosen, but not walked to"
            return f"{decision.id}: {name!r} {how}"
    return None


def flaw_of_level(branch: str, level: Sequence[Option]) -> str | None:
    """Whether a level below a branch is empty, or lists an id twice or out of place."""
    ids = [option.id for option in level]
    if not ids:
        return f"nothing is below {branch!r}"
    if len(set(ids)) < len(ids):
        return f"an option is twice below {branch!r}"
    depth = len(parts_of(branch)) + 1 if branch else 1
    for name in ids:
        if not _PATH.match(name) or len(name) > PATH_MAX:
            return f"{name!r} is no path"
        if len(parts_of(name)) != depth or not name.startswith(f"{branch}." if branch else ""):
            return f"{name!r} is below {branch!r}"
    return None


def _near(leaves: set[str]) -> Iterator[str]:
    """Ids that look like those of leaves; some of them may be."""
    ends = sorted({parts_of(name)[-1] for name in leaves})
    yield from ("", ".", "-", *ends)
    for name in sorted(leaves):
        parts = parts_of(name)
        yield from (f"{name}x", name[:-1], f"{name}.{parts[-1]}", f"{name}.", f".{name}")
        yield from (f"{name}-{parts[-1]}", ".".join(reversed(parts)), name.upper())
        yield from (".".join((*parts[:-1], end)) for end in ends)


def differing_reasons(
    table: Table, one: TableState, other: TableState, decision: Decision, rng: Random
) -> str | None:
    """Where two states that list the same options of a decision give other reasons, if they do.

    Looked at is one level of those on some way down.
    """
    below, rules = below_of(table, one, decision), table.rules[one.game]
    names = [name for name, _ in sampled_levels(decision.options, below, rng, 1)]
    name = rng.choice(names) if len(names) > 1 else ""
    path = parts_of(name) if name else ()
    ours, theirs = (unavailable(rules, state, decision, path) for state in (one, other))
    return None if ours == theirs else f"{decision.id}: other reasons below {name!r}"


def differing_level(
    table: Table, truth: TableState, view: TableState, full: Decision, own: Decision
) -> str | None:
    """Where a view of a decision's own seat lists other options than the truth, if it does."""
    if full.options != own.options:
        return f"{full.id}: other options"
    whole = dict(levels(full.options, below_of(table, truth, full)))
    seen = dict(levels(own.options, below_of(table, view, own)))
    name = next((name for name in whole if whole[name] != seen.get(name)), None)
    return None if name is None else f"{full.id}: other options below {name}"


def differing_sample(
    table: Table,
    truth: TableState,
    view: TableState,
    full: Decision,
    own: Decision,
    rng: Random,
    width: int,
) -> str | None:
    """The same on the levels of ``sampled_levels``: all of small trees, some of large ones."""
    if full.options != own.options:
        return f"{full.id}: other options"
    whole, seen = below_of(table, truth, full), below_of(table, view, own)
    for name, level in sampled_levels(full.options, whole, rng, width):
        if name and tuple(seen(name)) != tuple(level):
            return f"{full.id}: other options below {name}"
    return None
