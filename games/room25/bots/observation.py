"""A position as somebody at the table sees it, in numbers (pure).

A snapshot holds only what a view shows: everything public and, where a seat asks for itself, what
it has looked at. Two steady bots derive the same from the public snapshot, which is how they agree
on a plan without a word.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from events.kernel import Seat
from games.room25.bots.terrain import PLACE, Place
from games.room25.model.board import CELLS
from games.room25.model.catalogue import color_of, is_guard
from games.room25.model.characters import EVERYBODY
from games.room25.model.state import Character, State
from games.room25.rules.context import mode_of, rulebook_of

LOSING_DEATHS: Final = {"suspicion": 2, "cooperation": 2, "solo": 1}
"""How many deaths lose the game, by mode, where the rulebook says nothing else (§4.10)."""
MILD: Final = {("prototype", "cooperation"): 6, ("prototype", "solo"): 2}
"""Rulebooks and modes that say something else."""


class Piece(Struct, frozen=True):
    """A living figure.

    ``armed``: it must move with its next action; ``wet``: move this turn; ``tokens`` are the
    actions that it may still programme; ``boost``: it may programme adrenaline now; ``drained``:
    its adrenaline is spent; ``led``: it cannot choose its actions (paranoia).
    """

    name: str
    seat: Seat
    team: str
    place: Place
    limited: bool
    armed: bool
    wet: bool
    tokens: tuple[str, ...] = ()
    boost: bool = False
    drained: bool = False
    spares: int = 0
    hidden: bool = False
    led: bool = False


class Snapshot(Struct, frozen=True):
    """A position as somebody sees it; tiles by the place where they lie. Hashable.

    ``kinds`` and ``colors`` are None where unknown; a colour may be hearsay. ``closed`` tiles
    nobody may enter, ``locked`` ones Emmett may; ``axes`` are corridors. ``crew`` are the
    indices of the pieces that must reach Room 25; ``spare`` how many of them may miss it (None: no
    escape is possible now); ``left`` the turns left, this one included; ``dear``: the next death
    loses the game; ``keyed``: somebody must enter the Key Room first; ``barred``: the jail does
    not open to the centre; ``both_ways``: lines may be shifted to and fro in a turn; ``talents``:
    the characters have their special abilities; ``locks`` are those in supply.
    """

    ids: tuple[int, ...]
    kinds: tuple[str | None, ...]
    colors: tuple[str | None, ...]
    up: tuple[bool, ...]
    closed: tuple[bool, ...]
    locked: tuple[bool, ...]
    axes: tuple[str | None, ...]
    rooms: tuple[tuple[str, int], ...]
    pieces: tuple[Piece, ...]
    crew: tuple[int, ...]
    spare: int | None
    left: int
    dear: bool
    keyed: bool
    robots: tuple[Place | None, ...] = ()
    barred: bool = False
    both_ways: bool = False
    talents: bool = False
    locks: int = 0


def snapshot(state: State, seat: Seat, *, private: bool) -> Snapshot:
    """What ``seat`` sees, with what it alone has looked at (``private``) or without."""
    tiles = [state.grid[name] for name in CELLS]
    claims = believed(state, seat, private=private)
    kinds = tuple(t.kind if t.up or private else None for t in tiles)
    living = state.living()
    crew, spare = crew_of(state, living, seat, private=private)
    rulebook = rulebook_of(state)
    return Snapshot(
        ids=tuple(t.id for t in tiles),
        kinds=kinds,
        colors=tuple(
            color_of(k) if k else claims.get(t.id) for k, t in zip(kinds, tiles, strict=True)
        ),
        up=tuple(t.up for t in tiles),
        closed=tuple(t.seal or t.lock for t in tiles),
        locked=tuple(t.lock and not t.seal for t in tiles),
        axes=tuple(t.axis if t.up else None for t in tiles),
        rooms=tuple(sorted(state.composition.items())),
        pieces=tuple(_piece(state, c) for c in living),
        crew=crew,
        spare=spare,
        left=state.last_turn - state.turn + 1,
        dear=len(state.dead) + 1 >= _losing_deaths(state),
        keyed=mode_of(state).needs_key and not state.key_activated,
        robots=tuple(PLACE[cell] if cell else None for cell in state.robots),
        barred=not rulebook.jail_to_centre,
        both_ways=not rulebook.direction_lock,
        talents=bool(state.options.get("specials")),
        locks=state.locks,
    )


def _piece(state: State, c: Character) -> Piece:
    where = c.cell or ""
    tile = state.grid[where]
    cold = tile.up and tile.kind == "cold"
    return Piece(
        name=c.id,
        seat=c.seat,
        team=c.team,
        place=PLACE[where],
        limited=c.limited,
        armed=c.trap is not None,
        wet=c.flood is not None and c.flood <= state.turn,
        tokens=tuple(token for token in c.tokens if token not in c.lost),
        boost=c.adrenaline == "available" and not cold and not c.free,
        drained=c.adrenaline == "spent",
        spares=c.spares,
        hidden=c.hidden,
        led=c.paranoid and bool(c.stacked),
    )


# --- who must get out ---


def _losing_deaths(state: State) -> int:
    """How many deaths lose the game; a large number where none does."""
    if mode_of(state).needs_key:
        return 1
    rare = MILD.get((state.rulebook, state.mode))
    return rare or LOSING_DEATHS.get(state.mode, len(EVERYBODY) + 1)


def _is_against(c: Character, *, private: bool) -> bool:
    """Whether a character is known to be a guard: to all, or to this seat (``private``)."""
    return is_guard(c.role) and (private or c.role_public)


def crew_of(
    state: State, living: list[Character], seat: Seat, *, private: bool
) -> tuple[tuple[int, ...], int | None]:
    """Who must reach Room 25 for this seat to win, and how many of them may miss it (§4.10).

    A guard counts itself in: it plays a prisoner until everybody knows better.
    """
    last = state.turn == state.last_turn
    if state.mode in {"competition", "team"}:
        team = state.of_seat(seat)[0].team
        lost = any(not c.alive and c.team == team for c in state.characters.values())
        crew = tuple(i for i, c in enumerate(living) if c.team == team)
        return crew, 0 if last or not lost else None
    out = {c.id for c in state.characters.values() if _is_against(c, private=private)}
    out -= {c.id for c in state.of_seat(seat) if not c.role_public}
    crew = tuple(i for i, c in enumerate(living) if c.id not in out)
    if state.mode == "suspicion":
        spare = int(last) - sum(name not in out for name in state.dead)
        return crew, spare if spare >= 0 else None
    return crew, _stragglers(state, len(crew)) if last else 0


def _stragglers(state: State, crew: int) -> int:
    """How many may stay behind on the last turn (R89, R90)."""
    return {("prototype", "cooperation"): crew - 1, ("prototype", "solo"): 1}.get(
        (state.rulebook, state.mode), 0
    )


# --- what has been said ---


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
        mine = speaker == seat
        if any(c.team != team or _is_against(c, private=private and not mine) for c in members):
            continue
        if any(color_of(kind) != c.color for c in claims if (kind := known.get(c.tile))):
            continue
        for claim in claims:
            if heard.setdefault(claim.tile, claim.color) != claim.color:
                disputed.add(claim.tile)
    return {tile: color for tile, color in heard.items() if tile not in disputed}
