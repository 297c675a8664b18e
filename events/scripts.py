"""Runs Lua scripts: EVALSHA, and EVAL where the store does not know the script yet.

Calls that are made in one turn of the event loop go out as one pipeline: with ``appendfsync
always`` the store then fsyncs them together, and the client spends a third of the time on each.
On a cluster every call travels alone, to the node that has its keys.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError

from events.clients import Client

_TOGETHER: Final = 64
"""Calls in one pipeline: about 2 ms of the store's time."""


class LogError(Exception):
    """Something about the log, not about a rule of the game."""


class LogUnavailable(LogError):
    """The store did not answer as it should. A write may or may not have happened."""


class Script(Struct, frozen=True):
    """A script's text and the SHA-1 by which the store calls it."""

    text: str
    sha: str


def load_script(name: str) -> Script:
    """The script in the file ``name`` beside this module."""
    text = (files("events") / name).read_text(encoding="utf-8")
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


class _Call(Struct, frozen=True, eq=False):
    script: Script
    keys: Sequence[str]
    args: Sequence[bytes | str | int]
    answer: asyncio.Future[Any]

    def command(self, word: str, script: str) -> tuple[bytes | str | int, ...]:
        return (word, script, len(self.keys), *self.keys, *self.args)


class Caller:
    """Calls scripts through one client. Belongs to the client's event loop."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: list[_Call] = []
        self._sending: set[asyncio.Task[None]] = set()

    async def call(
        self, script: Script, keys: Sequence[str], args: Sequence[bytes | str | int]
    ) -> Any:  # noqa: ANN401 (whatever the script answers)
        """The script's answer: bytes, ints and lists of them.

        Raises:
            LogUnavailable: the outcome is unknown, or the store refused the script.
        """
        loop = asyncio.get_running_loop()
        call = _Call(script, keys, args, loop.create_future())
        if not self._waiting:
            loop.call_soon(self._send)
        self._waiting.append(call)
        return await call.answer

    def _send(self) -> None:
        """Take what has gathered in this turn and send it on its way."""
        calls, self._waiting = self._waiting, []
        width = _TOGETHER if isinstance(self._client, Redis) else 1
        for start in range(0, len(calls), width):
            task = asyncio.create_task(self._run(calls[start : start + width]))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _run(self, calls: list[_Call]) -> None:
        """Send calls together, those again by text whose script the store did not know."""
        try:
            answers = await self._evalsha(calls)
            for call, answer in zip(calls, answers, strict=True):
                if isinstance(answer, NoScriptError):
                    _settle(call, await self._one(call.command("EVAL", call.script.text)))
                else:
                    _settle(call, answer)
        except RedisError as error:
            _fail(calls, error)
        except BaseException as error:
            _fail(calls, error)
            raise

    async def _evalsha(self, calls: list[_Call]) -> list[Any]:
        if len(calls) == 1 or not isinstance(self._client, Redis):
            return [await self._one(call.command("EVALSHA", call.script.sha)) for call in calls]
        async with self._client.pipeline(transaction=False) as pipeline:
            for call in calls:
                pipeline.execute_command(*call.command("EVALSHA", call.script.sha))
            answers: list[Any] = await pipeline.execute(raise_on_error=False)
            return answers

    async def _one(self, command: tuple[bytes | str | int, ...]) -> Any:  # noqa: ANN401 (as call)
        """The answer to one command, the error itself where there is one."""
        try:
            return await self._client.execute_command(*command)
        except RedisError as error:
            return error


def _settle(call: _Call, answer: object) -> None:
    """Hand over an answer, unless nobody waits for it any more."""
    if call.answer.done():
        return
    if isinstance(answer, Exception):
        call.answer.set_exception(_unavailable(answer))
    else:
        call.answer.set_result(answer)


def _fail(calls: list[_Call], error: BaseException) -> None:
    for call in calls:
        if not call.answer.done():
            call.answer.set_exception(_unavailable(error))


def _unavailable(error: BaseException) -> LogUnavailable:
    failure = LogUnavailable(f"{type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure
