"""Signed heads: one Ed25519 signature over where a stream stood (pure).

The form is a C2SP signed note (https://c2sp.org/signed-note). Its text has six lines::

    parlour/head/1
    <origin>
    <stream id>
    <version>
    <head, base64url without padding>
    <time, milliseconds since 1970 UTC>

A chain head is no Merkle root, so this is deliberately not a tlog checkpoint.
"""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode, b64encode
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from events.kernel import Millis
from events.seal import HASH_BYTES, LARGEST, bytes_of, text_of

FORMAT: Final = "parlour/head/1"
_ED25519 = b"\x01"
_ID_BYTES = 4
_DASH = "\N{EM DASH}"


class SignatureError(ValueError):
    """The note is malformed, or this key did not sign it."""


class SignedHead(Struct, frozen=True):
    """What a verified note says: ``stream`` stood at ``version`` with ``head`` at time ``at``."""

    origin: str
    stream: str
    version: int
    head: bytes
    at: Millis


def _key_id(origin: str, public_key: Ed25519PublicKey) -> bytes:
    message = origin.encode() + b"\n" + _ED25519 + public_key.public_bytes_raw()
    return hashlib.sha256(message).digest()[:_ID_BYTES]


def require_name(what: str, text: str) -> None:
    """See that a text can stand in a line of a note.

    Raises:
        ValueError: it cannot; ``what`` says what it is.
    """
    if not text or "+" in text or any(c.isspace() or not c.isprintable() for c in text):
        raise ValueError(f"{what} must be printable, without spaces and plus signs: {text!r}")


def verifier_key(origin: str, public_key: Ed25519PublicKey) -> str:
    """The key as auditors configure it: ``<origin>+<key id>+<base64 key>`` (C2SP vkey)."""
    require_name("an origin", origin)
    encoded = b64encode(_ED25519 + public_key.public_bytes_raw()).decode()
    return f"{origin}+{_key_id(origin, public_key).hex()}+{encoded}"


def sign_head(  # the six lines of the note are six arguments
    key: Ed25519PrivateKey, origin: str, stream: str, version: int, head: bytes, at: Millis
) -> str:
    """The signed note that says where ``stream`` stood; ``origin`` names the signing service.

    Raises:
        ValueError: a part cannot stand in a note.
    """
    require_name("an origin", origin)
    require_name("a stream id", stream)
    if len(head) != HASH_BYTES or version < 0 or at < 0:
        raise ValueError("a head has 32 bytes, a version from 0 and a time from 0")
    text = f"{FORMAT}\n{origin}\n{stream}\n{version}\n{text_of(head)}\n{at}\n"
    signature = _key_id(origin, key.public_key()) + key.sign(text.encode())
    return f"{text}\n{_DASH} {origin} {b64encode(signature).decode()}\n"


def verify_head(note: str, public_key: Ed25519PublicKey) -> SignedHead:
    """Read a note after checking that ``public_key`` signed it.

    Signatures by other keys are passed over, as C2SP asks: witnesses may have added theirs.

    Raises:
        SignatureError: malformed, not signed by this key, or altered since.
    """
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        raise SignatureError("not a signed note: no blank line before the signatures")
    text += "\n"
    said = _read(text)
    wanted = _key_id(said.origin, public_key)
    for name, key_id, signature in [_signature(line) for line in signatures[:-1].split("\n")]:
        if name != said.origin or key_id != wanted:
            continue
        try:
            public_key.verify(signature, text.encode())
        except InvalidSignature:
            raise SignatureError("the text or its signature has been altered") from None
        return said
    raise SignatureError(f"no signature by this key for {said.origin!r}")


def _signature(line: str) -> tuple[str, bytes, bytes]:
    """Name, key id and signature of a signature line."""
    match line.split(" "):
        case [dash, name, encoded] if dash == _DASH and name:
            try:
                raw = b64decode(encoded, validate=True)
            except binascii.Error:
                raise SignatureError("a signature is not base64") from None
            if b64encode(raw).decode() != encoded:
                raise SignatureError("a signature is not in its one spelling")
            if len(raw) > _ID_BYTES:
                return name, raw[:_ID_BYTES], raw[_ID_BYTES:]
    raise SignatureError(f"not a signature line: {line[:80]!r}")


def _read(text: str) -> SignedHead:
    """The parts of a note's text, in exactly the spelling that ``sign_head`` writes."""
    lines = text.split("\n")
    if len(lines) != 7 or lines[0] != FORMAT:  # noqa: PLR2004 (six lines, each ended)
        raise SignatureError(f"not a note of the form {FORMAT}")
    _, origin, stream, version, head, at, _ = lines
    try:
        said = SignedHead(origin, stream, int(version), bytes_of(head), int(at))
    except ValueError:
        raise SignatureError("a number or the head cannot be read") from None
    spelt = (str(said.version), text_of(said.head), str(said.at))
    in_range = 0 <= said.version <= LARGEST and 0 <= said.at <= LARGEST
    if spelt != (version, head, at) or len(said.head) != HASH_BYTES or not in_range:
        raise SignatureError("a number or the head is not in its one spelling")
    return said
