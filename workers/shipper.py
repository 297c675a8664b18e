"""The shipper: copies every batch of the store into the journal, as soon as it is there.

It follows the feeds of all shards, reads the batches that they point to, writes them to the journal
and, when they are on its disk, says so in the store (``shipped`` of each shard). Where the store
has lost what the journal has, it puts it back; where the store has gone another way, it ships
nothing more of that shard until an operator has decided (a later epoch). So it may be killed at any
moment: it goes on from the journal's end.

Of several shippers, each with a journal of its own, one says what is shipped, for as long as it
does so every second; the others copy all the same, and one of them goes on when it falls silent.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from events.bells import JOURNALED, Ring
from events.clients import NO_ANSWER, close_client, commands, listening
from events.feed import FeedBroken
from events.identity import ForeignStoreError, Identity, identity_of
from events.known import Mark, StoreBehind
from events.log import Damaged, StreamLog
from events.logger import get_logger
from events.replication import told_by
from events.restoring import Restoring
from events.scripts import Caller, LogUnavailable, load_script
from events.tasks import run_until_one_ends
from events.unshipped import JournalEntry
from runtime.journal.frames import StoreNamed
from runtime.journal.healing import Tail, continued, heal, kept_files
from runtime.journal.pages import FeedPages
from runtime.journal.segments import JournalError, JournalWriter, tails
from runtime.settings import Settings
from workers.stopping import stop_event

PAGE: Final = 256
"""The most batches of a shard that are shipped together."""

QUIET_S: Final = 1.0
"""So often all shards are looked at without a bell, and the store's identity is read."""

TURN_MS: Final = 5000
"""So long a shipper that has fallen silent keeps another from telling what is shipped."""

_PAUSE_S: Final = 0.5
_TAKE_TURN: Final = load_script("events", "take_turn.lua")
TELL: Final = load_script("events", "tell_shipped.lua")
"""What says of a shard what is shipped; its arguments are in its own text."""

_log = get_logger(__name__)


class NoJournalError(RuntimeError):
    """The settings name no journal."""


