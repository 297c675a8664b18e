"""Where it is promised, a command is acknowledged and shown when the journal has it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from events.tasks import end_tasks
from runtime.journal.segments import tails
from runtime.settings import SettingsError, load_settings
from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Player, Still, fresh, ok, problem, settings_for, stage
from workers.shipper import Shipper

pytestmark = pytest.mark.slow


@asynccontextmanager
async def shipping(url: str, folder: Path) -> AsyncIterator[None]:
    """A shipper that runs."""
    shipper = Shipper(settings_for(url, journal=str(folder)))
    task = asyncio.create_task(shipper.run())
    try:
        yield
    finally:
        await end_tasks(task)
        await shipper.close()


def promising(url: str, folder: Path, level: str = "journaled") -> Any:
    """A service that promises a level."""
    return stage(url, Still(), durability=level, journal=str(folder))


def journaled(folder: Path, game: str) -> int:
    """The version of a game that is in the journal."""
    shard = int(game[1:3], 16)
    found = tails(folder, {shard: 0})[shard]
    return max(each.version for each in found if each.stream == game)


async def test_what_the_journal_does_not_have_is_accepted_and_shown_to_nobody(
    store_url: str, tmp_path: Path
) -> None:
    async with (
        promising(store_url, tmp_path) as on,
        promising(store_url, tmp_path) as elsewhere,
    ):
        async with shipping(store_url, tmp_path):
            ada = await on.player()
            director = await on.with_scopes(ada, "organise")
            game = await on.game(ada, mode="solo")
            path = f"/v1/games/{game}"
            receipt = ok(await director.post(f"{path}/pause", {}))
            assert receipt["durability"] == "journaled"
            assert receipt["events"]
            paused = receipt["version"]
            assert journaled(tmp_path, game) == paused
            other = Player(elsewhere.http, ada.token, ada.id)
            assert ok(await other.get(path))["version"] == paused
        key = fresh()
        held = ok(await director.post(f"{path}/resume", key=key), 202)
        assert (held["durability"], held["events"]) == ("local", [])
        assert held["version"] > paused == journaled(tmp_path, game)
        for reader in (ada, other):
            for part in ("", "/state", "/events", "/decisions"):
                assert ok(await reader.get(f"{path}{part}"))["durable_version"] == paused
        problem(await director.post(f"{path}/resume"), "store-unavailable")
        async with listen(elsewhere, other, f"{path}/events") as stream:
            assert (await stream.next()).json()["version"] == paused
            waiting = asyncio.create_task(stream.next())
            async with shipping(store_url, tmp_path):
                async with asyncio.timeout(PATIENCE_S):
                    assert (await waiting).id == str(paused + 1)
                    while (kept := await director.post(f"{path}/resume", key=key)).is_success:
                        if kept.status_code != 202:
                            break
                assert ok(kept)["durability"] == "journaled"
                assert ok(kept)["version"] == held["version"] == journaled(tmp_path, game)
                assert ok(await ada.get(path))["version"] == held["version"]


async def test_without_the_promise_the_same_event_is_shown_at_once(
    store_url: str, tmp_path: Path
) -> None:
    """The control of the test above: what only the store has is told to everybody."""
    async with promising(store_url, tmp_path, "local") as on:
        async with shipping(store_url, tmp_path):
            ada = await on.player()
            director = await on.with_scopes(ada, "organise")
            path = f"/v1/games/{await on.game(ada, mode='solo')}"
        receipt = ok(await director.post(f"{path}/pause", {}))
        assert receipt["durability"] == "local"
        assert ok(await ada.get(path))["version"] == receipt["version"]


def test_the_promise_needs_a_journal() -> None:
    environ = {
        "PARLOUR_STORE_URL": "redis://localhost",
        "PARLOUR_KEYS": f"k1:{'1' * 64}",
        "PARLOUR_DURABILITY": "journaled",
    }
    with pytest.raises(SettingsError, match="DURABILITY=journaled needs a folder: PARLOUR_JOURNAL"):
        load_settings(environ)
    assert load_settings({**environ, "PARLOUR_JOURNAL": "j"}).durability == "journaled"
