"""How far a position is from the escape (pure).

Positions in thought are a layout (the tile on each place) and the places of the pieces. Distances
are in moves: a step costs 1 and its risk. While Room 25 is sought, what counts is how soon somebody
will see it, wherever it may be, and how far everybody would then have to go.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from heapq import heappop, heappush
from typing import Final

from games.room25.bots.knowledge import HARM, SHUT, Sight
from games.room25.bots.terrain import AXES, MIDDLE, NEXT, PLACES, STEPS_OUT, Place

Layout = tuple[int, ...]
"""The tile on each place."""

START: Final[Layout] = PLACES
"""The layout of the position itself: tiles are named for the places where they lie."""

FAR: Final = 99.0
SEEK: Final = 4.0
"""What the way to the first sight of Room 25 counts, against the last one's way into it."""
LEAVE: Final = 0.3
"""What each shift counts that Room 25 is still away from an exit."""
BARS: Final = 2.0
"""What it costs to get out of a jail that does not open to the centre, or sideways of a corridor.
"""
CHILL: Final = 0.8
"""What it costs to begin the next turn in the cold."""
RIVAL: Final = 0.3
"""What a rival's way counts."""


class Worth:
    """Values positions that grow out of one sight; it remembers distances between calls."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.crew = sight.seen.crew
        self.rivals: tuple[int, ...] = ()
        if any(p.team != sight.seen.pieces[self.crew[0]].team for p in sight.seen.pieces):
            self.rivals = tuple(i for i in range(len(sight.places)) if i not in self.crew)
        self._landings: dict[Layout, Sequence[Place]] = {}
        self._ways: dict[Layout, list[float]] = {}
        self._keys: dict[Layout, list[float]] = {}
        self._exits: dict[Layout, list[list[tuple[Place, float]]]] = {}
        self._prospects: dict[tuple[Layout, Place], list[float]] = {}
        self._searches: dict[tuple[Layout, tuple[Place, ...]], tuple[float, list[float]]] = {}

    def with_doors(self, closed: Collection[int], opened: Collection[int]) -> Worth:
        """The same, if nobody could enter some tiles, and everybody some others."""
        sight = copy(self.sight)
        sight.cost = list(sight.cost)
        for tile in opened:
            sight.cost[tile] = 1.0 + HARM.get(sight.kinds[tile] or "", 0.0)
        for tile in closed:
            sight.cost[tile] = SHUT
        sight.closed = tuple(
            (shut and tile not in opened) or tile in closed
            for tile, shut in enumerate(sight.closed)
        )
        return Worth(sight)

    # --- where a step leads ---

    def landings(self, layout: Layout) -> Sequence[Place]:
        """Where one who enters each place ends: elsewhere by a vortex or a pair of tunnels."""
        found = self._landings.get(layout)
        if found is None:
            found = self._landings[layout] = self._find_landings(layout)
        return found

    def _find_landings(self, layout: Layout) -> Sequence[Place]:
        sight = self.sight
        if not sight.odd:
            return PLACES
        result = list(PLACES)
        odd = {tile: layout.index(tile) for tile in sight.odd}
        tunnels = [tile for tile in odd if sight.kinds[tile] == "tunnel"]
        for tile, place in odd.items():
            if sight.kinds[tile] == "vortex":
                result[place] = MIDDLE
            else:
                ends = [t for t in tunnels if t != tile and sight.up[t] and not sight.closed[t]]
                result[place] = odd[ends[0]] if ends else place
        return result

    # --- distances ---

    def ways(self, layout: Layout) -> list[float]:
        """The cost of the way from each place to Room 25, whose tile must be known."""
        found = self._ways.get(layout)
        if found is None:
            found = self._ways[layout] = self._find_ways(layout, self.sight.goal or 0)
        return found

    def _find_ways(self, layout: Layout, target: int) -> list[float]:
        """Dijkstra's algorithm, backwards from a tile."""
        landings, bars = self.landings(layout), self._bars(layout)
        goal = layout.index(target)
        doors: list[list[tuple[Place, float]]] = [[] for _ in PLACES]
        for door, tile in enumerate(layout):
            step = 1.0 if door == goal else self.sight.cost[tile]
            if step < SHUT:
                doors[landings[door]].append((door, step))
        result = [FAR] * len(PLACES)
        result[goal] = 0.0
        heap = [(0.0, goal)]
        while heap:
            way, end = heappop(heap)
            if way > result[end]:
                continue
            for door, step in doors[end]:
                longer = way + step
                for place in NEXT[door]:
                    whole = longer + bars.get((place, door), 0.0)
                    if whole < result[place]:
                        result[place] = whole
                        heappush(heap, (whole, place))
        return result

    def _bars(self, layout: Layout) -> dict[tuple[Place, Place], float]:
        """What it costs beyond the step to go from one place to the next, where it costs that."""
        bars: dict[tuple[Place, Place], float] = {}
        for tile in self.sight.jails:
            place = layout.index(tile)
            opens = not self.sight.seen.barred
            bars |= {(place, door): BARS for door in NEXT[place] if door != MIDDLE or not opens}
        for tile in self.sight.corridors:
            place, axis = layout.index(tile), self.sight.seen.axes[tile]
            bars |= {(place, door): BARS for door in NEXT[place] if AXES[place, door] != axis}
        return bars

    def prospects(self, layout: Layout, start: Place) -> list[float]:
        """For each suspect tile, the cost of the way from ``start`` to its door, and one more."""
        found = self._prospects.get((layout, start))
        if found is None:
            found = self._prospects[layout, start] = self._find_prospects(layout, start)
        return found

    def _find_prospects(self, layout: Layout, start: Place) -> list[float]:
        """Dijkstra's algorithm, forwards from ``start``."""
        exits = self._exits.get(layout)
        if exits is None:
            exits = self._exits[layout] = self._find_exits(layout)
        reached = [FAR] * len(PLACES)
        reached[start] = 0.0
        heap = [(0.0, start)]
        while heap:
            way, place = heappop(heap)
            if way > reached[place]:
                continue
            for end, step in exits[place]:
                longer = way + step
                if longer < reached[end]:
                    reached[end] = longer
                    heappush(heap, (longer, end))
        places = [layout.index(tile) for tile in self.sight.suspects]
        return [1.0 + min([reached[n] for n in NEXT[place]]) for place in places]

    def _find_exits(self, layout: Layout) -> list[list[tuple[Place, float]]]:
        """Where one may go from each place, and at what cost."""
        cost, landings, bars = self.sight.cost, self.landings(layout), self._bars(layout)
        steps = [cost[tile] for tile in layout]
        return [
            [
                (landings[door], steps[door] + bars.get((place, door), 0.0))
                for door in NEXT[place]
                if steps[door] < SHUT
            ]
            for place in PLACES
        ]

    # --- the value of a position ---

    def of(self, layout: Layout, places: Sequence[Place], seen: Collection[int] = ()) -> float:
        """How far the crew is from the escape, less what rivals are: the smaller, the better.

        ``seen`` are the tiles that have been looked at, in thought, with unknown result.
        """
        if self.sight.goal is None:
            value = self._search(layout, tuple([places[i] for i in self.crew]), seen)
            return value if self.sight.key is None else value + self._to_key(layout, places)
        value = self._way_in(layout, [places[i] for i in self.crew])
        if self.rivals:
            value -= RIVAL * self._way_in(layout, [places[i] for i in self.rivals])
        if self.sight.suspects:
            value += self._key(layout, tuple([places[i] for i in self.crew]), seen)
        return value

    def _key(self, layout: Layout, places: tuple[Place, ...], seen: Collection[int]) -> float:
        """How far the nearest one is from the key, in the mean over all tiles that may be it."""
        ways = zip(*[self.prospects(layout, place) for place in places], strict=True)
        tiles = zip(self.sight.suspects, ways, strict=True)
        nearest: list[float] = [min(each) for tile, each in tiles if tile not in seen]
        return SEEK * sum(nearest) / len(self.sight.suspects)

    def _to_key(self, layout: Layout, places: Sequence[Place]) -> float:
        """How far the nearest one is from the key, which is known while Room 25 is not."""
        ways = self._keys.get(layout)
        if ways is None:
            ways = self._keys[layout] = self._find_ways(layout, self.sight.key or 0)
        return SEEK * min([ways[places[i]] for i in self.crew])

    def _way_in(self, layout: Layout, places: list[Place]) -> float:
        way = self.ways(layout)
        ways = [way[place] for place in places]
        out = STEPS_OUT[layout.index(self.sight.goal or 0)]
        return max(ways) + sum(ways) / len(ways) + LEAVE * out

    def _search(self, layout: Layout, places: tuple[Place, ...], seen: Collection[int]) -> float:
        """The mean over all tiles that Room 25 may be; where it has been seen, nobody need look."""
        known = self._searches.get((layout, places))
        if known is None:
            found = list(zip(*[self.prospects(layout, p) for p in places], strict=True))
            share = 1.0 / len(places)
            base = sum([max(ways) + share * sum(ways) for ways in found])
            known = self._searches[layout, places] = (base, [min(ways) for ways in found])
        base, nearest = known
        suspects = self.sight.suspects
        total = sum([way for tile, way in zip(suspects, nearest, strict=True) if tile not in seen])
        return (base + SEEK * total) / (len(suspects) or 1)

    def chill(self, layout: Layout, places: Sequence[Place]) -> float:
        """What it costs the crew to begin the next turn where it stands."""
        kinds = self.sight.kinds
        return CHILL * sum(kinds[layout[places[i]]] == "cold" for i in self.crew)
