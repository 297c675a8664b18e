"""What players of a bench were told, held against the store in the end: lost moves are no rate.

Answers are kept as they came and read afterwards, so that the core of the load has little to do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from bench.load import Exchange, LoadError
from events.durability import Durability
from runtime.settings import Settings
from simulator.history import Attempt, History, judge
from simulator.history_streams import final_streams

_TOKEN: Final = re.compile(rb"\r\nauthorization: Bearer ([^\r]+)\r\n")
_KEY: Final = re.compile(rb"\r\nidempotency-key: ([^\r]+)\r\n")


class _Event(Struct):
    v: int


class _Receipt(Struct):
    game: str
    version: int
    durability: Durability
    events: list[_Event]


_receipt = msgspec.json.Decoder(_Receipt)


def attempt_of(exchange: Exchange, named: Callable[[str, str], str]) -> Attempt:
    """What a player was told of one accepted command.

    Args:
        exchange: the request and its answer.
        named: what a command is called in the log, by token and key.
    """
    token, key = _TOKEN.search(exchange.request), _KEY.search(exchange.request)
    assert token is not None, "every command of a bench has a token"
    assert key is not None, "and a key"
    said = _receipt.decode(exchange.body)
    return Attempt(
        client=token[1].decode(),
        stream=said.game,
        command_id=named(token[1].decode(), key[1].decode()),
        sent=exchange.sent,
        answered=exchange.answered,
        outcome="accepted",
        level=said.durability,
        first=said.events[0].v,
        version=said.version,
    )


async def versions_of(settings: Settings, games: Collection[str]) -> dict[str, int]:
    """How far games have come.

    Raises:
        redis.RedisError: the store does not answer.
    """
    return {end.stream: end.version for end in await final_streams(settings, games)}


async def require_all(
    settings: Settings, begun: Mapping[str, int], attempts: Iterable[Attempt]
) -> int:
    """Look for every command in the store; how many there were.

    Args:
        settings: those of the service.
        begun: the games, and the versions up to which they had come before.
        attempts: all that anybody did to them since.

    Raises:
        LoadError: something does not hold; the message names every violation.
    """
    told = list(attempts)
    ends = await final_streams(settings, begun)
    found = judge(
        History(told, []), ends, is_house=lambda batch: batch.version <= begun[batch.stream]
    )
    if found:
        raise LoadError("\n".join(violation.line() for violation in found))
    return len(told)
