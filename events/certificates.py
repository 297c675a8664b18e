"""What keeps a store and us from talking over TLS, in sentences that name the file to be mended."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from redis.connection import parse_url
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import TimeoutError as NoAnswerInTime

from events.clients import of_one_node

CA: Final = "ssl_ca_certs"
CERTIFICATE: Final = "ssl_certfile"
KEY: Final = "ssl_keyfile"
"""The options of a store's URL that name files."""

_TLS: Final = "rediss"
_CLOSED: Final = "Connection closed by server."
_TOO_LATE: Final = "Timeout connecting to server"
"""What redis-py says: by their classes alone these ends of a connection cannot be told apart."""

_OTHER_HOST: Final = frozenset({62, 64})
"""OpenSSL's codes of a name and of an address that a certificate is not for (x509_vfy.h)."""

_NOT_BELIEVED: Final = (
    f"it may not believe our certificate: see {CERTIFICATE} and {KEY} in its URL, and"
    " tls-ca-cert-file of the store"
)


def files_fault(url: str) -> str:
    """What is wrong with the files that a store's URL names, as a clause; empty: nothing.

    No connection is opened. Neither the contents of a file nor anything else of the URL is quoted.
    """
    if not _speaks_tls(url):
        return ""
    options: dict[str, Any] = dict(parse_url(of_one_node(url)))
    return _unreadable(options) or _misfits(options)


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
    if _speaks_tls(url) and _CLOSED in said:
        return f"it closed the connection before it said anything: {_NOT_BELIEVED}"
    if _speaks_tls(url) and _TOO_LATE in said:
        return "connecting took too long: perhaps it speaks no TLS on this port"
    if url.startswith("redis") and _CLOSED in said:
        return (
            "it closed the connection before it said anything: if it speaks TLS, its URL must"
            f" begin with {_TLS}"
        )
    return ""


def _speaks_tls(url: str) -> bool:
    return url.partition("://")[0].partition("+")[0] == _TLS


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, what it came of, and so on."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


def _unreadable(options: Mapping[str, Any]) -> str:
    for name in (CA, CERTIFICATE, KEY):
        if path := options.get(name):
            try:
                Path(path).read_bytes()
            except OSError as error:
                return f"{path}, which {name} in its URL names, cannot be read: {error.strerror}"
    return ""


def _misfits(options: Mapping[str, Any]) -> str:
    """Whether a readable file is not what its option says."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority, certificate, key = (options.get(name) for name in (CA, CERTIFICATE, KEY))
    try:
        if authority:
            context.load_verify_locations(authority)
    except ssl.SSLError:
        return f"{authority}, which {CA} in its URL names, holds no certificate"
    if key and not certificate:
        return f"its URL names a key ({KEY}) without its certificate ({CERTIFICATE})"
    try:
        if certificate:
            context.load_cert_chain(certificate, key, password=_nobody_asks)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            return f"the key in {key} ({KEY}) is not that of the certificate in {certificate}"
        return f"{certificate} ({CERTIFICATE}) and {key or 'it'} are no certificate and its key"
    return ""


def _nobody_asks() -> str:
    """The password of a key that has one: OpenSSL would ask for it at the terminal."""
    return ""
