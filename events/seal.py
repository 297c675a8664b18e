"""Canonical form, commitments and the hash chain (pure).

All hashes are SHA-256 and each kind of input has its own domain, so that no value of one kind can
be passed off as another:

====================  ===========================================================================
canonical form        RFC 8785 JSON; values are strings, booleans, null, integers below 2**53 in
                      size, arrays and objects with ASCII keys
salt key              HMAC(game key, ``parlour/salt/1`` 00)
salt                  HMAC(salt key, version as u64 || path)
commitment            SHA-256(``parlour/seal/1`` 00 || length of path as u32 || path || salt ||
                      canonical value), base64url without padding
genesis               SHA-256(02 || ``parlour/stream/1`` 00 || stream id)
link                  SHA-256(01 || previous || version as u64 || SHA-256(00 || public bytes))
====================  ===========================================================================

Numbers are big-endian, texts UTF-8. The public bytes of an event are its canonical public form,
the very bytes that are stored and streamed.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode
from binascii import b2a_base64
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from struct import Struct
from typing import Final, NamedTuple

import msgspec

LARGEST: Final = 2**53 - 1
"""The largest absolute value of an integer: what every JSON reader represents exactly."""

HASH_BYTES: Final = 32
_BLOCK_BYTES: Final = 64

_SALT_KEY_DOMAIN = b"parlour/salt/1\x00"
_SEAL_DOMAIN = b"parlour/seal/1\x00"
_STREAM_DOMAIN = b"parlour/stream/1\x00"
_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_LEAF = hashlib.sha256(b"\x00")
_LINK = hashlib.sha256(b"\x01")
_PLACED = Struct(">Q32s")  # a version and the hash of a leaf: one call instead of two and a sum
_SIMPLE: Final = frozenset({str, bool, type(None)})
_NESTED: Final = frozenset({dict, list, tuple})
_encode = msgspec.json.Encoder(order="sorted").encode


class NotCanonicalError(ValueError):
    """The value has no canonical form: a float, a large integer, a key that is not ASCII ..."""


def canonical(value: object) -> bytes:
    """The RFC 8785 bytes of a value of our domain; structs and enums count as what they encode to.

    Raises:
        NotCanonicalError: the value lies outside the domain.
    """
    return canonical_plain(plain(value))


def plain(value: object) -> object:
    """``value`` as JSON values only (dict, list, str, int, bool, None), UNSET fields left out.

    Raises:
        NotCanonicalError: the value lies outside the domain.
    """
    try:
        result: object = msgspec.to_builtins(value, str_keys=True, builtin_types=(bytes, bytearray))
    except (TypeError, ValueError) as error:
        raise NotCanonicalError(str(error)) from error
    _check(result)
    return result


def canonical_plain(value: object) -> bytes:
    """As ``canonical``, for a value returned by ``plain``: it is not checked again."""
    try:
        return _encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonicalError("a text holds half of a surrogate pair") from error


def canonical_json(value: object) -> bytes:
    """As ``canonical``, for a value that was read from JSON, which need not be made plain.

    Raises:
        NotCanonicalError: the value lies outside the domain.
    """
    _check(value)
    return canonical_plain(value)


def _check(value: object) -> None:
    """Refuse values that JSON readers may read differently."""
    parts: Iterable[object]
    if type(value) is dict:
        if not "".join(value).isascii():  # once for all keys: every event that is read comes here
            key = next(key for key in value if not key.isascii())
            raise NotCanonicalError(f"a key is not ASCII: {key!r}")
        parts = value.values()
    elif type(value) is list or type(value) is tuple:
        parts = value
    else:
        parts = (value,)
    for part in parts:
        kind = type(part)
        if kind in _SIMPLE:
            continue
        if kind is int:
            if not -LARGEST <= part <= LARGEST:
                raise NotCanonicalError(f"an integer is too large: {part}")
        elif kind in _NESTED:
            _check(part)
        else:
            raise NotCanonicalError(f"no canonical form for a {kind.__name__}")


def text_of(raw: bytes) -> str:
    """Bytes as base64url without padding, as commitments and salts are written."""
    return b2a_base64(raw, newline=False).translate(_URL_SAFE, b"=").decode()


def bytes_of(text: str) -> bytes:
    """The inverse of ``text_of``.

    Raises:
        ValueError: ``text`` is not base64url.
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class _Salts(NamedTuple):
    """The salt maker of a game: the two hashes of an HMAC (RFC 2104 §2), each begun by its pad.

    Copies of them are finished for each salt, in two thirds of the time that a copied ``hmac.HMAC``
    takes, a class of Python around another.
    """

    inner: hashlib._Hash
    outer: hashlib._Hash


