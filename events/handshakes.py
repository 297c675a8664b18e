"""Why a store does not talk to us over TLS, as its connections end, in clauses (pure)."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Final

from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswerInTime

CA: Final = "ssl_ca_certs"
CERTIFICATE: Final = "ssl_certfile"
KEY: Final = "ssl_keyfile"
"""The options of a store's URL that name files."""

_TLS: Final = "rediss"
_CLOSED: Final = "Connection closed by server."
_TOO_LATE: Final = "Timeout connecting to server"
"""What redis-py says: by their classes alone these ends of a connection cannot be told apart."""

_RESET: Final = (ConnectionResetError, BrokenPipeError)

_OTHER_HOST: Final = frozenset({62, 64})
"""OpenSSL's codes of a name and of an address that a certificate is not for (x509_vfy.h)."""

_NOT_BELIEVED: Final = (
    f"it may not believe our certificate: see {CERTIFICATE} and {KEY} in its URL, and"
    " tls-ca-cert-file of the store"
)


def connection_fault(url: str, error: BaseException) -> str:
    """What in a failed connection has to do with TLS, as a clause; empty: nothing known.

    Args:
        url: the store's.
        error: what the client raised; what led to it is looked at too.
    """
    came_of = list(causes(error))
    for each in came_of:
        if isinstance(each, ssl.SSLCertVerificationError):
            why = each.verify_message.rstrip(".")
            if each.verify_code in _OTHER_HOST:
                return f"its certificate is for another host: {why}"
            return f"its certificate is not believed: {why}; see {CA} in its URL"
        if isinstance(each, ssl.SSLError) and "ALERT" in (each.reason or ""):
            return f"it ended the handshake ({each.reason}): {_NOT_BELIEVED}"
    said = {str(each) for each in came_of if isinstance(each, NoConnection | NoAnswerInTime)}
    # Whose certificate is refused hears of it by an alert, or, when he had written meanwhile
    # (in TLS 1.3 his own handshake is over by then), by a reset that overtakes the alert.
    closed = _CLOSED in said or any(isinstance(each, _RESET) for each in came_of)
    if speaks_tls(url) and closed:
        return f"it closed the connection before it said anything: {_NOT_BELIEVED}"
    if speaks_tls(url) and _TOO_LATE in said:
        return "connecting took too long: perhaps it speaks no TLS on this port"
    if url.startswith("redis") and closed:
        return (
            "it closed the connection before it said anything: if it speaks TLS, its URL must"
            f" begin with {_TLS}"
        )
    return ""


def speaks_tls(url: str) -> bool:
    """Whether a URL says that its store speaks TLS."""
    return url.partition("://")[0].partition("+")[0] == _TLS


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, what it came of, and so on."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__
