"""The gate: who may connect, and which connections are ended for being too slow.

Connections are limited per address (IPv6: per /64) and in total, to a share of the process's
descriptors. Trusted proxies are exempt from the limit per address: for them, concurrent requests
are counted for each client that they name. Addresses that an operator has exempted for a day are
not limited either. One pass over all connections, several times within the shortest of the
timeouts, ends those that are overdue: a timer for each would cost more.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec import Struct

from events.logger import get_logger
from runtime.settings import Settings
from service.http.access_log import Line
from service.http.addresses import Addresses, group_of
from service.http.metrics import Metrics
from service.http.raw_answers import raw_answer

RETRY_S: Final = 10
"""When to retry after a refused connection."""

_MS: Final = 1000
_LOOKS: Final = 4
_REST_S: Final = (0.02, 1.0)
_LOG_S: Final = 10.0
_log = get_logger(__name__)

_TOO_MANY: Final = "too-many-connections"
_FULL: Final = "no-free-connection"


class Bounds(Struct, frozen=True):
    """The bounds of a connection: sizes in bytes, times in seconds; a time of 0: unlimited."""

    head: int
    fields: int
    head_s: float
    body_s: float
    idle_s: float
    write_s: float

    @classmethod
    def of(cls, settings: Settings) -> Bounds:
        """The bounds from the settings."""
        return cls(
            head=settings.header_limit,
            fields=settings.header_fields,
            head_s=settings.header_timeout_ms / _MS,
            body_s=settings.body_timeout_ms / _MS,
            idle_s=settings.idle_timeout_ms / _MS,
            write_s=settings.write_timeout_ms / _MS,
        )

    @property
    def rest_s(self) -> float:
        """The interval between two passes over all connections."""
        times = [t for t in (self.head_s, self.body_s, self.idle_s, self.write_s) if t]
        low, high = _REST_S
        return min(max(min(times, default=high) / _LOOKS, low), high)


class Guarded(Protocol):
    """A connection as seen by the gate."""

    group: str

    def look(self, now: float) -> None:
        """End the connection if it is overdue. ``now`` is the loop's time."""


class Gate:
    """Counts the connections of one process, and ends the slow ones. Belongs to one event loop.

    Args:
        settings: of the process.
        addresses: identifies proxies, and the clients that they name.
        is_lifted: whether an operator has lifted the limits for an address.
        metrics: counts connections and refusals.
        take_line: takes a log line for each request that was refused before the app saw it.
        turned_away: the app that answers a client with too many concurrent requests.

    Attributes:
        bounds: the bounds of each connection.
        most: the limit on connections in total, set by the server; 0: none.
    """

    def __init__(
        self,
        settings: Settings,
        addresses: Addresses,
        is_lifted: Callable[[str], bool],
        metrics: Metrics,
        take_line: Callable[[Line], None],
        turned_away: Any,  # noqa: ANN401 (an ASGI app)
    ) -> None:
        self.bounds = Bounds.of(settings)
        self.most = 0
        self.turned_away = turned_away
        self._each = settings.connections_per_address
        self._addresses = addresses
        self._is_lifted = is_lifted
        self._metrics = metrics
        self._take_line = take_line
        self._connections: set[Guarded] = set()
        self._by_group: Counter[str] = Counter()
        self._guests: Counter[str] = Counter()
        self._unlogged: Counter[str] = Counter()
        self._logged_at = float("-inf")
        self._numbers = itertools.count(1)
        self._name = secrets.token_hex(4)
        metrics.connections.set_function(lambda: len(self._connections))

    def is_proxy(self, address: str) -> bool:
        """Whether an address belongs to a trusted proxy."""
        return self._addresses.is_proxy(address)

    def refusal(self, address: str) -> bytes | None:
        """The refusal of a connection from an address; None: it is accepted."""
        if self.most and len(self._connections) >= self.most:
            detail = "the service has no free connection; retry in a moment"
            return self.refused(_FULL, detail, RETRY_S)
        if self._each and self._by_group[group_of(address)] >= self._each:
            if self.is_proxy(address) or self._is_lifted(address):
                return None
            detail = f"{self._each} connections from your address are open; close one"
            return self.refused(_TOO_MANY, detail, RETRY_S)
        return None

    def enter(self, connection: Guarded) -> None:
        """Count an accepted connection."""
        self._connections.add(connection)
        self._by_group[connection.group] += 1

    def leave(self, connection: Guarded) -> None:
        """Stop counting a connection that has ended. Idempotent."""
        if connection in self._connections:
            self._connections.remove(connection)
            _take(self._by_group, connection.group)

    def enter_guest(self, scope: Any) -> str | None:  # noqa: ANN401 (an ASGI scope)
        """Count a request through a proxy; the client counted, or None if it has too many."""
        guest = self._addresses.group(scope)
        if self._each and self._guests[guest] >= self._each and not self._is_lifted(guest):
            self.ended(_TOO_MANY)
            return None
        self._guests[guest] += 1
        return guest

    def leave_guest(self, guest: str) -> None:
        """Stop counting a proxied request that was answered or abandoned."""
        _take(self._guests, guest)

    def refused(self, code: str, detail: str, retry_after_s: int | None = None) -> bytes:
        """Count a connection that is refused before the app sees it, and return the answer."""
        self.ended(code)
        self._metrics.problem(code)
        return raw_answer(code, detail, self._next_id(), retry_after_s)[1]

    def refused_request(self, code: str, detail: str) -> bytes:
        """The same for a request, which gets a line in the access log."""
        self.ended(code)
        request_id = self._next_id()
        status, answer = raw_answer(code, detail, request_id)
        self._metrics.problem(code)
        self._metrics.answered("other", "unmatched", status, 0.0)
        line: Line = {"event": "request", "level": "info", "method": "other", "route": "unmatched"}
        line |= {"status": status, "ms": 0.0, "request_id": request_id, "problem": code}
        self._take_line(line)
        return answer

    def ended(self, why: str) -> None:
        """Count a connection that was refused or ended by us, for the metrics and the log."""
        self._metrics.ended_connections.labels(why).inc()
        self._unlogged[why] += 1

    def not_accepted(self, error: OSError) -> None:
        """Count a failed accept, for lack of descriptors or memory."""
        self._metrics.accept_failures.inc()
        self._unlogged[f"accept failed: {error.strerror}"] += 1

    async def watch(self) -> None:
        """Check all connections periodically, for ever."""
        now = asyncio.get_running_loop().time
        try:
            while True:
                await asyncio.sleep(self.bounds.rest_s)
                self.look(now())
        finally:
            self._log_ended()

    def look(self, now: float) -> None:
        """Check each connection once, and log what was refused. ``now`` is the loop's time."""
        for connection in tuple(self._connections):
            connection.look(now)
        if now - self._logged_at >= _LOG_S and self._unlogged:
            self._logged_at = now
            self._log_ended()

    def _log_ended(self) -> None:
        """Log what was refused and ended since the last time, in one line."""
        if self._unlogged:
            _log.warning(
                "connections_ended",
                why=dict(self._unlogged),
                open=len(self._connections),
                most_from_one_address=max(self._by_group.values(), default=0),
            )
            self._unlogged.clear()

    def _next_id(self) -> str:
        return f"{self._name}{next(self._numbers):08x}"


def _take(counts: Counter[str], name: str) -> None:
    """Decrement a count, and drop it at zero: addresses come and go."""
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