class Shipper:
    """Ships one store. Belongs to the event loop in which it was created.

    Args:
        settings: those of the service; ``journal`` names the folder.

    Raises:
        NoJournalError: it does not.
        JournalError: the journal cannot be written.
    """

    def __init__(self, settings: Settings) -> None:
        folder = settings.journal_folder
        if folder is None:
            raise NoJournalError("PARLOUR_JOURNAL names no folder for the journal")
        self._folder: Path = folder
        self._client = commands(settings.store_url)
        self._listener = listening(settings.store_url)
        self.log = StreamLog(self._client, self._listener, settings.layout())
        self._caller = Caller(self._client, keeps_connection=True)
        self._pages = FeedPages(self.log, self._caller)
        self._restoring = Restoring(self._client, self.log.layout)
        self.writer = JournalWriter(folder)
        self._shards = range(self.log.layout.shards)
        self._moved = asyncio.Event()
        self._news: set[int] = set(self._shards)
        self._epoch = 0
        self._blocked: set[int] = set()
        self._told: dict[int, str] = {}
        self._turn = 0
        self._stands_by = False

    async def run(self) -> None:
        """Ship for ever; survives restarts of the store, and a disk without room."""
        async with self.log.bells.heard(self._shards, self._hear):
            while True:
                try:
                    await self._ship_for_a_while()
                except (LogUnavailable, ForeignStoreError) as error:
                    _log.debug("shipper_lost_store", reason=str(error))
                except JournalError as error:
                    _log.error("journal_not_written", reason=str(error))
                    await self._open_anew()
                await asyncio.sleep(_PAUSE_S)

    async def _ship_for_a_while(self) -> None:
        """Look, and ship what bells tell of, again and again."""
        now = asyncio.get_running_loop().time
        while True:
            await self.look()
            end = now() + QUIET_S
            while now() < end:
                if not await self.ship():
                    await self._wait_for_news(end)

    async def _wait_for_news(self, end: float) -> None:
        """Wait until a bell tells of something to ship, or until a time of the loop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(end):
                await self._moved.wait()

    async def _open_anew(self) -> None:
        """Open the journal again, whenever that is possible."""
        self._epoch = 0
        self.writer.close()
        while True:
            try:
                self.writer = await asyncio.to_thread(JournalWriter, self._folder)
            except JournalError as error:
                _log.debug("journal_not_opened", reason=str(error))
                await asyncio.sleep(_PAUSE_S)
            else:
                return

    async def look(self) -> None:
        """Look at the ends of all shards, and put back what the store has lost.

        Raises:
            JournalError: the journal is of another store, or cannot be written.
            ForeignStoreError: what the store says of itself cannot be read.
            LogUnavailable: it does not answer.
        """
        place = self.log.layout.identity()
        try:
            identity = identity_of(await self._client.hgetall(place))
        except NO_ANSWER as error:
            raise LogUnavailable(str(error)) from error
        self._blocked = set()
        if identity is None:
            self._epoch = 0
            return
        if self._epoch != identity.epoch:
            await self._name(identity)
        await self._take_turn(TURN_MS)
        ends = await asyncio.gather(*map(self._restoring.feed_end, self._shards))
        files = await self._kept_files()
        kept = [entry for entries in files.values() for entry in entries]
        for shard, (end, shipped) in zip(self._shards, ends, strict=True):
            own = self.writer.end(shard)
            if own.seq and end != own and not await self._is_own(shard, own, end):
                continue
            if end.seq <= own.seq:
                self._told.pop(shard, None)
                await self._heal_kept(shard, own, [each for each in kept if each.shard == shard])
            if shipped != own:
                await self._publish({shard: own})
            if end.seq > own.seq:
                self._news.add(shard)
        await self._tidy(files)

    async def ship(self) -> bool:
        """Ship what there is of the shards with news; whether there is more.

        Raises:
            JournalError: the journal cannot be written; open it anew.
            LogUnavailable: the store does not answer.
        """
        shards, self._news = sorted(self._news - self._blocked), set()
        self._moved.clear()
        if not self._epoch or not shards:
            return False
        pages = await asyncio.gather(*map(self._page, shards))
        entries = [entry for page in pages for entry in page]
        if not entries:
            return False
        await asyncio.to_thread(self.writer.append, entries)
        shipped = {page[-1].shard: page[-1].mark for page in pages if page}
        for shard in shipped:
            self._told.pop(shard, None)
        await self._publish(shipped)
        self._news |= {page[0].shard for page in pages if len(page) == PAGE}
        return bool(self._news)

    async def close(self) -> None:
        """End the turn, and release the journal and the connections."""
        if self._turn:
            # Its client's closing would end the call of whoever does not wait for the answer.
            with contextlib.suppress(LogUnavailable):
                await self._take_turn(0)
        self.writer.close()
        await close_client(self._client)
        await self._listener.aclose()

    def _hear(self, shard: int, ring: Ring | None) -> None:
        if ring is None or ring.seq > self.writer.end(shard).seq:
            self._news.add(shard)
            self._moved.set()

    async def _page(self, shard: int) -> list[JournalEntry]:
        try:
            return await self._pages.read(shard, self.writer.end(shard), PAGE)
        except (FeedBroken, Damaged) as error:
            self._tell(shard, str(error))
            return []

    async def _take_turn(self, lasts_ms: int) -> None:
        """Be the one that says what is shipped, or wait until it is this one's turn.

        Raises:
            LogUnavailable: the store does not answer.
        """
        place = self.log.layout.shipping()
        match await self._caller.call(_TAKE_TURN, [place], [self.writer.id, lasts_ms]):
            case [b"has", int(number)]:
                self._turn, self._stands_by = number, False
            case [b"waits", int(_), bytes(journal)]:
                self._turn = 0
                if not self._stands_by:
                    self._stands_by = True
                    _log.info("shipper_stands_by", journal=journal.decode())
            case answer:
                raise LogUnavailable(f"an answer that the script does not give: {answer!r}")

    async def _publish(self, shipped: Mapping[int, Mark]) -> None:
        """Say in the store what is in the journal, if it is this one's turn."""
        if not self._turn:
            return
        layout = self.log.layout
        answers = await asyncio.gather(
            *(
                self._caller.call(TELL, [layout.meta(shard)], [self._turn, mark.words])
                for shard, mark in shipped.items()
            )
        )
        if [b"past"] in answers:  # it has stood still, and another one has gone on
            self._turn = 0
            _log.warning("shipper_overtaken")
            return
        bells = (
            self._caller.command("SPUBLISH", layout.feed(shard), told_by(mark, JOURNALED))
            for shard, mark in shipped.items()
        )
        await asyncio.gather(*bells, return_exceptions=True)  # hints, which may fail

    async def _name(self, identity: Identity) -> None:
        """The store is in another epoch than before: its feeds may go on from earlier entries."""
        ends = dict(self.writer.mark.shards)
        if 0 < self.writer.mark.epoch < identity.epoch and identity.store == self.writer.mark.store:
            for shard, end in ends.items():
                ends[shard] = await self._common(shard, end)
        await asyncio.to_thread(self.writer.name, StoreNamed.of(identity, ends))
        self._epoch = identity.epoch

    async def _common(self, shard: int, own: Mark) -> Mark:
        """The last entry of a shard that the store and the journal have in common."""
        if await self._restoring.link_at(shard, own.seq) == own.chain:
            return own
        found = await asyncio.to_thread(tails, self._folder, {shard: 0})
        for entry in reversed(found[shard]):
            if await self._restoring.link_at(shard, entry.seq) == entry.link:
                return entry.mark
        return Mark(0)

    async def _is_own(self, shard: int, own: Mark, end: Mark) -> bool:
        """Whether the store has all that the journal has; what it lacks is put back."""
        try:
            if end.seq >= own.seq:
                if await self._restoring.link_at(shard, own.seq) == own.chain:
                    return True
                self._tell(shard, f"the feed has another history at {own.seq} than the journal")
                return False
            found = (await asyncio.to_thread(tails, self._folder, {shard: end.seq}))[shard]
            tail, done = await heal(self._restoring, shard, found)
        except (Damaged, StoreBehind) as error:
            self._tell(shard, str(error))
            return False
        if done:
            _log.warning("tail_put_back", shard=shard, batches=done)
        if tail is not Tail.WHOLE:
            self._tell(shard, f"shard {shard} cannot go on as the journal has it")
        return tail is Tail.WHOLE

    async def _kept_files(self) -> dict[Path, list[JournalEntry]]:
        """What processes that could not wait, or have ended, kept aside, by file."""
        try:
            return await asyncio.to_thread(kept_files, self._folder)
        except JournalError as error:
            _log.error("kept_batches_damaged", reason=str(error))
            return {}

    async def _tidy(self, files: Mapping[Path, Sequence[JournalEntry]]) -> None:
        """Remove the files of which everything is in the journal."""
        for path, entries in files.items():
            newest = {entry.shard: entry for entry in entries}
            for entry in newest.values():
                if entry.seq > self.writer.end(entry.shard).seq:
                    break
                if await self._restoring.link_at(entry.shard, entry.seq) != entry.link:
                    break
            else:
                path.unlink(missing_ok=True)

    async def _heal_kept(self, shard: int, own: Mark, kept: list[JournalEntry]) -> None:
        """Put back what follows on the journal's end and was kept aside."""
        entries = continued(own.seq, kept)
        try:
            _, done = await heal(self._restoring, shard, entries)
        except (Damaged, StoreBehind) as error:
            self._tell(shard, str(error))
            return
        if done:
            self._news.add(shard)
            _log.warning("tail_put_back", shard=shard, batches=done)

    def _tell(self, shard: int, reason: str) -> None:
        """A shard is not shipped, until an operator has decided or it fits again."""
        self._blocked.add(shard)
        if self._told.get(shard) != reason:
            self._told[shard] = reason
            _log.error("shard_not_shipped", shard=shard, reason=reason)


async def ship(settings: Settings) -> int:
    """Ship until a signal arrives; returns the process's exit code.

    Raises:
        NoJournalError, JournalError: see ``Shipper``.
    """
    stop = stop_event()
    shipper = Shipper(settings)
    _log.info("shipper_started")
    try:
        await run_until_one_ends({"stop": stop.wait(), "shipper": shipper.run()})
    finally:
        await shipper.close()
    _log.info("shipper_stopped")
    return 0
