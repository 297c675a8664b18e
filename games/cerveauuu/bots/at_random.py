"""The house bot ``random``: any option, but mostly a pass in windows (§12.9; pure)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Decision
from games.bots import ListBranch, any_leaf
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.trees import SKIP

PLAYED: Final = 3
OF: Final = 10
"""It plays a card in so many of so many windows in which it can."""


class AtRandom:
    """The house bot; it remembers nothing.

    Args:
        branch: what is below a branch of a decision, by the game's rules.
    """

    def __init__(self, branch: ListBranch) -> None:
        self._branch = branch

    def choose(self, view: Any, decision: Decision, seed: str) -> str:  # noqa: ANN401 (the view of a table, which knows no game)
        """The leaf that it takes; ``view`` is its seat's table.

        Raises:
            ValueError: the decision is voluntary.
        """
        return self.answer(view.play, decision, seed)

    def answer(self, state: State, decision: Decision, seed: str) -> str:
        """The same for a game without a table; ``state`` is the view of the seat.

        Raises:
            ValueError: as ``choose``.
        """
        draw = Draw(bytes.fromhex(seed))
        plays = tuple(option for option in decision.options if option.id != SKIP)
        if decision.kind == "respond" and plays:
            if draw.below(OF, f"{decision.id}/playing") >= PLAYED:
                return SKIP
            decision = replace(decision, options=plays)
        return any_leaf(state, decision, draw, self._branch)
