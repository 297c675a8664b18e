"""An auditor who has read ``docs/audit.md`` and ``docs/draws.md``, and has none of our code.

Everything above the tests uses the standard library only, so that the documents are shown to be
enough; the tests then hold it, the documents and our own code together.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from events import names, seal
from events.draw import Draw, key_hash, seed_of
from tests.replay.forging import Forger, original

Json = dict[str, Any]

DOCS = Path(__file__).resolve().parents[2] / "docs"


def base64url(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def genesis(stream: str) -> bytes:
    return sha256(b"\x02parlour/stream/1\x00", stream.encode())


def link(previous: bytes, version: int, public: bytes) -> bytes:
    return sha256(b"\x01", previous, version.to_bytes(8, "big"), sha256(b"\x00", public))


def salt(key: bytes, version: int, path: str) -> bytes:
    salt_key = hmac.digest(key, b"parlour/salt/1\x00", "sha256")
    return hmac.digest(salt_key, version.to_bytes(8, "big") + path.encode(), "sha256")


def commitment(path: str, salt: bytes, value: object) -> str:
    name = path.encode()
    length = len(name).to_bytes(4, "big")
    return base64url(sha256(b"parlour/seal/1\x00", length, name, salt, canonical(value)))


def hash_of_key(key: bytes) -> str:
    return sha256(b"parlour/key/1\x00", key).hex()


def seed(key: bytes, entropy: Sequence[str]) -> bytes:
    parts = b"".join(sha256(text.encode()) for text in entropy)
    return hmac.digest(key, b"parlour/seed/1\x00" + parts, "sha256")


def blocks(seed: bytes, label: str) -> Iterator[int]:
    for k in count():
        block = hmac.digest(seed, label.encode() + b"\x00" + k.to_bytes(8, "big"), "sha256")
        yield int.from_bytes(block[:8], "big")


def below(numbers: Iterator[int], n: int) -> int:
    limit = 2**64 - 2**64 % n
    return next(x for x in numbers if x < limit) % n


def shuffled(seed: bytes, label: str, items: Sequence[Any]) -> list[Any]:
    result, numbers = list(items), blocks(seed, label)
    for i in range(len(result) - 1, 0, -1):
        j = below(numbers, i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def choice(seed: bytes, label: str, items: Sequence[Any]) -> Any:
    return items[below(blocks(seed, label), len(items))]


def first(lines: list[Json], kind: str) -> Json:
    return next(line for line in lines if line["event"]["type"] == kind)


def opened(line: Json, path: str) -> Any:
    return line["opened"][path]["value"]


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


def name_seal(salt: bytes, name: str) -> str:
    return base64url(sha256(b"parlour/name/1\x00", salt, name.encode()))


def check_names(called: Json, events: list[Json]) -> None:
    """Whoever is named was committed to; whoever is not has been erased."""
    sealed = {event.get("name_seal") for event in events if event["type"] == "seat-taken"}
    for made, opening in called.items():
        assert made in sealed
        salt = urlsafe_b64decode(opening["salt"] + "==")
        assert len(salt) == 16
        assert name_seal(salt, opening["name"]) == made


def entropies(lines: list[Json]) -> list[str]:
    """The first that each player gave, in the order of events; whoever left is still in it."""
    given: dict[str, str] = {}
    for line in lines:
        event = line["event"]
        if event["type"] == "seat-taken" and event.get("entropy"):
            given.setdefault(event["player"], event["entropy"])
    return list(given.values())


def check_deal(content: str) -> None:
    """What is drawn in Room 25, first edition."""
    lines = [json.loads(text) for text in content.splitlines()[1:-1]]
    lines = [line for line in lines if "event" in line]
    key = bytes.fromhex(first(lines, "key-published")["event"]["key"])
    fixed = seed(key, entropies(lines))
    seated = [
        line["event"] for line in lines if line["event"]["type"] in {"seat-taken", "seat-left"}
    ]
    taken = [e for _, e in sorted({e["seat"]: e for e in seated}.items()) if "player" in e]
    began = first(lines, "game-began")["event"]
    seats = [event["seat"] for event in taken]
    player = choice(fixed, "first-player", seats)
    assert began["order"][0] in next(e["characters"] for e in taken if e["seat"] == player)
    check_rooms(fixed, began["composition"], opened(first(lines, "complex-laid"), "event.kinds"))
    dealt = [line for line in lines if line["event"]["type"] == "role-dealt"]
    if dealt:
        tiles = ["prisoner"] * 4 + ["guard"] * (1 if len(seats) == 4 else 2)
        roles = shuffled(fixed, "roles", tiles)
        assert [opened(line, "event.role") for line in dealt] == roles[::-1][: len(dealt)]
        assert opened(first(lines, "roles-left-over"), "event.roles") == roles[: -len(dealt)]


def check_rooms(fixed: bytes, composition: dict[str, int], kinds: list[str]) -> None:
    apart = ("room25", "vision")
    inside = [
        kind
        for kind, copies in sorted(composition.items())
        if kind not in {"central", *apart}
        for _ in range(copies)
    ]
    inner = shuffled(fixed, "complex/inner", inside)
    rest = [*inner[12:], *(kind for kind in apart for _ in range(composition.get(kind, 0)))]
    outer = shuffled(fixed, "complex/outer", rest)
    near = [n for n in range(25) if 1 <= abs(n // 5 - 2) + abs(n % 5 - 2) <= 2]
    far = [n for n in range(25) if abs(n // 5 - 2) + abs(n % 5 - 2) >= 3]
    places = dict(zip(near, inner, strict=False)) | dict(zip(far, outer, strict=True))
    assert kinds == [places.get(n, "central") for n in range(25)]


# --- the documents, the auditor and our code agree ---


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


@pytest.mark.parametrize("check", [check_record, check_deal])
def test_the_auditor_accepts_our_record(check: Callable[[str], None]) -> None:
    check(original().decode())


@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        (check_record, '"cell":"r2c3"', '"cell":"r2c2"'),
        (check_record, '"value":"guard"', '"value":"prisoner"'),
        (check_record, '"name":"Ada"', '"name":"Eva"'),
        (check_deal, '"value":"guard"', '"value":"prisoner"'),
        (check_deal, '"entropy":"entropy-of-Ada"', '"entropy":"entropy-of-Eva"'),
    ],
)
def test_the_auditor_refuses_a_forged_one(check: Callable[[str], None], old: str, new: str) -> None:
    text = original().decode()
    assert old in text
    with pytest.raises(AssertionError):
        check(text.replace(old, new))
