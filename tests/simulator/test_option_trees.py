"""Trees of options: what can be chosen is what can be walked to, and views list what is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.kernel import Decision, Event, Option, Viewer, fold, redact
from games.contract import Rules
from games.table.decider import Table
from games.table.events import Choose, ChooseSecretly, StartTable
from games.table.state import TableState
from games.trees import PATH_MAX
from service.contract.bodies import TEXT_MAX
from simulator.option_trees import (
    below_of,
    differing_level,
    differing_sample,
    flaw_of_tree,
    levels,
    random_leaf,
    sampled_levels,
)
from tests.games.specification import HOST, Given, asked_to_pick, opened, player, taken
from tests.games.specification import given as past_of
from tests.games.toy import TOY, Play, Toy

Tree = Mapping[str, Any]
"""Parts by name: None for a leaf, or what is below a branch."""

PART = st.from_regex(r"[a-z0-9_]{1,3}(-[a-z0-9_]{1,2}){0,2}", fullmatch=True)
TREE: st.SearchStrategy[Tree] = st.recursive(
    st.dictionaries(PART, st.none(), min_size=1, max_size=4),
    lambda below: st.dictionaries(PART, st.none() | below, min_size=1, max_size=4),
    max_leaves=12,
)


def options_of(tree: Tree, above: tuple[str, ...] = ()) -> tuple[Option, ...]:
    """A level of a tree."""
    return tuple(
        Option(".".join((*above, name)), branch=below is not None) for name, below in tree.items()
    )


class Grown(Toy):
    """The toy with any tree below a pick; only the house's own walk says what is offered."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def decisions(self, state: Play, seat: int) -> list[Decision]:
        found = super().decisions(state, seat)
        grown = options_of(self.tree)
        return [replace(d, options=grown, default=None) if d.kind == "pick" else d for d in found]

    def branch(self, _: Play, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
        tree: Tree | None = self.tree if decision.kind == "pick" else {}
        for part in path:
            tree = None if tree is None else tree.get(part)
        return () if tree is None else options_of(tree, path)


class Refusing(Grown):
    """Offers less than one can walk to."""

    def offers(self, state: Play, decision: Decision, option: str) -> bool:
        return decision.offers(option) and super().offers(state, decision, option)


class Accepting(Grown):
    """Offers more: whatever ends as a leaf does."""

    def offers(self, state: Play, decision: Decision, option: str) -> bool:
        ends = {name for name, below in self.tree.items() if below is None}
        return super().offers(state, decision, option) or option.rpartition(".")[2] in ends


def table_of(game: Toy) -> Table:
    rules: Rules = replace(TOY, decider=game)
    return Table({TOY.id: rules}, frozenset({"random"}))


def asked(game: Toy) -> tuple[Table, TableState, Decision]:
    """The table at which seat 1 must pick, and that decision."""
    table, state = table_of(game), asked_to_pick().state
    return table, state, table.open_decision(state, 1, "pick-t1")


def flaw(game: Toy) -> str | None:
    return flaw_of_tree(*asked(game))


@settings(max_examples=60, deadline=None)
@given(TREE)
def test_of_any_tree_exactly_the_leaves_can_be_chosen(tree: Tree) -> None:
    assert flaw(Grown(tree)) is None


@settings(max_examples=25, deadline=None)
@given(TREE, st.integers(0, 9))
def test_a_walk_by_chance_ends_at_a_leaf(tree: Tree, seed: int) -> None:
    table, state, decision = asked(Grown(tree))
    leaf = random_leaf(Random(seed), decision.options, below_of(table, state, decision))
    assert table.offers(state, decision, leaf)


def test_a_walk_by_chance_comes_everywhere() -> None:
    table, state, decision = asked(Toy())
    below = below_of(table, state, decision)
    every = {o.id for _, level in levels(decision.options, below) for o in level if not o.branch}
    rng = Random(1)
    assert {random_leaf(rng, decision.options, below) for _ in range(400)} == every
    assert len(every) == 9


@settings(max_examples=60, deadline=None)
@given(TREE, st.integers(0, 9), st.integers(1, 12))
def test_so_many_branches_of_each_depth_are_walked_of_a_tree(
    tree: Tree, seed: int, width: int
) -> None:
    """Small trees whole; of large ones something below each branch that was walked."""
    table, state, decision = asked(Grown(tree))
    below = below_of(table, state, decision)
    whole = dict(levels(decision.options, below))
    found = dict(sampled_levels(decision.options, below, Random(seed), width))
    assert found.items() <= whole.items()
    depths = Counter(name.count(".") for name in whole if name)
    walked = Counter(name.count(".") for name in found if name)
    assert all(count <= width for count in walked.values())
    if all(count <= width for count in depths.values()):
        assert found == whole
    for name, level in found.items():
        inner = [option.id for option in level if option.branch]
        assert not inner or set(inner) & set(found), f"nothing below {name!r}"


def test_a_difference_in_one_corner_is_found_where_the_whole_tree_is_walked() -> None:
    tree: Tree = {f"a{n}": {"b": {"c": None, "d": None}} for n in range(40)}
    table, state, decision = asked(Grown(tree))
    corner = table_of(Grown({**tree, "a39": {"b": {"c": None}}}))

    class Both(Table):
        """The other tree is that of the view."""

        def branch(self, state: TableState, decision: Decision, option: str) -> Any:
            return (corner if state is view else table).branch(state, decision, option)

    view, both = replace(state), Both(table.rules, frozenset())

    def found(width: int) -> str | None:
        return differing_sample(both, state, view, decision, decision, Random(1), width)

    assert found(40) == "pick-t1: other options below a39.b"
    assert found(1) is None
    assert "other options" in str(
        differing_sample(
            both, state, view, decision, replace(decision, options=()), Random(1), width=1
        )
    )


DEEP: Tree = {"a": None, "b": {"c": None, "d": {"e-f": None}}}


def test_a_leaf_that_is_refused_is_found() -> None:
    assert flaw(Grown(DEEP)) is None
    assert "cannot be chosen" in str(flaw(Refusing(DEEP)))


def test_an_id_that_nobody_can_walk_to_and_is_accepted_is_found() -> None:
    assert "can be chosen, but not walked to" in str(flaw(Accepting({"a": None, "b": {"c": None}})))


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ({"a": {}}, "nothing is below 'a'"),
        ({"a": {"B": None}}, "'a.B' is no path"),
        ({"a": {"": None}}, "'a.' is no path"),
        ({"a": {"b-": None}}, "'a.b-' is no path"),
        ({"a+b": None, "c": {"d": None}}, "'a+b' is no path"),
        ({"a": {"b.c": None}}, "'a.b.c' is below 'a'"),
        ({"a": {"b" * PATH_MAX: None}}, "is no path"),
    ],
    ids=["empty", "letter", "empty part", "empty member", "first level", "two parts", "length"],
)
def test_a_malformed_tree_is_found(tree: Tree, told: str) -> None:
    assert told in str(flaw(Grown(tree)))


