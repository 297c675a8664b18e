"""Heads files: what they name, when they disagree, and that no verdict rests on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.game_registry import installed_games
from replay.__main__ import main
from replay.findings import Finding
from replay.heads import heads_of
from replay.lines import SEAL
from replay.source import SourceError, examine
from replay.verify import Audit, audit
from tests.replay.forging import Forger, audited, failures, finding, small

HEAD = 32
AT = 5
"""An event in the middle of the small record, not the first of its batch."""


def heads() -> bytes:
    """The heads file of the small record."""
    return heads_of(examine(small()))


def count() -> int:
    return len(heads()) // HEAD


def beside(content: bytes, kept: bytes) -> tuple[Audit, Finding]:
    """The audit of a record with a heads file; it ends as it would without one."""
    found = audit(examine(content), installed_games(), None, kept)
    without = audited(content)
    assert found.passed == without.passed
    assert {f.name: f.status for f in found.findings} == {
        f.name: f.status for f in without.findings
    }
    assert found.heads is not None
    return found, found.heads


def forged(version: int = AT) -> Forger:
    """A record in which the id of a command was changed, which only the chain can tell."""
    forger = Forger(small())
    begins = [v for v, line in enumerate(forger.lines[1:-1], 1) if "batch" in line]
    at = max(v for v in begins if v <= version)
    forger.lines[at]["batch"]["id"] = "A" * 22
    return forger


def changed(forger: Forger) -> int:
    """The version that ``forged`` has changed."""
    return next(v for v, line in enumerate(forger.lines[1:-1], 1) if "A" * 22 in str(line))


def flipped(kept: bytes, version: int) -> bytes:
    place = (version - 1) * HEAD + 7
    return kept[:place] + bytes([kept[place] ^ 4]) + kept[place + 1 :]


def test_the_heads_are_those_of_the_chain() -> None:
    assert len(heads()) == HEAD * (len(Forger(small()).lines) - 2)
    assert heads()[-HEAD:] == examine(small()).head


def test_a_true_record_and_its_heads_agree() -> None:
    found, told = beside(small(), heads())
    assert found.passed
    assert (told.status, told.detail) == ("agrees", f"{count()} of {count()} versions agree")
    assert found.lines()[-2].startswith("heads file      agrees      ")
    assert found.lines()[-1] == "verified"


def test_without_heads_nothing_is_told_of_them() -> None:
    assert audited(small()).heads is None
    assert not any("heads" in line for line in audited(small()).lines())


def test_what_only_the_chain_can_tell_is_named_by_its_version_and_type() -> None:
    forger = forged()
    version, content = changed(forger), forger.content()
    assert failures(audited(content)) == {"chain": 0}, "no check but this one"
    found, told = beside(content, heads())
    assert failures(found) == {"chain": version}
    assert (told.status, told.version) == ("differs", version)
    kind = forger.event(version)["type"]
    assert any(
        line.startswith(f"first diverging event: version {version}, {kind}: ")
        for line in found.lines()
    )


@pytest.mark.parametrize("version", [1, AT, -1])
def test_every_version_can_be_named(version: int) -> None:
    forger = Forger(small())
    version = version if version > 0 else count()
    forger.event(version)["invented"] = 1
    found, _ = beside(forger.content(), heads())
    assert finding(found, "chain").version == version


def test_the_first_of_two_changed_events_is_named() -> None:
    forger = forged()
    first = changed(forger)
    forger.event(first + 1)["invented"] = 1
    forger.event(first + 4)["invented"] = 1
    assert finding(beside(forger.content(), heads())[0], "chain").version == first


@pytest.mark.parametrize("version", [1, AT])
def test_a_lost_event_is_named(version: int) -> None:
    forger = Forger(small())
    del forger.lines[version]
    found, _ = beside(forger.content(), heads())
    assert finding(found, "chain").version == version


def test_a_wrong_head_in_the_seal_is_named() -> None:
    forger = Forger(small())
    forger.unsign()
    forger.lines[-1]["seal"]["head"] = "A" * 43
    assert finding(audited(forger.content()), "chain").part == ""
    found, told = beside(forger.content(), heads())
    assert finding(found, "chain").part == SEAL
    assert finding(found, "chain").version == 0
    assert told.status == "agrees"


# --- event and heads disagree ---


def test_a_damaged_head_is_told_and_does_no_harm() -> None:
    found, told = beside(small(), flipped(heads(), AT))
    assert found.passed
    assert (told.status, told.version) == ("differs", AT)
    assert "the event is right" in told.detail
    assert found.lines()[-1] == "verified"
    kind = Forger(small()).event(AT)["type"]
    assert f"heads file      differs     version {AT}, {kind}: " in found.lines()[-2]


def test_a_damaged_head_does_not_hide_a_changed_event() -> None:
    forger = forged(count() - 1)
    version = changed(forger)
    assert version > AT
    found, _ = beside(forger.content(), flipped(heads(), AT))
    assert failures(found) == {"chain": version}


def test_a_damaged_last_head() -> None:
    found, told = beside(small(), flipped(heads(), count()))
    assert found.passed
    assert (told.status, told.version) == ("differs", count())
    assert "no later head tells" in told.detail


def test_a_history_that_was_written_anew() -> None:
    forger = forged()
    version = changed(forger)
    forger.unsign()
    forger.reseal()
    found, told = beside(forger.content(), heads())
    assert found.passed, "the verdict rests on the record alone"
    assert (told.status, told.version) == ("differs", version)
    assert "two histories" in told.detail


def test_the_heads_of_another_game() -> None:
    found, told = beside(small(), bytes(HEAD * count()))
    assert found.passed
    assert (told.status, told.version) == ("differs", 1)


# --- sizes ---


@pytest.mark.parametrize("kept", [1, AT, 25])
def test_heads_of_the_beginning_only(kept: int) -> None:
    found, told = beside(small(), heads()[: kept * HEAD])
    assert found.passed
    assert (told.status, told.detail) == ("agrees", f"{kept} of {count()} versions agree")


def test_a_change_after_the_last_head_that_was_kept() -> None:
    forger = forged()
    version = changed(forger)
    found, told = beside(forger.content(), heads()[: (version - 1) * HEAD])
    assert told.status == "agrees"
    assert failures(found) == {"chain": 0}
    assert finding(found, "chain").detail.endswith(f"after version {version - 1}")


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        (lambda kept: kept[:0], "not compared", "it holds no head"),
        (lambda kept: kept[:31], "not compared", "it holds no head"),
        (lambda kept: kept[:-1], "differs", "cut within a head"),
        (lambda kept: kept + b"\n", "differs", "cut within a head"),
        (lambda kept: kept + kept[:HEAD], "differs", "it goes on to version"),
    ],
    ids=["empty", "less-than-one", "a-byte-short", "a-byte-long", "a-head-long"],
)
def test_a_file_of_another_size(change: Callable[[bytes], bytes], status: str, words: str) -> None:
    found, told = beside(small(), change(heads()))
    assert found.passed
    assert told.status == status
    assert words in told.detail


@pytest.mark.parametrize("part", [slice(1, None), slice(0, 1), slice(0, -1)])
def test_beside_a_broken_record(part: slice) -> None:
    lines = small().rstrip(b"\n").split(b"\n")
    found, told = beside(b"\n".join(lines[part]) + b"\n", heads())
    assert not found.passed
    assert told.status == ("agrees" if part == slice(0, -1) else "not compared")


# --- the command line ---


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The small record as a file."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(small())
    return path


def told_of(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("heads")]


def test_heads_beside_a_record_are_found(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(record)]) == 0
    assert told_of(capsys) == []
    record.with_suffix(".heads").write_bytes(heads())
    assert main(["verify", str(record)]) == 0
    assert "agrees" in told_of(capsys)[0]
    record.with_suffix(".heads").write_bytes(flipped(heads(), AT))
    assert main(["verify", str(record)]) == 0, "no verdict rests on it"
    assert "differs" in told_of(capsys)[0]


def test_heads_that_are_named_go_before(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record.with_suffix(".heads").write_bytes(b"")
    mine = tmp_path / "mine"
    mine.write_bytes(heads())
    assert main(["verify", str(record), "--heads", str(mine)]) == 0
    assert "agrees" in told_of(capsys)[0]
    assert main(["verify", str(record), "--heads", str(tmp_path / "none")]) == 2


def test_heads_are_kept_while_a_game_runs(record: Path, tmp_path: Path) -> None:
    """By whoever has the events as the service streams them, and knows which game they are of."""
    lines = small().rstrip(b"\n").split(b"\n")
    log, out = tmp_path / "log.jsonl", tmp_path / "kept"
    log.write_bytes(b"\n".join(lines[1 : AT + 1]) + b"\n")
    game = Forger(small()).lines[0]["stream"]
    assert main(["heads", str(log), "--game", game, "--out", str(out)]) == 0
    assert out.read_bytes() == heads()[: AT * HEAD]
    assert main(["heads", str(record), "--out", str(out)]) == 0
    assert out.read_bytes() == heads()


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        (["LOG"], "--game"),
        (["RECORD", "--game", "g00-another"], "these are the events of"),
        (["GAP", "--game", "g00-x"], f"version {AT}: "),
        (["JUNK", "--game", "g00-x"], "version 2: "),
    ],
)
def test_heads_that_cannot_be_made(
    argv: list[str],
    why: str,
    record: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = small().rstrip(b"\n").split(b"\n")[1:-1]
    files = {
        "LOG": lines,
        "GAP": [*lines[: AT - 1], *lines[AT:]],
        "JUNK": [lines[0], b"junk", *lines[2:]],
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(b"\n".join(content) + b"\n")
    out = tmp_path / "out"
    paths = {name: str(tmp_path / name) for name in files} | {"RECORD": str(record)}
    assert main(["heads", *(paths.get(word, word) for word in argv), "--out", str(out)]) == 2
    assert why in capsys.readouterr().err
    assert not out.exists()


def test_no_events_have_no_heads() -> None:
    with pytest.raises(SourceError, match="no events"):
        heads_of(examine(small().split(b"\n")[0] + b"\n"))
