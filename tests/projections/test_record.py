"""Records: what is written is what was hashed, and whatever is not so is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import seal
from events.kernel import FULL, PUBLIC, fold
from events.signing import verify_head
from projections.record import RecordError, read_record
from runtime.table_service import TableService
from tests.games.toy import TOY
from tests.runtime.stage import KEYS, TOY_REGISTRY, Stage


async def test_a_record_holds_the_stored_bytes(stage: Stage) -> None:
    game = await stage.finished()
    record = read_record(await stage.tables.record(game))
    stored = await stage.log.read(game)
    assert [e.public for e in record.entries] == [s.public for s in stored]
    assert record.header.stream == game
    assert record.header.commands == sum(b'"batch":' in s.public for s in stored)
    assert record.header.rules == ("table/1 toy/1",)


async def test_a_record_needs_no_store_to_be_folded(stage: Stage) -> None:
    game = await stage.finished()
    record = read_record(await stage.tables.record(game))
    envelopes = record.envelopes(TOY_REGISTRY.registry(TOY.id))
    assert envelopes == list(await stage.tables.views.envelopes(game))
    truth = (await stage.tables.view(game, FULL)).state
    assert fold(TOY_REGISTRY.table, (e.event for e in envelopes)) == truth


async def test_chain_openings_key_and_signature_hold(stage: Stage) -> None:
    game = await stage.finished()
    record = read_record(await stage.tables.record(game))
    head = seal.chain(seal.genesis(game), 0, (e.public for e in record.entries))
    at = await stage.log.head(game)
    assert at is not None
    assert record.seal.head == seal.text_of(head) == seal.text_of(at.hash)
    assert record.seal.key == KEYS.game_key(game).hex()
    signing = Ed25519PrivateKey.from_private_bytes(b"s" * 32)
    note = verify_head(record.seal.note or "", signing.public_key())
    assert (note.stream, note.version, note.head) == (game, record.seal.version, head)
    opened = 0
    for entry in record.entries:
        line = msgspec.json.decode(entry.public)
        parts = {"event": line.get("seals", {}), "command": line.get("batch", {}).get("seals", {})}
        paths = {f"{part}.{name}": c for part, seals in parts.items() for name, c in seals.items()}
        assert set(paths) == set(entry.opened)
        for path, opening in entry.opened.items():
            salt = seal.bytes_of(opening.salt)
            assert salt == seal.salt(bytes.fromhex(record.seal.key), entry.version, path)
            assert seal.commitment(path, salt, opening.value) == paths[path]
            opened += 1
    assert opened > 4


async def test_a_service_without_a_signing_key_gives_an_unsigned_record(stage: Stage) -> None:
    game = await stage.finished()
    tables = TableService(
        stage.log, KEYS, stage.clock, game_registry=TOY_REGISTRY, origin="plain.example"
    )
    record = read_record(await tables.record(game))
    assert (record.seal.note, record.seal.verifier) == (None, None)
    assert record.header.origin == "plain.example"


async def test_two_exports_are_the_same_file(stage: Stage) -> None:
    game = await stage.finished()
    one = await stage.tables.record(game)
    stage.clock.now += 10**6
    again = stage.twin()
    assert hashlib.sha256(one).digest() == hashlib.sha256(await again.tables.record(game)).digest()


def line_of(number: int, old: bytes, new: bytes) -> Callable[[list[bytes]], None]:
    """A change of one line."""

    def change(lines: list[bytes]) -> None:
        assert old in lines[number]
        lines[number] = lines[number].replace(old, new, 1)

    return change


def swap(lines: list[bytes]) -> None:
    lines[2], lines[3] = lines[3], lines[2]


def cut(lines: list[bytes]) -> None:
    del lines[4]


def end_early(lines: list[bytes]) -> None:
    del lines[-1]


def drop_events(lines: list[bytes]) -> None:
    del lines[-4]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(line_of(0, b"record/1", b"record/9"), "header", id="another format"),
        pytest.param(line_of(0, b'":', b'": '), "not in canonical form", id="header respelt"),
        pytest.param(line_of(1, b'"at":', b'"at": '), "line 2 is not in can", id="event respelt"),
        pytest.param(
            line_of(1, b'"opened":{', b'"opened":{"x.y":{"salt":"","value":1},'), "line 2", id="odd"
        ),
        pytest.param(line_of(1, b"{", b"["), "line 2", id="no JSON"),
        pytest.param(swap, "line 3 should hold version 2", id="two lines swapped"),
        pytest.param(cut, "line 5 should hold version 4", id="a line cut out"),
        pytest.param(end_early, "each ended by a line break", id="no last line break"),
        pytest.param(drop_events, "but the header counts", id="last event missing"),
        pytest.param(line_of(-2, b'"seal"', b'"Seal"'), "seal", id="no seal"),
        pytest.param(line_of(-3, b"{", b"{ "), "line 2", id="names respelt"),
        pytest.param(line_of(-3, b'"salt"', b'"salz"'), "the names: ", id="odd names"),
        pytest.param(lambda lines: lines.clear(), "a record has a header", id="nothing"),
    ],
)
async def test_a_file_that_is_no_record_is_refused(
    stage: Stage, change: Callable[[list[bytes]], None], message: str
) -> None:
    lines = (await stage.tables.record(await stage.finished())).split(b"\n")
    change(lines)
    with pytest.raises(RecordError, match=message):
        read_record(b"\n".join(lines))


async def test_what_the_public_saw_is_in_the_record_byte_for_byte(stage: Stage) -> None:
    game = await stage.finished()
    lines = (await stage.tables.record(game)).split(b"\n")[1:-3]
    for line, public in zip(lines, await stage.tables.events(game, PUBLIC, limit=999), strict=True):
        assert line == public or line.startswith(public[:-1] + b',"opened":')
