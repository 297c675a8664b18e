"""The vectors of games are what the service says, read by the program that their page shows."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.kernel import Message
from games.game_registry import installed_games
from games.registry import GAMES as PACKAGES
from games.table.events import TABLE_EVENTS, ChooseSealed
from projections.record import read_record
from replay.viewing import Show
from service.contract.bodies import encode
from tests.golden_records import a_third_by_day, golden
from tools import vectors
from tools.vectors import GAMES, GOLDEN, ROOT, VECTORS, Told, changes, main, text, vector

pytestmark = pytest.mark.slow

FILES = sorted(VECTORS.glob("*.json"))
LARGEST_BYTES = 3_750_000
MESSAGES: list[type[Message]] = [ChooseSealed]
MESSAGES += [kind for game in PACKAGES.values() for kind in game.rules.events]
EACH = 5
"""Of so many moments one is compared, and the last one."""

KEPT = {str(kind.__struct_config__.tag): kind.withheld for kind in MESSAGES}
"""The fields of commands and events that stay secret unless they count."""


def name(path: Path) -> str:
    return path.stem


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The Python on the page, as a module."""
    page = (ROOT / "docs" / "vectors.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    path = tmp_path_factory.mktemp("page") / "reader.py"
    path.write_text(program, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("reader", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def golden_of(path: Path) -> Path:
    return next(GOLDEN / f"{game}.jsonl" for game in GAMES if game.endswith(f"/{path.stem}"))


def test_there_is_a_file_for_each_game_and_no_other() -> None:
    assert [path.stem for path in FILES] == sorted(Path(game).name for game in GAMES)


@pytest.mark.parametrize("path", a_third_by_day(FILES), ids=name)
def test_views_are_what_the_service_shows(path: Path, reader: Any) -> None:
    told, source = read(path), golden(golden_of(path))
    for viewer in ("public", *told["viewers"]):
        moments = Show(source, installed_games(), viewer).moments()
        seen = reader.views(told, viewer)
        for moment, view in zip(moments, seen, strict=False):
            # Views are told by their changes: what is wrong in one is wrong in most after it.
            if moment.version % EACH == 0 or moment.version == len(told["lines"]):
                expected = msgspec.json.decode(encode(moment.state))
                assert view == expected, f"{viewer} at {moment.version}"
        assert next(seen, None) is None


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_full_viewers_lines_are_those_of_the_record(path: Path, reader: Any) -> None:
    told = read(path)
    recorded = golden_of(path).read_text(encoding="utf-8").splitlines()[1:-1]
    expected = [without_kept(line) for line in recorded[: len(told["lines"])]]
    assert [json.loads(line) for line in reader.lines(told, "full")] == expected


def without_kept(recorded: str) -> dict[str, Any]:
    """A record's line without the choices that it alone opens, because they have counted."""
    line: dict[str, Any] = json.loads(recorded)
    parts = {"event": line["event"], "command": line.get("batch", {}).get("command", {})}
    kept = {
        f"{part}.{name}" for part, said in parts.items() for name in KEPT.get(said.get("type"), ())
    }
    opened = {path: each for path, each in line.pop("opened", {}).items() if path not in kept}
    return line | ({"opened": opened} if opened else {})


@pytest.mark.parametrize("path", FILES, ids=name)
def test_seats_open_what_is_theirs(path: Path, reader: Any) -> None:
    told = read(path)
    everything = [json.loads(line).get("opened", {}) for line in reader.lines(told, "full")]
    for viewer in told["viewers"]:
        seat = viewer.removeprefix("seat:")
        for line, whole in zip(reader.lines(told, viewer), everything, strict=True):
            fields = json.loads(line)
            owners = {"event": fields["event"].get("seat")}
            owners["command"] = fields.get("batch", {}).get("command", {}).get("seat")
            mine = {
                path: opening
                for path, opening in whole.items()
                if viewer == "full" or str(owners[path.partition(".")[0]]) == seat
            }
            assert fields.get("opened", {}) == mine


@pytest.mark.parametrize("path", FILES, ids=name)
def test_heads_follow_from_the_lines(path: Path) -> None:
    told = read(path)

    def sha256(*parts: bytes) -> bytes:
        return hashlib.sha256(b"".join(parts)).digest()

    def base64url(raw: bytes) -> str:
        return urlsafe_b64encode(raw).decode().rstrip("=")

    head = sha256(b"\x02parlour/stream/1\x00", told["stream"].encode())
    assert base64url(head) == told["genesis"]
    for version, (line, expected) in enumerate(zip(told["lines"], told["heads"], strict=True), 1):
        head = sha256(b"\x01", head, version.to_bytes(8, "big"), sha256(b"\x00", line.encode()))
        assert base64url(head) == expected


def test_a_whole_games_last_head_is_the_sealed_one() -> None:
    whole = [path for path in FILES if golden_of(path).parent.name == "records"]
    sealed = {path.stem: read_record(golden_of(path).read_bytes()).seal for path in whole}
    ended = [
        told["heads"][-1] == sealed[path.stem].head
        for path in whole
        if len((told := read(path))["lines"]) == sealed[path.stem].version
    ]
    assert len(ended) > 5
    assert all(ended)


def types(told: dict[str, Any]) -> Iterator[str]:
    for line in told["lines"]:
        yield json.loads(line)["event"]["type"]


def test_every_type_of_event_occurs() -> None:
    """Every event of the table, and of each game those of its own."""
    own: dict[str, set[str]] = {}
    for path in FILES:
        told = read(path)
        game = json.loads(told["lines"][0])["event"]["game"]
        own.setdefault(game, set()).update(types(told))
    table = {kind.__struct_config__.tag for kind in TABLE_EVENTS}
    assert set.union(*own.values()) >= table
    for game, package in PACKAGES.items():
        tags = {str(kind.__struct_config__.tag) for kind in package.rules.events}
        assert own[game] - table == tags


def test_every_rulebook_and_every_viewer_is_there() -> None:
    books = set()
    for path in FILES:
        told = read(path)
        opening = json.loads(told["lines"][0])["event"]
        books.add((opening["game"], opening["rulebook"]))
        seats = [f"seat:{n}" for n in range(1, opening["seats"] + 1)]
        assert list(told["viewers"]) == [*seats, "full"]
        assert told["format"] == "parlour-vectors/1"
    every = PACKAGES.items()
    assert books == {
        (game, book["id"]) for game, p in every for book in p.published.rulebooks("en")
    }


def test_no_overlaid_pointer_lies_inside_another() -> None:
    for path in FILES:
        for viewer, each in read(path)["viewers"].items():
            over: dict[str, Any] = {}
            for step in each["over"]:
                over = {
                    p: v for p, v in (over | step["set"]).items() if p not in step.get("drop", [])
                }
                inside = [
                    (a, b) for a, b in pairwise(sorted(f"{p}/" for p in over)) if b.startswith(a)
                ]
                assert inside == [], f"{path.stem} {viewer} {step['v']}"


def test_they_stay_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < LARGEST_BYTES


def test_a_cut_game_ends_with_a_command() -> None:
    for game, cut in GAMES.items():
        if cut is not None:
            content = (GOLDEN / f"{game}.jsonl").read_bytes()
            whole, told = Told(content), Told(content, cut)
            assert cut <= len(told.stored) < len(whole.stored)
            assert whole.envelopes[len(told.stored)].batch is not None


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, {}),
        (None, {"a": 1}, {"": {"a": 1}}),
        ({"a": {"b": 1}}, {"a": {"b": 2, "c": None}}, {"/a/b": 2, "/a/c": None}),
        ({"a": {"b": 1}, "c": 1}, {"a": {}, "c": 2}, {"/a": {}, "/c": 2}),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, {"/a~1b/~0": 2}),
        ({"a": [1]}, {"a": [1, 2]}, {"/a": [1, 2]}),
    ],
    ids=["same", "new", "deeper", "fewer", "escaped", "lists"],
)
def test_changes_are_small_and_put_back(
    before: Any, after: Any, found: dict[str, Any], reader: Any
) -> None:
    assert changes(before, after) == found
    for pointer, value in found.items():
        before = reader.put(before, pointer, value)
    assert before == after


def test_the_check_names_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(vectors, "GAMES", {"records/bga-X-U22": None})
    assert main(["--check"], tmp_path) == 1
    assert "bga-X-U22.json" in capsys.readouterr().err
    assert main(["--write"], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    file = tmp_path / "tests" / "vectors" / "bga-X-U22.json"
    assert file.read_bytes() == (VECTORS / "bga-X-U22.json").read_bytes()
    file.write_text(file.read_text(encoding="utf-8").replace('"solo"', '"team"'), encoding="utf-8")
    assert main(["--check"], tmp_path) == 1


def test_a_file_is_laid_out_for_people_too() -> None:
    told = vector(Told((GOLDEN / "records/bga-X-U22.jsonl").read_bytes(), 1))
    rows = text(told).splitlines()
    assert json.loads("".join(rows)) == told
    assert [row[:30] for row in rows[:2]] == ["{", '"format":"parlour-vectors/1",']
    assert len(rows) > len(told["lines"]) + len(told["heads"])
    salt = json.loads(told["viewers"]["full"]["opened"]["1"])["event.key"]["salt"]
    assert len(urlsafe_b64decode(salt + "=")) == 32
