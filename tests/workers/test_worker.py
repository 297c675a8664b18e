"""The worker process, as far as it is ours and not RQ's."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from workers.jobs import Wire, queue_client, queues_of
from workers.worker import _Worker


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """RQ leaves its signal handlers behind."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("came", [True, False])
def test_a_signal_that_came_while_rq_was_starting_is_heeded(store_url: str, *, came: bool) -> None:
    with queue_client(store_url) as client:
        worker = _Worker(queues_of(client), connection=client, serializer=Wire)
        worker.stopping = threading.Event()
        if came:
            worker.stopping.set()
        asked: list[object] = []
        worker.dequeue_job_and_maintain_ttl = lambda *given: asked.append(given)  # type: ignore[method-assign]
        worker.work(logging_level=None)
        assert bool(asked) is not came, "it waits for jobs only if it is to go on"
