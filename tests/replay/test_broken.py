"""Broken records: whatever a file holds, each check is named, and what broke is named by one."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from projections.record import FORMAT
from replay.findings import Finding
from replay.lines import HEADER, SEAL
from replay.source import SourceError, examine
from replay.verify import Audit
from runtime.signed import Signer
from simulator.golden_files import SIGNER
from tests.replay.forging import Forger, audited, failures, finding, small

CHECKS = ["form", "chain", "signature", "commitments", "seed", "draws", "fold", "re-adjudication"]
AT = 5
"""An event in the middle of the small record."""


def lines() -> list[bytes]:
    """The small record's lines."""
    return small().rstrip(b"\n").split(b"\n")


def joined(changed: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in changed)


def with_line(number: int, line: bytes) -> bytes:
    """The small record with another line at a place."""
    changed = lines()
    changed[number] = line
    return joined(changed)


def form(content: bytes) -> tuple[Audit, Finding]:
    """The audit of a broken record, and what it says of the form."""
    found = audited(content)
    assert [f.name for f in found.findings] == CHECKS
    assert finding(found, "form").status == "FAILED"
    assert found.lines()[-1].startswith("NOT verified")
    assert all(line.isprintable() for line in found.lines())
    return found, finding(found, "form")


# --- event lines ---


def deep(depth: int) -> bytes:
    return b'{"at":' + b"[" * depth + b"]" * depth + b',"event":{},"v":5}'


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda line: line.replace(b'"at"', b'"\xff"'), "'utf-8' codec"),
        (lambda line: line.replace(b'"at"', b'"\x01"'), "malformed"),
        (lambda line: line[: len(line) // 2], "truncated"),
        (lambda _: b"", "truncated"),
        (lambda _: b"null", "Expected `object`"),
        (lambda line: line.replace(b'"v":5', b'"v":5.5'), "float"),
        (lambda line: line.replace(b'"v":5', b'"v":' + b"9" * 30), "no event"),
        (lambda line: line.replace(b'"v":5', b'"v":' + b"9" * 5000), "no event"),
        (lambda line: line.replace(b'"v":5', b'"v":9007199254740993'), "too large"),
        (lambda line: line.replace(b'"v":5', b'"v":1e400'), "no event"),
        (lambda line: line[:-1] + b',"\\u00e9":1}', "not ASCII"),
        (lambda line: line[:-1] + b',"opened":7}', "Expected `object`"),
        (lambda line: line[:-1] + b',"opened":{"event.x":{"salt":7,"value":1}}}', "Expected `str`"),
        (lambda _: deep(80), "64 deep"),
        (lambda _: deep(900), "64 deep"),
        (lambda _: deep(100_000), "recursion"),
    ],
    ids=[
        "not-utf-8",
        "a-control",
        "cut",
        "empty",
        "null",
        "a-float",
        "thirty-digits",
        "too-many-digits",
        "beyond-2^53",
        "infinite",
        "a-key-not-ascii",
        "opened-is-a-number",
        "a-salt-is-a-number",
        "deep",
        "deeper",
        "deepest",
    ],
)
def test_a_line_that_is_no_event(change: Callable[[bytes], bytes], why: str) -> None:
    line = lines()[AT]
    assert change(line) != line
    content = with_line(AT, change(line))
    found, broken = form(content)
    assert (broken.version, found.places[AT]) == (AT, AT + 1)
    assert why in broken.detail
    assert found.divergence is not None
    assert found.divergence.version == AT
    assert f"version {AT}, " in found.lines()[0]
    assert f" (line {AT + 1})" in found.lines()[0]
    assert failures(found)["fold"] == AT
    for name in ("draws", "re-adjudication", "commitments"):
        assert finding(found, name).status == "not checked"
        assert f"version {AT} cannot be read" in finding(found, name).detail
    assert finding(found, "signature").status == "ok"
    assert finding(found, "seed").status == "ok"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"at":', b'{"at":1,"at":'),
        (b'"v":5}', b'"v":5,"v":5}'),
        (b'"v":5}', b'"v":5} '),
        (b'"v":5}', b'"v":5}\r'),
        (b'"type":"', b'"type":"\\u0074'),
        (b'"v":5}', b'"v":5,"opened":{}}'),
    ],
    ids=[
        "a-member-twice",
        "the-last-member-twice",
        "a-blank",
        "a-CR",
        "an-escape",
        "opens-nothing",
    ],
)
def test_a_line_in_another_spelling(old: bytes, new: bytes) -> None:
    line = lines()[AT]
    assert old in line
    content = with_line(AT, line.replace(old, new, 1))
    _, broken = form(content)
    assert broken.version == AT
    assert broken.detail.startswith("it is not in canonical form")


