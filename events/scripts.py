"""Runs Lua scripts and single commands on the store, in one pipeline those that wait together.

While one pipeline is in flight, new calls gather and go out together as the next one: with
``appendfsync always`` the store fsyncs them together, and the client spends far less time on each.
A slow pipeline holds up nobody: after a moment the next one goes out on another connection. On a
cluster every call travels alone, to the node that has its keys.

Scripts are called by EVALSHA, and by EVAL if the store does not know them yet. Each call gets its
own answer or error. A call that was sent and not answered is never sent again here, unless it only
reads: then it goes once more if its connection has broken, as it may between two pipelines.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Iterable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, Final

from hiredis import pack_command
from msgspec import Struct
from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import NoScriptError, OutOfMemoryError, ResponseError
from redis.exceptions import TimeoutError as NoAnswerInTime

from events.clients import NO_ANSWER, Client, calls_of

Word = bytes | str | int

_TOGETHER: Final = 64
"""The most calls in one pipeline: about 2 ms of the store's time."""

_PATIENCE_S: Final = 0.02
"""How long calls gather behind a pipeline in flight; many times what one normally takes."""


_READS: Final = frozenset({"EXISTS", "GET", "HGET", "HGETALL", "HMGET", "XRANGE", "ZSCORE"})
"""Commands of ours that only read."""


class LogError(Exception):
    """A failure of the log, not a refusal by a game's rules."""


class LogUnavailable(LogError):
    """The store did not answer properly. A write may or may not have happened."""


class StoreFull(LogUnavailable):
    """The store is full, or too full to take this on. Nothing was written."""


class Script(Struct, frozen=True):
    """A script's text, the SHA-1 under which the store knows it, and whether it only reads."""

    text: str
    sha: str
    reads: bool = False


def load_script(package: str, name: str, *, reads: bool = False) -> Script:
    """The script in the file ``name`` of a package, usually the caller's ``__package__``.

    ``reads`` says that it writes nothing, so that it does no harm to run it twice.

    Raises:
        FileNotFoundError: there is no such file.
    """
    text = (files(package) / name).read_text(encoding="utf-8")
    sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
    return Script(text, sha, reads)


class Call(Struct, frozen=True, eq=False):
    """A call and the future that waits for its answer; ``again``: it may be sent once more."""

    words: tuple[Word, ...]
    script: Script | None
    answer: asyncio.Future[Any]
    again: bool = False

    def by_text(self, script: Script) -> Call:
        """The same call with the script's text in place of its hash."""
        return Call(("EVAL", script.text, *self.words[2:]), None, self.answer, self.again)

    def sent_again(self) -> Call:
        """The same call for the last time."""
        return Call(self.words, self.script, self.answer)


