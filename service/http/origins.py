"""What the pages of other sites may ask for (CORS, the Fetch standard), and by which names.

A page acts by a token that it was given: there are no cookies, so a browser adds nothing that the
page itself does not have, and ``Access-Control-Allow-Credentials`` is never sent. Reading, and
whatever goes by a token, is open to all sites. Registering, what an operator looks at, and tokens
with the scopes ``admin`` or ``audit`` are for listed sites.

A service that listens on its own machine alone, and has no public address, is nobody's but the
user's: pages of that machine may do everything there, and others nothing. Its ``Host`` is checked,
because a page may have its own name point to that machine (DNS rebinding), and is then of the same
origin as the service.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final, Literal

from service.headers import headers_of
from service.problems import Refused
from service.replies import Header, Reply

ALLOWED_HEADERS: Final = (
    b"authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id"
)
EXPOSED_HEADERS: Final = (
    b"etag, link, location, ratelimit, ratelimit-policy, retry-after, x-request-id"
)
MAX_AGE_S: Final = 7200
"""How long a browser may remember what a site may do: what the strictest of them takes."""

Kind = Literal["open", "listed"]
"""Open to all sites within the rules, or to listed ones alone."""

_READS: Final = frozenset({"GET", "HEAD"})
_ORIGIN: Final = b"origin"
_ANY: Final = b"*"
_VARY: Final = b"vary"
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^][:]+)(?::[0-9]{0,5})?")
_REMEMBERED: Final = 100


class Origins:
    """What is open to whom.

    Args:
        host: where the service listens; empty: everywhere.
        listed: the origins that may do more, as browsers write them.
        public_url: where people find the page; empty: nowhere else than there.
    """

    def __init__(self, host: str = "", listed: Sequence[str] = (), public_url: str = "") -> None:
        here = {public_url} if public_url else set()
        self._listed = frozenset(each.encode() for each in (*listed, *here))
        self._checks_host = is_loopback(host)
        self._alone = self._checks_host and not public_url
        self._names = {name_of(url.partition("//")[2]) for url in here}
        self._known: set[bytes] = set()

    def begin(self, scope: Any) -> Reply | None:  # noqa: ANN401 (any ASGI scope)
        """The answer to a browser that asks what it may do; None: this is another request.

        Raises:
            Refused: misdirected-request; origin-not-allowed.
        """
        headers = headers_of(scope)
        if self._checks_host and (
            headers.get(b"host") not in self._known or len(headers) != len(scope["headers"])
        ):
            self._check_hosts(scope)
        origin = headers.get(_ORIGIN)
        if origin is None:
            return None
        if self._alone and not self._is_near(origin):
            raise _not_allowed("pages of other machines may ask nothing of this service")
        wanted = headers.get(b"access-control-request-method")
        kind = _kind(scope.get("path", ""), (wanted or b"").decode("latin-1"))
        if scope["method"] != "OPTIONS" or wanted is None or kind is None:
            return None
        asked = headers.get(b"access-control-request-headers", b"").lower().split(b",")
        by_token = b"authorization" in map(bytes.strip, asked)
        allowed = self._allowed(kind, origin, wanted.decode("latin-1"), by_token=by_token)
        if allowed is None:
            raise _not_allowed("this is for the pages that the operator has listed")
        return _preflight(allowed, wanted)

    def end(self, scope: Any, headers: list[Header]) -> list[Header]:  # noqa: ANN401 (as above)
        """The headers of an answer, with those that let a page read it."""
        method = scope["method"]
        given = headers_of(scope)
        origin = given.get(_ORIGIN)
        if origin is None and method not in _READS:
            return headers
        kind = _kind(scope.get("path", ""), method)
        if kind is None or method == "OPTIONS":
            return headers
        if method in _READS:
            headers = varied(headers, _ORIGIN)
        if origin is None:
            return headers
        allowed = self._allowed(kind, origin, method, by_token=b"authorization" in given)
        if allowed is None:
            return headers
        return [
            *headers,
            (b"access-control-allow-origin", allowed),
            (b"access-control-expose-headers", EXPOSED_HEADERS),
        ]

    def require_listed(self, scope: Any) -> None:  # noqa: ANN401 (as above)
        """Check that no page but our own and the listed ones has sent a request.

        Raises:
            Refused: origin-not-allowed.
        """
        headers = headers_of(scope)
        origin = headers.get(_ORIGIN)
        if origin is None or self._is_listed(origin) or _is_own(origin, headers):
            return
        raise _not_allowed("by a token with the scope admin or audit only listed pages may ask")

    def _allowed(self, kind: Kind, origin: bytes, method: str, *, by_token: bool) -> bytes | None:
        """What ``Access-Control-Allow-Origin`` says; None: nothing."""
        if kind == "open" and not self._alone and (method in _READS or by_token):
            return _ANY
        return origin if self._is_listed(origin) else None

    def _is_listed(self, origin: bytes) -> bool:
        return origin in self._listed or (self._alone and self._is_near(origin))

    def _is_near(self, origin: bytes) -> bool:
        """Whether an origin is a page of this machine, or listed."""
        scheme, _, rest = origin.decode("latin-1").partition("://")
        return origin in self._listed or (
            scheme in {"http", "https"} and is_loopback(name_of(rest))
        )

    def _check_hosts(self, scope: Any) -> None:  # noqa: ANN401 (as above)
        """See that every ``Host`` is a name of ours; who sends none is no browser.

        Raises:
            Refused: misdirected-request.
        """
        for key, value in scope["headers"]:
            if key != b"host":
                continue
            name = name_of(value.decode("latin-1").lower())
            if not (is_loopback(name) or name in self._names):
                raise Refused("misdirected-request", "this service does not go by that name")
            if len(self._known) < _REMEMBERED:
                self._known.add(value)


def varied(headers: list[Header], *names: bytes) -> list[Header]:
    """The headers, with ``Vary`` telling that the answer depends on these of the request too."""
    said = b", ".join([*(value for key, value in headers if key == _VARY), *names])
    return [*(header for header in headers if header[0] != _VARY), (_VARY, said)]


def name_of(authority: str) -> str:
    """The host of ``host:port``, without brackets; empty for what is none."""
    found = _HOST.fullmatch(authority)
    return "" if found is None else found[1].strip("[]")


def is_loopback(name: str) -> bool:
    """Whether a name or an address is this machine for who uses it (RFC 6761 §6.3)."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _kind(path: str, method: str) -> Kind | None:
    """How open an address is; None: pages of other sites are told nothing about it."""
    # As the router reads it, which takes several slashes for one.
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["v1"]:
        return "listed" if parts == ["v1", "players"] and method not in _READS else "open"
    if parts[:1] == ["problems"]:
        return "open"
    return "listed" if parts[:1] in (["metrics"], ["health"]) else None


def _is_own(origin: bytes, headers: dict[bytes, bytes]) -> bool:
    """Whether it is our own page that asks: browsers say so, where the connection is safe."""
    scheme, _, authority = origin.lower().partition(b"://")
    host = headers.get(b"host", b"").lower()
    port = {b"http": b":80", b"https": b":443"}.get(scheme, b"")
    return headers.get(b"sec-fetch-site") == b"same-origin" or (
        host.removesuffix(port) == authority != b""
    )


def _preflight(allowed: bytes, method: bytes) -> Reply:
    # Of the methods only the one that was asked for: a browser remembers all that it is told of an
    # address, and what holds for reading it does not hold for the rest.
    headers = (
        (b"access-control-allow-origin", allowed),
        (b"access-control-allow-methods", method),
        (b"access-control-allow-headers", ALLOWED_HEADERS),
        (b"access-control-max-age", b"%d" % MAX_AGE_S),
        (_VARY, b"origin, access-control-request-method, access-control-request-headers"),
    )
    return Reply(b"", headers, 204, None)


def _not_allowed(detail: str) -> Refused:
    return Refused("origin-not-allowed", detail)
