"""What a store has lost is put back where it was, byte for byte, or not at all."""

from __future__ import annotations

from typing import cast

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from events.clients import Client
from events.known import Known, Mark, Marks, StoreBehind
from events.log import Again, Appended, Damaged, StreamLog
from events.restoring import EarlierStream, Restoring
from events.unshipped import JournalEntry, Unshipped, link_after
from tests.events.bank import STREAM
from tests.events.lab import AT, batch, entries, grow
from tests.events.setting_back import Everything, everything, set_back

SHARD = 1
ACCOUNT = "p01-00000000000000000000000009"


class Loss:
    """Four batches of two streams that a store has lost, and what it held before and after."""

    def __init__(
        self, lost: list[JournalEntry], before: Everything, after: Everything, to: Restoring
    ) -> None:
        self.lost = lost
        self.before = before
        self.after = after
        self.to = to


@pytest.fixture
async def loss(log: StreamLog, client: Client) -> Loss:
    await grow(log, 3)
    before = await everything(client)
    log.unshipped = Unshipped()
    await log.append(batch(2, after=3, due=AT + 9))
    await log.append(batch(stream=ACCOUNT, entries=[(b"event 1", b"\x00secret")]))
    await log.append(batch(after=5, due="=", status="over"))
    await log.append(batch(2, after=1, stream=ACCOUNT))
    after = await everything(client)
    lost = list(log.unshipped.of(SHARD))
    log.unshipped = None
    await set_back(client, before)
    return Loss(lost, before, after, Restoring(client, log.layout))


async def test_what_was_lost_is_put_back_byte_for_byte(
    loss: Loss, client: Client, log: StreamLog
) -> None:
    assert await everything(client) == loss.before != loss.after
    for entry in loss.lost:
        assert await loss.to.restore(entry) is None
    assert await everything(client) == loss.after
    again = await log.append(batch(2, after=3, due=AT + 9))
    assert again == Again(4, entries(4, 5)), "a repeated command has its first answer"


async def test_twice_is_once(loss: Loss, client: Client) -> None:
    for entry in loss.lost:
        assert await loss.to.restore(entry) is None
        assert await loss.to.restore(entry) == entry.mark
    assert await everything(client) == loss.after


async def test_nothing_is_put_behind_a_gap(loss: Loss, client: Client) -> None:
    found = await loss.to.restore(loss.lost[1])
    assert found is not None
    assert found.seq == 3
    assert await everything(client) == loss.before


async def test_nothing_is_put_on_top_of_what_others_have_written(
    loss: Loss, client: Client, log: StreamLog
) -> None:
    await log.append(batch(after=0, stream="g01-b"))
    forked = await everything(client)
    for entry in loss.lost:
        found = await loss.to.restore(entry)
        assert found is not None
        assert found.seq == 4
    assert await everything(client) == forked
    # The control: an append that does not say where it belongs is taken anywhere.
    assert await log.append(batch(2, after=3, due=AT + 9)) == Appended(5, 5)


@pytest.mark.parametrize("altered", ["head", "stream", "link"])
async def test_a_batch_that_is_not_that_of_its_link_is_not_put_back(
    loss: Loss, client: Client, altered: str
) -> None:
    first = loss.lost[0]
    other = {
        "head": replace(first, head=b"x" * 32),
        "stream": replace(first, stream="g01-b"),
        "link": replace(first, link="0" * 16),
    }
    found = await loss.to.restore(other[altered])
    assert found is not None
    assert found.seq == 3
    assert await everything(client) == loss.before


async def test_a_stream_that_is_not_as_it_was_takes_nothing(
    loss: Loss, client: Client, log: StreamLog
) -> None:
    await cast("Redis", client).hset(log.layout.stream(STREAM).head, "head", b"x" * 32)
    before = await everything(client)
    with pytest.raises(Damaged, match="is at 3"):
        await loss.to.restore(loss.lost[0])
    assert await everything(client) == before


async def test_another_store_takes_nothing(loss: Loss, client: Client, log: StreamLog) -> None:
    known = Known()
    known.learn(Marks("another", 1, {}))
    with pytest.raises(StoreBehind):
        await Restoring(client, log.layout, known).restore(loss.lost[0])
    assert await everything(client) == loss.before