class Caller:
    """Sends calls through one client. Belongs to the client's event loop.

    Args:
        client: the store or cluster.
        keeps_connection: whether to hold on to a pooled connection between calls, for frequent
            callers: taking one and giving it back costs as much as a small call.
    """

    def __init__(self, client: Client, *, keeps_connection: bool = False) -> None:
        self._client = client
        self._pool = client.connection_pool if isinstance(client, Redis) else None
        self._keeps = keeps_connection
        self._kept: AbstractConnection | None = None
        self._waiting: list[Call] = []
        self._under_way: set[asyncio.Task[None]] = set()
        self._of_client = calls_of(client)
        self._impatient: asyncio.TimerHandle | None = None

    async def call(self, script: Script, keys: Sequence[str], args: Iterable[Word]) -> Any:  # noqa: ANN401 (whatever the script answers)
        """A script's answer: bytes, ints and lists of them.

        Raises:
            LogUnavailable: the outcome is unknown, or the store refused the script.
        """
        words = ("EVALSHA", script.sha, len(keys), *keys, *args)
        return await self._queue(words, script, again=script.reads)

    async def command(self, *words: Word) -> Any:  # noqa: ANN401 (whatever the store answers)
        """The raw answer to one command (a cluster's client may convert it).

        Raises:
            LogUnavailable: the outcome is unknown, or the store refused the command.
        """
        return await self._queue(words, None, again=words[0] in _READS)

    def _queue(
        self, words: tuple[Word, ...], script: Script | None, *, again: bool
    ) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        call = Call(words, script, loop.create_future(), again)
        self._waiting.append(call)
        if len(self._waiting) == 1 or len(self._waiting) == _TOGETHER:
            loop.call_soon(self._send)
        return call.answer

    def _send(self) -> None:
        """At the end of a loop turn: send what has gathered, unless waiting is better."""
        if not self._waiting:
            return
        if self._pool is not None and self._under_way and len(self._waiting) < _TOGETHER:
            if self._impatient is None:
                loop = asyncio.get_running_loop()
                self._impatient = loop.call_later(_PATIENCE_S, self._send_now)
            return
        self._send_now()

    def _send_now(self) -> None:
        while self._waiting:
            together = self._gathered()
            task = asyncio.create_task(self._run(together))
            self._under_way.add(task)
            self._of_client.add(task)
            task.add_done_callback(partial(self._landed, together))

    def _gathered(self) -> list[Call]:
        """As many of the waiting calls as go together; they wait no longer."""
        if self._impatient is not None:
            self._impatient.cancel()
            self._impatient = None
        width = 1 if self._pool is None else _TOGETHER
        calls, self._waiting = self._waiting[:width], self._waiting[width:]
        return calls

    def _landed(self, calls: list[Call], task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._of_client.discard(task)
        if task.cancelled():  # maybe before it began: the client, or the loop, is about to close
            left, self._waiting = [*calls, *self._waiting], []
            _fail(left, asyncio.CancelledError("the caller ends"))
        elif self._waiting:
            asyncio.get_running_loop().call_soon(self._send)

    async def _run(self, calls: list[Call]) -> None:
        """Send calls together, and those that are left again: their scripts go by their texts.

        ``calls`` comes to hold those that were sent last.
        """
        try:
            while left := await self._pass(calls):
                calls[:] = [c if c.script is None else c.by_text(c.script) for c in left]
        except NO_ANSWER as error:
            _fail(calls, error)
        except BaseException as error:
            _fail(calls, error)
            raise

    async def _pass(self, calls: list[Call]) -> list[Call]:
        """Send calls and deliver the answers; returns those that are to be sent again."""
        if self._pool is None:
            return [call for call in calls if not hand_over(call, await self._alone(call))]
        return await self._converse(self._pool, calls)

    async def _alone(self, call: Call) -> object:
        """The answer to one command, or the store's refusal."""
        if isinstance(self._client, RedisCluster):
            await self._client.initialize()  # before, it sends commands to any node that comes
        try:
            answer: object = await self._client.execute_command(*call.words)
        except ResponseError as refusal:
            return refusal
        except NoConnection:
            if not call.again:
                raise
        else:
            return answer
        return await self._alone(call.sent_again())

    async def _converse(self, pool: ConnectionPool, calls: list[Call]) -> list[Call]:
        """As ``_pass``, over one connection, for as long as more calls have gathered meanwhile.

        Each answer is delivered as it arrives, so a connection lost halfway fails only the calls
        still waiting; of these, reads are left. ``calls`` comes to hold those that were sent last.

        Raises:
            RedisError: there is no connection, or no answer in time.
        """
        connection = await self._take(pool)
        try:
            while True:
                # One timer for all answers: redis-py would set a new one for each.
                async with asyncio.timeout(connection.socket_timeout):
                    unknown = await self._exchange(connection, calls)
                # What has gathered leaves before anybody is woken by these answers, so that the
                # store has work while they do theirs.
                if unknown or not self._waiting:
                    return unknown
                calls[:] = self._gathered()
        except NoConnection as error:
            await connection.disconnect(nowait=True)
            _fail([call for call in calls if not call.again], error)
            return [call.sent_again() for call in calls if not call.answer.done()]
        except TimeoutError:
            await connection.disconnect(nowait=True)
            raise NoAnswerInTime(f"no answer within {connection.socket_timeout} s") from None
        except BaseException:
            await connection.disconnect(nowait=True)  # answers may still be in flight
            raise
        finally:
            await self._give_back(pool, connection)

    async def _exchange(self, connection: AbstractConnection, calls: Sequence[Call]) -> list[Call]:
        """Send calls and deliver each answer as it comes; returns those of unknown scripts."""
        unknown: list[Call] = []
        await send(connection, calls)
        for call in calls:
            answer: object  # not by ``next_answer``: this is the way of every call
            try:
                answer = await connection.read_response(timeout=math.inf)
            except ResponseError as refusal:
                answer = refusal
            if not hand_over(call, answer):
                unknown.append(call)
        return unknown

    async def _take(self, pool: ConnectionPool) -> AbstractConnection:
        """An open connection: the one kept, unless it is in use.

        Raises:
            RedisError: there is none.
        """
        connection, self._kept = self._kept, None
        if connection is None:
            taken: AbstractConnection = await pool.get_connection()
            return taken
        try:
            # As the pool does before handing one out: the store may have closed it meanwhile.
            await pool.ensure_connection(connection)
        except BaseException:
            await pool.release(connection)
            raise
        return connection

    async def _give_back(self, pool: ConnectionPool, connection: AbstractConnection) -> None:
        if self._keeps and self._kept is None:
            self._kept = connection
        else:
            await pool.release(connection)


async def send(connection: AbstractConnection, calls: Iterable[Call]) -> None:
    """Send calls over a connection.

    Raises:
        RedisError: the connection was lost.
    """
    packed = [pack_command(call.words) for call in calls]  # type: ignore[arg-type]  # its stub says: one word
    await connection.send_packed_command(b"".join(packed))


async def next_answer(connection: AbstractConnection) -> object:
    """The next answer over a connection, or the store's refusal.

    Raises:
        RedisError: the connection was lost.
    """
    try:
        answer: object = await connection.read_response(timeout=math.inf)
    except ResponseError as refusal:
        return refusal
    return answer


def hand_over(call: Call, answer: object) -> bool:
    """Settle a call, unless it has been abandoned. False: its script is not known."""
    if isinstance(answer, NoScriptError) and call.script is not None:
        return False
    if not call.answer.done():
        if isinstance(answer, Exception):
            call.answer.set_exception(_unavailable(answer))
        else:
            call.answer.set_result(answer)
    return True


def _fail(calls: list[Call], error: BaseException) -> None:
    for call in calls:
        if not call.answer.done():
            call.answer.set_exception(_unavailable(error))


def _unavailable(error: BaseException) -> LogUnavailable:
    kind = StoreFull if isinstance(error, OutOfMemoryError) else LogUnavailable
    failure = kind(f"{type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure
