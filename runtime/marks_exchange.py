"""How a process without marks gets the clock's, through the store.

Nothing kept in a store can say how far the store had come: it is rolled back with it. So each
question is a fresh random number, which only a running clock can answer.

=====================  =======  ==================================================================
``{marks}:asked``      list     questions that wait: random numbers
``{marks}:told:<n>``   string   the answer to the question ``n``, for a minute
=====================  =======  ==================================================================
"""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from events.clients import Client
from events.known import Marks
from events.scripts import Caller, LogUnavailable

_HOLDS_MS: Final = 60_000
_AT_ONCE: Final = 100


class MarksExchange:
    """Asks for marks, or answers with them. Belongs to the client's event loop.

    Args:
        client: the store.
        prefix: stands before every key.
    """

    def __init__(self, client: Client, prefix: str = "") -> None:
        self._caller = Caller(client)
        self._asked = f"{prefix}{{marks}}:asked"
        self._told = f"{prefix}{{marks}}:told:"
        self._question = secrets.token_hex(16)

    async def ask(self) -> Marks | None:
        """The clock's marks; None if it has not answered yet: ask again.

        Raises:
            LogUnavailable: the store does not answer.
        """
        answer = await self._caller.command("GET", self._told + self._question)
        if answer is not None:
            try:
                return msgspec.json.decode(answer, type=Marks)
            except msgspec.DecodeError as error:
                raise LogUnavailable("the clock's marks cannot be read") from error
        await self._caller.command("LREM", self._asked, 0, self._question)
        await self._caller.command("RPUSH", self._asked, self._question)
        await self._caller.command("PEXPIRE", self._asked, _HOLDS_MS)
        return None

    async def answer(self, marks: Marks) -> None:
        """Answer all pending questions.

        Raises:
            LogUnavailable: the store does not answer.
        """
        for question in await self._caller.command("LPOP", self._asked, _AT_ONCE) or ():
            told = self._told + question.decode()
            said = msgspec.json.encode(marks)
            await self._caller.command("SET", told, said, "PX", _HOLDS_MS)
