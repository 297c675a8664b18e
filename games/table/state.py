"""The state of a table, and how each table event is recorded in it (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from events.kernel import Seat, TimestampMs
from games.contract import JsonValue, TableOpening, TimeControl
from games.dispatch import Handlers, on
from games.table import events as ev
from games.table import pause_events as pe
from games.table.branch_origin import BranchOrigin

PHRASES_KEPT: Final = 3
"""Of so many phrases of a seat, the newest, the times are kept."""

PROPOSALS_KEPT: Final = 3
"""Of so many proposals of a pause by a seat, the newest, the times are kept."""

Phase = Literal["none", "open", "live", "finished"]


class SeatState(Struct, frozen=True, gc=False):
    """A taken seat. What its player is called is not known here, only its seal.

    ``strikes`` counts the turns or waits in a row in which it let its time run out, ``missed_turn``
    is the latest turn of them, also once its strikes are wiped (not there before the first);
    ``returns`` counts how often the seat came back. ``program`` is True where a program sits, a
    player's or a house bot, and not there for a person.
    """

    player: str
    characters: tuple[str, ...]
    name_seal: str = ""
    bot: str | None = None
    ready: bool = False
    strikes: int = 0
    absent: bool = False
    returns: int = 0
    resigned: bool = False
    missed_turn: int | UnsetType = UNSET
    program: bool | UnsetType = UNSET


class Entropy(Struct, frozen=True, gc=False):
    """What a player gave to the seed on first sitting down with some; it is theirs for good."""

    player: str
    text: str


class Clock(Struct, frozen=True, gc=False):
    """The running wait: its key, since when, and its deadline (milliseconds, UTC)."""

    key: str
    since: TimestampMs
    due: TimestampMs


class Result(Struct, frozen=True):
    """How a table ended; see ``TableClosed``."""

    reason: str
    outcome: str
    winners: tuple[Seat, ...]
    score: int | None = None
    cause: ev.Reason | None = None


class Restored(Struct, frozen=True):
    """That a part of the game is lost, and whether it is held for that; see ``StoreRestored``."""

    from_version: int
    to_version: int
    epoch: int
    held: bool


class Inspection(Struct, frozen=True, gc=False):
    """An office's look at the running game, ``at`` a time ``until`` another (milliseconds, UTC).

    ``account`` is whose token it was. ``eyes`` (``full``, ``seat:2``) and ``reason`` are None to
    who may not know them, which is everybody before the end.
    """

    office: str
    account: str
    at: TimestampMs
    until: TimestampMs
    eyes: str | None
    reason: str | None


class PauseProposal(Struct, frozen=True, gc=False):
    """A proposed pause of so many minutes: it stands ``until`` a time (milliseconds, UTC).

    ``agreed`` are the seats that have agreed, the proposer's first.
    """

    seat: Seat
    minutes: int
    until: TimestampMs
    agreed: tuple[Seat, ...]


class AgreedPause(Struct, frozen=True, gc=False):
    """The players' pause that is running, ``until`` a time (milliseconds, UTC) at the latest.

    ``resuming`` are the seats that would rather play on.
    """

    until: TimestampMs
    resuming: tuple[Seat, ...] = ()


class Pauses(Struct, frozen=True, kw_only=True):
    """The pauses by agreement: how many have begun, what is proposed, and what is running.

    ``proposed`` are the times of each seat's newest proposals, oldest first, milliseconds, UTC.
    """

    begun: int = 0
    proposed: Mapping[Seat, tuple[TimestampMs, ...]] = {}
    proposal: PauseProposal | None = None
    running: AgreedPause | None = None


NO_PAUSES: Final = Pauses()
"""What is known of pauses before the first is proposed, one value for all: commands ask for it."""


class TableState(Struct):
    """A table and the game on it. ``play`` is the game's own state.

    ``entropy`` is what players gave to the seed, in the order of the events that say so; whoever
    has left since is still in it. ``leavings`` counts how often a seat became free again.
    ``invited`` are those whose invitations stand; ``invitations`` counts all that were ever made
    (not there while they are those of the opening). ``programs`` is False where only people sit
    down, and not there where programs may.
    ``restored`` is there once the store has lost a part of the game; a game that is held for that
    is paused as well. ``inspections`` are not there before the first.
    ``phrases`` are the times of each seat's newest phrases, oldest first, milliseconds, UTC (not
    there before the first). ``pauses`` are those by agreement (not there before the first is
    proposed); while one is running, the game is paused, and ``paused_at`` says since when.
    ``origin`` is where a branch comes from (not there at other tables), ``laid`` what its position
    is laid by (not there once that has been done). ``tournament`` is the code of the one that the
    table is played for (not there at other tables). ``unbegun`` is True where the table was closed
    before its game began (not there at other tables).

    The same record serves the truth and every view: what a viewer does not know is None.
    Only ``games.table.decider`` changes it, and only a private copy.
    """

    phase: Phase = "none"
    game: str = ""
    rulebook: str = ""
    mode: str = ""
    seat_count: int = 0
    options: Mapping[str, JsonValue] = {}
    time: TimeControl = TimeControl()
    visibility: ev.Visibility = "public"
    start: ev.StartMode = "auto"
    delay: ev.Delay | None = None
    host: str = ""
    invited: tuple[str, ...] = ()
    scenario: bool = False
    key_hash: str = ""
    key: str | None = None
    situation: Mapping[str, JsonValue] | None = None
    seats: Mapping[Seat, SeatState] = {}
    entropy: tuple[Entropy, ...] = ()
    leavings: int = 0
    invitations: int | UnsetType = UNSET
    programs: bool | UnsetType = UNSET
    clock: Clock | None = None
    paused_at: TimestampMs | None = None
    result: Result | None = None
    play: Any = None
    restored: Restored | UnsetType = UNSET
    inspections: tuple[Inspection, ...] | UnsetType = UNSET
    phrases: Mapping[Seat, tuple[TimestampMs, ...]] | UnsetType = UNSET
    pauses: Pauses | UnsetType = UNSET
    origin: BranchOrigin | UnsetType = UNSET
    laid: tuple[Mapping[str, JsonValue], ...] | UnsetType | None = UNSET
    tournament: str | UnsetType = UNSET
    unbegun: bool | UnsetType = UNSET

    @property
    def people(self) -> frozenset[str]:
        """The ids of those whose table this is: its host, who sits there, and who is invited."""
        seated = (place.player for place in self.seats.values())
        return frozenset((self.host, *self.invited, *seated))

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun; one that is over by now has as a rule."""
        return self.phase in {"live", "finished"} and self.unbegun is UNSET

    @property
    def is_held(self) -> bool:
        """Whether the game stands still until the director has dealt with what is lost of it."""
        return isinstance(self.restored, Restored) and self.restored.held

    @property
    def pauses_held(self) -> Pauses:
        """What is known of pauses by agreement, also before the first."""
        return NO_PAUSES if self.pauses is UNSET else self.pauses

    @property
    def inspections_held(self) -> tuple[Inspection, ...]:
        """All inspections so far, in order, those that are over too."""
        return () if self.inspections is UNSET else self.inspections

    def phrase_times(self, seat: Seat) -> tuple[TimestampMs, ...]:
        """When a seat said its newest phrases, oldest first; at most ``PHRASES_KEPT``."""
        return () if self.phrases is UNSET else self.phrases.get(seat, ())

    @property
    def opening(self) -> TableOpening:
        """What was opened, in the words that the game's own functions take."""
        return TableOpening(
            rulebook=self.rulebook,
            mode=self.mode,
            seats=self.seat_count,
            options=self.options,
            situation=self.situation,
        )

    @property
    def invitations_made(self) -> int:
        """How many invitations there have been in all, also those that are gone by now."""
        return len(self.invited) if self.invitations is UNSET else self.invitations

    @property
    def uninvited(self) -> int:
        """How many invitations were declined or withdrawn."""
        return self.invitations_made - len(self.invited)

    def entropy_of(self, player: str) -> str:
        """What a player has given to the seed; empty if nothing."""
        return next((given.text for given in self.entropy if given.player == player), "")

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """The seats that a player holds, in order."""
        return tuple(n for n, seat in sorted(self.seats.items()) if seat.player == player)


