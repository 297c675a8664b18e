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

    def require_free(self, scope: Any) -> None:  # noqa: ANN401 (Litestar's ASGI scope)
        """Refuse a stream that would get no place, before anything is read for it.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        who, limit = self._caller(scope)
        if self._taken.get(who, 0) >= limit:
            detail = f"{limit} streams are open already; close one, or follow your games by one"
            headers = {"Retry-After": str(RETRY_S)}
            raise Refused("too-many-streams", detail, headers=headers)

    @contextmanager
    def take(self, scope: Any) -> Iterator[None]:  # noqa: ANN401 (Litestar's ASGI scope)
        """A place for the stream of a request that has been let in, for as long as this lasts.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        self.require_free(scope)
        who, _ = self._caller(scope)
        self._taken[who] = self._taken.get(who, 0) + 1
        try:
            with self._gauge.track_inprogress():
                yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]

    def _caller(self, scope: Any) -> tuple[tuple[str, str], int]:  # noqa: ANN401 (as above)
        """Who asks, and how many streams that one may have open."""
        user = scope["user"]
        if user is None:
            return ("address", self._addresses.of(scope)), self._together
        return ("player", user.player), self._each
