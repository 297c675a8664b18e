"""What can be known of a position: by a seat, or by everybody at the table (pure).

A snapshot holds only what a view shows; a ``Sight`` adds what follows from it: where Room 25 may
be, and how bad it is to enter each room. Two steady bots derive the same from the public snapshot,
which is how they agree on a plan without a word.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from msgspec import Struct

from events.kernel import Seat
from games.room25.board import CELLS
from games.room25.bots.terrain import CORNER_IDS, PLACE, PLACES, Place
from games.room25.catalogue import CHARACTERS, color_of, is_guard
from games.room25.play import mode_of
from games.room25.state import Character, State

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
    "mirror": 0.4,
}
"""What entering a kind of room costs beyond the step, in moves, to one who goes on at once."""

CAUTION: Final = {1: 0.1, 2: 0.2, 3: 0.3, 4: 0.4, 5: 0.6}
"""How much of an unknown room's harm counts, by the turns left: the less time, the less care."""
CAREFUL: Final = 0.8
"""The same, while there are more turns left."""
DEAR: Final = 2.5
"""How much more a deadly chance counts where the next death loses the game."""

LOSING_DEATHS: Final = {"suspicion": 2, "cooperation": 2, "solo": 1}
"""How many deaths lose the game, by mode, where the rulebook says nothing else (§4.10)."""
MILD: Final = {("prototype", "cooperation"): 6, ("prototype", "solo"): 2}
"""Rulebooks and modes that say something else."""

SHUT: Final = 999.0
"""The cost of a room that nobody may or would enter."""


class Piece(Struct, frozen=True):
    """A living figure. ``armed``: it must move with its next action; ``wet``: move this turn."""

    name: str
    seat: Seat
    team: str
    place: Place
    limited: bool
    armed: bool
    wet: bool


class Snapshot(Struct, frozen=True):
    """A position as somebody sees it; tiles by the place where they lie. Hashable.

    ``kinds`` and ``colors`` are None where unknown; a colour may be hearsay. ``crew`` are the
    indices of the pieces that must reach Room 25; ``spare`` how many of them may miss it (None: no
    escape is possible now); ``left`` the turns left, this one included; ``dear``: the next death
    loses the game; ``locked``: somebody must enter the Key Room first.
    """

    ids: tuple[int, ...]
    kinds: tuple[str | None, ...]
    colors: tuple[str | None, ...]
    up: tuple[bool, ...]
    closed: tuple[bool, ...]
    rooms: tuple[tuple[str, int], ...]
    pieces: tuple[Piece, ...]
    crew: tuple[int, ...]
    spare: int | None
    left: int
    dear: bool
    locked: bool


def believed(state: State, seat: Seat, *, private: bool) -> dict[int, str]:
    """The colours that seats have claimed, by tile id, as far as ``seat`` may believe them (R29).

    Whoever is a rival, a known guard, or has said what turned out wrong, is not heard; where the
    others contradict one another, nobody is.
    """
    known = {t.id: t.kind for t in state.grid.values() if t.kind and (t.up or private)}
    team = state.of_seat(seat)[0].team
    heard: dict[int, str] = {}
    disputed: set[int] = set()
    for speaker, claims in state.claims.items():
        members = state.of_seat(speaker)
        if any(c.team != team or (c.role_public and is_guard(c.role)) for c in members):
            continue
        if any(color_of(kind) != c.color for c in claims if (kind := known.get(c.tile))):
            continue
        for claim in claims:
            if heard.setdefault(claim.tile, claim.color) != claim.color:
                disputed.add(claim.tile)
    return {tile: color for tile, color in heard.items() if tile not in disputed}


