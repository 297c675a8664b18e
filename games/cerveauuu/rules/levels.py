"""The levels of option trees, of which the latest are kept (§5.7)."""

from __future__ import annotations

from events.kernel import Option
from events.lru import PartsCache
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.asking import OpenQuestion
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.engine import asking_of
from games.cerveauuu.rules.trees import Path


class Levels:
    """What has been worked out of the trees of open questions.

    A level is asked for several times: when a question is listed, walked and answered, of one
    state and of its copies. Sealed answers change none of the parts that it depends on.

    Args:
        grids: the boards of states.
        most: so many levels are kept at most.
    """

    def __init__(self, grids: Grids, most: int = 512) -> None:
        self._grids = grids
        self._known: PartsCache[tuple[Option, ...]] = PartsCache(most)

    def below(
        self, state: State, frame: AnyFrame, question: OpenQuestion, path: Path
    ) -> tuple[Option, ...]:
        """The options behind a path of a question that is open; empty: there is no such branch."""

        def work_out() -> tuple[Option, ...]:
            grid = self._grids.of(state)
            return asking_of(frame).options(state, grid, frame, question, path)

        return self._known.get(_parts(state), work_out, (question.id, path))


def _parts(state: State) -> tuple[object, ...]:
    """All that options depend on; the version of a window is in the question's id."""
    return (
        state.agenda,
        state.map,
        state.edges,
        state.cells,
        state.pieces,
        state.hands,
        state.scores,
        state.swapped,
        state.dormant,
        state.modifiers,
        state.bans,
        state.activation,
        state.fight,
        state.window and state.window.timeline,
    )
