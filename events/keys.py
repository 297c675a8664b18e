"""Secrets of the service and all that derives from them.

Settings supply one or more master secrets by key id. Everything else is derived by HMAC-SHA-256
with a domain of its own, so only the masters are kept, and nothing of them is in the store.

Rotation: a new stream takes the ``current`` key, and a stream keeps the key it began with, so that
all salts of a finished game follow from the one game key that is published. An old master may go
when the last stream under it has been archived. Command ids, digests, derived ids and tokens come
from the ``naming`` key: leave it as it was for a day after a rotation, and repeated requests are
still recognised.
"""

from __future__ import annotations

import hmac
import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.seal import text_of

MASTER_BYTES: Final = 32
"""The least length of a master secret."""

MAX_SHARDS: Final = 256
"""As many as the two hexadecimal digits in a stream id can tell apart."""

_KEY_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")
_KIND = re.compile(r"[a-z]")
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_CHARS = 26
_SHORT = 16
_DIGEST = 12
_NONCE_BYTES = 12
_CIPHERS_KEPT = 4096


class SecretError(Exception):
    """A private part cannot be read: its key is not in the ring, or its bytes were altered."""


class KeyRing:
    """The master secrets. Its repr shows key ids only.

    Args:
        secrets: at least 32 random bytes by key id (1 to 16 letters, digits, ``_``, ``-``).
        current: the id of the key for new streams.
        naming: the id of the key for names; by default ``current``.

    Raises:
        ValueError: a secret is too short, an id is malformed or unknown.
    """

    __slots__ = ("_ciphers", "_naming", "_secrets", "current")

    def __init__(
        self, secrets: Mapping[str, bytes], current: str, naming: str | None = None
    ) -> None:
        for key_id, secret in secrets.items():
            if not _KEY_ID.fullmatch(key_id):
                raise ValueError(f"a key id has 1 to 16 letters, digits, _ or -: {key_id!r}")
            if len(secret) < MASTER_BYTES:
                raise ValueError(f"master secret {key_id!r} has fewer than {MASTER_BYTES} bytes")
        for wanted in (current, naming or current):
            if wanted not in secrets:
                raise ValueError(f"there is no master secret {wanted!r}")
        self.current = current
        self._secrets = dict(secrets)
        self._naming = naming or current
        self._ciphers: OrderedDict[tuple[str, str], AESGCM] = OrderedDict()

    def __repr__(self) -> str:
        return f"KeyRing({sorted(self._secrets)}, current={self.current!r})"

    def __reduce__(self) -> str:
        raise TypeError("a key ring is not to be copied or sent anywhere")

    def _derive(self, key_id: str, domain: str, *parts: bytes) -> bytes:
        """32 bytes; each part goes in with its length, so parts cannot run into one another."""
        secret = self._secrets.get(key_id)
        if secret is None:
            raise SecretError(f"the settings hold no master secret {key_id!r}")
        framed = [len(part).to_bytes(4, "big") + part for part in (domain.encode(), *parts)]
        return hmac.digest(secret, b"room25\x00" + b"".join(framed), "sha256")

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that a stream's seed and salts come from (published when a game ends)."""
        return self._derive(key_id or self.current, "game-key", stream_id.encode())

    def command_id(self, principal: str, key: str) -> str:
        """The name under which a command is remembered: 128 bits, base64url.

        Args:
            principal: who asks (a player's id, a worker's name).
            key: what the client calls this command; it is never published.
        """
        return text_of(self._name("command", principal, key)[:_SHORT])

    def digest(self, content: bytes) -> str:
        """A keyed digest (96 bits, base64url): equal only for equal content."""
        return text_of(self._derive(self._naming, "digest", content)[:_DIGEST])

    def derived_id(self, principal: str, key: str, kind: str, shard_count: int) -> str:
        """The id of what this command creates, such as ``g1f-`` and 26 characters.

        Args:
            principal: who asks.
            key: what the client calls this command.
            kind: one small letter: ``g`` a game, ``p`` a player, ``t`` a tournament.
            shard_count: how many shards new streams spread over, 1 to 256.

        Raises:
            ValueError: ``kind`` or ``shard_count`` is out of range.
        """
        if not _KIND.fullmatch(kind) or not 1 <= shard_count <= MAX_SHARDS:
            raise ValueError(f"a kind is one letter, and there are 1 to {MAX_SHARDS} shards")
        raw = self._name(f"id-{kind}", principal, key)
        shard = int.from_bytes(raw[_SHORT:], "big") % shard_count
        number = int.from_bytes(raw[:_SHORT], "big")
        shifts = range((_ID_CHARS - 1) * 5, -1, -5)
        return f"{kind}{shard:02x}-" + "".join(_CROCKFORD[number >> s & 31] for s in shifts)

    def derived_token(self, principal: str, key: str) -> str:
        """A bearer token (256 bits, base64url): a repeated request shows the same one again."""
        return text_of(self._name("token", principal, key))

    def _name(self, domain: str, principal: str, key: str) -> bytes:
        return self._derive(self._naming, domain, principal.encode(), key.encode())

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:
        """A private part: length and text of the key id, nonce, AES-256-GCM of ``content``.

        It can be read back only as this version of this stream.
        """
        nonce = os.urandom(_NONCE_BYTES)
        place = _place(stream_id, version)
        box = self._cipher(stream_id, key_id).encrypt(nonce, content, place)
        return bytes((len(key_id),)) + key_id.encode() + nonce + box

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:
        """The content of a private part.

        Raises:
            SecretError: unknown key, altered bytes, or bytes of another place.
        """
        key_id = key_id_of(box)
        start = 1 + len(key_id)
        nonce, sealed = box[start : start + _NONCE_BYTES], box[start + _NONCE_BYTES :]
        try:
            return self._cipher(stream_id, key_id).decrypt(
                nonce, sealed, _place(stream_id, version)
            )
        except (InvalidTag, ValueError):
            raise SecretError(f"the private part of {stream_id}@{version} was altered") from None

    def _cipher(self, stream_id: str, key_id: str) -> AESGCM:
        """The data cipher of a stream; the least recently used ones are forgotten."""
        name = (stream_id, key_id)
        cipher = self._ciphers.get(name)
        if cipher is None:
            cipher = AESGCM(self._derive(key_id, "data-key", stream_id.encode()))
            self._ciphers[name] = cipher
            if len(self._ciphers) > _CIPHERS_KEPT:
                self._ciphers.popitem(last=False)
        else:
            self._ciphers.move_to_end(name)
        return cipher


def _place(stream_id: str, version: int) -> bytes:
    """What a private part is bound to."""
    return f"{stream_id}@{version}".encode()


def key_id_of(box: bytes) -> str:
    """The id of the key that a private part was encrypted under.

    Raises:
        SecretError: the bytes are no private part.
    """
    try:
        key_id = box[1 : 1 + box[0]].decode("ascii")
    except (IndexError, UnicodeDecodeError):
        key_id = ""
    if not _KEY_ID.fullmatch(key_id):
        raise SecretError("not a private part")
    return key_id
