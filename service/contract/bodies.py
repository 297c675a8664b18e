"""The bodies of requests and answers: the published contract.

Requests refuse unknown fields. Within a version of the API, answers only gain fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from club.account_events import Origin, Scope
from club.accounts import LABEL_MAX, NAME_MAX
from events.durability import Durability
from events.kernel import Command, Decision, Event, Option, Seat, TimestampMs, Version
from events.names import NameOpening
from games.contract import TimeControl
from games.game_registry import installed_games
from games.registry import DEFAULT_GAME, GAMES
from games.table.events import TABLE_COMMANDS, Delay, Reason, StartMode, Visibility
from games.table.inspections import EYES, InspectionReason
from games.table.pause_events import PauseVote
from games.table.state import TableState
from projections.asked import AskedSeat
from projections.names import SeatName
from projections.rows import Row
from service.contract.passkey_bodies import PasskeyInfo

API_VERSION: Final = "v1"
"""The first segment of every path of the API."""

EVENT_TYPES: Final[tuple[type[Event], ...]] = installed_games().event_types
"""All events that a game's log may hold; events of different games may share a tag."""

COMMAND_TYPES: Final[tuple[type[Command], ...]] = TABLE_COMMANDS
"""All commands that a game's log may hold."""

_SHOWCASE: Final = GAMES[DEFAULT_GAME].published.showcase

PLAYER_ID: Final = r"^p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}\Z"
GAME_ID: Final = r"^g[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}\Z"
VIEWER: Final = r"^(public|full|seat:[1-9][0-9]?)\Z"
LARGEST_VERSION: Final = 2**31
SEATS_MAX: Final = 99
CHARACTERS_MAX: Final = 64
"""More than any game has; the game sets the actual limit."""

TEXT_MAX: Final = 200
INVITED_MAX: Final = 1000
"""More than any operator allows (``Settings.invitations_per_table``)."""

_Text = Annotated[str, Meta(max_length=TEXT_MAX)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[Seat, Meta(ge=1, le=SEATS_MAX)]
PlayerId = Annotated[str, Meta(pattern=PLAYER_ID)]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all requests share: an unknown field is an error."""


class _Answer(Struct, frozen=True, kw_only=True):
    """What all answers share."""


class NewPlayer(_Request, frozen=True, kw_only=True):
    """Register as a player under a name that others see."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX, examples=["Ada"])]


class NewName(_Request, frozen=True, kw_only=True):
    """What you are called from now on."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX, examples=["Ada"])]


class NewToken(_Request, frozen=True, kw_only=True):
    """Another token: for yourself or, with the scope ``admin``, for another ``player``."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5, examples=[["bot"]])]
    label: Annotated[str, Meta(max_length=LABEL_MAX)] = ""
    player: PlayerId | None = None


class NewLabel(_Request, frozen=True, kw_only=True):
    """What a token is called from now on; "" for nothing."""

    label: Annotated[str, Meta(max_length=LABEL_MAX, examples=["the kitchen tablet"])]


class NewGame(_Request, frozen=True, kw_only=True):
    """Open a table.

    ``start`` says when the game begins once every seat is taken: ``auto`` at once, ``ready`` when
    all players have declared themselves ready, ``host`` when the host starts it. ``delay`` is how
    far spectators are kept behind while it runs. With ``programs`` false, only people may take
    seats, neither players' programs nor house bots. ``scenario`` is an explicit situation.
    ``tournament`` is a code of your choice under which its tables are found: everybody can see it,
    and it is kept for ever, so it has to be no person's name.
    """

    rulebook: Annotated[Word, Meta(examples=[_SHOWCASE.rulebook])]
    mode: Annotated[Word, Meta(examples=[_SHOWCASE.mode])]
    seats: SeatNumber
    game: Word = DEFAULT_GAME
    options: Mapping[str, Any] = {}
    time: TimeControl = TimeControl()
    visibility: Visibility = "public"
    start: StartMode = "auto"
    invited: Annotated[tuple[PlayerId, ...], Meta(max_length=INVITED_MAX)] = ()
    delay: Delay | None = None
    programs: bool = True
    tournament: Annotated[Word | None, Meta(examples=["spring-cup"])] = None
    scenario: Mapping[str, Any] | None = None


class NewInvitations(_Request, frozen=True, kw_only=True):
    """Invite players, by their ids, to a table of yours that has not begun."""

    players: Annotated[tuple[PlayerId, ...], Meta(min_length=1, max_length=INVITED_MAX)]


class NewSeat(_Request, frozen=True, kw_only=True):
    """Take a seat or, as the host, seat a house bot.

    ``seat`` and ``characters`` default to the first free ones, ``name`` to your own. The first
    ``entropy`` that you give at this table goes into the seed of every draw of the game: at most 64
    characters of base64url. A house bot takes neither ``name`` nor ``entropy``.
    """

    seat: SeatNumber | None = None
    characters: Annotated[tuple[Word, ...], Meta(max_length=CHARACTERS_MAX)] = ()
    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX)] | None = None
    bot: Annotated[Word, Meta(examples=["steady"])] | None = None
    entropy: _Text = ""


