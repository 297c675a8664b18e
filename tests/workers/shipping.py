"""Processes that append and ship, for tests of what a store loses and gets back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from events import seal
from events.clients import Client, close_client, commands, listening
from events.layout import Layout
from events.log import Append, StreamLog
from events.unshipped import Unshipped
from runtime.journal.healing import TailKeeper, tail_keeper
from tests.events.lab import AT
from tests.events.setting_back import Everything, everything
from tests.service.stage import settings_for
from workers.shipper import Shipper

SHARD = 1
SHARDS = 4
ONE, TWO = "g01-one", "g01-two"
_COMMANDS = count(1)


class Heads:
    """The streams of a test, as whoever appends to them knows them."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[int, bytes]] = {}

    def batch(self, stream: str = ONE, events: int = 1) -> Append:
        """The next batch of a stream; that it is appended is taken for granted."""
        version, head = self._at.get(stream, (0, seal.genesis(stream)))
        name = f"command-{next(_COMMANDS)}"
        first = f'{{"batch":{{"id":"{name}"}}}}'.encode()
        publics = [first, *(b"{}" for _ in range(events - 1))]
        after = seal.chain(head, version, publics)
        self._at[stream] = (version + events, after)
        return Append(
            stream=stream,
            after=version,
            previous=head,
            entries=[(each, b"\x00%d" % version) for each in publics],
            head=after,
            command_id=name,
            digest=f"of {name}",
            status=f"live {version}",
            due=AT + version if version % 2 else None,
            at=AT,
        )

    def at(self, stream: str) -> tuple[int, bytes]:
        """Version and head of a stream."""
        return self._at[stream]

    def copy(self) -> Heads:
        """What somebody knows who hears no more of the others."""
        made = Heads()
        made._at = dict(self._at)
        return made


class Process:
    """A process that appends, and keeps what the journal does not have yet."""

    def __init__(self, log: StreamLog, tail: TailKeeper, heads: Heads) -> None:
        self.log = log
        self.tail = tail
        self.heads = heads

    async def append(self, *streams: str) -> None:
        """Append a batch to each stream in turn."""
        for stream in streams:
            await self.log.append(self.heads.batch(stream))

    @property
    def unshipped(self) -> list[int]:
        """The numbers of the batches that are not known to be shipped."""
        assert self.log.unshipped is not None
        return [each.seq for each in self.log.unshipped.of(SHARD)]


@asynccontextmanager
async def process(url: str, folder: Path, heads: Heads) -> AsyncIterator[Process]:
    """A process on a store with a journal."""
    client, listener = commands(url), listening(url)
    log = StreamLog(client, listener, Layout(SHARDS), unshipped=Unshipped())
    tail = tail_keeper(log, client, folder, "api")
    assert tail is not None
    try:
        yield Process(log, tail, heads)
    finally:
        await close_client(client)
        await listener.aclose()


@asynccontextmanager
async def shipper(url: str, folder: Path) -> AsyncIterator[Shipper]:
    """What ships a store into a folder; it does so when it is told to."""
    made = Shipper(settings_for(url, journal=str(folder)))
    try:
        yield made
    finally:
        await made.close()


async def ship_all(made: Shipper) -> None:
    """Look, and ship all that there is."""
    await made.look()
    while await made.ship():
        pass


async def games(client: Client) -> Everything:
    """All streams, heads, commands, deadlines and feeds, key by key."""
    found = await everything(client)
    return {
        key: value for key, value in found.items() if not key.endswith((b":m", b":probe", b":ship"))
    }
