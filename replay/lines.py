"""A record file split into its lines, whatever the bytes (pure).

Only a file with no resemblance to a record is refused here: anything else that is wrong is noted as
a fault, with its line and version, and as much as possible is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from events import seal
from events.names import NameOpening
from projections.record import (
    FORMAT,
    NAMES_BEGIN,
    Entry,
    Header,
    Names,
    Opening,
    Seal,
    names_line,
    refuse_old,
    with_opened,
)

Kind = Literal["header", "event", "names", "seal"]

HEADER: Final = "the header"
SEAL: Final = "the seal"
NAMES: Final = "the names"

_DEEPEST: Final = 64
"""Brackets within brackets that a line may have; ours have less than ten."""

_BEGINNINGS: Final[Mapping[bytes, Kind]] = {
    b'{"closed_at":': "header",
    b'{"at":': "event",
    NAMES_BEGIN: "names",
    b'{"seal":': "seal",
}
_MARKS: Final[Sequence[tuple[Kind, re.Pattern[bytes]]]] = (
    ("header", re.compile(rb'"format" *: *"parlour-record/|"genesis" *: *"')),
    ("event", re.compile(rb'"event" *: *\{')),
    ("seal", re.compile(rb'"seal" *: *\{|"head" *: *"')),
    ("names", re.compile(rb'"names" *: *\{|\{"name" *: *"')),
)
_MEMBER: Final = re.compile(rb'"([a-z]+)":("(?:[^"\\]|\\.)*"|[0-9]{1,15})')
_TYPE: Final = re.compile(rb'"type":"([a-z][a-z0-9-]*)"')
_OPENED: Final = b',"opened":'
_EVENT: Final = b'"event":{'


class NotARecordError(ValueError):
    """No line of the file looks like a line of a record, or it is older than Parlour."""


class FormFault(Struct, frozen=True):
    """What is wrong with the form of a source.

    ``version`` is the event that it is about, 0 for none; ``part`` the header, the names or the
    seal, if it is about one of these.
    """

    version: int
    text: str
    part: str = ""


class Reading(Struct, kw_only=True):
    """What a file's lines say.

    ``header`` and ``end`` are None where there is none in its right form; ``loose`` and
    ``loose_end`` have the members that could be found all the same. ``unread`` are the versions
    whose lines are no events; their entries have the bytes that were found. ``places`` are the
    numbers of the lines, by version and by part. ``broken`` says why this is no whole record, if it
    is none.
    """

    header: Header | None = None
    loose: Mapping[str, Any] = {}
    entries: tuple[Entry, ...] = ()
    names: Mapping[str, NameOpening] = {}
    unread: set[int] = set()
    end: Seal | None = None
    loose_end: Mapping[str, Any] = {}
    faults: list[FormFault] = []
    places: dict[int | str, int] = {}
    broken: str = ""

    def spoil(self, fault: FormFault, where: str) -> None:
        """Note a fault for which this is no whole record."""
        self.faults.append(fault)
        self.broken = self.broken or f"{where}: {fault.text}"


class _LastLine(Struct, frozen=True, forbid_unknown_fields=True):
    seal: Seal


_decode_header = msgspec.json.Decoder(Header).decode
_decode_names = msgspec.json.Decoder(Names).decode
_decode_last = msgspec.json.Decoder(_LastLine).decode
_decode_fields = msgspec.json.Decoder(dict[str, Any]).decode


def read_lines(content: bytes) -> Reading:
    """Read a file.

    Raises:
        NotARecordError: it has nothing of a record, or is one from before there was Parlour.
    """
    lines = content.split(b"\n")
    is_ended = not lines[-1]
    if is_ended:
        lines.pop()
    if not any(map(_kind, lines)):
        raise NotARecordError("not a record: no line looks like a header, an event or a seal")
    try:
        refuse_old(lines[0])
    except ValueError as error:
        raise NotARecordError(f"not a record: {error}") from error
    lines, joined = _parted(lines)
    first, last = _borders(lines, [_kind(line) for line in lines])
    read = Reading()
    _read_header(read, lines[0] if first else None)
    between = lines[first:last]
    if between and _kind(between[-1]) == "names":
        _read_names(read, between.pop(), last - joined)
    _read_entries(read, between, first + 1 - joined)
    _read_seal(read, lines[last] if last < len(lines) else None, lines[last + 1 :])
    if last == len(lines):
        # A line break may have been lost before it.
        read.loose_end = _members(lines[-1].partition(b'{"seal":')[2])
    if last < len(lines):
        read.places[SEAL] = last + 1 - joined
    if not is_ended:
        read.faults.append(FormFault(0, "the last line is not ended", SEAL))
    return read


def is_event(public: bytes) -> bool:
    """Whether public bytes can be read as such, of whatever type."""
    try:
        fields_of(public)
    except (ValueError, RecursionError):
        return False
    return True


def type_of(public: bytes) -> str:
    """The tag of the event in a line that may be damaged; "" if it cannot be known."""
    try:
        event = fields_of(public).get("event")
    except (ValueError, RecursionError):
        found = _TYPE.search(public, max(public.find(_EVENT), 0))
        return found[1].decode() if found and _EVENT in public else ""
    kind = event.get("type") if isinstance(event, dict) else None
    return kind if isinstance(kind, str) and kind else ""


# --- which line is what ---


def _kind(line: bytes) -> Kind | None:
    """What a line means to be: by its beginning, or else by what stands in it."""
    for beginning, kind in _BEGINNINGS.items():
        if line.startswith(beginning):
            return kind
    return next((kind for kind, mark in _MARKS if mark.search(line)), None)


def _parted(lines: list[bytes]) -> tuple[list[bytes], int]:
    """The lines, the first event taken off the header if it stands in one line with it (1, else 0).

    Of two events in one line the first is to blame, but no event is for what the header lacks.
    """
    at = lines[0].find(b'{"at":', 1)
    if _kind(lines[0]) != "header" or at < 0:
        return lines, 0
    return [lines[0][:at], lines[0][at:], *lines[1:]], 1


def _borders(lines: Sequence[bytes], kinds: Sequence[Kind | None]) -> tuple[int, int]:
    """Where the events begin, and where they end: at the seal, or behind the last line.

    A line at either end that looks like nothing is taken for a damaged header or seal.
    """
    first = 0 if kinds[0] in {"event", "seal"} else 1
    for number in range(first, len(lines)):
        if lines[number].startswith(b'{"seal":'):
            return first, number
    has_end = len(lines) > first and kinds[-1] not in {"event", "names"}
    return first, len(lines) - has_end


def fields_of(line: bytes) -> dict[str, Any]:
    """A line's members.

    Raises:
        ValueError: it is no JSON object, or too deep.
        RecursionError: it is far too deep.
    """
    found: dict[str, Any] = _decode_fields(line)
    # A line with few brackets cannot be deep, and hardly any has many.
    if line.count(b"{") + line.count(b"[") > _DEEPEST and _depth(found) > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    return found


def _depth(value: object) -> int:
    """How deeply lists and objects are nested."""
    depth, layer = 0, [value]
    while layer:
        depth += 1
        inner: list[object] = []
        for each in layer:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        layer = inner
    return depth - 1


def _members(line: bytes) -> dict[str, Any]:
    """The texts and numbers that can be made out in an unreadable line."""
    found: dict[str, Any] = {}
    for name, value in _MEMBER.findall(line):
        try:
            found.setdefault(name.decode(), msgspec.json.decode(value))
        except ValueError:
            continue
    return found


# --- the lines that are no events ---


def _read_header(read: Reading, line: bytes | None) -> None:
    if line is None:
        read.spoil(FormFault(0, "there is none", HEADER), "line 1, the header")
        return
    read.places[HEADER] = 1
    read.loose = _members(line)
    try:
        read.header = _decode_header(line)
    except (ValueError, RecursionError) as error:
        form = read.loose.get("format", FORMAT)
        why = str(error) if form == FORMAT else f"its format is {form!r}, and not {FORMAT}"
        read.spoil(FormFault(0, why, HEADER), "line 1, the header")
        return
    if line != _spelt(read.header):
        read.faults.append(FormFault(0, "it is not in canonical form", HEADER))


def _read_seal(read: Reading, line: bytes | None, more: Sequence[bytes]) -> None:
    if line is None:
        read.spoil(FormFault(0, "there is none", SEAL), "the seal")
        return
    read.loose_end = _members(line)
    if more:
        follows = "a line follows" if len(more) == 1 else f"{len(more)} lines follow"
        read.spoil(FormFault(0, f"{follows} it", SEAL), "the seal")
    try:
        end = _decode_last(line).seal
    except (ValueError, RecursionError) as error:
        read.spoil(FormFault(0, str(error), SEAL), "the seal")
        return
    if line != _spelt(_LastLine(end)):
        read.faults.append(FormFault(0, "it is not in canonical form", SEAL))
    try:
        head = seal.bytes_of(end.head)
    except ValueError:
        read.spoil(FormFault(0, "its head is not base64url", SEAL), "the seal")
        return
    read.end = end
    if seal.text_of(head) != end.head or len(head) != seal.HASH_BYTES:
        read.faults.append(FormFault(0, "its head is not in its one spelling", SEAL))


def _read_names(read: Reading, line: bytes, number: int) -> None:
    read.places[NAMES] = number
    try:
        read.names = _decode_names(line).told
    except (ValueError, RecursionError) as error:
        read.spoil(FormFault(0, str(error), NAMES), f"line {number}, the names")
        return
    try:
        spelt = names_line(read.names)
    except ValueError:
        spelt = []
    if spelt != [line]:
        read.faults.append(FormFault(0, "they are not in canonical form", NAMES))


def _spelt(value: Struct) -> bytes:
    """The canonical bytes; "" if there are none."""
    try:
        return seal.canonical(value)
    except ValueError:
        return b""


# --- events ---


class _Parsed(Struct):
    """An event line on its own; ``why`` says what is wrong with it, ``is_event`` if it is one."""

    public: bytes
    opened: dict[str, Opening] = {}
    version: object = None
    why: str = ""
    is_event: bool = True


def _parsed(line: bytes) -> _Parsed:
    try:
        fields = fields_of(line)
        opened = msgspec.convert(fields.pop("opened", {}), dict[str, Opening])
        public = seal.canonical_json(fields)
        whole = with_opened(public, opened) if opened else public
    except (ValueError, RecursionError) as error:
        # What was hashed can be whole all the same, if it is an opening that is damaged.
        public = line.partition(_OPENED)[0] + b"}" if _OPENED in line else line
        return _Parsed(public, why=f"it is no event: {error}", is_event=False)
    found = _Parsed(public, opened, fields.get("v"))
    if whole != line:
        found.why = "it is not in canonical form"
    strange = [path for path in opened if path.partition(".")[0] not in {"event", "command"}]
    if strange:
        found.why, found.is_event = "it opens what is neither event nor command", False
        found.opened = {path: opened[path] for path in opened.keys() - strange}
    return found


def _read_entries(read: Reading, lines: Sequence[bytes], at: int) -> None:
    """The events; ``at`` is the number of the first line."""
    parsed = [_parsed(line) for line in lines]
    entries: list[Entry] = []
    for i, (due, version) in enumerate(_numbered([each.version for each in parsed])):
        each, number = parsed[i], at + i
        read.places.setdefault(due, number)
        entries.append(Entry(version, each.public, each.opened))
        if not each.is_event:
            read.unread.add(version)
            read.spoil(FormFault(due, each.why), f"line {number}")
        elif each.why:
            read.faults.append(FormFault(due, each.why))
        if each.is_event and (each.version != due or each.version is True):
            read.faults.append(FormFault(due, f"the line holds version {_shown(each.version)}"))
    read.entries = tuple(entries)


def _numbered(stated: Sequence[object]) -> Iterator[tuple[int, int]]:
    """For each line the version that is due, and the one that it counts as.

    A line counts as what is due, unless the next line goes on from the version that it states:
    after a line was lost or put in, all that follow count as what they are.
    """
    due = 1
    for i, said in enumerate(stated):
        version = due
        follows = stated[i + 1] if i + 1 < len(stated) else None
        if type(said) is int and 1 <= said < seal.LARGEST and follows == said + 1:
            version = said
        yield due, version
        due = version + 1


def _shown(version: object) -> str:
    """A stated version in few letters."""
    text = "none" if version is None else repr(version)
    return text if len(text) <= 20 else f"{text[:20]}…"  # noqa: PLR2004 (enough for any number)
