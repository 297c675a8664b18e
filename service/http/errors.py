"""Errors as answers: every exception that leaves a handler becomes a problem document here."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap, Scope

from events.kernel import Rejected
from events.keys import SecretError
from events.known import StoreBehind, StoreUnmarked
from events.log import Damaged, KeyReused, StreamAhead
from events.logger import get_logger
from events.registry import CodecError
from events.scripts import LogUnavailable, StoreFull
from events.skew import ClockSkew
from events.transact import Busy, Moved, NoSuchStream
from games.game_registry import UnknownGame
from runtime.signed import Contradicted
from runtime.table_service import Unsettled
from service.http.headers import headers_of
from service.http.problems import PROBLEM_JSON, Flaw, Problem, Refused, Source, problem
from service.http.replies import SECRET, Reply

FULL_RETRY_S: Final = 30
"""When to retry while the store is full: an operator has to make room."""

BEHIND_RETRY_S: Final = 30
"""When to retry while the store is not the known one: an operator has to resolve it."""

_FRAMES = 12
_NOT_FOUND = 404
_PLAIN: Final = b"text/plain; charset=utf-8"
_log = get_logger(__name__)

_BY_STATUS: Final = {
    404: ("not-found", "resource not found"),
    405: ("method-not-allowed", "this address does not allow this method"),
    413: ("body-too-large", "the body is too large"),
}


class _ProblemAnswer(NamedTuple):
    """The answer to an error: the problem, and additional headers."""

    document: Problem
    headers: Mapping[str, str] = {}


def answer(scope: Scope, error: Exception) -> Reply:
    """The problem answer to an exception.

    Its code is left in ``scope["state"]["problem"]``, where the access log finds it.
    """
    if isinstance(error, Rejected):
        document, headers = _on_rejected(error, scope)
    else:
        on = next(_HANDLERS[kind] for kind in type(error).__mro__ if kind in _HANDLERS)
        document, headers = on(error)
    scope["state"]["problem"] = document.type.rpartition("/")[2]
    if document.status == _NOT_FOUND and _is_person(scope):
        return Reply(document.detail.encode() + b"\n", status=_NOT_FOUND, media_type=_PLAIN)
    more = ((name.lower().encode(), value.encode()) for name, value in headers.items())
    body = msgspec.json.encode(document)
    return Reply(body, (*SECRET, *more), document.status, PROBLEM_JSON.encode())


def _is_person(scope: Any) -> bool:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
    """Whether a browser navigated to an address outside of the API and will display the answer."""
    accepted = headers_of(scope).get(b"accept", b"")
    return b"text/html" in accepted and not scope["path"].startswith("/v1/")


def _respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """``answer`` in the form that Litestar expects."""
    reply = answer(request.scope, error)
    return Response(
        reply.body,
        status_code=reply.status,
        media_type=(reply.media_type or b"").partition(b";")[0].decode(),  # it adds the charset
        headers={name.decode(): value.decode() for name, value in reply.headers},
    )


def _on_refused(error: Refused) -> _ProblemAnswer:
    return _ProblemAnswer(problem(error.code, error.detail, error.errors), error.headers)


def _on_rejected(error: Rejected, scope: Any) -> _ProblemAnswer:  # noqa: ANN401 (ours and Litestar's)
    """A rejection by the rules. The codes of the app's own games are known to the app only."""
    kinds = scope["litestar_app"].state["app_context"].kinds
    if error.code not in kinds:
        return _on_crash(error)
    return _ProblemAnswer(problem(error.code, error.detail, kinds=kinds))


def _on_reused(_: KeyReused) -> _ProblemAnswer:
    detail = "this Idempotency-Key was used for another request"
    return _ProblemAnswer(problem("idempotency-key-reused", detail))


def _on_unavailable(error: LogUnavailable) -> _ProblemAnswer:
    _log.warning("store_unavailable", reason=type(error.__cause__ or error).__name__)
    detail = "the store does not answer; repeat the request, a command under the same key"
    return _ProblemAnswer(problem("store-unavailable", detail), {"Retry-After": "1"})


def _on_full(error: StoreFull) -> _ProblemAnswer:
    _log.warning("refused_for_room", reason=str(error))
    detail = "the store has no room for this now; nothing has happened, and running games are kept"
    return _ProblemAnswer(problem("store-full", detail), {"Retry-After": str(FULL_RETRY_S)})


def _on_behind(error: StoreBehind) -> _ProblemAnswer:
    _log.warning("refused_by_marks", reason=str(error))
    detail = (
        "the store is not the known one; nothing has happened, and the operator has been alerted"
    )
    return _ProblemAnswer(problem("store-behind", detail), {"Retry-After": str(BEHIND_RETRY_S)})


