"""A whole store, verified: every stream, and everything that is kept beside them. Reads only.

Streams are read in pages, and only a limited number of a shard's stream names is in memory at a
time; all names are kept in a temporary folder meanwhile. The service may keep running: what moves
is no fault.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Final
from zlib import crc32

from msgspec import Struct
from redis.asyncio import RedisCluster
from redis.exceptions import RedisError, ResponseError

from club.account_events import ACCOUNT_COMMANDS, ACCOUNT_EVENTS
from club.accounts import Accounts
from events.clients import Client, connected
from events.codec import Registry, Stored
from events.layout import BadStreamIdError, Layout
from events.log import Damaged, StreamLog
from events.names import opens_one_of
from events.scripts import Caller, LogUnavailable, load_script
from games.game_registry import GameRegistry, installed_games
from projections.lobby import ListKeys
from replay.identity_audit import IDENTITY_CHECKS, STORE, identity_faults
from replay.link_audit import LINK_CHECKS, LINKS, Heads, LinkAudit
from replay.list_audit import (
    FEED,
    INDEXES,
    LISTS,
    SHARD_CHECKS,
    TIMERS,
    ShardAudit,
    number_of,
    row_of,
)
from replay.stream_audit import (
    COMMANDS,
    HEAD,
    NAMES,
    NOT_CHECKED,
    ROW,
    STREAM_CHECKS,
    VERSIONS,
    AuditFault,
    Executed,
    KeptBesideStream,
    StreamAudit,
    StreamKind,
)
from runtime.settings import Settings

CHECKS: Final = {**STREAM_CHECKS, **SHARD_CHECKS, **LINK_CHECKS, **IDENTITY_CHECKS}
"""All checks, and what each shows."""

TELL_EVERY: Final = 1000
"""Streams between two progress reports."""

TIMEOUT_S: Final = 10.0
"""Longer than a process that keeps the lists waits for a stalled store."""

_PAGE: Final = 256
_NAMES: Final = 100_000
_STAND = load_script(__package__, "stand.lua")


class AuditTally(Struct):
    """How much has been read, and how many faults were found.

    ``unchecked`` games are those that this program does not play: their rules were not checked.
    """

    games: int = 0
    accounts: int = 0
    events: int = 0
    faults: int = 0
    unchecked: int = 0

    def line(self) -> str:
        """In words."""
        read = f"{self.games} games, {self.accounts} accounts, {self.events} events"
        return f"{read}, {self.unchecked} games without their rules" if self.unchecked else read


class StoreAudit:
    """Verifies one store.

    Args:
        settings: those of the service, with the store's URL and the keys of its secrets.
        game_registry: the games that it holds.
        tell: called now and then with the progress of the audit.
        names: how many stream names to hold in memory at a time.
        timeout_s: seconds within which lists that are behind must move.
    """

    def __init__(
        self,
        settings: Settings,
        game_registry: GameRegistry | None = None,
        tell: Callable[[AuditTally], None] = lambda _: None,
        names: int = _NAMES,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        game_registry = game_registry or installed_games()
        self.tally = AuditTally()
        self._settings = settings
        self._keys = settings.key_ring()
        self._tell = tell
        self._names = names
        self._timeout_s = timeout_s
        self._lists = ListKeys(settings.layout())
        accounts = Registry(ACCOUNT_EVENTS, ACCOUNT_COMMANDS)
        self._kinds: dict[str, StreamKind[Any]] = {
            "g": StreamKind(
                game_registry.table,
                game_registry.registry_of,
                game_registry.table_types,
                game_registry.table,
            ),
            "p": StreamKind(Accounts(), lambda _: accounts, accounts),
        }

    async def faults(self) -> AsyncIterator[AuditFault]:
        """Everything that is wrong, and what could not be checked, as it is found.

        Raises:
            LogUnavailable: the store does not answer.
        """
        settings = self._settings
        async with connected(settings.store_url) as (client, listener):
            log = StreamLog(client, listener, settings.layout())
            with tempfile.TemporaryDirectory(prefix="audit-") as folder:
                names = _Names(Path(folder), log.layout, self._names)
                async for fault in self._store(client, log, names):
                    self._count_fault(fault)
                    yield fault

    def _count_fault(self, fault: AuditFault) -> None:
        if fault.check == NOT_CHECKED:
            self.tally.unchecked += 1
        else:
            self.tally.faults += 1

    async def _store(
        self, client: Client, log: StreamLog, names: _Names
    ) -> AsyncIterator[AuditFault]:
        """What the store says of itself, the names of its streams, then one shard at a time.

        Raises:
            LogUnavailable: the store does not answer.
        """
        try:
            said = identity_faults(client, log.layout, self._keys)
            async for fault in _told(STORE, "store", said):
                yield fault
            async for fault in names.collect(client, self._settings.prefix):
                yield fault
            for shard in range(self._settings.shards):
                async for fault in self._shard(client, log, shard, names):
                    yield fault
        except RedisError as error:
            raise LogUnavailable(str(error)) from error

    async def _shard(
        self, client: Client, log: StreamLog, shard: int, names: _Names
    ) -> AsyncIterator[AuditFault]:
        """One shard: its streams, then what is kept beside them."""
        beside = ShardAudit(client, log, shard, self._timeout_s)
        before, end = (0, 0), 0
        try:
            end = await beside.end()
            before = await beside.begin()
        except LogUnavailable as error:
            yield _wrong_kind(LISTS, f"shard {shard}", error)
        with closing(names.heads(shard, end)) as heads:
            for part in names.parts(shard):
                streams = names.of(shard, part)
                for stream in sorted(streams):
                    read = self._stream(log, Caller(client), stream, heads)
                    async for fault in _told(HEAD, stream, read):
                        yield fault
                async for fault in _told(FEED, f"shard {shard}", beside.feed(streams, part)):
                    yield fault
            for check, found in (
                (LINKS, LinkAudit(client, log.layout, shard, heads).faults()),
                (TIMERS, beside.timers()),
                (LISTS, beside.lists(before)),
                (INDEXES, beside.indexes()),
            ):
                async for fault in _told(check, f"shard {shard}", found):
                    yield fault

    async def _stream(
        self, log: StreamLog, caller: Caller, stream: str, heads: Heads
    ) -> AsyncIterator[AuditFault]:
        """One stream, in pages."""
        kind = self._kinds.get(stream[0])
        if kind is None:
            yield AuditFault(HEAD, stream, 0, "neither a game nor an account")
            return
        stand = await self._stand(log.layout, caller, stream)
        audit = StreamAudit(stream, stand, kind, self._keys)
        if stand.row_unreadable:
            yield AuditFault(ROW, stream, 0, "it cannot be read")
        for fault in audit.begin():
            yield fault
        while audit.version < (stand.version or 0):
            page, hole = await _page(log, stream, audit.version, stand.version or 0)
            for fault in audit.read(page):
                yield fault
            if hole is not None:
                yield AuditFault(VERSIONS, stream, audit.version + 1, hole)
                break
            ended = audit.take_records(all_of_them=audit.version == stand.version)
            for fault in await _unremembered(log, caller, stream, ended, heads):
                yield fault
        for fault in audit.end():
            yield fault
        if stream.startswith("p"):
            for text in await _wrong_names(log, stream):
                yield AuditFault(NAMES, stream, 0, text)
        self._count(stream, audit.version)

    def _count(self, stream: str, events: int) -> None:
        tally = self.tally
        if stream.startswith("g"):
            tally.games += 1
        else:
            tally.accounts += 1
        tally.events += events
        if (tally.games + tally.accounts) % TELL_EVERY == 0:
            self._tell(tally)

    async def _stand(self, layout: Layout, caller: Caller, stream: str) -> KeptBesideStream:
        keys = layout.stream(stream)
        rows = self._lists.rows(layout.shard_of(stream))
        names = (keys.head, keys.entries, keys.commands, keys.due, keys.meta, rows)
        version, head, status, entries, count, due, seq, at, packed = await caller.call(
            _STAND, names, [stream]
        )
        row = row_of(packed) if packed else None
        return KeptBesideStream(
            version=number_of(version),
            head=head,
            status=status.decode(),
            entries=entries,
            commands=count,
            due=int(float(due)) if due else None,
            reached=seq,
            listed=number_of(at),
            row=row,
            row_unreadable=bool(packed) and row is None,
        )


async def _unremembered(
    log: StreamLog, caller: Caller, stream: str, batches: Sequence[Executed], heads: Heads
) -> list[AuditFault]:
    """Batches that are not remembered under their commands' names, or as others than they are.

    Of those that are, the head is noted for the entry of the feed that they are remembered with.
    """
    if not batches:
        return []
    key = log.layout.stream(stream).commands
    found = await caller.command("HMGET", key, *(each.name for each in batches))
    result = []
    for each, word in zip(batches, found, strict=True):
        said = (
            "nothing" if word is None else ":".join(word.decode(errors="replace").split(":")[1:3])
        )
        if said != f"{each.first}:{each.count}":
            text = f"{each.name} is remembered as {said}, not as {each.first}:{each.count}"
            result.append(AuditFault(COMMANDS, stream, each.first, text))
        elif word is not None:
            heads.note(number_of(word.rpartition(b":")[2]) or 0, each.head)
    return result


async def _told(
    check: str, name: str, faults: AsyncIterator[AuditFault]
) -> AsyncIterator[AuditFault]:
    """Faults as they come; a key that holds another kind of value than it should is one, too.

    Raises:
        LogUnavailable: the store does not answer.
    """
    try:
        async for fault in faults:
            yield fault
    except LogUnavailable as error:
        yield _wrong_kind(check, name, error)


def _wrong_kind(check: str, name: str, error: LogUnavailable) -> AuditFault:
    """What the store's refusal means.

    Raises:
        LogUnavailable: it has not refused, it does not answer.
    """
    if not isinstance(error.__cause__, ResponseError):
        raise error
    return AuditFault(check, name, 0, f"a key is not what it should be: {error.__cause__}")


async def _page(
    log: StreamLog, stream: str, after: int, last: int
) -> tuple[list[Stored], str | None]:
    """The next entries, and what is wrong with the one after them, if that is missing."""
    limit = min(_PAGE, last - after)
    try:
        page = await log.read(stream, after, limit)
    except Damaged:
        page = []
        while True:  # one by one, up to the hole
            try:
                page += await log.read(stream, after + len(page), 1)
            except Damaged as error:
                return page, str(error)
    return page, None if len(page) == limit else "the stream ends before it"


async def _wrong_names(log: StreamLog, account: str) -> list[str]:
    """What is wrong with the names that are kept of an account."""
    try:
        kept = await log.names.read(account)
    except ValueError:  # of whatever msgspec cannot read
        return ["one cannot be read"]
    # That of a player's present name lies under the seals of former ones too.
    wrong = [each for each in kept.openings.values() if not opens_one_of(each, kept.openings)]
    found = [f"{len(wrong)} do not open their seals"] if wrong else []
    return [*found, *(["the account was deleted"] if kept.deleted and kept.openings else [])]


class _Names:
    """The names of all streams, by shard, in files; handed out by parts.

    Args:
        folder: where the files are.
        layout: knows the shards.
        most: how many names of a part are in memory, about.
    """

    def __init__(self, folder: Path, layout: Layout, most: int) -> None:
        self._folder = folder
        self._layout = layout
        self._most = most
        self._counts = [0] * layout.shards

    async def collect(self, client: Client, prefix: str) -> AsyncIterator[AuditFault]:
        """Write down the name of everything that has a key of a stream."""
        files: dict[int, IO[str]] = {}
        pattern = _escaped(prefix) + "{*}:g:*:[hec]"
        try:
            async for key in _keys(client, pattern):
                stream = key.rsplit(":", 2)[1]
                try:
                    shard = self._layout.shard_of(stream)
                    keys = self._layout.stream(stream)
                except BadStreamIdError as error:
                    yield AuditFault(HEAD, stream, 0, str(error))
                    continue
                if key not in {keys.head, keys.entries, keys.commands}:
                    yield AuditFault(HEAD, stream, 0, f"{key} is no place for it")
                    continue
                if shard not in files:
                    files[shard] = self._file(shard).open("w", encoding="ascii")
                files[shard].write(stream + "\n")
                self._counts[shard] += 1
        finally:
            for file in files.values():
                file.close()

    def parts(self, shard: int) -> Iterator[Callable[[str], bool]]:
        """The parts of a shard's names: each says whether a name belongs to it."""
        count = self._counts[shard] // 3 // self._most + 1  # each stream has three keys

        def part(number: int) -> Callable[[str], bool]:
            return lambda name: crc32(name.encode()) % count == number

        yield from map(part, range(count))

    def of(self, shard: int, part: Callable[[str], bool]) -> set[str]:
        """The names of a part."""
        if not self._counts[shard]:
            return set()
        with self._file(shard).open(encoding="ascii") as lines:
            return {name for line in lines if part(name := line.rstrip("\n"))}

    def heads(self, shard: int, end: int) -> Heads:
        """Where the heads of a shard's batches are noted, up to an entry of its feed."""
        return Heads(self._folder / f"{shard}.heads", end)

    def _file(self, shard: int) -> Path:
        return self._folder / f"{shard}.txt"


def _escaped(text: str) -> str:
    """A text as it stands in a pattern of the store."""
    return "".join(f"\\{each}" if each in "*?[]\\" else each for each in text)


async def _keys(client: Client, pattern: str) -> AsyncIterator[str]:
    if isinstance(client, RedisCluster):
        await client.initialize()
    async for key in client.scan_iter(match=pattern, count=1000):
        yield key.decode()