class NewRematch(_Request, frozen=True, kw_only=True):
    """Play a finished game again, in your old seat. ``entropy`` is as in ``NewSeat``."""

    entropy: _Text = ""


class Choice(_Request, frozen=True, kw_only=True):
    """The chosen option, by its id: a leaf, at whatever level; the id is the whole path to it."""

    option: Annotated[str, Meta(min_length=1, max_length=TEXT_MAX, examples=["look+move"])]


class Pause(_Request, frozen=True, kw_only=True):
    """Stop the clock and the game."""

    reason: Reason = "unstated"


class Extension(_Request, frozen=True, kw_only=True):
    """More time for the decisions that the game is waiting for."""

    seconds: Annotated[int, Meta(ge=1, le=24 * 3600)]
    reason: Reason = "unstated"


class Annulment(_Request, frozen=True, kw_only=True):
    """End the game without a result, with a reason."""

    reason: Reason


class NewPhrase(_Request, frozen=True, kw_only=True):
    """Say a phrase to everybody at the table.

    ``phrase`` is one of the rulebook's ``phrases``, whose ``aims`` say whether it takes a ``place``
    on the board, the seat ``to``, or nothing.
    """

    phrase: Annotated[Word, Meta(examples=["hello"])]
    place: Word | None = None
    to: SeatNumber | None = None


class NewPause(_Request, frozen=True, kw_only=True):
    """Propose a pause of so many minutes: a day at most."""

    minutes: Annotated[int, Meta(ge=1, le=24 * 60, examples=[10])]


class NewPauseVote(_Request, frozen=True, kw_only=True):
    """Answer a proposed pause (``agree``, ``decline``), or ``resume`` before its time is over."""

    vote: PauseVote


class NewInspection(_Request, frozen=True, kw_only=True):
    """Inspect a running game in the view ``eyes``: ``full`` or a seat's (``seat:2``)."""

    eyes: Annotated[str, Meta(pattern=EYES, examples=["seat:2"])]
    reason: InspectionReason


class TokenShown(_Answer, frozen=True, kw_only=True):
    """A token, shown only once. Keep ``token`` secret; ``id`` identifies it."""

    id: str
    player: str
    scopes: tuple[Scope, ...]
    label: str
    token: str


class TokenInfo(_Answer, frozen=True, kw_only=True):
    """A token without its secret. Times are milliseconds since 1970, UTC.

    ``origin`` is how it came about, ``last_used_at`` the hour in which it was last used, null if
    that is not known, and ``current`` says that it is the one that you have sent.
    """

    id: str
    scopes: tuple[Scope, ...]
    label: str
    origin: Origin
    issued_at: TimestampMs
    last_used_at: TimestampMs | None
    revoked_at: TimestampMs | None
    current: bool


class DeviceLinkInfo(_Answer, frozen=True, kw_only=True):
    """A device link that can still be used, without its secret."""

    id: str
    expires_at: TimestampMs