def _known(value: object | UnsetType) -> Any:  # noqa: ANN401 (whatever the field holds)
    return None if value is UNSET else value


def _opened(s: TableState, e: ev.TableOpened) -> None:
    s.phase = "open"
    s.game, s.rulebook, s.mode = e.game, e.rulebook, e.mode
    s.seat_count, s.options, s.time = e.seats, e.options, e.time
    s.visibility, s.start, s.host, s.invited = e.visibility, e.start, e.host, e.invited
    s.scenario, s.key_hash, s.delay = e.scenario, e.key_hash, e.delay
    s.key, s.situation = _known(e.key), _known(e.situation)
    if not e.programs:
        s.programs = False
    if e.origin is not None:
        s.origin, s.laid = e.origin, _known(e.laid)
    if e.tournament is not None:
        s.tournament = e.tournament


def _invited(s: TableState, e: ev.PlayerInvited) -> None:
    s.invited, s.invitations = (*s.invited, e.player), s.invitations_made + 1


def _uninvited(s: TableState, e: ev.InvitationWithdrawn | ev.InvitationDeclined) -> None:
    s.invitations = s.invitations_made
    s.invited = tuple(player for player in s.invited if player != e.player)


def _seat(s: TableState, seat: Seat, value: SeatState) -> None:
    s.seats = {**s.seats, seat: value}


