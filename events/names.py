"""Names of people as the log holds them: commitments, each with its own salt (pure).

What is hashed can never be erased, so it holds no names. An event holds a *name seal*; its opening,
the name and a random salt, lies elsewhere (``events.name_store``), where it can be erased. Without
the salt a name cannot be guessed by trial, however short it is.

====================  ===========================================================================
name seal             SHA-256(``parlour/name/1`` 00 || salt, 16 bytes || name in UTF-8), base64url
                      without padding
====================  ===========================================================================

The label of a token is sealed in the same way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from typing import Final

from msgspec import Struct

from events.seal import bytes_of, text_of

SALT_BYTES: Final = 16

DELETED: Final = "deleted"
"""The status of an account whose names have been erased."""

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
    """The seal that belongs to an opening.

    Raises:
        ValueError: the salt is malformed, or the name is not valid text.
    """
    salt = bytes_of(opening.salt)
    if len(salt) != SALT_BYTES or text_of(salt) != opening.salt:
        raise ValueError("a salt of a name is 16 bytes in base64url")
    return text_of(hashlib.sha256(_DOMAIN + salt + opening.name.encode()).digest())


def opens(opening: NameOpening, seal: str) -> bool:
    """Whether an opening belongs to a seal; a malformed one belongs to none."""
    try:
        return seal_of(opening) == seal
    except ValueError:
        return False


def opens_one_of(opening: NameOpening, seals: Container[str]) -> bool:
    """Whether an opening belongs to one of some seals; a malformed one belongs to none."""
    try:
        return seal_of(opening) in seals
    except ValueError:
        return False


def is_renamed(opening: NameOpening) -> bool:
    """Whether an opening opens nothing, but says what its player has been called since.

    Such a one has no salt (""). It stays within the service: to others its name is told apart.
    """
    return not opening.salt


def require_seal(text: str) -> str:
    """Require a name seal, or "" where there is no name.

    Raises:
        ValueError: it is something else: the caller passed a name where a seal belongs.
    """
    if text and not _SEAL.fullmatch(text):
        raise ValueError("expected the seal of a name, not a name")
    return text
