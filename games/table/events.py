"""The events and commands of a table, the same for every game (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from msgspec import UNSET, Struct, UnsetType, field

from events.kernel import AtEnd, Command, Event, Kept, OnlySeat, Public, Seat, TimestampMs
from games.contract import JsonValue, TimeControl
from games.table import pause_events as pe
from games.table.branch_origin import BranchOrigin

Visibility = Literal["public", "unlisted", "private"]
StartMode = Literal["auto", "ready", "host"]
Reason = Literal[
    "unstated",
    "break",
    "technical",
    "outage",
    "dispute",
    "misconduct",
    "mistake",
    "unbegun",
    "other",
]
"""Why a director stepped in: a code, because free text must not be hashed forever.

``outage`` and ``unbegun`` (the game never began) are given by the service itself.
"""

REASONS: Final[tuple[Reason, ...]] = get_args(Reason)


class Delay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far behind a running game its spectators are kept: by turns or by seconds, not both.

    ``turns`` 1 hides the current turn, 2 also the one before it, and so on; ``seconds`` hides what
    is not older than that. Players see everything at once, and everybody does after the end.
    """

    turns: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET


class TableOpened(Event, frozen=True, tag="table-opened"):
    """A table was opened; ``key_hash`` commits to the game key before anybody sits down.

    A branch of a finished game has its ``origin``, and ``laid``, the game's events up to there, by
    which its position is laid when it begins. ``tournament`` is the code of what the table is
    played for, if anything (``checks.check_tournament``).
    """

    game: Public[str]
    rulebook: Public[str]
    mode: Public[str]
    seats: Public[int]
    options: Public[Mapping[str, JsonValue]]
    time: Public[TimeControl]
    visibility: Public[Visibility]
    start: Public[StartMode]
    host: Public[str]
    invited: Public[tuple[str, ...]]
    scenario: Public[bool]
    key_hash: Public[str]
    key: AtEnd[str] = UNSET
    situation: AtEnd[Mapping[str, JsonValue]] = UNSET
    delay: Public[Delay | None] = None
    programs: Public[bool] = True
    origin: Public[BranchOrigin | None] = None
    laid: AtEnd[tuple[Mapping[str, JsonValue], ...]] = UNSET
    tournament: Public[str | None] = None


class PlayerInvited(Event, frozen=True, tag="player-invited"):
    """The host invited a player after the table was opened."""

    incidental = True
    player: Public[str]


class InvitationWithdrawn(Event, frozen=True, tag="invitation-withdrawn"):
    """The host withdrew an invitation."""

    incidental = True
    player: Public[str]


class InvitationDeclined(Event, frozen=True, tag="invitation-declined"):
    """A player declined an invitation."""

    incidental = True
    player: Public[str]


class SeatTaken(Event, frozen=True, tag="seat-taken"):
    """A player, or a house bot, sat down.

    ``name_seal`` commits to the name that the others are shown; it is "" for a house bot, see
    ``events.names``. ``program`` says that a player's program sat down, not a person; for a house
    bot ``bot`` says so. ``entropy`` goes into the seed of the game: the first that this player gave
    at this table, even if they have left since and given another. A house bot gives none.
    """

    seat: Public[Seat]
    player: Public[str]
    characters: Public[tuple[str, ...]]
    name_seal: Public[str] = ""
    bot: Public[str | None] = None
    entropy: Public[str] = ""
    program: Public[bool] = False


class SeatLeft(Event, frozen=True, tag="seat-left"):
    """A seat became free again before the game began."""

    seat: Public[Seat]


class SeatReadied(Event, frozen=True, tag="seat-readied"):
    """A player is ready to begin."""

    seat: Public[Seat]


class TableStarted(Event, frozen=True, tag="table-started"):
    """All seats are taken: the seed is fixed and the game begins."""


class ClockStarted(Event, frozen=True, tag="clock-started"):
    """The game is waiting; whoever has not answered by ``due`` gets the default."""

    incidental = True
    key: Public[str]
    since: Public[TimestampMs]
    due: Public[TimestampMs]


class SeatTimedOut(Event, frozen=True, tag="seat-timed-out"):
    """A seat's time ran out, and it gets defaults.

    ``strikes`` counts the turns in a row in which that happened, twice in one turn as once; where
    the class of the wait says so, it counts the waits.
    """

    incidental = True
    seat: Public[Seat]
    strikes: Public[int]


class SeatWentAbsent(Event, frozen=True, tag="seat-went-absent"):
    """A seat missed too much in a row; it gets its defaults at once until it returns."""

    incidental = True
    seat: Public[Seat]


class SeatReturned(Event, frozen=True, tag="seat-returned"):
    """A seat that had timed out acted again, or said that it is here; its strikes are gone."""

    incidental = True
    seat: Public[Seat]


