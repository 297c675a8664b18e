"""The level of a receipt, and that nobody sees what no replica has, where that is promised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from events.clients import LossyStoreError
from service.app import require_fit_store
from tests.events.pair import Pair, pair_in
from tests.service.listening import PATIENCE_S, listen
from tests.service.stage import Player, Still, fresh, ok, problem, settings_for, stage

pytestmark = [pytest.mark.slow, pytest.mark.system]
WISH = {"rulebook": "first_edition", "mode": "solo", "seats": 1}


@pytest.fixture
async def pair(home: Path) -> AsyncIterator[Pair]:
    with pair_in(home) as made:
        await made.joined()
        yield made


async def test_a_receipt_says_that_a_command_is_on_one_disk(store_url: str) -> None:
    async with stage(store_url) as on:
        ada = await on.player()
        receipt = ok(await ada.post("/v1/games", WISH), 201)
        assert receipt["durability"] == "local"
        assert receipt["events"]
        path = f"/v1/games/{receipt['game']}"
        for answer in (await ada.get(path), await ada.get(f"{path}/events")):
            assert ok(answer)["durable_version"] == 1
        found = ok(await ada.get(f"{path}/events", after=9))
        assert (found["next"], found["durable_version"]) == (9, 1)


async def test_what_no_replica_has_is_accepted_and_shown_to_nobody(pair: Pair) -> None:
    async with (
        stage(pair.url, Still(), durability="replicated") as on,
        stage(pair.url, Still(), durability="replicated") as elsewhere,
    ):
        ada = await on.player()
        director = await on.with_scopes(ada, "organise")
        game = await on.game(ada, mode="solo")
        path = f"/v1/games/{game}"
        before = ok(await ada.get(path))
        version = before["version"]
        assert before["durable_version"] == version
        receipt = ok(await director.post(f"{path}/pause", {}))
        assert receipt["durability"] == "replicated"
        paused = receipt["version"]
        other = Player(elsewhere.http, ada.token, ada.id)
        assert ok(await other.get(path))["version"] == paused, "elsewhere one reads what was told"

        await on.list_up()
        listed = ok(await ada.get("/v1/games"))
        pair.hold()
        key = fresh()
        held = ok(await director.post(f"{path}/resume", key=key), 202)
        assert (held["durability"], held["events"]) == ("local", [])
        assert held["version"] > paused
        for reader in (ada, other, director):
            for part in ("", "/state", "/events", *(["/decisions"] if reader != director else [])):
                shown = ok(await reader.get(f"{path}{part}"))
                assert shown["durable_version"] == paused
                assert shown.get("version", paused) == paused
        problem(await ada.get(f"{path}/state", at=held["version"]), "version-not-found")
        # That it is not paused any more would tell what is hidden.
        problem(await director.post(f"{path}/resume"), "store-unavailable")
        await on.list_up()
        assert ok(await ada.get("/v1/games")) == listed
        again = ok(await director.post(f"{path}/resume", key=key), 202)
        assert again == held
        async with listen(elsewhere, other, f"{path}/events") as stream:
            assert (await stream.next()).json()["version"] == paused
            waiting = asyncio.create_task(stream.next())
            pair.let_go()
            async with asyncio.timeout(PATIENCE_S):
                assert (await waiting).id == str(paused + 1)
        kept = ok(await director.post(f"{path}/resume", key=key))
        assert (kept["durability"], kept["version"]) == ("replicated", held["version"])
        assert [event["v"] for event in kept["events"]] == [*range(paused + 1, held["version"] + 1)]
        assert ok(await ada.get(path))["version"] == held["version"]
        await on.list_up()
        assert ok(await ada.get("/v1/games")) != listed


async def test_without_the_promise_the_same_event_is_shown_at_once(pair: Pair) -> None:
    # The control of the test above: what a failover may lose is told to everybody.
    async with stage(pair.url, Still()) as on:
        ada = await on.player()
        director = await on.with_scopes(ada, "organise")
        path = f"/v1/games/{await on.game(ada, mode='solo')}"
        pair.hold()
        receipt = ok(await director.post(f"{path}/pause", {}))
        assert receipt["durability"] == "local"
        assert ok(await ada.get(path))["durable_version"] == receipt["version"]


async def test_a_service_does_not_promise_what_its_store_cannot_give(store_url: str) -> None:
    with pytest.raises(LossyStoreError, match="appendfsync is 'no'"):
        await require_fit_store(settings_for(store_url, durability="replicated"))
