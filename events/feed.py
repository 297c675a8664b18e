"""The feed of a shard: one pointer for each appended batch, numbered without gaps.

Projections and live delivery read the feeds, remember the last number of each shard and ask for
what follows it. Bells tell them when to (``bells``), and now and then they look without one. A gap
or a step back is never silently skipped: both raise ``FeedBroken``, and the reader must start again
from the streams themselves.

Each shard has a second feed, of its accounts alone. What they say is a small part of what happens,
and every process that has read an account needs it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from msgspec import Struct

from events import seal
from events.bells import Bells, Ear, ring_of
from events.clients import Client
from events.kernel import Version
from events.known import Mark
from events.layout import Layout
from events.replication import Replication
from events.scripts import Caller, LogError, LogUnavailable, load_script

_PAGE: Final = 512
_ENTRIES: Final = 256
SHOWN: Final = load_script(__package__, "shown.lua", reads=True)
"""Its arguments are in its own text."""

_QUIET_S: Final = 5.0
"""So often the feeds' ends are read, in case a bell was lost."""

_ANSWER_S: Final = 0.01
"""How long a bell waits for the answer to an append of this process, which may say the same."""


class FeedBroken(LogError):
    """The entry after the last one read is not there: trimmed, lost, or another history."""


class Pointer(Struct, frozen=True):
    """``count`` events brought ``stream`` to ``version``: entry ``seq`` of the shard's feed."""

    shard: int
    seq: int
    stream: str
    version: int
    count: int


class Began(Struct, frozen=True):
    """A shard is followed from the entry after ``seq`` on: what came before must be read."""

    shard: int
    seq: int