async def test_links_are_those_of_the_script(loss: Loss) -> None:
    at = await loss.to.link_at(SHARD, 3)
    assert at is not None
    for entry in loss.lost:
        at = link_after(at, entry.stream, entry.version, entry.head)
        assert at == entry.link
    assert await loss.to.link_at(SHARD, 9) is None
    assert await loss.to.link_at(SHARD, 0) == ""


def earlier(lost: list[JournalEntry]) -> list[EarlierStream]:
    """Where the two streams stood before the four batches."""
    later = {
        stream: [each.command_id for each in lost if each.stream == stream]
        for stream in (STREAM, ACCOUNT)
    }
    stood = EarlierStream(STREAM, 3, lost[0].previous, "live", "-", later[STREAM])
    return [stood, EarlierStream(ACCOUNT, 0, b"", "", "-", later[ACCOUNT])]


async def test_a_shard_is_set_back_to_what_it_was_byte_for_byte(loss: Loss, client: Client) -> None:
    common, _ = await loss.to.feed_end(SHARD)
    for each in loss.lost:
        await loss.to.restore(each)
    assert await everything(client) == loss.after, "the control"
    end = loss.lost[-1].mark
    await loss.to.set_back(SHARD, end, common, earlier(loss.lost), 2)
    assert await everything(client) == loss.before
    for each in loss.lost:
        assert await loss.to.restore(each) is None
    assert await everything(client) == loss.after, "it goes on as it did"


@pytest.mark.parametrize(
    ("wrong", "error", "what"),
    [
        ("end", StoreBehind, "has moved to 7: stop what writes"),
        ("common", Damaged, "has another entry 3"),
        ("stream", Damaged, "lacks events"),
    ],
)
async def test_what_is_not_as_it_was_seen_is_not_set_back(
    loss: Loss, client: Client, wrong: str, error: type[Exception], what: str
) -> None:
    common, _ = await loss.to.feed_end(SHARD)
    for each in loss.lost:
        await loss.to.restore(each)
    end, streams = loss.lost[-1].mark, earlier(loss.lost)
    match wrong:
        case "end":
            end = loss.lost[-2].mark
        case "common":
            common = Mark(3, "f" * 16)
        case _:
            streams[0] = replace(streams[0], version=9)
    with pytest.raises(error, match=what):
        await loss.to.set_back(SHARD, end, common, streams, 2)
    assert await everything(client) == loss.after


async def test_where_a_feed_ends_and_what_is_shipped(
    loss: Loss, client: Client, log: StreamLog
) -> None:
    end, shipped = await loss.to.feed_end(SHARD)
    assert (end.seq, shipped) == (3, Mark(0))
    await cast("Redis", client).hset(log.layout.meta(SHARD), "shipped", "2 abc")
    assert (await loss.to.feed_end(SHARD))[1] == Mark(2, "abc")


def entry(seq: int, shard: int = SHARD, size: int = 0) -> JournalEntry:
    event: list[tuple[bytes, bytes | None]] = [(b"x" * size, None)]
    return JournalEntry(shard, seq, f"{seq}", "g", 0, b"", b"", "c", "d", "s", None, event)


def test_what_is_not_shipped_is_kept_in_the_order_of_the_feed() -> None:
    kept = Unshipped()
    for seq in (3, 1, 2, 2, 5):
        kept.keep(entry(seq))
    kept.keep(entry(1, shard=2))
    assert [each.seq for each in kept.of(SHARD)] == [1, 2, 3, 5]
    kept.forget(SHARD, 2)
    assert [each.seq for each in kept.of(SHARD)] == [3, 5]
    assert (kept.count, kept.shards) == (3, [1, 2])
    kept.forget(SHARD, 5)
    assert kept.shards == [2]


def test_no_more_is_kept_than_there_is_room_for() -> None:
    kept = Unshipped(most=10_000)
    for seq in range(1, 101):
        kept.keep(entry(seq, size=600))
    assert [each.seq for each in kept.of(SHARD)] == [*range(91, 101)]
    assert kept.dropped == 90
