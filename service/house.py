"""What the handlers of one app share: the desk, the accounts, the hub, the lists, the metrics."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from litestar import Request
from msgspec import Struct

from projections.desk import Desk
from projections.hub import Hub
from projections.listing import Listing
from projections.settings import Settings
from service.metrics import Metrics
from service.registrar import Registrar


class House(Struct, frozen=True, kw_only=True, eq=False):
    """Made once for each app.

    ``closing`` is set when the process is about to stop; ``keeps_games`` asks whether the store is
    configured to keep what it acknowledges, or we may do without.
    """

    settings: Settings
    desk: Desk
    registrar: Registrar
    hub: Hub
    listing: Listing
    metrics: Metrics
    closing: asyncio.Event
    keeps_games: Callable[[], Awaitable[bool]]


def house_of(request: Request[Any, Any, Any]) -> House:
    """The house of the app that handles a request."""
    return cast("House", request.app.state["house"])
