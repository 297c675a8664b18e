"""For which site passkeys are made, and the pages that may make and use them (WebAuthn §5.1).

The domain is what authenticators bind a passkey to (the RP id): another domain can neither use it
nor ask for it. Which page has asked is in what the browser signs along.
"""

from __future__ import annotations

import hashlib
from typing import Final, Self

from runtime.settings import Settings, origin_of
from service.http.origins import is_loopback, name_of

LOCAL: Final = "localhost"
"""The one name of a machine itself for which browsers make passkeys."""

_SCHEMES: Final = {"http", "https"}


class PasskeySite:
    """A domain with its pages.

    Args:
        domain: the RP id.
        origins: the origins of the pages, as browsers write them; None: any port of the domain.
    """

    def __init__(self, domain: str, origins: frozenset[str] | None) -> None:
        self.domain = domain
        self.domain_hash: Final = hashlib.sha256(domain.encode()).digest()
        self._origins = origins

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """The site of a service; None: browsers would make no passkeys for it.

        By default that is the public address. A service that is on one machine alone is reached
        there by a name of the machine, and which port a page has says nothing of who wrote it.
        """
        if settings.passkey_domain:
            return cls(settings.passkey_domain, frozenset(settings.passkey_origins))
        if settings.public_url:
            domain = name_of(settings.public_url.partition("://")[2])
            is_name = not domain[-1].isdigit() and ":" not in domain
            return cls(domain, frozenset({origin_of(settings.public_url)})) if is_name else None
        return cls(LOCAL, None) if is_loopback(settings.host) else None

    def accepts(self, origin: str) -> bool:
        """Whether a page of this origin may make and use passkeys."""
        if self._origins is not None:
            return origin in self._origins
        scheme, _, authority = origin.partition("://")
        return scheme in _SCHEMES and name_of(authority) == self.domain
