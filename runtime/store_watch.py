"""Checks once a second that the store is the one this process knows.

What a process has seen of the store is kept outside it (``mark_files``). If the store is another
one, or has less than was seen, the process does not write: commands are refused, the clock stops,
and the operator is alerted. Nothing is guessed: a process that knows nothing of its store asks the
clock and waits for the answer. Only the clock names a store, and only a new and empty one, if no
process on its machine has ever seen one.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from events.clients import Client, commanding
from events.identity import (
    ForeignStoreError,
    Identities,
    Identity,
    StoreMismatchError,
    mismatch,
)
from events.keys import KeyRing
from events.known import Known, Marks, StoreStatement, judge, newest
from events.logger import get_logger
from events.lookout import Lookout
from events.scripts import LogUnavailable
from events.stand import read_stand
from runtime.mark_files import Kind, MarkFile, MarksError, read_marks
from runtime.marks_exchange import MarksExchange
from runtime.settings import Settings

LOOK_S: Final = 1.0
"""Seconds between two looks, and between two writes of marks."""

WAIT_S: Final = 0.1
"""Seconds between two polls of a process that waits for the clock's answer."""

UNMARKED: Final = (
    "nothing is known here of this store, and no clock has said yet how far it had come; start the"
    " clock, which goes on from what it knows"
)

MARKS_LOST: Final = (
    "nothing is known here of this store, which is not empty, and nobody else can tell the clock"
    " how far it had come; see parlour store accept"
)

_KEEPERS: Final = frozenset({"api", "clock"})
_log = get_logger(__name__)


