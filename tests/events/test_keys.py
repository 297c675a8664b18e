"""Keys: derived apart from one another, hidden, rotated."""

from __future__ import annotations

import copy
import hmac
import re
from collections import Counter

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.keys import KeyRing, SecretError, key_id_of
from events.layout import Layout
from events.seal import text_of

OLD, NEW = b"o" * 32, b"n" * 32
RING = KeyRing({"old": OLD}, "old")
TURNED = KeyRing({"old": OLD, "new": NEW}, "new")


def test_all_that_derives_is_of_its_own() -> None:
    texts = {
        RING.command_id("p", "k"),
        RING.command_id("p", "l"),
        RING.command_id("q", "k"),
        RING.command_id("pk", ""),
        RING.derived_token("p", "k", "a", "d"),
        RING.derived_token("p", "k", "b", "d"),
        RING.derived_token("p", "k", "a", "e"),
        RING.derived_token("p", "l", "a", "d"),
        RING.derived_token("q", "k", "a", "d"),
        RING.digest(b"pk"),
        RING.game_key("g00-a").hex(),
        RING.game_key("g00-b").hex(),
        RING.derived_id("p", "k", "g", 4),
        RING.derived_id("p", "k", "p", 4),
    }
    assert len(texts) == 14
    assert RING.command_id("p", "k") == RING.command_id("p", "k")
    assert len(RING.command_id("p", "k")) == 22
    assert len(RING.game_key("g00-a")) == 32


def test_ids_are_well_formed_and_spread_over_the_shards() -> None:
    layout = Layout(64)
    ids = [RING.derived_id("p", str(i), "g", 64) for i in range(2000)]
    assert all(re.fullmatch(r"g[0-9a-f]{2}-[0-7][0-9a-hjkmnp-tv-z]{25}", each) for each in ids)
    assert len(set(ids)) == 2000
    counts = Counter(layout.shard_of(each) for each in ids)
    assert set(counts) == set(range(64))
    assert max(counts.values()) < 70


@pytest.mark.parametrize(("kind", "shards"), [("G", 4), ("game", 4), ("g", 0), ("g", 257)])
def test_ids_out_of_range_are_refused(kind: str, shards: int) -> None:
    with pytest.raises(ValueError, match="shards"):
        RING.derived_id("p", "k", kind, shards)


def test_nothing_shows_a_secret() -> None:
    assert repr(TURNED) == "KeyRing(['new', 'old'], current='new')"
    with pytest.raises(TypeError):
        copy.copy(RING)


@pytest.mark.parametrize(
    ("secrets", "current", "naming"),
    [
        ({"k": b"short"}, "k", None),
        ({"k": OLD}, "l", None),
        ({"k": OLD}, "k", "l"),
        ({"k k": OLD}, "k k", None),
        ({"k" * 17: OLD}, "k" * 17, None),
        ({}, "k", None),
    ],
)
def test_a_bad_ring_is_refused(secrets: dict[str, bytes], current: str, naming: str | None) -> None:
    with pytest.raises(ValueError, match=r"key id|master secret"):
        KeyRing(secrets, current, naming)


def test_private_parts_come_back_only_in_their_place() -> None:
    box = RING.encrypt("g00-a", 3, b"secret", "old")
    assert b"secret" not in box
    assert RING.decrypt("g00-a", 3, box) == b"secret"
    assert RING.encrypt("g00-a", 3, b"secret", "old") != box, "a nonce is never used again"
    for stream, version in (("g00-a", 4), ("g00-b", 3)):
        with pytest.raises(SecretError, match="altered"):
            RING.decrypt(stream, version, box)


def test_altered_private_parts_are_refused() -> None:
    box = RING.encrypt("g00-a", 3, b"secret", "old")
    for place in range(len(box)):
        bad = box[:place] + bytes([box[place] ^ 1]) + box[place + 1 :]
        with pytest.raises(SecretError):
            RING.decrypt("g00-a", 3, bad)
    for length in range(len(box)):
        with pytest.raises(SecretError):
            RING.decrypt("g00-a", 3, box[:length])


def test_rotation_reads_the_old_and_writes_the_new() -> None:
    box = RING.encrypt("g00-a", 1, b"secret", RING.current)
    assert key_id_of(box) == "old"
    assert TURNED.decrypt("g00-a", 1, box) == b"secret"
    assert key_id_of(TURNED.encrypt("g00-a", 1, b"secret", TURNED.current)) == "new"
    assert TURNED.game_key("g00-a", "old") == RING.game_key("g00-a")
    assert TURNED.game_key("g00-a") != RING.game_key("g00-a")
    with pytest.raises(SecretError, match="no master secret 'old'"):
        KeyRing({"new": NEW}, "new").decrypt("g00-a", 1, box)


def test_names_stay_while_the_naming_key_does() -> None:
    kept = KeyRing({"old": OLD, "new": NEW}, "new", naming="old")
    assert kept.command_id("p", "k") == RING.command_id("p", "k")
    assert kept.derived_id("p", "k", "g", 4) == RING.derived_id("p", "k", "g", 4)
    assert TURNED.command_id("p", "k") != RING.command_id("p", "k")


def test_the_ciphers_of_the_streams_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    def cipher(key: bytes) -> AESGCM:
        made.append(key)
        return AESGCM(key)

    monkeypatch.setattr("events.keys.AESGCM", cipher)
    monkeypatch.setattr("events.keys._KEPT", 4)
    ring, streams = KeyRing({"old": OLD}, "old"), [f"g00-{i}" for i in range(6)]
    boxes = {stream: ring.encrypt(stream, 1, b"x", "old") for stream in streams}
    assert len(set(made)) == len(made) == 6
    assert all(ring.decrypt(stream, 1, boxes[stream]) == b"x" for stream in streams[:1:-1])
    assert len(made) == 6, "the last four are kept"
    assert ring.decrypt(streams[0], 1, boxes[streams[0]]) == b"x"
    assert len(made) == 7, "the first two are not"


def test_what_derives_is_the_hmac_of_the_standard_library() -> None:
    message = b"parlour\x00" + b"\x00\x00\x00\x06digest" + b"\x00\x00\x00\x07content"
    for secret in (OLD, bytes(range(65)), bytes(200)):  # a long key is hashed first
        ring = KeyRing({"key": secret}, "key")
        expected = text_of(hmac.digest(secret, message, "sha256")[:12])
        assert [ring.digest(b"content") for _ in range(2)] == [expected] * 2
