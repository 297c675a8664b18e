"""Whether the files of TLS that a store's URL names fit; if not, the one that is to be mended."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redis.connection import parse_url

from events.clients import of_one_node
from events.handshakes import CA, CERTIFICATE, KEY, speaks_tls


def files_fault(url: str) -> str:
    """What is wrong with the files that a store's URL names, as a clause; empty: nothing.

    No connection is opened. Neither the contents of a file nor anything else of the URL is quoted.
    """
    if not speaks_tls(url):
        return ""
    options: dict[str, Any] = dict(parse_url(of_one_node(url)))
    return _unreadable(options) or _misfits(options)


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
