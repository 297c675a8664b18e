"""What an auditor computes who has ``docs/audit.md`` and ``docs/draws.md``, and no code of ours.

Nothing is imported but the standard library, so that the documents are shown to be enough.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

T = TypeVar("T")

Json = dict[str, Any]


def base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def genesis(stream: str) -> bytes:
    return sha256(b"\x02parlour/stream/1\x00", stream.encode())


def link(previous: bytes, version: int, public: bytes) -> bytes:
    return sha256(b"\x01", previous, version.to_bytes(8, "big"), sha256(b"\x00", public))


def salt(key: bytes, version: int, path: str) -> bytes:
    salt_key = hmac.digest(key, b"parlour/salt/1\x00", "sha256")
    return hmac.digest(salt_key, version.to_bytes(8, "big") + path.encode(), "sha256")


def commitment(path: str, salt: bytes, value: object) -> str:
    name = path.encode()
    length = len(name).to_bytes(4, "big")
    return base64url(sha256(b"parlour/seal/1\x00", length, name, salt, canonical(value)))


def name_seal(salt: bytes, name: str) -> str:
    return base64url(sha256(b"parlour/name/1\x00", salt, name.encode()))


def hash_of_key(key: bytes) -> str:
    return sha256(b"parlour/key/1\x00", key).hex()


def seed(key: bytes, entropy: Sequence[str]) -> bytes:
    parts = b"".join(sha256(text.encode()) for text in entropy)
    return hmac.digest(key, b"parlour/seed/1\x00" + parts, "sha256")


def entropies(events: Sequence[Json]) -> list[str]:
    """The first that each player gave, in the order of events; whoever left is still in it."""
    given: dict[str, str] = {}
    for event in events:
        if event["type"] == "seat-taken" and event.get("entropy"):
            given.setdefault(event["player"], event["entropy"])
    return list(given.values())


def blocks(seed: bytes, label: str) -> Iterator[int]:
    for k in count():
        block = hmac.digest(seed, label.encode() + b"\x00" + k.to_bytes(8, "big"), "sha256")
        yield int.from_bytes(block[:8], "big")


def below(numbers: Iterator[int], n: int) -> int:
    limit = 2**64 - 2**64 % n
    return next(x for x in numbers if x < limit) % n


def shuffled(seed: bytes, label: str, items: Sequence[T]) -> list[T]:
    result, numbers = list(items), blocks(seed, label)
    for i in range(len(result) - 1, 0, -1):
        j = below(numbers, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def choice(seed: bytes, label: str, items: Sequence[T]) -> T:
    return items[below(blocks(seed, label), len(items))]