class Tokens(_Answer, frozen=True, kw_only=True):
    """The tokens and the passkeys of a player, including revoked ones.

    ``device_link`` is the one that can still be used, if there is one; ``recovery_file_made_at`` is
    when the recovery file was made that is good now (milliseconds since 1970, UTC).
    """

    player: str
    tokens: tuple[TokenInfo, ...]
    device_link: DeviceLinkInfo | None
    recovery_file_made_at: TimestampMs | None
    passkeys: tuple[PasskeyInfo, ...]


class PlayerInfo(_Answer, frozen=True, kw_only=True):
    """A player. One who has been ``deleted`` no longer has a name."""

    id: str
    name: str | None
    registered_at: TimestampMs
    deleted: bool = False


class PlayerRegistered(_Answer, frozen=True, kw_only=True):
    """A new player, with the first token."""

    id: str
    name: str
    token: TokenShown


class Happened(_Answer, frozen=True, kw_only=True):
    """An event as the caller may read it, without the secrets of others.

    ``event`` is one of the shapes of ``events.schema.json``.
    """

    v: Version
    event: Any


class Receipt(_Answer, frozen=True, kw_only=True):
    """An accepted command: the game is at ``version``, and ``events`` brought it there.

    ``at`` is the time of the command. ``durability`` is where it is kept: ``local``, on the disk of
    one machine, ``replicated``, on those of two, or ``journaled``, on one and in a journal outside
    of the store. A repeated command has the same receipt; but one that was answered 202, before it
    was kept as the service promises, has its events only when it is.
    """

    game: str
    version: Version
    at: TimestampMs
    events: tuple[Happened, ...]
    durability: Durability


class RematchInfo(_Answer, frozen=True, kw_only=True):
    """The rematch of ``game``: the id of its table, or null if you know of none.

    ``host`` is the seat of the player who proposed it, null if that player does not sit there now;
    ``missing`` are the seats of the old game in which nobody sits yet. ``status`` is that of the
    table.
    """

    game: str
    rematch: str | None
    status: Literal["open", "live", "finished"] | None
    host: Seat | None
    missing: tuple[Seat, ...]


class InspectionReceipt(_Answer, frozen=True, kw_only=True):
    """Your inspection of a game, recorded in its log at ``version``.

    From ``at`` until ``until`` (milliseconds since 1970, UTC) you may read the view ``eyes``;
    ``full`` includes every seat's view. ``durability`` is where this is kept; see ``Receipt``.
    """

    game: str
    version: Version
    at: TimestampMs
    until: TimestampMs
    eyes: str
    durability: Durability


class Links(_Answer, frozen=True, kw_only=True):
    """Links from a game."""

    self: str
    decisions: str
    events: str
    state: str
    names: str
    head: str
    record: str | UnsetType = UNSET


class GameView(_Answer, frozen=True, kw_only=True):
    """A game as ``viewer`` sees it at ``version``; what is hidden from it is null or missing.

    ``time`` is that of the last event; ``scenario`` marks tables that are never rated. ``names``
    are those of the seats in ``state``, which is folded from events and contains only their seals.
    Up to ``durable_version`` the game is kept as the service promises; nothing else is shown.
    ``asked`` are the decisions that the game waits for at this version, one for each that is still
    unanswered: everybody may know them. There are none in the middle of a batch of events.
    """

    id: str
    version: Version
    durable_version: Version
    time: TimestampMs
    viewer: str
    scenario: bool
    links: Links
    asked: tuple[AskedSeat, ...]
    state: TableState
    names: Mapping[Seat, SeatName]


class GameNames(_Answer, frozen=True, kw_only=True):
    """The openings of the name seals in a game's events, by seal.

    A seal is the SHA-256 of the text ``parlour/name/1``, a zero byte, the ``salt`` and the ``name``
    in UTF-8, in base64url. A deleted player has no opening. ``renamed`` are the present names of
    players who have been renamed since, by seal: nothing opens that of a former name any more.
    """

    game: str
    names: Mapping[str, NameOpening]
    renamed: Mapping[str, str]


