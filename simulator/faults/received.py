"""What spectators received over live streams, to be found afterwards in the games' streams."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import httpx

from simulator.history import FinalStream

_PAUSE_S: Final = 0.05
_PATIENCE: Final = httpx.Timeout(12.0, read=60.0)


class ReceivedStreams:
    """Follows games as anybody may, and keeps the public bytes of each event.

    A stream that breaks off is resumed after the last version that came.

    Attributes:
        events: by game and version, all bytes that ever came for it.
        resumed: how often a stream was begun again.
    """

    def __init__(self) -> None:
        self.events: dict[tuple[str, int], set[bytes]] = {}
        self.resumed = 0

    async def follow(self, http: httpx.AsyncClient, game: str, ended: Callable[[], bool]) -> None:
        """Follow a game until the load ends."""
        last = 0
        while not ended():
            # That the service is killed is what it is about; what came whole counts.
            with contextlib.suppress(httpx.HTTPError):
                last = await self._listen(http, game, last)
            self.resumed += 1
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self, http: httpx.AsyncClient, game: str, after: int) -> int:
        """What comes over one stream; the last version of it."""
        headers = {"accept": "text/event-stream", "last-event-id": str(after)}
        path, last, version = f"/v1/games/{game}/events", after, 0
        async with http.stream("GET", path, headers=headers, timeout=_PATIENCE) as answer:
            if not answer.is_success:
                return after
            with contextlib.suppress(httpx.HTTPError):
                async for line in answer.aiter_lines():
                    name, _, value = line.partition(": ")
                    if name == "id":
                        version = int(value)
                    elif name == "data" and version:
                        last, version = self._keep(game, version, value.encode()), 0
        return last

    def _keep(self, game: str, version: int, public: bytes) -> int:
        self.events.setdefault((game, version), set()).add(public)
        return version


def not_found(received: ReceivedStreams, ends: Iterable[FinalStream]) -> Iterator[str]:
    """What was received and is not there in the end, or is there otherwise, as sentences."""
    there = {(end.stream, each.version): each.public for end in ends for each in end.entries}
    for (game, version), many in sorted(received.events.items()):
        kept = there.get((game, version))
        if kept is None:
            yield f"vanished: {game}: a stream showed {version}, and it is not there"
        elif many != {kept}:
            yield f"vanished: {game}: a stream showed another event at {version}"
