"""Where errors become answers: every exception that leaves a handler ends here as a problem.

``answer`` makes them, whoever has caught the exception.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap, Scope

from events.kernel import Rejected
from events.keys import SecretError
from events.known import StoreBehind, StoreUnmarked
from events.log import Damaged, KeyReused, StreamAhead
from events.registry import CodecError
from events.scripts import LogUnavailable, StoreFull
from events.skew import ClockSkew
from events.transact import Busy, Moved, NoSuchStream
from projections.desk import Unsettled
from projections.shelf import UnknownGame
from projections.signed import Contradicted
from service.headers import headers_of
from service.problems import KINDS, PROBLEM_JSON, Flaw, Problem, Refused, Source, problem
from service.replies import SECRET, Reply

FULL_RETRY_S: Final = 30
"""When to try again while the store is full: an operator has to make room."""

BEHIND_RETRY_S: Final = 30
"""When to try again while the store is not the known one: an operator has to deal with it."""

_FRAMES = 12
_NOT_FOUND = 404
_PLAIN: Final = b"text/plain; charset=utf-8"
_log = structlog.get_logger(__name__)

_BY_STATUS: Final = {
    404: ("not-found", "there is nothing at this address"),
    405: ("method-not-allowed", "this address does not take this method"),
    413: ("body-too-large", "the body is too large"),
}


class _Told(NamedTuple):
    """What is said of an error: the problem, and headers that go with it."""

    document: Problem
    headers: Mapping[str, str] = {}


def answer(scope: Scope, error: Exception) -> Reply:
    """The problem that an exception is answered with.

    Its code is left in ``scope["state"]["problem"]``, where the access log finds it.
    """
    on = next(_HANDLERS[kind] for kind in type(error).__mro__ if kind in _HANDLERS)
    document, headers = on(error)
    scope["state"]["problem"] = document.type.rpartition("/")[2]
    if document.status == _NOT_FOUND and _is_person(scope):
        return Reply(document.detail.encode() + b"\n", status=_NOT_FOUND, media_type=_PLAIN)
    more = ((name.lower().encode(), value.encode()) for name, value in headers.items())
    body = msgspec.json.encode(document)
    return Reply(body, (*SECRET, *more), document.status, PROBLEM_JSON.encode())


def _is_person(scope: Any) -> bool:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """Whether a browser shows the answer to somebody who went to an address outside of the API."""
    accepted = headers_of(scope).get(b"accept", b"")
    return b"text/html" in accepted and not scope["path"].startswith("/v1/")


def _respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """``answer``, as Litestar takes it."""
    reply = answer(request.scope, error)
    return Response(
        reply.body,
        status_code=reply.status,
        media_type=(reply.media_type or b"").partition(b";")[0].decode(),  # it adds the charset
        headers={name.decode(): value.decode() for name, value in reply.headers},
    )


def _on_refused(error: Refused) -> _Told:
    return _Told(problem(error.code, error.detail, error.errors), error.headers)


def _on_rejected(error: Rejected) -> _Told:
    if error.code not in KINDS:
        return _on_crash(error)
    return _Told(problem(error.code, error.detail))


def _on_reused(_: KeyReused) -> _Told:
    detail = "this Idempotency-Key was used for another request"
    return _Told(problem("idempotency-key-reused", detail))


def _on_unavailable(error: LogUnavailable) -> _Told:
    _log.warning("store_unavailable", reason=type(error.__cause__ or error).__name__)
    detail = "the store does not answer; repeat the request, a command under the same key"
    return _Told(problem("store-unavailable", detail), {"Retry-After": "1"})


def _on_full(error: StoreFull) -> _Told:
    _log.warning("refused_for_room", reason=str(error))
    detail = "the store has no room for this now; nothing has happened, and what runs is kept"
    return _Told(problem("store-full", detail), {"Retry-After": str(FULL_RETRY_S)})


def _on_behind(error: StoreBehind) -> _Told:
    _log.warning("refused_by_marks", reason=str(error))
    detail = "the store is not what it was known to be; nothing has happened, an operator is told"
    return _Told(problem("store-behind", detail), {"Retry-After": str(BEHIND_RETRY_S)})


def _on_unmarked(error: StoreUnmarked) -> _Told:
    _log.warning("refused_by_marks", reason=str(error))
    detail = "nobody has told this process yet how far the store had come; nothing has happened"
    return _Told(problem("store-behind", detail), {"Retry-After": "1"})


def _on_skew(error: ClockSkew) -> _Told:
    _log.error("clock_skew", reason=str(error))
    detail = "the clocks of the service disagree; nothing has happened"
    return _Told(problem("clock-skew", detail), {"Retry-After": "5"})


def _on_ahead(error: StreamAhead) -> _Told:
    _log.error("stream_ahead", by_ms=error.by)
    seconds = -(-error.by // 1000)
    detail = f"its last event is stamped {seconds} s ahead of now; its director can resume it"
    return _Told(problem("ahead-of-time", detail), {"Retry-After": str(seconds)})


def _on_unsettled(_: Unsettled) -> _Told:
    detail = "the deadlines are about to be moved by the time of an outage; repeat the request"
    return _Told(problem("deadlines-moving", detail), {"Retry-After": "1"})


def _on_busy(_: Busy) -> _Told:
    detail = "others kept changing this; repeat the request under the same key"
    return _Told(problem("too-busy", detail), {"Retry-After": "1"})


def _on_moved(error: Moved) -> _Told:
    return _Told(problem("version-changed", f"the newest version is {error.version}"))


def _on_no_stream(_: NoSuchStream) -> _Told:
    return _Told(problem("game-not-found", "there is no such game"))


def _on_damaged(error: Exception) -> _Told:
    _log.error("stream_damaged", **what_broke(error))
    return _Told(problem("stream-damaged", "what is stored contradicts itself"))


def _on_unknown_game(error: UnknownGame) -> _Told:
    """Of a private one nothing is told: who asks is not known here, as in ``seeing.look_up``."""
    _log.error("game_not_known", plays=error.game)
    if error.people is not None:
        return _Told(problem("game-not-found", "there is no such game"))
    return _Told(problem("game-not-played", str(error)))


def _on_contradicted(_: Contradicted) -> _Told:
    detail = "what this service has signed of the game is no part of its history any more"
    return _Told(problem("history-contradicted", detail))


def _on_http(error: HTTPException) -> _Told:
    """What Litestar itself refuses: paths, methods, parameters."""
    if error.status_code >= 500:  # noqa: PLR2004 (server errors, RFC 9110)
        return _on_crash(error)
    if isinstance(error, ValidationException):
        flaws = tuple(_flaw(each) for each in _listed(error.extra)) or (
            Flaw(source="request", at="", message=error.detail.partition(" for path ")[0]),
        )
        return _Told(problem("invalid-parameter", flaws[0].message, flaws))
    code, detail = _BY_STATUS.get(
        error.status_code, ("bad-request", "the request cannot be understood")
    )
    return _Told(problem(code, detail), error.headers or {})


def _listed(extra: object) -> list[Mapping[str, Any]]:
    return [each for each in extra if isinstance(each, Mapping)] if isinstance(extra, list) else []


_SOURCES: Final[Mapping[object, Source]] = {name: name for name in get_args(Source)}
"""Litestar's words for parts of a request, strings and members of its enumeration alike."""


