"""Calls that are answered only when a replica has them on its disk as well, or was given its time.

``WAITAOF`` waits for what the same connection has written before, so it follows the calls on
theirs: once for all calls of a pipeline, since replication keeps their order. It is sent after
their answers have come. In one packet with them, it would ask the replica before that has its disk
written; the replica would then say so once and say nothing new for up to a second. For the same
reason a silent replica is asked again after a moment.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ResponseError,
    SlotNotCoveredError,
    TryAgainError,
)
from redis.exceptions import TimeoutError as NoAnswerInTime

from events.clients import NO_ANSWER
from events.logger import get_logger
from events.scripts import Call, Caller, hand_over, next_answer, send

WAIT_MS: Final = 250
"""How long a call waits for a replica, in milliseconds; a resting store may take 100 more to say
that the time is over."""

_ASK_AGAIN_MS: Final = 20
_ELSEWHERE: Final = (AskError, TryAgainError, ClusterDownError)
"""Refusals (``MOVED`` is an ``ASK``) of a node that has done nothing."""

_log = get_logger(__name__)


class Confirmed(NamedTuple):
    """An answer, and whether all that was written until then is on the disk of a replica."""

    answer: Any
    replicated: bool


class ConfirmingCaller(Caller):
    """As ``Caller``, for scripts that write; each answer is a ``Confirmed``.

    An answer that has come is never lost: if the connection ends while a replica is waited for, it
    is not replicated as far as is known.
    """

    async def _exchange(self, connection: AbstractConnection, calls: Sequence[Call]) -> list[Call]:
        unknown: list[Call] = []
        answers: list[object] = []
        replicated = False
        try:
            await send(connection, calls)
            for _ in calls:
                answers.append(await next_answer(connection))  # noqa: PERF401 (they may break off)
            replicated = await _is_replicated(connection)
        finally:
            for call, answer in zip(calls, answers, strict=False):
                if not hand_over(call, _confirmed(answer, replicated=replicated)):
                    unknown.append(call)
        return unknown

    async def _alone(self, call: Call) -> object:
        """On a cluster: over a connection to the node that has the script's first key."""
        client = self._client
        if isinstance(client, Redis):
            raise TypeError("a single store is spoken to in pipelines")
        await client.initialize()
        try:
            return await self._on_node(client, call)
        except _ELSEWHERE:
            return _confirmed(await super()._alone(call), replicated=False)
        except ResponseError as refusal:
            return refusal

    async def _on_node(self, client: RedisCluster, call: Call) -> Confirmed:
        """The answer of the node that should have the call's first key.

        Raises:
            ResponseError: it refuses.
            RedisError: it does not answer, or nobody has the key.
        """
        key = str(call.words[3])  # after EVALSHA, the script's hash and the number of keys
        node = client.get_node_from_key(key)
        if node is None:
            raise SlotNotCoveredError(f"nobody has the slot of {key}")
        connection = node.acquire_connection()
        answer: object = None
        try:
            await node.disconnect_if_needed(connection)
            async with asyncio.timeout(connection.socket_timeout):
                await send(connection, [call])
                answer = await connection.read_response(timeout=math.inf)
                return Confirmed(answer, await _is_replicated(connection))
        except ResponseError:
            raise
        except (*NO_ANSWER, TimeoutError) as error:
            await connection.disconnect(nowait=True)
            await _look_anew(client, key)
            if answer is not None:
                return Confirmed(answer, replicated=False)
            raise NoAnswerInTime(str(error) or type(error).__name__) from error
        except BaseException:
            await connection.disconnect(nowait=True)  # answers may still be in flight
            raise
        finally:
            node.release(connection)


def _confirmed(answer: object, *, replicated: bool) -> object:
    """An answer with what is known of it; a refusal stays a refusal."""
    return answer if isinstance(answer, Exception) else Confirmed(answer, replicated)


async def _look_anew(client: RedisCluster, key: str) -> None:
    """Let redis-py find out that a node is gone, so that it looks where its slots are."""
    try:
        await client.execute_command("EXISTS", key)
    except NO_ANSWER as error:
        _log.debug("node_not_there", reason=str(error))


async def _is_replicated(connection: AbstractConnection) -> bool:
    """Wait until the primary and a replica have on disk what this connection has written.

    Raises:
        RedisError: the connection was lost.
    """
    now = asyncio.get_running_loop().time
    end, pause = now() + WAIT_MS / 1000, _ASK_AGAIN_MS
    while (left := int((end - now()) * 1000)) > 0:
        await connection.send_command("WAITAOF", 1, 1, min(pause, left))
        answer = await next_answer(connection)
        match answer:
            case [int(local), int(replicas)] if local and replicas:
                return True
            case [_, _]:
                pause *= 2
            case _:
                _log.debug("replication_not_told", reason=str(answer))
                return False
    return False
