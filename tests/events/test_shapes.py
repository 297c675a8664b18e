"""The shapes of what is stored: which a registry takes, and what the old ones become."""

from __future__ import annotations

from base64 import urlsafe_b64decode

import msgspec
import pytest
from msgspec import UNSET

from events import seal
from events.codec import Codec, CodecError, Registry, Stored, Upcaster
from events.envelope import Fields
from events.kernel import FULL, AtEnd, AudienceError, Command, Event, OnlySeat, Public, Seat, Viewer
from tests.events.bank import AT, CANARY, STREAM, Count, Paid, by, ring, stored

# A worked example of upcasting. In shape 1 a room was peeked at by "who" (a seat), its kind was
# called "kind" and had no colour. Shape 2 renames the first, shape 3 adds the colour.


class Peek(Command, frozen=True, kw_only=True, tag="peek"):
    """Look into a room."""

    seat: Public[Seat]
    cell: Public[str]
    why: OnlySeat[str] = UNSET


class Peeked(Event, frozen=True, kw_only=True, tag="peeked"):
    """A seat looked into a room."""

    seat: Public[Seat]
    room: OnlySeat[tuple[str, str]] = UNSET


class PeekV1(Command, frozen=True, kw_only=True, tag="peek"):
    """Look into a room, as it was in shape 1: the cell was two numbers."""

    seat: Public[Seat]
    row: Public[int]
    column: Public[int]
    why: OnlySeat[str] = UNSET


class PeekedV1(Event, frozen=True, kw_only=True, tag="peeked"):
    """A seat looked into a room, as it was in shape 1."""

    who: Public[Seat]
    kind: AtEnd[str] = UNSET


def name_the_seat(fields: Fields) -> Fields:
    return {"seat" if name == "who" else name: value for name, value in fields.items()}


def add_the_colour(fields: Fields) -> Fields:
    kept = {name: value for name, value in fields.items() if name != "kind"}
    return {**kept, "room": [fields["kind"], "grey"]} if "kind" in fields else kept


def name_the_cell(fields: Fields) -> Fields:
    kept = {name: value for name, value in fields.items() if name not in {"row", "column"}}
    return {**kept, "cell": f"r{fields['row']}c{fields['column']}"}


STEPS = (
    Upcaster("peeked", 2, add_the_colour),
    Upcaster("peeked", 1, name_the_seat),
    Upcaster("peek", 1, name_the_cell, of="command"),
)
BEFORE = Codec(Registry([PeekedV1], [PeekV1]), ring())
TODAY = Codec(Registry([Peeked], [Peek], STEPS), ring())
OLD_ENTRY = stored(
    [PeekedV1(who=2, kind="tunnel")], by(PeekV1(seat=2, row=1, column=3, why=CANARY)), BEFORE
)[0]


def test_an_old_shape_is_read_as_todays() -> None:
    assert b'"who":2' in OLD_ENTRY.public
    assert b"shape" not in OLD_ENTRY.public
    envelope = TODAY.decode(STREAM, OLD_ENTRY)
    assert envelope.event == Peeked(seat=2, room=("tunnel", "grey"))
    assert envelope.batch is not None
    assert envelope.batch.command == Peek(seat=2, cell="r1c3", why=CANARY)
    assert set(envelope.seals) == {"kind"}, "commitments are those of the stored fields"
    assert TODAY.decode_events(STREAM, [OLD_ENTRY])[0].event == envelope.event


def test_an_old_shape_is_read_without_its_secrets_too() -> None:
    reader = Codec(Registry([Peeked], [Peek], STEPS), None)
    assert reader.decode(STREAM, OLD_ENTRY).event == Peeked(seat=2)


def test_hashes_cover_what_is_stored_whatever_it_becomes() -> None:
    before = BEFORE.encode_batch(
        STREAM,
        [PeekedV1(who=2)],
        by(PeekV1(seat=2, row=1, column=3)),
        at=AT,
        first_version=1,
        previous_head=seal.genesis(STREAM),
    )
    public = before.entries[0][0]
    assert TODAY.decode(STREAM, Stored(1, public)).event == Peeked(seat=2)
    assert seal.link(seal.genesis(STREAM), 1, public) == before.head


def test_a_field_that_only_the_old_shape_had_is_for_the_full_view() -> None:
    for viewer, paths in (
        (FULL, {"event.kind", "command.why"}),
        (Viewer("seat", seat=2), {"command.why"}),
        (Viewer("seat", seat=1), set()),
    ):
        line = msgspec.json.decode(TODAY.opened(STREAM, OLD_ENTRY, viewer))
        assert set(line.get("opened", {})) == paths
        for path, part in line.get("opened", {}).items():
            salt = urlsafe_b64decode(part["salt"] + "=")
            where = line["seals"] if path.startswith("event") else line["batch"]["seals"]
            assert where[path.partition(".")[2]] == seal.commitment(path, salt, part["value"])


def test_todays_shape_is_written_and_read_the_short_way() -> None:
    event, command = Peeked(seat=2, room=("tunnel", "red")), Peek(seat=2, cell="r1c3")
    (entry,) = stored([event], by(command), TODAY)
    assert b'"shape":3' in entry.public
    assert msgspec.json.decode(entry.public)["batch"]["shape"] == 2
    envelope = TODAY.decode(STREAM, entry)
    assert envelope.event == event
    assert envelope.batch is not None
    assert envelope.batch.command == command
    with pytest.raises(CodecError, match=r"newer code|field"):
        BEFORE.decode(STREAM, entry)


def test_old_and_new_shapes_stand_side_by_side() -> None:
    (new,) = stored([Peeked(seat=3, room=("void", "red"))], by(Peek(seat=3, cell="r1c1")), TODAY)
    events = [envelope.event for envelope in TODAY.decode_many(STREAM, [OLD_ENTRY, new])]
    assert events == [Peeked(seat=2, room=("tunnel", "grey")), Peeked(seat=3, room=("void", "red"))]


def test_a_registry_refuses_what_does_not_fit() -> None:
    with pytest.raises(CodecError, match="share 'peeked'"):
        Registry([Peeked, PeekedV1], [])
    with pytest.raises(CodecError, match="do not follow"):
        Registry([Peeked], [], STEPS[:1])
    with pytest.raises(CodecError, match="unknown types"):
        Registry([Paid], [], STEPS[:2])
    with pytest.raises(CodecError, match="Event has no tag"):
        Registry([Event], [])


def test_a_registry_wants_docstrings_and_absent_secrets() -> None:
    class Mute(Paid, frozen=True, kw_only=True, tag="mute"):
        pass

    class Fixed(Event, frozen=True, kw_only=True, tag="fixed"):
        """Its secret is always there."""

        room: AtEnd[str]

    with pytest.raises(CodecError, match="Mute has no docstring"):
        Registry([Mute], [])
    with pytest.raises(AudienceError, match=r"Fixed\.room"):
        Registry([Fixed], [])


def test_what_is_not_registered_is_not_written() -> None:
    with pytest.raises(CodecError, match="Peeked is not registered"):
        stored([Peeked(seat=1)], by(Count()))
    with pytest.raises(CodecError, match="Peek is not registered"):
        stored([Paid(seat=1, coins=1)], by(Peek(seat=1, cell="r1c1")))
