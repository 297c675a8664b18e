"""A store that is not the one that was known: nobody writes to it, and one sentence says why."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import redis
import structlog

from events.clients import close_client
from events.identity import StoreMismatchError
from events.known import Known, Mark, Marks
from events.scripts import LogUnavailable
from runtime.mark_files import Kind, MarkFile, MarksError, read_marks
from runtime.settings import NO_MARKS, Secret
from runtime.store_watch import (
    MARKS_LOST,
    UNMARKED,
    StoreWatch,
    found_store,
    require_own_store,
)
from tests.lossy import Lossy
from tests.service.listening import PATIENCE_S
from tests.service.stage import SHARDS, Stage, Still, ok, problem, settings_for, stage

pytestmark = pytest.mark.system


@asynccontextmanager
async def there(
    lossy: Lossy, marks: str = "marks", *, clocked: bool = True, **more: Any
) -> AsyncIterator[Stage]:
    """A service that keeps its marks in a folder beside the store.

    Where the folder is new a clock of the same machine has looked at the store first.
    """
    folder = marks if marks == NO_MARKS else str(lossy.home / marks)
    if clocked and marks != NO_MARKS and not (lossy.home / marks).exists():
        await found_store(settings_for(lossy.store.url, marks=folder, **more))
    async with stage(lossy.store.url, Still(), marks=folder, **more) as on:
        yield on


@pytest.fixture
async def on(lossy: Lossy) -> AsyncIterator[Stage]:
    async with there(lossy) as made:
        yield made


async def look(on: Stage) -> None:
    """Look at the store, as is done every second; the feed may be just about to come back."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await on.service.app_context.watch.look()
            except LogUnavailable:
                await asyncio.sleep(0.01)
            else:
                return


def known(on: Stage) -> Known:
    found = on.service.app_context.watch.known
    assert found is not None
    return found


async def register(on: Stage) -> Any:
    return await on.stranger.post("/v1/players", {"name": "Ada"})


async def refused(on: Stage, why: str) -> None:
    """Commands are refused, reads are not, and health tells both."""
    problem(await register(on), "store-behind")
    assert why in known(on).trouble
    answer = await on.stranger.get("/health/writable")
    assert ok(answer, 503)["checks"]["known"] is False
    ok(await on.stranger.get("/v1/games"))
    metrics = (await on.stranger.get("/metrics")).text
    assert "parlour_store_known 0.0" in metrics


async def test_the_known_store_is_written_to(on: Stage, lossy: Lossy) -> None:
    ok(await register(on), 201)
    assert ok(await on.stranger.get("/health/writable"))["checks"]["known"] is True
    assert "parlour_store_known 1.0" in (await on.stranger.get("/metrics")).text
    await look(on)
    found = read_marks(lossy.home / "marks")
    assert found == known(on).marks()
    assert found is not None
    assert sum(mark.seq for mark in found.shards.values()) == 1


# --- a store that was set back ---


async def test_an_old_store_is_not_written_to(on: Stage, lossy: Lossy) -> None:
    lossy.mark()
    await look(on)
    shard = int(ok(await register(on), 201)["id"][1:3], 16)
    assert known(on).least(shard) == 1
    with structlog.testing.capture_logs() as lines:
        lossy.lose()
        # Nobody need have looked: the append itself refuses, in the shard that lacks something.
        while (answer := await _registered(on)).status_code == 201:
            assert int(answer.json()["id"][1:3], 16) != shard
        problem(answer, "store-behind")
        await look(on)
    told = [line for line in lines if line["event"] == "store_behind"]
    assert len(told) == 1
    await refused(on, "and 1 was known: the store has lost a part")


async def _registered(on: Stage) -> Any:
    """An answer of a store that may be just about to come back."""
    async with asyncio.timeout(PATIENCE_S):
        while "store-unavailable" in (answer := await register(on)).text:  # noqa: ASYNC110 (nobody could tell)
            await asyncio.sleep(0.01)
    return answer


