"""The bodies of requests and answers: the published contract.

Requests refuse unknown fields. In a version of the API, answers only ever gain fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from club.account_events import Scope
from club.accounts import LABEL_MAX, NAME_MAX
from events.kernel import Command, Decision, Event, Millis, Seat, Version
from events.names import NameOpening
from games.contract import TimeControl
from games.inspecting import EYES, InspectionReason
from games.table_events import (
    TABLE_COMMANDS,
    Delay,
    Reason,
    StartMode,
    Visibility,
)
from games.table_state import TableState
from projections.names import SeatName
from projections.rows import Row
from projections.shelf import house_shelf

API_VERSION: Final = "v1"
"""The first part of the path of whatever belongs to the API."""

EVENT_TYPES: Final[tuple[type[Event], ...]] = house_shelf().event_types
"""All events that a game's log may hold: several may have one tag, each in another game."""

COMMAND_TYPES: Final[tuple[type[Command], ...]] = TABLE_COMMANDS
"""All commands that a game's log may hold."""

PLAYER_ID: Final = r"^p[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}\Z"
GAME_ID: Final = r"^g[0-9a-f]{2}-[0-9a-hjkmnp-tv-z]{26}\Z"
VIEWER: Final = r"^(public|full|seat:[1-9][0-9]?)\Z"
SEATS_MAX: Final = 99
CHARACTERS_MAX: Final = 64
"""More than any game has; how many there may be is for the game to say."""

TEXT_MAX: Final = 200
INVITED_MAX: Final = 1000
"""More than any operator allows (``Settings.invitations_per_table``)."""

