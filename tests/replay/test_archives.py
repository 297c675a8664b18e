"""Commands of earlier rules are judged by the archive of these, and by nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from games.game_registry import GameRegistry, installed_games
from games.room25.tags import TAGS
from replay import archives as replay_archives
from replay.archived import Court
from replay.archives import ArchiveError, RulesArchives, house_archives
from replay.cases import Case, Verdict, encode_line, read_verdict
from replay.findings import Finding
from replay.isolation import ProcessLimits, run_isolated
from replay.memory import MemoryTable
from replay.source import examine
from replay.verify import audit
from simulator.golden_files import ROOT, SIGNER
from simulator.golden_games import GoldenDriver
from simulator.room25.golden_recipes import RECIPES
from tests.golden_records import SHORT
from tests.replay.forging import Forger, failures, finding
from tests.replay.mending import MENDED, OLD, listing, mended, planted, registry_of
from tools.archiving.building import zipped

pytestmark = pytest.mark.slow

HOUSE = Path(str(files("games") / "archives"))
RECORD = ROOT / "records" / "ultimate-suspicion-8.jsonl"
BY_OTHERS = (
    ROOT / "records" / "cooperation-4.jsonl",
    ROOT / "records" / "bga-cooperation-4.jsonl",
    ROOT / "records" / "prototype-cooperation-5.jsonl",
)
CHANGED = mended("starting_clue")
COMMANDS = RECORD.read_bytes().count(b'"batch":{')


def judged(
    content: bytes, game_registry: GameRegistry, archives: RulesArchives | None = None
) -> Finding:
    """What an audit says of re-adjudication."""
    return finding(audit(examine(content), game_registry, archives=archives), "re-adjudication")


def case(content: bytes = b"", rules: str = OLD) -> Case:
    """The case of a record."""
    source = examine(content or RECORD.read_bytes())
    return Case(
        stream=source.stream,
        game="room25",
        rulebook="ultimate",
        rules=rules,
        salt_key=bytes.fromhex(source.key),
        entries=tuple((s.version, s.public, s.private) for s in source.stored),
    )


def nothing(folder: Path) -> RulesArchives:
    """A program that ships no archive."""
    return listing(folder)


@cache
def upgraded() -> MemoryTable:
    """A game that began under the rules as they were and ended under changed ones."""
    driver = GoldenDriver(next(r for r in RECIPES if r.name == RECORD.stem))
    driver.seat_all()
    driver.play(lambda table: table.state.play.turn == 2)
    driver.table.game_registry = registry_of(CHANGED)
    driver.play(lambda _: False)
    return driver.table


# --- a rule is changed ---


def test_the_changed_rule_refuses_what_was_played() -> None:
    """Under the old tag the changed rules are in force: this is what a tag is raised for."""
    found = judged(RECORD.read_bytes(), registry_of(mended("starting_clue", tag=TAGS["ultimate"])))
    assert found.status == "FAILED"
    assert found.detail == "the rules refuse this ChooseSecretly: unknown-decision"


def test_an_old_record_is_judged_by_the_archive_of_its_rules() -> None:
    found = audit(examine(RECORD.read_bytes()), registry_of(CHANGED), SIGNER.verifier)
    assert found.lines()[-1] == "verified"
    told = finding(found, "re-adjudication").detail
    assert told == f"{COMMANDS} commands judged again, {COMMANDS} of them by archived rules"
    draws = int(finding(found, "draws").detail.split()[0])
    assert draws > 1
    assert finding(found, "draws").detail == (
        f"{draws} draws made again, {draws} of them by archived rules"
    )


def test_the_same_forgery_is_found_at_the_same_place_by_either_rules() -> None:
    forger = Forger(RECORD.read_bytes())
    version = forger.version_of("character-moved")
    forger.event(version)["cell"] = "r4c4"
    forger.unsign()
    forger.reseal()
    ours, theirs = (judged(forger.content(), s) for s in (installed_games(), registry_of(CHANGED)))
    assert (ours.status, ours.version) == ("FAILED", version)
    assert theirs == ours


def test_a_draw_that_the_seed_does_not_give_is_found_by_archived_rules() -> None:
    forger = Forger(RECORD.read_bytes())
    version = forger.version_of("game-began")
    order = forger.event(version)["order"]
    forger.event(version)["order"] = [*order[1:], order[0]]
    forger.unsign()
    forger.reseal()
    ours, theirs = (
        finding(audit(examine(forger.content()), s), "draws")
        for s in (installed_games(), registry_of(CHANGED))
    )
    assert (ours.status, ours.version) == ("FAILED", version)
    assert theirs == ours


def test_without_an_archive_it_is_not_checked(tmp_path: Path) -> None:
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), nothing(tmp_path))
    assert found.status == "not checked"
    assert found.detail == f"0 commands checked; others were judged by {OLD}"


@pytest.mark.parametrize("path", BY_OTHERS, ids=lambda path: path.stem)
def test_a_mend_of_one_rulebook_leaves_the_others_to_the_present_rules(
    path: Path, tmp_path: Path
) -> None:
    found = judged(path.read_bytes(), registry_of(CHANGED), nothing(tmp_path))
    assert found.status == "ok"
    assert "archived" not in found.detail


def test_a_game_that_lived_through_an_upgrade_is_judged_by_the_rules_of_each_batch() -> None:
    content = upgraded().record(SIGNER)
    source = examine(content)
    new = f"table/1 {MENDED}"
    assert source.header is not None
    assert source.header.rules == (OLD, new)
    counts = {tags: content.count(b'"rules":"%b"' % tags.encode()) for tags in (OLD, new)}
    found = judged(content, registry_of(CHANGED))
    assert found.status == "ok"
    said = f"{sum(counts.values())} commands judged again, {counts[OLD]} of them by archived rules"
    assert found.detail == said
    # Neither rules would do for the whole game: the changed ones refuse how it began.
    begun = upgraded().record(SIGNER).replace(OLD.encode(), new.encode())
    assert judged(begun, registry_of(CHANGED)).status == "FAILED"


def test_a_forgery_is_found_in_either_part_of_such_a_game() -> None:
    content = upgraded().record()
    for pick in (min, max):
        forger = Forger(content)
        lines = enumerate(forger.lines[1:-1], 1)
        version = pick(n for n, line in lines if line["event"]["type"] == "character-moved")
        moved = forger.event(version)
        moved["cell"] = "r4c4" if moved["cell"] != "r4c4" else "r0c0"
        forger.reseal()
        found = judged(forger.content(), registry_of(CHANGED))
        assert (found.status, found.version) == ("FAILED", version)


# --- what archived rules cannot read ---


def test_behind_an_event_that_only_newer_rules_know_nothing_can_be_judged() -> None:
    """A game that went on under newer rules and then under older ones again."""
    lines = list(case().entries)
    heads = [i for i, (_, public, _) in enumerate(lines) if b'"batch":' in public]
    at = heads[len(heads) // 2]
    version, public, private = lines[at]
    newer = public.replace(OLD.encode(), f"table/1 {MENDED}".encode())
    lines[at] = (version, newer.replace(b'"event":{', b'"event":{"unheard":1,'), private)
    verdict = Court().judge(msgspec.structs.replace(case(), entries=tuple(lines)))
    assert verdict.judged == len(heads) // 2
    assert verdict.stuck is not None
    assert verdict.stuck.version == version
    assert verdict.judgement is None
    # Under their own tag it is no event that these rules make.
    lines[at] = (version, public.replace(b'"event":{', b'"event":{"unheard":1,'), private)
    verdict = Court().judge(msgspec.structs.replace(case(), entries=tuple(lines)))
    assert verdict.judgement is not None
    assert verdict.judgement.version == version


def test_what_comes_after_the_last_of_their_batches_is_nothing_to_archived_rules() -> None:
    whole = case(upgraded().record())
    heads = [n for n, (_, public, _) in enumerate(whole.entries) if b'"batch":' in public]
    ends = next(n for n in heads if MENDED.encode() in whole.entries[n][1])
    behind = [
        (version, b'{"event":{"type":"unheard"},"v":%d,"at":1}' % version, None)
        for version, _, _ in whole.entries[ends + 1 :]
    ]
    entries = (*whole.entries[: ends + 1], *behind)
    verdict = Court().judge(msgspec.structs.replace(whole, entries=entries))
    assert verdict == Court().judge(whole)
    assert verdict.judged > 1


# --- only what we ship is run ---


ATTEMPTS = {
    "upwards": "../../etc/rules-planted.pyz",
    "file": "rules-planted.pyz",
    "path": "{folder}/rules-planted.pyz",
    "url": "file://{folder}/rules-planted.pyz",
    "line": f"{OLD}\n",
    "blank": f" {OLD}",
    "nul": f"{OLD}\x00",
    "twice": f"{OLD} {OLD}",
    "table": "table/1",
    "nothing of a book": "table/1 ",
    "pattern": "table/1 room25.ultimate/*",
    "another book": "table/1 room25.first_edition/1",
    "long": "x" * 1_000_000,
    "lines": "table/1\n\n../..\n" * 50,
    "nothing": "",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_record_cannot_say_what_is_run(
    attempt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    archives = planted(tmp_path, f"open({str(ran)!r}, 'w')")
    calls: list[bytes] = []
    monkeypatch.setattr(replay_archives, "run_isolated", lambda *given: calls.append(given[0]))
    forger = Forger(SHORT.read_bytes())
    wanted = ATTEMPTS[attempt].replace("{folder}", str(tmp_path))
    for line in forger.lines[1:-1]:
        if "batch" in line:
            line["batch"]["rules"] = wanted
    forger.lines[0]["rules"] = [wanted]
    forger.unsign()
    forger.reseal()
    found = audit(examine(forger.content()), installed_games(), archives=archives)
    assert calls == []
    assert not ran.exists()
    assert finding(found, "re-adjudication").status == "not checked"
    assert max(len(line) for line in found.lines()) < 400
    assert all("\n" not in line for line in found.lines())


def test_a_program_that_is_not_in_the_list_is_not_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    archives = planted(tmp_path, f"open({str(ran)!r}, 'w')")
    (tmp_path / "rules-planted.pyz").rename(tmp_path / "rules-other.pyz")
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), archives)
    assert found.status == "not checked"
    assert "their file cannot be read" in found.detail
    assert not ran.exists()


# --- archives that do not do what they should ---


def answer(verdict: Verdict) -> str:
    """A program that says this to whatever it is asked."""
    return f"import sys; sys.stdout.write({encode_line(verdict).decode()!r} + '\\n')"


RIGHT = Verdict(format="parlour-rules/1", judged=COMMANDS, drawn=4)
FEWER = Verdict(format="parlour-rules/1", judged=COMMANDS - 1, drawn=4)
BROKEN = {
    "no program": ("1 +", "it ended with an error (1)"),
    "garbage": ("print('all is well')", "what they answer is no verdict"),
    "bytes": ("import sys; sys.stdout.buffer.write(b'\\xff\\x00')", "is no verdict"),
    "silence": ("", "they answer 1 cases by 0 verdicts"),
    "twice": (f"{answer(RIGHT)}; {answer(RIGHT)[12:]}", "they answer 1 cases by 2 verdicts"),
    "word before": (f"print('hm'); {answer(RIGHT)}", "what they answer is no verdict"),
    "crash": (f"{answer(RIGHT)}; raise SystemExit(3)", "it ended with an error (3)"),
    "error": (f"{answer(RIGHT)}; 1 / 0", "it ended with an error (1)"),
    "signal": ("import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
    "busy": ("while True: pass", "it "),
    "waiting": ("import threading; threading.Event().wait()", "it gave no answer within 1 s"),
    "flood": ("while True: print('x' * 9999)", "it ended with an error (1)"),
    "hoard": ("x = bytearray(1 << 29)", "it ended with an error (1)"),
    "fewer": (answer(FEWER), f"gave a verdict on {COMMANDS - 1} of {COMMANDS} commands"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_archive_that_does_not_judge_is_never_an_ok(name: str, tmp_path: Path) -> None:
    program, why = BROKEN[name]
    # Only those that never end may be ended by the clock: the machine may be a busy one.
    seconds = 1 if name in {"busy", "waiting"} else 600
    limits = ProcessLimits(seconds=seconds, memory=1 << 28, output=1 << 16)
    found = audit(
        examine(RECORD.read_bytes()),
        registry_of(CHANGED),
        archives=planted(tmp_path, program, limits=limits),
    )
    for each in ("re-adjudication", "draws"):
        assert finding(found, each).status == "not checked"
        assert f"the archived rules of {OLD}: " in finding(found, each).detail
        assert why in finding(found, each).detail
    assert failures(found) == {}
    assert finding(found, "fold").status == "ok"


def test_the_planted_archive_would_be_believed_if_it_judged(tmp_path: Path) -> None:
    """The control of the test above: it is not the planting that is refused."""
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), planted(tmp_path, answer(RIGHT)))
    assert found.status == "ok"


def test_an_archive_that_was_tampered_with_is_not_run(tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    shutil.copytree(HOUSE, folder)
    archives = RulesArchives(folder)
    assert judged(RECORD.read_bytes(), registry_of(CHANGED), archives).status == "ok"
    for path in folder.glob("*.pyz"):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), archives)
    assert found.status == "not checked"
    assert "their file is not the one that was shipped: its digest differs" in found.detail


def test_an_archive_whose_manifest_is_another_is_not_run(tmp_path: Path) -> None:
    archives = planted(tmp_path, answer(RIGHT))
    (listed,) = archives.listed()
    other = msgspec.structs.replace(listed.manifest, version="0.3.0")
    changed = listing(tmp_path, msgspec.structs.replace(listed, manifest=other))
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), changed)
    assert "their manifest is not what the list says" in found.detail


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"archives":[{}]}'])
def test_without_a_list_no_archive_is_believed(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "archives.json").write_bytes(content)
    archives = RulesArchives(tmp_path)
    with pytest.raises(ArchiveError, match="the list of archives cannot be read"):
        archives.find("room25", "ultimate", OLD)
    found = judged(RECORD.read_bytes(), registry_of(CHANGED), archives)
    assert found.status == "not checked"
    assert "the list of archives cannot be read" in found.detail
    assert judged(RECORD.read_bytes(), installed_games(), archives).status == "ok"


# --- where archives run ---

ALONE = """
import importlib.util, os, resource, sys
assert set(os.environ) <= {"LC_CTYPE"}, os.environ
assert os.listdir() == ["rules.pyz"], os.listdir()
assert not any("site-packages" in path for path in sys.path), sys.path
for name in ("cryptography", "redis", "litestar", "events", "games"):
    assert importlib.util.find_spec(name) is None, name
