"""Decisions as trees of options: paths, branches and leaves (pure).

A decision lists its first level. An option there is a leaf, which can be chosen, or a branch; what
is below a branch is listed on demand, so a choice may have very many forms while no list is long.
The id of an option is the path to it: its parts joined by ``.``, the members of a part by ``-``.
It is one segment of a URL as it stands.

A flat decision is a tree of one level. Its ids are no paths and may hold other characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, Generic, Literal, TypeVar

from events.kernel import Decision, Event, Option

G = TypeVar("G")

PATH: Final = r"^[a-z0-9_]+(-[a-z0-9_]+)*(\.[a-z0-9_]+(-[a-z0-9_]+)*)*\Z"
"""The id of an option in a tree: neither a part nor a member of a part is empty."""

PATH_MAX: Final = 200
"""The most characters that such an id has."""

Below = Callable[[tuple[str, ...]], tuple[Option, ...]]
"""``below(path)`` are the options below the branch at ``path``; empty: there is no such branch."""

Standing = Literal["leaf", "branch", "beyond", "nothing"]
"""What an id stands for; ``beyond``: in a tree, a path that goes on from a leaf."""


def parts_of(option: str) -> tuple[str, ...]:
    """The parts of a path."""
    return tuple(option.split("."))


def standing(decision: Decision, option: str, below: Below) -> Standing:
    """What an id stands for, found by walking down from the first level."""
    found = _named(decision.options, option)
    if found is not None:
        return "branch" if found.branch else "leaf"
    if not any(each.branch for each in decision.options):
        return "nothing"  # the ids of a flat decision are no paths
    parts, options = parts_of(option), decision.options
    for length in range(1, len(parts) + 1):
        found = _named(options, ".".join(parts[:length]))
        if found is None:
            return "nothing"
        if length == len(parts):
            return "branch" if found.branch else "leaf"
        if not found.branch:
            return "beyond"
        options = below(parts[:length])
    return "nothing"


def _named(options: Iterable[Option], name: str) -> Option | None:
    return next((option for option in options if option.id == name), None)


class OptionTrees(Generic[G]):
    """The part of ``games.contract.Game`` that is about trees of options.

    A game without branches inherits it as it is. One with branches writes ``branch``; it may also
    write a faster ``offers``, which must answer as this one does.
    """

    def branch(
        self,
        state: G,  # noqa: ARG002 (for games with branches)
        decision: Decision,  # noqa: ARG002 (the same)
        path: tuple[str, ...],  # noqa: ARG002 (the same)
    ) -> tuple[Option, ...]:
        """The options below a branch: none, for here are only leaves."""
        return ()

    def is_kept(self, state: G, decision: str) -> bool:  # noqa: ARG002 (for games that keep some)
        """Whether a choice is kept: none is."""
        return False

    def void(self, events: Sequence[Event]) -> frozenset[int]:  # noqa: ARG002 (the same)
        """The events whose kept fields never count: there are none."""
        return frozenset()

    def offers(self, state: G, decision: Decision, option: str) -> bool:
        """Whether ``option`` is a leaf that one can walk to."""
        if decision.offers(option):
            return True
        return standing(decision, option, partial(self.branch, state, decision)) == "leaf"
