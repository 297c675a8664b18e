"""What reading and writing private parts takes, whoever holds the keys (pure).

The service's keys are in ``events.keys``; where all secrets lie open, as in a record, no key is
needed and none is known.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

KEY_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,16}")
"""What the id of a master secret is made of."""

NO_KEY: Final = b"\x04none"
"""How a private part in the clear begins, after the length of a key's id: there is no key."""


class SecretError(Exception):
    """A private part cannot be read: its key is not in the ring, or its bytes were altered."""


class Secrets(Protocol):
    """What a codec asks of whoever holds the secrets of streams."""

    @property
    def current(self) -> str:
        """The id of the key for new streams."""
        ...

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that a stream's salts come from."""
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
    """Stands in for keys where secrets lie open and the key of the one game is known.

    Args:
        game_key: 32 bytes that the game's salts follow from.
    """

    current: str = "none"

    def __init__(self, game_key: bytes) -> None:
        self._game_key = game_key

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:  # noqa: ARG002 (one game)
        """The one key."""
        return self._game_key

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:  # noqa: ARG002 (ditto)
        """The content in the clear, after the name of no key."""
        return NO_KEY + content

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:  # noqa: ARG002 (ditto)
        """The content, with or without the name before it."""
        return box.removeprefix(NO_KEY)


def key_id_of(box: bytes) -> str:
    """The id of the key that a private part was encrypted under.

    Raises:
        SecretError: the bytes are no private part.
    """
    try:
        key_id = box[1 : 1 + box[0]].decode("ascii")
    except (IndexError, UnicodeDecodeError):
        key_id = ""
    if not KEY_ID.fullmatch(key_id):
        raise SecretError("not a private part")
    return key_id
