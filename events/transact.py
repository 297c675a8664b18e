"""Load, decide, append, and retry if another writer was faster: for any decider.

Folded states are cached by stream at (version, head), so a cached state is never wrong, only
behind. An accepted command on a warm cache costs one call to the store. A rejection is answered
only from the true head: what a cached state rejects is checked against the store first, and decided
again if the stream has moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from events import seal
from events.codec import Codec, Codecs, Sealed, Stored, batch_by, first_key_id
from events.draw import Draw
from events.durability import Durability
from events.kernel import (
    Actor,
    Command,
    Context,
    Decider,
    Event,
    Rejected,
    TimestampMs,
    Working,
    fold,
)
from events.log import Again, Append, Appended, Damaged, StreamLog, StreamTail, VersionConflict
from events.lru import LruCache
from events.scripts import LogError, LogUnavailable, StoreFull
from events.stream_locks import StreamLocks

S = TypeVar("S")

_PAGE: Final = 1024

_LATE_OFTEN: Final = 3
"""After losing this many races in a row a writer asks the others for precedence."""

_COURTESY_S: Final = 0.01
"""How long the others then leave the stream alone: many times what deciding again takes."""


class Busy(LogError):
    """Other writers won every race. Nothing was written; the command may be sent again."""


class Moved(LogError):
    """The command was meant for another version of the stream than the newest, ``version``."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the stream is at version {version}")
        self.version = version


class NoSuchStream(LogError):
    """The stream has no events, and the command may not open one."""


class CommandReceipt(Struct, frozen=True):
    """What an accepted command did: ``count`` events from version ``first`` to ``version``.

    ``again``: it had been accepted before, and this repeats the first answer.
    ``at`` is the time of the batch; ``events`` are in full. ``level`` is what is known of where it
    is kept; if that is less than the log promises it is ``short``, and nobody may see the events.
    """

    version: int
    first: int
    count: int
    events: tuple[Event, ...]
    again: bool
    at: TimestampMs
    level: Durability = "local"
    short: bool = False


class Loaded(Struct, Generic[S], frozen=True):
    """A stream's state at ``version``; ``at`` is the time of its last event.

    The state is shared: to change it, take a copy first (``decider.copy``).
    """

    state: S
    version: int
    head: bytes
    at: TimestampMs


class _Known(Loaded[S], Generic[S], frozen=True):
    """A cached state, with the id of the stream's key if it is known.

    ``settled`` is the version of the newest event that is not incidental; 0 before the first.
    ``codec`` is the stream's; None before the first event, which tells it.
    """

    key_id: str | None = None
    settled: int = 0
    codec: Codec | None = None


class _Request(Struct):
    """A command being executed: ``late`` counts how often others were faster.

    ``wanted``: another process had to wait for us, so we shall now wait for it.
    """

    stream: str
    command: Command
    actor: Actor
    command_id: str
    digest: str
    at: TimestampMs
    opens: bool
    after: int | None
    past_incidentals: bool
    accepts_ahead: bool
    refusal: Exception | None
    late: int = 0
    wanted: bool = False

    def is_meant_for(self, known: _Known[Any]) -> bool:
        """Whether the command may be decided on this state, as far as versions go."""
        if self.after is None or self.after == known.version:
            return True
        return self.past_incidentals and known.settled <= self.after < known.version