_Text = Annotated[str, Meta(max_length=TEXT_MAX)]
_Word = Annotated[str, Meta(min_length=1, max_length=64)]
_SeatNumber = Annotated[Seat, Meta(ge=1, le=SEATS_MAX)]
_PlayerId = Annotated[str, Meta(pattern=PLAYER_ID)]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all requests share: an unknown field is a mistake, not a wish."""


class _Answer(Struct, frozen=True, kw_only=True):
    """What all answers share."""


class NewPlayer(_Request, frozen=True, kw_only=True):
    """Become a player under a name that others see."""

    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX, examples=["Ada"])]


class NewToken(_Request, frozen=True, kw_only=True):
    """One more token: for yourself, or by the scope ``admin`` for another ``player``."""

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5, examples=[["bot"]])]
    label: Annotated[str, Meta(max_length=LABEL_MAX)] = ""
    player: _PlayerId | None = None


class NewGame(_Request, frozen=True, kw_only=True):
    """Open a table.

    ``start`` says when the game begins with every seat taken: ``auto`` at once, ``ready`` when all
    players have said so, ``host`` when the host says so. ``delay`` is how far behind its spectators
    are kept while it runs. ``programs`` false: only people sit down, neither players' programs nor
    house bots. ``scenario`` is an explicit situation.
    """

    rulebook: Annotated[_Word, Meta(examples=["first_edition"])]
    mode: Annotated[_Word, Meta(examples=["cooperation"])]
    seats: _SeatNumber
    game: _Word = "room25"
    options: Mapping[str, Any] = {}
    time: TimeControl = TimeControl()
    visibility: Visibility = "public"
    start: StartMode = "auto"
    invited: Annotated[tuple[_PlayerId, ...], Meta(max_length=INVITED_MAX)] = ()
    delay: Delay | None = None
    programs: bool = True
    scenario: Mapping[str, Any] | None = None


class NewInvitations(_Request, frozen=True, kw_only=True):
    """Invite players to a table of yours that has not begun, by their ids."""

    players: Annotated[tuple[_PlayerId, ...], Meta(min_length=1, max_length=INVITED_MAX)]


class NewSeat(_Request, frozen=True, kw_only=True):
    """Sit down; or, as the host, seat a house bot.

    Without ``seat`` it is the first free one, without ``characters`` the first free ones, without
    ``name`` your own; a house bot has none. The first ``entropy`` that you give at this table goes
    into the seed of every draw of the game: at most 64 characters of base64url. A house bot has
    none.
    """

    seat: _SeatNumber | None = None
    characters: Annotated[tuple[_Word, ...], Meta(max_length=CHARACTERS_MAX)] = ()
    name: Annotated[str, Meta(min_length=1, max_length=NAME_MAX)] | None = None
    bot: Annotated[_Word, Meta(examples=["steady"])] | None = None
    entropy: _Text = ""


class Choice(_Request, frozen=True, kw_only=True):
    """The option that you choose, by its id."""

    option: Annotated[str, Meta(min_length=1, max_length=TEXT_MAX, examples=["look+move"])]


class Pause(_Request, frozen=True, kw_only=True):
    """Stop the clock and the game."""

    reason: Reason = "unstated"


class Extension(_Request, frozen=True, kw_only=True):
    """More time for what the game waits for now."""

    seconds: Annotated[int, Meta(ge=1, le=24 * 3600)]
    reason: Reason = "unstated"


class Annulment(_Request, frozen=True, kw_only=True):
    """End the game without a result, and say why."""

    reason: Reason


class NewInspection(_Request, frozen=True, kw_only=True):
    """Look at a running game through ``eyes``: everybody's (``full``) or a seat's (``seat:2``)."""

    eyes: Annotated[str, Meta(pattern=EYES, examples=["seat:2"])]
    reason: InspectionReason


class TokenShown(_Answer, frozen=True, kw_only=True):
    """A token, shown this once. Keep ``token`` secret; ``id`` names it."""

    id: str
    player: str
    scopes: tuple[Scope, ...]
    label: str
    token: str


class TokenInfo(_Answer, frozen=True, kw_only=True):
    """What is known of a token. Times are milliseconds since 1970, UTC."""

    id: str
    scopes: tuple[Scope, ...]
    label: str
    issued_at: Millis
    revoked_at: Millis | None


class Tokens(_Answer, frozen=True, kw_only=True):
    """The tokens of a player, revoked ones too."""

    player: str
    tokens: tuple[TokenInfo, ...]


class PlayerInfo(_Answer, frozen=True, kw_only=True):
    """A player. One who has been ``deleted`` has no name any more."""

    id: str
    name: str | None
    registered_at: Millis
    deleted: bool = False


class PlayerRegistered(_Answer, frozen=True, kw_only=True):
    """A new player, with the first token."""

    id: str
    name: str
    token: TokenShown


class Happened(_Answer, frozen=True, kw_only=True):
    """An event as the caller may read it: what is secret to others is left out.

    ``event`` is one of the shapes of ``events.schema.json``.
    """

    v: Version
    event: Any


class Receipt(_Answer, frozen=True, kw_only=True):
    """An accepted command: the game is at ``version``, and ``events`` brought it there.

    ``at`` is the time of the command. A repeated command has the same receipt.
    """

    game: str
    version: Version
    at: Millis
    events: tuple[Happened, ...]


class InspectionReceipt(_Answer, frozen=True, kw_only=True):
    """Your inspection of a game, which its log tells at ``version``.

    From ``at`` until ``until`` (milliseconds since 1970, UTC) you may read with these ``eyes``, and
    with ``full`` as any seat too.
    """

    game: str
    version: Version
    at: Millis
    until: Millis
    eyes: str


class Links(_Answer, frozen=True, kw_only=True):
    """Where to go from a game."""

    self: str
    decisions: str
    events: str
    state: str
    names: str
    head: str
    record: str | UnsetType = UNSET


class GameView(_Answer, frozen=True, kw_only=True):
    """A game as ``viewer`` sees it at ``version``; what it does not know is null or missing.

    ``time`` is that of the last event; ``scenario`` marks tables that never count. ``names`` are
    those of the seats in ``state``, which is made of events alone and has only their seals.
    """

    id: str
    version: Version
    time: Millis
    viewer: str
    scenario: bool
    links: Links
    state: TableState
    names: Mapping[Seat, SeatName]


class GameNames(_Answer, frozen=True, kw_only=True):
    """The openings of the name seals in a game's events, by seal.

    A seal is the SHA-256 of the text ``parlour/name/1``, a zero byte, the ``salt`` and the ``name``
    in UTF-8, in base64url. Of a deleted player there is none.
    """

    game: str
    names: Mapping[str, NameOpening]


class HeadInfo(_Answer, frozen=True, kw_only=True):
    """The head of the hash chain (base64url) after the event ``version`` of ``time``.

    ``note`` is the signed note that says so (C2SP) and ``verifier`` the key that checks it; both
    are null for a service that does not sign.
    """

    game: str
    version: Version
    head: str
    time: Millis
    note: str | None
    verifier: str | None


class Decisions(_Answer, frozen=True, kw_only=True):
    """All that the caller's ``seats`` may choose ``now``, at ``version``.

    A decision that is not ``optional`` takes its ``default`` at its ``deadline``. ``status`` tells
    a table that waits for somebody else from one that has not begun, stands still or is over;
    ``held``: the store has lost a part of the game, and its director decides whether it goes on.
    """

    game: str
    version: Version
    now: Millis
    status: Literal["open", "live", "paused", "held", "finished"]
    seats: tuple[Seat, ...]
    decisions: tuple[Decision, ...]


class Opened(_Answer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A secret field that the caller may read, and the salt that opens its commitment."""

    salt: str
    value: Any