import msgspec
msgspec.json.decode(sys.stdin.buffer.readline())
assert sys.stdin.buffer.read() == b""
assert resource.getrlimit(resource.RLIMIT_CPU) == (60, 60)
"""


def test_an_archive_is_alone_with_its_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOUR_KEYS", "a secret of the service")
    monkeypatch.setenv("PYTHONPATH", str(ROOT.parents[1]))
    program = f"{ALONE}\n{answer(RIGHT)}"
    assert (
        judged(RECORD.read_bytes(), registry_of(CHANGED), planted(tmp_path, program)).status == "ok"
    )


def test_what_an_archive_imports_has_been_compiled() -> None:
    told = zipped({"__main__.py": b"import part; print(part.__file__)", "part.py": b""})
    assert run_isolated(told, b"", ProcessLimits()).endswith(b"/rules.pyz/part.pyc\n")


def test_nothing_of_what_was_asked_stays_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert judged(RECORD.read_bytes(), registry_of(CHANGED)).status == "ok"
    assert list(tmp_path.iterdir()) == []


def test_an_archive_can_be_asked_without_us(tmp_path: Path) -> None:
    (archive,) = house_archives().all()
    (tmp_path / "rules.pyz").write_bytes(archive.content())
    done = subprocess.run(
        [sys.executable, "rules.pyz"],
        cwd=tmp_path,
        input=encode_line(case()) + b"\n",
        capture_output=True,
        check=True,
        env={},
    )
    assert read_verdict(done.stdout) == Court().judge(case())
    assert read_verdict(done.stdout).judged == COMMANDS
