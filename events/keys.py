"""The service's secrets and everything derived from them.

Settings supply one or more master secrets by key id. Everything else is derived by HMAC-SHA-256,
each kind in its own domain, so only the masters are kept, and never in the store.

Rotation: a new stream takes the ``current`` key, and a stream keeps the key it began with, so that
all salts of a finished game follow from the one game key that is published. An old master may be
dropped once the last stream under it has been archived. Command ids, digests, derived ids and
tokens come from the ``naming`` key: leave it unchanged for a day after a rotation, so that repeated
requests are still recognised.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from events.seal import text_of
from events.secrecy import KEY_ID, SecretError, key_id_of

__all__ = ["KEY_ID", "MASTER_BYTES", "MAX_SHARDS", "KeyRing", "SecretError", "key_id_of"]

MASTER_BYTES: Final = 32
"""The least length of a master secret."""

MAX_SHARDS: Final = 256
"""As many as the two hexadecimal digits in a stream id can express."""

_KIND = re.compile(r"[a-z]")
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_CHARS = 26
_SHORT = 16
_DIGEST = 12
_ADDRESS = 9
_NONCE_BYTES = 12
_KEPT = 4096


class KeyRing:
    """The master secrets. Its repr shows key ids only.

    Args:
        secrets: at least 32 random bytes by key id (1 to 16 letters, digits, ``_``, ``-``).
        current: the id of the key for new streams.
        naming: the id of the key for names; by default ``current``.

    Raises:
        ValueError: a secret is too short, an id is malformed or unknown.
    """

    __slots__ = ("_kept_cipher", "_kept_game_key", "_kept_kept_key", "_macs", "_naming", "current")

    def __init__(
        self, secrets: Mapping[str, bytes], current: str, naming: str | None = None
    ) -> None:
        for key_id, secret in secrets.items():
            if not KEY_ID.fullmatch(key_id):
                raise ValueError(f"a key id has 1 to 16 letters, digits, _ or -: {key_id!r}")
            if len(secret) < MASTER_BYTES:
                raise ValueError(f"master secret {key_id!r} has fewer than {MASTER_BYTES} bytes")
        for wanted in (current, naming or current):
            if wanted not in secrets:
                raise ValueError(f"there is no master secret {wanted!r}")
        self.current = current
        self._macs = {key_id: HMAC(secret, SHA256()) for key_id, secret in secrets.items()}
        self._naming = naming or current
        self._kept_cipher = lru_cache(_KEPT)(self._new_cipher)
        self._kept_game_key = lru_cache(_KEPT)(self._new_game_key)
        self._kept_kept_key = lru_cache(_KEPT)(self._new_kept_key)

    def __repr__(self) -> str:
        return f"KeyRing({sorted(self._macs)}, current={self.current!r})"

    def __reduce__(self) -> str:
        raise TypeError("a key ring is not to be copied or sent anywhere")

    def _derive(self, key_id: str, domain: str, *parts: bytes) -> bytes:
        """32 bytes; each part goes in with its length, so parts cannot run into one another."""
        begun = self._macs.get(key_id)
        if begun is None:
            raise SecretError(f"the settings hold no master secret {key_id!r}")
        message = _domain(domain)
        for part in parts:
            message += len(part).to_bytes(4, "big") + part
        # Starting afresh would hash the padded key again. A copy by this library takes half of what
        # one by the standard library's takes, which is a class of Python around another.
        mac = begun.copy()
        mac.update(message)
        return mac.finalize()

    @property
    def key_ids(self) -> tuple[str, ...]:
        """The ids of the master secrets, in order."""
        return tuple(sorted(self._macs))

    def check(self, key_id: str) -> str:
        """A fingerprint of a master secret that reveals nothing of it: 96 bits, base64url.

        Raises:
            SecretError: there is no such key.
        """
        return text_of(self._derive(key_id, "store-check")[:_DIGEST])

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that a stream's seed and salts come from (published when a game ends)."""
        return self._kept_game_key(stream_id, key_id or self.current)

    def kept_key(self, stream_id: str, key_id: str | None = None) -> bytes:
        """The 32 bytes that the salts of a stream's kept fields come from (never published)."""
        return self._kept_kept_key(stream_id, key_id or self.current)

    def _new_kept_key(self, stream_id: str, key_id: str) -> bytes:
        return self._derive(key_id, "kept-key", stream_id.encode())

    def _new_game_key(self, stream_id: str, key_id: str) -> bytes:
        return self._derive(key_id, "game-key", stream_id.encode())

    def command_id(self, principal: str, key: str) -> str:
        """The id under which a command is remembered: 128 bits, base64url.

        Args:
            principal: the requester (a player's id, a worker's name).
            key: the client's key for this command; it is never published.
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

    def derived_token(self, principal: str, key: str, account: str, digest: str) -> str:
        """A bearer token (256 bits, base64url): a repeated request shows the same one again.

        Args:
            principal: who asks.
            key: what the client calls this command.
            account: the player whom the token is for: one key used for two of them, as by an
                operator, gives two secrets, of which neither tells the other.
            digest: of the command's content (``digest``), for the same reason.
        """
        parts = (principal, key, account, digest)
        return text_of(self._derive(self._naming, "token", *(part.encode() for part in parts)))

    def address_name(self, day: int, address: str) -> str:
        """The pseudonym of a network address in keys and logs on one day (days since 1970, UTC).

        72 bits, base64url. Without a master secret it cannot be traced to the address, and nobody
        can follow an address from one day to the next.
        """
        salted = self._derive(self._naming, "address", day.to_bytes(4, "big"), address.encode())
        return text_of(salted[:_ADDRESS])

    def _name(self, domain: str, principal: str, key: str) -> bytes:
        return self._derive(self._naming, domain, principal.encode(), key.encode())

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:
        """A private part: length and text of the key id, nonce, AES-256-GCM of ``content``.

        It decrypts only as this version of this stream.
        """
        label = bytes((len(key_id),)) + key_id.encode()
        cipher = self._kept_cipher(stream_id, label)
        nonce = os.urandom(_NONCE_BYTES)
        return label + nonce + cipher.encrypt(nonce, content, _place(stream_id, version))

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:
        """The content of a private part.

        Raises:
            SecretError: unknown key, altered bytes, or bytes from elsewhere.
        """
        start = 1 + box[0] if box else 1
        label, content = box[:start], start + _NONCE_BYTES
        cipher = self._kept_cipher(stream_id, label)
        try:
            return cipher.decrypt(box[start:content], box[content:], _place(stream_id, version))
        except (InvalidTag, ValueError):
            raise SecretError(f"the private part of {stream_id}@{version} was altered") from None

    def _new_cipher(self, stream_id: str, label: bytes) -> AESGCM:
        """The data cipher of a stream.

        ``label`` is how a private part begins: the length and the text of the key id.

        Raises:
            SecretError: no private part begins like that, or the key is unknown.
        """
        return AESGCM(self._derive(key_id_of(label), "data-key", stream_id.encode()))


@lru_cache
def _domain(name: str) -> bytes:
    """The prefix that separates one purpose's hashes from another's."""
    return b"parlour\x00" + len(name.encode()).to_bytes(4, "big") + name.encode()


def _place(stream_id: str, version: int) -> bytes:
    """The associated data that binds a private part to its place."""
    return f"{stream_id}@{version}".encode()
