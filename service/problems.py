"""Every problem that the service can answer with: its code, its status and what it means.

The answer is an RFC 9457 document. Its ``type`` is ``/problems/<code>``, which the service itself
serves, and ``docs/problems.md`` is made from this table. Codes never change their meaning and are
never reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

PROBLEM_JSON: Final = "application/problem+json"


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of problem, the same for everybody who meets it.

    ``game`` is the id of the game whose rules raise it; None: the service itself or any table.
    """

    code: str
    status: int
    title: str
    meaning: str
    game: str | None = None

    @property
    def key(self) -> str:
        """The message key of its title, as ``problem.seat-taken``; a game's begins with its id."""
        own = f"problem.{self.code}"
        return own if self.game is None else f"{self.game}/{own}"


Source = Literal["body", "query", "path", "header", "cookie", "request"]
"""The part of a request that is wrong; ``request``: all of it."""


class Flaw(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong with one part of a request: where (``source`` and a path in it), and what."""

    source: Source
    at: str
    message: str


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A problem document (RFC 9457). Programs go by ``type``; people read ``detail``."""

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[Flaw, ...] = ()


class Refused(Exception):
    """The service itself says no, before or beside any rule.

    ``code`` stands in ``KINDS``; ``detail`` is one sentence free of other people's secrets;
    ``headers`` go with the answer.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Iterable[Flaw] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.headers = dict(headers or {})


_TRANSPORT = """
400 malformed-body | The body is not JSON
  The bytes do not parse as JSON text in UTF-8, are nested too deeply, or the body is missing.
400 invalid-parameter | A parameter is not valid
  A path, query or header parameter is missing, unknown or outside its range; `errors` says which.
400 bad-cursor | The cursor is not one of ours
  Cursors are opaque: take them from a `Link` header or from `next`, and use them unchanged.
400 bad-request | The request cannot be understood
  Something about the request breaks HTTP itself, or could be read in two ways, as two unlike
  lengths of a body. The connection ends, and nothing behind the request is read.
400 idempotency-key-missing | A key is needed
  Every POST carries an `Idempotency-Key`, so that it can be repeated safely.
400 idempotency-key-invalid | The key is not valid
  A key has 1 to 128 visible ASCII characters; for a registration at least 16, chosen at random.
401 token-needed | A token is needed
  This is for players only: send `Authorization: Bearer <token>`.
401 token-invalid | The token opens nothing
  It is malformed, unknown or revoked.
403 scope-missing | The token does not allow this
  It is valid, but has none of the scopes that this needs.
403 origin-not-allowed | This site may not ask for that
  Registering, and using a token with the scope `admin` or `audit`, is for pages of the sites that
  the operator has listed. A service on one machine alone takes nothing from pages of other sites.
403 view-not-yours | This view is not yours
  A seat's view is for whoever holds the seat; the full view is for everybody after the end. While
  the game runs, the scope `audit` has both inside an inspection, for who does not sit at the table.
403 inspection-needed | An inspection is needed
  Whoever audits a running game says so first: `POST /v1/games/{game}/inspections` with the eyes and
  a reason. An inspection ends after 15 minutes, if the operator has not said otherwise, and is for
  the account that began it.
404 not-found | There is nothing here
  No resource has this address.
404 game-not-found | There is no such game
  No game has this id, or it is private and you are not invited: both look the same on purpose.
404 player-not-found | There is no such player
  No player has this id.
404 rulebook-not-found | There is no such rulebook
  `GET /v1/rulebooks` lists them.
404 problem-not-found | There is no such kind of problem
  `GET /problems` lists them.
404 version-not-found | The game has no such version
  Versions run from 1 to the newest event. With `wait`, the service waits for the version first.
404 turn-not-found | The game has had no such turn
  Turns run from 1 to the running one.
405 method-not-allowed | This method does not go here
  `Allow` lists the methods that do.
406 not-acceptable | No form of this suits you
  Events come as `application/json` and `application/x-ndjson`; everything else comes as JSON.
408 request-too-slow | The request came too slowly
  A header section has ten seconds to come and a body thirty, if the operator has not said
  otherwise. The connection ends.
409 ahead-of-time | The time of this is ahead of the clock
  A clock was wrong when the last event was stamped, and time in a log never runs backwards. It goes
  on by itself when that time has come; a game's director can have it go on at once, by any command,
  as pause and resume.
409 game-not-finished | The game is not over
  Records are for finished games: they hold every secret.
412 version-changed | The game has moved on
  The version that `If-Match` names is not the newest one; for a choice, something has happened in
  the game itself since then. Nothing has happened by this command.
413 body-too-large | The body is too large
  A body has at most 65,536 bytes.
414 address-too-long | The address is too long
  A request line and its header section have at most 32,768 bytes together. The connection ends.
415 unsupported-media-type | Only JSON is read here
  Send `Content-Type: application/json`.
421 misdirected-request | The service goes by another name
  `Host` does not name this service. One that listens on its own machine alone goes by `localhost`,
  by loopback addresses and by the host of its public address.
422 invalid-body | The body does not fit
  It is JSON, but a field is missing, unknown, given twice, of another type or out of range;
  `errors` says which.
422 idempotency-key-reused | This key stands for another request
  The key was used before, by the same player and on the same game or account, for something else.
429 rate-limited | Too many requests
  Wait as many seconds as `Retry-After` says. Commands, reads and registrations have budgets of
  their own.
429 too-many-connections | Too many connections from this address
  An address, or an IPv6 network of 64 bits, has at most 256 connections at once, or requests under
  way if they come by a proxy. Keep connections open and use them again. For a school or a club the
  operator can lift that for a day.
429 too-many-streams | Too many open streams
  A player may have so many streams open and long polls waiting at once, and so may all who come
  from one address without a token. Close one, or try again when `Retry-After` says.
431 headers-too-large | The header section is too large
  A request line and its header section have at most 32,768 bytes and 100 fields; chunk sizes,
  their extensions and trailers have as many bytes again. The connection ends.
500 internal-error | The service is broken here
  It is our fault and has been logged under the request id. A command may or may not have happened:
  repeat it under the same key.
500 history-contradicted | The log is not the one that was signed
  The service has signed a head that is no part of what is stored now: the store has lost or changed
  events. Nothing more is signed of this game until an operator has looked at it.
500 stream-damaged | The log does not add up
  What is stored contradicts itself; the game stands still until an operator has looked at it.
501 game-not-played | This program does not play the game
  The table is there, but of a game whose rules this program does not have: it is older than the
  game, or was made without it. Nothing is lost, and a program that plays it can go on.
503 no-free-connection | The service has no connection left
  Too many callers are connected to this process. Try again when `Retry-After` says.
503 store-unavailable | The store does not answer
  Repeat the request after `Retry-After` seconds; a command under the same key, and it happens once.
503 store-full | The store has no room for this
  It is filling up, so first nobody opens a table or registers, then nobody sits down, in the end
  nobody chooses; until there is room again no time runs out that one cannot use. Nothing has
  happened; repeat the command under the same key when `Retry-After` says.
503 store-behind | The store is not the one that is known
  It is another store, or has lost something that this process has seen, so nothing is written until
  an operator has dealt with it; or the process has just been started and waits to be told how far
  the store had come. Nothing has happened; what is there can be read.
503 clock-skew | The clocks of the service disagree
  This process's clock is wrong, so it decides and writes nothing until that is mended. Repeat the
  request: another process may take it.
503 deadlines-moving | The deadlines are about to be moved
  The service could not be reached for a while, and that time is not the players': the deadlines of
  all running games are being moved by it. Repeat the command under the same key.
503 too-busy | Too many commands at once
  Others kept changing the same game. Nothing has happened; repeat the command under the same key.
"""

_CLUB = """
403 not-your-account | Somebody else's account
  A token works on the account that it belongs to.
403 scope-not-granted | The token may not give or take these scopes
  A token hands out and revokes scopes that it has itself; only `admin` goes beyond.
404 unknown-account | There is no such account
  Nobody has registered under this id.
404 unknown-token | There is no such token
  The account has no token of this id.
409 account-exists | The account exists
  This id has been registered before.
409 token-exists | The token exists
  This token id has been handed out before.
409 token-revoked | The token has been revoked
  It opens nothing any more, and cannot be revoked twice.
409 too-many-tokens | Too many tokens
  An account has at most 20 live tokens, if the operator has not said otherwise: revoke one first.
409 too-many-names | Too many names
  An account has used 256 different names, those of its tokens among them: use one of these again.
410 account-deleted | The account has been deleted
  Its tokens open nothing, its names are erased, and none of this can be taken back.
422 bad-name | The name will not do
  A name has 1 to 40 printable characters, and no space at either end.
422 bad-label | The label will not do
  A label has at most 80 printable characters.
422 bad-scopes | The scopes will not do
  A token has at least one scope, and each only once.
422 person-or-program | A token is a person's or a program's
  No token has both of `play` and `bot`: give your program one of its own.
429 too-many-registrations | Too many new players from this address
  So many players may register from one address a day. For a school or a club the operator can lift
  that for a day.
"""

_TABLE = """
403 not-invited | The table is for invited players
  Only the host and those it has invited sit down at a private table.
403 not-seated | You do not sit at this table
  Only players of the table do this.
403 not-your-seat | The seat is not yours
  Somebody else sits there.
403 no-programs | The table is for people
  Neither programs nor house bots sit down here: its host has said so when opening it.
403 wrong-kind-of-token | Who sat down here plays otherwise
  A seat that a person took is played with the scope `play`, and one that a program took with `bot`.
403 not-the-host | Only the host does this
  The host is whoever opened the table.
403 not-the-director | Only the director does this
  A table is directed by its host with the scope `organise`, or by the scope `admin`.
403 not-an-auditor | Only an auditor does this
  A game is inspected with the scope `audit`.
403 inspection-by-player | Who sits at the table does not inspect it
  You play this game, so you see what your seat may see, whatever your token allows.
404 unknown-seat | There is no such seat, or nobody in it
  Seats are counted from 1.
404 unknown-invitation | There is no such invitation
  It was declined or withdrawn, or there never was one.
409 table-exists | The table has been opened before
  A table is opened once.
409 table-not-open | The table is not open
  The game has begun or ended: nobody sits down or leaves any more.
409 too-many-tables | Too many tables that have not begun
  You have opened as many tables as may wait for players at a time. Begin one of them; a table that
  has not begun within a day ends by itself.
409 too-many-bot-games | Too many games of house bots alone
  As many games as you may let house bots play among themselves are running already.
409 game-not-live | The game has not begun
  It begins when every seat is taken and, depending on the table, the players or the host say so.
409 game-over | The game is over
  Nothing can be chosen or directed any more.
409 table-paused | The game is paused
  The director has stopped the clock; nobody chooses until the game is resumed.
409 table-not-paused | The game is not paused
  There is nothing to resume.
409 game-held | The game is held
  The store has lost a part of the game, so its players may know what comes next. Its director
  resumes it, from what is there, or annuls it.
409 restored-before | The game has been restored before
  A game is restored at most once in each epoch of the store; whoever knows of a later version of an
  earlier life knows of nothing that is to come.
409 nothing-lost | Nothing of the game is lost
  The store holds every version of it that was known.
409 table-not-full | There are free seats
  The game begins with every seat taken.
409 seat-taken | The seat is taken
  Somebody sits there.
409 name-taken | Somebody here has this name
  Nobody sits at a table under a name that another has there, case and width of letters aside. Sit
  down under another `name`; what house bots are called belongs to them.
409 no-free-seat | Every seat is taken
  Look for another table.
409 too-many-leavings | Seats are not given up any more
  Seats of this table have become free sixteen times. The game begins with those who sit, or the
  director annuls it.
409 already-seated | You have a seat here
  A player has one seat at a table.
409 already-invited | The player has been invited
  The invitation stands already; a host needs none.
409 player-seated | The player sits there already
  Who has a seat at the table needs no invitation.
409 already-ready | You have said so
  You are ready, and the others may not be.
409 decision-not-open | The decision is not open for you
  It was answered, ran out, has not come up, is somebody else's or never existed: these all look the
  same, because which decisions others have can be a secret. Read `decisions` again.
409 choice-not-secret | The choice is made in public
  The decision changed its kind while the command was on its way. Repeat it.
409 choice-not-public | The choice must be handed in secretly
  The decision changed its kind while the command was on its way. Repeat it.
409 deadline-passed | The time is over
  The choice came after the deadline; the default stands, whether or not a worker had been there.
409 nothing-due | The game does not wait for this
  The time-out has been run, or somebody answered in time.
409 not-due-yet | The time is not over
  A time-out runs a quarter of a second after the deadline.
422 too-many-invitations | Too many invitations
  A table invites at most 50 players, if the operator has not said otherwise; invitations that were
  declined or withdrawn count too.
422 bad-time-control | The time limits will not do
  A limit has 1 second to 14 days, `absent_after` 1 to 100, `bot_pace_ms` 0 to 60,000.
422 bad-delay | The delay will not do
  A delay for spectators has either 1 to 100 `turns` or 1 to 86,400 `seconds`.
422 bad-inspection | The inspection will not do
  It has the eyes `full` or of a seat, one of the reasons that there are, and lasts 1 second to a
  day.
422 bad-entropy | The entropy will not do
  Entropy is at most 64 of the characters `A-Z`, `a-z`, `0-9`, `-` and `_`: it is hashed for ever,
  so it must be no place for names or notes.
422 bot-with-entropy | A house bot has no entropy
  Only who plays adds to the seed: whoever chose a house bot's share, seated last, could try until
  the deal suits them.
422 bot-with-name | A house bot has no name of yours
  It is called by its kind and its seat.
422 bad-extension | The extension will not do
  An extension has 1 second to 24 hours.
422 unknown-bot | There is no such house bot
  `GET /v1/rulebooks` names the house bots.
422 unknown-game | There is no such game to play
  The service has no rules for it.
422 option-not-offered | The option is not offered
  An option is one of the ids that `decisions` lists.
"""

_ROOM25 = """
409 character-taken | Somebody plays this character
  Choose another, or leave it to the table.
409 unknown-decision | The decision is not open
  The same as `decision-not-open`, found out a step later.
422 unknown-rulebook | There is no such rulebook
  `GET /v1/rulebooks` lists them.
422 unknown-mode | The rulebook has no such mode
  `GET /v1/rulebooks/{rulebook}` lists them.
422 bad-seat-count | The mode is not for so many players
  The rulebook says how many it is for.
422 unknown-option | The mode has no such option
  The rulebook lists the options of each mode.
422 bad-option | The option does not take this value
  The rulebook lists the values.
422 bad-composition | The rooms will not do
  A composition fits its mode; a custom one has 25 rooms out of the box, among them one `central`
  and one `room25`.
422 unknown-character | There is no such character
  The rulebook lists the characters.
422 character-not-allowed | The characters will not do for this seat
  A seat plays as many characters as the mode says, in some modes the two of a duo.
422 malformed-scenario | The scenario does not have the right form
  `detail` says where; the form is in the OpenAPI document.
422 impossible-scenario | The scenario cannot be played
  The rulebook knows no such position, or the game would be over in it.
"""


def _read(text: str, game: str | None = None) -> list[Kind]:
    """Two lines or more for each kind: ``status code | title``, then indented what it means."""
    kinds: list[Kind] = []
    for line in text.strip().splitlines():
        if line.startswith("  "):
            last = kinds.pop()
            meaning = f"{last.meaning} {line.strip()}".strip()
            kinds.append(replace(last, meaning=meaning))
        else:
            head, _, title = line.partition(" | ")
            status, _, code = head.partition(" ")
            kinds.append(Kind(code=code, status=int(status), title=title, meaning="", game=game))
    return kinds


SECTIONS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "Requests": tuple(_read(_TRANSPORT)),
    "Players and tokens": tuple(_read(_CLUB)),
    "The table": tuple(_read(_TABLE)),
    "Room 25": tuple(_read(_ROOM25, "room25")),
}
"""All kinds of problems, grouped as in the documentation."""

KINDS: Final[Mapping[str, Kind]] = {kind.code: kind for part in SECTIONS.values() for kind in part}
"""All kinds of problems by code."""

assert len(KINDS) == sum(map(len, SECTIONS.values()))


def problem(code: str, detail: str, errors: Iterable[Flaw] = ()) -> Problem:
    """The document for a problem of the kind ``code``.

    Raises:
        KeyError: there is no such kind.
    """
    kind = KINDS[code]
    return Problem(
        type=f"/problems/{code}",
        title=kind.title,
        status=kind.status,
        detail=detail,
        errors=tuple(errors),
    )


def describe() -> str:
    """``docs/problems.md``: the whole table as Markdown."""
    lines = [
        "# Problems",
        "",
        "Made from `service/problems.py` by `make openapi`; do not edit.",
        "",
        "Whatever goes wrong, the answer is a problem document (RFC 9457) of the type",
        "`application/problem+json`:",
        "",
        "```json",
        '{"type": "/problems/option-not-offered", "title": "The option is not offered",',
        ' "status": 422, "detail": "this option is not offered"}',
        "```",
        "",
        "Go by `type`: it is stable, and the service explains it at that address. `detail` is for",
        "people. `errors`, where it is there, lists what is wrong with which part of the request.",
        "A problem always means that nothing has happened, with two exceptions: after",
        "`internal-error` and `store-unavailable` a command may have happened, and repeating it",
        "under the same `Idempotency-Key` tells.",
    ]
    for title, kinds in SECTIONS.items():
        lines += ["", f"## {title}", "", "| type | status | when |", "| --- | --- | --- |"]
        lines += [
            f"| `/problems/{kind.code}` | {kind.status} | **{kind.title}.** {kind.meaning} |"
            for kind in kinds
        ]
    return "\n".join(lines) + "\n"