class HeadInfo(_Answer, frozen=True, kw_only=True):
    """The head of the hash chain (base64url) after the event ``version`` of ``time``.

    ``note`` is the signed note that states it (C2SP) and ``verifier`` the key that verifies it;
    both are null if the service does not sign.
    """

    game: str
    version: Version
    head: str
    time: TimestampMs
    note: str | None
    verifier: str | None


class Decisions(_Answer, frozen=True, kw_only=True):
    """The decisions open to the caller's ``seats`` at the time ``now``, at ``version``.

    A decision that is not ``optional`` takes its ``default`` at its ``deadline``. ``status`` tells
    whether the game has not begun, is live (and may be waiting for others), paused or over;
    ``held``: the store has lost part of the game, and its director decides whether it goes on. Up
    to ``durable_version`` the game is kept as the service promises.
    """

    game: str
    version: Version
    durable_version: Version
    now: TimestampMs
    status: Literal["open", "live", "paused", "held", "finished"]
    seats: tuple[Seat, ...]
    decisions: tuple[Decision, ...]


class Options(_Answer, frozen=True, kw_only=True):
    """The options below the branch ``option`` of an open decision of the caller, at ``version``.

    They are leaves, which can be chosen, and perhaps further branches. No list is empty.
    """

    game: Annotated[str, Meta(examples=["g00-01jdq3v5k8m2n4p6r7s9t0w1xy"])]
    version: Annotated[Version, Meta(examples=[57])]
    decision: Annotated[str, Meta(examples=["t3-deal-s1"])]
    option: Annotated[str, Meta(examples=["trade.s2"])]
    options: Annotated[
        tuple[Option, ...],
        Meta(examples=[[{"id": "trade.s2.wood-wool"}, {"id": "trade.s2.gift", "branch": True}]]),
    ]


class Opened(_Answer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A secret field that the caller may read, with the salt that opens its commitment."""

    salt: str
    value: Any


class BatchInfo(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """Who issued which command, on the first event that it produced.

    ``by`` is ``<kind>:<id>``; ``seals`` are the commitments of its secret fields, ``rules`` the
    tag of the rules that judged it.
    """

    by: str
    command: Any
    id: str
    rules: str
    seals: Mapping[str, str] = {}
    shape: int = 1


class LoggedEvent(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """An event of the log: the hashed bytes, and ``opened``, what the caller may open.

    ``v`` is the version, ``at`` the time; ``seals`` are the commitments of the secret fields;
    ``shape`` distinguishes older forms of a type.
    """

    at: TimestampMs
    v: Version
    event: Any
    batch: BatchInfo | UnsetType = UNSET
    seals: Mapping[str, str] = {}
    shape: int = 1
    opened: Mapping[str, Opened] | UnsetType = UNSET


class EventPage(_Answer, frozen=True, kw_only=True):
    """Events of a game in order. ``next`` is the ``after`` of the next page.

    Up to ``durable_version`` the game is kept as the service promises; it is that of the last event
    here, or that of the game if there is none.
    """

    game: str
    viewer: str
    next: Version
    durable_version: Version
    events: tuple[msgspec.Raw, ...]


class GamePage(_Answer, frozen=True, kw_only=True):
    """Tables, newest first. ``next`` is the cursor of the next page, if there is one."""

    games: tuple[Row, ...]
    next: str | None


class Exemption(_Answer, frozen=True, kw_only=True):
    """An address (IPv6: its /64) that is exempt from the limits per address ``until`` (ms, UTC)."""

    address: str
    until: TimestampMs


encode: Final = msgspec.json.Encoder().encode
encode_sorted: Final = msgspec.json.Encoder(order="sorted").encode
"""The same content always gives the same bytes, from which digests of requests are computed."""


def encode_canonical(value: object) -> bytes:
    """As ``encode_sorted``, also for maps with numeric keys, which become strings."""
    try:
        return encode_sorted(value)
    except TypeError:  # the encoder cannot sort numeric keys; few answers have them
        return encode_sorted(msgspec.to_builtins(value, str_keys=True))