def _taken(s: TableState, e: ev.SeatTaken) -> None:
    place = SeatState(e.player, e.characters, e.name_seal, e.bot)
    program = e.program or e.bot is not None
    _seat(s, e.seat, replace(place, program=True) if program else place)
    if e.entropy and not s.entropy_of(e.player):
        s.entropy = (*s.entropy, Entropy(e.player, e.entropy))


def _left(s: TableState, e: ev.SeatLeft) -> None:
    s.seats = {n: seat for n, seat in s.seats.items() if n != e.seat}
    s.leavings += 1


def _readied(s: TableState, e: ev.SeatReadied) -> None:
    _seat(s, e.seat, replace(s.seats[e.seat], ready=True))


def _started(s: TableState, _: ev.TableStarted) -> None:
    s.phase, s.laid = "live", UNSET


def _clock(s: TableState, e: ev.ClockStarted) -> None:
    s.clock = Clock(e.key, e.since, e.due)


def _timed_out(s: TableState, e: ev.SeatTimedOut) -> None:
    _seat(s, e.seat, replace(s.seats[e.seat], strikes=e.strikes))


def note_missed_turn(s: TableState, seat: Seat, turn: int) -> None:
    """Note that a seat has missed a turn, which the event leaves for the game to tell."""
    _seat(s, seat, replace(s.seats[seat], missed_turn=turn))


def _absent(s: TableState, e: ev.SeatWentAbsent) -> None:
    _seat(s, e.seat, replace(s.seats[e.seat], absent=True))
    _drop_proposal(s, e.seat)


def _returned(s: TableState, e: ev.SeatReturned) -> None:
    old = s.seats[e.seat]
    _seat(s, e.seat, replace(old, strikes=0, absent=False, returns=old.returns + 1))


def _resigned(s: TableState, e: ev.SeatResigned) -> None:
    _seat(s, e.seat, replace(s.seats[e.seat], resigned=True))
    _drop_proposal(s, e.seat)


def _paused(s: TableState, e: ev.TablePaused) -> None:
    # A pause that the players have agreed on becomes the director's, and is one pause with it.
    agreed = s.pauses_held.running is not None
    s.paused_at = s.paused_at if agreed else e.at
    _end_agreed(s)


def _change_pauses(s: TableState, **changes: Any) -> None:  # noqa: ANN401 (fields of Pauses)
    s.pauses = replace(s.pauses_held, **changes)


def _drop_proposal(s: TableState, seat: Seat) -> None:
    """A proposal lapses when its proposer is gone."""
    proposal = s.pauses_held.proposal
    if proposal is not None and proposal.seat == seat:
        _change_pauses(s, proposal=None)


def _end_agreed(s: TableState) -> None:
    """Nothing is proposed or running any more."""
    if s.pauses is not UNSET:
        _change_pauses(s, proposal=None, running=None)


def _proposed(s: TableState, e: pe.PauseProposed) -> None:
    pauses = s.pauses_held
    times = (*pauses.proposed.get(e.seat, ()), e.at)[-PROPOSALS_KEPT:]
    proposal = PauseProposal(e.seat, e.minutes, e.until, (e.seat,))
    _change_pauses(s, proposed={**pauses.proposed, e.seat: times}, proposal=proposal)


