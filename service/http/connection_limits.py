"""How many streams and long polls each caller may have open: each takes a place, and gives it back.

A process counts its own streams; who spreads over several processes gets a place more in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from prometheus_client import Gauge

from service.addresses import Addresses
from service.problems import Refused

RETRY_S: Final = 10
"""When to try again: a stream whose client is gone is noticed at the next heartbeat or two."""


class Places:
    """The places for streams and long polls. Belongs to one event loop.

    Args:
        addresses: tells strangers apart.
        each: how many a player may have open, over all its tokens.
        together: how many all may have open who come from one address without a token.
        gauge: counts the open streams.
        is_exempt: whether strangers from where a request comes may have any number.
    """

    def __init__(
        self,
        addresses: Addresses,
        each: int,
        together: int,
        gauge: Gauge,
        is_exempt: Callable[[Any], bool] = lambda _: False,
    ) -> None:
        self._addresses = addresses
        self._each = each
        self._together = together
        self._gauge = gauge
        self._is_exempt = is_exempt
        self._taken: dict[tuple[str, str], int] = {}

    @property
    def callers(self) -> int:
        """How many callers have a stream open, or a long poll."""
        return len(self._taken)

    def require_free(self, scope: Any) -> None:  # noqa: ANN401 (Litestar's ASGI scope)
        """Refuse a stream that would get no place, before anything is read for it.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        who, limit = self._caller(scope)
        exempt = scope["user"] is None and self._is_exempt(scope)
        if self._taken.get(who, 0) >= limit and not exempt:
            detail = f"{limit} streams and long polls are open; close one, or follow games by one"
            headers = {"Retry-After": str(RETRY_S)}
            raise Refused("too-many-streams", detail, headers=headers)

    @contextmanager
    def take(self, scope: Any, gauge: Gauge | None = None) -> Iterator[None]:  # noqa: ANN401 (as above)
        """A place for the answer to a request that has been let in, for as long as this lasts.

        ``gauge`` counts the open ones of its kind, if it is no stream.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        self.require_free(scope)
        who, _ = self._caller(scope)
        self._taken[who] = self._taken.get(who, 0) + 1
        try:
            with (gauge or self._gauge).track_inprogress():
                yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]

    def _caller(self, scope: Any) -> tuple[tuple[str, str], int]:  # noqa: ANN401 (as above)
        """Who asks, and how many places that one has."""
        user = scope["user"]
        if user is None:
            return ("address", self._addresses.group(scope)), self._together
        return ("player", user.player), self._each
