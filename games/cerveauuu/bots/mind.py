"""What a bot has before it when it decides: the view of its seat, and the tree to walk (pure)."""

from __future__ import annotations

from collections.abc import Iterable

from events.draw import Draw
from events.kernel import Decision, Option, Seat
from games.bots import ListBranch
from games.cerveauuu.board import Grid
from games.cerveauuu.bots.worth import Worth, lead
from games.cerveauuu.model.state import State


class Mind:
    """One decision of one seat.

    Attributes:
        state: the view of the seat.
        grid: its board.
        decision: what is to be decided.
        seat: whose decision it is.
        worth: by what it judges cards that it tries.
    """

    __slots__ = ("_branch", "_seed", "decision", "grid", "seat", "state", "worth")

    def __init__(
        self,
        state: State,
        grid: Grid,
        decision: Decision,
        seed: str,
        branch: ListBranch,
        worth: Worth = lead,
    ) -> None:
        self.state = state
        self.grid = grid
        self.decision = decision
        self.seat: Seat = decision.seat
        self._seed = seed
        self._branch = branch
        self.worth = worth

    def below(self, path: tuple[str, ...] = ()) -> tuple[Option, ...]:
        """The options below a branch; those of the first level below nothing."""
        if not path:
            return self.decision.options
        return tuple(self._branch(self.state, self.decision, path))

    def listed(self, part: str) -> bool:
        """Whether a part is an option of the first level."""
        return any(option.id == part for option in self.decision.options)

    def leaf(self, *parts: str) -> str:
        """The id of a leaf, walked to part by part.

        Raises:
            ValueError: it is not offered.
        """
        for length in range(1, len(parts) + 1):
            wanted, last = ".".join(parts[:length]), length == len(parts)
            found = next((o for o in self.below(parts[: length - 1]) if o.id == wanted), None)
            if found is None or found.branch == last:
                raise ValueError(f"not offered for {self.decision.kind}: {'.'.join(parts)}")
        return ".".join(parts)

    def any_of(self, equals: Iterable[str]) -> str:
        """One of several choices that are as good as one another: the seed decides.

        Raises:
            ValueError: there is none.
        """
        choices = list(equals)
        if len(choices) == 1:
            return choices[0]
        return Draw(bytes.fromhex(self._seed)).choice(choices, self.decision.id)

    def best(self, values: dict[str, float]) -> str:
        """The choice of the greatest value.

        Raises:
            ValueError: there is none.
        """
        most = max(values.values(), default=0.0)
        return self.any_of(choice for choice, value in values.items() if value >= most)


def part_of(option: Option) -> str:
    """The last part of an option's id."""
    return option.id.rpartition(".")[2]
