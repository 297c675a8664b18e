"""The source of a game: a record file, or a stream of a store.

Reading is lenient on purpose: what is wrong with a file's form is noted, not raised, so that
``verify`` can name it beside everything else that is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from events import seal
from events.clients import connected
from events.codec import Codec, CodecError, Envelope, Stored
from events.envelope import ALL_RELEASED
from events.identity import ForeignStoreError, layout_of
from events.kernel import FULL
from events.keys import KeyRing, SecretError
from events.layout import BadStreamIdError
from events.log import Damaged, StreamLog
from events.names import NameOpening
from events.scripts import LogError
from events.secrecy import InTheClear
from games.game_registry import GameRegistry, game_begun, installed_games
from games.table.events import TableOpened
from projections.names import NameBook
from projections.record import Entry, Header, Opening, rules_of, stored_of
from replay.lines import HEADER, SEAL, FormFault, NotARecordError, is_event, read_lines
from replay.sittings import sittings
from runtime.settings import PREFIX, Settings, SettingsError, load_settings


class SourceError(Exception):
    """There is nothing to read, or nothing readable."""


class DamagedStream(SourceError):
    """The store holds the game, but not in one piece."""


class Source(Struct, frozen=True, kw_only=True):
    """A game as read.

    ``entries`` are the hashed bytes and the openings by version; ``stored`` are the same as a codec
    with ``keys`` reads them. ``head`` and ``version`` are what the source says of its end (no bytes
    and 0 if it does not say), ``key`` the game key in hexadecimal, "" if it is not given.
    ``header`` is that of a record file, ``genesis`` what it says there. ``unread`` are the versions
    whose lines are no events. ``places`` are the numbers of a file's lines by version and by part.
    ``broken`` says why this is no whole record, if it is none. ``names`` open name seals, as far as
    they have not been erased.
    """

    stream: str
    entries: tuple[Entry, ...]
    stored: tuple[Stored, ...]
    keys: KeyRing
    head: bytes
    version: int
    key: str = ""
    header: Header | None = None
    genesis: str = ""
    note: str | None = None
    verifier: str | None = None
    faults: tuple[FormFault, ...] = ()
    unread: frozenset[int] = frozenset()
    places: Mapping[int | str, int] = {}
    broken: str = ""
    names: Mapping[str, NameOpening] = {}

    @property
    def game(self) -> str:
        """The id of the game, as the first event says it, or else the header; "" if none does."""
        first = self.stored[0] if self.stored else None
        if first is not None and first.version not in self.unread:
            try:
                return game_begun(first)
            except CodecError:
                pass
        return "" if self.header is None else self.header.game

    def envelopes(self, game_registry: GameRegistry | None = None) -> list[Envelope]:
        """All events in full, by the types of ``game_registry``, by default those of all games.

        Raises:
            SourceError: an event cannot be read, or nobody plays the game here.
        """
        try:
            codec = Codec((game_registry or installed_games()).registry(self.game), self.keys)
            return codec.decode_many(self.stream, self.stored)
        except (CodecError, SecretError) as error:
            raise SourceError(str(error)) from error


class ClearKeys(InTheClear, KeyRing):
    """Stands in for a key ring where secrets are open and the game key has been published."""

    def __init__(self, game_key: bytes | None = None) -> None:
        KeyRing.__init__(self, {self.current: bytes(seal.HASH_BYTES)}, self.current)
        InTheClear.__init__(self, game_key)


def settings_for(store: str | None, environ: Mapping[str, str]) -> Settings:
    """The settings of the environment, with ``store`` in place of its store.

    Raises:
        SourceError: a setting is missing or malformed.
    """
    try:
        wanted = {} if store is None else {f"{PREFIX}STORE_URL": store}
        return load_settings({**environ, **wanted})
    except SettingsError as error:
        raise SourceError(f"a store needs its settings: {error}") from error


# --- record files ---


def read_file(content: bytes) -> Source:
    """A whole record file, finished or not; what it claims may be false.

    Raises:
        SourceError: it is no record: without a header or a seal, or with a line that is no event.
    """
    source = examine(content)
    if source.broken:
        raise SourceError(f"not a record: {source.broken}")
    return source


def examine(content: bytes) -> Source:
    """A record file, as far as it can be read; ``broken`` says what cannot.

    Raises:
        SourceError: it has nothing of a record, or is older than Parlour.
    """
    try:
        read = read_lines(content)
    except NotARecordError as error:
        raise SourceError(str(error)) from error
    header, end = read.header, read.end
    if header is not None:
        counts = {HEADER: header.events} | ({} if end is None else {SEAL: end.version})
        read.faults += _miscounted(len(read.entries), counts)
    said = _Said(read.loose if header is None else msgspec.structs.asdict(header))
    ends = _Said(read.loose_end if end is None else msgspec.structs.asdict(end))
    return Source(
        stream=said.text("stream"),
        entries=read.entries,
        stored=tuple(stored_of(read.entries)),
        keys=ClearKeys(),
        head=_head_bytes(ends.text("head")),
        version=ends.number("version"),
        key=ends.text("key"),
        header=header,
        genesis=said.text("genesis"),
        note=ends.maybe("note"),
        verifier=ends.maybe("verifier"),
        faults=tuple(read.faults),
        unread=frozenset(read.unread),
        places=read.places,
        broken=read.broken,
        names=read.names,
    )


class _Said:
    """Members of a line, of whatever type."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members

    def maybe(self, name: str) -> str | None:
        """A member that is a string; None if it is missing or something else."""
        value = self._members.get(name)
        return value if isinstance(value, str) else None

    def text(self, name: str) -> str:
        """A member that is a string; "" if it is missing or something else."""
        return self.maybe(name) or ""

    def number(self, name: str) -> int:
        """A member that is a number; 0 if it is missing or something else."""
        value = self._members.get(name)
        return value if isinstance(value, int) else 0


