"""Pseudonyms of network addresses for storage and logs: keyed hashes, new each day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import DurationMs, TimestampMs
from events.keys import KeyRing
from service.http.addresses import Addresses, group_of

DAY_MS: Final[DurationMs] = 24 * 3600 * 1000
_KEPT: Final = 10_000


class AddressNames:
    """Names the addresses of requests. All IPv6 addresses of a /64 share one name.

    Args:
        addresses: determines requests' addresses.
        keys: provides the key and the salt of the day.
        clock: the time in ms, for the day.
    """

    def __init__(
        self, addresses: Addresses, keys: KeyRing, clock: Callable[[], TimestampMs]
    ) -> None:
        self._addresses = addresses
        self._keys = keys
        self._clock = clock
        self._day = -1
        self._known: dict[str, str] = {}

    def of(self, scope: Any) -> str:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
        """Today's name of the address of a request."""
        return self.name(self._addresses.of(scope))

    def name(self, address: str) -> str:
        """Today's name of an address."""
        day = self._clock() // DAY_MS
        if day != self._day or len(self._known) > _KEPT:
            self._day = day
            self._known.clear()
        known = self._known.get(address)
        if known is None:
            known = self._known[address] = self._keys.address_name(day, group_of(address))
        return known

    def names_for_a_day(self, address: str) -> tuple[str, str]:
        """The names of an address today and tomorrow: all that it has in the next 24 hours."""
        day, group = self._clock() // DAY_MS, group_of(address)
        return self._keys.address_name(day, group), self._keys.address_name(day + 1, group)
