"""A position in thought: where everything lies and stands, what a step or a shift does (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, Self

from games.room25.bots.evaluation import SEEK, START, Layout, Worth
from games.room25.bots.terrain import AXES, MIDDLE, NEXT, Place, Shift
from games.room25.model.characters import owns

SNARE: Final = 12.0
"""What it costs to be in a trap with an action to come that is no move, times its likelihood."""
KILL: Final = 8.0
"""What it costs to kill one of the crew in an acid bath or a shredder."""
LOST: Final = 40.0
"""The same, where that loses the game."""
DOOM: Final = 16.0
"""What it costs not to leave a room in time that kills whoever stays."""
PEEK: Final = 0.03
"""What the sight of an unknown room is worth at least."""
SCOUT: Final = 0.15
"""What it is worth to know a room, for each move that its risk costs."""
AFTER_LOOK: Final = 0.35
"""How much of a room's risk is left once it has been looked at: one may turn back."""
LONGING: Final = 0.2
"""How much one rather looks where one wants to go."""
BORED: Final = 9.0
"""What it costs to look where there is nothing new."""


class ImaginedPosition:
    """A position in thought. ``toll`` sums up the risks taken, less what was learnt.

    ``foe`` is a piece that plays against the crew, if any.
    """

    def __init__(
        self,
        worth: Worth,
        markers: Mapping[str, str],
        foe: int | None = None,
    ) -> None:
        self.worth, self.sight = worth, worth.sight
        self.layout: Layout = START
        self.places = list(worth.sight.places)
        self.markers = dict(markers)
        self.toll = 0.0
        self.seen: set[int] = set()
        self.looked: set[int] = set()
        self.won = False
        self.foe = foe
        pieces = worth.sight.seen.pieces
        self.armed = {i for i in worth.crew if pieces[i].armed}
        self.wet = {i for i in worth.crew if pieces[i].wet}
        self.robots = list(worth.sight.seen.robots)
        self.axes: dict[int, str | None] = {}
        self.emptied: frozenset[int] = frozenset()
        self.unspent = [piece.spares for piece in pieces]
        self.kill = LOST if worth.sight.seen.dear else KILL

    def fork(self) -> Self:
        """The same position, to be played on in another way."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.places, twin.robots, twin.unspent = self.places[:], self.robots[:], self.unspent[:]
        twin.markers, twin.axes = self.markers.copy(), self.axes.copy()
        twin.seen, twin.looked = self.seen.copy(), self.looked.copy()
        twin.armed, twin.wet = self.armed.copy(), self.wet.copy()
        return twin

    def kind(self, place: Place) -> str | None:
        """The kind of the room that lies on a place now, if known."""
        tile = self.layout[place]
        return "empty" if tile in self.emptied else self.sight.kinds[tile]

    def value(self) -> float:
        """The value of the position that has been reached, at the end of the turn."""
        end = self.worth.of(self.layout, self.places, self.seen) + self.toll
        return end + self.worth.chill(self.layout, self.places) + DOOM * len(self.wet)

    def with_piece(self, piece: int, place: Place, seen: Collection[int]) -> float:
        """The value of the position if a piece stood on ``place``."""
        before, self.places[piece] = self.places[piece], place
        value = self.worth.of(self.layout, self.places, seen)
        self.places[piece] = before
        return value

    def sign(self, piece: int) -> float:
        """1 for a piece that wants the crew out; -1 for one that does not."""
        return -1.0 if piece == self.foe else 1.0

    def ready(self) -> bool:
        """Whether Room 25 may leave: the crew inside but for those who may miss it."""
        spare = self.sight.seen.spare
        if self.sight.goal is None or spare is None or self.sight.seen.keyed:
            return False
        goal = self.layout.index(self.sight.goal)
        return sum(self.places[i] != goal for i in self.worth.crew) <= spare

    # --- moving and pushing ---

    def doors(self, piece: int) -> Iterable[Place]:
        """The places that a piece may step on, or be pushed to (§5.2)."""
        here, sight = self.places[piece], self.sight
        kind, axis = self.kind(here), self.axis(self.layout[here])
        opens = MIDDLE if not sight.seen.barred else None
        for door in NEXT[here]:
            if not self.is_open(self.layout[door], piece):
                continue
            if kind == "jail" and door != opens and not self._occupied(door, piece):
                continue
            if kind == "pivoting" and axis is not None and AXES[here, door] != axis:
                continue
            yield door

    def axis(self, tile: int) -> str | None:
        """The axis of a corridor, if it has one."""
        return self.axes.get(tile, self.sight.seen.axes[tile])

    def is_open(self, tile: int, piece: int) -> bool:
        """Whether a piece may enter a tile; locks do not keep out who has the pin (§5.2.2)."""
        seen = self.sight.seen
        if not self.sight.closed[tile]:
            return True
        return seen.locked[tile] and seen.talents and owns(seen.pieces[piece].name, "pin")

    def _occupied(self, place: Place, but: int) -> bool:
        others = any(where == place for i, where in enumerate(self.places) if i != but)
        return others or place in self.robots

    def risk(self, piece: int, door: Place, *, hasty: bool) -> float:
        """What entering may cost beyond the step."""
        sight, tile = self.sight, self.layout[door]
        if tile in self.emptied:
            return 0.0
        risk = sight.cost[tile] - 1.0
        if sight.kinds[tile] == "acid":
            risk += self.killed(door, piece)
        here = self.places[piece]
        if self.kind(here) == "shredder" and not sight.closed[self.layout[here]]:
            risk += self.killed(here, piece)
        snare = sight.snare[tile] * SNARE if hasty else 0.0
        if sight.kinds[tile] is None and tile in self.looked:
            return (risk + snare) * AFTER_LOOK
        return risk + snare

    def killed(self, place: Place, but: int | None = None) -> float:
        """What it costs the crew if everybody on a place dies, one piece excepted."""
        dying = [i for i, where in enumerate(self.places) if where == place and i != but]
        return sum(self.kill if i in self.worth.crew else -self.kill for i in dying)

    def step(self, piece: int, door: Place, *, hasty: bool, eager: bool = True) -> None:
        """Bring a piece through a door; ``eager``: that the room is seen so is worth something."""
        if piece in self.worth.crew:
            self.toll += self.risk(piece, door, hasty=hasty)
        if eager:
            self.seen.add(self.layout[door])
        self.armed.discard(piece)
        self.wet.discard(piece)
        here, tile = self.places[piece], self.layout[door]
        if self.sight.kinds[tile] == "pivoting" and (here, door) in AXES:
            self.axes[tile] = AXES[here, door]
        self.places[piece] = self.worth.landings(self.layout)[door]

    # --- looking ---

    def interest(self, piece: int, door: Place) -> float:
        """What it is worth to a piece to look at a face-down room."""
        sight, tile = self.sight, self.layout[door]
        if tile not in sight.strange or tile in self.looked:
            return -BORED
        gain = self.lesson(tile)
        if tile in sight.suspects and tile not in self.seen:
            gain += SEEK / len(sight.suspects)
        if sight.goal is None:
            return gain - LONGING * self.with_piece(piece, door, self.seen)
        return gain - LONGING * self.worth.ways(self.layout)[door]

    def lesson(self, tile: int) -> float:
        """What it is worth to the crew to know a room of which nothing was known."""
        return PEEK + SCOUT * (self.sight.cost[tile] - 1.0)

    def look(self, door: Place) -> None:
        """Look at a room, with unknown result."""
        tile = self.layout[door]
        if tile in self.sight.strange and tile not in self.looked:
            self.toll -= self.lesson(tile)
        self.seen.add(tile)
        self.looked.add(tile)

    # --- shifting ---

    def moved(self, shift: Shift) -> tuple[Layout, list[Place]]:
        """Layout and places after a shift."""
        layout, to = self.layout, shift.to
        return tuple([layout[p] for p in shift.source]), [to[p] for p in self.places]

    def swap(self, first: Place, second: Place) -> None:
        """Let two tiles change places, with everybody on them."""
        layout = list(self.layout)
        layout[first], layout[second] = layout[second], layout[first]
        self.layout = tuple(layout)
        ways = {first: second, second: first}
        self.places = [ways.get(place, place) for place in self.places]
        self.robots = [place if place is None else ways.get(place, place) for place in self.robots]

    def shift(self, shift: Shift) -> None:
        """Shift a line."""
        self.layout, self.places = self.moved(shift)
        self.robots = [place if place is None else shift.to[place] for place in self.robots]
        self.markers[shift.line] = shift.way
