"""The record of a finished game: one self-verifying file (pure; one JSON object per line).

====================  =========================================================================
line                  what it holds
====================  =========================================================================
first                 ``Header``: the format, which game this was, how many lines follow
one per event         the stored public form, byte for byte, and after it a last member
                      ``"opened"`` that maps the path of each commitment (``event.room``,
                      ``command.option``) to ``{"salt": base64url, "value": ...}``
before the last       ``{"names": ...}``: the openings of players' names by their seals, those not
                      erased when the file was written; absent if there are none
last                  ``{"seal": ...}``, a ``Seal``: the chain's head, the game key, the signed head
====================  =========================================================================

Every line is canonical (RFC 8785), so an event line without its ``opened`` member is exactly what
was hashed. The names are part of no hash: removing one leaves a record that says as much about the
game as before. Reading checks the form only; ``replay verify`` checks the content.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from events import seal
from events.codec import Codec, Envelope, Registry, Stored, with_openings
from events.kernel import TimestampMs, Version
from events.names import NameOpening, is_renamed
from events.secrecy import InTheClear

FORMAT: Final = "parlour-record/1"
NAMES_BEGIN: Final = b'{"names":'
_OLD: Final = b'"format":"room25-record/'


class RecordError(ValueError):
    """The bytes are not a record, or one that was cut, mixed up or respelt; names the line."""


def refuse_old(first_line: bytes) -> None:
    """Refuse a record that is older than Parlour.

    Raises:
        RecordError: it is: its hashes have other domains, and there is no migration.
    """
    if _OLD in first_line:
        raise RecordError("this record is older than Parlour; only its own program can check it")


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line.

    ``stream`` is the game's id, ``genesis`` the head of its empty stream (base64url), ``rules``
    the tags of the rules that judged it, in the order of their first use, ``origin`` the name
    of the service.
    """

    format: Literal["parlour-record/1"] = FORMAT
    stream: str
    game: str
    rulebook: str
    mode: str
    genesis: str
    events: int
    commands: int
    rules: tuple[str, ...]
    origin: str
    opened_at: TimestampMs
    closed_at: TimestampMs


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """The opening of a commitment: the value and its salt (base64url)."""

    salt: str
    value: Any