class Feed:
    """Reads the feeds of all shards, either those of all streams or those of accounts.

    Args:
        client: for short calls.
        bells: say when a feed has moved.
        layout: names the feeds.
        replication: what may be shown; None: everything.
        accounts: whether those of accounts are meant.

    Attributes:
        appending: how many appends of this process are under way in each shard.
    """

    def __init__(
        self,
        client: Client,
        bells: Bells,
        layout: Layout,
        replication: Replication | None = None,
        *,
        accounts: bool = False,
    ) -> None:
        self.replication = replication
        self.appending: Counter[int] = Counter()
        self.shards = range(layout.shards)
        self.key = layout.account_feed if accounts else layout.feed
        self.bells = bells
        self.shard_of = layout.shard_of
        self._caller = Caller(client, keeps_connection=True)
        self._layout = layout
        self._number = "aseq" if accounts else "seq"

    async def read(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """At most ``limit`` pointers of a shard after the number ``after``.

        Raises:
            FeedBroken: the next one is missing, or the feed ends before ``after``.
            LogUnavailable: the store does not answer.
        """
        page = await self.page(shard, after, limit)
        if not page and (await self.written([shard]))[shard] < after:
            raise _went_back(shard, after)
        if page and self.replication is not None:
            await self.replication.reached(shard, page[-1].seq)
            page = self.visible(shard, page)
        return page

    async def page(self, shard: int, after: int, limit: int) -> list[Pointer]:
        """As ``read``; a feed that ends before ``after`` is not noticed."""
        start = f"{after + 1}-0"
        mark = self.replication and self.replication.known(shard)
        found = await self._caller.command("XRANGE", self.key(shard), start, "+", "COUNT", limit)
        return _pointers(shard, after, found, mark or None)

    async def ends(self, shards: Iterable[int] | None = None) -> dict[int, int]:
        """The number of each shard's last pointer: where a reader that starts now begins.

        Raises:
            LogUnavailable: the store does not answer.
        """
        wanted = list(self.shards if shards is None else shards)
        replication = self.replication
        if replication is None:
            return await self.written(wanted)
        marks = await asyncio.gather(*(replication.mark(shard) for shard in wanted))
        ends = await self.written(wanted)
        return {
            shard: min(ends[shard], mark.seq) for shard, mark in zip(wanted, marks, strict=True)
        }

    async def written(self, shards: Iterable[int]) -> dict[int, int]:
        """As ``ends``, whether it may be shown or not."""
        wanted = list(shards)
        names = (self._layout.meta(shard) for shard in wanted)
        asked = (self._caller.command("HGET", name, self._number) for name in names)
        answers = await asyncio.gather(*asked)
        return {shard: int(seq or 0) for shard, seq in zip(wanted, answers, strict=True)}

    async def shown(
        self, stream: str, version: Version, head: bytes, *, insists: bool = False
    ) -> Version:
        """How much is replicated of a stream that was read up to ``version``, with this head.

        ``insists``: as for ``StreamLog.shown``.

        Raises:
            LogUnavailable: that is not known, or what was read is no part of the stream any more.
        """
        replication = self.replication
        if replication is None or not version or replication.has(stream, version, head):
            return version
        shard = self._layout.shard_of(stream)
        mark = await replication.mark(shard)
        while (above := await self._above(stream, version, head, mark)) is not None:
            if not await replication.reached(shard, above.seq, insists=insists):
                return above.version - above.count
            mark = await replication.mark(shard)
        replication.note(stream, version, head)
        return version

    async def _above(
        self, stream: str, version: Version, head: bytes, mark: Mark
    ) -> Pointer | None:
        """The first batch of a stream above the mark of its shard, as far as it was read.

        The store is asked for it and for what was read in one call: that nothing above the mark is
        of the stream says nothing of what was read from a machine that has been replaced since, and
        took it along; nor does a version that others have reached meanwhile by other events.

        Raises:
            LogUnavailable: what was read is not there any more, or the mark is not.
        """
        keys = self._layout.stream(stream)
        names = (keys.head, keys.entries, self._layout.feed(keys.shard))
        while True:
            words = (stream, version, head, _ENTRIES, mark.seq, mark.chain, _PAGE)
            match await self._caller.call(SHOWN, names, words):
                case [b"gone", int(_)]:
                    raise LogUnavailable(f"{stream} has no version {version} any more")
                case [b"changed"]:
                    raise LogUnavailable(f"{stream} has another version {version} by now")
                case [b"broken"]:
                    if self.replication is not None:
                        self.replication.forget()
                    what = f"shard {keys.shard} has not the entry {mark.seq}, which was replicated"
                    raise LogUnavailable(what)
                case [b"there", int(there), bytes(end), missing, int(seq), bytes(link), found]:
                    await self._require(stream, version, head, there, end, missing)
                    if found:
                        return Pointer(keys.shard, found[0], stream, found[1], found[2])
                    if seq - mark.seq < _PAGE - 1:
                        return None
                    mark = Mark(seq, link.decode())
                case answer:
                    raise LogUnavailable(f"an answer that the script does not give: {answer!r}")

    async def _require(
        self, stream: str, version: Version, head: bytes, there: int, end: bytes, missing: list[Any]
    ) -> None:
        """Check that from what was read the entries ``missing`` lead to ``end``, version ``there``.

        Raises:
            LogUnavailable: they do not.
        """
        after, key = version, self._layout.stream(stream).entries
        while True:
            publics = (_public_of(fields) for _, fields in missing)
            head, after = seal.chain(head, after, publics), after + len(missing)
            if after >= there or not missing:
                break
            count = min(_ENTRIES, there - after)
            missing = await self._caller.command(
                "XRANGE", key, f"{after + 1}-0", "+", "COUNT", count
            )
        if head != end:
            raise LogUnavailable(f"{stream} does not go on from version {version} as it was read")

    def visible(self, shard: int, page: list[Pointer]) -> list[Pointer]:
        """As much of a page as is replicated. Whoever listens is told when there is more."""
        replication = self.replication
        if replication is None:
            return page
        while page and not replication.reaches(shard, page[-1].seq):
            page = page[:-1]
        return page

    async def follow(self, after: Mapping[int, int]) -> AsyncGenerator[Pointer, None]:
        """Every pointer of the shards in ``after`` from there on, as they arrive, without end.

        The order within a shard is kept. After a quiet spell a pointer is delivered at once; under
        load bells gather for a moment, so that each read returns several.

        Raises:
            FeedBroken: a gap or a step back.
            LogUnavailable: the store does not answer; follow again from the last one seen.
        """
        following = Following(self)
        for shard, seq in after.items():
            following.add(shard, seq)
        async with contextlib.aclosing(following.news()) as news:
            async for each in news:
                if isinstance(each, Pointer):
                    yield each


class Following:
    """The shards that one reader follows, and how far it has read each. They may change meanwhile.

    Args:
        feed: reads them.
        is_told: whether ``appended`` is called with what this process appends.

    Attributes:
        seen: the number of the last pointer read, by shard; None: from where the feed then ends.
    """

    def __init__(self, feed: Feed, *, is_told: bool = False) -> None:
        self.seen: dict[int, int | None] = {}
        self._feed = feed
        self._is_told = is_told
        self._shard_of: dict[str, int] = {}
        self._moved = _Moved()
        self._ear: Ear | None = None

    def add(self, shard: int, after: int | None = None) -> None:
        """Follow a shard too, from ``after`` on or, with None, from where it will be found."""
        self.seen[shard] = after
        self._shard_of[self._feed.key(shard)] = shard
        if self._ear is not None:
            self._ear.add(self._feed.key(shard))
        self._moved.doubt(shard)

    def appended(self, pointer: Pointer) -> bool:
        """Take in what this process has appended itself, if it has read all that lies before it.

        True: whoever follows is told now, and need not read it. Else the bell will say so.
        """
        if self.seen.get(pointer.shard) != pointer.seq - 1:
            return False
        self.seen[pointer.shard] = pointer.seq
        return True

    def drop(self, shard: int) -> None:
        """Follow a shard no longer."""
        del self.seen[shard]
        if self._ear is not None:
            self._ear.drop(self._feed.key(shard))

    async def news(self) -> AsyncGenerator[Pointer | Began, None]:
        """Every pointer of the shards followed, as they arrive, without end; see ``Feed.follow``.

        A shard of which it was not known from where begins with ``Began``.

        Raises:
            FeedBroken: a gap or a step back.
            LogUnavailable: the store does not answer; ``seen`` is right, so it may be called again.
        """
        async with self._told(), self._feed.bells.ear(self._hear) as ear:
            self._ear = ear
            for shard in self.seen:
                ear.add(self._feed.key(shard))
                self._moved.doubt(shard)
            try:
                while True:
                    shards, doubtful = await self._moved.taken(self.seen)
                    fresh = [shard for shard in doubtful if self.seen.get(shard, 0) is None]
                    for shard, end in (await self._feed.ends(fresh)).items():
                        if self.seen.get(shard, 0) is None:
                            self.seen[shard] = end
                            yield Began(shard, end)
                    before = {shard: self.seen.get(shard) for shard in doubtful}
                    for shard, end in (await self._feed.written(doubtful)).items():
                        if self._goes_on(shard, before[shard], end):
                            shards.add(shard)
                    async for pointer in self._read(sorted(shards & self.seen.keys())):
                        yield pointer
            finally:
                self._ear = None

    @contextlib.asynccontextmanager
    async def _told(self) -> AsyncIterator[None]:
        """Let the marks say what may be read by now."""
        replication = self._feed.replication
        if replication is None:
            yield
            return

        def rise(shard: int) -> None:
            if shard in self.seen:
                self._moved.add(shard)

        with replication.told(rise):
            try:
                yield
            except FeedBroken:
                replication.forget()
                raise

    def _goes_on(self, shard: int, before: int | None, end: int) -> bool:
        """Whether a shard's feed has more than was read of it.

        Args:
            shard: its number.
            before: what had been read when the feed was asked; this process may have appended
                since.
            end: where it then ended.

        Raises:
            FeedBroken: it had less.
        """
        seen = self.seen.get(shard)
        if seen is None:  # left meanwhile, or begun anew
            return False
        if end < (seen if before is None else min(before, seen)):
            raise _went_back(shard, seen, end)
        return end > seen

    async def _read(self, shards: Sequence[int]) -> AsyncGenerator[Pointer, None]:
        """The next page of each shard."""
        after = [self.seen[shard] or 0 for shard in shards]
        for shard, page in zip(shards, await self._pages(shards, after), strict=True):
            for pointer in page:
                seen = self.seen.get(shard)
                if seen is None or pointer.seq > seen + 1:  # left meanwhile, perhaps begun anew
                    break
                if pointer.seq <= seen:  # appended by this process meanwhile
                    continue
                self.seen[shard] = pointer.seq
                yield pointer
            if len(page) == _PAGE:
                self._moved.add(shard)

    async def _pages(self, shards: Sequence[int], after: Sequence[int]) -> list[list[Pointer]]:
        feed = self._feed
        if len(shards) == 1:  # as nearly always, and a task less
            pages = [await feed.page(shards[0], after[0], _PAGE)]
        else:
            each = zip(shards, after, strict=True)
            pages = await asyncio.gather(*(feed.page(shard, seq, _PAGE) for shard, seq in each))
        return [feed.visible(shard, page) for shard, page in zip(shards, pages, strict=True)]

    def _hear(self, channel: str, said: bytes | None) -> None:
        """A shard has rung, or its bells may be lost; a ring of what was read is none."""
        shard = self._shard_of[channel]
        ring = None if said is None else ring_of(shard, said)
        replication = self._feed.replication
        if replication is not None and not replication.hears(shard, ring):
            return
        seen = self.seen.get(shard)
        if ring is None or seen is None:
            self._moved.doubt(shard)
        elif ring.seq > seen:
            if self._is_told and self._feed.appending[shard]:
                loop = asyncio.get_running_loop()
                loop.call_later(_ANSWER_S, self._read_unless_told, shard, ring.seq)
            else:
                self._moved.add(shard)

    def _read_unless_told(self, shard: int, seq: int) -> None:
        """Read a shard that has rung, unless this process has said since what it would say."""
        seen = self.seen.get(shard)
        if seen is not None and seq > seen:
            self._moved.add(shard)


class _Moved:
    """The shards of one reader that are to be read, and those whose ends are to be looked at."""

    def __init__(self) -> None:
        self._shards: set[int] = set()
        self._doubtful: set[int] = set()
        self._news = asyncio.Event()
        self._looked: float | None = None

    def add(self, shard: int) -> None:
        """A shard is to be read."""
        self._shards.add(shard)
        self._news.set()

    def doubt(self, shard: int) -> None:
        """Bells of a shard may have been lost, or it is not known where it is."""
        self._doubtful.add(shard)
        self._news.set()

    async def taken(self, followed: Collection[int]) -> tuple[set[int], list[int]]:
        """The shards to be read now, and those to be looked at, as soon as there are any.

        Every ``_QUIET_S`` all that are followed are to be looked at.
        """
        now = asyncio.get_running_loop().time
        if self._looked is None:
            self._looked = now()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._looked + _QUIET_S - now()):
                await self._news.wait()
        if now() - self._looked >= _QUIET_S:
            self._looked = now()
            return set(), sorted(followed)
        self._news.clear()
        shards, self._shards = self._shards, set()
        doubtful, self._doubtful = self._doubtful, set()
        return shards, sorted(doubtful.intersection(followed))


