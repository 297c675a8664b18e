"""Bounded caches: what was used last stays."""

from __future__ import annotations

import gc
import weakref

import pytest

from events.lru import LruCache, PartsCache, SizedLruCache


def filled(most: int, *keys: str) -> LruCache[str, int]:
    made: LruCache[str, int] = LruCache(most)
    for number, key in enumerate(keys):
        made.keep(key, number)
    return made


def test_the_one_used_longest_ago_is_dropped() -> None:
    cache = filled(3, "a", "b", "c")
    assert cache.use("a") == 0
    cache.keep("d", 9)
    assert list(cache.items()) == [("c", 2), ("a", 0), ("d", 9)]
    assert len(cache) == 3
    assert cache.get("b") is None


def test_a_look_is_no_use() -> None:
    cache = filled(2, "a", "b")
    assert cache.get("a") == 0
    cache.keep("c", 9)
    assert list(cache.items()) == [("b", 1), ("c", 9)]


def test_what_is_kept_again_is_the_newest_and_takes_no_room() -> None:
    cache = filled(2, "a", "b", "a")
    assert list(cache.items()) == [("b", 1), ("a", 2)]


def test_what_is_not_there_is_none() -> None:
    cache = filled(2, "a")
    assert (cache.get("x"), cache.use("x"), cache.remove("x")) == (None, None, None)
    assert list(cache.items()) == [("a", 0)]


def test_what_is_removed_makes_room() -> None:
    cache = filled(2, "a", "b")
    assert cache.remove("a") == 0
    cache.keep("c", 9)
    assert list(cache.items()) == [("b", 1), ("c", 9)]
    cache.clear()
    assert len(cache) == 0


def test_what_is_dropped_is_told_and_what_is_removed_is_not() -> None:
    told: list[tuple[str, int]] = []
    cache: LruCache[str, int] = LruCache(1, lambda key, value: told.append((key, value)))
    for number, key in enumerate("abb"):
        cache.keep(key, number)
    cache.remove("b")
    cache.keep("c", 9)
    cache.clear()
    assert told == [("a", 0)]


@pytest.mark.parametrize("most", [0, -1])
def test_a_cache_for_nothing_is_refused(most: int) -> None:
    with pytest.raises(ValueError, match="at least one item"):
        LruCache[str, int](most)


def test_sizes_are_bounded_by_their_sum() -> None:
    cache: SizedLruCache[str, list[int]] = SizedLruCache(5, len)
    for key, size in (("a", 2), ("b", 1), ("c", 2)):
        cache.keep(key, [0] * size)
    assert cache.size == 5
    cache.use("a")
    cache.keep("d", [0] * 2)
    assert ([key for key, _ in cache.items()], cache.size) == (["a", "d"], 4)


def test_what_has_grown_is_measured_when_it_is_kept_again() -> None:
    cache: SizedLruCache[str, list[int]] = SizedLruCache(5, len)
    grows = [0] * 2
    cache.keep("a", grows)
    cache.keep("b", [0] * 2)
    grows += [0] * 2
    assert cache.size == 4
    cache.keep("a", grows)
    assert ([key for key, _ in cache.items()], cache.size) == (["a"], 4)


def test_the_newest_stays_even_if_it_alone_is_too_large() -> None:
    cache: SizedLruCache[str, list[int]] = SizedLruCache(5, len)
    cache.keep("a", [0])
    cache.keep("b", [0] * 9)
    assert ([key for key, _ in cache.items()], cache.size) == (["b"], 9)
    cache.keep("c", [0])
    assert ([key for key, _ in cache.items()], cache.size) == (["c"], 1)


def test_sizes_of_what_is_gone_are_gone() -> None:
    cache: SizedLruCache[str, list[int]] = SizedLruCache(5, len)
    cache.keep("a", [0] * 2)
    cache.keep("b", [0] * 3)
    assert (cache.remove("a"), cache.remove("x"), cache.size) == ([0, 0], None, 3)
    cache.clear()
    assert (len(cache), cache.size) == (0, 0)
    cache.keep("b", [0])
    assert cache.size == 1


def test_what_is_made_of_the_same_parts_is_made_once() -> None:
    cache: PartsCache[int] = PartsCache(2)
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return made[-1]

    board, equal = [1], [1]
    assert cache.get((board,), make) == 0
    assert cache.get((board,), make) == 0
    assert cache.get((equal,), make) == 1  # equal, and another object all the same
    assert cache.get((board,), make, ("other",)) == 2


def test_parts_are_held_for_as_long_as_what_was_made_of_them() -> None:
    class Part:
        pass

    cache: PartsCache[str] = PartsCache(1)
    part = Part()
    gone = weakref.ref(part)
    cache.get((part,), lambda: "first")
    del part
    gc.collect()
    assert gone() is not None  # otherwise its identity could be another's
    cache.get((Part(),), lambda: "second")
    gc.collect()
    assert gone() is None
