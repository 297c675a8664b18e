"""Sight found out in two other ways: by the rule's own algorithm, and by force (§6).

Neither knows of beams; by the rule all blockers of the board count, near or far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, cmp_to_key
from itertools import pairwise

from games.cerveauuu.board import Grid

Point = tuple[int, int]
Segment = tuple[Point, Point]


def cross(p: Point, q: Point) -> int:
    return p[0] * q[1] - p[1] * q[0]


def blockers(grid: Grid, target: int) -> list[Segment]:
    """All blockers in doubled coordinates, the target's centre being the origin."""
    found = [segment for edge in grid.edges if stops(grid, edge) for segment in [side(grid, edge)]]
    w, h = 2 * grid.width, 2 * grid.height
    for x in range(0, w, 2):
        found += [((x, 0), (x + 2, 0)), ((x, h), (x + 2, h))]
    for y in range(0, h, 2):
        found += [((0, y), (0, y + 2)), ((w, y), (w, y + 2))]
    ox, oy = 2 * grid.x(target) + 1, 2 * grid.y(target) + 1
    return [((a - ox, b - oy), (c - ox, d - oy)) for (a, b), (c, d) in found]


def stops(grid: Grid, edge: int) -> bool:
    opaque = any(grid.is_opaque(cell) for cell in grid.cells_beside(edge))
    return opaque or grid.effective(edge) in ("wall", "door_closed")


def side(grid: Grid, edge: int) -> Segment:
    x, y = 2 * grid.x(edge // 2), 2 * grid.y(edge // 2)
    return ((x, y + 2), (x + 2, y + 2)) if edge % 2 else ((x + 2, y), (x + 2, y + 2))


def sees_by_rule(grid: Grid, source: int, target: int) -> bool:
    """The five steps of §6."""
    if source == target:
        return True
    a = 2 * (grid.x(source) - grid.x(target))
    b = 2 * (grid.y(source) - grid.y(target))
    corners = [(a + i, b + j) for i in (-1, 1) for j in (-1, 1)]
    (right,) = (r for r in corners if all(cross(r, k) >= 0 for k in corners))
    (left,) = (r for r in corners if all(cross(r, k) <= 0 for k in corners))
    walls = blockers(grid, target)
    ends = {e for wall in walls for e in wall if cross(right, e) > 0 and cross(e, left) > 0}
    order = sorted([right, left, *ends], key=cmp_to_key(clockwise))
    directions = order[:1]
    directions += [p for n, p in enumerate(order[1:]) if cross(order[n], p) != 0]
    rays = [(u[0] + w[0], u[1] + w[1]) for u, w in pairwise(directions)]
    return any(not any(hits(ray, wall, (a, b)) for wall in walls) for ray in rays)


def clockwise(p: Point, q: Point) -> int:
    """Sorts by the angle from the right."""
    return -cross(p, q)


def between(wall: Segment, centre: Point) -> bool:
    """Whether a blocker meets the inside of the rectangle of source and target."""
    return all(
        wall[0][axis] < max(middle, 0) + 1 and wall[1][axis] > min(middle, 0) - 1
        for axis, middle in enumerate(centre)
    )


def hits(ray: Point, wall: Segment, centre: Point) -> bool:
    """Whether a blocker stops a ray before or where it enters the source (§6, step 4)."""
    p, q = wall
    if cross(ray, p) * cross(ray, q) >= 0:
        return False
    axis = 0 if p[0] == q[0] else 1
    at = Fraction(p[axis], ray[axis])
    return 0 < at <= entry(ray, centre)


def entry(ray: Sequence[int | Fraction], centre: Point) -> Fraction:
    """How far along a ray the source's square begins."""
    return max(
        Fraction(middle - 1 if middle > 0 else middle + 1) / Fraction(ray[axis])
        for axis, middle in enumerate(centre)
        if middle
    )


def sees_by_force(grid: Grid, source: int, target: int) -> bool:
    """Try a direction between any two that could differ, whatever the blockers are.

    Nothing changes but at directions of corners, so one direction between each two of them will do.
    """
    if source == target:
        return True
    centre = (
        2 * (grid.x(source) - grid.x(target)),
        2 * (grid.y(source) - grid.y(target)),
    )
    walls = [wall for wall in blockers(grid, target) if between(wall, centre)]
    return any(clear(ray, walls, centre) for ray in aims(grid, centre))


def aims(grid: Grid, centre: Point) -> Iterator[tuple[Fraction, Fraction]]:
    """Directions into the source's square, as points on its middle line across."""
    most = 2 * max(grid.width, grid.height) + 1
    across = 0 if abs(centre[0]) <= abs(centre[1]) else 1
    far = centre[1 - across]
    # Where the lines through all corners cross the middle line, those of the square outermost.
    sides = [far * Fraction(centre[across] + i, far + j) for i in (-1, 1) for j in (-1, 1)]
    inner = sorted({*sides, *(m for m in marks(most, far) if min(sides) < m < max(sides))})
    for low, high in pairwise(inner):
        middle = (low + high) / 2
        yield (middle, Fraction(far)) if across == 0 else (Fraction(far), middle)


@cache
def marks(most: int, far: int) -> frozenset[Fraction]:
    """Where lines through corners up to ``most`` away cross a middle line."""
    odd = range(-most, most + 1, 2)
    return frozenset(far * Fraction(p, q) for p in odd for q in odd)


def clear(ray: tuple[Fraction, Fraction], walls: list[Segment], centre: Point) -> bool:
    """Whether the segment to where the ray enters the source's square meets no blocker."""
    end = entry(ray, centre)
    for (px, py), (qx, qy) in walls:
        axis, at, low, high = (0, px, py, qy) if px == qx else (1, py, px, qx)
        if not ray[axis]:
            continue
        t = at / ray[axis]
        if 0 < t <= end and low <= t * ray[1 - axis] <= high:
            return False
    return True
