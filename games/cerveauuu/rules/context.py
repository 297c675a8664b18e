"""A decision in the making: the working copy with its agenda, and the board it is played on."""

from __future__ import annotations

from typing import Final

from events.kernel import Context, Event, Seat, Working
from events.lru import LruCache
from games.cerveauuu.board import Grid, default_grid, parse_map
from games.cerveauuu.model.agenda import AnyFrame
from games.cerveauuu.model.state import State
from games.cerveauuu.rules import ending

DEFAULT_MAP: Final = "default20"
"""The name of the only map that is no explicit text (§2.11)."""


class Grids:
    """The boards of states, of which the latest are kept with all that they have worked out.

    A board is known by what makes it: the map and the changes to it, so that copies of a state,
    and views, share it.

    Args:
        most: so many boards are kept at most.
    """

    def __init__(self, most: int = 64) -> None:
        self._known: LruCache[tuple[object, ...], Grid] = LruCache(most)
        self._maps: LruCache[str, Grid] = LruCache(8)

    def of(self, state: State) -> Grid:
        """The board of a state, with all changes that cards have made."""
        key = (state.map, tuple(state.edges.items()), tuple(state.cells.items()))
        known = self._known.use(key)
        if known is None:
            known = self._changed(state)
            self._known.keep(key, known)
        return known

    def _changed(self, state: State) -> Grid:
        """An edge shows its latest remaining change, a cell any remaining flag (§4.11.2)."""
        grid = self._map(state.map)
        if not (state.edges or state.cells):
            return grid
        flags = {
            name: {
                grid.cell_of(cell): True
                for cell, changes in state.cells.items()
                if any(flag == name for flag, _ in changes)
            }
            for name in ("impassable", "opaque")
        }
        return grid.changed(
            edges={grid.edge_of(edge): changes[-1][0] for edge, changes in state.edges.items()},
            impassable=flags["impassable"],
            opaque=flags["opaque"],
        )

    def _map(self, map_: str) -> Grid:
        known = self._maps.use(map_)
        if known is None:
            known = default_grid() if map_ == DEFAULT_MAP else Grid.of(parse_map(map_))
            self._maps.keep(map_, known)
        return known


class Play:
    """The working copy of a batch.

    The agenda is changed in place on the private state and recorded by one ``AgendaSet`` when the
    table settles the batch; everything else changes by events alone.
    """

    def __init__(self, work: Working[State], grids: Grids) -> None:
        self.work = work
        self.grids = grids

    @property
    def state(self) -> State:
        """The private state, as far as the batch has come."""
        return self.work.state

    @property
    def grid(self) -> Grid:
        """The board as it is now."""
        return self.grids.of(self.work.state)

    @property
    def context(self) -> Context:
        """Time, actor and draws of the batch."""
        return self.work.context

    @property
    def over(self) -> bool:
        """Whether the game has ended: whoever carries out effects stops then."""
        return self.work.state.end is not None

    def emit(self, event: Event) -> None:
        """Append an event and fold it."""
        self.work.emit(event)

    def test_end(self) -> None:
        """A settle point: end the game if it is due (§4.1, §4.12)."""
        if ending.is_due(self.state):
            self.emit(ending.ended(self.state))

    # --- the agenda ---

    def push(self, *frames: AnyFrame) -> None:
        """Put frames on the agenda; the first one given is done first."""
        self.state.agenda = (*self.state.agenda, *reversed(frames))

    def pop(self) -> AnyFrame:
        """Take the next frame off the agenda."""
        *rest, frame = self.state.agenda
        self.state.agenda = tuple(rest)
        return frame

    def fresh_prefix(self) -> str:
        """What the ids of a new question begin with, never used before."""
        self.state.asked += 1
        return f"r{self.state.round}-{self.state.asked}"

    def question(self, kind: str, seat: Seat) -> str:
        """An id, never used before, for a question to one seat."""
        return f"{self.fresh_prefix()}-{kind}-s{seat}"
