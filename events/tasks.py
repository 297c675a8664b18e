"""Running tasks side by side, and ending them reliably."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, Final

_PATIENCE_S: Final = 0.1


async def run_until_one_ends(work: Mapping[str, Coroutine[Any, Any, object]]) -> None:
    """Run everything side by side until the first of it ends, then end the rest.

    Args:
        work: what is run, by the names of the tasks.

    Raises:
        Exception: whatever the one that has ended has raised.
    """
    tasks = [asyncio.create_task(each, name=name) for name, each in work.items()]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await end_tasks(*tasks)


async def end_tasks(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they are done; each task logs its own failures.

    One cancellation is not enough: up to Python 3.11 ``asyncio.wait_for`` drops one that arrives
    while the awaited future is just done (python/cpython#86296), and redis-py sends through it.
    Whoever is cancelled while it waits here ends its tasks first, or they would go on for ever.
    """
    cancelled: asyncio.CancelledError | None = None
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        try:
            await asyncio.wait(pending, timeout=_PATIENCE_S)
        except asyncio.CancelledError as error:
            cancelled = error
    await asyncio.gather(*tasks, return_exceptions=True)
    if cancelled is not None:
        raise cancelled
