"""The names of accounts in the store: kept before they are needed, erased for good."""

from __future__ import annotations

from itertools import count

import pytest

from events.clients import Client
from events.layout import Layout
from events.log import StreamLog
from events.name_store import NAMES_MAX, DeletedAccountError, NameStore, TooManyNames
from events.names import DELETED, opens

ADA = "p00-ada"
BEN = "p00-ben"


def store_of(client: Client) -> NameStore:
    salts = count(1)
    return NameStore(client, Layout(4), lambda: next(salts).to_bytes(16, "big"))


async def test_a_name_is_kept_under_its_seal(log: StreamLog) -> None:
    seal = await log.names.keep(ADA, "Ada")
    kept = await log.names.read(ADA)
    assert (kept.deleted, list(kept.openings)) == (False, [seal])
    assert kept.openings[seal].name == "Ada"
    assert opens(kept.openings[seal], seal)
    assert (await log.names.read(BEN)).openings == {}


async def test_salts_are_drawn_and_not_made_of_anything(log: StreamLog) -> None:
    seals = {await log.names.keep(f"p00-{n}", "Ada") for n in range(20)}
    assert len(seals) == 20


async def test_the_same_name_keeps_its_seal(client: Client) -> None:
    names = store_of(client)
    first = await names.keep(ADA, "Ada")
    assert await names.keep(ADA, "ada") != first
    assert await names.keep(ADA, "Ada") == first
    assert len((await names.read(ADA)).openings) == 2


async def test_nothing_new_is_kept_where_that_is_refused(client: Client) -> None:
    names, refusal = store_of(client), MemoryError("no room")
    seal = await names.keep(ADA, "Ada")
    assert await names.keep(ADA, "Ada", refusal) == seal
    with pytest.raises(MemoryError):
        await names.keep(ADA, "Eva", refusal)
    assert list((await names.read(ADA)).openings) == [seal]


async def test_an_account_has_so_many_names(client: Client) -> None:
    names = store_of(client)
    for number in range(NAMES_MAX):
        await names.keep(ADA, f"name {number}")
    with pytest.raises(TooManyNames):
        await names.keep(ADA, "one more")
    assert await names.keep(ADA, "name 7")
    assert len((await names.read(ADA)).openings) == NAMES_MAX


async def test_what_is_erased_is_gone(client: Client) -> None:
    names = store_of(client)
    await names.keep(ADA, "Ada")
    await names.keep(BEN, "Ben")
    await names.erase(ADA)
    await names.erase(ADA)
    assert (await names.read(ADA)).openings == {}
    assert [o.name for o in (await names.read(BEN)).openings.values()] == ["Ben"]
    left = [key async for key in client.scan_iter("*:n")]
    assert left == [Layout(4).stream(BEN).names.encode()]


async def test_nothing_is_kept_of_a_deleted_account(client: Client) -> None:
    names = store_of(client)
    seal = await names.keep(ADA, "Ada")
    await client.hset(Layout(4).stream(ADA).head, "st", DELETED)
    kept = await names.read(ADA)
    assert (kept.deleted, list(kept.openings)) == (True, [seal])
    for name in ("Ada", "Eva"):
        with pytest.raises(DeletedAccountError):
            await names.keep(ADA, name)
