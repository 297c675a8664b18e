"""How many streams each caller may have open: a place is taken for each, and given back at its end.

A process counts its own streams; who spreads over several processes gets a place more in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from prometheus_client import Gauge

from service.addresses import Addresses
from service.problems import Refused

RETRY_S: Final = 10
"""When to try again: a stream whose client is gone is noticed at the next heartbeat or two."""


class Places:
    """The places for streams. Belongs to one event loop.

    Args:
        addresses: tells strangers apart.
        each: how many streams a player may have open, over all its tokens.
        together: how many all may have open who come from one address without a token.
        gauge: counts the open ones.
    """

    def __init__(self, addresses: Addresses, each: int, together: int, gauge: Gauge) -> None:
        self._addresses = addresses
        self._each = each
        self._together = together
        self._gauge = gauge
        self._taken: dict[tuple[str, str], int] = {}

    @property
    def callers(self) -> int:
        """How many callers have a stream open."""
        return len(self._taken)

    @contextmanager
    def take(self, scope: Any) -> Iterator[None]:  # noqa: ANN401 (Litestar's ASGI scope)
        """A place for the stream of a request that has been let in, for as long as this lasts.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        user = scope["user"]
        who = ("address", self._addresses.of(scope)) if user is None else ("player", user.player)
        limit = self._together if user is None else self._each
        taken = self._taken.get(who, 0)
        if taken >= limit:
            detail = f"{limit} streams are open already; close one, or follow your games by one"
            headers = {"Retry-After": str(RETRY_S)}
            raise Refused("too-many-streams", detail, headers=headers)
        self._taken[who] = taken + 1
        try:
            with self._gauge.track_inprogress():
                yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]
