"""What live streams deliver while parts fail, and what the same viewers read afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable
from typing import Final

import httpx
from msgspec import Struct

from events.codec import with_openings
from events.kernel import TimestampMs
from simulator.delivery_history import PUBLIC, Listening, ReadAfterwards, StreamLine
from simulator.history import FinalStream

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
        resumed: how often a stream was begun again.
    """

    def __init__(self) -> None:
        self.connections: list[Listening] = []
        self.lookers: dict[tuple[str, str], Looker] = {}
        self.resumed = 0

    @property
    def games(self) -> set[str]:
        """The games that were followed."""
        return {game for _, game in self.lookers}

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

    async def _listen(self, http: httpx.AsyncClient, connection: Listening, by: Looker) -> None:
        """Keep what comes over one stream."""
        headers = {
            **by.headers,
            "accept": "text/event-stream",
            "last-event-id": str(connection.after),
        }
        path = f"/v1/games/{connection.game}/events"
        async with http.stream("GET", path, headers=headers, timeout=_PATIENCE) as answer:
            if not answer.is_success:
                return
            message: list[tuple[str, str]] = []
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    message.append((name, value))
                else:
                    take_message(connection, message, time.time_ns() // 1_000_000)
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
    return [
        ReadAfterwards(
            viewer=viewer,
            game=game,
            lines=lines,
            public=[entry.public for entry in ends[game].entries],
            reveals=_is_closed(ends[game]),
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
