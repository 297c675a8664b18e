"""Keys: one slot for each shard, shards spread over the cluster."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from redis.crc import key_slot

from events.layout import SLOTS, BadStreamIdError, Layout, slot, tag


def test_all_keys_of_a_stream_lie_in_one_slot() -> None:
    layout = Layout(256, "test:")
    for shard in range(256):
        keys = layout.stream(f"g{shard:02x}-a")
        names = [getattr(keys, name) for name in keys.__struct_fields__ if name != "shard"]
        assert keys.shard == shard
        assert len(set(names)) == 7
        assert {key_slot(name.encode()) for name in names} == {slot(tag(shard))}
        assert all(name.startswith("test:{") for name in names)


def test_tags_are_of_their_own_and_name_their_shard() -> None:
    tags = [tag(shard) for shard in range(256)]
    assert len(set(tags)) == 256
    assert all(re.fullmatch(f"s{shard:02x}[0-9a-z]{{1,2}}", tags[shard]) for shard in range(256))


@pytest.mark.parametrize("primaries", [2, 3, 4, 6, 8])
def test_64_shards_spread_evenly_over_any_cluster(primaries: int) -> None:
    counts = Counter(slot(tag(shard)) * primaries // SLOTS for shard in range(64))
    assert len(counts) == primaries
    assert max(counts.values()) - min(counts.values()) <= 2


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
