"""The app that answers clients with too many concurrent requests."""

from __future__ import annotations

from typing import Any

from service.http.errors import answer
from service.http.gate import RETRY_S
from service.http.problems import Refused


async def turn_away(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 (ASGI)
    """Refuse a client, named by a trusted proxy, that has too many concurrent requests."""
    detail = "too many of your requests are in progress; wait for one to finish"
    error = Refused("too-many-connections", detail, headers={"Retry-After": str(RETRY_S)})
    await answer(scope, error)(scope, receive, send)
