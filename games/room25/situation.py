"""Explicit situations: the format of ``scenario`` tables, its checks, and how one is laid (pure).

The format can say every given of every acceptance scenario of all four rulebooks. What the table's
rulebook does not have (robots, cards, locks ...) is refused as impossible, never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from events.draw import Draw
from events.kernel import Actor, Context, Rejected, Seat, Working
from games.contract import Opening, Roster
from games.room25 import events as ev
from games.room25.agenda import Check, Clues, Programs, Turn
from games.room25.board import CELLS, CENTRE, LINE_WAYS
from games.room25.catalogue import CHARACTERS
from games.room25.codes import Code
from games.room25.editions import RULEBOOKS
from games.room25.evolve import evolve
from games.room25.play import Play
from games.room25.programming import is_programming
from games.room25.rulebook import Mode, Rulebook
from games.room25.setup import begin_game
from games.room25.state import State

TurnNumber = Annotated[int, Meta(ge=1, le=100)]
CellName = Annotated[str, Meta(pattern="^r[0-4]c[0-4]$")]


class GivenTile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tile: its kind, how it lies and what lies on it. ``reminders`` are seats."""

    kind: str
    face: Literal["up", "down"] = "up"
    seal: bool = False
    lock: bool = False
    axis: Literal["horizontal", "vertical"] | None = None
    reminders: tuple[Seat, ...] = ()


