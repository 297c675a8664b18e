"""One stream of a store, checked as it is read, page by page (pure).

Everything kept of a stream beside its events (its head, its wake-up time, its commands and its row
in the lists) must be exactly what follows from the events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from events import seal
from events.codec import Codec, CodecError, Envelope, Registry, Stored
from events.envelope import ALL_RELEASED, LooseLine
from events.kernel import FULL, Decider, TimestampMs
from events.keys import KeyRing, SecretError
from events.seal import NotCanonicalError
from games.game_registry import UnknownGame
from games.table.decider import Table
from games.table.state import TableState
from projections.record import Entry, Opening
from projections.rows import PublicFold, Row
from replay.adjudication import UNFOLDABLE
from replay.checks import commitment_faults, result_faults
from replay.misfit import misfit

S = TypeVar("S")

NOT_CHECKED: Final = "not checked"
HEAD: Final = "head"
LENGTH: Final = "length"
VERSIONS: Final = "versions"
CHAIN: Final = "chain"
FORM: Final = "form"
COMMITMENTS: Final = "commitments"
FOLD: Final = "fold"
STATUS: Final = "status"
COMMANDS: Final = "commands"
DEADLINE: Final = "deadline"
ROW: Final = "row"
NAMES: Final = "names"

STREAM_CHECKS: Final = {
    HEAD: "a stream has a head, and only what has events does",
    LENGTH: "it has as many entries as its version says",
    VERSIONS: "they are numbered from 1 without a gap",
    CHAIN: "they hash to the head",
    FORM: "each can be read, by the types and the keys that we have",
    COMMITMENTS: "each secret opens what was committed to",
    FOLD: "they follow from one another, in time and in effect",
    STATUS: "the status is that of the fold",
    COMMANDS: "each batch is remembered under its command's name, and nothing else is",
    DEADLINE: "the stream is woken when the fold says so",
    ROW: "its row in the lists is the fold of its public events",
    NAMES: "each name that is kept opens its seal, or, after a rename, another one of its account, "
    "and of a deleted account none is kept",
}
"""The checks of a stream, and what each shows."""

_decode_fields = msgspec.json.Decoder(dict[str, Any]).decode
_decode_loose = msgspec.json.Decoder(LooseLine).decode


class AuditFault(Struct, frozen=True):
    """What is wrong: which check found it, in which stream (or key), at which version (0: none).

    If the check is ``NOT_CHECKED``, no fault was found, but not everything could be checked.
    """

    check: str
    stream: str
    version: int
    text: str

    def line(self) -> str:
        """The fault as reported."""
        where = f"{self.stream} version {self.version}" if self.version else self.stream
        return f"{self.check:<12} {where}: {self.text}"


class KeptBesideStream(Struct, frozen=True):
    """What is kept of a stream beside its events, all at one moment.

    ``version`` None: there is no head. ``reached`` is the number of the feed's last pointer,
    ``listed`` how far the lists have come, None where there are none.
    """

    version: int | None
    head: bytes
    status: str
    entries: int
    commands: int
    due: TimestampMs | None
    reached: int
    listed: int | None
    row: Row | None
    row_unreadable: bool = False


class Executed(Struct):
    """A command as it stands in a stream: its name, its first version, its number of events.

    ``head`` is that of the stream after the last of them.
    """

    name: str
    first: int
    count: int
    head: bytes


class StreamKind(Struct, Generic[S], frozen=True):
    """How streams of a kind are folded.

    ``registry`` gives the types of a stream by its first entry, and raises ``UnknownGame`` where it
    is of a game that is not played here; then ``least`` are the types that all of them have.
    ``table`` is given where streams have rows in the lists.
    """

    decider: Decider[S]
    registry: Callable[[Stored], Registry]
    least: Registry
    table: Table | None = None


class StreamAudit(Generic[S]):
    """The checks of one stream.

    Args:
        stream: its id.
        stand: what is kept of it.
        kind: how it is folded.
        keys: open its secrets.
    """

    def __init__(
        self, stream: str, stand: KeptBesideStream, kind: StreamKind[S], keys: KeyRing
    ) -> None:
        self.version = 0
        self._records: list[Executed] = []
        self._stream = stream
        self._stand = stand
        self._kind = kind
        self._keys = keys
        self._know(kind.least)
        self._head = seal.genesis(stream)
        self._state: S | None = kind.decider.initial()
        self._row = None if kind.table is None else PublicFold(kind.table)
        self._at: TimestampMs = 0
        self._batches = 0
        self._readable = True
        self._played = True

    def _know(self, registry: Registry) -> None:
        """Read on by these types."""
        self._registry = registry
        self._codec = Codec(registry, self._keys)
        self._public = Codec(registry, None)

    def _fault(self, check: str, text: str, version: int = 0) -> AuditFault:
        return AuditFault(check, self._stream, version, text)

    def begin(self) -> Iterator[AuditFault]:
        """The faults that show without the events."""
        stand = self._stand
        if stand.version is None:
            yield self._fault(HEAD, f"{stand.entries} entries, but no head")
        elif stand.entries != stand.version:
            yield self._fault(
                LENGTH, f"{stand.entries} entries at version {stand.version}", stand.version
            )

    def read(self, entries: Sequence[Stored]) -> Iterator[AuditFault]:
        """The next entries, which follow those before without a gap."""
        if not self.version and entries:
            yield from self._begin_with(entries[0])
        for stored in entries:
            self._head = seal.link(self._head, stored.version, stored.public)
            self.version = stored.version
            envelope: Envelope | LooseLine | None = None
            if self._readable:
                try:
                    envelope = self._decoded(stored)
                except (CodecError, SecretError, msgspec.MsgspecError, ValueError) as error:
                    yield self._fault(FORM, str(error), stored.version)
                    self._readable, self._state = False, None
                    self._records = self._records[:-1]  # who knows how long the last one is
            if envelope is not None:
                yield from self._secrets(stored)
                yield from self._follow(envelope)
                yield from self._list(stored)

    def _begin_with(self, first: Stored) -> Iterator[AuditFault]:
        """Find the types of the stream."""
        try:
            self._know(self._kind.registry(first))
        except UnknownGame as error:
            yield self._fault(NOT_CHECKED, str(error))
            self._played, self._state, self._row = False, None, None
        except CodecError:
            return  # reading it says what is wrong

    def _decoded(self, stored: Stored) -> Envelope | LooseLine:
        """An entry in full, or with its messages as they stand, where their types are not known.

        Raises:
            CodecError, SecretError, ValueError: it cannot be read.
        """
        if self._played:
            return self._codec.decode(self._stream, stored)
        return _decode_loose(stored.public)

    def take_records(self, *, all_of_them: bool) -> list[Executed]:
        """The commands that were read since the last call; the last may go on, unless all are."""
        kept = 0 if all_of_them else 1
        cut = max(0, len(self._records) - kept)
        taken, self._records = self._records[:cut], self._records[cut:]
        return taken

    def end(self) -> Iterator[AuditFault]:
        """The faults that show once all entries have been read."""
        stand = self._stand
        if stand.version is None or self.version != stand.version:
            return
        if self._head != stand.head:
            yield self._fault(CHAIN, "the events do not hash to the head", self.version)
        if self._readable and self._batches != stand.commands:
            text = f"{stand.commands} commands are remembered, {self._batches} were executed"
            yield self._fault(COMMANDS, text, self.version)
        if self._state is not None:
            yield from self._kept(self._state)
        yield from self._unlisted()

    # --- events ---

    def _secrets(self, stored: Stored) -> Iterator[AuditFault]:
        """Every commitment opens."""
        try:
            if self._played:
                line = self._codec.opened(self._stream, stored, FULL, ALL_RELEASED)
            else:
                line = self._codec.opened_unread(self._stream, stored)
            opened = msgspec.convert(_decode_fields(line).get("opened", {}), dict[str, Opening])
        except (CodecError, SecretError, NotCanonicalError, msgspec.MsgspecError) as error:
            yield self._fault(COMMITMENTS, str(error), stored.version)
            return
        entry = Entry(stored.version, stored.public, opened)
        for trouble in commitment_faults(entry, self._registry):
            yield self._fault(COMMITMENTS, trouble, stored.version)

    def _follow(self, envelope: Envelope | LooseLine) -> Iterator[AuditFault]:
        """One event after those before."""
        batch, version = envelope.batch, envelope.version
        if batch is not None:
            self._batches += 1
            self._records.append(Executed(batch.command_id, version, 1, self._head))
        elif self._records:
            self._records[-1].count += 1
            self._records[-1].head = self._head
        else:
            yield self._fault(FOLD, "it belongs to no command", version)
        if envelope.at < self._at or (batch is None and envelope.at != self._at):
            yield self._fault(FOLD, "the time runs backwards, or within a command", version)
        self._at = envelope.at
        if self._state is None or isinstance(envelope.event, dict):
            return
        try:
            self._state = self._kind.decider.evolve(self._state, envelope.event)
        except UNFOLDABLE as error:
            yield self._fault(FOLD, misfit(error), version)
            self._state = None

    def _kept(self, state: S) -> Iterator[AuditFault]:
        """What is kept beside the events is what follows from them."""
        stand, decider = self._stand, self._kind.decider
        status, wake = decider.status(state), decider.wake_at(state)
        if status != stand.status:
            text = f"it is kept as {stand.status!r} and is {status!r}"
            yield self._fault(STATUS, text, self.version)
        if wake != stand.due:
            text = f"it is to be woken at {stand.due} and should be at {wake}"
            yield self._fault(DEADLINE, text, self.version)
        table = self._kind.table
        if table is not None and isinstance(state, TableState) and state.result is not None:
            wrong = result_faults(table, state)
            if wrong:
                yield self._fault(FOLD, wrong, self.version)

    # --- the row in the lists ---

    def _list(self, stored: Stored) -> Iterator[AuditFault]:
        """Fold the public events as far as the row has come, and compare."""
        row = self._stand.row
        if self._row is None or row is None or stored.version > row.version:
            return
        try:
            self._row.extend([self._public.decode(self._stream, stored)])
        except (CodecError, *UNFOLDABLE) as error:
            yield self._fault(ROW, f"the public events do not fold: {error!r}", stored.version)
            self._row = None
            return
        if stored.version == row.version and self._row.row(self._stream) != row:
            yield self._fault(ROW, "it says something else than the events", row.version)

    def _unlisted(self) -> Iterator[AuditFault]:
        """The row is there and new enough, where the lists have come to the end of the feed."""
        stand = self._stand
        if self._row is None or stand.version is None:
            return
        if stand.row is not None and stand.row.version > stand.version:
            text = f"it is of version {stand.row.version}, and the stream ends before that"
            yield self._fault(ROW, text, stand.version)
        if stand.listed != stand.reached:
            return
        if stand.row is None:
            yield self._fault(ROW, "the lists do not have it", stand.version)
        elif stand.row.version < stand.version:
            text = f"it is of version {stand.row.version}, and the lists should have come further"
            yield self._fault(ROW, text, stand.version)
