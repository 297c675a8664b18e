"""What a worker process and the clock need: a table service built from the settings."""

from __future__ import annotations

from events.append_pace import AppendPace
from events.clients import close_client, commands, listening
from events.journaling import promised
from events.log import StreamLog
from events.unshipped import Unshipped
from games.game_registry import GameRegistry
from projections.leaderboards import Leaderboards
from projections.lobby import Lobby
from runtime.journal.healing import tail_keeper
from runtime.mark_files import Kind
from runtime.presence import Presence
from runtime.settings import Settings
from runtime.store_room import StoreRoom
from runtime.store_watch import StoreWatch
from runtime.table_service import TableService, clock_guard


class Host:
    """A table service and its connections. Create it inside the event loop that will use it.

    Args:
        settings: those of the process.
        game_registry: the playable games; by default all registered ones.
        kind: what the process is, for its marks file.

    Nothing is written before ``watch.begin``.
    """

    def __init__(
        self, settings: Settings, game_registry: GameRegistry | None = None, kind: Kind = "worker"
    ) -> None:
        self.client = commands(settings.store_url)
        self._listener = listening(settings.store_url)
        layout = settings.layout()
        guard = clock_guard(settings, self.client)
        self.watch = StoreWatch(self.client, settings, kind)
        folder = settings.journal_folder
        unshipped = None if folder is None else Unshipped()
        self.log = StreamLog(
            self.client,
            self._listener,
            layout,
            guard=guard,
            known=self.watch.known,
            replication=promised(settings.durability, self.client, layout, shows=kind != "worker"),
            unshipped=unshipped,
        )
        self.log.pace = AppendPace()
        self.tail = tail_keeper(self.log, self.client, folder, kind)
        self.room = StoreRoom(self.client, settings.store_url, settings.store_levels)
        self.tables = TableService(
            self.log, settings.key_ring(), game_registry=game_registry, refusal=self.room.refusal
        )
        self.presence = Presence(self.client, settings.prefix)
        self.lobby = Lobby(self.log, self.client, game_registry)
        self.leaderboards = Leaderboards(self.log, self.client)

    async def close(self) -> None:
        """Close the connections; the marks, and what is not shipped, are saved."""
        if self.tail is not None:
            await self.tail.close()
        await self.watch.close()
        await self.log.close()
        await close_client(self.client)
        await self._listener.aclose()
