"""The documents, an auditor who has nothing but them (``auditor.py``) and our own code agree."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from events import names, seal
from events.draw import Draw, key_hash, seed_of
from tests.replay.auditor import (
    Json,
    base64url,
    below,
    blocks,
    canonical,
    choice,
    commitment,
    genesis,
    hash_of_key,
    link,
    name_seal,
    salt,
    seed,
    shuffled,
)
from tests.replay.forging import Forger, original

DOCS = Path(__file__).resolve().parents[2] / "docs"


def check_record(content: str) -> None:
    """Chain, commitments, key: whatever the record's game is."""
    head_line, *middle, last_line = content.splitlines()
    called = json.loads(middle.pop())["names"] if middle[-1].startswith('{"names"') else {}
    check_names(called, [json.loads(text)["event"] for text in middle])
    header, end = json.loads(head_line), json.loads(last_line)["seal"]
    head, key = genesis(header["stream"]), bytes.fromhex(end["key"])
    for version, text in enumerate(middle, 1):
        line = json.loads(text)
        opening = line.pop("opened", {})
        assert line["v"] == version
        head = link(head, version, canonical(line))
        seals = {f"event.{name}": value for name, value in line.get("seals", {}).items()}
        batch = line.get("batch", {}).get("seals", {})
        seals |= {f"command.{name}": value for name, value in batch.items()}
        assert opening.keys() == seals.keys()
        for path, sealed in seals.items():
            assert opening[path]["salt"] == base64url(salt(key, version, path))
            found = urlsafe_b64decode(opening[path]["salt"] + "=")
            assert commitment(path, found, opening[path]["value"]) == sealed
    assert base64url(head) == end["head"]
    assert json.loads(middle[0])["event"]["key_hash"] == hash_of_key(key)


def check_names(called: Json, events: list[Json]) -> None:
    """Whoever is named was committed to; whoever is not has been erased."""
    sealed = {event.get("name_seal") for event in events if event["type"] == "seat-taken"}
    for made, opening in called.items():
        assert made in sealed
        salt = urlsafe_b64decode(opening["salt"] + "==")
        assert len(salt) == 16
        assert name_seal(salt, opening["name"]) == made


def vectors(name: str) -> Json:
    """The last JSON block of a document."""
    text = (DOCS / name).read_text(encoding="utf-8")
    found: Json = json.loads(re.findall(r"```json\n(.*?)```", text, re.DOTALL)[-1])
    return found


def test_vectors_of_the_chain() -> None:
    given = vectors("audit.md")
    for ours, ours_link in ((seal.genesis, seal.link), (genesis, link)):
        head = ours(given["stream"])
        assert base64url(head) == given["genesis"]
        for step in given["chain"]:
            head = ours_link(head, step["v"], step["public"].encode())
            assert base64url(head) == step["head"]


def test_vectors_of_the_commitments() -> None:
    given = vectors("audit.md")
    key = bytes.fromhex(given["key"])
    for ours, ours_salt in ((seal.commitment, seal.salt), (commitment, salt)):
        for each in given["commitments"]:
            found = ours_salt(key, each["v"], each["path"])
            assert base64url(found) == each["salt"]
            assert ours(each["path"], found, each["value"]) == each["commitment"]


def test_vectors_of_the_names() -> None:
    for each in vectors("audit.md")["names"]:
        opening = names.NameOpening(each["name"], each["salt"])
        salt = urlsafe_b64decode(each["salt"] + "==")
        assert names.seal_of(opening) == name_seal(salt, each["name"]) == each["seal"]


def test_an_auditor_misses_no_name_that_was_erased() -> None:
    forger = Forger()
    forger.names.popitem()
    check_record(forger.content().decode())


def test_vectors_of_the_draws() -> None:
    given = vectors("draws.md")
    key = bytes.fromhex(given["key"])
    assert hash_of_key(key) == key_hash(given["key"]) == given["key_hash"]
    fixed = seed(key, given["entropy"])
    assert fixed.hex() == seed_of(given["key"], given["entropy"]).hex() == given["seed"]
    for each in given["blocks"]:
        found = blocks(fixed, each["label"])
        assert f"{[next(found) for _ in range(each['k'] + 1)][-1]:016x}" == each["x"]
    draw = Draw(fixed)
    for each in given["below"]:
        assert below(blocks(fixed, each["label"]), each["n"]) == each["result"]
        assert draw.below(each["n"], each["label"]) == each["result"]
    for each in given["choice"]:
        assert choice(fixed, each["label"], each["items"]) == each["result"]
        assert draw.choice(each["items"], each["label"]) == each["result"]
    for each in given["shuffled"]:
        assert shuffled(fixed, each["label"], each["items"]) == each["result"]
        assert draw.shuffled(each["items"], each["label"]) == each["result"]


def test_a_vector_throws_a_block_away() -> None:
    given = vectors("draws.md")
    each = next(v for v in given["below"] if v["label"] == "reject/0")
    x = next(blocks(bytes.fromhex(given["seed"]), each["label"]))
    assert x >= 2**64 - 2**64 % each["n"]


def test_the_auditor_accepts_our_record() -> None:
    check_record(original().decode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"cell":"r2c3"', '"cell":"r2c2"'),
        ('"value":"guard"', '"value":"prisoner"'),
        ('"name":"Ada"', '"name":"Eva"'),
    ],
)
def test_the_auditor_refuses_a_forged_one(old: str, new: str) -> None:
    text = original().decode()
    assert old in text
    with pytest.raises(AssertionError):
        check_record(text.replace(old, new))
