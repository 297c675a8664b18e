"""What a process hears of the others, and what it has just told them itself."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from events.clients import Client
from events.scripts import Script, Word
from runtime.presence import Presence

LATER = 4_000_000_000_000


class Slow:
    """Calls whose answers are held back on their way."""

    def __init__(self, presence: Presence) -> None:
        self.answered = asyncio.Event()
        self.let_go = asyncio.Event()
        self._caller = presence._caller

    async def call(self, script: Script, keys: Sequence[str], args: Sequence[Word]) -> Any:
        answer = await self._caller.call(script, keys, args)
        self.answered.set()
        await self.let_go.wait()
        return answer

    async def command(self, *words: Word) -> Any:
        return await self._caller.command(*words)


async def test_an_answer_from_before_an_exemption_does_not_end_it(client: Client) -> None:
    presence = Presence(client)
    await presence.lift("old", until=LATER)
    slow = Slow(presence)
    presence._caller = slow  # type: ignore[assignment]  # as much of a caller as it asks for
    announcing = asyncio.create_task(presence.announce())
    await slow.answered.wait()
    await presence.lift("new", until=LATER)
    await presence.lower("old")
    slow.let_go.set()
    await announcing
    assert presence.around.lifted == {"new"}
    await presence.announce()
    assert presence.around.lifted == {"new"}


async def test_what_another_process_has_lifted_is_heard(client: Client) -> None:
    here, there = Presence(client), Presence(client)
    await there.lift("theirs", until=LATER)
    await here.announce()
    assert here.around.lifted == {"theirs"}
    await there.lower("theirs")
    await here.announce()
    assert here.around.lifted == frozenset()


class Late:
    """Calls of which the first leaves only when it is let go."""

    def __init__(self, presence: Presence) -> None:
        self.begun = 0
        self.let_go = asyncio.Event()
        self._caller = presence._caller

    async def call(self, script: Script, keys: Sequence[str], args: Sequence[Word]) -> Any:
        self.begun += 1
        if self.begun == 1:
            await self.let_go.wait()
        return await self._caller.call(script, keys, args)


async def test_an_older_announcement_never_comes_after_a_newer_one(client: Client) -> None:
    accepts = [True]
    presence = Presence(client, accepts=lambda: accepts[0])
    late = Late(presence)
    presence._caller = late  # type: ignore[assignment]  # as much of a caller as it asks for
    older = asyncio.create_task(presence.announce())
    await asyncio.sleep(0)
    accepts[0] = False
    newer = asyncio.create_task(presence.announce())
    await asyncio.sleep(0)
    if late.begun > 1:  # it did not wait for its turn, so it overtakes
        await newer
    late.let_go.set()
    await asyncio.gather(older, newer)
    assert presence.since is None
    assert (await presence.accepting()).since is None
