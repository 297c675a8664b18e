"""What is known of a store against what is there: who may write, and why not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from events.identity import Identity, mismatch
from events.keys import KeyRing
from events.known import (
    Known,
    Mark,
    Marks,
    ShardStatement,
    StoreBehind,
    StoreStatement,
    judge,
    newest,
)
from events.layout import Layout

RING = KeyRing({"k1": b"1" * 32}, "k1")
IDENTITY = Identity("a", 2, 2, {"k1": RING.check("k1")})
MARKS = Marks("a", 2, {0: Mark(5, "five"), 1: Mark(3, "three")})


def stand(
    identity: Identity | None = IDENTITY,
    ends: tuple[tuple[int, str], ...] = ((5, "five"), (3, "three")),
    before: Mapping[int, str | None] | None = None,
    name: str | None = "a:2",
) -> StoreStatement:
    """What a store says."""
    found = {shard: ShardStatement(name, Mark(*end)) for shard, end in enumerate(ends)}
    return StoreStatement(identity, found, before or {0: "five", 1: "three"})


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (stand(), ""),
        (stand(ends=((9, "nine"), (3, "three"))), ""),
        (stand(None), "the store has no name"),
        (stand(Identity("b", 2, 2, {})), "this is the store b, and a was known here"),
        (stand(Identity("a", 1, 2, {})), "is in epoch 1, and was known in epoch 2"),
        (stand(ends=((4, "four"), (3, "three"))), "shard 0 ends at 4, and 5 was known"),
        (stand(ends=((5, "other"), (3, "three"))), "shard 0 has another history at 5"),
        (
            stand(ends=((9, "nine"), (3, "three")), before={0: "other", 1: "three"}),
            "shard 0 has another history at 5",
        ),
        (
            stand(ends=((9, "nine"), (3, "three")), before={0: None, 1: "three"}),
            "shard 0 has another history at 5",
        ),
        (stand(ends=((5, "five"),)), "shard 1 ends at 0, and 3 was known"),
        (stand(name="a:1"), "shard 0 is of a:1, and the store is a:2"),
        (stand(name=None), "shard 0 is of no store"),
    ],
)
def test_a_store_is_judged_by_what_was_known(found: StoreStatement, why: str) -> None:
    said = judge(MARKS, found)
    assert why in said
    assert bool(said) == bool(why)


def test_a_later_epoch_is_taken_for_what_it_is() -> None:
    later = Identity("a", 3, 2, {})
    assert judge(MARKS, stand(later, ends=((1, "x"), (0, "")), name="a:3")) == ""
    assert "is of a:2" in judge(MARKS, stand(later, ends=((1, "x"), (0, ""))))


def test_a_new_shard_need_not_say_whose_it_is() -> None:
    found = stand(ends=((5, "five"), (3, "three"), (0, "")))
    ends = {**found.ends, 2: ShardStatement(None, Mark(0))}
    assert judge(MARKS, StoreStatement(IDENTITY, ends, found.before)) == ""


def test_several_know_more_than_one() -> None:
    other = Marks("a", 2, {0: Mark(7, "seven"), 2: Mark(1, "one")})
    assert newest([MARKS, other]) == Marks(
        "a", 2, {0: Mark(7, "seven"), 1: Mark(3, "three"), 2: Mark(1, "one")}
    )
    assert newest([MARKS, Marks("b", 3, {})]) == Marks("b", 3, {})
    assert newest([]) is None
    with pytest.raises(ValueError, match="two stores, a and b"):
        newest([MARKS, Marks("b", 2, {})])


def test_settings_are_held_against_the_store() -> None:
    assert mismatch(IDENTITY, Layout(2), RING) == ""
    more = KeyRing({"k1": b"1" * 32, "k2": b"2" * 32}, "k2")
    assert mismatch(IDENTITY, Layout(2), more) == ""
    assert mismatch(IDENTITY, Layout(4), RING) == "the store has 2 shards, and the settings say 4"
    lost = KeyRing({"k2": b"2" * 32}, "k2")
    assert "lack the master secret 'k1'" in mismatch(IDENTITY, Layout(2), lost)
    swapped = KeyRing({"k1": b"2" * 32}, "k1")
    assert "'k1' is not the one" in mismatch(IDENTITY, Layout(2), swapped)
    assert "1" * 32 not in IDENTITY.keys["k1"]


def test_who_knows_nothing_does_not_write() -> None:
    known = Known()
    with pytest.raises(StoreBehind, match="the store has not yet been checked"):
        known.require()
    assert (known.name, known.marks(), known.least(0)) == ("", None, 0)


def test_what_was_seen_is_never_less() -> None:
    known = Known()
    known.learn(MARKS)
    known.note(0, 4, "four")
    known.learn(Marks("a", 2, {0: Mark(1, "one"), 1: Mark(8, "eight")}))
    assert known.marks() == Marks("a", 2, {0: Mark(5, "five"), 1: Mark(8, "eight")})
    known.learn(Marks("a", 3, {0: Mark(1, "one")}))
    assert known.marks() == Marks("a", 3, {0: Mark(1, "one")})