class StoreWatch(Lookout):
    """Watches a store for one process. Belongs to the client's event loop.

    Args:
        client: the store.
        settings: of the process.
        kind: what the process is.
        seconds: a clock that never jumps.

    Attributes:
        known: what is known of the store; None if the settings turn the check off.
    """

    def __init__(
        self,
        client: Client,
        settings: Settings,
        kind: Kind,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(LOOK_S, "store_not_seen", seconds)
        self.known = None if settings.marks_folder is None else Known()
        self._client = client
        self._layout = settings.layout()
        self._keys: KeyRing = settings.key_ring()
        self._kind: Kind = kind
        self._folder: Path | None = settings.marks_folder
        self._identities = Identities(client, self._layout)
        self._exchange = MarksExchange(client, settings.prefix)
        self._file: MarkFile | None = None
        self._written: Marks | None = None
        self._told = ""
        self._has_met = False

    @property
    def path(self) -> Path | None:
        """The file in which this process keeps its marks, if it keeps any."""
        return None if self._file is None else self._file.path

    @property
    def may_write(self) -> bool:
        """Whether the store is the one this process knows, as of the last check."""
        return self.known is None or not self.known.trouble

    @property
    def _names_stores(self) -> bool:
        """Without marks every process may write: none could know better."""
        return self._kind == "clock" or self._folder is None

    async def meet(self) -> None:
        """Check that the settings match the store; the clock names a store without a name.

        A store is new if it is unnamed and empty and no process of this machine has ever seen one.

        Raises:
            ForeignStoreError: it holds data but does not say what it is.
            StoreMismatchError: the settings do not match it.
            LogUnavailable: it does not answer.
        """
        stand = await read_stand(self._client, self._layout, None)
        if stand.identity is None and await self._knows_none():
            if not self._names_stores:
                await self._identities.require_empty()
            else:
                now = time.time_ns() // 1_000_000
                await self._identities.found(secrets.token_hex(8), self._keys, now, self._kind)
                stand = await read_stand(self._client, self._layout, None)
        self._has_met = True
        if stand.identity is None:
            return
        wrong = mismatch(stand.identity, self._layout, self._keys)
        if wrong:
            raise StoreMismatchError(wrong)
        if stand.is_empty and any(end.name is None for end in stand.ends.values()):
            await self._identities.name_new_shards(stand.identity.name)

    async def begin(self) -> None:
        """Check the store for the first time, and find out whether this process may write to it.

        A store that does not answer is checked later; until then this process does not write.

        Raises:
            MarksError: no marks can be kept.
            ForeignStoreError, StoreMismatchError: see ``meet``.
        """
        if self._folder is None:
            _log.warning("store_not_watched")
        elif self._kind in _KEEPERS and self._file is None:
            self._file = MarkFile(self._folder, self._kind)
        try:
            await self.meet()
            await self.look()
        except LogUnavailable as error:
            _log.debug("store_not_seen", reason=str(error))

    async def _look(self) -> None:
        """Look; what was seen is kept."""
        known = self.known
        if known is None:
            return
        try:
            marks = await self._recalled(known)
            stand = await read_stand(self._client, self._layout, marks)
            known.trouble = await self._trouble(known, marks, stand)
        except (MarksError, ForeignStoreError) as error:
            known.trouble, known.waits = str(error), False
        self._tell(known)
        found = known.marks()
        if found is None:
            return
        if self._kind == "clock":
            await self._exchange.answer(found)
        if not known.trouble:
            await self._keep(found)

    def _pause_s(self) -> float:
        return WAIT_S if self.known is not None and self.known.waits else LOOK_S

    async def close(self) -> None:
        """Save what was seen last, and release the file to the next process."""
        if self._file is None:
            return
        known = self.known
        found = None if known is None or known.trouble else known.marks()
        if found is not None:
            await self._keep(found)
        self._file.close()
        self._file = None

    async def _look_anyhow(self) -> None:
        """As ``look``; runs the first check if that is still outstanding."""
        try:
            if not self._has_met:
                await self.meet()
            await self.look()
        except (ForeignStoreError, StoreMismatchError) as error:
            _log.error("store_mismatch", reason=str(error))

    async def _knows_none(self) -> bool:
        """Whether no process of this machine has ever seen a store."""
        try:
            return self._folder is None or await asyncio.to_thread(read_marks, self._folder) is None
        except MarksError:
            return False

    async def _recalled(self, known: Known) -> Marks | None:
        """What is known of the store: here, by others of this machine, or by the clock.

        While something is wrong the files are read again: an operator may have fixed it.

        Raises:
            MarksError: the files contradict one another.
        """
        own = known.marks()
        if own is not None and not known.trouble:
            return own
        assert self._folder is not None
        files = await asyncio.to_thread(read_marks, self._folder)
        try:
            found = newest(each for each in (files, own) if each is not None)
        except ValueError as error:
            raise MarksError(str(error)) from error
        if found is None and self._kind != "clock":
            found = await self._exchange.ask()
        return found

    async def _trouble(self, known: Known, marks: Marks | None, stand: StoreStatement) -> str:
        """Why this process may not write; empty if it may, and what it saw is then recorded."""
        identity = stand.identity
        wrong = "" if identity is None else mismatch(identity, self._layout, self._keys)
        known.fits = not wrong
        known.waits = not wrong and marks is None and self._kind != "clock"
        if wrong:
            return wrong
        if marks is None:
            if known.waits:
                return UNMARKED
            if identity is None or not stand.is_empty:
                return MARKS_LOST
            marks = Marks(identity.store, identity.epoch, {})
        trouble = judge(marks, stand)
        if trouble or identity is None:
            known.learn(marks)
            return trouble
        await self._advance(known, identity, marks, stand)
        return ""

    async def _advance(
        self, known: Known, identity: Identity, marks: Marks, stand: StoreStatement
    ) -> None:
        """The store is the known one: record how far it has come."""
        if any(end.name is None for end in stand.ends.values()):
            await self._identities.name_new_shards(identity.name)
        if set(self._keys.key_ids) - set(identity.keys):
            await self._identities.add_keys(identity, self._keys)
        if identity.epoch > marks.epoch:
            _log.info("epoch_adopted", store=identity.store, epoch=identity.epoch)
        ends = {shard: end.mark for shard, end in stand.ends.items()}
        known.learn(Marks(identity.store, identity.epoch, ends))

    def _tell(self, known: Known) -> None:
        """Log changes in whether this process may write."""
        if known.trouble == self._told:
            return
        if not known.trouble:
            _log.info("store_known_again", store=known.name)
        elif not known.fits:
            _log.error("store_mismatch", reason=known.trouble)
        elif known.trouble in {UNMARKED, MARKS_LOST}:
            _log.error("store_unmarked", reason=known.trouble)
        else:
            _log.error("store_behind", reason=known.trouble)
        self._told = known.trouble

    async def _keep(self, marks: Marks) -> None:
        """Save marks if they are new, off the event loop."""
        file = self._file
        if file is None or marks == self._written:
            return
        try:
            await asyncio.to_thread(file.write, marks)
        except MarksError as error:
            _log.error("marks_not_kept", reason=str(error))
        else:
            self._written = marks


async def require_own_store(settings: Settings, kind: Kind) -> None:
    """Check, before anything is wired, that the store is ours or new and matches the settings.

    Raises:
        MarksError: the process cannot keep marks but should.
        ForeignStoreError, StoreMismatchError, LogUnavailable: see ``StoreWatch.meet``.
    """
    if kind in _KEEPERS and settings.marks_folder is not None:
        MarkFile(settings.marks_folder, kind).close()
    async with commanding(settings.store_url) as client:
        await StoreWatch(client, settings, kind).meet()


async def found_store(settings: Settings) -> None:
    """Check a store as the clock does at first: name it if it is new, and keep marks of it.

    For a supervisor that starts other processes beside the clock, so that they need not wait for
    it.

    Raises:
        MarksError, ForeignStoreError, StoreMismatchError: see ``StoreWatch.begin``.
    """
    async with commanding(settings.store_url) as client:
        watch = StoreWatch(client, settings, "clock")
        try:
            await watch.begin()
        finally:
            await watch.close()
