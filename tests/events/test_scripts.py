"""Calls that wait together travel together, and concern one another as little as possible."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha1
from typing import Any, cast
from uuid import uuid4

import pytest
from redis.asyncio import ConnectionPool, Redis, UnixDomainSocketConnection
from redis.exceptions import ConnectionError as LostConnection

from events.clients import close_client
from events.connections import SocketStoreConnection
from events.scripts import Caller, LogUnavailable, Script
from tests.unlimited import unlimited

LONG = 10.0
"""Seconds that nothing here takes."""

SOCKET_S = 1.0


class Road:
    """What a test does to the connections of one client."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.open = asyncio.Event()
        self.open.set()
        self.departed = asyncio.Event()
        self.answers_left: int | None = None
        self.silent = False
        self.cuts: list[int] = []


class Watched(SocketStoreConnection):
    """A connection that counts the commands it sends, waits for the road, and may break.

    Each of the road's ``cuts`` says how many pipelines pass before the wire is cut under the next.
    """

    road: Road
    _ours = False

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 (redis-py's own signature)
        self._ours = isinstance(command, bytes)  # the greeting is a list
        if self._ours:
            self.road.sent.append(command.count(b"$4\r\nECHO") + command.count(b"$5\r\nWRONG"))
            self.road.departed.set()
            await self.road.open.wait()
        if self._ours and self.road.cuts:
            self.road.cuts[0] -= 1
            if self.road.cuts[0] < 0:
                del self.road.cuts[0]
                assert self._writer is not None
                self._writer.transport.abort()
        await cast("Any", super()).send_packed_command(command, check_health)

    async def read_response(self, *args: Any, **options: Any) -> Any:
        if self._ours and self.road.answers_left is not None:
            if not self.road.answers_left:
                raise LostConnection("half-way")
            self.road.answers_left -= 1
        if self._ours and self.road.silent:
            await asyncio.Event().wait()
        return await cast("Any", super()).read_response(*args, **options)


@pytest.fixture
def road(monkeypatch: pytest.MonkeyPatch) -> Road:
    made = Road()
    monkeypatch.setattr(Watched, "road", made, raising=False)
    return made


@pytest.fixture
async def caller(store_url: str) -> AsyncIterator[Caller]:
    pool = ConnectionPool.from_url(unlimited(store_url), socket_timeout=SOCKET_S)
    assert pool.connection_class is UnixDomainSocketConnection
    pool.connection_class = Watched
    client = Redis.from_pool(pool)
    yield Caller(client)
    await close_client(client)


def echo(caller: Caller, text: str) -> asyncio.Task[Any]:
    return asyncio.create_task(caller.command("ECHO", text))


async def test_calls_of_one_turn_go_together(caller: Caller, road: Road) -> None:
    texts = [f"{number}" for number in range(10)]
    answers = await asyncio.gather(*(echo(caller, text) for text in texts))
    assert answers == [text.encode() for text in texts]
    assert road.sent == [10]


async def test_calls_that_come_meanwhile_are_the_next_pipeline(caller: Caller, road: Road) -> None:
    road.open.clear()
    first = echo(caller, "first")
    await road.departed.wait()
    others = [echo(caller, text) for text in "abc"]
    await asyncio.sleep(0)
    road.open.set()
    assert await asyncio.gather(first, *others) == [b"first", b"a", b"b", b"c"]
    assert road.sent == [1, 3]


async def test_what_has_gathered_leaves_before_anybody_goes_on_with_an_answer(
    caller: Caller, road: Road
) -> None:
    left: list[int] = []

    async def asks() -> None:
        await caller.command("ECHO", "first")
        left.extend(road.sent)

    road.open.clear()
    first = asyncio.create_task(asks())
    await road.departed.wait()
    others = [echo(caller, text) for text in "abc"]
    await asyncio.sleep(0)
    road.open.set()
    await asyncio.gather(first, *others)
    assert left == [1, 3]


async def test_a_connection_that_breaks_concerns_nobody_who_was_answered_over_it(
    caller: Caller, road: Road
) -> None:
    await echo(caller, "there is a connection")
    road.open.clear()
    road.departed.clear()
    first = echo(caller, "first")
    await road.departed.wait()
    others = [echo(caller, text) for text in "ab"]
    await asyncio.sleep(0)
    road.answers_left = 2
    road.open.set()
    assert await first == b"first"
    a, b = await asyncio.gather(*others, return_exceptions=True)
    assert a == b"a"
    assert isinstance(b, LogUnavailable)
    road.answers_left = None
    assert await echo(caller, "again") == b"again"


async def test_unknown_scripts_are_sent_by_text_however_their_calls_were_gathered(
    caller: Caller, road: Road
) -> None:
    texts = [f"return '{uuid4()}' and {number}" for number in range(3)]
    scripts = [Script(text, sha1(text.encode()).hexdigest()) for text in texts]  # noqa: S324 (as the store has it)
    road.open.clear()
    calls = [asyncio.create_task(caller.call(scripts[0], [], []))]
    await road.departed.wait()
    for script in scripts[1:]:
        calls.append(asyncio.create_task(caller.call(script, [], [])))
        await asyncio.sleep(0)
    road.open.set()
    async with asyncio.timeout(LONG):
        assert await asyncio.gather(*calls) == [0, 1, 2]


async def test_many_do_not_wait_for_a_pipeline_under_way(caller: Caller, road: Road) -> None:
    road.open.clear()
    first = echo(caller, "first")
    await road.departed.wait()
    others = [echo(caller, f"{number}") for number in range(130)]
    async with asyncio.timeout(LONG):
        while len(road.sent) < 4:
            road.departed.clear()
            await road.departed.wait()
    assert sorted(road.sent) == [1, 2, 64, 64]
    road.open.set()
    await asyncio.gather(first, *others)


async def test_a_pipeline_that_hangs_holds_nobody_up(caller: Caller, road: Road) -> None:
    road.open.clear()
    hanging = echo(caller, "hanging")
    await road.departed.wait()
    behind = echo(caller, "behind")
    road.departed.clear()
    async with asyncio.timeout(LONG):
        await road.departed.wait()
    assert road.sent == [1, 1]
    road.open.set()
    assert await hanging == b"hanging"
    assert await behind == b"behind"


async def test_each_call_has_an_error_of_its_own(caller: Caller, road: Road) -> None:
    calls = [echo(caller, "a"), asyncio.create_task(caller.command("WRONG")), echo(caller, "b")]
    first, wrong, last = await asyncio.gather(*calls, return_exceptions=True)
    assert (first, last) == (b"a", b"b")
    assert isinstance(wrong, LogUnavailable)
    assert "unknown command" in str(wrong)
    assert road.sent == [3]


async def test_a_connection_that_breaks_half_way_concerns_those_without_an_answer(
    caller: Caller, road: Road
) -> None:
    await echo(caller, "there is a connection")
    road.answers_left = 1
    first, *others = await asyncio.gather(
        *(echo(caller, text) for text in "abc"), return_exceptions=True
    )
    assert first == b"a"
    for failure in others:
        assert isinstance(failure, LogUnavailable)
        assert "half-way" in str(failure)
    road.answers_left = None
    assert await echo(caller, "again") == b"again", "no answer of the broken one is left over"


def looked_up(caller: Caller, key: str) -> asyncio.Task[Any]:
    return asyncio.create_task(caller.command("GET", key))


async def test_a_wire_that_is_cut_between_two_pipelines_costs_no_read(
    caller: Caller, road: Road
) -> None:
    await caller.command("SET", "a", "there")
    road.open.clear()
    road.departed.clear()
    first = looked_up(caller, "a")
    await road.departed.wait()
    gathered = [looked_up(caller, "a") for _ in range(3)]
    await asyncio.sleep(0)
    road.cuts = [1]
    road.open.set()
    assert await asyncio.gather(first, *gathered) == [b"there"] * 4
    assert road.cuts == []
    assert len(road.sent) == 4, "those that had gathered were sent again, together"


async def test_of_calls_that_a_cut_leaves_without_an_answer_only_reads_go_again(
    caller: Caller, road: Road
) -> None:
    await caller.command("SET", "a", "1")
    road.cuts = [0]
    calls = (caller.command(*words) for words in (("GET", "a"), ("INCR", "a"), ("HGET", "b", "c")))
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(found[1], LogUnavailable), "it may have happened"
    assert (found[0], found[2]) == (b"1", None)
    assert await caller.command("GET", "a") == b"1"


@pytest.mark.parametrize(("reads", "answers"), [(True, 2), (False, 0)])
async def test_a_script_goes_again_only_if_it_reads(
    caller: Caller, road: Road, *, reads: bool, answers: int
) -> None:
    text = f"return redis.call('GET', KEYS[1]) -- {uuid4()}"
    script = Script(text, sha1(text.encode(), usedforsecurity=False).hexdigest(), reads)
    await caller.call(script, ["a"], [])
    road.cuts = [0]
    calls = (caller.call(script, ["a"], []) for _ in range(2))
    found = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(answer is None for answer in found) == answers


async def test_a_read_whose_wire_is_cut_again_is_told(caller: Caller, road: Road) -> None:
    road.cuts = [0, 0]
    with pytest.raises(LogUnavailable, match="Connection"):
        await caller.command("GET", "a")
    assert road.cuts == []
    assert await caller.command("GET", "a") is None


async def test_no_answer_in_time_is_an_unknown_outcome(caller: Caller, road: Road) -> None:
    road.silent = True
    failures = await asyncio.gather(*(echo(caller, text) for text in "ab"), return_exceptions=True)
    for failure in failures:
        assert isinstance(failure, LogUnavailable)
        assert "no answer within" in str(failure)
    road.silent = False
    assert await echo(caller, "again") == b"again", "on a connection that knows nothing of it"


async def test_who_gives_up_takes_nobody_along(caller: Caller, road: Road) -> None:
    given_up, other = echo(caller, "given up"), echo(caller, "other")
    await asyncio.sleep(0)
    given_up.cancel()
    assert await other == b"other"
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert road.sent == [2]
