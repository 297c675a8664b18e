"""A whole store for every test that audits one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
import redis

from tests.replay.whole_store import Kept, Whole, made
from tests.service.stage import Player, Still, stage
from tests.unlimited import unlimited


@pytest.fixture(scope="session")
def kept() -> list[Kept]:
    """Nothing, until somebody has played."""
    return []


@pytest.fixture
async def whole(store_url: str, kept: list[Kept]) -> AsyncIterator[Whole]:
    """A store of the test's own: played by the first that wants one, then dumped and restored."""
    with redis.Redis.from_url(unlimited(store_url)) as raw:
        for key, dumped in [pair for each in kept for pair in each.keys.items()]:
            raw.restore(key, 0, cast("Any", dumped))
        clock = Still()
        clock.now = kept[0].clock.now if kept else clock.now
        async with stage(
            store_url, clock, tables_per_account=10**6, registrations_per_day=10**6
        ) as on:
            if kept:
                live, over, waiting, player = kept[0].names
                director = Player(on.http, kept[0].token, player)
                yield Whole(on, raw, director, live, over, waiting, player)
                return
            first = await made(on, raw)
            keys = {k: cast("bytes", raw.dump(k)) for k in cast("list[bytes]", raw.keys())}
            names = (first.live, first.over, first.waiting, first.player)
            kept.append(Kept(keys, clock, first.director.token, names))
            yield first
