"""Every problem that the service can return: its code, its status and its meaning.

The answer is an RFC 9457 document. Its ``type`` is ``/problems/<code>``, which the service itself
serves, and ``docs/problems.md`` is generated from this table. Codes never change their meaning and
are never reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import Struct

from games.package import GamePackage
from games.published import Refusal, read_refusals
from games.registry import GAMES

PROBLEM_JSON: Final = "application/problem+json"


class ProblemType(Struct, frozen=True, kw_only=True):
    """A kind of problem.

    ``game`` is the id of the game whose rules raise it; None: the service itself or any table.
    """

    code: str
    status: int
    title: str
    meaning: str
    game: str | None = None

    @property
    def key(self) -> str:
        """The message key of its title, ``problem.seat-taken``; a game's begins with its id."""
        own = f"problem.{self.code}"
        return own if self.game is None else f"{self.game}/{own}"


Source = Literal["body", "query", "path", "header", "cookie", "request"]
"""The part of a request that is wrong; ``request``: the whole."""


class Flaw(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wrong with one part of a request: where (``source`` and a path in it), and what."""

    source: Source
    at: str
    message: str


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A problem document (RFC 9457). ``type`` is for programs, ``detail`` for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: tuple[Flaw, ...] = ()


class Refused(Exception):
    """A refusal by the service itself, not by the rules.

    ``code`` is listed in ``KINDS``; ``detail`` is one sentence that discloses no secrets of others;
    ``headers`` are added to the answer.
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
400 malformed-body | Body is not JSON
  The body is missing, is not JSON text in UTF-8, or is nested too deeply.
400 invalid-parameter | Invalid parameter
  A path, query or header parameter is missing, unknown or out of range; `errors` says which.
400 bad-cursor | Invalid cursor
  Cursors are opaque: take them from a `Link` header or from `next`, and use them unchanged.
400 bad-request | Bad request
  The request is not valid HTTP, or is ambiguous, for example with two different body lengths. The
  connection is closed, and nothing after the request is read.
400 idempotency-key-missing | Idempotency-Key required
  Every POST carries an `Idempotency-Key`, so that it can be repeated safely.
400 idempotency-key-invalid | Invalid Idempotency-Key
  A key has 1 to 128 visible ASCII characters; for a registration at least 16, chosen at random.
401 token-needed | Token required
  This is for players only: send `Authorization: Bearer <token>`.
401 token-invalid | Invalid token
  The token is malformed, unknown or revoked.
403 scope-missing | Scope missing
  The token is valid, but has none of the scopes that this operation requires.
403 origin-not-allowed | Origin not allowed
  Registration, signing in, and tokens with the scope `admin` or `audit` are restricted to pages of
  origins that the operator has listed. A service on a single machine accepts nothing from pages of
  other sites.
403 view-not-yours | View not available to you
  A seat's view is for its player; the full view is available to everybody when the game is over.
  While the game is running, the scope `audit` grants both within an inspection, unless you have a
  seat at the table.
403 inspection-needed | Inspection required
  Before an auditor reads a running game, the inspection must be declared: `POST
  /v1/games/{game}/inspections` with the view as `eyes` and a reason. An inspection ends after 15
  minutes unless the operator has set another limit, and is valid only for the account that began
  it.
404 not-found | Not found
  No resource has this address.
404 game-not-found | Game not found
  No game has this id, or it is private and you are not invited: the answers are the same on
  purpose.
404 player-not-found | Player not found
  No player has this id.
404 rulebook-not-found | Rulebook not found
  `GET /v1/rulebooks` lists the rulebooks.
404 problem-not-found | Problem kind not found
  `GET /problems` lists the kinds of problems.
404 version-not-found | Version not found
  Versions run from 1 to the newest event. With `wait`, the service first waits for the version.
404 turn-not-found | Turn not found
  Turns run from 1 to the current one.
405 method-not-allowed | Method not allowed
  `Allow` lists the methods that are allowed.
406 not-acceptable | Not acceptable
  Events are available as `application/json` and `application/x-ndjson`; everything else as JSON.
408 request-too-slow | Request too slow
  A header section must arrive within ten seconds and a body within thirty, unless the operator has
  set other limits. The connection is closed.
409 ahead-of-time | Game ahead of the clock
  A clock was wrong when the last event was stamped, and time in a log never runs backwards. The
  game continues by itself when that time is reached; its director can continue it at once, by any
  command, such as pause and resume.
409 game-not-finished | Game not finished
  Records are available for finished games only: they contain every secret.
412 version-changed | Version changed
  The version in `If-Match` is not the newest one; for a choice, something has happened in the game
  itself since then. The command was not executed.
413 body-too-large | Body too large
  A body has at most 65,536 bytes.
414 address-too-long | Address too long
  A request line and its header section have at most 32,768 bytes together. The connection is
  closed.
415 unsupported-media-type | Unsupported media type
  Send `Content-Type: application/json`.
421 misdirected-request | Misdirected request
  `Host` does not name this service. A service that listens only on its own machine answers to
  `localhost`, to loopback addresses and to the host of its public address.
422 invalid-body | Invalid body
  The body is JSON, but a field is missing, unknown, repeated, of the wrong type or out of range;
  `errors` says which.
422 idempotency-key-reused | Idempotency-Key reused
  The key was used before, by the same player and on the same game or account, for another request.
429 rate-limited | Too many requests
  Wait for the number of seconds in `Retry-After`. Commands, reads and registrations have separate
  budgets.
429 too-many-connections | Too many connections from this address
  An address, or an IPv6 /64, may have at most 256 connections at a time, or as many concurrent
  requests through a proxy. Keep connections open and reuse them. For a school or a club the
  operator can lift the limit for a day.
429 too-many-streams | Too many open streams
  The number of open streams and waiting long polls is limited per player, and for callers without a
  token per address. Close one, or retry after `Retry-After`.
431 headers-too-large | Header section too large
  A request line and its header section have at most 32,768 bytes and 100 fields; chunk sizes, their
  extensions and trailers have the same limit again. The connection is closed.
500 internal-error | Internal error
  An error of the service, logged under the request id. A command may or may not have been executed:
  repeat it under the same key.
500 history-contradicted | Log contradicts a signed head
  The service has signed a head that is not part of the stored log: the store has lost or changed
  events. Nothing more is signed for this game until an operator has investigated.
500 stream-damaged | Log damaged
  The stored log is inconsistent; the game stops until an operator has investigated.
501 game-not-played | Game not supported by this program
  The table exists, but this program does not have the rules of its game: it is older than the game,
  or was built without it. Nothing is lost; a program that has the rules can continue the game.
503 no-free-connection | No connection available
  Too many callers are connected to this process. Retry after `Retry-After`.
503 store-unavailable | Store unavailable
  Repeat the request after `Retry-After` seconds; repeat a command under the same key, and it is
  executed only once.
503 store-full | Store full
  As the store fills up, new tables and registrations are refused first, then seats, finally
  choices. While choices are refused, no time limit expires. Nothing has happened; repeat the
  command under the same key after `Retry-After`.
503 store-behind | Store is not the known one
  It is another store, or has lost something that this process has seen, so nothing is written until
  an operator has resolved it; or the process has just started and does not know yet how far the
  store had come. Nothing has happened; existing data can be read.
503 clock-skew | Clock skew
  This process's clock is wrong, so it decides and writes nothing until that is corrected. Repeat
  the request: another process may accept it.
503 deadlines-moving | Deadlines are being extended
  The service was unavailable for a while, and players do not lose that time: the deadlines of all
  running games are being extended by it. Repeat the command under the same key.
503 too-busy | Too many concurrent commands
  Other requests kept changing the same game. Nothing has happened; repeat the command under the
  same key.
"""

_CLUB = """
403 not-your-account | Not your account
  A token is valid only for the account that it belongs to.
403 scope-not-granted | Scope not grantable
  A token can issue and revoke only scopes that it has itself; `admin` is not restricted.
403 recovery-file-invalid | Recovery file not valid
  A newer file has replaced it, the account has been deleted, or it belongs to another service.
404 unknown-account | Account not found
  No account has this id.
404 unknown-device-link | Device link not found
  It was withdrawn or replaced by a newer one, the token that asked for it was revoked, or it never
  existed.
404 unknown-token | Token not found
  The account has no token with this id.
409 account-exists | Account already exists
  This id is already registered.
409 token-exists | Token already exists
  A token with this id has already been issued.
409 token-revoked | Token already revoked
  The token is no longer valid, and cannot be revoked again.
409 name-unchanged | Name unchanged
  The player has this name already.
409 no-other-tokens | No other tokens
  The token that asks is the only live one of the account, so there is none to revoke.
409 too-many-tokens | Too many tokens
  An account may have 20 live tokens, unless the operator has set another limit: revoke one first.
409 too-many-names | Too many names
  An account has used 256 different names, including labels of tokens: reuse one of them.
410 device-link-expired | Device link expired
  A device link can be used for ten minutes. Make a new one.
410 device-link-used | Device link used
  A device link signs one device in, once. If it was not you who used it, revoke the token that it
  gave.
410 account-deleted | Account deleted
  Its tokens are no longer valid, its names are erased, and this cannot be undone.
422 bad-name | Invalid name
  A name has 1 to 40 printable characters, without leading or trailing spaces.
422 bad-label | Invalid label
  A label has at most 80 printable characters.
422 bad-scopes | Invalid scopes
  A token has at least one scope, and each only once.
422 person-or-program | Token for a person or a program
  No token has both `play` and `bot`: issue a separate one for your program.
429 too-many-registrations | Too many registrations from this address
  The number of registrations per address and day is limited. For a school or a club the operator
  can lift the limit for a day.
"""

_TABLE = """
403 not-invited | Not invited
  Only the host and invited players may take seats at a private table.
403 not-seated | Not seated at this table
  This is for players who have a seat at the table.
403 not-your-seat | Not your seat
  The seat belongs to another player.
403 no-programs | Table is for people only
  The host opened the table without programs: neither programs nor house bots may take seats.
403 wrong-kind-of-token | Wrong kind of token for this seat
  A seat taken by a person is played with the scope `play`, one taken by a program with `bot`.
403 not-the-host | Only for the host
  The host is the player who opened the table.
403 not-the-director | Only for the director
  A table is directed by its host with the scope `organise`, or with the scope `admin`.
403 not-an-auditor | Only for auditors
  Inspecting a game requires the scope `audit`.
403 inspection-by-player | Players cannot inspect their own table
  You play in this game, so you see what your seat may see, whatever scopes your token has.
404 unknown-seat | Seat not found or empty
  Seats are numbered from 1.
404 unknown-invitation | Invitation not found
  The invitation was declined or withdrawn, or never existed.
404 option-not-found | Option not found
  The decision is open for you, but has no option of this id.
409 table-exists | Table already opened
  A table is opened only once.
409 table-not-open | Table not open
  The game has begun or ended: seats can no longer be taken or left.
409 too-many-tables | Too many unstarted tables
  You have reached the limit of tables waiting for players. Start one of them; a table that has not
  begun within a day is closed automatically.
409 not-played-out | Game not played to its end
  A rematch is for a game that has begun and ended: this one is still running, or it was cancelled.
409 players-gone | All other players are gone
  Everybody else who played in the game has deleted their account, so nobody could come.
409 too-many-rematches | Rematch called off too often
  Eight rematches of this game have been proposed and called off. Open a new table instead.
409 too-many-bot-games | Too many bot-only games
  You have reached the limit of running games played by house bots alone.
409 game-not-live | Game not begun
  The game begins when every seat is taken and, depending on the table, the players or the host
  start it.
409 game-over | Game over
  Nothing can be chosen or directed any more.
409 table-paused | Game paused
  The director, or the players by agreement, have stopped the clock; nothing can be chosen until the
  game is resumed.
409 table-not-paused | Game not paused
  There is nothing to resume.
409 game-held | Game held
  The store has lost part of the game, so its players may know what comes next. Its director resumes
  it from what is left, or annuls it.
409 restored-before | Game already restored
  A game is restored at most once per epoch of the store; a later version known from an earlier
  epoch says nothing about what is to come.
409 nothing-lost | Nothing lost
  The store has every known version of the game.
409 table-not-full | Table not full
  The game begins when every seat is taken.
409 seat-taken | Seat taken
  Another player has this seat.
409 name-taken | Name taken
  No two players at a table may have the same name, ignoring case and width of letters. Take the
  seat under another `name`; names of house bots are reserved.
409 no-free-seat | No free seat
  Every seat is taken; choose another table.
409 too-many-leavings | Seats can no longer be left
  Seats of this table have been given up sixteen times. The game begins with the seated players, or
  the director annuls it.
409 already-seated | Already seated
  A player may have only one seat at a table.
409 already-invited | Already invited
  The player has an invitation; the host needs none.
409 player-seated | Player already seated
  A player with a seat at the table needs no invitation.
409 already-ready | Already ready
  You are ready; other players may not be.
409 decision-not-open | Decision not open for you
  It was answered, has expired, has not come up, belongs to another seat or never existed: the
  answers are all the same, because the decisions of others can be secret. Read `decisions` again.
409 choice-not-secret | Choice is public
  The decision became public while the command was in transit. Repeat the command.
409 choice-not-public | Choice is secret
  The decision became secret while the command was in transit. Repeat the command.
409 deadline-passed | Deadline passed
  The choice arrived after the deadline; the default counts, whether or not a worker had already
  taken it.
409 phrases-silenced | Nobody may talk now
  A rule of the game forbids talking at the moment. Nothing was said.
409 phrases-too-fast | Too many phrases at once
  A seat says at most 3 phrases in 15 seconds, by the times in the log.
409 no-say-in-pauses | No say in pauses
  People decide about pauses who are neither absent nor resigned nor out of the game; programs do
  not.
409 pause-proposed-already | Pause already proposed
  One pause is proposed at a time. Answer it, or wait until it lapses.
409 pauses-proposed-too-often | Pauses proposed too often
  A seat proposes at most 3 pauses in 30 minutes, by the times in the log.
409 too-many-pauses | Too many pauses
  A game has at most 12 pauses by agreement.
409 no-pause-proposed | No pause proposed
  Nobody has proposed a pause, or the proposal was turned down, has lapsed, or has been agreed to.
409 already-agreed | Already agreed
  You have agreed already; other players may not have.
409 paused-by-director | Paused by the director
  The players have not agreed on this pause, so only the director ends it.
409 nothing-due | Nothing due
  The time-out has already been executed, or the decision was answered in time.
409 not-due-yet | Not due yet
  A time-out is executed a quarter of a second after the deadline.
422 too-many-invitations | Too many invitations
  A table may send 50 invitations, unless the operator has set another limit; declined and withdrawn
  ones count too.
422 bad-time-control | Invalid time limits
  A limit is 1 second to 14 days, `absent_after` 1 to 100, `bot_pace_ms` 0 to 60,000.
422 bad-delay | Invalid delay
  A delay for spectators is either 1 to 100 `turns` or 1 to 86,400 `seconds`.
422 unknown-phrase | Phrase unknown
  The rulebook lists its `phrases`.
422 phrase-to-nobody | Phrase to nobody
  The phrase needs a target, or the seat is empty, or the board has no such place.
422 phrase-target-not-allowed | Target not possible for the phrase
  The rulebook lists the `aims` of each phrase. A phrase has at most one target.
422 bad-pause | Invalid pause
  A pause has 1 to 1,440 minutes.
422 bad-inspection | Invalid inspection
  An inspection has `full` or a seat as `eyes`, one of the listed reasons, and a length of 1 second
  to a day.
422 bad-entropy | Invalid entropy
  Entropy is at most 64 of the characters `A-Z`, `a-z`, `0-9`, `-` and `_`: it is hashed for ever,
  so it must not have room for names or notes.
422 bot-with-entropy | Entropy for a house bot
  Only players contribute to the seed: a host who chose a house bot's entropy, with the bot seated
  last, could try values until the deal suits them.
422 bot-with-name | Name for a house bot
  A house bot is named by its kind and its seat.
422 bad-extension | Invalid extension
  An extension is 1 second to 24 hours.
422 unknown-bot | House bot not found
  `GET /v1/rulebooks` lists the house bots.
422 unknown-game | Game unknown
  The service has no rules for this game.
422 option-not-offered | Option not offered
  An option is one of the ids that `decisions` lists, or that are listed below a branch.
422 option-is-a-branch | Option is a branch
  A branch cannot be chosen. `GET …/options/{option}` lists the options below it; choose one of
  those that are no branches.
422 option-is-a-leaf | Option is a leaf
  Nothing is below this option: choose it as it is.
"""


def _kinds(refusals: Iterable[Refusal], game: str | None = None) -> tuple[ProblemType, ...]:
    return tuple(
        ProblemType(code=r.code, status=r.status, title=r.title, meaning=r.meaning, game=game)
        for r in refusals
    )


def sections_of(games: Iterable[GamePackage]) -> dict[str, tuple[ProblemType, ...]]:
    """All kinds of problems of a program with the given games, grouped as in the documentation.

    Raises:
        ValueError: the rejection codes of a game's rules are not the published ones.
    """
    found = {
        "Requests": _kinds(read_refusals(_TRANSPORT)),
        "Players and tokens": _kinds(read_refusals(_CLUB)),
        "The table": _kinds(read_refusals(_TABLE)),
    }
    for game in games:
        rules, published = game.rules, game.published
        if {refusal.code for refusal in published.refusals} != rules.rejections:
            raise ValueError(f"the rules of {rules.id} do not reject for the published reasons")
        found[published.title] = _kinds(published.refusals, rules.id)
    return found


def kinds_of(games: Iterable[GamePackage]) -> dict[str, ProblemType]:
    """The same by code; what several games refuse in the same words is the problem of the first.

    Raises:
        ValueError: as ``sections_of``, or a code has two meanings.
    """
    found: dict[str, ProblemType] = {}
    for part in sections_of(games).values():
        for kind in part:
            first = found.setdefault(kind.code, kind)
            if first is not kind and not _are_one(first, kind):
                raise ValueError(f"{kind.code} has two meanings")
    return found


def _are_one(a: ProblemType, b: ProblemType) -> bool:
    """Whether two games refuse for the same reason; what is no game's reason is nobody else's."""
    said = ((each.status, each.title, each.meaning) for each in (a, b))
    return None not in {a.game, b.game} and a.game != b.game and len(set(said)) == 1


SECTIONS: Final[Mapping[str, tuple[ProblemType, ...]]] = sections_of(GAMES.values())
"""All kinds of problems of the installed games, grouped as in the documentation."""

KINDS: Final[Mapping[str, ProblemType]] = kinds_of(GAMES.values())
"""All kinds of problems of the installed games, by code."""


def problem(
    code: str, detail: str, errors: Iterable[Flaw] = (), kinds: Mapping[str, ProblemType] = KINDS
) -> Problem:
    """The document for a problem of the kind ``code``.

    Raises:
        KeyError: the kind does not exist.
    """
    kind = kinds[code]
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
        "Generated from `service/http/problems.py` by `make openapi`; do not edit.",
        "",
        "Every error is answered with a problem document (RFC 9457) of the type",
        "`application/problem+json`:",
        "",
        "```json",
        '{"type": "/problems/option-not-offered", "title": "Option not offered",',
        ' "status": 422, "detail": "this option is not offered"}',
        "```",
        "",
        "Programs should rely on `type`: it is stable, and the service explains it at that",
        "address. `detail` is for people. `errors`, if present, says what is wrong with which part",
        "of the request. A problem always means that nothing has happened, with two exceptions:",
        "after `internal-error` and `store-unavailable` a command may have been executed; to find",
        "out, repeat it under the same `Idempotency-Key`.",
    ]
    for title, kinds in SECTIONS.items():
        lines += ["", f"## {title}", "", "| type | status | when |", "| --- | --- | --- |"]
        lines += [
            f"| `/problems/{kind.code}` | {kind.status} | **{kind.title}.** {kind.meaning} |"
            for kind in kinds
        ]
    return "\n".join(lines) + "\n"