@pytest.mark.parametrize("stated", [0, -1, 4, 6, 2**53 - 1, True, False, None, "5", [], {}])
def test_a_line_with_another_version(stated: Any) -> None:
    forger = Forger(small())
    forger.lines[AT]["v"] = stated
    found, broken = form(forger.content())
    assert broken.version == AT
    assert found.divergence is not None
    assert found.divergence.version == AT


def test_a_line_without_its_version() -> None:
    forger = Forger(small())
    del forger.lines[AT]["v"]
    assert form(forger.content())[1].version == AT


@pytest.mark.parametrize("path", ["events.role", "", "x", "header.key"])
def test_an_opening_of_what_is_neither_event_nor_command(path: str) -> None:
    forger = Forger(small())
    forger.lines[AT].setdefault("opened", {})[path] = {"salt": "AA", "value": 1}
    _, broken = form(forger.content())
    assert broken.version == AT
    assert "neither event nor command" in broken.detail


def test_the_type_of_a_broken_line_is_told_where_it_stands() -> None:
    kind = Forger(small()).event(AT)["type"]
    line = lines()[AT]
    found, _ = form(with_line(AT, line[:-1]))
    assert f"version {AT}, {kind}: " in found.lines()[0]
    found, _ = form(with_line(AT, line[:20]))
    assert f"version {AT}, an unreadable event: " in found.lines()[0]


def test_what_comes_before_a_broken_line_is_judged_all_the_same() -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    forger.event(version)["cell"] = "r0c0"
    changed = forger.content().split(b"\n")
    changed[version + 40] = changed[version + 40][:-1]
    found, broken = form(b"\n".join(changed))
    assert broken.version == version + 40
    assert failures(found)["re-adjudication"] == version
    assert found.divergence is not None
    assert found.divergence.version == version


# --- lines that are lost, joined, parted ---


@pytest.mark.parametrize("version", [1, AT, AT + 1])
def test_a_lost_line_break_between_events(version: int) -> None:
    changed = lines()
    changed[version : version + 2] = [changed[version] + b"*" + changed[version + 1]]
    found, broken = form(joined(changed))
    assert broken.version == version
    assert failures(found)["fold"] == version


def test_a_lost_line_break_after_the_header() -> None:
    changed = lines()
    changed[:2] = [changed[0] + b"*" + changed[1]]
    found, broken = form(joined(changed))
    assert (broken.version, broken.part, found.places[HEADER]) == (0, HEADER, 1)
    assert failures(found) == {"form": 0}, "all events are found"
    assert (found.places[1], found.places[2], found.places[SEAL]) == (1, 2, len(changed))


def test_a_lost_line_break_before_the_seal() -> None:
    changed = lines()
    last = len(changed) - 2
    changed[-2:] = [changed[-2] + changed[-1]]
    found, broken = form(joined(changed))
    assert broken.version == last
    assert finding(found, "chain").status == "FAILED", "the head is found all the same"


