"""What it takes to read and write private parts, independent of who holds the keys (pure).

The service's keys are in ``events.keys``; where all secrets are open, as in a record, no key is
needed or known.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final, Protocol

from events.seal import HASH_BYTES

KEY_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""The pattern of a master secret's id."""

NO_KEY: Final = b"\x04none"
"""What an unencrypted private part begins with in place of a key id."""


class SecretError(Exception):
    """A private part cannot be read: its key is not in the ring, or its bytes were altered."""


class Secrets(Protocol):
    """What a codec needs from the holder of the streams' secrets."""

    @property
    def current(self) -> str:
        """The id of the key for new streams."""
        ...

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that a stream's salts come from."""
        ...

    def kept_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that the salts of kept fields come from; never published."""
        ...

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:
        """A private part as it is stored: it begins as ``key_id_of`` reads it."""
        ...

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:
        """The content of a private part.

        Raises:
            SecretError: it cannot be read.
        """
        ...


class InTheClear:
    """Stands in for keys where secrets are open and the one game's key is known.

    Args:
        game_key: the 32 bytes that the game's salts derive from; None if unknown.
    """

    current: str = "none"

    def __init__(self, game_key: bytes | None = None) -> None:
        self._game_key = game_key or bytes(HASH_BYTES)

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:  # noqa: ARG002 (one game)
        """The one key."""
        return self._game_key

    def kept_key(self, stream_id: str, key_id: str | None = None) -> bytes:  # noqa: ARG002 (one game)
        """A key of its own, which here follows from the one key."""
        return sha256(b"kept" + self._game_key).digest()

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:  # noqa: ARG002 (ditto)
        """The content unencrypted, after the marker that there is no key."""
        return NO_KEY + content

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:  # noqa: ARG002 (ditto)
        """The content, with or without that marker."""
        return box.removeprefix(NO_KEY)


def key_id_of(box: bytes) -> str:
    """The id of the key that a private part was encrypted under.

    Raises:
        SecretError: the bytes are not a private part.
    """
    try:
        key_id = box[1 : 1 + box[0]].decode("ascii")
    except (IndexError, UnicodeDecodeError):
        key_id = ""
    if not KEY_ID.fullmatch(key_id):
        raise SecretError("not a private part")
    return key_id
