"""What each viewer sees of a table, at any version: cached folds of redacted events.

A view is ``fold(table, redacted events)``, by the same ``evolve`` that folds the truth. Streams are
cached decoded, with one fold for each viewer so far. The cache is checked against the store's head
at every fetch, and dropped if history turns out to differ: it may be cold, never wrong.

Everything that the public gets of a running game ends at its visible version
(``projections.visible_version``), enforced here and nowhere else: a caller with the public view
scope cannot forget it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from events import seal
from events.codec import Codec, CodecError, Codecs, Envelope, Sealed, Stored
from events.kernel import PUBLIC, TimestampMs, Viewer, fold, redact
from events.log import Append, Damaged, StreamLog
from events.lru import SizedLruCache
from events.openings import Opener
from events.transact import Loaded, NoSuchStream
from games.table.decider import Table
from games.table.state import TableState
from projections.visible_version import DelayCourse, VisibleVersion

EVENTS_KEPT: Final = 50_000
"""The most decoded events that a process keeps, about 1.5 kB each."""

_OPENERS_KEPT: Final = 64
"""For how many events what opens them is kept; a longer range is somebody who catches up."""


class NoSuchVersion(LookupError):
    """The number is not a version that the viewer may see; the last of those is ``version``."""

    def __init__(self, asked: int, version: int) -> None:
        super().__init__(f"there is no version {asked}, the last one is {version}")
        self.version = version


class View(Struct, frozen=True):
    """What a viewer sees at ``version``; ``time`` is that of its last event.

    ``settled``: that event was the last of its batch, so it is known who must choose next.
    ``state`` is shared with others and must not be changed.
    """

    state: TableState
    version: int
    time: TimestampMs
    settled: bool


class HeadAt(Struct, frozen=True):
    """The head of the chain after the event ``version``, which happened at ``time``."""

    version: int
    head: bytes
    time: TimestampMs


class _Fold(Struct):
    """A view that grows. ``turns``: the first version of each turn; kept for the public only."""

    state: TableState
    version: int = 0
    turns: dict[int, int] = {}


class StreamReading:
    """A stream as far as it has been read, and its folds.

    It may grow whenever somebody waits. ``version`` is how far it has come; the rest is for
    ``Views`` alone, which knows what of it a viewer may see. ``shown`` is the public's fold up to
    its visible version, if that is not the end.
    """

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.lock = asyncio.Lock()
        self.genesis = seal.genesis(stream)
        self.heads: list[bytes] = []
        self.stored: list[Stored] = []
        self.envelopes: list[Envelope] = []
        self.folds: dict[Viewer, _Fold] = {}
        self.shown: _Fold | None = None
        self.course = DelayCourse()
        self.codec: Codec | None = None
        self._opened = (0, 0)
        self._openers: list[tuple[Stored, Opener | None]] = []

    @property
    def version(self) -> int:
        """The version of the last event that has been read."""
        return len(self.stored)

    @property
    def head(self) -> bytes:
        """The head of the chain after that event."""
        return self.heads[-1] if self.heads else self.genesis

    def grow(
        self, stored: Iterable[Stored], heads: Iterable[bytes], envelopes: Iterable[Envelope]
    ) -> None:
        """Take in what follows: each entry, the head after it, and what it decodes to."""
        self.stored += stored
        self.heads += heads
        for envelope in envelopes:
            self.envelopes.append(envelope)
            self.course.note(envelope.event, envelope.at)

    def openers(self, after: int, last: int) -> list[tuple[Stored, Opener | None]]:
        """The stored events after the version ``after`` up to ``last``, and what opens each.

        Those asked for last are kept, because as a rule every viewer of a table asks for them.
        """
        asked = (after, min(last, self.version))
        if self._opened == asked:
            return self._openers
        codec = self.codec
        assert codec is not None  # it has been read, so it has a first event
        both = zip(self.stored[after:last], self.envelopes[after:last], strict=True)
        found = [
            (stored, codec.opener(self.stream, stored, envelope=envelope))
            for stored, envelope in both
        ]
        if len(found) <= _OPENERS_KEPT:
            self._opened, self._openers = asked, found
        return found

    def lacks(self, at_least: int | None) -> bool:
        """Whether the store has to be asked for so much; None: for whatever there is by now."""
        return at_least is None or self.version < at_least or not self.version


class Views:
    """The views of all streams, for one process.

    Args:
        log: reads the streams.
        codecs: with keys, so that secret fields are known before they are redacted.
        table: the decider whose ``evolve`` folds.
        clock: the time in milliseconds, UTC.
        events_kept: how many decoded events to keep, over all streams.
    """

    def __init__(
        self,
        log: StreamLog,
        codecs: Codecs,
        table: Table,
        clock: Callable[[], TimestampMs],
        events_kept: int = EVENTS_KEPT,
    ) -> None:
        self._log = log
        self._codecs = codecs
        self._table = table
        self._clock = clock
        self._streams: SizedLruCache[str, StreamReading] = SizedLruCache(
            events_kept, lambda kept: kept.version
        )

    async def view(
        self, stream: str, viewer: Viewer, at: int | None = None, at_least: int | None = None
    ) -> View:
        """What ``viewer`` sees: now, or at the version ``at``.

        Without ``at`` the store is asked for news, unless ``at_least`` names a version that is
        already cached.

        Raises:
            NoSuchStream: nothing was ever appended.
            NoSuchVersion: ``at`` is not a version of the stream, or beyond the visible one.
            Damaged, LogUnavailable: the stream cannot be read.
        """
        kept, version = await self._seen(stream, viewer, at, at_least)
        if at is None:
            state = self._folded(kept, viewer, version).state
        else:
            seen = (redact(e.event, viewer.at(e.version)) for e in kept.envelopes[:at])
            state = fold(self._table, seen)
        return _view_of(kept, state, version)

    async def head(
        self, stream: str, viewer: Viewer, at: int | None = None, at_least: int | None = None
    ) -> HeadAt:
        """The head of the chain where ``viewer`` sees the stream: now, or at the version ``at``.

        Raises:
            NoSuchStream, NoSuchVersion, Damaged, LogUnavailable: as ``view``.
        """
        kept, version = await self._seen(stream, viewer, at, at_least)
        return HeadAt(version, kept.heads[version - 1], kept.envelopes[version - 1].at)

    async def command_of(self, stream: str, version: int) -> str:
        """The id of the command behind the event ``version``, which has been seen.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, version)
        batches = (e.batch for e in reversed(kept.envelopes[:version]))
        return next((batch.command_id for batch in batches if batch is not None), "")

    async def visible_version(
        self, stream: str, viewer: Viewer, at_least: int | None = None
    ) -> VisibleVersion:
        """How far ``viewer`` sees now.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        return self.seen_in(await self.reading(stream, at_least), viewer)

    async def entries(
        self,
        stream: str,
        viewer: Viewer,
        after: int = 0,
        limit: int | None = None,
        at_least: int | None = None,
    ) -> Sequence[Stored]:
        """The stored events after the version ``after``, at most ``limit``, as far as one sees.

        Which parts ``viewer`` may open, the stream's ``codec`` decides.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, at_least)
        last = self.seen_in(kept, viewer).version
        return kept.stored[after : last if limit is None else min(after + limit, last)]

    async def reading(self, stream: str, at_least: int | None = None) -> StreamReading:
        """A stream, read up to the version ``at_least`` or further, or up to its end.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = self._streams.get(stream)
        if kept is None:
            kept = StreamReading(stream)
            self._streams.keep(stream, kept)
        if kept.lacks(at_least):
            async with kept.lock:
                # Others may have waited for the same, and have it by now.
                if kept.lacks(at_least):
                    kept = await self._fetch(stream, kept)
        if self._streams.get(stream) is kept:
            self._streams.keep(stream, kept)  # it may have grown
        return kept

    def seen_in(self, reading: StreamReading, viewer: Viewer) -> VisibleVersion:
        """How far ``viewer`` sees now of what has been read."""
        return reading.course.visible_version(viewer, self._clock, lambda: self._turns(reading))

    def public_in(self, reading: StreamReading, version: int) -> View:
        """What of a version is everybody's to know, without any delay.

        Only for whoever sees so much: ``version`` is one of ``seen_in``.
        """
        state = self._folded(reading, PUBLIC, version).state
        return _view_of(reading, state, version)

    def openings(
        self, reading: StreamReading, viewer: Viewer, after: int, last: int
    ) -> list[tuple[Stored, bytes | None]]:
        """The stored events after the version ``after`` up to ``last``, as far as one sees.

        Each comes with the openings that ``viewer`` may have (``Codec.openings``).

        Raises:
            SecretError: a private part cannot be read.
        """
        last = min(last, self.seen_in(reading, viewer).version)
        return [
            (stored, None if opener is None else opener.openings(viewer))
            for stored, opener in reading.openers(after, last)
        ]

    async def envelopes(self, stream: str, at_least: int | None = None) -> Sequence[Envelope]:
        """All events in full, with what was recorded about them.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        return tuple((await self.reading(stream, at_least)).envelopes)

    async def truth(self, stream: str) -> Loaded[TableState]:
        """The full state as far as it may be shown, folded anew.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, None)
        state = fold(self._table, (each.event for each in kept.envelopes))
        return Loaded(state, kept.version, kept.head, kept.envelopes[-1].at)

    async def codec(self, stream: str) -> Codec:
        """The codec of a stream, which decides what a viewer may open.

        Raises:
            CodecError: no such stream can be read here.
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, 1)
        assert kept.codec is not None  # it has been read, so it has a first event
        return kept.codec

    async def first_of_turn(self, stream: str, viewer: Viewer, turn: int) -> int | None:
        """The first version at which the turn ``turn`` was running; None: not yet, for ``viewer``.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, None)
        found = self._folded(kept, PUBLIC, kept.version).turns.get(turn)
        seen = found is not None and found <= self.seen_in(kept, viewer).version
        return found if seen else None

    def appended(self, batch: Append, sealed: Sealed) -> None:
        """Take in what this process has appended, if what is kept ends where it begins.

        Args:
            batch: what was appended.
            sealed: its entries with the head after each, and what they decode to.
        """
        kept = self._streams.get(batch.stream)
        if kept is None or kept.codec is None or kept.lock.locked():  # else it is being read
            return
        if (kept.version, kept.head) != (batch.after, batch.previous):
            return
        versions = enumerate(sealed.entries, batch.after + 1)
        found = [Stored(version, public, private) for version, (public, private) in versions]
        kept.grow(found, sealed.heads, sealed.envelopes)
        self._streams.keep(batch.stream, kept)  # it has grown

    def forget(self, stream: str | None = None) -> None:
        """Drop the cache of a stream, or of all: the store may hold another history by now."""
        if stream is None:
            self._streams.clear()
        else:
            self._streams.remove(stream)

    async def _seen(
        self, stream: str, viewer: Viewer, at: int | None, at_least: int | None
    ) -> tuple[StreamReading, int]:
        """The stream, and the requested version of it.

        Raises:
            NoSuchStream, NoSuchVersion, Damaged, LogUnavailable: as ``view``.
        """
        kept = await self.reading(stream, at if at_least is None else at_least)
        last = self.seen_in(kept, viewer).version
        if at is not None and last < at <= kept.version:  # what is kept may be behind
            kept = await self.reading(stream, None)
            last = self.seen_in(kept, viewer).version
        version = last if at is None else at
        if not 1 <= version <= last:
            raise NoSuchVersion(version, last)
        return kept, version

    def _turns(self, kept: StreamReading) -> list[int]:
        """The first version of each turn that has begun."""
        found = self._folded(kept, PUBLIC, kept.version).turns
        return [version for turn, version in found.items() if turn > 0]

    def _folded(self, kept: StreamReading, viewer: Viewer, upto: int) -> _Fold:
        """The viewer's fold, brought up to a version no lower than the last one."""
        if upto < kept.version:
            known = kept.shown
            if known is None or known.version > upto:  # the clock was set back
                known = kept.shown = _Fold(self._table.initial())
        else:
            known = kept.folds.setdefault(viewer, _Fold(self._table.initial()))
        if known.version < upto:
            # The state that was handed out stays as it is: a copy grows.
            state = self._table.copy(known.state)
            for envelope in kept.envelopes[known.version : upto]:
                eyes = viewer.at(envelope.version)
                state = self._table.evolve(state, redact(envelope.event, eyes))
                if viewer == PUBLIC and state.play is not None:
                    turn = self._table.games[state.game].turn(state.play)
                    known.turns.setdefault(turn, envelope.version)
            known.state, known.version = state, upto
        return known

    async def _fetch(self, stream: str, kept: StreamReading) -> StreamReading:
        """Read what is new; start again if the store does not continue from the cache."""
        try:
            found, head = await self._tail(stream, kept)
        except (NoSuchStream, Damaged):
            self._drop(stream, kept)
            raise
        heads = list(seal.heads(kept.head, kept.version, (s.public for s in found)))
        if (heads[-1] if heads else kept.head) != head:
            self._drop(stream, kept)
            if not kept.version:
                raise Damaged(f"{stream}: the events do not lead to the head")
            return await self.reading(stream, None)
        if self._log.replication is not None:
            if not await self._hide(stream, kept, found, head):
                return kept
            heads = heads[: len(found)]
        try:
            codec = kept.codec = kept.codec or self._codecs.codec_of(found[0])
        except CodecError:
            self._drop(stream, kept)
            raise
        kept.grow(found, heads, codec.decode_many(stream, found))
        return kept

    async def _hide(
        self, stream: str, kept: StreamReading, found: list[Stored], head: bytes
    ) -> bool:
        """Drop what was found and may not be shown yet; returns whether anything new is left.

        ``head`` is what all of it leads to.

        Raises:
            NoSuchStream: nothing of the stream may be shown.
        """
        shown = await self._log.shown(stream, kept.version + len(found), head)
        del found[max(0, shown - kept.version) :]
        if not kept.version and not found:
            self._drop(stream, kept)
            raise NoSuchStream(stream)
        return bool(found)

    async def _tail(self, stream: str, kept: StreamReading) -> tuple[list[Stored], bytes]:
        """All entries after the cached ones, and the head that they should lead to."""
        found: list[Stored] = []
        while True:
            tail = await self._log.tail(stream, kept.version + len(found))
            if not tail.version:
                raise NoSuchStream(stream)
            found += tail.entries
            if kept.version + len(found) >= tail.version:
                return found, tail.head

    def _drop(self, stream: str, kept: StreamReading) -> None:
        if self._streams.get(stream) is kept:
            self._streams.remove(stream)


def _view_of(kept: StreamReading, state: TableState, version: int) -> View:
    settled = version == kept.version or kept.envelopes[version].batch is not None
    return View(state, version, kept.envelopes[version - 1].at, settled)