def _agreed(s: TableState, e: pe.PauseAgreed) -> None:
    proposal = s.pauses_held.proposal
    if proposal is not None:
        _change_pauses(s, proposal=replace(proposal, agreed=(*proposal.agreed, e.seat)))


def _declined(s: TableState, _: pe.PauseDeclined) -> None:
    _change_pauses(s, proposal=None)


def _pause_began(s: TableState, e: pe.PauseBegan) -> None:
    s.paused_at = e.at
    begun = s.pauses_held.begun + 1
    _change_pauses(s, begun=begun, proposal=None, running=AgreedPause(e.until))


def _resuming(s: TableState, e: pe.ResumptionAgreed) -> None:
    running = s.pauses_held.running
    if running is not None:
        _change_pauses(s, running=replace(running, resuming=(*running.resuming, e.seat)))


def _resumed(s: TableState, e: ev.TableResumed) -> None:
    _let_go(s)
    if s.clock is not None and e.since is not None and e.due is not None:
        s.clock = Clock(s.clock.key, e.since, e.due)


def _restored(s: TableState, e: ev.StoreRestored) -> None:
    s.paused_at = e.at
    _end_agreed(s)
    s.restored = Restored(e.from_version, e.to_version, e.epoch, held=True)


def _let_go(s: TableState) -> None:
    """The game is held no more; that a part of it is lost stays known."""
    s.paused_at = None
    _end_agreed(s)
    if isinstance(s.restored, Restored):
        s.restored = replace(s.restored, held=False)


def _extended(s: TableState, e: ev.TimeExtended) -> None:
    if s.clock is not None:
        s.clock = replace(s.clock, due=e.due)


def _inspected(s: TableState, e: ev.InspectionBegan) -> None:
    eyes, reason = _unpadded(e.eyes), _unpadded(e.reason)
    added = Inspection(e.office, e.account, e.at, e.until, eyes, reason)
    s.inspections = (*s.inspections_held, added)


def _unpadded(text: str | UnsetType) -> str | None:
    return None if text is UNSET else text.rstrip(" ")


def _said(s: TableState, e: ev.PhraseSaid) -> None:
    times = (*s.phrase_times(e.seat), e.at)[-PHRASES_KEPT:]
    s.phrases = {**({} if s.phrases is UNSET else s.phrases), e.seat: times}


def _closed(s: TableState, e: ev.TableClosed) -> None:
    if s.phase == "open":
        s.unbegun = True
    s.phase = "finished"
    _let_go(s)
    s.clock = None
    s.result = Result(e.reason, e.outcome, e.winners, e.score, e.cause)


def _key(s: TableState, e: ev.KeyPublished) -> None:
    s.key = e.key


_FOUND = (
    on(ev.TableOpened, _opened)
    | on(ev.PlayerInvited, _invited)
    | on(ev.InvitationWithdrawn, _uninvited)
    | on(ev.InvitationDeclined, _uninvited)
    | on(ev.SeatTaken, _taken)
    | on(ev.SeatLeft, _left)
    | on(ev.SeatReadied, _readied)
    | on(ev.TableStarted, _started)
    | on(ev.ClockStarted, _clock)
    | on(ev.SeatTimedOut, _timed_out)
    | on(ev.SeatWentAbsent, _absent)
    | on(ev.SeatReturned, _returned)
    | on(ev.SeatResigned, _resigned)
    | on(ev.TablePaused, _paused)
    | on(ev.TableResumed, _resumed)
    | on(pe.PauseProposed, _proposed)
    | on(pe.PauseAgreed, _agreed)
    | on(pe.PauseDeclined, _declined)
    | on(pe.PauseBegan, _pause_began)
    | on(pe.ResumptionAgreed, _resuming)
    | on(ev.StoreRestored, _restored)
    | on(ev.TimeExtended, _extended)
    | on(ev.InspectionBegan, _inspected)
    | on(ev.PhraseSaid, _said)
    | on(ev.TableClosed, _closed)
    | on(ev.KeyPublished, _key)
)

_ALL: Handlers[TableState, ev.TableEvent, None] = _FOUND

RECORDERS: Final[dict[type, Callable[[TableState, Any], None]]] = _ALL.by_type
"""What records each event of the table, by its type."""
