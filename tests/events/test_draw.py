"""Draws: the same everywhere, fair, each label once."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from events.draw import Draw, key_hash, seed_of

KEY = "00" * 32
SEED = seed_of(KEY, ["alice", "bob"])


def test_vectors() -> None:
    draw = Draw(SEED)
    assert SEED.hex() == "87b240f62de1d0ef50a58e56290d2ed74af77e6b9d7c920a378bd63082ffa3c1"
    assert [draw.below(6, f"die/{i}") for i in range(8)] == [3, 3, 3, 5, 4, 1, 5, 0]
    assert draw.shuffled(list(range(10)), "deck") == [3, 9, 0, 6, 2, 4, 5, 1, 8, 7]
    assert draw.choice("abcdef", "letter") == "c"
    assert draw.below(10**18, "big") == 370186682594011743
    assert key_hash(KEY) == "2b6bb7e1b0c368470be6bbdbf3eb67e39a9a2146ea09da66f29f656f91f975b7"


def test_a_draw_is_what_its_description_says() -> None:
    block = hmac.new(SEED, b"x/1\x00" + bytes(8), hashlib.sha256).digest()
    assert Draw(SEED).below(1000, "x/1") == int.from_bytes(block[:8], "big") % 1000


def test_a_label_may_be_used_once() -> None:
    draw = Draw(SEED)
    draw.below(6, "die")
    with pytest.raises(ValueError, match="die"):
        draw.choice("abc", "die")


def test_no_seed_no_draw() -> None:
    with pytest.raises(ValueError, match="seed"):
        Draw(b"").below(6, "die")


def test_draws_do_not_depend_on_one_another() -> None:
    first, second = Draw(SEED), Draw(SEED)
    first.below(6, "a")
    assert first.below(10**9, "b") == second.below(10**9, "b")


def test_entropy_parts_do_not_run_together() -> None:
    seeds = {seed_of(KEY, parts) for parts in (["ab", "c"], ["a", "bc"], ["abc"], ["c", "ab"])}
    assert len(seeds) == 4


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_numbers_are_uniform() -> None:
    draw, counts = Draw(SEED), [0] * 6
    for i in range(6000):
        counts[draw.below(6, f"u/{i}")] += 1
    assert chi_square(counts) < 20.5, "5 degrees of freedom, p = 0.001"


def test_every_place_of_a_shuffle_is_uniform() -> None:
    draw = Draw(SEED)
    places = [[0] * 5 for _ in range(5)]
    for i in range(2000):
        for place, item in enumerate(draw.shuffled(range(5), f"s/{i}")):
            places[place][item] += 1
    assert all(chi_square(counts) < 18.5 for counts in places), "4 degrees of freedom, p = 0.001"


def test_a_shuffle_keeps_what_it_is_given() -> None:
    items = list("abcdefgh")
    assert sorted(Draw(SEED).shuffled(items, "s")) == items
    assert items == list("abcdefgh")
    assert Draw(SEED).shuffled([], "none") == []
