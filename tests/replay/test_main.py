"""The command line: what it prints, where it writes, and with which code it exits."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from events import seal
from events.codec import Codec
from events.kernel import PUBLIC, Viewer
from games.game_registry import installed_games
from games.room25 import RULES
from projections.record import Seal, write_record
from replay.__main__ import main, parser
from replay.memory import MemoryTable
from replay.source import header_of
from replay.stepping import typed_commands
from simulator.golden_files import KEYS, SIGNER
from tests.replay.forging import Forger, begun, original, played

Run = Callable[..., str]

RECORDS = Path(__file__).parents[1] / "golden" / "records"


@pytest.fixture
def record(tmp_path: Path) -> str:
    """The path of a finished game's record."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(original())
    return str(path)


COMMAND_LINE = cache(parser)
"""Made once: it takes as long as many a command, and every command would make it again."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program; gives what it printed after checking its exit code."""
    monkeypatch.setattr("replay.__main__.parser", COMMAND_LINE)

    def running(*argv: str, code: int = 0) -> str:
        assert main(argv) == code
        captured = capsys.readouterr()
        return captured.out if code != 2 else captured.err

    return running


# --- show ---


def test_show_draws_the_last_version_for_the_public(record: str, run: Run) -> None:
    text = run("show", record)
    assert f"version {played().version} of {played().version}, as public" in text
    assert "first_edition, suspicion" in text
    assert "the end: guards" in text
    assert max(map(len, text.split("\n\n")[1].splitlines())) <= 80


def test_show_at_a_turn_is_its_first_version(record: str, run: Run) -> None:
    version = Forger().version_of("turn-began", lambda e: e["turn"] == 3)
    assert run("show", record, "--at", "turn:3") == run("show", record, "--at", str(version))
    assert "turn 3 of 10" in run("show", record, "--at", "turn:3")


@pytest.mark.parametrize(("language", "word"), [("en", "Round"), ("fr", "Tour"), ("pl", "Runda")])
def test_a_game_is_told_in_its_own_word_for_a_turn(language: str, word: str, run: Run) -> None:
    path = str(RECORDS / "cerveauuu-2.jsonl")
    lines = run("log", path, "--lang", language).splitlines()
    assert f"{word} 4" in {line.partition(",")[0] for line in lines}
    assert not any(line.startswith("Turn ") for line in lines)


def test_a_picture_is_named_by_the_games_own_word_for_a_turn(run: Run) -> None:
    path = str(RECORDS / "cerveauuu-2.jsonl")
    assert "standard, round 4, " in run("show", path, "--at", "turn:4")
    assert "the game has no round 99" in run("show", path, "--at", "turn:99", code=2)


def test_a_list_stands_below_its_sentence(run: Run) -> None:
    lines = run("log", str(RECORDS / "cerveauuu-2-setup.jsonl")).splitlines()
    at = next(n for n, line in enumerate(lines) if line.endswith("Everybody has decided:"))
    _, sentence, _ = lines[at].partition("Everybody")
    margin = lines[at].index(sentence) + 2
    for line in lines[at + 1 : at + 3]:
        assert line[:margin].isspace()
        assert re.match(r"\S.*: human \d+ ", line[margin:])


def test_show_gives_each_viewer_its_own_board(record: str, run: Run) -> None:
    public, seat, full = (
        run("show", record, "--at", "turn:2", "--as", who) for who in ("public", "seat:1", "full")
    )
    assert public.count("(") < seat.count("(") < full.count("(")
    assert "....." not in "".join(full.split("ROOM face-up")[0])


def test_show_as_json_is_the_view_as_the_service_gives_it(record: str, run: Run) -> None:
    view = msgspec.json.decode(run("show", record, "--at", "30", "--format", "json"))
    assert view["version"] == 30
    assert view["viewer"] == "public"
    assert view["id"] == played().stream
    assert view["time"] == played().envelopes[29].at
    assert view["scenario"] is False
    assert view["state"]["mode"] == "suspicion"
    assert {tile.get("kind") for tile in view["state"]["play"]["grid"].values()} == {
        None,
        "central",
    }