class SeatResigned(Event, frozen=True, tag="seat-resigned"):
    """A player gave up and loses; from now on the seat gets defaults (R19)."""

    seat: Public[Seat]


class TablePaused(Event, frozen=True, tag="table-paused"):
    """The director stopped the clock and the game."""

    incidental = True
    at: Public[TimestampMs]
    reason: Public[Reason] = "unstated"


class TableResumed(Event, frozen=True, tag="table-resumed"):
    """The game was resumed; the running deadline moved by the length of the pause."""

    incidental = True
    since: Public[TimestampMs | None]
    due: Public[TimestampMs | None]


class StoreRestored(Event, frozen=True, tag="store-restored"):
    """All events after ``to_version`` are lost: the game had reached ``from_version``.

    The store began a new ``epoch`` without them. Players may remember what they saw, and the lost
    draws would come out the same again, so from ``at`` on the game is held until the director
    resumes or annuls it.
    """

    from_version: Public[int]
    to_version: Public[int]
    epoch: Public[int]
    at: Public[TimestampMs]


class TimeExtended(Event, frozen=True, tag="time-extended"):
    """The director moved the running deadline."""

    incidental = True
    due: Public[TimestampMs]
    reason: Public[Reason] = "unstated"


class InspectionBegan(Event, frozen=True, tag="inspection-began"):
    """An auditor may see what the public may not, from ``at`` to ``until``.

    ``account`` is the owner of the token. ``eyes`` (``full``, ``seat:2``) and ``reason`` are padded
    with spaces to a fixed length, so that nothing about them is revealed before the end. Reading
    during that time appends no further events.
    """

    incidental = True
    office: Public[Literal["audit"]]
    account: Public[str]
    at: Public[TimestampMs]
    until: Public[TimestampMs]
    eyes: AtEnd[str] = UNSET
    reason: AtEnd[str] = UNSET


class PhraseSaid(Event, frozen=True, tag="phrase-said"):
    """A player said a phrase of the game's to everybody, ``at`` a time (milliseconds, UTC).

    It was aimed at a ``place`` on the board, or at the player of the seat ``to``, or at nothing.
    """

    incidental = True
    seat: Public[Seat]
    phrase: Public[str]
    at: Public[TimestampMs]
    place: Public[str | None] = None
    to: Public[Seat | None] = None


class TableClosed(Event, frozen=True, tag="table-closed"):
    """The game ended, for whatever reason; ``winners`` are the seats that won.

    ``reason`` is ``finished``, ``abandoned`` (everybody resigned), ``annulled`` (by the director,
    for a ``cause``) or ``cancelled`` (by the host, before the game began); ``outcome`` is the
    game's own id for how it ended.
    """

    publishes = True
    reason: Public[Literal["finished", "abandoned", "annulled", "cancelled"]]
    outcome: Public[str]
    winners: Public[tuple[Seat, ...]]
    score: Public[int | None] = None
    cause: Public[Reason | None] = None


class KeyPublished(Event, frozen=True, tag="key-published"):
    """The game key, with which anybody can repeat every draw and open every commitment."""

    publishes = True
    key: Public[str]


class OpenTable(Command, frozen=True, tag="open-table"):
    """Open a table. ``key`` is the secret game key, 32 bytes in hexadecimal.

    If ``programs`` is False only people may sit down, neither players' programs nor house bots.
    ``origin`` and ``laid`` make it a branch; for these and ``tournament`` see ``TableOpened``.
    """

    game: Public[str]
    rulebook: Public[str]
    mode: Public[str]
    seats: Public[int]
    options: Public[Mapping[str, JsonValue]] = field(default_factory=dict)
    time: Public[TimeControl] = TimeControl()
    visibility: Public[Visibility] = "public"
    start: Public[StartMode] = "auto"
    invited: Public[tuple[str, ...]] = ()
    key: AtEnd[str] = UNSET
    situation: AtEnd[Mapping[str, JsonValue]] = UNSET
    delay: Public[Delay | None] = None
    programs: Public[bool] = True
    origin: Public[BranchOrigin | None] = None
    laid: AtEnd[tuple[Mapping[str, JsonValue], ...]] = UNSET
    tournament: Public[str | None] = None


class InvitePlayers(Command, frozen=True, tag="invite-players"):
    """Invite players by their ids (the host, before the game begins).

    ``limit`` is the total number of invitations that the service allows this table.
    """

    players: Public[tuple[str, ...]]
    limit: Public[int]


class WithdrawInvitation(Command, frozen=True, tag="withdraw-invitation"):
    """Withdraw a player's invitation (the host)."""

    player: Public[str]


class DeclineInvitation(Command, frozen=True, tag="decline-invitation"):
    """Decline one's own invitation."""


class CloseTable(Command, frozen=True, tag="close-table"):
    """Cancel a table whose game has not begun (the host)."""


