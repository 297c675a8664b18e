"""Where errors become answers: every exception that leaves a handler ends here as a problem."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from events.kernel import Rejected
from events.keys import SecretError
from events.log import ClockSkew, Damaged, KeyReused
from events.registry import CodecError
from events.scripts import LogUnavailable
from events.transact import Busy, NoSuchStream
from service.problems import KINDS, PROBLEM_JSON, Flaw, Problem, Refused, problem

_FRAMES = 12
AnyRequest = Request[Any, Any, Any]
_log = structlog.get_logger(__name__)

_BY_STATUS: Final = {
    404: ("not-found", "there is nothing at this address"),
    405: ("method-not-allowed", "this address does not take this method"),
    413: ("body-too-large", "the body is too large"),
}


def _answer(
    request: AnyRequest, document: Problem, headers: Mapping[str, str] | None = None
) -> Response[Problem]:
    """A problem as a response; its code is left where the access log finds it."""
    request.scope["state"]["problem"] = document.type.rpartition("/")[2]
    return Response(
        document,
        status_code=document.status,
        media_type=PROBLEM_JSON,
        headers={"cache-control": "no-store", **(headers or {})},
    )


def _on_refused(request: AnyRequest, error: Refused) -> Response[Problem]:
    return _answer(request, problem(error.code, error.detail, error.errors), error.headers)


def _on_rejected(request: AnyRequest, error: Rejected) -> Response[Problem]:
    if error.code not in KINDS:
        return _on_crash(request, error)
    return _answer(request, problem(error.code, error.detail))


def _on_reused(request: AnyRequest, _: KeyReused) -> Response[Problem]:
    detail = "this Idempotency-Key was used for another request"
    return _answer(request, problem("idempotency-key-reused", detail))


def _on_unavailable(request: AnyRequest, error: LogUnavailable) -> Response[Problem]:
    _log.warning("store_unavailable", reason=type(error.__cause__ or error).__name__)
    detail = "the store does not answer; repeat the request, a command under the same key"
    return _answer(request, problem("store-unavailable", detail), {"Retry-After": "1"})


def _on_skew(request: AnyRequest, error: ClockSkew) -> Response[Problem]:
    _log.error("clock_skew", reason=str(error))
    detail = "the clocks of the service disagree; nothing has happened"
    return _answer(request, problem("store-unavailable", detail), {"Retry-After": "5"})


def _on_busy(request: AnyRequest, _: Busy) -> Response[Problem]:
    detail = "others kept changing this; repeat the request under the same key"
    return _answer(request, problem("too-busy", detail), {"Retry-After": "1"})


def _on_no_stream(request: AnyRequest, _: NoSuchStream) -> Response[Problem]:
    return _answer(request, problem("game-not-found", "there is no such game"))


def _on_damaged(request: AnyRequest, error: Exception) -> Response[Problem]:
    _log.error("stream_damaged", **what_broke(error))
    return _answer(request, problem("stream-damaged", "what is stored contradicts itself"))


def _on_http(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """What Litestar itself refuses: paths, methods, parameters."""
    if error.status_code >= 500:  # noqa: PLR2004 (server errors, RFC 9110)
        return _on_crash(request, error)
    if isinstance(error, ValidationException):
        flaws = tuple(_flaw(each) for each in _listed(error.extra)) or (
            Flaw(source="request", at="", message=error.detail.partition(" for path ")[0]),
        )
        return _answer(request, problem("invalid-parameter", flaws[0].message, flaws))
    code, detail = _BY_STATUS.get(
        error.status_code, ("bad-request", "the request cannot be understood")
    )
    return _answer(request, problem(code, detail), error.headers)


def _listed(extra: object) -> list[Mapping[str, Any]]:
    return [each for each in extra if isinstance(each, Mapping)] if isinstance(extra, list) else []


def _flaw(extra: Mapping[str, Any]) -> Flaw:
    """A flaw in Litestar's words."""
    return Flaw(
        source=str(extra.get("source", "request")),
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


def _on_crash(request: AnyRequest, error: Exception) -> Response[Problem]:
    """Our fault: logged with its place, told to nobody."""
    _log.error("request_crashed", **what_broke(error))
    detail = "something broke here; it has been logged under this request's id"
    return _answer(request, problem("internal-error", detail))


EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = {
    Refused: _on_refused,
    Rejected: _on_rejected,
    KeyReused: _on_reused,
    Busy: _on_busy,
    NoSuchStream: _on_no_stream,
    Damaged: _on_damaged,
    CodecError: _on_damaged,
    SecretError: _on_damaged,
    ClockSkew: _on_skew,
    LogUnavailable: _on_unavailable,
    HTTPException: _on_http,
    Exception: _on_crash,
}
"""For ``Litestar(exception_handlers=...)``: all that can leave a handler."""