class Transactor(Generic[S]):
    """Executes the commands of one kind of aggregate. Belongs to its log's event loop.

    Args:
        decider: decides the commands.
        codecs: find the codec of each stream.
        log: where the streams are.
        rules: the tag of the rules for the state that a batch leads to, recorded with it.
        cached: how many folded states are kept.
        tries: how often a command is decided before it fails as ``Busy``. The loser of a race
            starts the next one later than the winner, so it would keep losing to a rival process
            with many commands waiting; after a few losses it says so in the store, and the rival,
            which reads that there, pauses for a moment. So only a stream contended by many
            processes takes many tries.
        on_rewritten: called with a stream, its known version and the store's, when the store turns
            out to hold another history of it.
        concerns: the accounts that hear of a batch, by the states before and after it.
        on_appended: called with each batch of this process that may be shown, what it was sealed
            to, and the number of its entry in the shard's feed.
    """

    def __init__(  # noqa: PLR0913 (every optional argument is named)
        self,
        decider: Decider[S],
        codecs: Codecs,
        log: StreamLog,
        *,
        rules: Callable[[S], str],
        cached: int = 4096,
        tries: int = 256,
        on_rewritten: Callable[[str, int, int], None] = lambda *_: None,
        concerns: Callable[[S, S], frozenset[str]] = lambda *_: frozenset(),
        on_appended: Callable[[Append, Sealed, int], None] = lambda *_: None,
    ) -> None:
        self._decider = decider
        self._codecs = codecs
        self._log = log
        self._rules = rules
        self._tries = tries
        self._on_rewritten = on_rewritten
        self._concerns = concerns
        self._on_appended = on_appended
        self._cache: LruCache[str, _Known[S]] = LruCache(cached)
        # Within a process a stream's commands queue up, so that a warm cache rarely conflicts.
        self._locks = StreamLocks()

    async def execute(  # noqa: PLR0913 (what comes with a command: every argument is named)
        self,
        stream: str,
        command: Command,
        *,
        actor: Actor,
        command_id: str,
        digest: str,
        at: TimestampMs,
        opens: bool = False,
        after: int | None = None,
        past_incidentals: bool = False,
        accepts_ahead: bool = False,
        refusal: Exception | None = None,
    ) -> CommandReceipt:
        """Execute a command once, however often it is sent under one ``command_id``.

        Args:
            stream: the stream's id.
            command: the request.
            actor: who issued it.
            command_id: the command's name (``KeyRing.command_id``).
            digest: the digest of its content (``KeyRing.digest``).
            at: the time of its arrival; the batch is not earlier than the stream's last event.
            opens: whether the command may begin a stream.
            after: the version that the stream must have; None: any. The append itself enforces it,
                because it expects the very version that was compared.
            past_incidentals: whether incidental events, but no others, may have followed ``after``.
            accepts_ahead: whether a stream whose time is ahead of the clock may go on by this.
            refusal: raised if the command was not accepted before, as for want of room.

        Raises:
            Rejected: the rules refuse it, as the stream stands now.
            Moved: the stream is at another version than may follow ``after``; nothing was written.
            NoSuchStream: there is no such stream, and the command may not open it.
            KeyReused: the command id was used for other content.
            Busy: others were faster ``tries`` times; nothing was written.
            Damaged, StoreBehind, ClockSkew, StreamAhead: see ``StreamLog.append``.
            StoreFull: the store takes nothing more; nothing was written.
            LogUnavailable: the outcome is unknown; ask again under the same command id.
            ValueError: the decider accepted the command and made no event of it.
        """
        request = _Request(
            stream,
            command,
            actor,
            command_id,
            digest,
            at,
            opens,
            after,
            past_incidentals,
            accepts_ahead,
            refusal,
        )
        await self._log.require_fit(stream)
        await self._locks.take(stream)
        try:
            known = self._cache.get(stream) or self._empty(stream)
            if not known.version and not opens:
                known = await self._catch_up(stream, known)
            while request.late < self._tries:
                outcome = await self._attempt(request, known)
                if isinstance(outcome, CommandReceipt):
                    return outcome
                known = outcome
                request.late += 1
        finally:
            self._locks.give_back(stream, _COURTESY_S if request.wanted else 0.0)
        raise Busy(f"{stream} moved {self._tries} times while this command was decided")

    async def load(
        self, stream: str, at_least: int | None = None, *, fresh: bool = True
    ) -> Loaded[S]:
        """The state of a stream: its newest, unless the caller is content with less.

        Args:
            stream: the stream's id.
            at_least: a cached state of this version or a later one will do.
            fresh: False: any cached state will do.

        Raises:
            NoSuchStream: the stream has no events.
            Damaged: what the store holds does not hash to the head it names.
            LogUnavailable: the store does not answer.
        """

        def will_do(known: _Known[S]) -> bool:
            return not fresh or (at_least is not None and known.version >= at_least)

        known = self._cache.get(stream)
        if known is None:
            await self._locks.take(stream)  # many callers may ask for a cold state at once
            try:
                known = self._cache.get(stream) or self._empty(stream)
                if not known.version or not will_do(known):
                    known = await self._catch_up(stream, known)
            finally:
                self._locks.give_back(stream)
        elif will_do(known):
            self._cache.use(stream)
        else:
            known = await self._catch_up(stream, known)
        if not known.version:
            raise NoSuchStream(stream)
        return known

    def forget(self, stream: str) -> None:
        """Drop the cached state of a stream."""
        self._cache.remove(stream)

    def forget_all(self) -> None:
        """Drop all cached states."""
        self._cache.clear()

    async def _attempt(self, request: _Request, known: _Known[S]) -> CommandReceipt | _Known[S]:
        """Decide once; returns the answer, or the newer state from which to decide again."""
        if not known.version and not request.opens:
            return await self._refuse(request, known, NoSuchStream(request.stream))
        if request.refusal is not None:
            return await self._refuse(request, known, request.refusal)
        if not request.is_meant_for(known):
            return await self._refuse(request, known, Moved(known.version))
        now = max(request.at, known.at)
        decider = self._decider
        context = Context(now, request.actor, Draw(partial(decider.seed, known.state)))
        try:
            work = decider.carry_out(request.command, known.state, context)
        except Rejected as no:
            return await self._refuse(request, known, no)
        events = work.events
        if not events:
            raise ValueError(f"{type(request.command).__name__} was accepted and made no event")
        codec = known.codec or self._codecs.codec_of(events[0])
        sealed = codec.encode_batch(
            request.stream,
            events,
            batch_by(request.actor, request.command, request.command_id, self._rules(work.state)),
            at=now,
            first_version=known.version + 1,
            previous_head=known.head,
            key_id=known.key_id,
        )
        then = _moved(known, sealed, work, now, codec)
        batch = self._append_of(request, known, sealed, then)
        try:
            outcome = await self._append(batch)
        except VersionConflict as conflict:
            tail = StreamTail(conflict.version, conflict.head, "", conflict.entries)
            return await self._after_tail(request.stream, known, tail)
        except StoreFull as full:  # the script was refused unread, also for a repeated command
            return await self._refuse(request, known, full)
        if isinstance(outcome, Again):
            return await self._first_answer(request.stream, known, outcome)
        request.wanted = outcome.wanted
        self._keep(request.stream, then)
        level, short = self._level(replicated=outcome.replicated)
        if not short:
            self._on_appended(batch, sealed, outcome.seq)
        made, first = tuple(events), known.version + 1
        return CommandReceipt(
            then.version, first, len(made), made, again=False, at=now, level=level, short=short
        )

    def _level(self, *, replicated: bool) -> tuple[Durability, bool]:
        """The level of an append, and whether it is less than was promised."""
        promise = self._log.replication
        if promise is None:
            return "local", False
        return (promise.level, False) if replicated else ("local", True)

    def _append_of(
        self, request: _Request, known: _Known[S], sealed: Sealed, then: _Known[S]
    ) -> Append:
        return Append(
            stream=request.stream,
            after=known.version,
            previous=known.head,
            entries=sealed.entries,
            head=sealed.head,
            command_id=request.command_id,
            digest=request.digest,
            status=self._decider.status(then.state),
            due=self._decider.wake_at(then.state),
            at=then.at,
            accepts_ahead=request.accepts_ahead,
            insists=request.late >= _LATE_OFTEN,
            concerns=tuple(sorted(self._concerns(known.state, then.state))),
        )

    async def _append(self, batch: Append) -> Appended | Again:
        """Append; if the outcome is unknown, send the same batch once more.

        That is safe even if the first one is still under way: whichever arrives later finds the
        command's record, or a stream that has moved.
        """
        try:
            return await self._log.append(batch)
        except StoreFull:
            raise
        except LogUnavailable as unknown:
            try:
                return await self._log.append(batch)
            except StoreFull:  # nobody knows what became of the first
                raise unknown from None

    async def _refuse(
        self, request: _Request, known: _Known[S], no: Exception
    ) -> CommandReceipt | _Known[S]:
        """Raise a refusal, but only at the true head and if the command was not accepted before."""
        found = await self._log.answered(
            request.stream, request.command_id, request.digest, known.version
        )
        if isinstance(found, Again):
            return await self._first_answer(request.stream, known, found)
        if found.version == known.version and found.head in (known.head, b""):
            stream, version, log = request.stream, found.version, self._log
            if log.replication is not None and (
                await log.shown(stream, version, known.head, insists=True) < version
            ):
                raise LogUnavailable("it is refused for what is not replicated yet") from no
            raise no
        return await self._after_tail(request.stream, known, found)

    async def _first_answer(self, stream: str, known: _Known[S], again: Again) -> CommandReceipt:
        codec = known.codec or await self._codec_of(stream, again)
        told = codec.decode_events(stream, again.entries)
        count = len(told)
        version = again.first + count - 1
        replicated = self._log.replication is None or await self._log.is_kept(stream, again)
        level, short = self._level(replicated=replicated)
        return CommandReceipt(
            version=version,
            first=again.first,
            count=count,
            events=tuple(each.event for each in told),
            again=True,
            at=told[-1].at,
            level=level,
            short=short,
        )

    async def _codec_of(self, stream: str, again: Again) -> Codec:
        """The codec of a stream of which only one batch is known."""
        first = again.entries[0] if again.first == 1 else (await self._log.read(stream, 0, 1))[0]
        return self._codecs.codec_of(first)

    async def _after_tail(self, stream: str, known: _Known[S], tail: StreamTail) -> _Known[S]:
        """The state that the store's answer leads to, which may be the one we know.

        Entries that do not hash to the store's head are not folded. If we started from a cached
        state, the store may have lost its tail or gone another way, so we start again from nothing.
        """
        for base in (known, self._empty(stream)):
            entries, tail = await self._rest(stream, base, tail)
            head = seal.chain(base.head, base.version, (entry.public for entry in entries))
            if base.version + len(entries) == tail.version and tail.head in (head, b""):
                return self._fold(stream, base, entries, head)
            if base.version:
                self._on_rewritten(stream, base.version, tail.version)
            self.forget(stream)
            tail = await self._log.tail(stream, 0, _PAGE)
        raise Damaged(f"{stream} does not hash to its head at {tail.version}")

    async def _rest(
        self, stream: str, base: _Known[S], tail: StreamTail
    ) -> tuple[list[Stored], StreamTail]:
        """All entries after ``base``: those in the answer, and those that did not fit into it."""
        entries = list(tail.entries)
        while base.version + len(entries) < tail.version:
            tail = await self._log.tail(stream, base.version + len(entries), _PAGE)
            entries += tail.entries
        return entries, tail

    async def _catch_up(self, stream: str, known: _Known[S]) -> _Known[S]:
        """The newest state, starting from what is known."""
        tail = await self._log.tail(stream, known.version, _PAGE)
        return await self._after_tail(stream, known, tail)

    def _fold(self, stream: str, known: _Known[S], entries: list[Stored], head: bytes) -> _Known[S]:
        if entries:
            codec = known.codec or self._codecs.codec_of(entries[0])
            told = codec.decode_events(stream, entries)
            events = [each.event for each in told]
            state = fold(self._decider, events, known.state)
            key_id = known.key_id or first_key_id(entries)
            settled, at = _settled(known, events), told[-1].at
            known = _Known(state, entries[-1].version, head, at, key_id, settled, codec)
        if known.version:
            self._keep(stream, known)
        return known

    def _empty(self, stream: str) -> _Known[S]:
        return _Known(self._decider.initial(), 0, seal.genesis(stream), 0)

    def _keep(self, stream: str, known: _Known[S]) -> None:
        """Cache a state, unless a newer one is there."""
        cached = self._cache.use(stream)
        if cached is None or cached.version <= known.version:
            self._cache.keep(stream, known)


def _settled(known: _Known[Any], events: Sequence[Event]) -> int:
    """The version of the newest event that is not incidental, once ``events`` have followed."""
    version = known.version + len(events)
    for event in reversed(events):
        if not event.incidental:
            return version
        version -= 1
    return known.settled


def _moved(
    known: _Known[S], sealed: Sealed, work: Working[S], now: TimestampMs, codec: Codec
) -> _Known[S]:
    """What will be known once the batch has been appended."""
    key_id, first = known.key_id, known.version + 1
    if key_id is None:
        entries = enumerate(sealed.entries, first)
        key_id = first_key_id(Stored(v, public, private) for v, (public, private) in entries)
    version, settled = known.version + len(sealed.entries), _settled(known, work.events)
    return _Known(work.state, version, sealed.head, now, key_id, settled, codec)
