"""Every branch of the scripts, against the store itself."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from events.clients import Client
from events.known import Known, Mark, Marks, StoreBehind
from events.layout import BadStreamIdError
from events.log import (
    Again,
    Appended,
    Damaged,
    KeyReused,
    StreamHead,
    StreamLog,
    StreamTail,
    VersionConflict,
)
from events.scripts import LogUnavailable
from events.timers import DueStream, ShardDue
from tests.conftest import Sometimes
from tests.events.bank import OTHER, STREAM
from tests.events.lab import AT, batch, entries, grow, head_at
from tests.events.setting_back import everything
from tests.naming import STORE


async def test_an_append_is_all_there(log: StreamLog, admin: Client) -> None:
    before = await everything(admin)
    written = batch(2, entries=[(b"one", b"\x00private"), (b"two", None)], due=AT + 5)
    assert await log.append(written) == Appended(2, 1)
    assert await log.head(STREAM) == StreamHead(2, written.head, "live")
    first, second = await log.read(STREAM)
    assert (first.version, first.public, first.private) == (1, b"one", b"\x00private")
    assert (second.version, second.public, second.private) == (2, b"two", None)
    (due,) = await log.due(1, AT + 5, 10)
    assert (due.stream, due.at) == (STREAM, AT + 5)
    (pointer,) = await log.feed(1, 0, 10)
    assert (pointer.seq, pointer.stream, pointer.version, pointer.count) == (1, STREAM, 2, 2)
    keys = log.layout.stream(STREAM)
    assert await cast("Any", admin).hget(keys.commands, "command-0") == b"digest:1:2:1"
    assert len((await everything(admin)).keys() - before.keys()) == 5, "beside the shard's meta"


async def test_streams_go_on_side_by_side(log: StreamLog) -> None:
    third = "g01-00000000000000000000000003"
    assert await log.append(batch()) == Appended(1, 1)
    assert await log.append(batch(stream=OTHER)) == Appended(1, 1), "another shard, another feed"
    assert await log.append(batch(stream=third)) == Appended(1, 2), "same shard, same feed"
    assert await log.append(batch(3, after=1)) == Appended(4, 3)
    assert await log.read(STREAM) == entries(1, 4)
    assert await log.read(OTHER) == entries(1, 1)


async def test_the_same_batch_twice_is_there_once(log: StreamLog, admin: Client) -> None:
    await log.append(batch(2))
    before = await everything(admin)
    assert await log.append(batch(2)) == Again(1, entries(1, 2))
    assert await everything(admin) == before


async def test_a_doubled_request_at_once_is_there_once(log: StreamLog) -> None:
    answers = await asyncio.gather(*(log.append(batch(2)) for _ in range(8)))
    assert answers.count(Again(1, entries(1, 2))) == 7
    assert answers.count(Appended(2, 1)) == 1
    assert await log.read(STREAM) == entries(1, 2)


async def test_a_repeat_after_others_gets_the_first_answer(log: StreamLog) -> None:
    await grow(log, 5)
    assert await log.append(batch(after=1)) == Again(2, entries(2, 2))


async def test_a_reused_command_id_is_refused(log: StreamLog, admin: Client) -> None:
    await log.append(batch())
    before = await everything(admin)
    with pytest.raises(KeyReused):
        await log.append(batch(after=1, command_id="command-0", digest="other"))
    with pytest.raises(KeyReused):
        await log.answered(STREAM, "command-0", "other", 1)
    assert await everything(admin) == before


async def test_a_conflict_brings_what_is_missing(log: StreamLog, admin: Client) -> None:
    await grow(log, 5)
    before = await everything(admin)
    with pytest.raises(VersionConflict) as caught:
        await log.append(batch(after=2, command_id="late"))
    conflict = caught.value
    assert (conflict.version, conflict.head) == (5, head_at(STREAM, 5))
    assert conflict.entries == entries(3, 5)
    assert await everything(admin) == before, "nothing is written"


async def test_a_long_conflict_brings_256_entries(log: StreamLog) -> None:
    await log.append(batch(300))
    with pytest.raises(VersionConflict) as caught:
        await log.append(batch(after=2, command_id="late"))
    assert caught.value.version == 300
    assert caught.value.entries == entries(3, 258)


async def test_a_stream_that_is_behind_or_another_is_a_conflict(log: StreamLog) -> None:
    await grow(log, 2)
    with pytest.raises(VersionConflict) as behind:
        await log.append(batch(after=5))
    assert (behind.value.version, behind.value.entries) == (2, [])
    with pytest.raises(VersionConflict) as forked:
        await log.append(batch(after=2, previous=b"x" * 32))
    assert (forked.value.version, forked.value.entries) == (2, [])
    assert forked.value.head == head_at(STREAM, 2)


async def test_a_stream_cannot_be_opened_twice(log: StreamLog) -> None:
    await log.append(batch())
    with pytest.raises(VersionConflict) as caught:
        await log.append(batch(command_id="another"))
    assert caught.value.entries == entries(1, 1)


@pytest.mark.parametrize("entry", [b"1-0", b"2-0", b"3-0"])
async def test_a_removed_entry_is_found(
    log: StreamLog, admin: Client, entry: bytes, sometimes: Sometimes
) -> None:
    await grow(log, 3)
    removed = await cast("Any", admin).xdel(log.layout.stream(STREAM).entries, entry)
    sometimes("entries removed", removed)
    before = await everything(admin)
    with pytest.raises(Damaged, match="2 entries"):
        await log.append(batch(after=3))
    assert await everything(admin) == before
    with pytest.raises(Damaged):
        await log.tail(STREAM, 0)
    if entry != b"3-0":
        with pytest.raises(Damaged):
            await log.read(STREAM)


async def test_a_removed_stream_is_found(log: StreamLog, admin: Client) -> None:
    await grow(log, 3)
    keys = log.layout.stream(STREAM)
    await cast("Any", admin).delete(keys.entries)
    with pytest.raises(Damaged, match="0 entries"):
        await log.append(batch(after=3))


async def test_a_forged_entry_is_found(log: StreamLog, admin: Client) -> None:
    await grow(log, 3)
    await cast("Any", admin).xadd(log.layout.stream(STREAM).entries, {"e": "forged"}, id="4-0")
    with pytest.raises(Damaged, match="4 entries"):
        await log.append(batch(after=3))


async def test_a_moved_last_id_is_found_before_anything_is_written(
    log: StreamLog, admin: Client
) -> None:
    await grow(log, 3)
    raw = cast("Any", admin)
    await raw.execute_command("XSETID", log.layout.stream(STREAM).entries, "9-0")
    before = await everything(admin)
    with pytest.raises(Damaged, match="equal or smaller"):
        await log.append(batch(2, after=3))
    assert await everything(admin) == before


async def test_a_feed_out_of_step_is_found(log: StreamLog, admin: Client) -> None:
    await grow(log, 3)
    raw = cast("Any", admin)
    await raw.hset(log.layout.meta(1), "seq", 2)
    before = await everything(admin)
    with pytest.raises(Damaged, match="feed ends at 3-0"):
        await log.append(batch(after=3))
    assert await everything(admin) == before


async def test_a_trimmed_feed_goes_on(log: StreamLog, admin: Client) -> None:
    await grow(log, 3)
    raw = cast("Any", admin)
    await raw.xtrim(log.layout.feed(1), maxlen=0, approximate=False)
    assert await log.append(batch(after=3)) == Appended(4, 4)


@pytest.mark.parametrize("name", ["head", "entries", "commands", "due", "meta", "feed"])
async def test_a_key_of_the_wrong_type_stops_everything(
    log: StreamLog, admin: Client, name: str
) -> None:
    await grow(log, 3)
    await cast("Any", admin).set(getattr(log.layout.stream(STREAM), name), "odd")
    before = await everything(admin)
    with pytest.raises(LogUnavailable, match="WRONGTYPE"):
        await log.append(batch(after=3))
    assert await everything(admin) == before


async def test_deadlines_are_set_kept_moved_and_removed(log: StreamLog) -> None:
    await log.append(batch(due=AT + 50))
    assert await log.next_due() == AT + 50
    await log.append(batch(after=1, due="="))
    assert await log.next_due() == AT + 50
    await log.append(batch(after=2, due=AT + 20))
    await log.append(batch(stream=OTHER, due=AT + 10))
    assert await log.next_due() == AT + 10
    ours, others = DueStream(AT + 20, STREAM), DueStream(AT + 10, OTHER)
    for now, expected in (
        (
            AT + 20,
            {1: ShardDue((ours,), None), 2: ShardDue((others,), None), 3: ShardDue((), None)},
        ),
        (AT + 19, {1: ShardDue((), AT + 20), 2: ShardDue((others,), None), 3: ShardDue((), None)}),
    ):
        assert await log.timers.look([1, 2, 3], now, 9) == expected
    assert await log.due(1, AT + 19, 9) == []
    await log.append(batch(after=3, due=None))
    await log.append(batch(stream=OTHER, after=1, due=None))
    assert await log.next_due() is None


async def test_the_longest_overdue_come_first(log: StreamLog) -> None:
    for i in range(5):
        await log.append(batch(stream=f"g01-{i}", due=AT - i))
    assert [due.stream for due in await log.due(1, AT, 2)] == ["g01-4", "g01-3"]
    found = (await log.timers.look([1], AT - 2, 9))[1]
    assert [due.stream for due in found.due] == ["g01-4", "g01-3", "g01-2"]
    assert found.following == AT - 1
    full = (await log.timers.look([1], AT - 2, 2))[1]
    assert full.following == AT - 3, "a time that has come: there is more"


async def test_a_script_the_store_forgot_is_sent_again(log: StreamLog, admin: Client) -> None:
    await grow(log, 2)
    await cast("Any", admin).script_flush()
    assert await log.append(batch(after=2)) == Appended(3, 3)
    await cast("Any", admin).script_flush()
    assert (await log.tail(STREAM, 0)).entries == entries(1, 3)
    await cast("Any", admin).script_flush()
    calls = [log.append(batch(after=3)), log.append(batch(stream=OTHER))]
    assert await asyncio.gather(*calls) == [Appended(4, 4), Appended(1, 1)], "a pipeline, too"


async def test_a_rejected_command_learns_of_itself_or_of_the_tail(log: StreamLog) -> None:
    await grow(log, 5)
    head = head_at(STREAM, 5)
    assert await log.answered(STREAM, "command-1", "digest", 5) == Again(2, entries(2, 2))
    assert await log.answered(STREAM, "new", "digest", 3) == StreamTail(
        5, head, "live", entries(4, 5)
    )
    assert await log.answered(STREAM, "new", "digest", 5) == StreamTail(5, head, "live", [])
    assert await log.answered(STREAM, "new", "digest", 9) == StreamTail(5, head, "live", [])
    assert await log.tail(STREAM, 1, limit=2) == StreamTail(5, head, "live", entries(2, 3))
    assert await log.tail(OTHER, 0) == StreamTail(0, b"", "", [])


async def test_reading_by_pages(log: StreamLog) -> None:
    await log.append(batch(2500))
    assert await log.read(STREAM) == entries(1, 2500)
    assert await log.read(STREAM, after=1200) == entries(1201, 2500)
    assert await log.read(STREAM, after=3, limit=2) == entries(4, 5)
    assert await log.read(STREAM, after=100, limit=1500) == entries(101, 1600)
    assert await log.read(STREAM, limit=0) == []
    assert await log.read(STREAM, after=2500) == []
    assert await log.read(OTHER) == []
    assert await log.head(OTHER) is None


async def test_prefixes_do_not_see_one_another(client: Client) -> None:
    one, two = StreamLog(client, client, 4, "one:"), StreamLog(client, client, 4, "two:")
    await one.append(batch(2))
    assert await two.append(batch()) == Appended(1, 1)
    assert await one.read(STREAM) == entries(1, 2)


async def test_what_cannot_be_appended_is_not_sent(log: StreamLog) -> None:
    with pytest.raises(ValueError, match="events"):
        await log.append(batch(0))
    with pytest.raises(ValueError, match="colon"):
        await log.append(batch(digest="a:b"))
    with pytest.raises(BadStreamIdError):
        await log.append(batch(stream="g09-a"))


async def test_many_at_once_all_get_their_own_answer(log: StreamLog) -> None:
    streams = [f"g{i % 4:02x}-{i}" for i in range(200)]
    answers = await asyncio.gather(
        *(log.append(batch(i % 3 + 1, stream=stream)) for i, stream in enumerate(streams))
    )
    for i, (stream, answer) in enumerate(zip(streams, answers, strict=True)):
        assert isinstance(answer, Appended)
        assert answer.version == i % 3 + 1
        assert await log.read(stream) == entries(1, i % 3 + 1)


async def test_who_does_not_wait_any_more_disturbs_nobody(log: StreamLog) -> None:
    given_up = asyncio.create_task(log.append(batch()))
    other = asyncio.create_task(log.append(batch(stream=OTHER)))
    await asyncio.sleep(0)
    given_up.cancel()
    assert await other == Appended(1, 1)
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert await log.append(batch()) == Again(1, entries(1, 1)), "it was under way"


async def test_a_store_that_is_gone_is_told(log: StreamLog) -> None:
    nowhere = Redis.from_url("unix:///nowhere/store.sock")
    lost = StreamLog(nowhere, nowhere, 4)
    for call in (
        lost.append(batch()),
        lost.tail(STREAM, 0),
        lost.read(STREAM),
        lost.head(STREAM),
        lost.next_due(),
        lost.feed(1, 0, 1),
        lost.feed_ends(),
    ):
        with pytest.raises(LogUnavailable):
            await call
    with pytest.raises(LogUnavailable):
        await asyncio.gather(*(lost.append(batch(stream=f"g01-{i}")) for i in range(3)))
    with pytest.raises(LogUnavailable):
        await anext(lost.follow({1: 0}))
    assert await log.append(batch()) == Appended(1, 1)


async def test_a_full_store_takes_nothing_and_says_so(log: StreamLog, admin: Client) -> None:
    await grow(log, 2)
    raw = cast("Any", admin)
    before = await everything(admin)
    await raw.config_set("maxmemory", 1)
    try:
        with pytest.raises(LogUnavailable, match="memory"):
            await log.append(batch(3, after=2))
        assert await log.read(STREAM) == entries(1, 2), "reading goes on"
        assert (await log.tail(STREAM, 0)).version == 2
    finally:
        await raw.config_set("maxmemory", 0)
    assert await everything(admin) == before
    with pytest.raises(RedisError):
        await raw.execute_command("XADD", "x")


# --- the store that is known ---


async def test_an_append_links_all_that_its_shard_holds(log: StreamLog, admin: Client) -> None:
    raw = cast("Any", admin)
    links = []
    for after, stream in ((0, STREAM), (0, "g01-00000000000000000000000003"), (1, STREAM)):
        await log.append(batch(after=after, stream=stream, command_id=f"{stream} {after}"))
        links.append(await raw.hget(log.layout.meta(1), "chain"))
    assert len(set(links)) == 3
    assert [fields[b"h"] for _, fields in await raw.xrange(log.layout.feed(1))] == links
    assert all(len(link) == 16 for link in links)


@pytest.mark.parametrize(
    ("known", "epoch", "seq"),
    [(STORE, 1, 4), ("another", 1, 0), (STORE, 2, 0), (STORE, 0, 0)],
)
async def test_a_store_that_is_not_the_known_one_takes_nothing(
    log: StreamLog, admin: Client, known: str, epoch: int, seq: int
) -> None:
    await grow(log, 3)
    before = await everything(admin)
    log.known = Known()
    log.known.learn(Marks(known, epoch, {1: Mark(seq)}))
    log.known.trouble = ""
    with pytest.raises(StoreBehind, match="ends at 3"):
        await log.append(batch(after=3))
    assert await everything(admin) == before


async def test_the_known_store_takes_what_follows(log: StreamLog) -> None:
    """The control; and what was appended is known from then on."""
    await grow(log, 3)
    log.known = Known()
    log.known.learn(Marks(STORE, 1, {1: Mark(3)}))
    log.known.trouble = ""
    assert await log.append(batch(after=3)) == Appended(4, 4)
    assert log.known.least(1) == 4


@pytest.mark.parametrize("seq", [2, 3])
async def test_a_store_with_another_history_takes_nothing(
    log: StreamLog, client: Client, seq: int
) -> None:
    """It is as long as it was, or longer: only the link tells that others have rewritten it."""
    await grow(log, 3)
    before, raw = await everything(client), cast("Any", client)
    ((_, fields),) = await raw.xrange(log.layout.feed(1), f"{seq}-0", f"{seq}-0")
    log.known = Known()
    log.known.learn(Marks(STORE, 1, {1: Mark(seq, "0123456789abcdef")}))
    log.known.trouble = ""
    with pytest.raises(StoreBehind, match=f"another history at {seq}"):
        await log.append(batch(after=3))
    assert await everything(client) == before
    log.known = Known()
    log.known.learn(Marks(STORE, 1, {1: Mark(seq, fields[b"h"].decode())}))
    log.known.trouble = ""
    assert await log.append(batch(after=3)) == Appended(4, 4), "the control"


async def test_an_entry_that_was_trimmed_proves_nothing(log: StreamLog, admin: Client) -> None:
    await grow(log, 3)
    await cast("Any", admin).xtrim(log.layout.feed(1), minid="3-0", approximate=False)
    log.known = Known()
    log.known.learn(Marks(STORE, 1, {1: Mark(2, "0123456789abcdef")}))
    log.known.trouble = ""
    assert await log.append(batch(after=3)) == Appended(4, 4)


async def test_a_repetition_is_answered_by_any_store(log: StreamLog) -> None:
    await log.append(batch())
    log.known = Known()
    log.known.learn(Marks("another", 1, {}))
    assert isinstance(await log.append(batch()), Again)


async def test_a_batch_of_an_account_is_in_both_feeds(log: StreamLog, admin: Client) -> None:
    ann, raw, key = "p01-a", cast("Any", admin), log.layout.account_feed(1)
    await log.append(batch())
    assert not await raw.exists(key)
    await log.append(batch(2, stream=ann))
    await log.append(batch(stream=ann, after=2))
    assert [(p.seq, p.version) for p in await log.feed(1, 0, 9) if p.stream == ann] == [
        (2, 2),
        (3, 3),
    ]
    assert [(p.seq, p.version, p.count) for p in await log.accounts.read(1, 0, 9)] == [
        (1, 2, 2),
        (2, 3, 1),
    ]
    await raw.xadd(key, {"g": "x"}, "9-0")
    with pytest.raises(Damaged, match="the feed of accounts ends at 9-0"):
        await log.append(batch(stream=ann, after=3))
    assert await log.append(batch(after=1)) == Appended(2, 4), "games go on"
