"""The command that verifies a whole store, on one node and on a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from events.clients import CLUSTER
from replay import store_audit
from replay.__main__ import main
from runtime.settings import environment
from tests.events.test_durability import start_node
from tests.replay.whole_store import GHOST, LAYOUT, LISTS, Whole, faults, made
from tests.service.stage import stage

pytestmark = pytest.mark.slow


@pytest.fixture
def at_hand(whole: Whole, monkeypatch: pytest.MonkeyPatch) -> str:
    """The settings in the environment; the store's url."""
    for name, value in environment(whole.settings).items():
        monkeypatch.setenv(name, value)
    return whole.settings.store_url


async def run(*argv: str) -> int:
    return await asyncio.to_thread(main, argv)


async def test_the_command_says_what_it_has_read_and_found(
    whole: Whole, at_hand: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_audit, "TELL_EVERY", 2)
    assert await run("verify-store") == 0
    said = capsys.readouterr()
    assert said.out.startswith("verified: 3 games, 2 accounts, ")
    assert said.err.count("so far") == 2
    whole.raw.hset(LAYOUT.stream(whole.live).head, "st", "open")
    assert await run("verify-store", "--store", at_hand) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"status       {whole.live} version ")
    assert lines[-1].startswith("NOT verified, 1 faults: 3 games")


async def test_without_a_store_it_says_so(
    at_hand: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await run("verify-store", "--store", f"{at_hand}.not") == 2
    assert "the store does not answer" in capsys.readouterr().err
    monkeypatch.delenv("PARLOUR_KEYS")
    assert await run("verify-store") == 2
    assert "PARLOUR_KEYS is missing" in capsys.readouterr().err


@pytest.fixture
def cluster(home: Path) -> Iterator[str]:
    store, port = start_node(home / "store")
    yield f"{CLUSTER}127.0.0.1:{port}"
    store.stop()


async def test_a_cluster_is_verified_by_the_same_command(cluster: str) -> None:
    port = cluster.rpartition(":")[2]
    with redis.Redis(port=int(port)) as raw:
        async with stage(cluster, rq_url="redis://localhost:1") as on:
            whole = await made(on, raw)
            assert await faults(whole) == []
            raw.zadd(LAYOUT.due(LAYOUT.shard_of(GHOST)), {GHOST: 5})
            raw.zrem(LISTS.player(LAYOUT.shard_of(whole.over), whole.player), whole.over)
            assert {fault.check for fault in await faults(whole)} == {"timers", "indexes"}
