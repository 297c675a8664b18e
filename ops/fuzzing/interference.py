"""The oracle of non-interference: what a viewer does not know changes nothing that it sees.

A recorded game is played again in a twin world that differs in one secret: the rooms under two
face-down tiles, two roles, somebody's programme or clue, or the game key. The same commands are
given; all that the viewer can see of both worlds (commands, events, views, decisions, deadlines,
its refusals) must be the same bytes, up to the first difference, where both events are of one type
that is marked ``publishes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import (
    PUBLIC,
    Command,
    Context,
    Event,
    Rejected,
    Viewer,
    Working,
    fold,
    redact,
)
from games.contract import Roster
from games.room25 import events as ev
from games.room25.state import State
from games.table_events import Choose, ChooseSecretly, OpenTable, TableOpened
from games.table_state import TableState
from ops.fuzzing.match import Broken, Match, Step, Watched, require

Doctor = Callable[[Event], Event]
"""Changes a secret where it is dealt."""

MASK: Final = ""
NOTHING: Final = "nothing"


class Swap(Struct, frozen=True):
    """A twin world: what differs, for which viewer, and how.

    ``doctor`` changes what is dealt; ``commands`` are given instead of others, by their place
    among the steps; ``seed`` is what is drawn from, whatever the key.
    """

    what: str
    viewer: Viewer
    doctor: Doctor | None = None
    commands: Mapping[int, Command] = {}
    seed: bytes | None = None


class Item(NamedTuple):
    """Something that a viewer sees; ``event`` if it is one."""

    seen: bytes
    event: Event | None = None


class _DoctoredWork(Working[State]):
    """A batch whose dealing is changed on the way."""

    __slots__ = ("doctor",)

    doctor: Doctor

    def emit(self, event: Event) -> None:
        super().emit(self.doctor(event))


def _doctored(game: Any, doctor: Doctor) -> Any:  # noqa: ANN401 (any game, faulty ones too)
    """The game, but with another deal."""

    def begin(self: Any, work: Working[State], roster: Roster) -> None:  # noqa: ANN401
        twin = _DoctoredWork(self.evolve, work.state, work.context, work.events, work.before)
        twin.doctor = doctor
        super(type(self), self).begin(twin, roster)
        work.state = twin.state

    return type("Doctored", (type(game),), {"begin": begin})()


def _fixed(seed: bytes) -> type[Draw]:
    """Draws of one seed, whatever key the table has."""

    def init(self: Draw, _: bytes) -> None:
        Draw.__init__(self, seed)

    return type("FixedDraw", (Draw,), {"__slots__": (), "__init__": init})


# --- what a viewer sees ---


class Window:
    """What one viewer sees of one world, item by item."""

    def __init__(self, table: Watched, viewer: Viewer) -> None:
        self.table, self.viewer = table, viewer
        self.view = table.initial()

    def look(self, command: Command, events: list[Event], after: TableState) -> Iterator[Item]:
        """The command as published, each event, and then view, decisions and deadline."""
        yield Item(msgspec.json.encode(redact(_masked(command), self.viewer)))
        for event in events:
            shown = redact(event, self.viewer)
            yield Item(msgspec.json.encode(_masked(shown)), event)
            self.view = self.table.evolve(self.view, shown)
        seat = self.viewer.seat
        decisions = [] if seat is None else self.table.decisions(after, seat)
        yield Item(msgspec.json.encode(decisions))
        yield Item(msgspec.json.encode([self.table.wake_at(after), self.table.status(after)]))
        key_hash, self.view.key_hash = self.view.key_hash, MASK
        yield Item(msgspec.json.encode(self.view))
        self.view.key_hash = key_hash


def _masked(message: Any) -> Any:  # noqa: ANN401 (any message)
    """Without commitments, which differ as they should."""
    return replace(message, key_hash=MASK) if isinstance(message, TableOpened) else message


# --- two worlds ---


def compare(match: Match, swap: Swap) -> str:
    """Play a game again with one secret changed; say at which event the viewer saw it.

    Returns:
        The type of the event that told, ``""`` if none ever did.

    Raises:
        Broken: the viewer could tell the worlds apart otherwise.
    """
    game = match.table.games[match.state.game]
    games = {match.state.game: game if swap.doctor is None else _doctored(game, swap.doctor)}
    table = type(match.table)(games, match.table.bots)
    draws = Draw if swap.seed is None else _fixed(swap.seed)
    here, there = Window(match.table, swap.viewer), Window(table, swap.viewer)
    state = table.initial()
    for number, step in enumerate(match.steps):
        if step.refusal is not None:
            if _is_own(step, swap.viewer):
                require(_refusal(table, state, step, draws) == step.refusal, _told(swap, step))
            continue
        command = swap.commands.get(number, step.command)
        try:
            events = table.decide(command, state, _context(table, state, step, draws))
        except Rejected as refusal:
            if _only_knowers(step):
                return step.events[0].__class__.__name__
            raise Broken(f"{_told(swap, step)}: {refusal}") from None
        state = fold(table, events, state)
        ours = here.look(step.command, list(step.events), step.after)
        told = _part(swap, step, list(ours), list(there.look(command, events, state)))
        if told:
            return told
    return ""


def _part(swap: Swap, step: Step, ours: list[Item], theirs: list[Item]) -> str:
    """Where two lists of items part: nowhere, or at an event that may tell."""
    for a, b in zip(ours, theirs, strict=False):
        if a.seen == b.seen:
            continue
        require(
            _may_tell(a.event, b.event), f"{_told(swap, step)}: {a.seen!r:.200}, {b.seen!r:.200}"
        )
        return type(a.event).__name__
    require(len(ours) == len(theirs), f"{_told(swap, step)}: more happened in one world")
    return ""


def _may_tell(a: Event | None, b: Event | None) -> bool:
    """Whether two events are where worlds may part.

    An event with secret fields tells their owner and nobody else: its public fields must agree.
    """
    if a is None or b is None or type(a) is not type(b) or not a.publishes:
        return False
    return not a.secrets or redact(a, PUBLIC) == redact(b, PUBLIC)


def _told(swap: Swap, step: Step) -> str:
    who = "the public" if swap.viewer == PUBLIC else f"seat {swap.viewer.seat}"
    return f"{who} can tell {swap.what} by {type(step.command).__name__}"


def _context(table: Watched, state: TableState, step: Step, draws: type[Draw]) -> Context:
    return Context(now=step.now, actor=step.actor, draw=draws(table.seed(state)))


def _refusal(
    table: Watched, state: TableState, step: Step, draws: type[Draw]
) -> tuple[str, str] | None:
    try:
        table.decide(step.command, state, _context(table, state, step, draws))
    except Rejected as refusal:
        return str(refusal.code), refusal.detail
    return None


def _is_own(step: Step, viewer: Viewer) -> bool:
    """Whether the viewer itself was refused: others' refusals are not its to see.

    House bots of one name share an id, so theirs are told apart by the seat.
    """
    place = step.before.seats.get(viewer.seat or 0)
    if place is None or place.player != step.actor.id:
        return False
    return place.bot is None or getattr(step.command, "seat", None) == viewer.seat


def _only_knowers(step: Step) -> bool:
    """Whether a command is one that only somebody with this very secret could give."""
    return isinstance(step.command, Choose) and step.command.decision.startswith("reveal-")


# --- secrets to swap ---


def swaps(match: Match, rng: Random) -> list[Swap]:
    """Twin worlds of a game, aimed at what others know and the viewer does not."""
    play: State = match.state.play
    seats = sorted(match.state.seats)
    if not play.grid or not seats:
        return []
    viewer = rng.choice([PUBLIC, *(Viewer("seat", seat) for seat in seats)])
    found = [_rooms(match, rng, viewer), _roles(match, rng, viewer), _choice(match, rng, viewer)]
    found.append(_key(match, viewer))
    return [swap for swap in found if swap is not None]


def _first_known(match: Match, viewer: Viewer) -> tuple[dict[int, int], set[int]]:
    """When the viewer learns what each tile is (event number), and which tiles others saw first."""
    board: list[int] = list(range(25))
    cells = {f"r{n // 5}c{n % 5}": n for n in board}
    at = dict(enumerate(board))
    known: dict[int, int] = {}
    others: set[int] = set()
    for number, event in enumerate(match.log):
        if isinstance(event, ev.TilesSwapped):
            a, b = cells[event.first], cells[event.second]
            at[a], at[b] = at[b], at[a]
        elif isinstance(event, ev.LineShifted):
            n, row = int(event.line[3]), event.line.startswith("row")
            line = [5 * n + i if row else 5 * i + n for i in range(5)]
            turn = 1 if event.way in {"right", "down"} else -1
            tiles = [at[line[(i - turn) % 5]] for i in range(5)]
            at.update(zip(line, tiles, strict=True))
        elif isinstance(event, ev.ComplexLaid):
            known.update((cells[cell], number) for cell in event.shown)
        elif isinstance(event, ev.RoomRevealed):
            known.setdefault(at[cells[event.cell]], number)
        elif isinstance(event, ev.RoomPeeked):
            tile = at[cells[event.cell]]
            if event.seat == viewer.seat:
                known.setdefault(tile, number)
            elif tile not in known:
                others.add(tile)
    return known, others


def _rooms(match: Match, rng: Random, viewer: Viewer) -> Swap | None:
    """Two face-down rooms change places; one, if possible, that somebody else has looked at."""
    known, others = _first_known(match, viewer)
    laid = next(e for e in match.log if isinstance(e, ev.ComplexLaid))
    kinds = list(laid.kinds or ())
    hidden = [t for t in range(25) if f"r{t // 5}c{t % 5}" not in laid.shown]
    aims = [[t for t in hidden if t in known and t in others], [t for t in hidden if t in known]]
    rng.shuffle(aims)
    seen = aims[0] or aims[1] or hidden
    if not seen:
        return None
    first = rng.choice(seen)
    never = len(match.log)
    late = [t for t in hidden if known.get(t, never) >= known.get(first, never)]
    rest = [t for t in late if kinds[t] != kinds[first]]
    if not rest:
        return None
    second = rng.choice(rest)
    kinds[first], kinds[second] = kinds[second], kinds[first]

    def doctor(event: Event) -> Event:
        return replace(event, kinds=tuple(kinds)) if isinstance(event, ev.ComplexLaid) else event

    return Swap("rooms", viewer, doctor)


def _roles(match: Match, rng: Random, viewer: Viewer) -> Swap | None:
    """Two roles change hands, or one with a tile that nobody got."""
    roles = {e.character: str(e.role) for e in match.log if isinstance(e, ev.RoleDealt)}
    left = next((e for e in match.log if isinstance(e, ev.RolesLeftOver)), None)
    if not roles or left is None:
        return None
    own = {c.id for c in match.play.characters.values() if c.seat == viewer.seat}
    others = [name for name in roles if name not in own]
    undealt = list(left.roles or ())
    pairs = [(a, b) for a in others for b in others if a < b and roles[a] != roles[b]]
    spare = [(a, i) for a in others for i, role in enumerate(undealt) if role != roles[a]]
    if spare and (not pairs or rng.randrange(2)):
        name, place = rng.choice(spare)
        roles[name], undealt[place] = undealt[place], roles[name]
    elif pairs:
        a, b = rng.choice(pairs)
        roles[a], roles[b] = roles[b], roles[a]
    else:
        return None

    def doctor(event: Event) -> Event:
        if isinstance(event, ev.RoleDealt):
            return replace(event, role=roles[event.character])
        if isinstance(event, ev.RolesLeftOver):
            return replace(event, roles=tuple(undealt))
        return event

    return Swap("roles", viewer, doctor)


def _choice(match: Match, rng: Random, viewer: Viewer) -> Swap | None:
    """Somebody else hands in another programme of the same length, or another clue."""
    found = [
        (number, step.command)
        for number, step in enumerate(match.steps)
        if isinstance(step.command, ChooseSecretly)
        and step.refusal is None
        and step.command.seat != viewer.seat
    ]
    if not found:
        return None
    number, command = rng.choice(found)
    before = match.steps[number].before
    options = next(
        d.options for d in match.table.decisions(before, command.seat) if d.id == command.decision
    )
    length = str(command.option).count("+")
    alike = [o.id for o in options if o.id != command.option and o.id.count("+") == length]
    changed = replace(command, option=rng.choice(alike))
    what = "clue" if command.decision.startswith("clue") else "programme"
    return Swap(what, viewer, commands={number: changed})


def _key(match: Match, viewer: Viewer) -> Swap | None:
    """Another game key, with the same draws."""
    number, step = next(
        (n, s) for n, s in enumerate(match.steps) if isinstance(s.command, OpenTable) and s.events
    )
    scenario = match.state.situation or {}
    if scenario.get("seed") is not None:
        return None
    changed = replace(step.command, key="ab" * 32)
    return Swap("key", viewer, commands={number: changed}, seed=match.table.seed(match.state))


class Interference:
    """Compares twin worlds once a game has ended; ``rate`` says of how many of the games.

    ``told`` notes for each what was changed and which event told the viewer.
    """

    def __init__(self, rng: Random, rate: float = 1.0, most: int = 4) -> None:
        self.rng, self.rate, self.most = rng, rate, most
        self.told: list[tuple[str, str]] = []

    def accepted(self, match: Match, step: Step) -> None:
        """Worlds are compared at the end."""

    def ended(self, match: Match) -> None:
        """Play some twin worlds."""
        if self.rng.random() < self.rate:
            found = swaps(match, self.rng)
            for swap in self.rng.sample(found, min(self.most, len(found))):
                self.told.append((swap.what, compare(match, swap) or NOTHING))
