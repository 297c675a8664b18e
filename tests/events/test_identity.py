"""What a store says of its shards, and who can read it."""

from __future__ import annotations

from typing import Any, cast, get_args

import pytest

from events.clients import Client
from events.identity import (
    ForeignStoreError,
    Identities,
    identity_of,
    layout_of,
    mismatch,
)
from events.layout import Layout, Tags
from tests.naming import KEYS, STORE, name_store


@pytest.mark.parametrize(("tags", "said"), [("banded", b"12"), ("spread", b"12 spread")])
async def test_a_store_says_how_the_tags_of_its_shards_are_chosen(
    client: Client, tags: Tags, said: bytes
) -> None:
    """A release from before there was a choice reads a number there, and nothing else."""
    layout = Layout(12, "p:", tags)
    await name_store(client, layout)
    assert await cast("Any", client).hget(Layout(1, "p:").identity(), "shards") == said
    found = await layout_of(client, "p:")
    assert (found.shards, found.prefix, found.tags) == (12, "p:", tags)
    identity = identity_of(await cast("Any", client).hgetall(layout.identity()))
    assert identity is not None
    assert mismatch(identity, layout, KEYS) == ""
    [other] = set(get_args(Tags)) - {tags}
    told = f"the store's shards have {tags} tags, and the settings say {other}"
    assert mismatch(identity, Layout(12, "p:", other), KEYS) == told


async def test_a_store_of_tags_that_nobody_knows_is_not_guessed_at(client: Client) -> None:
    layout = Layout(4)
    with pytest.raises(ForeignStoreError, match="does not say how many shards"):
        await layout_of(client)
    await name_store(client, layout)
    await cast("Any", client).hset(layout.identity(), "shards", "4 scattered")
    with pytest.raises(ForeignStoreError, match="cannot be read"):
        await layout_of(client)


@pytest.mark.parametrize("tags", get_args(Tags))
async def test_a_store_is_empty_only_if_no_tag_has_anything(client: Client, tags: Tags) -> None:
    await cast("Any", client).xadd(Layout(256, "", tags).feed(77), {"g": "x"}, "1-0")
    for layout in (Layout(4), Layout(4, "", "spread")):
        with pytest.raises(ForeignStoreError, match="does not say which store"):
            await Identities(client, layout).found(STORE, KEYS, 1, "tests")
