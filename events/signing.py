"""Signed heads: one Ed25519 signature over where a stream stood (pure).

The form is a C2SP signed note (https://c2sp.org/signed-note). Its text has six lines::

    parlour/head/1
    <origin>
    <stream id>
    <version>
    <head, base64url without padding>
    <time, milliseconds since 1970 UTC>

Where the stream lies in a store, the first line is ``parlour/head/2`` and three more follow::

    <store id>
    <epoch>
    <number of the batches in the stream's shard, up to the one that made the version>

So the holder of a note can detect a store that was rolled back. A chain head is not a Merkle root,
so this is deliberately not a tlog checkpoint.
"""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode, b64encode
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from events.kernel import TimestampMs
from events.seal import HASH_BYTES, LARGEST, bytes_of, text_of

FORMAT: Final = "parlour/head/1"
FORMAT_IN_STORE: Final = "parlour/head/2"
_ED25519 = b"\x01"
_ID_BYTES = 4
_PLACE_LINES = 3
_DASH = "\N{EM DASH}"


class SignatureError(ValueError):
    """The note is malformed or was not signed by this key."""


class Place(Struct, frozen=True):
    """Where something stands in a store: ``seq`` counts the batches of its shard."""

    store: str
    epoch: int
    seq: int


class SignedHead(Struct, frozen=True):
    """What a verified note says: ``stream`` stood at ``version`` with ``head`` at time ``at``.

    ``place``: where in its store; None: the note does not say.
    """

    origin: str
    stream: str
    version: int
    head: bytes
    at: TimestampMs
    place: Place | None = None


def _key_id(origin: str, public_key: Ed25519PublicKey) -> bytes:
    message = origin.encode() + b"\n" + _ED25519 + public_key.public_bytes_raw()
    return hashlib.sha256(message).digest()[:_ID_BYTES]


def require_name(what: str, text: str) -> None:
    """Check that a text can stand in a line of a note.

    Raises:
        ValueError: it cannot; ``what`` says what it is.
    """
    if not text or "+" in text or any(c.isspace() or not c.isprintable() for c in text):
        raise ValueError(f"{what} must be printable, without spaces and plus signs: {text!r}")


def verifier_key(origin: str, public_key: Ed25519PublicKey) -> str:
    """The verifier key as auditors configure it: ``<origin>+<key id>+<base64 key>`` (C2SP vkey)."""
    require_name("an origin", origin)
    encoded = b64encode(_ED25519 + public_key.public_bytes_raw()).decode()
    return f"{origin}+{_key_id(origin, public_key).hex()}+{encoded}"


def sign_head(
    key: Ed25519PrivateKey,
    origin: str,
    stream: str,
    version: int,
    head: bytes,
    at: TimestampMs,
    place: Place | None = None,
) -> str:
    """The signed note that says where ``stream`` stood; ``origin`` names the signing service.

    Raises:
        ValueError: a part cannot stand in a note.
    """
    require_name("an origin", origin)
    require_name("a stream id", stream)
    if len(head) != HASH_BYTES or version < 0 or at < 0:
        raise ValueError("a head has 32 bytes, a version from 0 and a time from 0")
    text = f"{origin}\n{stream}\n{version}\n{text_of(head)}\n{at}\n"
    if place is None:
        text = f"{FORMAT}\n{text}"
    else:
        require_name("a store id", place.store)
        text = f"{FORMAT_IN_STORE}\n{text}{place.store}\n{place.epoch}\n{place.seq}\n"
    signature = _key_id(origin, key.public_key()) + key.sign(text.encode())
    return f"{text}\n{_DASH} {origin} {b64encode(signature).decode()}\n"


def verify_head(note: str, public_key: Ed25519PublicKey) -> SignedHead:
    """Read a note after checking that ``public_key`` signed it.

    Signatures by other keys are ignored, as C2SP requires: witnesses may have added theirs.

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
    match text.split("\n"):
        case [form, origin, stream, version, head, at, ""] if form == FORMAT:
            where: list[str] = []
        case [form, origin, stream, version, head, at, *where, ""] if (
            form == FORMAT_IN_STORE and len(where) == _PLACE_LINES
        ):
            pass
        case _:
            raise SignatureError(f"not a note of the form {FORMAT} or {FORMAT_IN_STORE}")
    try:
        place = Place(where[0], int(where[1]), int(where[2])) if where else None
        said = SignedHead(origin, stream, int(version), bytes_of(head), int(at), place)
    except ValueError:
        raise SignatureError("a number or the head cannot be read") from None
    numbers = [said.version, said.at, *((place.epoch, place.seq) if place else ())]
    spelt = [*map(str, numbers), text_of(said.head)]
    in_range = all(0 <= number <= LARGEST for number in numbers)
    if spelt != [version, at, *where[1:], head] or len(said.head) != HASH_BYTES or not in_range:
        raise SignatureError("a number or the head is not in its one spelling")
    return said
