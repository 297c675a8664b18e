"""Where a game is read from: a record file, or a stream of a store.

Reading is lenient on purpose: what is wrong with a file's form is noted, not raised, so that
``verify`` can name it beside everything else that is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from events import seal
from events.clients import commands, listening
from events.codec import Codec, CodecError, Envelope, Stored
from events.kernel import FULL
from events.keys import KeyRing, SecretError
from events.layout import BadStreamIdError
from events.log import Damaged, StreamLog
from events.scripts import LogError
from events.seal import NotCanonicalError
from games.table_events import TableOpened
from projections.record import Entry, Header, Opening, Record, Seal, rules_of, with_opened
from projections.settings import PREFIX, Settings, SettingsError, load_settings
from projections.shelf import house_shelf

_LEAST_LINES: Final = 3
_NO_KEY: Final = b"\x04none"


class SourceError(Exception):
    """There is nothing to read here, or nothing that can be read."""


class DamagedStream(SourceError):
    """The store holds the game, but not in one piece."""


class Fault(Struct, frozen=True):
    """What is wrong with the form of a source; ``version`` 0: not with an event."""

    version: int
    text: str


class Source(Struct, frozen=True, kw_only=True):
    """A game as it was read.

    ``entries`` are the hashed bytes and the openings by version; ``stored`` are the same as
    ``codec`` reads them. ``head`` and ``version`` are what the source says of its end, ``key`` the
    game key in hexadecimal, "" if it is not given. ``header`` is that of a record file.
    """

    stream: str
    entries: tuple[Entry, ...]
    stored: tuple[Stored, ...]
    codec: Codec
    head: bytes
    version: int
    key: str = ""
    header: Header | None = None
    note: str | None = None
    verifier: str | None = None
    faults: tuple[Fault, ...] = ()

    def envelopes(self) -> list[Envelope]:
        """All events in full.

        Raises:
            SourceError: an event cannot be read.
        """
        try:
            return self.codec.decode_many(self.stream, self.stored)
        except (CodecError, SecretError) as error:
            raise SourceError(str(error)) from error


class ClearKeys(KeyRing):
    """Stands in for a key ring where secrets lie open and the game key has been published."""

    def __init__(self, game_key: bytes = bytes(seal.HASH_BYTES)) -> None:
        super().__init__({"none": bytes(seal.HASH_BYTES)}, "none")
        self._game_key = game_key

    def game_key(self, stream_id: str, key_id: str | None = None) -> bytes:  # noqa: ARG002 (one game)
        """The one key."""
        return self._game_key

    def encrypt(self, stream_id: str, version: int, content: bytes, key_id: str) -> bytes:  # noqa: ARG002 (ditto)
        """The content in the clear, after the name of no key."""
        return _NO_KEY + content

    def decrypt(self, stream_id: str, version: int, box: bytes) -> bytes:  # noqa: ARG002 (ditto)
        """The content, with or without the name before it."""
        return box.removeprefix(_NO_KEY)


def open_source(target: str, store: str | None, environ: Mapping[str, str]) -> Source:
    """Read a record file, or a game of a store.

    Args:
        target: a path, or a game id.
        store: the store's url; None: the one that the environment names.
        environ: where the settings of a store are.

    Raises:
        SourceError: no such file or game, or it cannot be read at all.
    """
    path = Path(target)
    if store is None and (path.exists() or not target.startswith("g")):
        try:
            return read_file(path.read_bytes())
        except OSError as error:
            raise SourceError(f"{target}: {error.strerror}") from error
    return asyncio.run(read_store(target, settings_for(store, environ)))


def settings_for(store: str | None, environ: Mapping[str, str]) -> Settings:
    """The settings of the environment, with ``store`` in place of its store.

    Raises:
        SourceError: the environment does not say what it must.
    """
    try:
        wanted = {} if store is None else {f"{PREFIX}STORE_URL": store}
        return load_settings({**environ, **wanted})
    except SettingsError as error:
        raise SourceError(f"a store needs its settings: {error}") from error


# --- record files ---

_decode_header = msgspec.json.Decoder(Header).decode
_decode_fields = msgspec.json.Decoder(dict[str, Any]).decode


class _LastLine(Struct, frozen=True, forbid_unknown_fields=True):
    seal: Seal


_decode_last = msgspec.json.Decoder(_LastLine).decode


def read_file(content: bytes) -> Source:
    """A record file, finished or not.

    Raises:
        SourceError: it is no record: without a header or a seal, or with a line that is no event.
    """
    lines = content.split(b"\n")
    faults: list[Fault] = []
    if lines and not lines[-1]:
        lines.pop()
    else:
        faults.append(Fault(0, "the last line is not ended"))
    if len(lines) < _LEAST_LINES:
        raise SourceError("not a record: it has a header, events and a seal")
    try:
        header, end = _decode_header(lines[0]), _decode_last(lines[-1]).seal
        head = seal.bytes_of(end.head)
    except ValueError as error:
        raise SourceError(f"not a record: {error}") from error
    if lines[0] != seal.canonical(header) or lines[-1] != seal.canonical(_LastLine(end)):
        faults.append(Fault(0, "the header or the seal is not in canonical form"))
    if seal.text_of(head) != end.head:
        faults.append(Fault(0, "the head is not in its one spelling"))
    entries = tuple(_entry(n, line, faults) for n, line in enumerate(lines[1:-1], 1))
    for what, count in (("header", header.events), ("seal", end.version)):
        if count != len(entries):
            faults.append(Fault(0, f"{len(entries)} events, but the {what} counts {count}"))
    record = Record(header, entries, end)
    return Source(
        stream=header.stream,
        entries=entries,
        stored=tuple(record.stored()),
        codec=Codec(house_shelf().registry, ClearKeys()),
        head=head,
        version=end.version,
        key=end.key,
        header=header,
        note=end.note,
        verifier=end.verifier,
        faults=tuple(faults),
    )


def _entry(number: int, line: bytes, faults: list[Fault]) -> Entry:
    """One event line; what is wrong with its form goes to ``faults``."""
    try:
        fields = _decode_fields(line)
        opened = msgspec.convert(fields.pop("opened", {}), dict[str, Opening])
        public = seal.canonical(fields)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"line {number + 1} is no event: {error}") from error
    version = fields.get("v")
    if (with_opened(public, opened) if opened else public) != line:
        faults.append(Fault(number, "the line is not in canonical form"))
    if version != number:
        faults.append(Fault(number, f"the line holds version {version}"))
    if any(path.partition(".")[0] not in {"event", "command"} for path in opened):
        raise SourceError(f"line {number + 1} opens what is neither event nor command")
    return Entry(version if isinstance(version, int) else number, public, opened)


def header_of(stream: str, envelopes: Sequence[Envelope], origin: str) -> Header:
    """The header of a record of these events.

    Raises:
        SourceError: the first event opens no table.
    """
    first = envelopes[0]
    if not isinstance(first.event, TableOpened):
        raise SourceError(f"{stream} does not begin with the opening of a table")
    return Header(
        stream=stream,
        game=first.event.game,
        rulebook=first.event.rulebook,
        mode=first.event.mode,
        genesis=seal.text_of(seal.genesis(stream)),
        events=len(envelopes),
        commands=sum(e.batch is not None for e in envelopes),
        rules=rules_of(envelopes),
        origin=origin,
        opened_at=first.at,
        closed_at=envelopes[-1].at,
    )


# --- stores ---


async def read_store(game: str, settings: Settings) -> Source:
    """A game as the store holds it.

    Raises:
        DamagedStream: entries are missing, or cannot be decrypted.
        SourceError: there is no such game, or the store does not answer.
    """
    client, listener = commands(settings.store_url), listening(settings.store_url)
    try:
        log = StreamLog(client, listener, settings.shards, settings.prefix)
        where = await log.head(game)
        stored = await log.read(game, limit=None if where is None else where.version)
    except Damaged as error:
        raise DamagedStream(str(error)) from error
    except (BadStreamIdError, LogError) as error:
        raise SourceError(str(error)) from error
    finally:
        await client.aclose()
        await listener.aclose()
    if where is None:
        raise SourceError(f"the store has no game {game}")
    codec = Codec(house_shelf().registry, settings.key_ring())
    faults: list[Fault] = []
    entries = tuple(_stored_entry(game, each, codec, faults) for each in stored)
    return Source(
        stream=game,
        entries=entries,
        stored=tuple(stored),
        codec=codec,
        head=where.hash,
        version=where.version,
        key=_published_key(entries),
        faults=tuple(faults),
    )


def _stored_entry(game: str, stored: Stored, codec: Codec, faults: list[Fault]) -> Entry:
    """An entry with everything opened; what cannot be opened is a fault."""
    try:
        line = codec.opened(game, stored, FULL)
        opened = msgspec.convert(_decode_fields(line).get("opened", {}), dict[str, Opening])
    except (CodecError, SecretError, NotCanonicalError, msgspec.DecodeError) as error:
        faults.append(Fault(stored.version, str(error)))
        opened = {}
    return Entry(stored.version, stored.public, opened)


def _published_key(entries: Sequence[Entry]) -> str:
    """The game key as the first event opens it."""
    opening = entries[0].opened.get("event.key") if entries else None
    return "" if opening is None else str(opening.value)
