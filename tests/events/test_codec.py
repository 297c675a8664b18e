"""The stored form: what is public, what is not, and that damage is told."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from events import seal
from events.codec import Batch, Codec, CodecError, Envelope, Stored, first_key_id
from events.kernel import FULL, PUBLIC, Event, Seat, Viewer
from events.keys import KeyRing, SecretError
from tests.events.bank import (
    ALICE,
    AT,
    CANARY,
    RULES,
    STREAM,
    Count,
    Counted,
    Open,
    Opened,
    Paid,
    Pay,
    by,
    codec,
    registry,
    ring,
    stored,
)

SECRET_PAY = Pay(seat=2, coins=5, note=CANARY)
SECRET_PAID = Paid(seat=2, coins=5, note=CANARY)
OWNER = Viewer("seat", seat=2)


def test_the_public_form_is_the_documented_one() -> None:
    events = [Counted(total=1, lucky=2), Paid(seat=1, coins=0)]
    first, second = stored(events, by(Count(reason="why")))
    assert first.public == (
        b'{"at":1700000000000,"batch":{"by":"player:p00-alice","command":{"reason":"why",'
        b'"type":"count"},"id":"c1","rules":"rules-1"},"event":{"lucky":2,"total":1,'
        b'"type":"counted"},"v":1}'
    )
    assert second.public == (
        b'{"at":1700000000000,"event":{"coins":0,"seat":1,"type":"paid"},"v":2}'
    )
    assert first.private is None
    assert second.private is None


def test_a_batch_comes_back() -> None:
    entries = stored([SECRET_PAID, Counted(total=5, lucky=1)], by(SECRET_PAY))
    first, second = codec().decode_many(STREAM, entries)
    assert first.event == SECRET_PAID
    assert first.batch is not None
    assert first.batch.command == SECRET_PAY
    assert (first.batch.actor, first.batch.command_id, first.batch.rules) == (ALICE, "c1", RULES)
    assert set(first.seals) == set(first.batch.seals) == {"note"}
    assert first.seals != first.batch.seals, "paths and salts differ"
    assert second == Envelope(2, AT, Counted(total=5, lucky=1))
    assert [codec().decode(STREAM, entry) for entry in entries] == [first, second]


@given(
    st.lists(
        st.builds(
            Paid,
            seat=st.integers(1, 6),
            coins=st.integers(-seal.LARGEST, seal.LARGEST),
            note=st.just(UNSET) | st.text(st.characters(exclude_categories=["Cs"])),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_any_batch_comes_back(events: list[Event]) -> None:
    entries = stored(events, by(Count()))
    assert [envelope.event for envelope in codec().decode_many(STREAM, entries)] == events
    assert all(seal.canonical(msgspec.json.decode(e.public)) == e.public for e in entries)


def test_events_alone_are_those_of_the_envelopes() -> None:
    entries = stored([SECRET_PAID, Counted(total=5, lucky=1)], by(SECRET_PAY))
    told = codec().decode_events(STREAM, entries)
    assert [(each.version, each.at, each.event) for each in told] == [
        (1, AT, SECRET_PAID),
        (2, AT, Counted(total=5, lucky=1)),
    ]
    bare = Codec(registry(), None).decode_events(STREAM, entries)
    assert bare[0].event == Paid(seat=2, coins=5)


def test_events_alone_say_nothing_of_heads() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    strange = Stored(1, entry.public.replace(b"player:", b"nobody:"), entry.private)
    assert codec().decode_events(STREAM, [strange])[0].event == SECRET_PAID
    with pytest.raises(CodecError, match="nobody:p00"):
        codec().decode_many(STREAM, [strange])


def test_a_secret_is_committed_to_and_not_published() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    assert entry.private is not None
    assert CANARY.encode() not in entry.public + entry.private
    line = msgspec.json.decode(entry.public)
    game_key = ring().game_key(STREAM, "k1")
    for part, seals in (("event", line["seals"]), ("command", line["batch"]["seals"])):
        path = f"{part}.note"
        assert seals == {"note": seal.commitment(path, seal.salt(game_key, 1, path), CANARY)}


def test_the_head_is_the_chain_over_the_public_bytes() -> None:
    start = seal.genesis(STREAM)
    events = [SECRET_PAID, Counted(total=5, lucky=1)]
    sealed = codec().encode_batch(
        STREAM, events, by(SECRET_PAY), at=AT, first_version=1, previous_head=start
    )
    first, second = (public for public, _ in sealed.entries)
    assert sealed.head == seal.link(seal.link(start, 1, first), 2, second)


@pytest.mark.parametrize(
    ("events", "batch"),
    [
        ([SECRET_PAID, Counted(total=5, lucky=1)], by(SECRET_PAY)),
        ([Counted(total=1, lucky=2), SECRET_PAID], by(Count(reason="why"))),
    ],
)
def test_what_is_sealed_comes_with_what_it_decodes_to(events: list[Event], batch: Batch) -> None:
    sealed = codec().encode_batch(
        STREAM, events, batch, at=AT, first_version=3, previous_head=seal.genesis(STREAM)
    )
    entries = [Stored(v, public, private) for v, (public, private) in enumerate(sealed.entries, 3)]
    assert sealed.envelopes == codec().decode_many(STREAM, entries)
    assert [each.version for each in sealed.envelopes] == [3, 4]


def test_without_keys_the_public_side_is_read() -> None:
    entries = stored([SECRET_PAID], by(SECRET_PAY))
    envelope = Codec(registry(), None).decode(STREAM, entries[0])
    assert envelope.event == Paid(seat=2, coins=5)
    assert envelope.batch is not None
    assert envelope.batch.command == Pay(seat=2, coins=5)
    with pytest.raises(CodecError, match="no keys"):
        stored([SECRET_PAID], by(SECRET_PAY), Codec(registry(), None))


def opened(entry: Stored, viewer: Viewer) -> dict[str, Any]:
    seen = codec().opened(STREAM, entry, viewer)
    line: dict[str, Any] = msgspec.json.decode(seen)
    found: dict[str, Any] = line.pop("opened", {})
    assert seal.canonical(line) == entry.public, "the hashed bytes are left"
    return found


def test_viewers_get_what_they_may_open_and_can_check_it() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    seals = {"event.note": codec().decode(STREAM, entry).seals["note"]}
    for viewer in (Viewer("seat", seat=2), FULL):
        found = opened(entry, viewer)
        assert set(found) == {"event.note", "command.note"}
        part = found["event.note"]
        salt = urlsafe_b64decode(part["salt"] + "==")
        assert len(urlsafe_b64decode(part["salt"] + "=")) == 32
        assert seal.commitment("event.note", salt[:32], part["value"]) == seals["event.note"]
    for stranger in (PUBLIC, Viewer("seat", seat=1)):
        assert codec().opened(STREAM, entry, stranger) == entry.public


def test_only_the_end_opens_what_is_for_the_end() -> None:
    (entry,) = stored([Opened(owner="a", key=CANARY)], by(Open(owner="a", key=CANARY)))
    assert opened(entry, Viewer("seat", seat=1)) == {}
    assert set(opened(entry, FULL)) == {"event.key", "command.key"}


def test_an_entry_without_secrets_is_served_as_it_is() -> None:
    (entry,) = stored([Counted(total=1, lucky=2)], by(Count()))
    assert codec().opened(STREAM, entry, FULL) is entry.public


def test_a_stream_keeps_the_key_it_began_with() -> None:
    old = ring()
    both = KeyRing({"k1": b"1" * 32, "k2": b"2" * 32}, "k2")
    entries = stored([SECRET_PAID], by(SECRET_PAY), codec(old))
    assert first_key_id(entries) == "k1"
    assert first_key_id([Stored(1, b"")]) is None
    assert codec(both).decode(STREAM, entries[0]).event == SECRET_PAID
    more = codec(both).encode_batch(
        STREAM,
        [SECRET_PAID],
        by(SECRET_PAY),
        at=AT,
        first_version=2,
        previous_head=seal.genesis(STREAM),
        key_id=first_key_id(entries),
    )
    public, private = more.entries[0]
    assert codec(old).decode(STREAM, Stored(2, public, private)).event == SECRET_PAID
    assert first_key_id(stored([SECRET_PAID], by(SECRET_PAY), codec(both))) == "k2"


def test_a_lost_key_is_told() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    with pytest.raises(SecretError, match="k1"):
        codec(KeyRing({"k2": b"2" * 32}, "k2")).decode(STREAM, entry)


def test_the_public_needs_no_key() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    stranger = codec(KeyRing({"k2": b"2" * 32}, "k2"))
    assert stranger.opened(STREAM, entry, PUBLIC) is entry.public


def test_nothing_is_deciphered_for_who_may_open_nothing() -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    envelope, stranger = codec().decode(STREAM, entry), codec(KeyRing({"k2": b"2" * 32}, "k2"))

    def openings(seat: Seat) -> bytes | None:
        return stranger.openings(STREAM, entry, Viewer("seat", seat=seat), envelope=envelope)

    assert openings(1) is None
    with pytest.raises(SecretError):
        openings(2)


def test_an_entry_is_deciphered_once_for_all_who_may_open_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    envelope, honest, deciphered = codec().decode(STREAM, entry), KeyRing.decrypt, list[int]()

    def counted(ring: KeyRing, stream: str, version: int, box: bytes) -> bytes:
        deciphered.append(version)
        return honest(ring, stream, version, box)

    monkeypatch.setattr(KeyRing, "decrypt", counted)
    opener = codec().opener(STREAM, entry, envelope=envelope)
    assert opener is not None
    found = [opener.openings(viewer) for viewer in (PUBLIC, Viewer("seat", seat=1), OWNER, FULL)]
    assert deciphered == [1]
    assert found == [
        codec().openings(STREAM, entry, each) for each in (PUBLIC, PUBLIC, OWNER, FULL)
    ]
    assert None not in found[2:]


def test_what_nobody_may_open_has_no_opener() -> None:
    (entry,) = stored([Counted(total=1, lucky=2)], by(Count()))
    bare = Stored(entry.version, entry.public)
    assert codec().opener(STREAM, bare) is None


def test_a_private_part_of_another_place_is_refused() -> None:
    first, second = stored([SECRET_PAID, SECRET_PAID], by(Count()))
    with pytest.raises(SecretError, match="altered"):
        codec().decode(STREAM, Stored(1, first.public, second.private))


@pytest.mark.parametrize(
    ("public", "what"),
    [
        (b"", "truncated"),
        (b"\xff", "malformed"),
        (b"[]", "object"),
        (b'{"at":1,"v":1}', "event"),
        (b'{"at":1,"event":{"type":"gone"},"v":1}', "unknown type 'gone'"),
        (b'{"at":1,"event":{},"v":1}', "unknown type None"),
        (b'{"at":1,"event":{"type":"paid","seat":1},"v":1}', "coins"),
        (b'{"at":1,"event":{"type":"paid","seat":1,"coins":1,"x":1},"v":1}', "`x`"),
        (b'{"at":1,"event":{"type":"paid","seat":1,"coins":1},"v":2}', "says that it is 2"),
        (b'{"at":1,"event":{"type":"paid","seat":1,"coins":1},"shape":2,"v":1}', "newer code"),
        (b'{"at":1,"event":{"type":"paid","seat":1,"coins":1},"shape":0,"v":1}', "newer code"),
        (b'{"at":1,"event":{"type":"paid","seat":1,"coins":1},"v":1,"z":1}', "`z`"),
    ],
)
def test_what_cannot_be_read_is_told(public: bytes, what: str) -> None:
    with pytest.raises(CodecError, match=what):
        codec().decode(STREAM, Stored(1, public))
    with pytest.raises(CodecError, match=what):
        codec().decode_events(STREAM, [Stored(1, public)])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\xc1", "private part"),
        (msgspec.msgpack.encode([{}, {}, {}]), "private part"),
        (msgspec.msgpack.encode([3, None]), "secret fields"),
        (msgspec.msgpack.encode([{"note": 3}, None]), "note"),
        (msgspec.msgpack.encode([{"coins": 9}, None]), r"'paid', secret fields: \['coins'\]"),
        (msgspec.msgpack.encode([None, {"seat": 9}]), r"'pay', secret fields: \['seat'\]"),
    ],
)
def test_a_private_part_that_does_not_fit_is_told(content: bytes, what: str) -> None:
    """What is secret says nothing about public fields, however well it was encrypted."""
    (entry,) = stored([SECRET_PAID], by(SECRET_PAY))
    private = ring().encrypt(STREAM, 1, content, "k1")
    with pytest.raises(CodecError, match=what):
        codec().decode(STREAM, Stored(1, entry.public, private))


def test_an_unknown_kind_of_actor_is_told() -> None:
    (entry,) = stored([Counted(total=1, lucky=2)], by(Count()))
    with pytest.raises(CodecError, match="ghost:p00"):
        codec().decode(STREAM, Stored(1, entry.public.replace(b"player:", b"ghost:")))


def test_of_several_damages_the_first_is_told() -> None:
    first, second, third = stored([SECRET_PAID, SECRET_PAID, SECRET_PAID], by(SECRET_PAY))
    assert second.private is not None
    unfit = ring().encrypt(STREAM, 1, msgspec.msgpack.encode(({"coins": "many"},)), ring().current)
    altered, garbage = Stored(2, second.public, second.private[:-1]), Stored(3, b"{")
    for decode in (codec().decode_many, codec().decode_events):
        with pytest.raises(SecretError, match=f"{STREAM}@2 was altered"):
            decode(STREAM, [first, altered, garbage])
        with pytest.raises(CodecError, match=f"{STREAM}@1"):
            decode(STREAM, [Stored(1, b"{"), altered, third])
        with pytest.raises(CodecError, match="secret fields"):
            decode(STREAM, [Stored(1, first.public, unfit), altered, third])


def test_damage_names_its_entry() -> None:
    good = stored([SECRET_PAID, SECRET_PAID, SECRET_PAID], by(SECRET_PAY))
    bad = Stored(2, good[1].public.replace(b'"v":2', b'"v":7'), good[1].private)
    with pytest.raises(CodecError, match=f"{STREAM}@2 says that it is 7"):
        codec().decode_many(STREAM, [good[0], bad, good[2]])
    with pytest.raises(SecretError, match=f"{STREAM}@2 was altered"):
        codec().decode_many(STREAM, [good[0], Stored(2, good[1].public, good[0].private)])
    with pytest.raises(SecretError, match=f"{STREAM}@2 was altered"):
        codec().decode_events(STREAM, [good[0], Stored(2, good[1].public, good[0].private)])


def test_a_float_is_not_written() -> None:
    with pytest.raises(seal.NotCanonicalError):
        stored([Paid(seat=1, coins=0.5)], by(Count()))  # type: ignore[arg-type]


def test_the_stored_bytes_never_change() -> None:
    """If this fails, logs that are out there hash to other heads: mend the code, not the test."""
    entries = stored([SECRET_PAID, Counted(total=5, lucky=1)], by(SECRET_PAY))
    digest = hashlib.sha256(b"\n".join(entry.public for entry in entries)).hexdigest()
    assert digest == "94319e238b5513fa1d728f4f6af39f27e37a0d2acbcd7d7351a1b14c6f23471d"
