"""Keys: one slot for each shard, shards spread over the cluster."""

from __future__ import annotations

import hashlib
import re
from typing import Final, get_args

import pytest
from redis.crc import key_slot

from events.layout import SLOTS, BadStreamIdError, Layout, Tags, slot, tag
from projections.lobby import ListKeys

FROZEN: Final = "550f1ed9684338d522069969e20c596865d507d7579f524f5528061e936c30b5"


@pytest.mark.parametrize("tags", get_args(Tags))
def test_all_keys_of_a_stream_lie_in_one_slot(tags: Tags) -> None:
    layout = Layout(256, "test:", tags)
    for shard in range(256):
        assert not layout.stream(f"g{shard:02x}-a").account_feed
        keys = layout.stream(f"p{shard:02x}-a")
        names = [getattr(keys, name) for name in keys.__struct_fields__ if name != "shard"]
        assert keys.shard == shard
        assert len(set(names)) == 9
        names += [ListKeys(layout).rows(shard), layout.player_bell(shard, "p00-a")]
        assert {key_slot(name.encode()) for name in names} == {slot(tag(shard, tags))}
        assert all(name.startswith("test:{") for name in names)


@pytest.mark.parametrize("tags", get_args(Tags))
def test_tags_are_of_their_own_and_name_their_shard(tags: Tags) -> None:
    found = [tag(shard, tags) for shard in range(256)]
    assert len(set(found)) == 256
    assert all(re.fullmatch(f"s{shard:02x}[0-9a-z]{{1,3}}", found[shard]) for shard in range(256))


def unevenness(tags: Tags, primaries: int) -> list[int]:
    """By how many shards two primaries differ, if each has an equal range of slots.

    The first number is that for no shards, the second for one, and so on.
    """
    counts, found = [0] * primaries, [0]
    for shard in range(256):
        counts[slot(tag(shard, tags)) * primaries // SLOTS] += 1
        found.append(max(counts) - min(counts))
    return found


def test_any_number_of_shards_spreads_evenly_over_any_cluster() -> None:
    for primaries in range(1, 33):
        found = unevenness("spread", primaries)
        assert max(found[4:]) <= 5
        assert max(found[shards] for shards in (4, 8, 16, 32, 64, 128, 256)) <= (
            1 if primaries <= 8 else 3
        )


def test_banded_tags_are_even_where_they_were_meant_to_be_and_not_elsewhere() -> None:
    """Also the control of the test above: what is uneven is found."""
    assert all(unevenness("banded", primaries)[64] <= 2 for primaries in (2, 3, 4, 6, 8))
    found = unevenness("banded", 3)
    assert (found[4], found[16]) == (4, 16)


def test_tags_that_stores_have_been_given_never_change() -> None:
    said = "".join(tag(shard, tags) for tags in get_args(Tags) for shard in range(256))
    assert hashlib.sha256(said.encode()).hexdigest() == FROZEN
    assert tag(0, "banded") == tag(0, "spread"), "what a store says of itself lies in shard 0"


@pytest.mark.parametrize(
    "stream",
    [
        "",
        "g",
        "g00",
        "g00-",
        "g0-a",
        "00-a",
        "g04-a",
        "gff-a",
        "g00-A",
        "g00-a b",
        "g00-a}",
        "g00-é",
        "g00-" + "a" * 41,
        "g00-a\n",
    ],
)
def test_what_is_no_stream_id_is_refused(stream: str) -> None:
    with pytest.raises(BadStreamIdError):
        Layout(4).stream(stream)


def test_a_bad_layout_is_refused() -> None:
    for shards in (0, 257):
        with pytest.raises(ValueError, match="shards"):
            Layout(shards)
    with pytest.raises(ValueError, match="brace"):
        Layout(4, "{x}")
