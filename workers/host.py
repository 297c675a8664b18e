"""What a worker process and the clock need: a desk on the store, wired from the settings."""

from __future__ import annotations

from events.clients import commands, listening
from events.log import StreamLog
from projections.desk import Desk, clock_guard
from projections.lobby import Lobby
from projections.mark_files import Kind
from projections.presence import Presence
from projections.settings import Settings
from projections.shelf import Shelf
from projections.store_room import StoreRoom
from projections.store_watch import StoreWatch


class Host:
    """A desk and its connections. Make it inside the event loop that will use it.

    Args:
        settings: of the process.
        shelf: the games that can be played; by default the house's.
        kind: what the process is, for the marks that it keeps.

    Nothing is written before ``watch`` has begun.
    """

    def __init__(
        self, settings: Settings, shelf: Shelf | None = None, kind: Kind = "worker"
    ) -> None:
        self.client = commands(settings.store_url)
        self._listener = listening(settings.store_url)
        guard = clock_guard(settings, self.client)
        self.watch = StoreWatch(self.client, settings, kind)
        self.log = StreamLog(
            self.client,
            self._listener,
            settings.shards,
            settings.prefix,
            guard,
            self.watch.known,
        )
        self.room = StoreRoom(self.client, settings.store_url, settings.store_levels)
        self.desk = Desk(self.log, settings.key_ring(), shelf=shelf, refusal=self.room.refusal)
        self.presence = Presence(self.client, settings.prefix)
        self.lobby = Lobby(self.log, self.client, settings.prefix, shelf)

    async def close(self) -> None:
        """Close the connections, and leave the marks to the next process."""
        await self.watch.close()
        await self.client.aclose()
        await self._listener.aclose()