def test_a_flat_decision_keeps_ids_that_are_no_paths() -> None:
    assert flaw(Grown({"look+move": None, "r1c2:red": None, "a.b": None, "": None})) is None


def test_a_default_that_is_no_leaf_is_found() -> None:
    table, state, decision = asked(Toy())
    assert flaw_of_tree(table, state, decision) is None
    wrong = replace(decision, default="favour")
    assert "its default favour is no leaf" in str(flaw_of_tree(table, state, wrong))


def test_the_longest_path_fits_into_a_choice() -> None:
    assert PATH_MAX == TEXT_MAX


# --- views ---


class Whispering(Toy):
    """Below ``favour`` it lists what the seat itself has written down, which it knows.

    ``leaks``: it lists what another seat has written down, which only the truth knows.
    """

    def __init__(self, *, leaks: bool) -> None:
        self.leaks = leaks

    def decisions(self, state: Play, seat: int) -> list[Decision]:
        found = super().decisions(state, seat)
        more = (Option("again", branch=True),)
        return [
            replace(d, options=(*d.options, *more)) if d.kind == "number" and d.answered else d
            for d in found
        ]

    def branch(self, state: Play, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
        if decision.kind != "number":
            return super().branch(state, decision, path)
        other = next((n for n in state.chosen if n != decision.seat), decision.seat)
        known = state.chosen.get(other if self.leaks else decision.seat)
        if path == ("again",):
            return (Option(f"again.n{known}", branch=True),)
        return (Option(f"again.n{known}.yes"),) if path == ("again", f"n{known}") else ()


def played(game: Toy, seed: int) -> tuple[Table, list[Event]]:
    """A game of three by chance, every choice a walk, and its log."""
    table, rng = table_of(game), Random(seed)
    log: list[Event] = [opened(seats=3, options={"rounds": 3}), *(taken(n) for n in (1, 2, 3))]
    now = past_of(*log, table=table)

    def step(now: Given, command: Choose | ChooseSecretly | StartTable, seat: int) -> Given:
        when = now.when(command, player(seat) if seat else HOST)
        log.extend(when.events())
        return when.happened()

    now = step(now, StartTable(), 0)
    while now.state.phase == "live":
        found = [d for n in (1, 2, 3) for d in table.decisions(now.state, n) if d.kind != "resign"]
        decision = rng.choice([d for d in found if not d.answered])
        leaf = random_leaf(rng, decision.options, below_of(table, now.state, decision))
        kind = ChooseSecretly if decision.secret else Choose
        choice = kind(seat=decision.seat, decision=decision.id, option=leaf)
        now = step(now, choice, decision.seat)
    return table, log


def complaints(game: Toy, seed: int) -> list[str]:
    """Where a view of a seat lists other options than the truth, at any version and level."""
    table, log = played(game, seed)
    found: list[str | None] = []
    for version in range(1, len(log) + 1):
        truth = fold(table, log[:version])
        for seat in (1, 2, 3):
            viewer = Viewer(kind="seat", seat=seat)
            view = fold(table, (redact(event, viewer) for event in log[:version]))
            full, own = table.decisions(truth, seat), table.decisions(view, seat)
            assert len(full) == len(own)
            found += [
                differing_level(table, truth, view, one, other)
                for one, other in zip(full, own, strict=True)
            ]
            found += [flaw_of_tree(table, truth, decision) for decision in full]
    return [each for each in found if each is not None]


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_s_view_lists_every_level_as_the_truth_does(seed: int) -> None:
    assert complaints(Toy(), seed) == []
    assert complaints(Whispering(leaks=False), seed) == []


def test_a_tree_that_tells_another_seat_s_secret_is_found() -> None:
    found = complaints(Whispering(leaks=True), 1)
    assert any("other options below again" in each for each in found)


def test_a_first_level_that_differs_is_found() -> None:
    table, state, decision = asked(Toy())
    other = replace(decision, options=decision.options[:2])
    assert differing_level(table, state, state, decision, other) == "pick-t1: other options"
