"""A bench finds what was acknowledged in the store, and what was not kept ends it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from bench.load import Exchange, LoadError
from bench.told import attempt_of, require_all, versions_of
from events import seal
from events.clients import close_client, commands, listening
from events.log import Append, Appended, StreamLog
from runtime.settings import Settings
from simulator.history import Attempt
from tests.naming import KEYS, name_store

GAME = "g00-0123456789abcdefghjkmnpqrs"
REQUEST = (
    b"POST /v1/games/g HTTP/1.1\r\nauthorization: Bearer planted\r\n"
    b"idempotency-key: k-7\r\ncontent-length: 2\r\n\r\n{}"
)
ANSWER = b'{"game":"g","version":9,"durability":"local","events":[{"v":8,"t":"x"},{"v":9}]}'


def test_an_exchange_is_what_a_player_was_told() -> None:
    told = attempt_of(Exchange(REQUEST, 3, 5, ANSWER), lambda token, key: f"{token}/{key}")
    assert told == Attempt(
        client="planted",
        stream="g",
        command_id="planted/k-7",
        sent=3,
        answered=5,
        outcome="accepted",
        level="local",
        first=8,
        version=9,
    )


@pytest.fixture
async def settings(store_url: str) -> AsyncIterator[Settings]:
    """A service in whose store one command of a player's stands."""
    found = Settings(store_url=store_url, rq_url=store_url, keys={}, current_key="", naming_key="")
    client, listener = commands(store_url), listening(store_url)
    await name_store(client, found.layout(), KEYS)
    log = StreamLog(client, listener, found.layout())
    public = b'{"batch":{"by":"player:ann","id":"c1"},"v":1}'
    batch = Append(
        stream=GAME,
        after=0,
        previous=b"",
        entries=[(public, None)],
        head=seal.chain(seal.genesis(GAME), 0, [public]),
        command_id="c1",
        digest="d",
        status="live",
        due=None,
        at=0,
    )
    assert await log.append(batch) == Appended(1, 1)
    yield found
    await log.close()
    await close_client(client)
    await listener.aclose()


async def test_what_was_acknowledged_is_found_where_it_was_and_nowhere_else(
    settings: Settings,
) -> None:
    told = Attempt(
        client="ann",
        stream=GAME,
        command_id="c1",
        sent=1,
        answered=2,
        outcome="accepted",
        first=1,
        version=1,
    )
    assert await versions_of(settings, [GAME]) == {GAME: 1}
    assert await require_all(settings, {GAME: 0}, [told]) == 1
    assert await require_all(settings, {GAME: 1}, []) == 0, "what stood before is nobody's"
    for planted, check in (
        ([replace(told, command_id="c2")], "lost: "),
        ([replace(told, first=2, version=2)], "moved: "),
        ([], "unasked: "),
    ):
        with pytest.raises(LoadError, match=check):
            await require_all(settings, {GAME: 0}, planted)
