"""What follows from a snapshot: where Room 25 may be, how bad each room is to enter (pure)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from games.room25.bots.observation import Snapshot
from games.room25.bots.terrain import CORNER_IDS, PLACES
from games.room25.model.catalogue import color_of

HARM: Final = {
    "mortal": 14.0,
    "trap": 0.4,
    "flooded": 0.7,
    "jail": 2.0,
    "vortex": 1.5,
    "cold": 0.5,
    "dark": 0.15,
    "acid": 0.3,
    "illusion": 0.7,
    "burning": 0.7,
    "shredder": 1.0,
    "paranoia": 2.0,
    "timer": 1.5,
    "condemned": 0.5,
    "pivoting": 0.3,
    "mac": 0.5,
    "mirror": 0.8,
}
"""What entering a kind of room costs beyond the step, in moves, to one who goes on at once."""

CAUTION: Final = {1: 0.1, 2: 0.2, 3: 0.3, 4: 0.4, 5: 0.6}
"""How much of an unknown room's harm counts, by the turns left: the less time, the less care."""
CAREFUL: Final = 0.8
"""The same, while there are more turns left."""
DEAR: Final = 2.5
"""How much more a deadly chance counts where the next death loses the game."""

SHUT: Final = 999.0
"""The cost of a room that nobody may or would enter."""


class Sight:
    """A snapshot and what follows from it.

    ``goal`` is the tile that is Room 25, if known; ``suspects`` are the tiles that may be it, or,
    once it is known, the key that is still needed; ``key`` is that room, if known while Room 25 is
    not; ``strange`` the tiles of which nothing is known; ``cost`` what a step onto each tile costs,
    1 and its risk; ``snare`` the chance that it is a trap, weighed; ``odd`` the tiles that send
    one elsewhere, ``jails`` those that hold one back, ``corridors`` those with somebody in them.
    """

    def __init__(self, seen: Snapshot) -> None:
        self.seen = seen
        self.kinds, self.up, self.closed = seen.kinds, seen.up, seen.closed
        self.places = tuple(piece.place for piece in seen.pieces)
        blue = [i for i in PLACES if seen.kinds[i] is None and seen.colors[i] == "blue"]
        found = [i for i in PLACES if seen.kinds[i] == "room25"] + blue
        self.goal = found[0] if found else None
        self.strange = frozenset(i for i in PLACES if not (seen.kinds[i] or seen.colors[i]))
        self.suspects = self._suspects() if self.goal is None else self._keys(found[1:])
        keys = [i for i in PLACES if seen.kinds[i] == "key"] if seen.keyed else []
        self.key = keys[0] if keys and self.goal is None else None
        self.cost, self.snare = self._risks()
        self.odd = self._all("vortex") + self._all("tunnel")
        self.jails = self._all("jail")
        corridors = self._all("pivoting")
        self.corridors = tuple(i for i in corridors if seen.axes[i] and i in self.places)

    def _all(self, kind: str) -> tuple[int, ...]:
        return tuple(i for i in PLACES if self.kinds[i] == kind)

    def _suspects(self) -> tuple[int, ...]:
        """Strange tiles out of the corners; if there are none, somebody or something deceives."""
        strange = tuple(sorted(self.strange))
        corners = tuple(i for i in strange if self.seen.ids[i] in CORNER_IDS)
        return corners or strange or tuple(i for i in PLACES if self.kinds[i] is None)

    def _keys(self, blue: list[int]) -> tuple[int, ...]:
        """Where the key may be, if it is needed: at one more blue tile, or anywhere."""
        if not self.seen.keyed:
            return ()
        return (
            self._all("key") or tuple(blue) or tuple(i for i in self._suspects() if i != self.goal)
        )

    def _risks(self) -> tuple[list[float], list[float]]:
        """The cost of entering each tile, and its chance of being a trap, by the rooms left."""
        by_color, of_strange = self._chances()
        caution = CAUTION.get(self.seen.left, CAREFUL)
        dear = DEAR if self.seen.dear else 1.0
        harm = {k: h * dear if k == "mortal" else h for k, h in HARM.items()}
        cost, snare = [1.0] * len(PLACES), [0.0] * len(PLACES)
        for i in PLACES:
            kind, color = self.seen.kinds[i], self.seen.colors[i]
            if self.closed[i] or kind == "mortal":
                cost[i] = SHUT
            elif kind is not None:
                cost[i] += HARM.get(kind, 0.0)
                snare[i] = float(kind == "trap")
            elif i != self.goal:
                chances = by_color.get(color, {}) if color else of_strange
                cost[i] += caution * sum(q * harm.get(k, 0.0) for k, q in chances.items())
                snare[i] = chances.get("trap", 0.0) * dear
        return cost, snare

    def _chances(self) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
        """How likely each kind is: by colour, and for a tile of which nothing is known."""
        left = Counter(dict(self.seen.rooms))
        left.subtract(Counter(kind for kind in self.kinds if kind))
        left = +left
        colors = Counter[str]()
        for kind, count in left.items():
            colors[color_of(kind)] += count
        by_color: dict[str, dict[str, float]] = {}
        for kind, count in left.items():
            by_color.setdefault(color_of(kind), {})[kind] = count / colors[color_of(kind)]
        told = zip(self.kinds, self.seen.colors, strict=True)
        colors.subtract(Counter(color for kind, color in told if color and not kind))
        del colors["blue"]
        colors = +colors
        total = sum(colors.values()) or 1
        of_strange = {
            kind: share * count / total
            for color, count in colors.items()
            for kind, share in by_color[color].items()
        }
        return by_color, of_strange
