"""What network addresses are called where they are kept or logged: keyed hashes, new each day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from events.kernel import Millis
from events.keys import KeyRing
from service.addresses import Addresses, group_of

DAY_MS: Final[Millis] = 24 * 3600 * 1000
_KEPT: Final = 10_000


class AddressNames:
    """Names the addresses of requests. IPv6 addresses of one /64 have one name.

    Args:
        addresses: tells requests' addresses.
        keys: the key and the salt of the day come from it.
        clock: the time in ms, for the day.
    """

    def __init__(self, addresses: Addresses, keys: KeyRing, clock: Callable[[], Millis]) -> None:
        self._addresses = addresses
        self._keys = keys
        self._clock = clock
        self._day = -1
        self._known: dict[str, str] = {}

    def of(self, scope: Any) -> str:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
        """Today's name of where a request comes from."""
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
        """The names of an address today and tomorrow: in the next 24 hours it has no other."""
        day, group = self._clock() // DAY_MS, group_of(address)
        return self._keys.address_name(day, group), self._keys.address_name(day + 1, group)
