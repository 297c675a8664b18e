"""What a stream is sent at once, and what waits its turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from runtime.send_queue import SendQueue


class Sender:
    """Sends a queue's items as a stream does, and can be told to take none at once."""

    def __init__(self) -> None:
        self.queue: SendQueue[str] = SendQueue(10)
        self.queue.send_now = self._send_now
        self.takes = True
        self.sent: list[str] = []
        self.at_once: list[str] = []
        self.asked = 0

    def _send_now(self, item: str) -> bool:
        self.asked += 1
        if self.takes:
            self.at_once.append(item)
            self.sent.append(item)
        return self.takes

    async def run(self) -> None:
        """Send what waits."""
        while not self.queue.lost:
            item = await self.queue.next()
            if item is not None:
                self.sent.append(item)
            self.queue.doubted = False
            self.queue.beats = 0


@pytest.fixture
async def sender() -> AsyncIterator[Sender]:
    made = Sender()
    running = asyncio.create_task(made.run())
    await asyncio.sleep(0)
    yield made
    running.cancel()


async def turns() -> None:
    """Let everybody go on until all wait."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_waits_is_sent_it_at_once(sender: Sender) -> None:
    sender.queue.push("a")
    sender.queue.push("b")
    assert sender.sent == ["a", "b"]


async def test_what_cannot_be_sent_at_once_waits_and_all_behind_it(sender: Sender) -> None:
    sender.takes = False
    sender.queue.push("a")
    sender.takes = True
    sender.queue.push("b")
    assert sender.sent == []
    await turns()
    assert sender.sent == ["a", "b"]
    assert sender.at_once == []
    sender.queue.push("c")
    assert sender.at_once == ["c"]


async def test_nobody_is_sent_anything_past_a_doubt(sender: Sender) -> None:
    sender.queue.doubt()
    sender.queue.push("a")
    assert sender.sent == []
    await turns()
    assert sender.sent == ["a"]
    assert sender.at_once == []


async def test_a_heartbeat_that_is_due_comes_first(sender: Sender) -> None:
    sender.queue.beat()
    sender.queue.push("a")
    assert sender.at_once == []
    await turns()
    assert sender.sent == ["a"]


async def test_more_than_may_wait_is_not_sent_at_once(sender: Sender) -> None:
    sender.queue.push("a", 11)
    assert sender.queue.lost
    assert sender.asked == 0


async def test_before_it_waits_nothing_is_sent_at_once() -> None:
    sender = Sender()
    sender.queue.push("a")
    assert sender.asked == 0
    assert await sender.queue.next() == "a"
    sender.queue.push("b")  # what came before may be under way still
    assert sender.asked == 0


async def test_one_that_has_been_left_is_sent_nothing_at_once() -> None:
    sender = Sender()
    waiting = asyncio.create_task(sender.queue.next())
    await turns()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    sender.queue.push("a")
    assert sender.asked == 0
