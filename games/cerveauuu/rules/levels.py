"""The levels of option trees, of which the latest are kept (§5.7)."""

from __future__ import annotations

from events.kernel import Option
from events.lru import LruCache
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.asking import OpenQuestion
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.engine import SEALED, SINGLE
from games.cerveauuu.rules.trees import Path

_Parts = tuple[object, ...]


class Levels:
    """What has been worked out of the trees of open questions.

    A level is asked for several times: when a question is listed, walked and answered, of one
    state and of its copies, whose parts are the same immutable objects. So it is remembered by the
    identity of the parts that it depends on, which the memory holds, so that an identity cannot
    come to mean something else. Sealed answers change none of them.

    Args:
        grids: the boards of states.
        most: so many levels are kept at most.
    """

    def __init__(self, grids: Grids, most: int = 512) -> None:
        self._grids = grids
        self._known: LruCache[tuple[object, ...], tuple[_Parts, tuple[Option, ...]]] = LruCache(
            most
        )

    def below(
        self, state: State, frame: AnyFrame, question: OpenQuestion, path: Path
    ) -> tuple[Option, ...]:
        """The options behind a path of a question that is open; empty: there is no such branch."""
        parts = _parts(state)
        key = (question.id, path, *map(id, parts))
        known = self._known.use(key)
        if known is None:
            asking = SEALED.get(type(frame)) or SINGLE[type(frame)]
            level = asking.options(state, self._grids.of(state), frame, question, path)
            known = (parts, level)
            self._known.keep(key, known)
        return known[1]


def _parts(state: State) -> _Parts:
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
