"""What live streams deliver while parts fail, and what the same viewers read afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final

import httpx
import msgspec
from msgspec import Struct

from events.codec import with_openings
from events.kernel import TimestampMs
from games.game_registry import installed_games
from simulator.delivery_history import PUBLIC, Listening, ReadAfterwards, StreamLine
from simulator.history import FinalStream
from simulator.notice_history import OwnListening
from simulator.turns_begun import turns_begun

_PAUSE_S: Final = 0.05
_PATIENCE: Final = httpx.Timeout(12.0, read=60.0)
_OPENED: Final = b'{"opened":'
_NDJSON: Final = {"accept": "application/x-ndjson"}


class Looker(Struct, frozen=True):
    """Who looks on: ``PUBLIC`` without a token, or a player by id and token."""

    viewer: str
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Those of the looker's requests."""
        return {"authorization": f"Bearer {self.token}"} if self.token else {}


ANYBODY: Final = Looker(PUBLIC)


class ReceivedStreams:
    """Follows games as anybody may, or as a player at the table, and keeps what is delivered.

    A stream that breaks off is resumed after the last version that came whole.

    Attributes:
        connections: each connection that was made, and what came over it.
        lookers: who has looked on, by viewer and game.
        own: each connection over which a player was told of all their games.
        resumed: how often a stream was begun again.
    """

    def __init__(self) -> None:
        self.connections: list[Listening] = []
        self.lookers: dict[tuple[str, str], Looker] = {}
        self.own: list[OwnListening] = []
        self.resumed = 0

    @property
    def games(self) -> set[str]:
        """The games that were followed."""
        return {game for _, game in self.lookers}

    @property
    def told_of(self) -> set[str]:
        """The games that players were told of over a stream of all of theirs."""
        own = self.own
        begun = {each["game"] for connection in own for each in connection.games or ()}
        return begun | {each["game"] for connection in own for each in connection.notices}

    @property
    def notices(self) -> int:
        """How many notices came over such streams."""
        return sum(len(connection.notices) for connection in self.own)

    @property
    def events(self) -> int:
        """How many different events were delivered."""
        found = {(c.game, each.version) for c in self.connections for each in c.delivered}
        return len(found)

    @property
    def opened(self) -> int:
        """How many lines opened something that not everybody may read."""
        lines = (each.line for c in self.connections for each in c.delivered)
        return sum(b',"opened":' in line for line in lines)

    async def follow(
        self,
        http: httpx.AsyncClient,
        game: str,
        ended: Callable[[], bool],
        looker: Looker = ANYBODY,
    ) -> None:
        """Follow a game until the load ends."""
        self.lookers[looker.viewer, game] = looker
        last = 0
        while not ended():
            connection = Listening(viewer=looker.viewer, game=game, after=last)
            self.connections.append(connection)
            # That the service is killed is what it is about; what came whole counts.
            with contextlib.suppress(httpx.HTTPError):
                await self._listen(http, connection, looker)
            last = max((each.version for each in connection.delivered), default=last)
            self.resumed += 1
            await asyncio.sleep(_PAUSE_S)

    async def follow_own(
        self, http: httpx.AsyncClient, ended: Callable[[], bool], looker: Looker
    ) -> None:
        """Listen to what a player is told of all their games, until the load ends."""
        headers = {**looker.headers, "accept": "text/event-stream"}
        while not ended():
            connection = OwnListening(player=looker.viewer)
            self.own.append(connection)
            with contextlib.suppress(httpx.HTTPError):
                async with http.stream(
                    "GET", "/v1/stream", headers=headers, timeout=_PATIENCE
                ) as answer:
                    async for message in _messages(answer):
                        take_notice(connection, message)
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self, http: httpx.AsyncClient, connection: Listening, by: Looker) -> None:
        """Keep what comes over one stream."""
        headers = {
            **by.headers,
            "accept": "text/event-stream",
            "last-event-id": str(connection.after),
        }
        path = f"/v1/games/{connection.game}/events"
        async with http.stream("GET", path, headers=headers, timeout=_PATIENCE) as answer:
            async for message in _messages(answer):
                take_message(connection, message, time.time_ns() // 1_000_000)


async def _messages(answer: httpx.Response) -> AsyncIterator[list[tuple[str, str]]]:
    """The messages of Server-Sent Events that come whole, by their fields; of refusals none."""
    if not answer.is_success:
        return
    message: list[tuple[str, str]] = []
    async for line in answer.aiter_lines():
        if line:
            name, _, value = line.partition(": ")
            message.append((name, value))
        else:
            yield message
            message = []


def take_message(
    connection: Listening, message: Iterable[tuple[str, str]], at: TimestampMs = 0
) -> None:
    """Note a message of Server-Sent Events that came whole, by its fields, and when it came."""
    fields = dict(message)
    data = [value.encode() for name, value in message if name == "data"]
    if fields.get("event") == "end":
        connection.has_ended = True
    elif "id" in fields and "event" not in fields:
        opened = data[1][len(_OPENED) : -1] if len(data) > 1 else None
        line = with_openings(data[0], opened)
        connection.delivered.append(StreamLine(int(fields["id"]), line, at))


def take_notice(connection: OwnListening, message: Iterable[tuple[str, str]]) -> None:
    """Note what a message tells a player of their games, if it does."""
    fields = dict(message)
    if "data" not in fields:
        return
    told: Any = msgspec.json.decode(fields["data"])
    if fields.get("event") == "games":
        connection.games = told
    elif isinstance(told, dict) and told.get("what") == fields.get("event"):
        connection.notices.append(told)


def read_afterwards(
    url: str, received: ReceivedStreams, logs: Callable[[set[str]], Iterable[FinalStream]]
) -> list[ReadAfterwards]:
    """What all who looked on read of their games in the end.

    Args:
        url: of the service.
        received: who has looked on.
        logs: reads the logs of some games; called later, as games go on by themselves.

    Raises:
        httpx.HTTPError: the service does not answer.
    """
    with httpx.Client(base_url=url, timeout=_PATIENCE, headers=_NDJSON) as http:
        pages = {
            (viewer, game): _pages(http, f"/v1/games/{game}/events", looker)
            for (viewer, game), looker in received.lookers.items()
        }
    ends = {end.stream: end for end in logs(received.games)}
    registry = installed_games()
    turns = {game: turns_begun(registry, game, end.entries) for game, end in ends.items()}
    return [
        ReadAfterwards(
            viewer=viewer,
            game=game,
            lines=lines,
            public=[entry.public for entry in ends[game].entries],
            reveals=_is_closed(ends[game]),
            turns=turns[game],
        )
        for (viewer, game), lines in pages.items()
    ]


def _is_closed(end: FinalStream) -> bool:
    """Whether a game has ended, after which everybody may read everything."""
    return any(b'"type":"table-closed"' in entry.public for entry in end.entries)


def _pages(http: httpx.Client, path: str, looker: Looker) -> list[bytes]:
    """All events of a game, one page after another."""
    lines: list[bytes] = []
    following: str | None = path
    while following is not None:
        answer = http.get(following, headers=looker.headers)
        answer.raise_for_status()
        lines += answer.content.splitlines()
        following = answer.links.get("next", {}).get("url")
    return lines
