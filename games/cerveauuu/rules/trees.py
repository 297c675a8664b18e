"""Trees of options: their leaves and branches, and those of a zombie's movement (§5.7; pure)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from events.kernel import Option
from games.cerveauuu.board import Grid
from games.cerveauuu.model.state import Cell, State
from games.cerveauuu.rules.pieces import attackable, reach_of

Path = tuple[str, ...]
"""The parts of an option's id."""

END: Final = "end"
ATTACK: Final = "attack-"
SKIP: Final = "pass"


def leaf(above: Path, part: str, **meaning: object) -> Option:
    """An option that can be chosen, below the branch ``above``."""
    return Option(".".join((*above, part)), meaning)


def branch(above: Path, part: str, **meaning: object) -> Option:
    """An option with others behind it, below the branch ``above``."""
    return Option(".".join((*above, part)), meaning, branch=True)


class Walker(Struct, frozen=True):
    """A zombie on its way: who, how many steps it has in all, and the cells it has entered."""

    zombie: str
    start: int
    steps: int
    path: tuple[int, ...] = ()

    @property
    def cell(self) -> int:
        """Where it has come to."""
        return self.path[-1] if self.path else self.start

    @property
    def left(self) -> int:
        """The steps that it still has."""
        return self.steps - len(self.path)


def walk(state: State, grid: Grid, walker: Walker, cells: Iterable[str]) -> Walker | None:
    """Go on from one named cell to the next, each by the canonical way; None: one cannot."""
    for name in cells:
        reach = reach_of(state, grid, walker.zombie, walker.left, walker.cell)
        ends = {grid.cell_id(cell): cell for cell in reach.ends}
        if name not in ends:
            return None
        path = (*walker.path, *reach.path(ends[name]))
        walker = Walker(walker.zombie, walker.start, walker.steps, path)
    return walker


def cells_ahead(state: State, grid: Grid, walker: Walker, above: Path) -> Iterator[Option]:
    """Where it may go next: branches, as each has at least ``end`` behind it."""
    for cell in reach_of(state, grid, walker.zombie, walker.left, walker.cell).ends:
        name = grid.cell_id(cell)
        yield branch(above, name, cell=name)


def stops(state: State, grid: Grid, zombie: str, cell: int, above: Path) -> Iterator[Option]:
    """What a zombie may do that ends its movement on ``cell``: nothing, or an attack."""
    yield leaf(above, END)
    for piece in attackable(state, grid, zombie, cell):
        yield leaf(above, f"{ATTACK}{piece}", attack=piece)


def path_of(grid: Grid, walker: Walker) -> tuple[Cell, ...]:
    """The cells that it has entered, as ids."""
    return tuple(map(grid.cell_id, walker.path))


def attack_of(part: str) -> str | None:
    """The piece that a leaf attacks, if it does."""
    return part.removeprefix(ATTACK) if part.startswith(ATTACK) else None