def _went_back(shard: int, seen: int, end: int | None = None) -> FeedBroken:
    where = "ends before" if end is None else f"now ends at {end}"
    return FeedBroken(f"shard {shard} was read up to {seen}, {where}")


def _public_of(fields: Any) -> bytes:  # noqa: ANN401 (see redis-py)
    """The public part of an entry; the client of a cluster knows some commands."""
    public: bytes = fields[b"e"] if isinstance(fields, dict) else fields[1]
    return public


def _pointers(shard: int, after: int, page: Any, mark: Mark | None) -> list[Pointer]:  # noqa: ANN401 (see redis-py)
    """The pointers of a page, which must follow ``after`` one by one, and have the mark's link."""
    result = []
    for number, found in page:
        after += 1
        if number != b"%d-0" % after:
            raise FeedBroken(f"shard {shard}: {number.decode()} stands where {after}-0 belongs")
        # A dict if redis-py knows the command; as the protocol has it, each comes after its name.
        fields = list(chain.from_iterable(found.items())) if isinstance(found, dict) else found
        _, stream, _, version, _, count, *more = fields  # pointers of accounts have no link
        if mark is not None and mark.seq == after and mark.chain and more[1].decode() != mark.chain:
            raise FeedBroken(f"shard {shard} has another entry {after} than was replicated")
        result.append(Pointer(shard, after, stream.decode(), int(version), int(count)))
    return result
