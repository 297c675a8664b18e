"""Fault 18: what was delivered to a projection comes again, late and out of order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from tests.conftest import Sometimes
from tests.projections.test_lobby import Lists
from tests.runtime.conftest import stage
from tests.runtime.stage import ANN, BEN, Stage

__all__ = ["stage"]

Delivery = tuple[int, str, int, Sequence[tuple[str, ...]]]


async def delivered(on: Stage, patch: pytest.MonkeyPatch) -> tuple[Lists, list[Delivery]]:
    """Lists that have followed a game step by step; and each of these deliveries."""
    lists = Lists(on)
    move, seen = lists.lobby._move, list[Delivery]()  # noqa: SLF001 (what is delivered twice)

    async def noted(*delivery: Any) -> bool:
        seen.append(delivery)
        return await move(*delivery)

    patch.setattr(lists.lobby, "_move", noted)
    game = await on.open()
    await lists.lobby.catch_up()
    for player in (ANN, BEN):
        await on.sit(game, (player,))
        await lists.lobby.catch_up()
    await on.play_round(game, 1)
    await lists.lobby.catch_up()
    patch.setattr(lists.lobby, "_move", move)
    random.Random(25).shuffle(seen)
    return lists, seen


async def test_deliveries_that_come_again_change_nothing(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    sometimes: Sometimes,
) -> None:
    lists, seen = await delivered(stage, monkeypatch)
    before = await lists.dump()
    for delivery in [*seen, *seen]:
        assert not await lists.lobby._move(*delivery)  # noqa: SLF001 (again)
    assert await lists.dump() == before
    sometimes("late deliveries", 2 * len(seen))


async def test_without_comparing_places_they_would(
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: each claims to follow what is there."""
    lists, seen = await delivered(stage, monkeypatch)
    before = await lists.dump()
    shard, _, _, changes = min(seen, key=lambda delivery: delivery[2])
    reached = max(delivery[2] for delivery in seen)
    assert await lists.lobby._move(shard, str(reached), reached, changes)  # noqa: SLF001 (again)
    assert await lists.dump() != before
