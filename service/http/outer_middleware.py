"""The outermost layer: request ids, the access log, metrics, security headers, ``HEAD``, ``Allow``.

``HEAD`` is answered wherever ``GET`` is: everything below treats it as a ``GET``, and the body is
discarded (RFC 9110 §9.3.2). Only endless answers check ``is_head``.

It is a plain ASGI wrapper, because Litestar's middleware does not run for unknown paths and
methods. A log line contains the path template and the game, never a query, a header or a body.
"""

from __future__ import annotations

import itertools
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextvars import ContextVar
from typing import Any, Final

import msgspec

from events.logger import get_logger, structlog
from service.http.access_log import Line
from service.http.errors import answer, what_broke
from service.http.headers import as_get, headers_of
from service.http.metrics import Metrics
from service.http.origins import Origins
from service.http.problems import PROBLEM_JSON, Refused, problem

UNMATCHED: Final = "unmatched"
"""The route label of requests without a handler."""

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Header = tuple[bytes, bytes]
App = Callable[[Any, Any, Any], Awaitable[None]]

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_log = get_logger(__name__)
_PROCESS = secrets.token_hex(4).encode()
_NUMBERS = itertools.count(1)
_BOUND_ID: ContextVar[str] = ContextVar(f"{structlog.contextvars.STRUCTLOG_KEY_PREFIX}request_id")
"""Picked up by structlog's ``merge_contextvars`` under its name, avoiding its costly ``bind``."""

_REQUEST_ID = re.compile(rb"[A-Za-z0-9_-]{8,64}")
_SECURITY: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_CSP: Final = b"content-security-policy"
_NO_CONTENT: Final = (_CSP, b"default-src 'none'; frame-ancestors 'none'")
"""The policy of every answer that is not a page and sets none itself."""

_WRONG_METHOD: Final = 405

_CRASH = problem("internal-error", "internal error; it has been logged under this request's id")


class OuterMiddleware:
    """The ASGI app around everything else.

    Args:
        app: the app; its error handlers leave a problem's code in ``scope["state"]["problem"]``.
        metrics: counts answers.
        allowed: the methods of each path template, for the answers to ``OPTIONS``.
        take_line: takes lines for the access log.
        origins: what pages of other origins may do; defaults apply without it.
    """

    def __init__(
        self,
        app: App,
        metrics: Metrics,
        allowed: Mapping[str, str],
        take_line: Callable[[Line], None],
        origins: Origins | None = None,
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.allowed = allowed
        self._take_line = take_line
        self._origins = origins or Origins()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; anything but HTTP is passed through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        method = scope["method"]
        if method == "HEAD":
            # A copy, because the server uses its own scope when it frames the answer.
            scope = as_get(scope)
        request_id = _request_id(scope)
        extra = [(b"x-request-id", request_id), *_SECURITY]
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                standing = scope.get("state", {}).get("ratelimit", ())
                headers = [*message["headers"], *standing, *extra]
                if _CSP not in dict(message["headers"]):
                    headers.append(_NO_CONTENT)
                if method == "OPTIONS" or status == _WRONG_METHOD:
                    headers = self._with_allow(scope, headers)
                message["headers"] = self._origins.end(scope, headers)
            elif method == "HEAD":
                message["body"] = b""
            await send(message)

        text = request_id.decode()
        token = _BOUND_ID.set(text)
        try:
            await self._app_for(scope)(scope, receive, sending)
        except Exception as error:  # noqa: BLE001 (the outermost loop: log it, answer, carry on)
            _log.error("request_crashed", **what_broke(error))
            if not status:
                await _send_crash(sending)
        finally:
            self._record(scope, method, text, status, time.perf_counter() - started)
            _BOUND_ID.reset(token)

    def _app_for(self, scope: Any) -> Any:  # noqa: ANN401 (our apps and Litestar's)
        """The app, or the refusal of a request from a page that may not make it."""
        try:
            return self._origins.begin(scope) or self.app
        except Refused as refused:
            scope.setdefault("state", {})
            return answer(scope, refused)

    def _with_allow(self, scope: Scope, headers: list[Header]) -> list[Header]:
        """Litestar has no ``HEAD``, and for ``OPTIONS`` lists the methods of one handler only."""
        said = next((value.decode() for name, value in headers if name.lower() == b"allow"), None)
        allow = self.allowed.get(scope.get("path_template", ""), said)
        if allow is None:
            return headers
        kept = [header for header in headers if header[0].lower() != b"allow"]
        return [*kept, (b"allow", methods_of(allow.split(", ")).encode())]

    def _record(
        self, scope: Scope, method: str, request_id: str, status: int, seconds: float
    ) -> None:
        """Count the answer, and log it."""
        route = scope.get("path_template") or UNMATCHED
        method = method if method in METHODS else "other"
        self.metrics.answered(method, route, status, seconds)
        line: Line = {
            "event": "request",
            "level": "info",
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "request_id": request_id,
        }
        code = scope.get("state", {}).get("problem")
        if code is not None:
            self.metrics.problem(code)
            line["problem"] = code
        game = scope.get("path_params", {}).get("game")
        if game is not None and route != UNMATCHED:
            line["game"] = game[:40]
        user = scope.get("user")
        if user is not None:
            line["player"] = user.player
        self._take_line(line)


def methods_of(names: Iterable[str]) -> str:
    """Methods as ``Allow`` lists them, with ``HEAD`` wherever ``GET`` is."""
    found = set(names)
    return ", ".join(sorted(found | {"HEAD"} if "GET" in found else found))


def _request_id(scope: Scope) -> bytes:
    """The client's own request id if it is well-formed, else a new one."""
    given = headers_of(scope).get(b"x-request-id")
    if given is not None and _REQUEST_ID.fullmatch(given):
        return given
    return _PROCESS + b"%08x" % next(_NUMBERS)


async def _send_crash(send: Send) -> None:
    body = msgspec.json.encode(_CRASH)
    headers = [
        (b"content-type", PROBLEM_JSON.encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": body})