class GivenCharacter(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A character: its seat and everything that differs from the beginning of a game.

    ``trap`` is the turn in which the trap under it was armed, ``flood`` the turn whose second slot
    drowns it; ``looked`` the face-down cells that its player has looked at; ``program`` is handed
    in already; ``identity`` is a prototype guard's; ``stack`` the paranoia stack from the top;
    ``spares`` and ``locks`` are tokens in hand.
    """

    seat: Annotated[Seat, Meta(ge=1, le=8)]
    cell: CellName = CENTRE
    dead: bool = False
    role: str | None = None
    identity: str | None = None
    role_public: bool = False
    free: bool = False
    program: tuple[str, ...] | None = None
    delayed: bool = False
    lost: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    passed: bool = False
    acted: Annotated[int, Meta(ge=0, le=3)] = 0
    trap: TurnNumber | None = None
    flood: TurnNumber | None = None
    looked: tuple[CellName, ...] = ()
    entry: Annotated[int, Meta(ge=1, le=1000)] | None = None
    adrenaline: Literal["none", "available", "programmed", "spent"] | None = None
    hidden: bool = False
    cold_next: bool = False
    stack: tuple[str, ...] | None = None
    spares: Annotated[int, Meta(ge=0, le=2)] | None = None
    locks: Annotated[int, Meta(ge=0, le=2)] | None = None


class Situation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An explicit position.

    ``tiles`` by cell, a kind alone meaning face-up; cells not named hold a face-up ``rest``, the
    Central Room lies in the middle and Room 25 face-down on ``r4c4`` unless placed. ``phase`` says
    where play begins: ``clue``, the ``start`` of the turn, its ``programming``, or a round, for
    which every programme must be given. ``order`` is the order track, by default by seat. ``dead``
    orders the deaths. ``undealt`` are role tiles nobody got. ``deck`` lists cards from the top;
    with ``deck_rest`` the cards named nowhere lie shuffled under them. ``seed`` (64 hexadecimal
    digits) becomes the game key and so fixes every draw, but for the players' entropy.
    """

    characters: Mapping[str, GivenCharacter]
    tiles: Mapping[CellName, GivenTile | str] = {}
    rest: str = "empty"
    turn: TurnNumber = 3
    last_turn: TurnNumber | None = None
    phase: Literal["clue", "start", "programming", "round_1", "round_2"] = "start"
    order: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    markers: Mapping[str, str] = {}
    undealt: tuple[str, ...] | None = None
    room25_revealed: bool | None = None
    key_activated: bool = False
    robots: tuple[CellName, ...] = ()
    deck: tuple[str, ...] | None = None
    deck_rest: bool = True
    discard: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None

    def __post_init__(self) -> None:
        """Put the characters into the box's order: a log does not keep that of an object's keys."""
        box = [c.id for c in CHARACTERS]
        names = sorted(self.characters, key=lambda n: (box.index(n) if n in box else len(box), n))
        force_setattr(self, "characters", {name: self.characters[name] for name in names})


def _require(holds: object, detail: str) -> None:
    if not holds:
        raise Rejected(Code.IMPOSSIBLE_SCENARIO, detail)


def read_situation(opening: Opening) -> Situation:
    """Read a situation and check that it can be laid and played.

    Raises:
        Rejected: malformed-scenario if it does not fit the format; impossible-scenario if the
            rulebook cannot have such a position, or if the game would be over in it.
    """
    try:
        situation = msgspec.convert(opening.situation, Situation)
    except msgspec.ValidationError as error:
        raise Rejected(Code.MALFORMED_SCENARIO, str(error)) from None
    rulebook = RULEBOOKS[opening.rulebook]
    mode = rulebook.modes[opening.mode]
    _check_features(situation)
    _check_tiles(situation, rulebook)
    _check_characters(situation, opening, rulebook, mode)
    _check_roles(situation, mode, opening.seats)
    state = _rehearse(opening, situation)
    _require(state.end is None, "the game would be over in this situation")
    return situation


def _check_features(s: Situation) -> None:
    """What no rulebook of this engine has yet is refused."""
    _require(not s.robots, "this rulebook has no robots")
    cards = s.deck is not None or s.discard or s.shown or not s.deck_rest
    _require(not cards, "this rulebook has no cards")
    _require(not s.key_activated, "this rulebook has no key")
    for c in s.characters.values():
        special = [c.identity, c.stack, c.spares, c.locks] != [None] * 4
        special = special or c.hidden or c.cold_next
        _require(not special, "this rulebook has no such state of a character")
        _require(c.adrenaline in {None, "none"}, "this rulebook has no adrenaline")


def tiles_of(s: Situation) -> dict[str, GivenTile]:
    """All 25 tiles, with what the situation leaves unsaid."""
    given = {
        where: GivenTile(kind=tile) if isinstance(tile, str) else tile
        for where, tile in s.tiles.items()
    }
    given.setdefault(CENTRE, GivenTile(kind="central"))
    if not any(tile.kind == "room25" for tile in given.values()):
        given.setdefault("r4c4", GivenTile(kind="room25", face="down"))
    return {where: given.get(where) or GivenTile(kind=s.rest) for where in CELLS}


def _by_seat(s: Situation) -> list[str]:
    return sorted(s.characters, key=lambda name: s.characters[name].seat)


def order_of(s: Situation) -> tuple[str, ...]:
    """The order track: as given, or the living by seat."""
    return s.order or tuple(name for name in _by_seat(s) if not s.characters[name].dead)


def _check_tiles(s: Situation, rulebook: Rulebook) -> None:
    tiles = tiles_of(s)
    kinds = [tile.kind for tile in tiles.values()]
    for kind in dict.fromkeys(kinds):
        _require(kind in rulebook.box, f"this rulebook has no room {kind!r:.40}")
        enough = kind == s.rest or kinds.count(kind) <= rulebook.box[kind]
        _require(enough, f"the box does not hold so many {kind} rooms")
    centre = tiles[CENTRE]
    _require(centre.kind == "central" and centre.face == "up", "the centre is the Central Room")
    _require(kinds.count("central") == 1, "there is one Central Room")
    _require(kinds.count("room25") == 1, "there is one Room 25")
    for tile in tiles.values():
        _require(not tile.seal or tile.kind == "flooded", "only flooded rooms are sealed")
        _require(not tile.seal or tile.face == "up", "sealed rooms lie face-up")
        _require(not tile.lock and tile.axis is None, "this rulebook has no locks or corridors")
        _require(not tile.reminders or tile.face == "down", "reminders lie on face-down rooms")
    for line, way in s.markers.items():
        _require(way in LINE_WAYS.get(line, ()), "markers lie on movable lines, along them")


def _check_characters(s: Situation, opening: Opening, rulebook: Rulebook, mode: Mode) -> None:
    tiles = tiles_of(s)
    names = set(s.characters)
    _require(names <= {c.id for c in CHARACTERS}, "this rulebook has no such character")
    counts = [sum(c.seat == n for c in s.characters.values()) for n in range(1, opening.seats + 1)]
    per_seat = mode.per_seat[opening.seats]
    whole = set(counts) == {per_seat} and len(names) == per_seat * opening.seats
    _require(whole, f"each of the {opening.seats} seats has {per_seat} character(s)")
    living = {name for name, c in s.characters.items() if not c.dead}
    _require(living, "somebody is alive")
    order = order_of(s)
    _require(len(set(order)) == len(order), "nobody is twice in the order")
    _require(living <= set(order) <= names, "the order holds all the living")
    _require(order[0] in living, "the first in the order is alive")
    dead = sorted(s.dead) == sorted(names - living)
    _require(dead or not s.dead, "the list of the dead names each of them once")
    last = s.last_turn or mode.turns[opening.seats]
    _require(s.turn <= last, "the turn is not after the last one")
    _require(s.phase != "clue" or (s.turn == 1 and rulebook.clue), "clues come before turn 1")
    for c in s.characters.values():
        _check_character(c, tiles, rulebook)
        # Who came into the cold after the phase has two actions: it binds when programming opens.
        limit = 1 if tiles[c.cell].kind == "cold" and s.phase != "round_2" else 2
        _require(len(c.program or ()) <= limit, "a programme has one or two actions")
    seats = range(1, opening.seats + 1)
    holders = [seat for tile in tiles.values() for seat in tile.reminders]
    _require(len(set(holders)) == len(holders), "each player has one reminder")
    _require(set(holders) <= set(seats), "reminders belong to players")


def _check_character(c: GivenCharacter, tiles: Mapping[str, GivenTile], rulebook: Rulebook) -> None:
    tile = tiles[c.cell]
    _require(c.dead or tile.face == "up", "characters stand on face-up rooms")
    _require(c.trap is None or tile.kind == "trap", "a trap is armed on a trapped room")
    _require(c.flood is None or tile.kind == "flooded", "one drowns in a flooded room")
    tokens = (*(c.program or ()), *c.lost, *c.used)
    _require(set(tokens) <= set(rulebook.actions), "tokens are actions of this rulebook")
    if c.program is not None:
        _require(c.program, "nobody programmes nothing")
        _require(len(set(c.program)) == len(c.program), "a programme's actions differ")
        _require(not set(c.program) & set(c.lost), "lost actions cannot be programmed")
    _require(not c.delayed or len(c.program or ()) == 1, "only a single action is delayed")
    for where in c.looked:
        _require(tiles[where].face == "down", "looked-at rooms lie face-down")


def _check_roles(s: Situation, mode: Mode, seats: int) -> None:
    roles = [c.role for c in s.characters.values()]
    if not mode.roles:
        shown = any(c.role_public or c.free for c in s.characters.values())
        _require(not any(roles) and not shown and not s.undealt, "this mode has no roles")
        return
    prisoners, guards = mode.roles[seats]
    _require(all(role in {"prisoner", "guard"} for role in roles), "everybody has a role")
    _require(roles.count("prisoner") <= prisoners, "there are not so many prisoners")
    _require(roles.count("guard") <= guards, "there are not so many guards")
    whole = sorted([*map(str, roles), *_undealt(s, mode, seats)])
    _require(whole == ["guard"] * guards + ["prisoner"] * prisoners, "no role is there twice")
    known = all(c.role_public and c.role == "guard" for c in s.characters.values() if c.free)
    _require(known, "only guards who have shown themselves act freely")


def _undealt(s: Situation, mode: Mode, seats: int) -> tuple[str, ...]:
    if s.undealt is not None:
        return s.undealt
    prisoners, guards = mode.roles[seats]
    roles = [c.role for c in s.characters.values()]
    left = prisoners - roles.count("prisoner"), guards - roles.count("guard")
    return ("prisoner",) * left[0] + ("guard",) * left[1]


def _rehearse(opening: Opening, situation: Situation) -> State:
    """Lay the situation on an empty table, as far as the first question."""
    from games.room25.engine import run  # noqa: PLC0415 (the engine asks rooms, not situations)

    context = Context(now=0, actor=Actor("worker", "rehearsal"), draw=Draw(b"rehearsal"))
    work = Working(evolve, State(), context)
    play = Play(work)
    _lay(play, roster_of(opening, situation), situation)
    run(play)
    return work.state


def roster_of(opening: Opening, situation: Situation) -> Roster:
    """Who plays what in a situation."""
    return Roster(
        opening=opening,
        characters={
            seat: tuple(name for name, c in situation.characters.items() if c.seat == seat)
            for seat in range(1, opening.seats + 1)
        },
    )


def situation_cast(opening: Opening, seat: Seat) -> tuple[str, ...]:
    """The characters that a situation gives to a seat."""
    situation = msgspec.convert(opening.situation, Situation)
    return roster_of(opening, situation).characters[seat]


def lay_situation(play: Play, roster: Roster) -> None:
    """Lay a situation that ``read_situation`` has checked."""
    _lay(play, roster, msgspec.convert(roster.opening.situation, Situation))


def _lay(play: Play, roster: Roster, s: Situation) -> None:
    opening = roster.opening
    rulebook = RULEBOOKS[opening.rulebook]
    mode = rulebook.modes[opening.mode]
    tiles = tiles_of(s)
    rooms: dict[str, int] = {}
    for tile in tiles.values():
        rooms[tile.kind] = rooms.get(tile.kind, 0) + 1
    begin_game(play, roster, order_of(s), rooms)
    shown = {where: tile.kind for where, tile in tiles.items() if tile.face == "up"}
    play.emit(ev.ComplexLaid(shown=shown, kinds=tuple(tile.kind for tile in tiles.values())))
    if mode.roles:
        for name, c in s.characters.items():
            play.emit(ev.RoleDealt(seat=c.seat, character=name, role=c.role or ""))
        left = _undealt(s, mode, opening.seats)
        play.emit(ev.RolesLeftOver(count=len(left), roles=left))
    play.emit(_situation_set(s, tiles, mode.turns[opening.seats]))
    _lay_knowledge(play, s)
    _start(play, s)


def _situation_set(
    s: Situation,
    tiles: Mapping[str, GivenTile],
    turns: int,
) -> ev.SituationSet:
    revealed = any(t.kind == "room25" and t.face == "up" for t in tiles.values())
    return ev.SituationSet(
        turn=s.turn,
        last_turn=s.last_turn or turns,
        order=order_of(s),
        dead=s.dead or tuple(n for n in _by_seat(s) if s.characters[n].dead),
        figures={name: _facts(c) for name, c in s.characters.items()},
        tiles={
            where: ev.TileFacts(t.seal, t.lock, t.axis, t.reminders)
            for where, t in tiles.items()
            if t.seal or t.lock or t.axis or t.reminders
        },
        markers=s.markers,
        room25_revealed=revealed if s.room25_revealed is None else s.room25_revealed,
        key_activated=s.key_activated,
    )


def _facts(c: GivenCharacter) -> ev.FigureFacts:
    return ev.FigureFacts(
        cell=None if c.dead else c.cell,
        trap=c.trap,
        flood=c.flood,
        free=c.free,
        lost=c.lost,
        adrenaline=c.adrenaline or "none",
        hidden=c.hidden,
        delayed=c.delayed,
        used=c.used,
        passed=c.passed,
        acted=c.acted,
        entry=c.entry or 0,
    )


def _lay_knowledge(play: Play, s: Situation) -> None:
    """Public roles, rooms looked at, and programmes that are in already."""
    for name, c in s.characters.items():
        if c.role is not None and c.role_public:
            play.emit(ev.RoleRevealed(character=name, role=c.role, cause="scenario"))
        for where in c.looked:
            play.peek(name, where)
        if c.program is not None:
            play.emit(
                ev.ProgramSubmitted(seat=c.seat, character=name, tokens=c.program, adrenaline=False)
            )


def _start(play: Play, s: Situation) -> None:
    if s.phase == "clue":
        play.push(Clues(), Turn("first"))
        return
    if s.phase in {"round_1", "round_2"}:
        members = [c for c in play.state.living() if is_programming(play.state, c)]
        ready = all(c.program is not None for c in members)
        _require(ready, "a round needs every programme")
        play.push(Check(), Programs(), Turn(s.phase))
        return
    play.push(Check(), Turn(s.phase))