def _flaw(extra: Mapping[str, Any]) -> Flaw:
    """A flaw in Litestar's words."""
    return Flaw(
        source=_SOURCES.get(extra.get("source"), "request"),
        at=str(extra.get("key", "")),
        message=str(extra.get("message", "not valid")),
    )


def what_broke(error: BaseException) -> dict[str, Any]:
    """An exception for a log line: its type and the lines that it came through.

    Its message is left out: it may quote what a game keeps secret.
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames[-_FRAMES:]]
    return {"error": type(error).__name__, "where": places}


def _on_crash(error: Exception) -> _Told:
    """Our fault: logged with its place, told to nobody."""
    _log.error("request_crashed", **what_broke(error))
    detail = "something broke here; it has been logged under this request's id"
    return _Told(problem("internal-error", detail))


_HANDLERS: Final[Mapping[type, Callable[[Any], _Told]]] = {
    Refused: _on_refused,
    Rejected: _on_rejected,
    KeyReused: _on_reused,
    Busy: _on_busy,
    Moved: _on_moved,
    NoSuchStream: _on_no_stream,
    Damaged: _on_damaged,
    Contradicted: _on_contradicted,
    CodecError: _on_damaged,
    UnknownGame: _on_unknown_game,
    SecretError: _on_damaged,
    StoreUnmarked: _on_unmarked,
    StoreBehind: _on_behind,
    ClockSkew: _on_skew,
    StreamAhead: _on_ahead,
    Unsettled: _on_unsettled,
    StoreFull: _on_full,
    LogUnavailable: _on_unavailable,
    HTTPException: _on_http,
    Exception: _on_crash,
}
"""All that can leave a handler."""

EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = {Exception: _respond}
"""For ``Litestar(exception_handlers=...)``."""
