"""The app that answers in place of the service, to who has too many requests under way."""

from __future__ import annotations

from typing import Any

from service.errors import answer
from service.gate import RETRY_S
from service.problems import Refused


async def turn_away(scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 (ASGI)
    """Say that the caller, whom a trusted proxy names, has too many requests under way."""
    detail = "too many of your requests are under way; wait for one of them"
    error = Refused("too-many-connections", detail, headers={"Retry-After": str(RETRY_S)})
    await answer(scope, error)(scope, receive, send)
