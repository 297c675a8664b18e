"""Puts batches back that a store has lost, each where it was and byte for byte.

A batch is appended by the script that appended it first, and only where the feed ends just before
it and its link comes out the same. So a feed that has got back its tail is the very feed that was
lost, whoever put back which part; and nothing is put on top of what others have written since.
Where an operator chooses what was lost instead of that, the shard is first set back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from events.clients import Client, texts_of
from events.kernel import Version
from events.known import Known, Mark, StoreBehind
from events.layout import Layout
from events.log import APPEND, Damaged
from events.scripts import Caller, LogUnavailable, load_script
from events.unshipped import JournalEntry

_SET_BACK: Final = load_script(__package__, "set_back.lua")


class EarlierStream(Struct, frozen=True):
    """Where a stream stood, and which commands have been appended to it ``later``.

    ``due`` is in ms, or ``-``: nothing was waited for. At version 0 there was no such stream.
    """

    stream: str
    version: Version
    head: bytes
    status: str
    due: str
    later: Sequence[str]


class Restoring:
    """Puts batches back into one store. Belongs to the client's event loop.

    Args:
        client: for short calls.
        layout: where everything lies.
        known: the store must be the one that this process knows; None: any will do.
    """

    def __init__(self, client: Client, layout: Layout, known: Known | None = None) -> None:
        self._caller = Caller(client, keeps_connection=True)
        self._layout = layout
        self._known = known

    @property
    def epoch(self) -> str:
        """The store and its epoch, as far as this process knows."""
        return "" if self._known is None else self._known.name

    async def restore(self, entry: JournalEntry) -> Mark | None:
        """Put back a batch that the store has lost, where it was, byte for byte.

        None: done. Otherwise where the feed ends: not where the batch belongs, or it is another.

        Raises:
            StoreBehind: the store is not the one that this process knows.
            Damaged: the stream is not as it was before the batch; nothing was written.
            LogUnavailable: the outcome is unknown.
        """
        keys = self._layout.stream(entry.stream)
        due = "-" if entry.due is None else entry.due
        args: list[bytes | str | int] = [entry.stream, entry.after, entry.previous]
        args += [entry.command_id, entry.digest, entry.head, entry.status, due]
        name = self.epoch
        # No clock is asked and no bell of a player rung: this was judged when it was appended.
        args += [0, "", 1, "", 0, 0, "", name, entry.seq - 1, "", entry.link]
        for public, private in entry.entries:
            args += [public, private or b""]
        match await self._caller.call(APPEND, keys.written, args):
            case [b"ok", *_]:
                if self._known is not None:
                    self._known.note(keys.shard, entry.seq, entry.link)
                return None
            case [b"elsewhere", seq, chain]:
                return Mark(seq, chain.decode())
            case [b"behind", store, seq] if store.decode() == name or not name:
                return Mark(seq)
            case [b"behind", store, _]:
                raise StoreBehind(f"the shard is of store {store.decode()!r}")
            case [b"conflict", version, _, _]:
                raise Damaged(f"{entry.stream} is at {version}, and its shard as it was before")
            case [b"damaged", what]:
                raise Damaged(f"{entry.stream}: {what.decode()}")
        raise LogUnavailable("an answer that the script does not give")

    async def set_back(
        self, shard: int, end: Mark, common: Mark, streams: Sequence[EarlierStream], accounts: int
    ) -> None:
        """Let a shard be what it was when its feed ended at ``common``.

        Args:
            shard: its number.
            end: where its feed ends now.
            common: where it is to end.
            streams: those that have moved since.
            accounts: how many of the batches that go are of accounts.

        Raises:
            Damaged: the feed has no such entry, or a stream lacks events; nothing was written.
            StoreBehind: somebody has appended meanwhile; nothing was written.
            LogUnavailable: the outcome is unknown.
        """
        layout = self._layout
        keys = [layout.meta(shard), layout.feed(shard), layout.due(shard)]
        keys.append(layout.account_feed(shard))
        args: list[bytes | str | int] = [end.seq, end.chain, common.seq, common.chain, accounts]
        for stream in streams:
            own = layout.stream(stream.stream)
            keys += [own.head, own.entries, own.commands]
            args += [stream.stream, stream.version, stream.head, stream.status, stream.due]
            args += [len(stream.later), *stream.later]
        match await self._caller.call(_SET_BACK, keys, args):
            case [b"set"]:
                return
            case [b"moved", seq, _]:
                raise StoreBehind(f"shard {shard} has moved to {seq}: stop what writes to it")
            case [b"elsewhere"]:
                raise Damaged(f"shard {shard} has another entry {common.seq}")
            case [b"damaged", what]:
                raise Damaged(f"{what.decode()} lacks events")
        raise LogUnavailable("an answer that the script does not give")

    async def feed_end(self, shard: int) -> tuple[Mark, Mark]:
        """Where a shard's feed ends, and up to where the journal has it.

        Raises:
            LogUnavailable: the store does not answer.
        """
        meta = self._layout.meta(shard)
        seq, chain, told = await self._caller.command("HMGET", meta, "seq", "chain", "shipped")
        number, _, link = (told or b"0 ").decode().partition(" ")
        return Mark(int(seq or 0), (chain or b"").decode()), Mark(int(number), link)

    async def link_at(self, shard: int, seq: int) -> str | None:
        """The link of an entry of a feed; None: there is no such entry.

        Raises:
            LogUnavailable: the store does not answer.
        """
        if not seq:
            return ""
        at = f"{seq}-0"
        page = await self._caller.command("XRANGE", self._layout.feed(shard), at, at)
        return texts_of(page[0][1]).get("h", "") if page else None
