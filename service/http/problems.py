"""Every problem that the service can return: its code, its status and its meaning.

The answer is an RFC 9457 document. Its ``type`` is ``/problems/<code>``, which the service itself
serves, and ``docs/problems.md`` is generated from this table. Codes never change their meaning and
are never reused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

from games.package import GamePackage
from games.published import Refusal, read_refusals
from games.registry import GAMES
from service.http.table_problems import TABLE

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
    """What is wrong with one part of a request: where (``source`` and a path in it), and what.

    ``known``, if a query parameter or a field is unknown: those that may stand there, sorted.
    """

    source: Source
    at: str
    message: str
    known: tuple[str, ...] | UnsetType = UNSET


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
400 wall-too-large | Too many tables for one wall
  One answer tells of at most 50 tables: ask for the others by a second request.
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
  No player has this id, or, of somebody who is to be invited, the account has been deleted.
404 leaderboard-not-found | Leaderboard not found
  There is no such season, game or side. Sides are those of `GET /v1/rulebooks`; a season is a year
  and a quarter, such as `2026-4`, or `all`.
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
  Records and branches are made of finished games only: they contain every secret.
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
403 passkey-invalid | Passkey not valid
  What was sent is no passkey, or it was signed by another one, or nobody has shown to the device
  that it is theirs (by a PIN, a finger or a face).
403 passkey-other-site | Passkey of another site
  The page that made or used the passkey is none of this service, or the passkey was made for
  another site.
403 passkey-challenge-unknown | Challenge not known
  The service has not given out this challenge, or for something else or somebody else. Ask for a
  new one.
403 passkey-counter-behind | Passkey counts backwards
  It has signed more often before, so somebody may have a copy of it. If you cannot explain that,
  revoke it.
403 recovery-file-invalid | Recovery file not valid
  A newer file has replaced it, the account has been deleted, or it belongs to another service.
404 unknown-account | Account not found
  No account has this id.
404 unknown-device-link | Device link not found
  It was withdrawn or replaced by a newer one, the token that asked for it was revoked, or it never
  existed.
404 unknown-invitation-link | Invitation link not found
  It is not the link of a table, its host has deleted the account, or you have come by it before and
  are not invited any more.
404 unknown-passkey | Passkey not found
  No account knows this passkey: the account has been deleted, or it is one of another service.
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
409 passkey-exists | Passkey already exists
  The account has this passkey already.
409 no-other-tokens | No other tokens
  The token that asks is the only live one of the account, so there is none to revoke.
409 too-many-tokens | Too many tokens
  An account may have 20 live tokens, unless the operator has set another limit: revoke one first.
409 too-many-passkeys | Too many passkeys
  An account may have 20 passkeys: revoke one first.
409 too-many-invitation-links | Too many invitation links
  An account may have 20 links that still invite somebody: withdraw one first.
409 too-many-names | Too many names
  An account has used 256 different names, including labels of tokens: reuse one of them.
410 device-link-expired | Device link expired
  A device link can be used for ten minutes. Make a new one.
410 device-link-used | Device link used
  A device link signs one device in, once. If it was not you who used it, revoke the token that it
  gave.
410 passkey-revoked | Passkey revoked
  The passkey was revoked on the account page, and signs nobody in any more.
410 passkey-challenge-expired | Challenge expired
  A challenge is good for five minutes. Ask for a new one.
410 passkey-challenge-used | Challenge used
  A challenge is good once. Ask for a new one.
410 invitation-link-expired | Invitation link expired
  It was good for a while only. Ask the host for a new one.
410 invitation-link-used-up | Invitation link used up
  It was for a number of players, who have come. Ask the host for a new one.
410 invitation-link-withdrawn | Invitation link withdrawn
  The host has withdrawn it.
410 account-deleted | Account deleted
  Its tokens are no longer valid, its names are erased, and this cannot be undone.
422 bad-name | Invalid name
  A name has 1 to 40 printable characters, without leading or trailing spaces; one of them has to
  show something. It begins with no combining mark, and has at most three of them in a row.
422 bad-label | Invalid label
  A label has at most 80 printable characters.
422 bad-scopes | Invalid scopes
  A token has at least one scope, and each only once.
422 person-or-program | Token for a person or a program
  No token has both `play` and `bot`: issue a separate one for your program.
429 too-many-registrations | Too many registrations from this address
  The number of registrations per address and day is limited. For a school or a club the operator
  can lift the limit for a day.
501 passkeys-unavailable | Passkeys not available
  Browsers make passkeys for a site with a name, and the operator has told the service none
  (`PUBLIC_URL`, or `PASSKEY_DOMAIN` and `PASSKEY_ORIGINS`).
"""


def _kinds(refusals: Iterable[Refusal], game: str | None = None) -> tuple[ProblemType, ...]:
    return tuple(
        ProblemType(code=r.code, status=r.status, title=r.title, meaning=r.meaning, game=game)
        for r in refusals
    )


_OF_EVERY_PROGRAM: Final[Mapping[str, tuple[ProblemType, ...]]] = {
    "Requests": _kinds(read_refusals(_TRANSPORT)),
    "Players and tokens": _kinds(read_refusals(_CLUB)),
    "The table": _kinds(read_refusals(TABLE)),
}
"""The problems that are no game's, grouped as in the documentation."""


def sections_of(games: Iterable[GamePackage]) -> dict[str, tuple[ProblemType, ...]]:
    """All kinds of problems of a program with the given games, grouped as in the documentation.

    Raises:
        ValueError: the rejection codes of a game's rules are not the published ones.
    """
    found = dict(_OF_EVERY_PROGRAM)
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
        "of the request; for a query parameter or field that is unknown, `known` lists those that",
        "may stand in its place. A problem always means that nothing has happened, with two",
        "exceptions: after `internal-error` and `store-unavailable` a command may have been",
        "executed; to find out, repeat it under the same `Idempotency-Key`.",
    ]
    for title, kinds in SECTIONS.items():
        lines += ["", f"## {title}", "", "| type | status | when |", "| --- | --- | --- |"]
        lines += [
            f"| `/problems/{kind.code}` | {kind.status} | **{kind.title}.** {kind.meaning} |"
            for kind in kinds
        ]
    return "\n".join(lines) + "\n"
