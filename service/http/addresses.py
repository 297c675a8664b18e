"""The client address of a request, also behind proxies.

A trusted proxy appends the address of its own peer to ``X-Forwarded-For``. So the list is read from
its end for as long as the entries were written by trusted proxies; anything before the first
untrusted address may be forged.
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
"""The address of a request that did not come over a network."""

_FORWARDED: Final = b"x-forwarded-for"
_HOP: Final = re.compile(r"\[([^]]*)\](?::\d+)?|([^:]*)(?::\d+)?|(.*)")
"""``[IPv6]`` or ``[IPv6]:port``; IPv4 or ``IPv4:port``; bare IPv6."""
_HOST_BITS: Final = 64
_NETWORK_BITS: Final = 64


class Addresses:
    """Determines the client address of requests.

    Args:
        proxies: the networks of trusted proxies; none by default.
    """

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        self._proxies = tuple(proxies)

    def of(self, scope: Any) -> str:  # noqa: ANN401 (ours and Litestar's ASGI scopes)
        """The address of the client: of the farthest hop that trusted proxies vouch for."""
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
            if before is None:  # the proxy does not know it, or withholds it
                break
            found = before
        return str(found)

    def group(self, scope: Any) -> str:  # noqa: ANN401 (as ``of``)
        """The group by which a client is counted: the address of ``of``, or its IPv6 /64.

        A household or a server is assigned a /64 and may use any address in it (RFC 6177), so
        limits per address apply per /64.
        """
        return group_of(self.of(scope))

    def is_proxy(self, address: str) -> bool:
        """Whether an address belongs to a trusted proxy."""
        found = _read(address) if self._proxies else None
        return found is not None and self._trusts(found)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


@lru_cache(maxsize=4096)
def group_of(address: str) -> str:
    """The /64 of an IPv6 address as ``2001:db8::/64``; others unchanged, mapped IPv4 as IPv4."""
    found = _read(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found) >> _HOST_BITS << _HOST_BITS, _NETWORK_BITS)))
    return address if found is None else str(found)


def _hops(headers: Iterable[tuple[bytes, bytes]]) -> list[str]:
    """The addresses that proxies have appended, nearest first."""
    values = [value.decode("latin-1") for name, value in headers if name == _FORWARDED]
    return ",".join(values).split(",")[::-1] if values else []


def _read(text: str) -> Address | None:
    """Parse an address with or without a port; None for anything else."""
    parts = _HOP.fullmatch(text.strip())
    try:
        found = ip_address("" if parts is None else parts[parts.lastindex or 0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found
