"""The fast path: one operation that bypasses the framework around its handler.

Litestar's routing, argument building and response building cost more than the rest of the service
layer together, and most requests are for one operation, choosing. The fast path hands these to the
same handler with the same authentication, request class and error answers; a request with anything
unusual (host, path, a repeated header) takes the long way, through Litestar.
``docs/decisions/0007-a-fast-lane-for-choosing.md``.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.access.auth import Authenticator
from service.http.errors import answer
from service.http.headers import headers_of
from service.http.replies import Reply
from service.http.requests import BareRequest

_HOST: Final = re.compile(rb"[0-9A-Za-z.:\[\]-]+")


class FastPath:
    """An ASGI app around Litestar that serves one of its operations directly.

    Args:
        app: defines the operation, and serves all others.
        auth: authenticates callers, as the app's own middleware does.
        operation_id: names a handler that takes a request, path parameters and a body, and returns
            a ``Reply``.

    Raises:
        ValueError: the operation does not exist, or needs something that the fast path omits.
    """

    def __init__(self, app: Litestar, auth: Authenticator, operation_id: str) -> None:
        self._app = cast("ASGIApp", app)
        self._litestar = app
        self._auth = auth
        self._template, self._method, self._handler = _find(app, operation_id)
        _check(operation_id, app, self._handler, auth)
        self._handle = cast("Callable[..., Awaitable[Reply]]", self._handler.fn)
        self._names = re.findall(r"{(\w+)}", self._template)
        fixed = map(re.escape, re.split(r"{\w+}", self._template))
        self._path = re.compile("([^/]+)".join(fixed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        parameters = self._parameters(scope)
        if parameters is None:
            await self._app(scope, receive, send)
            return
        try:
            reply = await self._serve(scope, receive, send, parameters)
        except Exception as error:  # noqa: BLE001 (as in Litestar: every error is answered)
            reply = answer(scope, error)
        await reply(scope, receive, send)

    def _parameters(self, scope: Any) -> dict[str, str] | None:  # noqa: ANN401 (any kind of scope)
        """The parameters of the path; None: take the long way."""
        if scope["type"] != "http" or scope["method"] != self._method or scope.get("root_path"):
            return None
        found = self._path.fullmatch(scope["path"])
        if found is None:
            return None
        headers = headers_of(scope)
        if len(headers) < len(scope["headers"]) or not _HOST.fullmatch(headers.get(b"host", b"x")):
            return None
        return dict(zip(self._names, found.groups(), strict=True))

    async def _serve(
        self,
        scope: Any,  # noqa: ANN401 (Litestar's types do not allow setting these keys of its own)
        receive: Receive,
        send: Send,
        parameters: dict[str, str],
    ) -> Reply:
        scope["app"] = scope["litestar_app"] = self._litestar
        scope["route_handler"] = self._handler
        scope["path_template"] = self._template
        scope["path_params"] = parameters
        scope.setdefault("state", {})
        await self._auth.admit(scope, self._handler.opt)
        request = BareRequest(scope, receive, send)
        return await self._handle(request=request, data=await request.json(), **parameters)


def _find(app: Litestar, operation_id: str) -> tuple[str, str, HTTPRouteHandler]:
    """The path template, method and handler of an operation."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                if handler.operation_id == operation_id:
                    return route.path_format, method, handler
    raise ValueError(f"operation {operation_id} not found")


def _check(name: str, app: Litestar, handler: HTTPRouteHandler, auth: Authenticator) -> None:
    """Check that Litestar does nothing for a handler that the fast path omits.

    Raises:
        ValueError: it does.
    """
    more = {
        "takes query parameters": handler.opt.get("queries"),
        "has no body": handler.parsed_data_field is None,
        "has guards": handler.resolve_guards(),
        "has dependencies": handler.resolve_dependencies(),
        "has hooks": handler.resolve_before_request() or handler.resolve_after_response(),
        "belongs to an app with hooks": app.before_send or app.after_exception,
        "has other middleware": list(handler.resolve_middleware()) != [auth],
    }
    for what, is_so in more.items():
        if is_so:
            raise ValueError(f"{name} {what}: the fast path does not support that")