@lru_cache(maxsize=1024)
def _salts(game_key: bytes) -> _Salts:
    """The salt maker of a game, begun once."""
    block = hmac.digest(game_key, _SALT_KEY_DOMAIN, "sha256").ljust(_BLOCK_BYTES, b"\0")
    pads = (bytes(byte ^ pad for byte in block) for pad in (0x36, 0x5C))
    return _Salts(*map(hashlib.sha256, pads))


def _finished(salts: _Salts, message: bytes) -> bytes:
    inner, outer = salts.inner.copy(), salts.outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


def salt(game_key: bytes, version: int, path: str) -> bytes:
    """The 32-byte salt of the secret at ``path`` of the entry ``version``."""
    return _finished(_salts(game_key), version.to_bytes(8, "big") + path.encode())


def commitment(path: str, salt: bytes, value: object) -> str:
    """The commitment published in place of a secret value.

    Raises:
        NotCanonicalError: the value lies outside the domain.
    """
    return _commitment(path.encode(), salt, plain(value))


def commitments(
    game_key: bytes, version: int, part: str, values: Mapping[str, object]
) -> dict[str, str]:
    """The commitments published in place of the secret fields of one part of an entry.

    Args:
        game_key: the source of the salts.
        version: the entry's.
        part: the path prefix of each field, such as ``event``.
        values: by field, as returned by ``plain``: they are not checked again.
    """
    salts, place = _salts(game_key), version.to_bytes(8, "big")
    found = {}
    for field, value in values.items():
        path = f"{part}.{field}".encode()
        found[field] = _commitment(path, _finished(salts, place + path), value)
    return found


def _commitment(path: bytes, salt: bytes, value: object) -> str:
    parts = (_SEAL_DOMAIN, len(path).to_bytes(4, "big"), path, salt, canonical_plain(value))
    return text_of(hashlib.sha256(b"".join(parts)).digest())


def genesis(stream_id: str) -> bytes:
    """The head of an empty stream."""
    return hashlib.sha256(b"\x02" + _STREAM_DOMAIN + stream_id.encode()).digest()


def link(previous: bytes, version: int, public_bytes: bytes) -> bytes:
    """The head after the event ``version`` was added to a stream whose head was ``previous``."""
    return chain(previous, version - 1, (public_bytes,))


def heads(previous: bytes, after: int, publics: Iterable[bytes]) -> Iterator[bytes]:
    """The head after each of the events ``after + 1`` and on, in order."""
    head = previous
    for before, public in enumerate(publics, after):
        head = chain(head, before, (public,))
        yield head


def chain(previous: bytes, after: int, publics: Iterable[bytes]) -> bytes:
    """The head after adding the events ``after + 1`` and on, in order."""
    # Copying a started hash costs less than making a new one.
    begin_leaf, begin_link, place = _LEAF.copy, _LINK.copy, _PLACED.pack
    head = previous
    for version, public in enumerate(publics, after + 1):
        leaf, link = begin_leaf(), begin_link()
        leaf.update(public)
        link.update(head + place(version, leaf.digest()))
        head = link.digest()
    return head