def _head_bytes(text: str) -> bytes:
    """A head; no bytes if it is not known."""
    try:
        return seal.bytes_of(text)
    except ValueError:
        return b""


def _miscounted(found: int, counts: Mapping[str, int]) -> Iterator[FormFault]:
    """What the header and the seal count otherwise than there are events."""
    wrong = {part: count for part, count in counts.items() if count != found}
    for part, count in wrong.items():
        # If both count otherwise it is the events that are too few or too many.
        blamed = part if len(wrong) < len(counts) else ""
        yield FormFault(0, f"{found} events, but {part} counts {count}", blamed)


def open_source(
    target: str,
    store: str | None,
    environ: Mapping[str, str],
    read: Callable[[bytes], Source] = read_file,
) -> Source:
    """Read a record file, or a game of a store.

    Args:
        target: a path, or a game id.
        store: the store's url; None: the one that the environment names.
        environ: where the settings of a store are.
        read: how a file is read: ``read_file``, or ``examine`` for one that may be broken.

    Raises:
        SourceError: no such file or game, or it cannot be read at all.
    """
    path = Path(target)
    if store is None and (path.exists() or not target.startswith("g")):
        try:
            return read(path.read_bytes())
        except OSError as error:
            raise SourceError(f"{target}: {error.strerror}") from error
    return asyncio.run(read_store(target, settings_for(store, environ)))


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


_decode_line = msgspec.json.Decoder(dict[str, Any]).decode


async def read_store(
    game: str, settings: Settings, game_registry: GameRegistry | None = None
) -> Source:
    """A game as the store holds it, read by the games of this program, or by those of a registry.

    Raises:
        DamagedStream: entries are missing, or cannot be decrypted.
        SourceError: there is no such game, or the store does not answer.
    """
    try:
        async with connected(settings.store_url) as (client, listener):
            layout = await layout_of(client, settings.prefix, settings.layout())
            log = StreamLog(client, listener, layout)
            where = await log.head(game)
            stored = await log.read(game, limit=None if where is None else where.version)
            names = await NameBook(log.names).openings(sittings(each.public for each in stored))
    except Damaged as error:
        raise DamagedStream(str(error)) from error
    except (BadStreamIdError, ForeignStoreError, LogError) as error:
        raise SourceError(str(error)) from error
    if where is None:
        raise SourceError(f"the store has no game {game}")
    keys = settings.key_ring()
    faults: list[FormFault] = []
    opened = _opener(game, stored, game_registry or installed_games(), keys)
    entries = tuple(_stored_entry(each, opened, faults) for each in stored)
    return Source(
        stream=game,
        entries=entries,
        stored=tuple(stored),
        keys=keys,
        head=where.hash,
        version=where.version,
        key=_published_key(entries),
        faults=tuple(faults),
        unread=frozenset(e.version for e in entries if not is_event(e.public)),
        names=names,
    )


def _opener(
    game: str, stored: Sequence[Stored], game_registry: GameRegistry, keys: KeyRing
) -> Callable[[Stored], bytes]:
    """What gives the line of an entry, with everything opened."""
    try:
        codec = game_registry.codecs(keys).codec_of(stored[0])
    except (CodecError, IndexError):  # its types are not known here
        return partial(Codec(game_registry.table_types, keys).opened_unread, game)
    return partial(codec.opened, game, viewer=FULL, released=ALL_RELEASED)


def _stored_entry(
    stored: Stored, line_of: Callable[[Stored], bytes], faults: list[FormFault]
) -> Entry:
    """An entry with everything opened; what cannot be opened is a fault."""
    try:
        line = line_of(stored)
        opened = msgspec.convert(_decode_line(line).get("opened", {}), dict[str, Opening])
    except (CodecError, SecretError, ValueError, RecursionError) as error:
        faults.append(FormFault(stored.version, str(error)))
        opened = {}
    return Entry(stored.version, stored.public, opened)


def _published_key(entries: Sequence[Entry]) -> str:
    """The game key as the first event opens it."""
    opening = entries[0].opened.get("event.key") if entries else None
    return "" if opening is None else str(opening.value)
