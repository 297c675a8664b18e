"""Two mutations that Cosmic Ray lacks; it finds them through the plug-in that ``tree`` writes.

It runs in Cosmic Ray's own environment: nothing of ours is imported, and nothing of Cosmic Ray.
A node is one of parso's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Position = tuple[tuple[int, int], tuple[int, int]]


class _Operator:
    """What Cosmic Ray asks of every operator."""

    @staticmethod
    def arguments() -> tuple[()]:
        """It takes none."""
        return ()

    @staticmethod
    def examples() -> tuple[()]:
        """Ours stand in the tests."""
        return ()


class DropCall(_Operator):
    """A call that is a statement of its own is not made: an event, a frame, a question less."""

    @staticmethod
    def mutation_positions(node: Any) -> Iterator[Position]:  # noqa: ANN401 (parso's)
        """Where such a statement stands."""
        if node.type == "simple_stmt" and node.children[0].type == "atom_expr":
            yield node.children[0].start_pos, node.children[0].end_pos

    @staticmethod
    def mutate(node: Any, _: int) -> Any:  # noqa: ANN401 (parso's)
        """Keep the text, but never evaluate it."""
        first = node.children[0].get_first_leaf()
        first.value = f"None and {first.value}"
        return node


class NegateMembership(_Operator):
    """``in`` becomes ``not in``, and the other way round."""

    @staticmethod
    def mutation_positions(node: Any) -> Iterator[Position]:  # noqa: ANN401 (parso's)
        """Where something is asked for."""
        if node.type == "comparison" and node.children[1].get_code().split() in (
            ["in"],
            ["not", "in"],
        ):
            yield node.children[1].start_pos, node.children[1].end_pos

    @staticmethod
    def mutate(node: Any, _: int) -> Any:  # noqa: ANN401 (parso's)
        """Ask the opposite."""
        first = node.children[1].get_first_leaf()
        first.value = "not in" if first.value == "in" else ""
        return node


OURS: Final = {each.__name__: each for each in (DropCall, NegateMembership)}


class Provider:
    """The door through which Cosmic Ray finds them."""

    def __iter__(self) -> Iterator[str]:
        return iter(OURS)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 (a class that it makes one of)
        return OURS[name]
