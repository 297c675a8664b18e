"""The gate: who may connect, and which connections are ended because nothing comes of them.

Connections are bounded by address (IPv6 by /64) and in all, by a share of the process's
descriptors. Proxies that the operator trusts may have any number by address: for them the requests
under way of each caller that they name are counted. Addresses that an operator has lifted for a day
may have any number too. One look at all connections, several times in the shortest of the bounds,
ends those whose time is over: a timer for each would cost more.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog
from msgspec import Struct

from projections.settings import Settings
from service.access_log import Line
from service.addresses import Addresses, group_of
from service.metrics import Metrics
from service.raw_answers import raw_answer

RETRY_S: Final = 10
"""When to try again who has too many connections, or finds no place."""

_MS: Final = 1000
_LOOKS: Final = 4
_REST_S: Final = (0.02, 1.0)
_TELL_S: Final = 10.0
_log = structlog.get_logger(__name__)

_TOO_MANY: Final = "too-many-connections"
_FULL: Final = "no-free-connection"


class Bounds(Struct, frozen=True):
    """What a connection is held to: sizes in bytes, times in seconds; a time of 0: nobody looks."""

    head: int
    fields: int
    head_s: float
    body_s: float
    idle_s: float
    write_s: float

    @classmethod
    def of(cls, settings: Settings) -> Bounds:
        """The bounds that the settings say."""
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
        """How long to wait between two looks at all connections."""
        times = [t for t in (self.head_s, self.body_s, self.idle_s, self.write_s) if t]
        low, high = _REST_S
        return min(max(min(times, default=high) / _LOOKS, low), high)


class Guarded(Protocol):
    """A connection, as the gate sees it."""

    group: str

    def look(self, now: float) -> None:
        """End the connection if its time is over. ``now`` is the loop's."""


class Gate:
    """Counts the connections of one process, and ends the slow ones. Belongs to one event loop.

    Args:
        settings: of the process.
        addresses: tells proxies, and the callers that they name.
        is_lifted: whether an operator has lifted the limits of an address.
        metrics: where connections and refusals are counted.
        access: takes a line for each request that was refused before the app saw it.
        turned_away: the app that answers a request of a caller with too many under way.

    Attributes:
        bounds: what each connection is held to.
        most: how many connections there may be in all, set by the server; 0: any number.
    """

    def __init__(
        self,
        settings: Settings,
        addresses: Addresses,
        is_lifted: Callable[[str], bool],
        metrics: Metrics,
        access: Callable[[Line], None],
        turned_away: Any,  # noqa: ANN401 (an ASGI app)
    ) -> None:
        self.bounds = Bounds.of(settings)
        self.most = 0
        self.turned_away = turned_away
        self._each = settings.connections_per_address
        self._addresses = addresses
        self._is_lifted = is_lifted
        self._metrics = metrics
        self._access = access
        self._connections: set[Guarded] = set()
        self._by_group: Counter[str] = Counter()
        self._guests: Counter[str] = Counter()
        self._untold: Counter[str] = Counter()
        self._told_at = float("-inf")
        self._numbers = itertools.count(1)
        self._name = secrets.token_hex(4)
        metrics.connections.set_function(lambda: len(self._connections))

    def is_proxy(self, address: str) -> bool:
        """Whether an address is a trusted proxy's."""
        return self._addresses.is_proxy(address)

    def refusal(self, address: str) -> bytes | None:
        """The answer to who may not connect from an address now; None: come in."""
        if self.most and len(self._connections) >= self.most:
            detail = "the service has no connection left; try again in a moment"
            return self.refused(_FULL, detail, RETRY_S)
        if self._each and self._by_group[group_of(address)] >= self._each:
            if self.is_proxy(address) or self._is_lifted(address):
                return None
            detail = f"{self._each} connections from your address are open; close one"
            return self.refused(_TOO_MANY, detail, RETRY_S)
        return None

    def enter(self, connection: Guarded) -> None:
        """Count a connection that has been let in."""
        self._connections.add(connection)
        self._by_group[connection.group] += 1

    def leave(self, connection: Guarded) -> None:
        """The connection has ended. Saying it again is harmless."""
        if connection in self._connections:
            self._connections.remove(connection)
            _take(self._by_group, connection.group)

    def enter_guest(self, scope: Any) -> str | None:  # noqa: ANN401 (an ASGI scope)
        """Count a request that came by a proxy; who is counted, None if that one has too many."""
        guest = self._addresses.group(scope)
        if self._each and self._guests[guest] >= self._each and not self._is_lifted(guest):
            self.ended(_TOO_MANY)
            return None
        self._guests[guest] += 1
        return guest

    def leave_guest(self, guest: str) -> None:
        """A guest's request has been answered, or given up."""
        _take(self._guests, guest)

    def refused(self, code: str, detail: str, retry_after_s: int | None = None) -> bytes:
        """Count somebody who is refused before the app hears of it; the answer."""
        self.ended(code)
        self._metrics.problem(code)
        return raw_answer(code, detail, self._next_id(), retry_after_s)[1]

    def refused_request(self, code: str, detail: str) -> bytes:
        """The same of a request: it has a line in the access log."""
        self.ended(code)
        request_id = self._next_id()
        status, answer = raw_answer(code, detail, request_id)
        self._metrics.problem(code)
        self._metrics.answered("other", "unmatched", status, 0.0)
        line: Line = {"event": "request", "level": "info", "method": "other", "route": "unmatched"}
        line |= {"status": status, "ms": 0.0, "request_id": request_id, "problem": code}
        self._access(line)
        return answer

    def ended(self, why: str) -> None:
        """Count a connection that was refused or ended by us, and have it told in the log."""
        self._metrics.ended_connections.labels(why).inc()
        self._untold[why] += 1

    def not_accepted(self, error: OSError) -> None:
        """Count that nobody could be accepted, for want of descriptors or memory."""
        self._metrics.accept_failures.inc()
        self._untold[f"accept failed: {error.strerror}"] += 1

    async def watch(self) -> None:
        """Look at all connections, again and again, for ever."""
        now = asyncio.get_running_loop().time
        try:
            while True:
                await asyncio.sleep(self.bounds.rest_s)
                self.look(now())
        finally:
            self._tell()

    def look(self, now: float) -> None:
        """Look at each connection once, and tell what was refused. ``now`` is the loop's time."""
        for connection in tuple(self._connections):
            connection.look(now)
        if now - self._told_at >= _TELL_S and self._untold:
            self._told_at = now
            self._tell()

    def _tell(self) -> None:
        """Log what was refused and ended since this was last told: a line for all of it."""
        if self._untold:
            _log.warning(
                "connections_ended",
                why=dict(self._untold),
                open=len(self._connections),
                most_from_one_address=max(self._by_group.values(), default=0),
            )
            self._untold.clear()

    def _next_id(self) -> str:
        return f"{self._name}{next(self._numbers):08x}"


def _take(counts: Counter[str], name: str) -> None:
    """Take one from a count, and forget it at nought: addresses come and go."""
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