async def test_a_process_that_starts_knows_what_others_have_seen(lossy: Lossy) -> None:
    async with there(lossy):
        lossy.mark()
    async with there(lossy) as on:
        ok(await register(on), 201)
    lossy.lose()
    with structlog.testing.capture_logs() as lines:
        async with there(lossy) as again:
            await refused(again, "the store has lost a part")
    assert [line["event"] for line in lines].count("store_behind") == 1


async def test_another_history_of_the_same_length_is_found(lossy: Lossy) -> None:
    async with there(lossy) as on:
        lossy.mark()
        await look(on)
        ok(await register(on), 201)
    lossy.lose()
    async with there(lossy, NO_MARKS) as careless:  # the control: where nobody looks it goes on
        shards: set[str] = set()
        while len(shards) < SHARDS:
            shards.add(ok(await register(careless), 201)["id"][:3])
    async with there(lossy) as again:
        await refused(again, "has another history at 1")


async def test_an_empty_store_under_old_marks_is_not_named_anew(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
    lossy.empty()
    async with there(lossy) as again:
        await refused(again, "the store has no name")
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        assert not [k for k in client.keys("*") if k.endswith((b"}:store", b"}:m"))]


async def test_a_store_that_is_emptied_is_not_written_to(on: Stage, lossy: Lossy) -> None:
    ok(await register(on), 201)
    lossy.empty()
    problem(await _registered(on), "store-behind")
    await look(on)
    await refused(on, "the store has no name")


async def test_another_store_is_not_written_to(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
    lossy.empty()
    async with there(lossy, "of another house") as other:
        ok(await register(other), 201)
    async with there(lossy) as again:
        await refused(again, "was known here")


async def test_a_store_that_comes_back_whole_is_written_to_again(on: Stage, lossy: Lossy) -> None:
    ok(await register(on), 201)
    lossy.mark()
    lossy.empty()
    await look(on)
    await refused(on, "the store has no name")
    lossy.lose()
    with structlog.testing.capture_logs() as lines:
        await look(on)
    assert "store_known_again" in [line["event"] for line in lines]
    ok(await register(on), 201)


async def test_where_nobody_looks_everything_is_accepted(lossy: Lossy) -> None:
    """The control: as it was before there were marks."""
    async with there(lossy, NO_MARKS) as on:
        lossy.mark()
        ok(await register(on), 201)
        lossy.lose()
        ok(await _registered(on), 201)
        assert (await on.stranger.get("/health/writable")).status_code == 200
    lossy.empty()
    async with there(lossy, NO_MARKS) as again:
        ok(await register(again), 201)


# --- settings that are not those of the store ---


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"shards": 8}, "the store has 4 shards, and the settings say 8"),
        ({"shards": 2}, "the store has 4 shards, and the settings say 2"),
        ({"keys": {"k1": Secret(b"2" * 32)}}, "the master secret 'k1' is not the one"),
        (
            {"keys": {"k2": Secret(b"2" * 32)}, "current_key": "k2", "naming_key": "k2"},
            "the settings lack the master secret 'k1'",
        ),
    ],
)
@pytest.mark.parametrize("marks", ["marks", NO_MARKS])
async def test_other_settings_do_not_start(
    lossy: Lossy, changes: dict[str, Any], why: str, marks: str
) -> None:
    async with there(lossy):
        pass
    folder = marks if marks == NO_MARKS else str(lossy.home / marks)
    settings = settings_for(lossy.store.url, marks=folder, **changes)
    with pytest.raises(StoreMismatchError, match=why):
        await require_own_store(settings, "api")


async def test_a_store_of_other_settings_is_neither_read_nor_written(
    on: Stage, lossy: Lossy
) -> None:
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        client.hset(on.service.app_context.tables.log.layout.identity(), "key:k1", "another")
    await look(on)
    await refused(on, "the master secret 'k1' is not the one")
    answer = await on.stranger.get("/health/ready")
    assert ok(answer, 503)["checks"]["settings"] is False