def test_show_as_svg_goes_into_a_file(record: str, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert run("show", record, "--format", "svg", "--out", str(out)) == ""
    assert ET.parse(out).getroot().tag.endswith("svg")  # noqa: S314 (we wrote it)


# --- what others may not see ---


def for_eyes(table: MemoryTable, viewer: Viewer) -> bytes:
    """A record that holds only what a viewer may open."""
    codec = Codec(installed_games().registry(RULES.id), KEYS)
    lines = [codec.opened(table.stream, stored, viewer) for stored in table.stored]
    header = header_of(table.stream, table.envelopes, "test")
    end = Seal(head=seal.text_of(table.head), version=table.version, key="")
    return write_record(header, lines, end, table.names)


@pytest.mark.parametrize("who", ["public", "seat:1", "seat:2", "seat:3", "seat:4"])
@pytest.mark.parametrize("game", [begun, played], ids=["begun", "played"])
def test_a_viewer_sees_nothing_that_it_cannot_open_itself(
    who: str, game: Callable[[], MemoryTable], run: Run, tmp_path: Path
) -> None:
    table = game()
    viewer = PUBLIC
    if who != "public":
        viewer = table.game_registry.table.games["room25"].viewer(table.state.play, int(who[-1]))
    whole, own = tmp_path / "whole.jsonl", tmp_path / "own.jsonl"
    whole.write_bytes(table.record())
    own.write_bytes(for_eyes(table, viewer))
    for command in (
        ["log"],
        ["show"],
        ["show", "--at", "turn:1"],
        ["show", "--format", "json"],
        ["show", "--format", "svg"],
        ["diff", "20", str(table.version)],
    ):
        name, *rest = command
        seen = [run(name, str(path), *rest, "--as", who) for path in (whole, own)]
        assert seen[0] == seen[1], command
    assert run("log", str(whole), "--as", "full") != run("log", str(own), "--as", "full")


def test_a_changed_file_is_shown_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = Forger()
    forger.event(forger.version_of("room-revealed"))["kind"] = "acid"
    path = tmp_path / "forged.jsonl"
    path.write_bytes(forger.content())
    assert main(["show", str(path)]) == 0
    assert "warning" in capsys.readouterr().err
    path.write_bytes(original())
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().err == ""


# --- log ---


def test_log_tells_every_event_under_its_turn(record: str, run: Run) -> None:
    lines = run("log", record, "--as", "full").splitlines()
    events = [line for line in lines if line[:6].strip().isdecimal()]
    assert [int(line[:6]) for line in events] == list(range(1, played().version + 1))
    headings = [line for line in lines if line and line not in events]
    assert headings[0] == "Before the game"
    assert headings[-1] == "The end"
    assert "Turn 1, programming" in headings
    assert "Turn 2, second actions" in headings
    assert len(headings) == len(set(headings)), "each stage is told once"


def test_log_times_are_relative_to_the_opening(record: str, run: Run) -> None:
    first, second = [line.split() for line in run("log", record).splitlines()[1:3]]
    assert first[1] == "0:00.0"
    assert second[1] == "0:01.0"


LANGUAGES = {
    "en": ("Before the game", "Turn 1, programming", "Ada takes seat 1", "The end"),
    "fr": ("Avant la partie", "Tour 1, programmation", "Ada prend la place 1", "Fin de partie"),
    "pl": ("Przed grą", "Runda 1, programowanie", "Ada zajmuje miejsce 1", "Koniec"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_is_told_in_a_language(record: str, run: Run, language: str) -> None:
    told = run("log", record, "--as", "full", "--lang", language)
    assert [text for text in LANGUAGES[language] if text not in told] == []
    assert "?" not in told
    assert "{" not in told


def test_a_log_is_told_in_english_unless_it_is_asked_for_in_another(record: str, run: Run) -> None:
    assert run("log", record) == run("log", record, "--lang", "en")


@pytest.mark.parametrize("language", ["de", "EN", "", "pl,fr"])
def test_there_is_no_log_in_another_language(
    record: str, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    assert main(["log", record, "--lang", language]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"parlour replay: there is no log in {language!r}: the languages are en, fr and pl\n"
    )


# --- diff ---


def test_diff_names_what_changed_and_nothing_else(record: str, run: Run) -> None:
    version = Forger().version_of("room-revealed")
    cell, kind = (Forger().event(version)[name] for name in ("cell", "kind"))
    lines = run("diff", record, str(version - 1), str(version)).splitlines()
    assert f'play.grid.{cell}.kind: (absent) -> "{kind}"' in lines
    assert all(line.startswith(f"play.grid.{cell}.") for line in lines)
    assert run("diff", record, "7", "7") == ""


def test_diff_in_a_view_that_knows_the_room_already(record: str, run: Run) -> None:
    version = Forger().version_of("room-revealed")
    lines = run("diff", record, str(version - 1), str(version), "--as", "full").splitlines()
    assert len(lines) == 1
    assert lines[0].endswith(".up: (absent) -> true")


# --- step ---


def stepped(record: str, keys: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The captions and messages of a walk."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys.split(","))))
    text = run("step", record)
    return [
        line.split(", ")[1].split(" of ")[0] if ", version " in line else line
        for line in text.splitlines()
        if ", version " in line or line.startswith(("there is", "the game has"))
    ]


def test_step_walks(record: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Forger().version_of("turn-began", lambda e: e["turn"] == 2)
    seen = stepped(record, "n,n,p,,g 40,t 2,p,q,n", run, monkeypatch)
    expected = [1, 2, 3, 2, 3, 40, turn, turn - 1]
    assert seen == [f"version {n}" for n in expected]


def test_step_stays_where_it_is_when_asked_for_nonsense(
    record: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = played().version
    seen = stepped(record, f"p,x,g,g 0,g {last + 1},t 99,g {last},n", run, monkeypatch)
    assert [line for line in seen if line.startswith("version")] == [
        "version 1",
        "version 1",
        f"version {last}",
        f"version {last}",
    ]
    assert len([line for line in seen if line.startswith("there is no version")]) == 2
    assert "the game has no turn 99" in seen


def test_step_ends_with_its_input(record: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stepped(record, "n", run, monkeypatch) == ["version 1", "version 2"]


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], str]]:
    """A terminal: takes key strokes, gives the command that they mean."""
    master, slave = os.openpty()
    with os.fdopen(slave, "r") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        commands = typed_commands(stream)

        def press(keys: bytes) -> str:
            os.write(master, keys)
            return next(commands)

        yield press
    os.close(master)


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        (b"n", "n"),
        (b"\x1b[C", "n"),
        (b"\x1b[B", "n"),
        (b"\x1b[D", "p"),
        (b"\x1b[A", "p"),
        (b" ", "n"),
        (b"q", "q"),
        (b"\x04", "q"),
        (b"g40\n", "g 40\n"),
        (b"t 2\n", "t  2\n"),
    ],
)
def test_keys_of_a_terminal(keyboard: Callable[[bytes], str], keys: bytes, command: str) -> None:
    assert keyboard(keys) == command


# --- verify ---


def test_verify_says_all_is_well(record: str, run: Run) -> None:
    text = run("verify", record, "--verifier", SIGNER.verifier)
    assert text.splitlines()[-1] == "verified"
    assert "NOT" not in text


def test_verify_fails_by_name(tmp_path: Path, run: Run) -> None:
    forger = Forger()
    version = forger.version_of("room-revealed")
    forger.event(version)["cell"] = "r0c0"
    path = tmp_path / "forged.jsonl"
    path.write_bytes(forger.content())
    text = run("verify", str(path), code=1)
    assert "chain           FAILED" in text
    assert f"first diverging event: version {version}, room-revealed" in text
    assert text.splitlines()[-1] == "NOT verified"


# --- what cannot be read ---


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"no record",
        b"\x00\xff" * 40,
        b"{}\n{}\n{}\n",
        b"[]\n[]\n[]\n",
        b"[" * 100_000,
        original().replace(b"parlour-record/1", b"room25-record/1"),
    ],
    ids=["empty", "blank", "text", "binary", "no-header", "arrays", "deep", "older-format"],
)
@pytest.mark.parametrize("command", ["verify", "show", "log", "step"])
def test_a_file_that_cannot_be_read(content: bytes, command: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    assert run(command, str(path), code=2).startswith("parlour replay: ")


@pytest.mark.parametrize(
    "content",
    [
        original()[: original().index(b"\n") + 1],
        original()[:-400],
        original().replace(b"parlour-record/1", b"parlour-record/9"),
        original().replace(b'"v":7}', b'"v":7'),
        original().replace(b'"head":"', b'"head":"*'),
    ],
    ids=["header-only", "cut", "newer-format", "broken-line", "broken-head"],
)
def test_a_broken_record_is_verified_but_not_shown(
    content: bytes, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    assert "FAILED" in run("verify", str(path), code=1)
    for command in ("show", "log", "step"):
        assert run(command, str(path), code=2).startswith("parlour replay: not a record: ")


@pytest.mark.parametrize(
    "argv",
    [
        ["show", "no-such-file.jsonl"],
        ["show", "."],
        ["show", "RECORD", "--at", "0"],
        ["show", "RECORD", "--at", "1000000"],
        ["show", "RECORD", "--at", "turn:99"],
        ["show", "RECORD", "--at", "yesterday"],
        ["show", "RECORD", "--as", "seat:9"],
        ["show", "RECORD", "--as", "seat:x"],
        ["show", "RECORD", "--as", "god"],
        ["show", "RECORD", "--out", "no/such/folder/file"],
        ["diff", "RECORD", "1", "turn:99"],
        ["verify", "g00-00000000000000000000000000"],
        ["export", "g00-00000000000000000000000000", "--out", "x"],
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(
    argv: list[str], record: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(os.environ):
        if name.startswith("PARLOUR_"):
            monkeypatch.delenv(name)
    given = [record if word == "RECORD" else word for word in argv]
    text = run(*given, code=2)
    assert text.startswith("parlour replay: ")
    assert text.count("\n") == 1


def test_a_game_whose_events_do_not_follow_is_not_shown(tmp_path: Path, run: Run) -> None:
    forger = Forger()
    del forger.lines[forger.version_of("complex-laid")]
    forger.renumber()
    path = tmp_path / "odd.jsonl"
    path.write_bytes(forger.content())
    assert "does not fit" in run("show", str(path), code=2)


def test_as_a_program(record: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "replay", "verify", record],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "verified"


def test_whoever_reads_us_may_stop_reading(record: str) -> None:
    command = [sys.executable, "-m", "replay", "log", record]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root) as log:
        assert log.stdout is not None
        assert log.stderr is not None
        log.stdout.close()
        assert log.stderr.read() == b""
        assert log.wait() == 0


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 2
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "verify" in capsys.readouterr().out


def test_scenarios_have_a_command_line_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["scenario", "--help"])
    assert end.value.code == 0
    assert "--url" in capsys.readouterr().out


def test_names_cannot_command_a_terminal(tmp_path: Path, run: Run) -> None:
    forger = Forger()
    path = tmp_path / "rude.jsonl"
    path.write_bytes(forger.content())
    polite = run("log", str(path)).splitlines()
    next(iter(sorted(forger.names.values(), key=str)))["name"] = "\x1b[2J<b>Ada</b>\n 999"
    path.write_bytes(forger.content())
    assert len(run("log", str(path)).splitlines()) == len(polite)
    for command in (["log"], ["show"], ["show", "--format", "svg"]):
        assert "\x1b" not in run(command[0], str(path), *command[1:])
    assert "&lt;b&gt;Ada" in run("show", str(path), "--at", "3", "--format", "svg")
