"""Names of people as the log knows them: commitments, each with a salt of its own (pure).

What is hashed can never be taken back, so no name stands in it. An event holds a *name seal*; the
opening of it, the name and a random salt, lies elsewhere (``events.name_store``), where it can be
erased. Without the salt nobody can find out a name by trying, however short it is.

====================  ===========================================================================
name seal             SHA-256(``parlour/name/1`` 00 || salt, 16 bytes || name in UTF-8), base64url
                      without padding
====================  ===========================================================================

What somebody calls a token is sealed in the same way.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from msgspec import Struct

from events.seal import bytes_of, text_of

SALT_BYTES: Final = 16

DELETED: Final = "deleted"
"""The status of an account whose names are no longer kept."""

_DOMAIN: Final = b"parlour/name/1\x00"
_SEAL: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class NameOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """What opens a name seal: the name, and the salt (base64url of 16 bytes)."""

    name: str
    salt: str


def new_opening(name: str, salt: bytes) -> NameOpening:
    """An opening of a name.

    Raises:
        ValueError: the salt does not have 16 bytes.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt of a name has {SALT_BYTES} bytes")
    return NameOpening(name, text_of(salt))


def seal_of(opening: NameOpening) -> str:
    """The seal that an opening opens.

    Raises:
        ValueError: the salt is malformed, or the name is no text.
    """
    salt = bytes_of(opening.salt)
    if len(salt) != SALT_BYTES or text_of(salt) != opening.salt:
        raise ValueError("a salt of a name is 16 bytes in base64url")
    return text_of(hashlib.sha256(_DOMAIN + salt + opening.name.encode()).digest())


def opens(opening: NameOpening, seal: str) -> bool:
    """Whether it is the opening of this seal; a malformed one opens nothing."""
    try:
        return seal_of(opening) == seal
    except ValueError:
        return False


def require_seal(text: str) -> str:
    """A name seal, or "" where there is no name.

    Raises:
        ValueError: it is something else: whoever calls has a name where a seal belongs.
    """
    if text and not _SEAL.fullmatch(text):
        raise ValueError("a name stands where only its seal belongs")
    return text


def alike(first: str, second: str) -> bool:
    """Whether people would take two names for one: case, width and outer spaces aside."""
    return _folded(first) == _folded(second)


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).strip().casefold()
    return unicodedata.normalize("NFKC", plain)
