"""Ending tasks."""

from __future__ import annotations

import asyncio

from events.tasks import end_tasks


async def test_a_task_that_swallows_its_first_cancellations_ends_all_the_same() -> None:
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1
                if swallowed == 3:
                    raise

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end_tasks(task)
    assert task.cancelled()
    assert swallowed == 3


async def test_tasks_that_are_done_or_have_failed_are_no_trouble() -> None:
    async def fail() -> None:
        raise ValueError("planted")

    failed, done = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await asyncio.wait([failed, done])
    await end_tasks(failed, done)
    await end_tasks()