@pytest.mark.parametrize("where", [0, AT, -1])
def test_a_line_break_too_many(where: int) -> None:
    changed = lines()
    line = changed[where]
    changed[where : where + 1 or None] = [line[:70], line[70:]]
    _, broken = form(joined(changed))
    assert (broken.version, broken.part) == {0: (0, HEADER), AT: (AT, ""), -1: (0, SEAL)}[where]


def test_a_lost_line_leaves_the_others_their_versions() -> None:
    changed = lines()
    del changed[AT]
    found, broken = form(joined(changed))
    assert broken.version == AT
    assert finding(found, "commitments").status == "ok", "salts hang on versions"
    assert finding(found, "form").detail.startswith(f"the line holds version {AT + 1}")


def test_a_line_twice() -> None:
    changed = lines()
    changed.insert(AT, changed[AT])
    assert form(joined(changed))[1].version == AT + 1


def test_a_file_that_is_not_ended() -> None:
    _, broken = form(small()[:-1])
    assert broken.part == SEAL
    assert "not ended" in broken.detail


def test_windows_line_ends() -> None:
    assert form(small().replace(b"\n", b"\r\n"))[1].part == HEADER


@pytest.mark.parametrize("more", [b"\n", b"x\n", b"\x00", b"{}\n", small()])
def test_something_after_the_seal(more: bytes) -> None:
    _, broken = form(small() + more)
    assert broken.part == SEAL


# --- header and seal ---


def test_a_record_without_its_header() -> None:
    found, broken = form(joined(lines()[1:]))
    assert (broken.part, broken.detail) == (HEADER, "there is none")
    assert finding(found, "chain").status == "not checked"
    for name in ("commitments", "seed", "draws", "fold", "re-adjudication"):
        assert finding(found, name).status == "ok"


def test_a_record_without_its_seal() -> None:
    found, broken = form(joined(lines()[:-1]))
    assert (broken.part, broken.detail) == (SEAL, "there is none")
    for name in ("chain", "seed"):
        assert finding(found, name).status == "not checked"
    for name in ("commitments", "draws", "fold", "re-adjudication"):
        assert finding(found, name).status == "ok"


@pytest.mark.parametrize(
    "content",
    [lines()[0], lines()[0] + b"\n", lines()[-1], lines()[0] + b"\n" + lines()[-1] + b"\n"],
    ids=["header", "header-line", "seal", "both"],
)
def test_a_record_without_events(content: bytes) -> None:
    found, _ = form(content)
    for name in ("commitments", "seed", "draws", "fold", "re-adjudication"):
        assert finding(found, name).detail == "there are no events"


HEADER_MEMBERS = list(msgspec.json.decode(lines()[0]))


@pytest.mark.parametrize("name", HEADER_MEMBERS)
@pytest.mark.parametrize("value", ["x", 1, None, ["x"]], ids=["text", "number", "null", "list"])
def test_an_altered_header(name: str, value: Any) -> None:
    forger = Forger(small())
    forger.lines[0][name] = value
    found = audited(forger.content())
    assert not found.passed
    named = [f for f in found.findings if f.status == "FAILED" and f.part == HEADER]
    assert named, found.lines()
    assert found.divergence is None, "no event is to blame"
    assert "the header: " in "".join(found.lines())
    assert "(line 1)" in "".join(found.lines())


@pytest.mark.parametrize("name", HEADER_MEMBERS)
def test_a_header_that_lacks_something(name: str) -> None:
    forger = Forger(small())
    del forger.lines[0][name]
    if name == "format":
        # It has a default, so what is missing is its spelling.
        assert "canonical" in form(forger.content())[1].detail
        return
    _, broken = form(forger.content())
    assert broken.part == HEADER
    assert f"`{name}`" in broken.detail


def test_a_newer_format_is_named() -> None:
    _, broken = form(small().replace(b"parlour-record/1", b"parlour-record/9"))
    assert (broken.part, broken.detail) == (
        HEADER,
        f"its format is 'parlour-record/9', and not {FORMAT}",
    )


