"""What pages of other origins may do (CORS, the Fetch standard), and the names of the service.

A page acts by a token that it was given: there are no cookies, so a browser adds nothing that the
page itself does not have, and ``Access-Control-Allow-Credentials`` is never sent. Reading, and
everything done with a token, is open to all origins. Registration and signing in, the operator's
endpoints, and tokens with the scopes ``admin`` or ``audit`` are restricted to listed origins.

A service that listens only on its own machine, and has no public address, is for its user alone:
pages of that machine may do everything there, and others nothing. Its ``Host`` is checked, because
a page's own domain may resolve to that machine (DNS rebinding), which gives it the same origin as
the service.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final, Literal

from service.http.headers import headers_of
from service.http.problems import Refused
from service.http.replies import Header, Reply

ALLOWED_HEADERS: Final = (
    b"authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id"
)
EXPOSED_HEADERS: Final = (
    b"etag, link, location, ratelimit, ratelimit-policy, retry-after, x-request-id"
)
MAX_AGE_S: Final = 7200
"""How long a browser may cache a preflight answer: the maximum of the strictest browser."""

Kind = Literal["open", "listed"]
"""Whether a path is open to all origins, or to listed ones only."""

_READS: Final = frozenset({"GET", "HEAD"})
_ORIGIN: Final = b"origin"
_ANY: Final = b"*"
_VARY: Final = b"vary"
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^][:]+)(?::[0-9]{0,5})?")
_REMEMBERED: Final = 100


class Origins:
    """The rules of what is open to which origin.

    Args:
        host: the address that the service listens on; empty: all.
        listed: the origins with more permissions, as browsers write them.
        public_url: the public address of the page; empty: none but the listening address.
    """

    def __init__(self, host: str = "", listed: Sequence[str] = (), public_url: str = "") -> None:
        here = {public_url} if public_url else set()
        self._listed = frozenset(each.encode() for each in (*listed, *here))
        self._checks_host = is_loopback(host)
        self._alone = self._checks_host and not public_url
        self._names = {name_of(url.partition("//")[2]) for url in here}
        self._known: set[bytes] = set()

    def begin(self, scope: Any) -> Reply | None:  # noqa: ANN401 (any ASGI scope)
        """The answer to a preflight request; None for any other request.

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
            raise _not_allowed("pages of other machines may not use this service")
        wanted = headers.get(b"access-control-request-method")
        kind = _kind(scope.get("path", ""), (wanted or b"").decode("latin-1"))
        if scope["method"] != "OPTIONS" or wanted is None or kind is None:
            return None
        asked = headers.get(b"access-control-request-headers", b"").lower().split(b",")
        by_token = b"authorization" in map(bytes.strip, asked)
        allowed = self._allowed(kind, origin, wanted.decode("latin-1"), by_token=by_token)
        if allowed is None:
            raise _not_allowed("this is restricted to the origins that the operator has listed")
        return _preflight(allowed, wanted)

    def end(self, scope: Any, headers: list[Header]) -> list[Header]:  # noqa: ANN401 (as above)
        """The headers of an answer, including those that let a page read it."""
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
        """Check that a request does not come from a page other than our own and the listed ones.

        Raises:
            Refused: origin-not-allowed.
        """
        headers = headers_of(scope)
        origin = headers.get(_ORIGIN)
        if origin is None or self._is_listed(origin) or _is_own(origin, headers):
            return
        raise _not_allowed(
            "a token with the scope admin or audit may only be used from listed origins"
        )

    def _allowed(self, kind: Kind, origin: bytes, method: str, *, by_token: bool) -> bytes | None:
        """The value of ``Access-Control-Allow-Origin``; None: omit it."""
        if kind == "open" and not self._alone and (method in _READS or by_token):
            return _ANY
        return origin if self._is_listed(origin) else None

    def _is_listed(self, origin: bytes) -> bool:
        return origin in self._listed or (self._alone and self._is_near(origin))

    def _is_near(self, origin: bytes) -> bool:
        """Whether an origin is on this machine, or listed."""
        scheme, _, rest = origin.decode("latin-1").partition("://")
        return origin in self._listed or (
            scheme in {"http", "https"} and is_loopback(name_of(rest))
        )

    def _check_hosts(self, scope: Any) -> None:  # noqa: ANN401 (as above)
        """Check that every ``Host`` is one of our names; browsers always send one.

        Raises:
            Refused: misdirected-request.
        """
        for key, value in scope["headers"]:
            if key != b"host":
                continue
            name = name_of(value.decode("latin-1").lower())
            if not (is_loopback(name) or name in self._names):
                raise Refused("misdirected-request", "this service does not have that name")
            if len(self._known) < _REMEMBERED:
                self._known.add(value)


def varied(headers: list[Header], *names: bytes) -> list[Header]:
    """The headers, with the request headers that the answer depends on added to ``Vary``."""
    said = b", ".join([*(value for key, value in headers if key == _VARY), *names])
    return [*(header for header in headers if header[0] != _VARY), (_VARY, said)]


def name_of(authority: str) -> str:
    """The host of ``host:port``, without brackets; empty if there is none."""
    found = _HOST.fullmatch(authority)
    return "" if found is None else found[1].strip("[]")


def is_loopback(name: str) -> bool:
    """Whether a name or an address means the local machine (RFC 6761 §6.3)."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def _kind(path: str, method: str) -> Kind | None:
    """How open a path is; None: no CORS headers for pages of other origins."""
    # As the router does, which collapses repeated slashes.
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["v1"]:
        signs_in = parts == ["v1", "players"] or parts[1:2] == ["sign-ins"]
        return "listed" if signs_in and method not in _READS else "open"
    if parts[:1] == ["problems"]:
        return "open"
    return "listed" if parts[:1] in (["metrics"], ["health"]) else None


def _is_own(origin: bytes, headers: dict[bytes, bytes]) -> bool:
    """Whether the request is from our own page: browsers say so in secure contexts."""
    scheme, _, authority = origin.lower().partition(b"://")
    host = headers.get(b"host", b"").lower()
    port = {b"http": b":80", b"https": b":443"}.get(scheme, b"")
    return headers.get(b"sec-fetch-site") == b"same-origin" or (
        host.removesuffix(port) == authority != b""
    )


def _preflight(allowed: bytes, method: bytes) -> Reply:
    # Only the requested method: a browser caches every method that it is told for an address, and
    # what applies to reading does not apply to the others.
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
