"""Who sees whom, exactly (§6; pure, whole numbers only).

§6 tests one ray in each sector between two ends of blockers. Here the same open sectors are carried
from the target's centre cell by cell through the edges that stop no sight: what arrives at the
source has met no blocker, so the source sees the target if and only if something arrives. Single
directions that graze a corner do not matter, because a good direction always has good neighbours
(§6, why it is exact). The cost is that of the cells between the two, not of blockers times ends;
a test compares the answers with those of the rule's own algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence

Beam = tuple[int, int, int, int]
"""An open sector: the direction x, y of its lower side, then that of its upper side.

The target's centre is the origin, the source lies towards positive x and y, and a cell is two units
wide, so that all corners have odd coordinates.
"""


def sees(blocks: Sequence[int], width: int, source: int, target: int) -> bool:
    """Whether a piece on one cell has line of sight to another cell, at any range.

    Args:
        blocks: for each edge, whether it stops sight (§6: effective state, sides of opaque cells).
        width: of the board.
        source: who looks.
        target: what is looked at.
    """
    if source == target:
        return True
    (sy, sx), (ty, tx) = divmod(source, width), divmod(target, width)
    dx, dy = sx - tx, sy - ty
    # What to add to twice a cell for the edge that is crossed along each axis.
    across = 0 if dx > 0 else -2
    along = 1 if dy > 0 else 1 - 2 * width
    step_x, step_y = (1 if dx > 0 else -1), (width if dy > 0 else -width)
    if dx == 0 or dy == 0:
        # Between the two lie only edges that every ray crosses.
        step, crossed = (step_x, across) if dx else (step_y, along)
        return not any(blocks[2 * cell + crossed] for cell in range(target, source, step))
    return _arrives(blocks, target, (abs(dx), abs(dy)), (step_x, step_y), (across, along))


def _arrives(
    blocks: Sequence[int],
    target: int,
    goal: tuple[int, int],
    steps: tuple[int, int],
    crossed: tuple[int, int],
) -> bool:
    """Whether a beam from the target's centre comes to the cell ``goal``, both not 0.

    Cells are ``p`` along x and ``q`` along y, counted from the target towards the source. Row by
    row, ``row`` has the beams that come in from the row before, by ascending ``p``.
    """
    (i, j), (step_x, step_y), (across, along) = goal, steps, crossed
    row: list[tuple[int, list[Beam]]]
    row = [(0, [(2 * i + 1, 2 * j - 1, 2 * i - 1, 2 * j + 1)])]
    for q in range(j + 1):
        further: list[tuple[int, list[Beam]]] = []
        beside: list[Beam] = []
        p = index = 0
        while beside or index < len(row):
            if not beside:
                p = row[index][0]
            beams = beside
            if index < len(row) and row[index][0] == p:
                beams = _joined(row[index][1], beside)
                index += 1
            if p == i and q == j:
                return True
            cell = 2 * (target + p * step_x + q * step_y)
            lower, upper = _split(beams, 2 * p + 1, 2 * q + 1)
            beside = lower if p < i and lower and not blocks[cell + across] else []
            if upper and q < j and not blocks[cell + along]:
                further.append((p, upper))
            p += 1
        row = further
    return False


def _joined(lower: list[Beam], upper: list[Beam]) -> list[Beam]:
    """Beams in ascending order; two that meet at the corner between them become one."""
    if upper and lower:
        ax, ay, bx, by = lower[-1]
        cx, cy, dx, dy = upper[0]
        if bx * cy == by * cx:
            return [*lower[:-1], (ax, ay, dx, dy), *upper[1:]]
    return lower + upper


def _split(beams: list[Beam], x: int, y: int) -> tuple[list[Beam], list[Beam]]:
    """What goes below the direction x, y, and what goes above it."""
    lower: list[Beam] = []
    upper: list[Beam] = []
    for beam in beams:
        ax, ay, bx, by = beam
        if x * by <= y * bx:
            lower.append(beam)
        elif x * ay >= y * ax:
            upper.append(beam)
        else:
            lower.append((ax, ay, x, y))
            upper.append((x, y, bx, by))
    return lower, upper