class Seal(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The content of the last line.

    ``head`` is the chain's (base64url) after ``version`` events, ``key`` the game key
    (hexadecimal), ``note`` the signed head and ``verifier`` the key that checks it (C2SP), where
    the service signs.
    """

    head: str
    version: Version
    key: str
    note: str | None = None
    verifier: str | None = None


class Names(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line of names: the openings of the events' name seals, by seal.

    ``renamed`` are the present names of players who have been renamed since, by the seals of those
    that they had: nothing opens these any more, and nothing proves the present ones.
    """

    names: dict[str, NameOpening]
    renamed: dict[str, str] = {}

    @classmethod
    def of(cls, told: Mapping[str, NameOpening]) -> Names:
        """The line of names that are told, see ``events.names.is_renamed``."""
        return cls(
            {seal: opening for seal, opening in told.items() if not is_renamed(opening)},
            {seal: opening.name for seal, opening in told.items() if is_renamed(opening)},
        )

    @property
    def told(self) -> dict[str, NameOpening]:
        """All names by seal, see ``events.names.is_renamed``."""
        return self.names | {seal: NameOpening(name, "") for seal, name in self.renamed.items()}


class _LastLine(Struct, frozen=True, forbid_unknown_fields=True):
    seal: Seal


class Entry(Struct, frozen=True):
    """An event line: the hashed bytes, and the openings by path."""

    version: int
    public: bytes
    opened: Mapping[str, Opening]


class Record(Struct, frozen=True):
    """A record as read; ``entries`` have the versions from 1 on without a gap.

    ``names`` are the openings of name seals, see ``events.names.is_renamed``; erased ones
    are missing.
    """

    header: Header
    entries: tuple[Entry, ...]
    seal: Seal
    names: Mapping[str, NameOpening] = {}

    def stored(self) -> list[Stored]:
        """The entries as a store holds them, with the openings as unencrypted private parts."""
        return stored_of(self.entries)

    def envelopes(self, registry: Registry) -> list[Envelope]:
        """The events in full.

        Raises:
            CodecError: a line does not fit the registered types.
        """
        return Codec(registry, InTheClear()).decode_many(self.header.stream, self.stored())


_encode_private = msgspec.msgpack.Encoder().encode
_decode_header = msgspec.json.Decoder(Header).decode
_decode_last = msgspec.json.Decoder(_LastLine).decode
_decode_names = msgspec.json.Decoder(Names).decode
_decode_line = msgspec.json.Decoder(dict[str, Any]).decode


def _private(entry: Entry) -> bytes | None:
    """The openings as ``events.codec`` writes a private part."""
    if not entry.opened:
        return None
    parts: dict[str, dict[str, Any]] = {"event": {}, "command": {}}
    for path, opening in entry.opened.items():
        part, _, name = path.partition(".")
        parts[part][name] = opening.value
    return _encode_private([parts["event"] or None, parts["command"] or None])


def stored_of(entries: Iterable[Entry]) -> list[Stored]:
    """Entries as a store holds them, with the openings as unencrypted private parts."""
    return [Stored(e.version, e.public, _private(e)) for e in entries]


def write_record(
    header: Header,
    lines: Iterable[bytes],
    end: Seal,
    names: Mapping[str, NameOpening] | None = None,
) -> bytes:
    """The file's bytes. ``lines`` are the events as ``Codec.opened`` returns for the full view."""
    first, last = seal.canonical(header), seal.canonical(_LastLine(end))
    return b"\n".join([first, *lines, *names_line(names or {}), last, b""])


def names_line(names: Mapping[str, NameOpening]) -> list[bytes]:
    """The line of names, if there is one."""
    return [seal.canonical(Names.of(names))] if names else []


def read_record(content: bytes) -> Record:
    """Read a record file, from this service or any other.

    Raises:
        RecordError: the form is wrong; what the lines claim is not checked here.
    """
    lines = content.split(b"\n")
    if len(lines) < 3 or lines[-1]:  # noqa: PLR2004 (a header, a seal and a last line break)
        raise RecordError("a record has a header, events and a seal, each ended by a line break")
    refuse_old(lines[0])
    try:
        header = _decode_header(lines[0])
        end = _decode_last(lines[-2]).seal
    except ValueError as error:
        raise RecordError(f"the header or the seal: {error}") from None
    if lines[0] != seal.canonical(header) or lines[-2] != seal.canonical(_LastLine(end)):
        raise RecordError("the header or the seal is not in canonical form")
    names, between = _names(lines[1:-2])
    entries = tuple(_entry(n, line) for n, line in enumerate(between, 1))
    if not len(entries) == header.events == end.version:
        raise RecordError(
            f"{len(entries)} events, but the header counts {header.events}"
            f" and the seal {end.version}"
        )
    return Record(header, entries, end, names)


def _names(lines: list[bytes]) -> tuple[dict[str, NameOpening], list[bytes]]:
    """The names, and the lines without theirs."""
    if not lines or not lines[-1].startswith(NAMES_BEGIN):
        return {}, lines
    try:
        names = _decode_names(lines[-1]).told
    except ValueError as error:
        raise RecordError(f"the names: {error}") from None
    if names_line(names) != [lines[-1]]:
        raise RecordError("the names are not in canonical form")
    return names, lines[:-1]


def _entry(version: int, line: bytes) -> Entry:
    """One event line, taken apart."""
    where = f"line {version + 1}"
    try:
        fields = _decode_line(line)
        opened = msgspec.convert(fields.pop("opened", {}), dict[str, Opening])
        public = seal.canonical_json(fields)
        whole = public if not opened else with_opened(public, opened)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: {error}") from None
    if whole != line:
        raise RecordError(f"{where} is not in canonical form")
    if fields.get("v") != version:
        raise RecordError(f"{where} should hold version {version}")
    if any(path.partition(".")[0] not in {"event", "command"} for path in opened):
        raise RecordError(f"{where} opens what is neither of the event nor of the command")
    return Entry(version, public, opened)


def with_opened(public: bytes, opened: Mapping[str, Opening]) -> bytes:
    """An event line: the public bytes with the openings as their last member."""
    return with_openings(public, seal.canonical(opened))


def rules_of(envelopes: Sequence[Envelope]) -> tuple[str, ...]:
    """The tags of the rules that judged these events, in the order of their first use."""
    return tuple(dict.fromkeys(e.batch.rules for e in envelopes if e.batch is not None))
