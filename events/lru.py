"""Bounded caches that keep the most recently used items (pure)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, ItemsView
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Items by key, up to a limit; beyond it the least recently used one is dropped.

    Args:
        most: how many items are kept; the newest one always is.
        dropped: called with the key and the item whenever one is dropped for want of room.

    Raises:
        ValueError: ``most`` is less than 1.
    """

    __slots__ = ("_dropped", "_kept", "_most")

    def __init__(self, most: int, dropped: Callable[[K, V], None] | None = None) -> None:
        if most < 1:
            raise ValueError("a cache keeps at least one item")
        self._most = most
        self._dropped = dropped
        self._kept: OrderedDict[K, V] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """The item under a key; this does not count as a use."""
        return self._kept.get(key)

    def use(self, key: K) -> V | None:
        """The item under a key, which becomes the newest."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: K, value: V) -> None:
        """Keep something, perhaps in place of something else: it is now the newest."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._kept))
        value = self._kept[oldest]
        self.remove(oldest)
        if self._dropped is not None:
            self._dropped(oldest, value)

    def remove(self, key: K) -> V | None:
        """What was kept under a key, and is no longer."""
        return self._kept.pop(key, None)

    def clear(self) -> None:
        """Keep nothing."""
        self._kept.clear()

    def items(self) -> ItemsView[K, V]:
        """All items, the newest last."""
        return self._kept.items()


class SizedLruCache(LruCache[K, V]):
    """As ``LruCache``, for items of different sizes; ``most`` bounds their sum.

    Args:
        most: the largest total size; the newest item is always kept, even if it alone is larger.
        size_of: the size of an item, taken when it is kept: keep an item again once it has grown.

    Attributes:
        size: the total size of all items.
    """

    __slots__ = ("_size_of", "_sizes", "size")

    def __init__(self, most: int, size_of: Callable[[V], int]) -> None:
        super().__init__(most)
        self._size_of = size_of
        self._sizes: dict[K, int] = {}
        self.size = 0

    def keep(self, key: K, value: V) -> None:
        """Keep something, perhaps in place of something else: it is now the newest."""
        size = self._size_of(value)
        self.size += size - self._sizes.get(key, 0)
        self._sizes[key] = size
        self._kept[key] = value
        self._kept.move_to_end(key)
        while self.size > self._most and len(self._kept) > 1:
            self._drop_oldest()

    def remove(self, key: K) -> V | None:
        """What was kept under a key, and is no longer."""
        self.size -= self._sizes.pop(key, 0)
        return super().remove(key)

    def clear(self) -> None:
        """Keep nothing."""
        self._sizes.clear()
        self.size = 0
        super().clear()


class PartsCache(Generic[V]):
    """What was worked out of parts of immutable states, by the identity of these parts.

    A state and its copies share the parts in which they do not differ, so what was worked out of
    one is found for all. The parts are held, so that an identity cannot come to mean something
    else.

    Args:
        most: how many items are kept.
    """

    __slots__ = ("_kept",)

    def __init__(self, most: int) -> None:
        self._kept: LruCache[tuple[Hashable, ...], tuple[tuple[object, ...], V]] = LruCache(most)

    def get(
        self, parts: tuple[object, ...], make: Callable[[], V], key: tuple[Hashable, ...] = ()
    ) -> V:
        """What ``make`` makes of these parts; ``key`` tells apart several things made of them."""
        whole = (*key, *map(id, parts))
        known = self._kept.use(whole)
        if known is None:
            known = (parts, make())
            self._kept.keep(whole, known)
        return known[1]
