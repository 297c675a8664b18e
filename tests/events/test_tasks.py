"""Running tasks side by side, and ending them."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from events.tasks import end_tasks, run_until_one_ends


async def stubborn() -> None:
    """Swallow two cancellations."""
    for _ in range(2):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    await asyncio.Event().wait()


async def test_a_task_that_swallows_its_first_cancellations_ends_all_the_same() -> None:
    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end_tasks(task)
    assert task.cancelled()


async def test_who_is_cancelled_while_it_ends_tasks_leaves_none_behind() -> None:
    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    ending = asyncio.create_task(end_tasks(task))
    await asyncio.sleep(0)
    ending.cancel()
    await asyncio.wait([ending])
    assert ending.cancelled()
    assert task.cancelled()


async def test_tasks_that_are_done_or_have_failed_are_no_trouble() -> None:
    async def fail() -> None:
        raise ValueError("planted")

    failed, done = asyncio.create_task(fail()), asyncio.create_task(asyncio.sleep(0))
    await asyncio.wait([failed, done])
    await end_tasks(failed, done)
    await end_tasks()


async def test_what_runs_beside_the_first_to_end_is_ended_with_it() -> None:
    others: list[asyncio.Task[object] | None] = []

    async def other() -> None:
        others.append(asyncio.current_task())
        await stubborn()

    await run_until_one_ends({"first": asyncio.sleep(0), "other": other()})
    [task] = others
    assert task is not None
    assert task.get_name() == "other"
    assert task.cancelled()


async def test_the_failure_of_the_first_to_end_is_raised() -> None:
    async def fail() -> None:
        raise ValueError("planted")

    with pytest.raises(ValueError, match="planted"):
        await run_until_one_ends({"bad": fail(), "other": asyncio.Event().wait()})