class TakeSeat(Command, frozen=True, tag="take-seat"):
    """Sit down, or seat a house bot (the host only).

    ``seat`` None takes the first free one. ``name_seal`` commits to the name that the others are
    shown; a house bot has none. ``entropy`` goes into the seed, unless the player has given some at
    this table before; at most 64 characters of base64url, and none for a house bot. ``program``
    says that the player's program sits down.
    """

    seat: Public[Seat | None] = None
    characters: Public[tuple[str, ...]] = ()
    bot: Public[str | None] = None
    entropy: Public[str] = ""
    program: Public[bool] = False
    name_seal: Public[str] = ""


class LeaveSeat(Command, frozen=True, tag="leave-seat"):
    """Leave a seat before the game begins; the host may free any seat."""

    seat: Public[Seat]


class StartTable(Command, frozen=True, tag="start-table"):
    """Begin: the host at a full table, or a player who is ready."""


class Choose(Command, frozen=True, tag="choose"):
    """Choose an option of an open decision; everybody may see the choice."""

    seat: Public[Seat]
    decision: Public[str]
    option: Public[str]


class ChooseSecretly(Command, frozen=True, tag="choose-secretly"):
    """Choose an option of an open decision; only the seat may see the choice for now."""

    seat: Public[Seat]
    decision: Public[str]
    option: OnlySeat[str] = UNSET


class ChooseSealed(ChooseSecretly, frozen=True, tag="choose-sealed"):
    """Choose an option of an open decision; the choice stays the seat's own if it never counts."""

    option: Kept[str] = UNSET


class SayPhrase(Command, frozen=True, tag="say-phrase"):
    """Say a phrase of the game's to everybody, aimed at a place, at the seat ``to``, or at nothing.

    There is no free text: the game lists its phrases, and what each may be aimed at.
    """

    seat: Public[Seat]
    phrase: Public[str]
    place: Public[str | None] = None
    to: Public[Seat | None] = None


class TimeOut(Command, frozen=True, tag="time-out"):
    """Give defaults to those who have not answered the wait ``key`` in time."""

    key: Public[str]


class PauseTable(Command, frozen=True, tag="pause-table"):
    """Stop the clock and the game (the director)."""

    reason: Public[Reason] = "unstated"


class ResumeTable(Command, frozen=True, tag="resume-table"):
    """Continue after a pause, or although the store has lost part of the game (the director)."""


class HoldTable(Command, frozen=True, tag="hold-table"):
    """Hold a game of which the store has lost the latest events (the director).

    ``known`` is the version that the game was last known to have reached, ``kept`` the newest one
    that is left, ``epoch`` the epoch of the store that begins without the rest.
    """

    known: Public[int]
    kept: Public[int]
    epoch: Public[int]


class ExtendTime(Command, frozen=True, tag="extend-time"):
    """Give ``seconds`` more for what the game is waiting for now (the director)."""

    seconds: Public[int]
    reason: Public[Reason] = "unstated"


class AnnulTable(Command, frozen=True, tag="annul-table"):
    """End the game without a result (the director)."""

    reason: Public[Reason] = "unstated"


class InspectGame(Command, frozen=True, tag="inspect-game"):
    """See what the public may not see, for ``seconds`` from now on (an auditor).

    ``eyes`` and ``reason`` are padded as in ``InspectionBegan``.
    """

    seconds: Public[int]
    eyes: AtEnd[str] = UNSET
    reason: AtEnd[str] = UNSET


TableEvent = (
    TableOpened
    | PlayerInvited
    | InvitationWithdrawn
    | InvitationDeclined
    | SeatTaken
    | SeatLeft
    | SeatReadied
    | TableStarted
    | ClockStarted
    | SeatTimedOut
    | SeatWentAbsent
    | SeatReturned
    | SeatResigned
    | TablePaused
    | TableResumed
    | pe.PauseProposed
    | pe.PauseAgreed
    | pe.PauseDeclined
    | pe.PauseBegan
    | pe.ResumptionAgreed
    | StoreRestored
    | TimeExtended
    | InspectionBegan
    | PhraseSaid
    | TableClosed
    | KeyPublished
)

TABLE_EVENTS: Final[tuple[type[Event], ...]] = get_args(TableEvent)

TableCommand = (
    OpenTable
    | InvitePlayers
    | WithdrawInvitation
    | DeclineInvitation
    | CloseTable
    | TakeSeat
    | LeaveSeat
    | StartTable
    | Choose
    | ChooseSecretly
    | ChooseSealed
    | SayPhrase
    | TimeOut
    | pe.ProposePause
    | pe.VoteOnPause
    | pe.EndPause
    | PauseTable
    | ResumeTable
    | HoldTable
    | ExtendTime
    | InspectGame
    | AnnulTable
)

TABLE_COMMANDS: Final[tuple[type[Command], ...]] = get_args(TableCommand)