async def test_a_key_that_is_added_is_remembered(lossy: Lossy) -> None:
    more = {"k1": Secret(b"1" * 32), "k2": Secret(b"2" * 32)}
    async with there(lossy):
        pass
    async with there(lossy, keys=more) as on:
        ok(await register(on), 201)
    swapped = settings_for(lossy.store.url, keys=more | {"k2": Secret(b"3" * 32)})
    with pytest.raises(StoreMismatchError, match="'k2' is not the one"):
        await require_own_store(swapped, "api")


# --- who knows nothing ---


@asynccontextmanager
async def clock(lossy: Lossy) -> AsyncIterator[Callable[[], Any]]:
    """The clock's part of it: it looks when it is told to."""
    from events.clients import commands  # noqa: PLC0415 (here alone)

    client = commands(lossy.store.url)
    settings = settings_for(lossy.store.url, marks=str(lossy.home / "marks"))
    watch = StoreWatch(client, settings, "clock")
    try:
        await watch.begin()
        yield watch.look
    finally:
        await watch.close()
        await close_client(client)


async def test_who_knows_nothing_asks_the_clock_and_does_not_guess(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
    with structlog.testing.capture_logs() as lines:
        async with there(lossy, "a new machine", clocked=False) as on:
            await refused(on, UNMARKED)
            async with clock(lossy) as looks:
                await looks()
                await look(on)
                ok(await register(on), 201)
    assert "store_unmarked" in [line["event"] for line in lines]


async def test_what_the_clock_tells_counts(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
        lossy.mark()
    async with there(lossy) as on:
        for _ in range(12):
            ok(await register(on), 201)
    lossy.lose()
    async with there(lossy, "a new machine", clocked=False) as on, clock(lossy) as looks:
        await look(on)
        await looks()
        await look(on)
        await refused(on, "the store has lost a part")


async def test_an_answer_that_lies_in_the_store_is_none(lossy: Lossy) -> None:
    """What goes back with the store cannot say how far it had come."""
    async with there(lossy) as on:
        ok(await register(on), 201)
    async with there(lossy, "one", clocked=False) as first, clock(lossy) as looks:
        await looks()
        await look(first)
        ok(await register(first), 201)
    async with there(lossy, "two", clocked=False) as second:
        await look(second)
        await refused(second, UNMARKED)


@pytest.mark.parametrize("kind", ["api", "worker"])
async def test_only_the_clock_names_a_store(lossy: Lossy, kind: Kind) -> None:
    settings = settings_for(lossy.store.url, marks=str(lossy.home / "marks"))
    await require_own_store(settings, kind)
    assert names_in(lossy) == []
    await require_own_store(settings, "clock")
    assert len(names_in(lossy)) == 1 + SHARDS


def names_in(lossy: Lossy) -> list[bytes]:
    """The keys that say which store it is."""
    with redis.Redis.from_url(lossy.store.admin_url) as client:
        keys = cast("list[bytes]", client.keys("*"))
    return [key for key in keys if key.endswith((b"}:store", b"}:m"))]


async def test_a_process_that_comes_before_the_clock_waits_and_goes_on_by_itself(
    lossy: Lossy,
) -> None:
    with structlog.testing.capture_logs() as lines:
        async with there(lossy, "a new machine", clocked=False) as on:
            await refused(on, UNMARKED)
            answer = await register(on)
            assert "this process does not know yet" in problem(answer, "store-behind")["detail"]
            assert answer.headers["retry-after"] == "1"
            assert ok(await on.stranger.get("/health/ready"))["ready"] is True
            assert names_in(lossy) == []
            async with clock(lossy) as looks:
                async with asyncio.timeout(PATIENCE_S):
                    while known(on).trouble:  # it looks in the background
                        await looks()
            ok(await register(on), 201)
    told = [line["event"] for line in lines]
    assert told.count("store_unmarked") == 1
    assert told.count("store_known_again") == 1


async def test_an_emptied_store_is_named_by_nobody_who_has_not_asked(lossy: Lossy) -> None:
    """The loss of everything, on a machine without marks, while the clock knows better."""
    async with there(lossy) as on:
        ok(await register(on), 201)
    lossy.empty()
    async with there(lossy, "a new machine", clocked=False) as on, clock(lossy) as looks:
        await looks()
        await look(on)
        await looks()
        await look(on)
        await refused(on, "the store has no name")
    assert names_in(lossy) == []


async def test_a_store_that_lost_all_but_its_name_is_not_taken_for_a_new_one(lossy: Lossy) -> None:
    async with there(lossy) as on:
        lossy.mark()
        ok(await register(on), 201)
    lossy.lose()
    async with there(lossy, "a new machine", clocked=False) as on, clock(lossy) as looks:
        await refused(on, UNMARKED)
        await looks()
        await look(on)
        await refused(on, "the store has lost a part")


async def test_a_clock_without_marks_asks_nobody_and_takes_up_only_what_is_empty(
    lossy: Lossy,
) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
    shutil.rmtree(lossy.home / "marks")
    with structlog.testing.capture_logs() as lines:
        async with clock(lossy) as looks:
            await looks()
    told = [line["reason"] for line in lines if line["event"] == "store_unmarked"]
    assert told == [MARKS_LOST]


# --- the files ---


async def test_each_process_has_a_file_of_its_own(lossy: Lossy) -> None:
    async with there(lossy), there(lossy):
        names = sorted(path.name for path in (lossy.home / "marks").glob("*.json"))
        assert names == ["api-1.json", "api-2.json", "clock-1.json"]
    async with there(lossy):
        names = sorted(path.name for path in (lossy.home / "marks").glob("*.json"))
        assert names == ["api-1.json", "api-2.json", "clock-1.json"]
    for path in (lossy.home / "marks").iterdir():
        assert not path.stat().st_mode & 0o077


async def test_damaged_marks_are_no_marks(lossy: Lossy) -> None:
    async with there(lossy) as on:
        ok(await register(on), 201)
    (lossy.home / "marks" / "api-9.json").write_text("{")
    async with there(lossy) as again:
        await refused(again, "is damaged: these are no marks")


async def test_marks_are_written_when_there_is_something_new(
    on: Stage, lossy: Lossy, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Marks] = []
    write = MarkFile.write

    def counted(self: MarkFile, marks: Marks) -> None:
        written.append(marks)
        write(self, marks)

    monkeypatch.setattr(MarkFile, "write", counted)
    await look(on)
    written.clear()
    for _ in range(3):
        await look(on)
    assert written == []
    for _ in range(5):
        ok(await register(on), 201)
    await look(on)
    assert len(written) == 1
    said = json.loads((lossy.home / "marks" / "api-1.json").read_text())
    assert said["format"] == "parlour/marks/1"
    assert sum(mark["seq"] for mark in said["shards"].values()) == 5


async def test_marks_that_cannot_be_kept_are_told_of(
    on: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MarksError("no space left")

    monkeypatch.setattr(MarkFile, "write", full)
    ok(await register(on), 201)
    with structlog.testing.capture_logs() as lines:
        await look(on)
    assert {"event": "marks_not_kept", "reason": "no space left", "log_level": "error"} in lines
    ok(await register(on), 201)


def test_a_folder_that_cannot_be_written_is_told_of(lossy: Lossy) -> None:
    (lossy.home / "file").write_text("x")
    with pytest.raises(MarksError, match="cannot be written"):
        MarkFile(lossy.home / "file" / "marks", "api")


def test_marks_are_read_as_they_were_written(lossy: Lossy) -> None:
    assert read_marks(lossy.home / "nothing") is None
    marks = Marks("a", 7, {0: Mark(2, "two"), 255: Mark(1, "one")})
    file = MarkFile(lossy.home / "marks", "clock")
    file.write(marks)
    assert read_marks(lossy.home / "marks") == marks
    file.close()
