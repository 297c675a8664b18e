"""The fast lane: an operation that is reached without the framework round its handler.

Litestar's routing, argument building and response building cost more than the rest of the shell
together, and one operation, choosing, is most of what a service is asked. The lane takes such
requests to the same handler through the same door, request class and error answers; whatever is
unusual about a request (its host, its path, a doubled header) sends it the long way, through
Litestar. ``docs/decisions/0007-a-fast-lane-for-choosing.md``.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.door import Door
from service.errors import answer
from service.headers import headers_of
from service.replies import Reply
from service.requests import BareRequest

_HOST: Final = re.compile(rb"[0-9A-Za-z.:\[\]-]+")


class Lane:
    """An ASGI app round Litestar that serves one of its operations itself.

    Args:
        app: has the operation, and serves all others.
        door: lets callers in, as the app's own middleware.
        operation_id: of a handler that takes a request, path parameters and a body, and answers
            with a ``Reply``.

    Raises:
        ValueError: there is no such operation, or the lane would leave out a part of it.
    """

    def __init__(self, app: Litestar, door: Door, operation_id: str) -> None:
        self._app = cast("ASGIApp", app)
        self._litestar = app
        self._door = door
        self._template, self._method, self._handler = _find(app, operation_id)
        _check(operation_id, app, self._handler, door)
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
        except Exception as error:  # noqa: BLE001 (as Litestar: every error has its answer)
            reply = answer(scope, error)
        await reply(scope, receive, send)

    def _parameters(self, scope: Any) -> dict[str, str] | None:  # noqa: ANN401 (any kind of scope)
        """The path's parameters; None: the long way."""
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
        scope: Any,  # noqa: ANN401 (keys of Litestar's are set that its types do not let us set)
        receive: Receive,
        send: Send,
        parameters: dict[str, str],
    ) -> Reply:
        scope["app"] = scope["litestar_app"] = self._litestar
        scope["route_handler"] = self._handler
        scope["path_template"] = self._template
        scope["path_params"] = parameters
        scope.setdefault("state", {})
        await self._door.admit(scope, self._handler.opt)
        request = BareRequest(scope, receive, send)
        return await self._handle(request=request, data=await request.json(), **parameters)


def _find(app: Litestar, operation_id: str) -> tuple[str, str, HTTPRouteHandler]:
    """The path template, the method and the handler of an operation."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                if handler.operation_id == operation_id:
                    return route.path_format, method, handler
    raise ValueError(f"there is no operation {operation_id}")


def _check(name: str, app: Litestar, handler: HTTPRouteHandler, door: Door) -> None:
    """See that Litestar does nothing for a handler that the lane does not do.

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
        "has other middleware": list(handler.resolve_middleware()) != [door],
    }
    for what, is_so in more.items():
        if is_so:
            raise ValueError(f"{name} {what}: the lane knows nothing of that")
