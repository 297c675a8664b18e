"""Deterministic draws from a seed (pure): HMAC-SHA-256 with rejection sampling.

Block ``k`` of a label is ``HMAC-SHA-256(seed, label || 0x00 || k)`` with ``k`` as eight bytes, most
significant first; its first eight bytes are an unsigned number ``x``. A number below ``n`` is
``x mod n`` for the first block whose ``x`` is less than the largest multiple of ``n`` not above
2**64. ``docs/draws.md`` has the test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64
_KEY_DOMAIN = b"parlour/key/1\x00"
_SEED_DOMAIN = b"parlour/seed/1\x00"


class Draw:
    """Draws of one batch. Each label is used once, names what is drawn, and is derived from state.

    ``seed`` may be a function: most batches draw nothing, and then it is never called.

    Raises:
        ValueError: a label was used twice, or there is no seed yet.
    """

    __slots__ = ("_seed", "_used")

    def __init__(self, seed: bytes | Callable[[], bytes]) -> None:
        self._seed = seed
        self._used: set[str] = set()

    def below(self, n: int, label: str) -> int:
        """A number from 0 to ``n - 1``, uniform over seeds."""
        return self._numbers(label, [n])[0]

    def choice(self, items: Sequence[T], label: str) -> T:
        """One of ``items``."""
        return items[self.below(len(items), label)]

    def shuffled(self, items: Sequence[T], label: str) -> list[T]:
        """``items`` in random order (Fisher-Yates, from the last place down)."""
        result = list(items)
        places = range(len(result) - 1, 0, -1)
        for i, j in zip(places, self._numbers(label, [i + 1 for i in places]), strict=True):
            result[i], result[j] = result[j], result[i]
        return result

    def _numbers(self, label: str, bounds: Sequence[int]) -> list[int]:
        seed = self._seed if isinstance(self._seed, bytes) else self._seed()
        if not seed:
            raise ValueError("no seed has been fixed yet")
        if label in self._used:
            raise ValueError(f"drawn twice under one label: {label}")
        self._used.add(label)
        result, counter = [], 0
        for bound in bounds:
            limit = _SPAN - _SPAN % bound
            while True:
                message = label.encode() + b"\x00" + counter.to_bytes(8, "big")
                block = hmac.digest(seed, message, "sha256")
                counter += 1
                x = int.from_bytes(block[:8], "big")
                if x < limit:
                    result.append(x % bound)
                    break
        return result


class ArrangedDraw(Draw):
    """Draws in which some shuffles have a prearranged result.

    ``orders`` maps label prefixes to the prearranged order, which lists everything that is
    shuffled. All other draws come from ``draw``.
    """

    __slots__ = ("_draw", "_orders")

    def __init__(self, draw: Draw, orders: Mapping[str, Sequence[object]]) -> None:
        super().__init__(b"")
        self._draw = draw
        self._orders = orders

    def shuffled(self, items: Sequence[T], label: str) -> list[T]:
        """``items`` in the prearranged order, if this label has one."""
        for beginning, order in self._orders.items():
            if label.startswith(beginning):
                return sorted(items, key=order.index)
        return super().shuffled(items, label)

    def _numbers(self, label: str, bounds: Sequence[int]) -> list[int]:
        return self._draw._numbers(label, bounds)  # noqa: SLF001 (one of its own kind)


def key_hash(key: str) -> str:
    """The commitment to a game key (hexadecimal) that is published when a table opens."""
    return hashlib.sha256(_KEY_DOMAIN + bytes.fromhex(key)).hexdigest()


def seed_of(key: str, entropy: Sequence[str]) -> bytes:
    """The seed of a game: its key (hexadecimal) and what each seat added, in seat order.

    Entropy is any text; each part is hashed first, so that parts cannot run into one another.
    """
    parts = b"".join(hashlib.sha256(part.encode()).digest() for part in entropy)
    return hmac.digest(bytes.fromhex(key), _SEED_DOMAIN + parts, "sha256")