class BatchInfo(_Answer, frozen=True, kw_only=True, omit_defaults=True):
    """Who gave which command, on the first event that it made.

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
    """An event of the log: the bytes that are hashed, and ``opened``, what the caller may open.

    ``v`` is the version, ``at`` the time; ``seals`` are the commitments of the secret fields;
    ``shape`` tells older forms of a type apart.
    """

    at: Millis
    v: Version
    event: Any
    batch: BatchInfo | UnsetType = UNSET
    seals: Mapping[str, str] = {}
    shape: int = 1
    opened: Mapping[str, Opened] | UnsetType = UNSET


class EventPage(_Answer, frozen=True, kw_only=True):
    """Events of a game in order. ``next`` is the ``after`` of the page that follows."""

    game: str
    viewer: str
    next: Version
    events: tuple[msgspec.Raw, ...]


class GamePage(_Answer, frozen=True, kw_only=True):
    """Tables, the newest first. ``next`` is the cursor of the following page, if there is one."""

    games: tuple[Row, ...]
    next: str | None


class Exemption(_Answer, frozen=True, kw_only=True):
    """An address, or the /64 of an IPv6 one, and until when (ms, UTC) no limit by address holds."""

    address: str
    until: Millis


class Alive(_Answer, frozen=True, kw_only=True):
    """The process answers; ``version`` is that of the program."""

    version: str
    status: Literal["ok"] = "ok"


class ApiLinks(_Answer, frozen=True, kw_only=True):
    """Where everything else is found: documents of the API first, then what can be listed."""

    openapi: str
    asyncapi: str
    problems: str
    rulebooks: str
    games: str
    stream: str


class ApiInfo(_Answer, frozen=True, kw_only=True):
    """What answers here: the ``version`` of the program, and that of the ``api`` that it speaks."""

    service: str
    version: str
    api: str
    links: ApiLinks


class Ready(_Answer, frozen=True, kw_only=True):
    """Whether the process can read, check by check."""

    ready: bool
    checks: Mapping[str, bool]


class Writable(_Answer, frozen=True, kw_only=True):
    """Whether the process can append, check by check."""

    writable: bool
    checks: Mapping[str, bool]


class ProblemKind(_Answer, frozen=True, kw_only=True):
    """What a kind of problem means; ``titles`` by language."""

    type: str
    status: int
    title: str
    titles: Mapping[str, str]
    meaning: str


class ProblemKinds(_Answer, frozen=True, kw_only=True):
    """Every kind of problem."""

    problems: tuple[ProblemKind, ...]


encode: Final = msgspec.json.Encoder().encode
encode_sorted: Final = msgspec.json.Encoder(order="sorted").encode
"""One spelling for one content: what digests of requests are made of."""


def encode_canonical(value: object) -> bytes:
    """One spelling for one content, maps that go by numbers too (their keys become texts)."""
    try:
        return encode_sorted(value)
    except TypeError:  # the encoder sorts no numbers; few answers have them
        return encode_sorted(msgspec.to_builtins(value, str_keys=True))