def crew_of(
    state: State, living: list[Character], seat: Seat
) -> tuple[tuple[int, ...], int | None]:
    """Who must reach Room 25 for this seat to win, and how many of them may miss it (§4.10)."""
    last = state.turn == state.last_turn
    if state.mode in {"competition", "team"}:
        team = state.of_seat(seat)[0].team
        lost = any(not c.alive and c.team == team for c in state.characters.values())
        crew = tuple(i for i, c in enumerate(living) if c.team == team)
        return crew, 0 if last or not lost else None
    crew = tuple(i for i, c in enumerate(living) if not (c.role_public and is_guard(c.role)))
    if state.mode == "suspicion":
        fallen = [state.characters[name] for name in state.dead]
        spare = int(last) - sum(not (c.role_public and is_guard(c.role)) for c in fallen)
        return crew, spare if spare >= 0 else None
    return crew, _stragglers(state, len(crew)) if last else 0


def _stragglers(state: State, crew: int) -> int:
    """How many may stay behind on the last turn (R89, R90)."""
    return {("prototype", "cooperation"): crew - 1, ("prototype", "solo"): 1}.get(
        (state.rulebook, state.mode), 0
    )


def snapshot(state: State, seat: Seat, *, private: bool) -> Snapshot:
    """What ``seat`` sees, with what it alone has looked at (``private``) or without."""
    tiles = [state.grid[name] for name in CELLS]
    claims = believed(state, seat, private=private)
    kinds = tuple(t.kind if t.up or private else None for t in tiles)
    living = state.living()
    crew, spare = crew_of(state, living, seat)
    return Snapshot(
        ids=tuple(t.id for t in tiles),
        kinds=kinds,
        colors=tuple(
            color_of(k) if k else claims.get(t.id) for k, t in zip(kinds, tiles, strict=True)
        ),
        up=tuple(t.up for t in tiles),
        closed=tuple(t.seal or t.lock for t in tiles),
        rooms=tuple(sorted(state.composition.items())),
        pieces=tuple(_piece(state, c) for c in living),
        crew=crew,
        spare=spare,
        left=state.last_turn - state.turn + 1,
        dear=len(state.dead) + 1 >= _losing_deaths(state),
        locked=mode_of(state).needs_key and not state.key_activated,
    )


def _losing_deaths(state: State) -> int:
    """How many deaths lose the game; a large number where none does."""
    if mode_of(state).needs_key:
        return 1
    rare = MILD.get((state.rulebook, state.mode))
    return rare or LOSING_DEATHS.get(state.mode, len(CHARACTERS) + 1)


def _piece(state: State, c: Character) -> Piece:
    wet = c.flood is not None and c.flood <= state.turn
    where = PLACE[c.cell or ""]
    return Piece(c.id, c.seat, c.team, where, c.limited, c.trap is not None, wet)


class Sight:
    """A snapshot and what follows from it.

    ``goal`` is the tile that is Room 25, if known; ``suspects`` are the tiles that may be it, or,
    once it is known, the key that is still needed;
    ``strange`` the tiles of which nothing is known; ``cost`` what a step onto each tile costs,
    1 and its risk; ``snare`` the chance that it is a trap, weighed; ``odd`` the tiles that send
    one elsewhere, ``jails`` those that hold one back.
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
        self.cost, self.snare = self._risks()
        self.odd = tuple(i for i in PLACES if seen.kinds[i] in {"vortex", "tunnel"})
        self.jails = tuple(i for i in PLACES if seen.kinds[i] == "jail")

    def _suspects(self) -> tuple[int, ...]:
        """Strange tiles out of the corners; if there are none, somebody or something deceives."""
        strange = tuple(sorted(self.strange))
        corners = tuple(i for i in strange if self.seen.ids[i] in CORNER_IDS)
        return corners or strange or tuple(i for i in PLACES if self.kinds[i] is None)

    def _keys(self, blue: list[int]) -> tuple[int, ...]:
        """Where the key may be, if it is needed: at one more blue tile, or anywhere."""
        if not self.seen.locked:
            return ()
        known = tuple(i for i in PLACES if self.kinds[i] == "key")
        return known or tuple(blue) or tuple(i for i in self._suspects() if i != self.goal)

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


@lru_cache(maxsize=64)
def sight_of(seen: Snapshot) -> Sight:
    """The sight of a snapshot."""
    return Sight(seen)