def _on_unmarked(error: StoreUnmarked) -> _ProblemAnswer:
    _log.warning("refused_by_marks", reason=str(error))
    detail = "this process does not know yet how far the store had come; nothing has happened"
    return _ProblemAnswer(problem("store-behind", detail), {"Retry-After": "1"})


def _on_skew(error: ClockSkew) -> _ProblemAnswer:
    _log.error("clock_skew", reason=str(error))
    detail = "the clocks of the service disagree; nothing has happened"
    return _ProblemAnswer(problem("clock-skew", detail), {"Retry-After": "5"})


def _on_ahead(error: StreamAhead) -> _ProblemAnswer:
    _log.error("stream_ahead", by_ms=error.by)
    seconds = -(-error.by // 1000)
    detail = (
        f"the last event is stamped {seconds} s in the future; the game's director can resume it"
    )
    return _ProblemAnswer(problem("ahead-of-time", detail), {"Retry-After": str(seconds)})


def _on_unsettled(_: Unsettled) -> _ProblemAnswer:
    detail = "the deadlines are being extended after an outage; repeat the request"
    return _ProblemAnswer(problem("deadlines-moving", detail), {"Retry-After": "1"})


def _on_busy(_: Busy) -> _ProblemAnswer:
    detail = "other requests kept changing this; repeat the request under the same key"
    return _ProblemAnswer(problem("too-busy", detail), {"Retry-After": "1"})


def _on_moved(error: Moved) -> _ProblemAnswer:
    return _ProblemAnswer(problem("version-changed", f"the newest version is {error.version}"))


def _on_no_stream(_: NoSuchStream) -> _ProblemAnswer:
    return _ProblemAnswer(problem("game-not-found", "game not found"))


def _on_damaged(error: Exception) -> _ProblemAnswer:
    _log.error("stream_damaged", **what_broke(error))
    return _ProblemAnswer(problem("stream-damaged", "the stored log is inconsistent"))


def _on_unknown_game(error: UnknownGame) -> _ProblemAnswer:
    """A private game is not disclosed: the caller is not known here, unlike in ``look_up``."""
    _log.error("game_not_known", plays=error.game)
    if error.people is not None:
        return _ProblemAnswer(problem("game-not-found", "game not found"))
    return _ProblemAnswer(problem("game-not-played", str(error)))


def _on_contradicted(_: Contradicted) -> _ProblemAnswer:
    detail = "a head that this service has signed is no longer part of the game's history"
    return _ProblemAnswer(problem("history-contradicted", detail))


def _on_http(error: HTTPException) -> _ProblemAnswer:
    """Refusals by Litestar itself: paths, methods, parameters."""
    if error.status_code >= 500:  # noqa: PLR2004 (server errors, RFC 9110)
        return _on_crash(error)
    if isinstance(error, ValidationException):
        flaws = tuple(_flaw(each) for each in _listed(error.extra)) or (
            Flaw(source="request", at="", message=error.detail.partition(" for path ")[0]),
        )
        return _ProblemAnswer(problem("invalid-parameter", flaws[0].message, flaws))
    code, detail = _BY_STATUS.get(
        error.status_code, ("bad-request", "the request cannot be understood")
    )
    return _ProblemAnswer(problem(code, detail), error.headers or {})


def _listed(extra: object) -> list[Mapping[str, Any]]:
    return [each for each in extra if isinstance(each, Mapping)] if isinstance(extra, list) else []


_SOURCES: Final[Mapping[object, Source]] = {name: name for name in get_args(Source)}
"""Litestar's names for the parts of a request; strings and its enumeration compare equal."""


def _flaw(extra: Mapping[str, Any]) -> Flaw:
    """A flaw as Litestar describes it."""
    return Flaw(
        source=_SOURCES.get(extra.get("source"), "request"),
        at=str(extra.get("key", "")),
        message=str(extra.get("message", "not valid")),
    )


def what_broke(error: BaseException) -> dict[str, Any]:
    """An exception for a log line: its type and its stack frames.

    The message is left out: it may quote a game's secrets.
    """
    frames = traceback.extract_tb(error.__traceback__)
    locations = [f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames[-_FRAMES:]]
    return {"error": type(error).__name__, "where": locations}


def _on_crash(error: Exception) -> _ProblemAnswer:
    """A bug: logged with its stack frames, not disclosed to the caller."""
    _log.error("request_crashed", **what_broke(error))
    detail = "internal error; it has been logged under this request's id"
    return _ProblemAnswer(problem("internal-error", detail))


_HANDLERS: Final[Mapping[type, Callable[[Any], _ProblemAnswer]]] = {
    Refused: _on_refused,
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
"""All that can leave a handler, except ``Rejected``, whose codes depend on the app's games."""

EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = {Exception: _respond}
"""For ``Litestar(exception_handlers=...)``."""
