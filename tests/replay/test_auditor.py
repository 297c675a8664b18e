"""The documents, an auditor who has nothing but them (``auditor.py``) and our own code agree."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from events import names, seal
from events.draw import Draw, key_hash, seed_of
from tests.golden_records import RECORDS, a_third_by_day
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
    lines = [json.loads(text) for text in middle]
    check_names(called, [line["event"] for line in lines])
    header, end = json.loads(head_line), json.loads(last_line)["seal"]
    head, key = genesis(header["stream"]), bytes.fromhex(end["key"])
    table_key = bytes.fromhex(lines[0]["opened"]["command.key"]["value"])
    salted_by = table_key if lines[0]["event"]["scenario"] else key
    kept, void = kept_fields(lines)
    for version, line in enumerate(lines, 1):
        opening = line.pop("opened", {})
        assert line["v"] == version
        head = link(head, version, canonical(line))
        seals = {f"event.{name}": value for name, value in line.get("seals", {}).items()}
        batch = line.get("batch", {}).get("seals", {})
        seals |= {f"command.{name}": value for name, value in batch.items()}
        assert opening.keys() == {path for path in seals if (version, path) not in void}
        for path, found in opening.items():
            derived = (version, path) not in kept
            assert not derived or found["salt"] == base64url(salt(salted_by, version, path))
            salted = urlsafe_b64decode(found["salt"] + "=")
            assert commitment(path, salted, found["value"]) == seals[path]
    assert base64url(head) == end["head"]
    assert lines[0]["event"]["key_hash"] == hash_of_key(key)


Fields = set[tuple[int, str]]
"""Fields by version and path."""


def kept_fields(lines: list[Json]) -> tuple[Fields, Fields]:
    """The fields whose salts follow from no key, and those of them that stay secret for ever."""
    kept: Fields = set()
    void: Fields = set()
    order: list[int] = []
    given: dict[int, list[Fields]] = {}
    batch = lines[0]
    for line in lines:
        event = line["event"]
        batch = line if "batch" in line else batch
        if event["type"] == "answer-given":
            fields = {(line["v"], "event.choice")}
            if event["seat"] == batch["batch"]["command"].get("seat"):  # not an absent seat's
                fields.add((batch["v"], "command.option"))
            kept |= fields
            given.setdefault(event["seat"], []).append(fields)
        elif event["type"] in {"version-began", "version-judged"}:
            judged = event["type"] == "version-judged"
            place = order.index(event["seat"]) + 1 if judged and event.get("seat") else len(order)
            counted = order[:place] if judged else []
            void |= {f for s in given if s not in counted for each in given[s] for f in each}
            order, given = event.get("order", []), {}
    return kept, void | {field for each in given.values() for fields in each for field in fields}


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


@pytest.mark.parametrize("path", a_third_by_day(RECORDS), ids=lambda path: path.stem)
def test_the_auditor_accepts_every_golden_record(path: Path) -> None:
    check_record(path.read_text(encoding="utf-8"))


def test_the_auditor_misses_what_had_to_be_opened_and_finds_what_had_not() -> None:
    """One answer to a window that counted, and one behind it that did not."""
    text = next(path for path in RECORDS if path.stem == "cerveauuu-2").read_text(encoding="utf-8")
    answers = re.findall(r'.+"type":"answer-given".+', text)
    opened = next(line for line in answers if '"opened":' in line)
    secret = next(line for line in answers if '"opened":' not in line)
    told = re.findall(r',"opened":.+\}', opened)[0]
    for old, new in ((opened, opened.replace(told, "}")), (secret, f"{secret[:-1]}{told}")):
        with pytest.raises(AssertionError):
            check_record(text.replace(old, new))


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
