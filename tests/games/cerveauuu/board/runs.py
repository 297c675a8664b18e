"""The flight of one human as §4.3 tells it, step by step and without haste."""

from __future__ import annotations

from collections.abc import Mapping

from games.cerveauuu.board import FAR, Grid, Pawn

SIGHT = 99
Key = tuple[int, int, int, int, int, int, int]


class Runner:
    """One human that flees from the zombies on some cells, others being in the way."""

    def __init__(self, grid: Grid, pawns: list[Pawn], human: str) -> None:
        self.grid = grid
        (self.start,) = (each.cell for each in pawns if each.id == human)
        self.zombies = {each.id: each.cell for each in pawns if frightens(each)}
        self.others = {each.cell for each in pawns if each.id != human}

    def path(self, allowance: int) -> list[int]:
        pos, left, path = self.start, allowance, list[int]()
        seen = self.seen_from(pos)
        while seen:
            way = self.way(pos, left, seen)
            fresh: set[str] = set()
            for cell in way:
                pos, left = cell, left - 1
                path.append(pos)
                fresh = self.seen_from(pos) - seen
                seen |= fresh
                if fresh:
                    break
            if not fresh:
                break
        return path

    def seen_from(self, cell: int) -> set[str]:
        return {id_ for id_, at in self.zombies.items() if self.grid.sees(cell, at)}

    def way(self, pos: int, left: int, seen: set[str]) -> list[int]:
        steps, parents = self.reach(pos, left, seen)
        candidates = [cell for cell in steps if cell not in self.others]
        if not candidates:
            return []
        best = min(candidates, key=lambda cell: self.key(cell, pos, seen, steps))
        if pos in candidates and self.worth(best, seen) <= self.worth(pos, seen):
            return []
        way: list[int] = []
        while best != pos:
            way.insert(0, best)
            best = parents[best]
        return way

    def worth(self, cell: int, seen: set[str]) -> tuple[int, int]:
        far = [min(self.grid.distance(self.zombies[id_], cell), FAR) for id_ in seen]
        return min(far), sum(far)

    def reach(self, pos: int, left: int, seen: set[str]) -> tuple[dict[int, int], dict[int, int]]:
        steps, parents, queue = {pos: 0}, dict[int, int](), [pos]
        while queue:
            a = queue.pop(0)
            if steps[a] == left:
                continue
            for b in self.grid.neighbours(a):
                nearer = self.worth(b, seen)[0] < self.worth(a, seen)[0]
                if b not in steps and b not in self.zombies.values() and not nearer:
                    steps[b] = steps[a] + 1
                    parents[b] = a
                    queue.append(b)
        return steps, parents

    def key(self, cell: int, pos: int, seen: set[str], steps: Mapping[int, int]) -> Key:
        x, y = self.grid.x, self.grid.y
        _, _, _, first = min(self.nearness(pos, id_) for id_ in seen)
        zombie = self.zombies[first]
        vx, vy = x(pos) - x(zombie), y(pos) - y(zombie)
        ux, uy = x(cell) - x(pos), y(cell) - y(pos)
        least, total = self.worth(cell, seen)
        straight = abs(vx * uy - vy * ux)
        return -least, -total, straight, -(vx * ux + vy * uy), steps[cell], y(cell), x(cell)

    def nearness(self, pos: int, id_: str) -> tuple[int, int, int, str]:
        at, grid = self.zombies[id_], self.grid
        straight = (grid.x(at) - grid.x(pos)) ** 2 + (grid.y(at) - grid.y(pos)) ** 2
        return grid.distance(at, pos), straight, int(id_[1:]), id_


def frightens(pawn: Pawn) -> bool:
    return pawn.operational and not pawn.human