@pytest.mark.parametrize("name", list(Forger(small()).lines[-1]["seal"]))
@pytest.mark.parametrize("value", ["x", 1, None, ["x"]], ids=["text", "number", "null", "list"])
def test_an_altered_seal(name: str, value: Any) -> None:
    forger = Forger(small())
    forger.lines[-1]["seal"][name] = value
    found = audited(forger.content())
    assert not found.passed
    named = [f for f in found.findings if f.status == "FAILED" and f.part == SEAL]
    assert named, found.lines()
    assert found.divergence is None, "no event is to blame"
    assert "the seal: " in "".join(found.lines())
    assert f"(line {len(lines())})" in "".join(found.lines())


def test_another_head_than_was_signed() -> None:
    forger = Forger(small())
    forger.lines[-1]["seal"]["head"] = "A" * 43
    found = audited(forger.content())
    assert failures(found) == {"chain": 0, "signature": 0}
    assert finding(found, "chain").part == SEAL


def test_another_game_in_the_header_is_found_by_its_genesis() -> None:
    forger = Forger(small())
    forger.lines[0]["stream"] = "g00-0123456789abcdefghjkmnpqrs"
    found = audited(forger.content())
    assert {f.part for f in found.findings if f.status == "FAILED"} == {HEADER}
    assert {"form", "chain", "signature"} == failures(found).keys()


def test_a_key_that_is_not_the_signers_is_found_by_whoever_knows_the_right_one() -> None:
    forger = Forger(small())
    forger.lines[-1]["seal"]["verifier"] = Signer(SIGNER.origin, b"o" * 32).verifier
    found = audited(forger.content(), SIGNER.verifier)
    assert failures(found) == {"signature": 0}
    assert audited(small(), SIGNER.verifier).passed


# --- anything at all ---

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**53 - 1,
    1.5,
    "",
    "x",
    "\ud7ff\U0001f600\x1b[2J",
    [],
    {},
    [[[]]],
    {"type": "x"},
    ["x"] * 3,
)


def leaves(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and under which name or number."""
    names = value if isinstance(value, dict) else range(len(value))
    found = []
    for name in names:
        found.append((value, name))
        if isinstance(value[name], dict | list):
            found += leaves(value[name])
    return found


@pytest.mark.parametrize("seed", range(60))
def test_whatever_stands_in_a_record_is_refused_by_a_named_check(seed: int) -> None:
    choice = random.Random(seed)
    for _ in range(3):
        forger = Forger(small())
        holder, name = choice.choice(leaves(forger.lines))
        odd = choice.choice([value for value in ODD if value != holder[name]])
        holder[name] = odd
        found = audited(b"".join(msgspec.json.encode(line) + b"\n" for line in forger.lines))
        assert [f.name for f in found.findings] == CHECKS
        assert not found.passed, (name, odd)
        assert all(line.isprintable() for line in found.lines())


@pytest.mark.parametrize("seed", range(20))
def test_no_junk_breaks_the_program(seed: int) -> None:
    choice = random.Random(seed)
    content = bytearray(small())
    for _ in range(choice.choice((1, 5, 200))):
        start = choice.randrange(len(content))
        content[start : start + choice.randrange(40)] = choice.randbytes(choice.randrange(40))
    found = audited(bytes(content))
    assert [f.name for f in found.findings] == CHECKS
    assert not found.passed


def test_nothing_of_a_record_is_no_record() -> None:
    for content in (b"", b"\n\n", b"{}\n", b'"event"\n', b"[" * 100_000, bytes(range(256)) * 9):
        with pytest.raises(SourceError, match="not a record"):
            examine(content)


def test_long_findings_are_told_in_short() -> None:
    forger = Forger(small())
    forger.event(AT)["type"] = "x" * 100_000
    assert max(map(len, audited(forger.content()).lines())) < 400
