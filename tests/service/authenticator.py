"""An authenticator with its browser, as far as the service can tell: what passkeys sign."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicNumbers,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

from events.seal import text_of

ORIGIN: Final = "http://localhost:8025"
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40

Json = dict[str, Any]


class Passkey:
    """A key pair for one site and one player.

    What is wrong with a request is said by ``more``: another ``origin``, ``domain``, ``deed``,
    ``flags``, ``framed``. ``counter`` is how often it says that it has signed; each signature adds
    one unless it is None, of a passkey that does not count.
    """

    def __init__(self, counter: int | None = 0) -> None:
        self.id = secrets.token_bytes(32)
        self.user = ""
        self.counter = counter
        self._key = generate_private_key(SECP256R1())

    def made(self, asked: Json, **more: Any) -> Json:
        """What a browser hands over that was asked to make it."""
        self.user = asked["user"]
        key = {1: 2, 3: -7, -1: 1, -2: self._place(0), -3: self._place(1)}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + encode_cbor(key)
        flags = more.get("flags", PRESENT | VERIFIED) | ATTESTED
        said = self._said(asked, flags, more) + attested
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": said})
        data = _client_data(asked, {"deed": "webauthn.create"} | more)
        return {"client_data": text_of(data), "attestation": text_of(attestation)}

    def signed(self, asked: Json, **more: Any) -> Json:
        """What a browser hands over that was asked to use it."""
        if self.counter is not None:
            self.counter += 1
        said = self._said(asked, more.get("flags", PRESENT | VERIFIED), more)
        data = _client_data(asked, {"deed": "webauthn.get"} | more)
        content = said + hashlib.sha256(data).digest()
        return {
            "credential": text_of(self.id),
            "user": self.user,
            "client_data": text_of(data),
            "authenticator_data": text_of(said),
            "signature": text_of(self._key.sign(content, ECDSA(SHA256()))),
        }

    def _said(self, asked: Json, flags: int, more: Json) -> bytes:
        domain = str(more.get("domain", asked["domain"]))
        count = (self.counter or 0).to_bytes(4, "big")
        return hashlib.sha256(domain.encode()).digest() + bytes([flags]) + count

    def _place(self, axis: int) -> bytes:
        numbers: EllipticCurvePublicNumbers = self._key.public_key().public_numbers()
        return (numbers.x, numbers.y)[axis].to_bytes(32, "big")


def _client_data(asked: Json, more: Json) -> bytes:
    said = {
        "type": more["deed"],
        "challenge": more.get("challenge", asked["challenge"]),
        "origin": more.get("origin", ORIGIN),
        "crossOrigin": more.get("framed", False),
    }
    return json.dumps(said).encode()
