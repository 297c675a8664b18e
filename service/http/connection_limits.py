"""Limits on the streams and long polls that each caller may have open.

The limits are per process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from prometheus_client import Gauge

from service.http.addresses import Addresses
from service.http.problems import Refused

RETRY_S: Final = 10
"""When to retry: a disconnected client is noticed within a heartbeat or two."""


class ConnectionLimits:
    """The slots for streams and long polls. Belongs to one event loop.

    Args:
        addresses: tells anonymous callers apart.
        each: the limit per player, over all tokens.
        together: the limit for all anonymous callers of one address.
        gauge: counts the open streams.
        is_exempt: whether the address of an anonymous request has no limit.
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
        """How many callers have a stream or a long poll open."""
        return len(self._taken)

    def require_free(self, scope: Any) -> None:  # noqa: ANN401 (Litestar's ASGI scope)
        """Refuse a stream for which no slot is free, before anything is read for it.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        caller, limit = self._caller(scope)
        exempt = scope["user"] is None and self._is_exempt(scope)
        if self._taken.get(caller, 0) >= limit and not exempt:
            detail = (
                f"{limit} streams and long polls are open; close one, or use one stream for all"
            )
            headers = {"Retry-After": str(RETRY_S)}
            raise Refused("too-many-streams", detail, headers=headers)

    @contextmanager
    def take(self, scope: Any, gauge: Gauge | None = None) -> Iterator[None]:  # noqa: ANN401 (as above)
        """Hold a slot within the context, for the answer to an admitted request.

        ``gauge`` counts the open answers of its kind; by default that of streams.

        Raises:
            Refused: too-many-streams, with ``Retry-After``.
        """
        self.require_free(scope)
        caller, _ = self._caller(scope)
        self._taken[caller] = self._taken.get(caller, 0) + 1
        try:
            with (gauge or self._gauge).track_inprogress():
                yield
        finally:
            self._taken[caller] -= 1
            if not self._taken[caller]:
                del self._taken[caller]

    def _caller(self, scope: Any) -> tuple[tuple[str, str], int]:  # noqa: ANN401 (as above)
        """The key of the caller, and its limit."""
        user = scope["user"]
        if user is None:
            return ("address", self._addresses.group(scope)), self._together
        return ("player", user.player), self._each
