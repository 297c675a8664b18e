"""The queues and the wire form of jobs. RQ carries work, never truth or time.

A job covers a batch of games, because a job costs more than the work for one game. There are two
queues: ``advance``, for what is due, and ``bots``, for the house bots' remaining moves; workers
take from the second only when the first is empty, so no bot keeps a deadline waiting.

Jobs are named functions with plain arguments, written as JSON; nothing is pickled. Losing a queue
loses nothing: the clock asks again, and finally does the work itself.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DuplicateJobError

from workers.retry_policy import AskWorkers

ADVANCE: Final = "advance"
BOTS: Final = "bots"
BATCH_MAX: Final = 32
"""Most games in one job: few enough that several workers share what is due at once."""

JOB_TIMEOUT_S: Final = 10
RESULT_TTL_S: Final = 60
FAILURE_TTL_S: Final = 24 * 3600
_SOCKET_S: Final = 2
_ID_CHARS: Final = 32


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


class Batch(Struct, frozen=True):
    """A job: its id (letters, digits, ``-``) and its games."""

    job: str
    games: tuple[str, ...]


def batches(asks: Sequence[AskWorkers]) -> list[Batch]:
    """The jobs for games that are due; the same asks give the same jobs in every process."""
    return [_batch(asks[start : start + BATCH_MAX]) for start in range(0, len(asks), BATCH_MAX)]


def _batch(asks: Sequence[AskWorkers]) -> Batch:
    names = " ".join(f"{ask.game}@{ask.at}#{ask.attempt}" for ask in asks)
    digest = hashlib.sha256(names.encode()).hexdigest()[:_ID_CHARS]
    return Batch(f"advance-{digest}", tuple(ask.game for ask in asks))


def queue_client(url: str, socket_timeout_s: float | None = _SOCKET_S) -> Redis:
    """A client for RQ alone, which changes the time-outs of the pool that it is given."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), 0), socket_timeout=socket_timeout_s)


def queue_of(client: Redis, name: str = ADVANCE) -> Queue:
    """A queue."""
    return Queue(name, connection=client, serializer=Wire)


def queues_of(client: Redis) -> list[Queue]:
    """All queues, in the order in which workers look at them."""
    return [queue_of(client, name) for name in (ADVANCE, BOTS)]


def enqueue(queue: Queue, batch: Batch) -> bool:
    """Ask the workers; returns False if another clock has already asked.

    Raises:
        redis.RedisError: the queue's store does not answer.
    """
    return _enqueue(queue, "workers.advance.advance", batch.games, batch.job)


def enqueue_bots(queue: Queue, games: Iterable[str]) -> bool:
    """Queue games whose house bots have more to do.

    Raises:
        redis.RedisError: the queue's store does not answer.
    """
    return _enqueue(queue, "workers.advance.play", tuple(games), f"bots-{secrets.token_hex(12)}")


def _enqueue(queue: Queue, function: str, games: tuple[str, ...], job: str) -> bool:
    try:
        queue.enqueue(
            function,
            games,
            job_id=job,
            unique=True,
            description=function.rpartition(".")[2],
            result_ttl=RESULT_TTL_S,
            failure_ttl=FAILURE_TTL_S,
            ttl=RESULT_TTL_S,
            job_timeout=JOB_TIMEOUT_S,
        )
    except DuplicateJobError:
        return False
    return True
