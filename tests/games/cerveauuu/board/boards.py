"""Boards, pieces and cells as the scenarios write them: the fixtures of §2.12 and ``[x,y]``."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final, get_args

from games.cerveauuu.board import EdgeState, Grid, MapText, Pawn, default_grid, parse_map
from games.cerveauuu.scenarios.bases import open_board

STATES: Final[tuple[EdgeState, ...]] = get_args(EdgeState)

DEFAULT: Final = default_grid()
"""One for all tests: what it remembers changes no answer."""

XY = tuple[int, int]


def grid_of(text: str) -> Grid:
    return Grid.of(parse_map(text))


def open_grid(width: int, height: int) -> Grid:
    return grid_of(open_board(width, height))


def cell_at(grid: Grid, x: int, y: int) -> int:
    return y * grid.width + x


def human(grid: Grid, number: int, at: XY, *, operational: bool = True) -> Pawn:
    return Pawn(f"h{number:02}", cell_at(grid, *at), human=True, operational=operational)


def zombie(grid: Grid, number: int, at: XY, *, operational: bool = True) -> Pawn:
    return Pawn(f"z{number:02}", cell_at(grid, *at), human=False, operational=operational)


def places(grid: Grid, cells: Sequence[int]) -> list[XY]:
    return [(grid.x(cell), grid.y(cell)) for cell in cells]


def always(value: int) -> Callable[[str, int], int]:
    return lambda _human, _cell: value


MOVE: Final = always(6)
SIGHT: Final = always(99)


def random_map(draw: random.Random, most: int = 7) -> MapText:
    """A small map with all kinds of edges, more of them open than not."""
    width, height = draw.randint(1, most), draw.randint(1, most)
    size = width * height
    open_ = draw.choice((0.2, 0.6, 0.9))
    edges: list[EdgeState] = []
    for cell in range(size):
        y, x = divmod(cell, width)
        for inner in (x < width - 1, y < height - 1):
            state: EdgeState = "open" if draw.random() < open_ else draw.choice(STATES)
            edges.append(state if inner else "wall")
    impassable = frozenset(cell for cell in range(size) if draw.random() < draw.choice((0, 0.1)))
    return MapText(
        width=width,
        height=height,
        buildings=tuple(
            draw.choice(("", "", "a", "b")) if cell not in impassable else ""
            for cell in range(size)
        ),
        impassable=impassable,
        edges=tuple(edges),
    )


def random_grid(draw: random.Random, most: int = 7) -> Grid:
    """Such a board, some cells of it opaque."""
    grid = Grid.of(random_map(draw, most))
    opaque = {cell: True for cell in range(grid.size) if draw.random() < draw.choice((0, 0.1))}
    return grid.changed(opaque=opaque)


def random_pawns(draw: random.Random, grid: Grid, humans: int, zombies: int) -> list[Pawn]:
    """Pieces on cells of their own, as many as there is room for; most are operational."""
    cells = [cell for cell in range(grid.size) if not grid.is_impassable(cell)]
    draw.shuffle(cells)
    kinds = [("h", number) for number in range(1, humans + 1)]
    kinds += [("z", number) for number in range(1, zombies + 1)]
    return [
        Pawn(f"{kind}{number:02}", cell, human=kind == "h", operational=draw.random() < 0.8)
        for (kind, number), cell in zip(kinds, cells, strict=False)
    ]
