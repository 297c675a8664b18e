"""Several shippers of one store: each copies all of it, and one at a time says what is shipped."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from events.clients import Client
from events.layout import Layout
from events.restoring import Restoring
from events.scripts import Script
from runtime.journal.segments import JournalError, tails
from tests.naming import name_store
from tests.service.stage import settings_for
from tests.workers.shipping import ONE, SHARD, SHARDS, Heads, Process, process, ship_all, shipper
from workers import shipper as module
from workers.shipper import Shipper

LAYOUT = Layout(SHARDS)


@pytest.fixture
async def here(store_url: str, client: Client, tmp_path: Path) -> AsyncIterator[Process]:
    await name_store(client, LAYOUT)
    async with process(store_url, tmp_path / "kept", Heads()) as made:
        yield made


@pytest.fixture
async def one(here: Process, store_url: str, tmp_path: Path) -> AsyncIterator[Shipper]:
    del here  # the store has a name
    async with shipper(store_url, tmp_path / "one") as made:
        await ship_all(made)
        yield made


@pytest.fixture
async def two(one: Shipper, store_url: str, tmp_path: Path) -> AsyncIterator[Shipper]:
    del one  # it is there first
    async with shipper(store_url, tmp_path / "two") as made:
        await ship_all(made)
        yield made


async def told(client: Client) -> int:
    """The number of the last batch of which a shipper has said that it is shipped."""
    _, shipped = await Restoring(client, LAYOUT).feed_end(SHARD)
    return shipped.seq


def copied(folder: Path) -> list[int]:
    return [each.seq for each in tails(folder, {SHARD: 0})[SHARD]]


async def fall_silent(client: Client) -> None:
    """The turn of whoever has it has run out."""
    await cast("Any", client).hset(LAYOUT.shipping(), "until", 0)


async def test_both_copy_and_one_tells(
    here: Process,
    one: Shipper,
    two: Shipper,
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await here.append(ONE)
    for _ in range(2):
        await ship_all(two)
    assert (copied(tmp_path / "two"), await told(client)) == ([1], 0)
    assert capsys.readouterr().out.count("shipper_stands_by") <= 1
    await ship_all(one)
    assert (copied(tmp_path / "one"), await told(client)) == ([1], 1)


async def test_another_goes_on_when_the_first_has_ended_or_fallen_silent(
    here: Process, store_url: str, client: Client, tmp_path: Path
) -> None:
    async with shipper(store_url, tmp_path / "two") as two:
        async with shipper(store_url, tmp_path / "one") as one:
            await ship_all(one)
            await here.append(ONE)
            await ship_all(two)
            assert await told(client) == 0
        await two.look()
        assert await told(client) == 1, "it has given its turn back"
        async with shipper(store_url, tmp_path / "one") as one:
            await here.append(ONE)
            await ship_all(one)
            assert await told(client) == 1
            await fall_silent(client)
            await one.look()
            assert await told(client) == 2


@pytest.mark.parametrize("fenced", [True, False], ids=["fenced", "the control"])
async def test_one_that_has_stood_still_says_nothing_any_more(
    here: Process,
    one: Shipper,
    two: Shipper,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    fenced: bool,
) -> None:
    if not fenced:
        text = module.TELL.text.replace("return {'past'}", "")
        sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        monkeypatch.setattr("workers.shipper.TELL", Script(text, sha))
    await here.append(ONE)
    await one.look()
    await fall_silent(client)  # while it stands still
    await here.append(ONE, ONE)
    await ship_all(two)
    assert await told(client) == 3
    monkeypatch.setattr("workers.shipper.PAGE", 1)
    await one.ship()
    assert await told(client) == (3 if fenced else 1)
    assert ("shipper_overtaken" in capsys.readouterr().out) == fenced
    await ship_all(one)
    assert await told(client) == (3 if fenced else 1), "it stands by"


async def test_a_shipper_that_comes_back_to_its_journal_need_not_wait(
    here: Process, store_url: str, client: Client, tmp_path: Path
) -> None:
    async with shipper(store_url, tmp_path / "one") as killed:
        await ship_all(killed)
    await cast("Any", client).hset(LAYOUT.shipping(), "until", 1 << 42)  # as if it had been
    await here.append(ONE)
    async with shipper(store_url, tmp_path / "two") as two:
        await ship_all(two)
        assert await told(client) == 0, "the control"
    async with shipper(store_url, tmp_path / "one") as again:
        await ship_all(again)
        assert await told(client) == 1
        with pytest.raises(JournalError, match="another process writes the journal"):
            Shipper(settings_for(store_url, journal=str(tmp_path / "one")))
