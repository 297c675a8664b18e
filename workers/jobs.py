"""How jobs travel: the queue and its wire form. RQ moves work, never truth or time.

Jobs are named functions with plain arguments, written as JSON; nothing is pickled. Losing the
queue loses nothing: the clock asks again, and at last does the work itself.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DuplicateJobError

from workers.patience import Ask

QUEUE: Final = "attend"
JOB_TIMEOUT_S: Final = 10
RESULT_TTL_S: Final = 60
FAILURE_TTL_S: Final = 24 * 3600
_SOCKET_S: Final = 2


class Wire:
    """RQ's serializer: JSON."""

    @staticmethod
    def dumps(value: Any) -> bytes:  # noqa: ANN401 (RQ's own records, and our plain arguments)
        """To bytes."""
        return msgspec.json.encode(value)

    @staticmethod
    def loads(content: bytes) -> Any:  # noqa: ANN401 (as dumps)
        """From bytes."""
        return msgspec.json.decode(content)


def queue_client(url: str, socket_timeout_s: float | None = _SOCKET_S) -> Redis:
    """A client for RQ alone: it sets time-outs on the pool that it is given."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), 0), socket_timeout=socket_timeout_s)


def queue_of(client: Redis) -> Queue:
    """The one queue of attendance jobs."""
    return Queue(QUEUE, connection=client, serializer=Wire)


def enqueue(queue: Queue, ask: Ask) -> bool:
    """Ask the workers; False: another clock has asked already.

    Raises:
        redis.RedisError: the queue's store does not answer.
    """
    try:
        queue.enqueue(
            "workers.attend.attend",
            ask.game,
            ask.attempt,
            job_id=ask.job,
            unique=True,
            description="attend",
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
            ttl=RESULT_TTL_S,
            job_timeout=JOB_TIMEOUT_S,
        )
    except DuplicateJobError:
        return False
    return True
