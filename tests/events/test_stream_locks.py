"""Turns: one at a time, in order, and nobody's turn is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from events.stream_locks import StreamLocks


async def work(turns: StreamLocks, name: str, done: list[str], stream: str = "s") -> None:
    await turns.take(stream)
    try:
        done.append(f"{name} in")
        await asyncio.sleep(0)
        done.append(f"{name} out")
    finally:
        turns.give_back(stream)


async def test_one_at_a_time_first_come_first_served() -> None:
    turns, done = StreamLocks(), list[str]()
    await asyncio.gather(*(work(turns, name, done) for name in "abc"))
    assert done == ["a in", "a out", "b in", "b out", "c in", "c out"]
    assert len(turns) == 0, "nothing is kept of a stream that nobody works on"


async def test_streams_do_not_wait_for_one_another() -> None:
    turns, done = StreamLocks(), list[str]()
    await asyncio.gather(*(work(turns, name, done, name) for name in "ab"))
    assert done == ["a in", "b in", "a out", "b out"]


async def test_who_gives_up_waiting_is_passed_over() -> None:
    turns, done = StreamLocks(), list[str]()
    tasks = [asyncio.create_task(work(turns, name, done)) for name in "abc"]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert done == ["a in", "a out", "c in", "c out"]


async def test_a_turn_that_comes_with_the_cancellation_is_handed_on() -> None:
    turns, done = StreamLocks(), list[str]()
    await turns.take("s")
    given_up = asyncio.create_task(work(turns, "b", done))
    last = asyncio.create_task(work(turns, "c", done))
    await asyncio.sleep(0)
    turns.give_back("s")
    given_up.cancel()
    await asyncio.gather(given_up, last, return_exceptions=True)
    assert done == ["c in", "c out"]
    assert len(turns) == 0


async def test_a_pause_keeps_everybody_out_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, done, pauses = StreamLocks(), list[str](), list[tuple[float, Callable[[], None]]]()

    def later(seconds: float, callback: Callable[[str], None], stream: str) -> None:
        pauses.append((seconds, partial(callback, stream)))

    await turns.take("s")
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", later)
    turns.give_back("s", 0.01)
    waiting = asyncio.create_task(work(turns, "a", done))
    for _ in range(3):
        await asyncio.sleep(0)
    assert done == []
    [(seconds, end)] = pauses
    assert seconds == 0.01
    end()
    await waiting
    assert done == ["a in", "a out"]
