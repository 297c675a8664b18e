"""Where requests come from, also behind proxies.

A proxy that the operator trusts adds the address of its own peer to the end of
``X-Forwarded-For``. So the list is read from its end for as long as trusted proxies have written
it; what stands before the first address that is no proxy of ours may be anybody's invention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

LOCAL: Final = "local"
"""The address of a request that came over no network."""

_FORWARDED: Final = b"x-forwarded-for"
_HOP: Final = re.compile(r"\[([^]]*)\](?::\d+)?|([^:]*)(?::\d+)?|(.*)")
"""``[IPv6]`` or ``[IPv6]:port``; IPv4 or ``IPv4:port``; bare IPv6."""
_HOST_BITS: Final = 64
_NETWORK_BITS: Final = 64


class Addresses:
    """Tells requests' addresses.

    Args:
        proxies: the networks of the proxies that are believed; none by default.
    """

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        self._proxies = tuple(proxies)

    def of(self, scope: Any) -> str:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
        """The address of the client, or of the farthest hop that is vouched for."""
        client = scope["client"]
        if not client:
            return LOCAL
        given: str = client[0]
        if not self._proxies:
            return given
        found = _read(given)
        if found is None:
            return given
        for hop in _hops(scope["headers"]):
            if not self._trusts(found):
                break
            before = _read(hop)
            if before is None:  # the proxy does not know, or does not say
                break
            found = before
        return str(found)

    def group(self, scope: Any) -> str:  # noqa: ANN401 (as ``of``)
        """The address by which a client is counted: that of ``of``, or its IPv6 network.

        A household or a server is given a /64 and may take any address in it (RFC 6177), so what is
        bounded by address is bounded by /64.
        """
        return group_of(self.of(scope))

    def is_proxy(self, address: str) -> bool:
        """Whether it is a trusted proxy that has this address."""
        found = _read(address) if self._proxies else None
        return found is not None and self._trusts(found)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


@lru_cache(maxsize=4096)
def group_of(address: str) -> str:
    """An IPv6 address's /64 as ``2001:db8::/64``; anything else as it is, mapped IPv4 as IPv4."""
    found = _read(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found) >> _HOST_BITS << _HOST_BITS, _NETWORK_BITS)))
    return address if found is None else str(found)


def _hops(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """What the proxies have written, the nearest first."""
    values = [value.decode("latin-1") for name, value in headers if name == _FORWARDED]
    return ",".join(values).split(",")[::-1] if values else []


def _read(text: str) -> Address | None:
    """An address with or without a port, None for anything else."""
    parts = _HOP.fullmatch(text.strip())
    try:
        found = ip_address("" if parts is None else parts[parts.lastindex or 0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
