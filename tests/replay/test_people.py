"""Names in records: a wrong one is found, a missing one is no fault, and one can be taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from events import names as seals
from events.names import NameOpening
from replay.__main__ import main
from replay.people import without_player
from replay.source import SourceError, examine
from simulator import fuzz_flips
from simulator.fuzz_flips import FlipTally, Target
from simulator.golden_files import ROOT, SIGNER
from tests.replay.forging import Forger, audited, failures, finding, fresh_table, original

ADA = "p00-" + "a" * 26
NAMES = ("Ada", "Ben", "Cleo", "Dan")


def opening_of(forger: Forger, name: str) -> tuple[str, NameOpening]:
    """A name's seal and opening in a record."""
    seal, found = next((s, o) for s, o in forger.names.items() if o["name"] == name)
    return seal, NameOpening(found["name"], found["salt"])


def erased(who: str = "seat:1", content: bytes | None = None) -> bytes:
    content = original() if content is None else content
    return without_player(content, examine(content), who)


def test_a_record_says_whose_names_it_knows() -> None:
    found = audited(original())
    assert found.passed
    assert finding(found, "commitments").detail.endswith(", 4 of 4 names known")


def test_no_name_stands_in_an_event_line() -> None:
    header, *events, named, end = original().rstrip(b"\n").split(b"\n")
    for name in NAMES:
        assert b'"' + name.encode() + b'"' in named
        assert not any(b'"' + name.encode() + b'"' in line for line in (header, *events, end))


@pytest.mark.parametrize("who", ["seat:1", ADA])
def test_all_eight_checks_hold_without_an_erased_name(who: str) -> None:
    content = erased(who)
    assert b"Ada" not in content.replace(b"entropy-of-Ada", b"")
    found = audited(content, SIGNER.verifier)
    assert {f.status for f in found.findings} == {"ok"}
    assert len(found.findings) == 8
    assert finding(found, "commitments").detail.endswith(", 3 of 4 names known")


def test_what_is_erased_leaves_every_other_byte() -> None:
    before, after = original().split(b"\n"), erased().split(b"\n")
    assert len(before) == len(after)
    assert [n for n, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) > 1] == [
        len(before) - 3
    ]
    assert erased(content=erased()) == erased()


def test_all_names_may_be_erased() -> None:
    content = original()
    for seat in range(1, 5):
        content = erased(f"seat:{seat}", content)
    assert b'{"names"' not in content
    found = audited(content, SIGNER.verifier)
    assert {f.status for f in found.findings} == {"ok"}
    assert finding(found, "commitments").detail.endswith(", 0 of 4 names known")
    assert erased(content=content) == content


@pytest.mark.parametrize("who", ["seat:5", "seat:x", "p00-nobody", ""])
def test_nobody_is_taken_out_who_is_not_in_it(who: str) -> None:
    with pytest.raises(SourceError, match="nobody sat down"):
        erased(who)


def test_nothing_is_taken_out_of_what_is_not_whole() -> None:
    forger = Forger()
    del forger.lines[-1]
    with pytest.raises(SourceError, match="not whole"):
        erased(content=forger.content())


def test_a_name_that_was_exchanged() -> None:
    forger = Forger()
    seal, _ = opening_of(forger, "Ada")
    forger.names[seal]["name"] = "Eve"
    wrong = audited(forger.content())
    assert failures(wrong) == {"commitments": 0}
    assert "the name of seat 1 is not the one" in finding(wrong, "commitments").detail
    assert any("(line " in line for line in wrong.lines() if line.startswith("commitments"))


def test_a_name_that_changes_seats() -> None:
    forger = Forger()
    (ada, _), (ben, _) = opening_of(forger, "Ada"), opening_of(forger, "Ben")
    forger.names[ada], forger.names[ben] = forger.names[ben], forger.names[ada]
    assert failures(audited(forger.content())) == {"commitments": 0}


def test_a_name_of_nobody_who_sat_down() -> None:
    forger = Forger()
    stranger = seals.new_opening("Eve", bytes(16))
    forger.names[seals.seal_of(stranger)] = {"name": "Eve", "salt": stranger.salt}
    wrong = audited(forger.content())
    assert failures(wrong) == {"commitments": 0}
    assert "nobody sat down under" in finding(wrong, "commitments").detail


def test_a_seal_that_was_exchanged_in_the_events() -> None:
    forger = Forger()
    version = forger.version_of("seat-taken")
    fresh = seals.seal_of(seals.new_opening("Eve", bytes(16)))
    forger.event(version)["name_seal"] = fresh
    wrong = failures(audited(forger.content()))
    assert wrong.keys() == {"chain", "commitments", "re-adjudication"}
    assert wrong["re-adjudication"] == version


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"names":{', b'{"names": {'),
        (b'"salt":', b'"Salt":'),
        (b'{"names":{', b'{"names":[{'),
        (b'{"names":{', b'{"Names":{'),
    ],
)
def test_names_that_cannot_be_read_are_named(old: bytes, new: bytes) -> None:
    found = audited(original().replace(old, new))
    assert "form" in failures(found)
    assert any("the names" in line for line in found.lines() if line.startswith("form"))


def test_no_flip_of_a_name_passes() -> None:
    target, tally = Target("solo-1", (ROOT / "records/solo-1.jsonl").read_bytes()), FlipTally()
    at = target.content.index(b'{"names"')
    bits = range(8 * at, 8 * target.content.index(b"\n", at), 41)
    fuzz_flips.run(target, [divmod(bit, 8) for bit in bits], tally)
    assert tally.wrong == []
    assert tally.right_parts == tally.flips == len(bits)


# --- the command line ---


def test_the_command_erases_and_the_others_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    before.write_bytes(original())
    assert main(["erase", str(before), "--player", "seat:1", "--out", str(after)]) == 0
    assert after.read_bytes() == erased()
    capsys.readouterr()
    for path, name in ((before, "Ada"), (after, "deleted player")):
        assert main(["verify", str(path)]) == 0
        assert main(["log", str(path)]) == 0
        assert f"{name} takes seat 1".lower() in capsys.readouterr().out.lower()
        for form in ("text", "svg"):
            assert main(["show", str(path), "--format", form]) == 0
            assert name in capsys.readouterr().out
    assert main(["show", str(after), "--format", "json"]) == 0
    assert '"deleted": true' in capsys.readouterr().out


def test_what_cannot_be_erased_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "game.jsonl", str(tmp_path / "out")
    assert main(["erase", str(path), "--player", "seat:1", "--out", out]) == 2
    path.write_bytes(original())
    assert main(["erase", str(path), "--player", "seat:9", "--out", out]) == 2
    assert "nobody sat down under a name as 'seat:9'" in capsys.readouterr().err


def test_a_table_of_nobody_has_no_line_of_names() -> None:
    content = fresh_table("nameless").record()
    assert b'{"names"' not in content
    assert not failures(audited(content))
