"""A whole store verified: what is right passes, also in motion, and every fault has its name."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from events.stand import read_stand
from replay import store_audit
from replay.store_audit import CHECKS, AuditTally, StoreAudit
from tests.replay.store_faults import PLANTED, relink, unseal
from tests.replay.whole_store import LAYOUT, Whole, faults
from tests.service.stage import ok, stage

pytestmark = pytest.mark.slow


async def test_what_is_right_passes(whole: Whole) -> None:
    audit = StoreAudit(whole.settings)
    assert [fault async for fault in audit.faults()] == []
    events = sum(
        len(whole.entries(cast("bytes", key).decode().rsplit(":", 2)[1]))
        for key in whole.raw.scan_iter("*:h")
    )
    assert audit.tally == AuditTally(games=3, accounts=2, events=events)


async def test_an_empty_store_passes(store_url: str) -> None:
    async with stage(store_url) as on:
        assert [f async for f in StoreAudit(on.service.app_context.settings).faults()] == []


async def test_parts_and_pages_change_nothing(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_audit, "_PAGE", 2)
    assert await faults(whole, names=1) == []
    whole.raw.hset(LAYOUT.stream(whole.live).head, "st", "open")
    assert [f.check for f in await faults(whole, names=1)] == ["status"]


@pytest.mark.parametrize(
    ("check", "spoil", "also"), PLANTED, ids=[f"{n}-{c}" for n, (c, _, _) in enumerate(PLANTED)]
)
async def test_each_check_finds_what_was_planted_for_it(
    whole: Whole, check: str, spoil: Callable[[Whole], Any], also: set[str]
) -> None:
    spoil(whole)
    found = await faults(whole)
    assert check in {fault.check for fault in found}
    assert {fault.check for fault in found} <= {check} | also, found
    assert all(fault.text for fault in found)


def test_every_check_has_something_planted() -> None:
    assert {check for check, _, _ in PLANTED} == set(CHECKS)


def test_the_guide_lists_every_check() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs/audit.md").read_text(encoding="utf-8")
    table = guide.partition("## A whole store")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([a-z]+) \| (.+) \|$", table, re.MULTILINE))
    assert {name: text for name, text in rows.items() if name != "check"} == dict(CHECKS)


async def test_a_fault_names_its_stream_and_version(whole: Whole) -> None:
    version = whole.sealed_version(whole.live)
    whole.edit(whole.live, version, unseal, rechain=True)
    fault = next(each for each in await faults(whole) if each.check == "commitments")
    assert (fault.stream, fault.version) == (whole.live, version)
    assert fault.line().startswith(f"commitments  {whole.live} version {version}: event.")


async def test_a_link_that_is_wrong_is_told_once(whole: Whole) -> None:
    relink(whole)
    _, pointer = whole.pointers(whole.live)[0]
    (fault,) = await faults(whole)
    assert fault.stream == pointer[b"g"].decode()
    assert fault.version == int(pointer[b"v"])
    assert "entry 1 of the feed" in fault.text


async def test_an_epoch_that_is_just_beginning_is_no_fault(
    whole: Whole, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    async def reading(*given: Any) -> Any:
        looks.append(1)
        name = "another:1" if len(looks) == 1 else whole.name
        whole.raw.hset(LAYOUT.meta(2), "store", name)
        return await read_stand(*given)

    monkeypatch.setattr("replay.identity_audit.read_stand", reading)
    assert await faults(whole) == []
    assert len(looks) == 2


async def test_a_hole_is_named_by_its_version(whole: Whole) -> None:
    whole.raw.xdel(LAYOUT.stream(whole.live).entries, "3-0")
    found = {fault.check: fault.version for fault in await faults(whole)}
    assert found["versions"] == 3


async def test_a_store_in_motion_is_no_fault(whole: Whole) -> None:
    done = asyncio.Event()

    async def move() -> int:
        moves = 0
        while not done.is_set():
            here = f"/v1/games/{whole.live}"
            ok(await whole.director.post(f"{here}/pause", {}))
            ok(await whole.director.post(f"{here}/resume"))
            await whole.on.player(f"Cia {moves}")
            await whole.on.table(whole.director)
            await whole.on.list_up()
            moves += 1
        return moves

    moving = asyncio.create_task(move())
    found = [fault for _ in range(4) for fault in await faults(whole, 300.0)]
    done.set()
    assert await moving > 2
    assert found == []
