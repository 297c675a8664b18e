"""The scenario format: its schema, its strictness, and that a broken claim is never missed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from jsonschema_rs import Draft202012Validator

from games.game_registry import installed_games
from games.registry import GAMES
from games.room25.model.state import Character, Tile
from games.room25.scenarios.checks import CharacterCheck
from games.room25.scenarios.judging import CHARACTER_DEFAULTS, TILE_DEFAULTS
from replay.scenario import cli
from replay.scenario.dialect import dialect_of
from replay.scenario.engine import EngineTable
from replay.scenario.files import BadFileError, read_file, read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.schema import schema_text
from tests.replay.situations import FOUR, GIVEN, Json
from tests.scenario_files import FILES, all_scenarios, whole_form

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "scenarios.md"
ROOM25_FILES = dialect_of(GAMES["room25"])

RUNNING: Json = {"check": "running"}
CELLAR: Json = {"check": "tile", "at": "r0c0", "kind": "cellar"}
LOOK: Json = {"do": "program", "seat": 1, "tokens": ["look", "push"]}


def _scenario(**more: Any) -> Scenario:
    plain: Json = {
        "id": "X-1",
        "title": "Emmett looks, then pushes Kevin",
        "cites": ["§4.5"],
        "rulebooks": ["first_edition"],
        "mode": "suspicion",
        "seats": 4,
        "given": GIVEN,
    }
    return msgspec.convert(plain | more, ROOM25_FILES.scenario)


def _problems(**more: Any) -> tuple[str, ...]:
    (report,) = perform(_scenario(**more), EngineTable)
    return report.problems


def _file(path: Path, *scenarios: Scenario, about: str = "for a test") -> Path:
    path.write_bytes(
        msgspec.json.encode(ROOM25_FILES.file(game="room25", about=about, scenarios=scenarios))
    )
    return path


# --- the schema ---


def test_the_checked_in_schema_is_that_of_the_code() -> None:
    kept = (ROOT / "openapi" / "scenario.schema.json").read_text(encoding="utf-8")
    assert kept == schema_text(), (
        "python -m replay scenario --schema > openapi/scenario.schema.json"
    )


@cache
def validator() -> Draft202012Validator:
    """Judges by the schema, which is a schema."""
    jsonschema.Draft202012Validator.check_schema(whole_form())
    return Draft202012Validator(whole_form())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_keeps_to_the_schema(path: Path) -> None:
    assert list(validator().iter_errors(msgspec.json.decode(path.read_bytes()))) == []


@pytest.mark.parametrize(
    "change",
    [
        {"foo": 1},
        {"id": "anything"},
        {"cites": []},
        {"cites": ["see the box"]},
        {"seats": 9},
        {"given": {"characters": FOUR, "foo": 1}},
        {"given": {"characters": FOUR, "tiles": {"r9c9": "empty"}}},
        {"when": [{"do": "dance", "seat": 1}]},
        {"when": [{**LOOK, "foo": 1}]},
        {"then": [{"check": "weather"}]},
        {"then": [{"check": "tile", "at": "r0c2", "foo": 1}]},
        {"then": [{"check": "game", "phase": "night"}]},
        {"then": [{"check": "game", "viewer": "seat:0"}]},
    ],
    ids=lambda change: msgspec.json.encode(change).decode()[-60:],
)
def test_code_and_schema_refuse_the_same(change: Json) -> None:
    plain: Json = msgspec.json.decode(msgspec.json.encode(_scenario()))
    data = {"game": "room25", "about": "", "scenarios": [plain]}
    assert msgspec.convert(data, ROOM25_FILES.file).game == "room25"
    assert validator().is_valid(data)
    data = {**data, "scenarios": [plain | change]}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, ROOM25_FILES.file)
    assert not validator().is_valid(data)


def test_what_json_leaves_out_is_what_the_state_has_by_default() -> None:
    bare = Character(id="emmett", seat=1, team="all", cell="r2c2", alive=True)
    facts = msgspec.to_builtins(bare) | CHARACTER_DEFAULTS
    for name, value in msgspec.structs.asdict(bare).items():
        if name in CharacterCheck.__struct_fields__:
            assert facts[name] == (list(value) if isinstance(value, tuple) else value), name
    bare_tile = Tile(id=7, kind=None, up=False)
    tile = {name: value for name, value in msgspec.structs.asdict(bare_tile).items() if value != ()}
    assert {**tile, "reminders": []} == dict(TILE_DEFAULTS, id=7)


# --- files ---


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"then": [{"check": "events", "exclude": [{"type": "room-seen"}]}]}, "no event"),
        ({"then": [{"check": "events", "exclude": [{}]}]}, "no event"),
        ({"then": [{"check": "events", "exclude": [{"type": "room-peeked", "who": 1}]}]}, "field"),
        ({"then": [{"check": "no_decision", "seat": 1, "kind": "dance"}]}, "no kind of decision"),
        ({"then": [{"check": "rooms", "kind": "cellar", "count": 0}]}, "no room"),
        ({"when": [{"do": "run_until", "seat": 1, "kind": "dance"}]}, "no kind of decision"),
        (
            {"then": [{"check": "one_of", "of": [RUNNING, CELLAR]}]},
            "no room",
        ),
    ],
    ids=["type", "no-type", "field", "decision", "room", "step", "one-of"],
)  # fmt: skip
def test_a_word_of_no_game_is_refused(tmp_path: Path, more: Json, what: str) -> None:
    path = _file(tmp_path / "strange.json", _scenario(**more))
    with pytest.raises(BadFileError, match=what):
        read_file(path)


def test_the_games_of_files_are_those_that_can_be_played() -> None:
    assert set(GAMES) == set(installed_games().table.games)
    for game in GAMES:
        file = whole_form()["$defs"][game]["ScenarioFile"]
        assert file["properties"]["game"] == {"enum": [game]}
        assert "game" in file["required"]
    assert {msgspec.json.decode(path.read_bytes())["game"] for path in FILES} <= set(GAMES)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ({}, 'the file does not name its game, as "game": …; the games are: room25, cerveauuu'),
        ({"game": "chess"}, "'chess' is no game; the games are: room25, cerveauuu"),
        (
            {"game": "room52"},
            "'room52' is no game; the games are: room25, cerveauuu (did you mean room25?)",
        ),
        ({"game": ""}, "'' is no game; the games are: room25, cerveauuu"),
        ({"game": 25}, "Expected `str`, got `int` - at `$.game`"),
        ({"game": None}, "Expected `str`, got `null` - at `$.game`"),
    ],
    ids=["missing", "unknown", "misspelt", "empty", "number", "null"],
)
def test_a_file_without_a_game_that_there_is_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: Json, said: str
) -> None:
    """In one sentence, and before anything else in the file is looked at."""
    path = _file(tmp_path / "lost.json", _scenario())
    rest = msgspec.json.decode(path.read_bytes())
    del rest["game"]
    assert not validator().is_valid(game | rest)
    path.write_bytes(msgspec.json.encode(game | rest | {"about": 1}))
    with pytest.raises(BadFileError) as caught:
        read_file(path)
    assert str(caught.value) == f"{path}: {said}"
    assert cli.main([str(path)]) == cli.UNUSABLE
    assert capsys.readouterr().err == f"{path}: {said}\n"


def test_two_scenarios_of_one_id_are_refused(tmp_path: Path) -> None:
    paths = [_file(tmp_path / name, _scenario()) for name in ("a.json", "b.json")]
    with pytest.raises(BadFileError, match=r"b\.json: X-1 stands in .*a\.json too"):
        read_scenarios(paths)


def test_what_is_no_file_or_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match=r"nothing\.json: No such file"):
        read_file(tmp_path / "nothing.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadFileError, match=r"bad\.json: "):
        read_file(tmp_path / "bad.json")


def test_a_member_twice_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path / "twice.json", _scenario())
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"id":', '"\\u0069d": "X-2", "id":', 1), encoding="utf-8")
    with pytest.raises(BadFileError, match=r"twice\.json: \$\..*id is given more than once"):
        read_file(path)


# --- a broken claim is found ---

AFTER_LOOK: list[Json] = [LOOK, {"do": "run_until", "seat": 1, "kind": "push_target"}]

TRUE: list[Json] = [
    {"check": "running"},
    {"check": "game", "turn": 3, "phase": "round_2", "order": [*FOUR], "markers": {}},
    {"check": "character", "id": "emmett", "cell": "r1c2", "alive": True, "role": None},
    {"check": "character", "id": "emmett", "viewer": "seat:1", "role": "prisoner", "trap": False},
    {"check": "character", "id": "emmett", "program": ["look", "push"]},
    {"check": "tile", "at": "r0c2", "kind": None, "up": False},
    {"check": "tile", "at": "r0c2", "viewer": "seat:1", "kind": "mortal"},
    {"check": "tile", "at": "r0c2", "viewer": "seat:4", "kind": None},
    {"check": "rooms", "up": False, "count": 2, "cells": ["r4c4", "r0c2"]},
    {"check": "rooms", "viewer": "full", "kind": "mortal", "count": 1, "within": ["r0c2", "r0c3"]},
    {"check": "roles", "role": "guard", "viewer": "seat:4", "count": 1},
    {"check": "options", "seat": 1, "kind": "push_target", "count": 4, "optional": False},
    {"check": "options", "seat": 1, "kind": "push_target", "default": "kevin:r1c3"},
    {"check": "options", "seat": 1, "kind": "resign", "are": ["resign"], "default": None},
    {"check": "no_decision", "seat": 2},
    {"check": "no_decision", "seat": 1, "kind": "move_target"},
    {"check": "events", "include": [{"type": "room-peeked", "cell": "r0c2"}]},
    {"check": "events", "viewer": "seat:1", "include": [{"type": "room-peeked", "kind": "mortal"}]},
    {"check": "events", "exclude": [{"type": "room-peeked", "kind": "mortal"}]},
    {"check": "one_of", "of": [{"check": "game", "turn": 9}, {"check": "game", "turn": 3}]},
]

FALSE: list[Json] = [
    {"check": "end", "outcome": "guards"},
    {"check": "game", "turn": 4},
    {"check": "game", "markers": {"row1": "left"}},
    {"check": "game", "order": ["kevin"]},
    {"check": "character", "id": "emmett", "cell": None},
    {"check": "character", "id": "emmett", "viewer": "seat:1", "role": None},
    {"check": "character", "id": "emmett", "trap": True},
    {"check": "character", "id": "nobody"},
    {"check": "tile", "at": "r0c2", "up": True},
    {"check": "tile", "at": "r0c2", "viewer": "seat:1", "kind": None},
    {"check": "tile", "at": "r0c2", "kind": "mortal"},
    {"check": "rooms", "up": False, "count": 3},
    {"check": "rooms", "up": False, "cells": ["r4c4"]},
    {"check": "rooms", "up": False, "within": ["r4c4"]},
    {"check": "roles", "role": "guard", "count": 1},
    {"check": "options", "seat": 1, "kind": "move_target"},
    {"check": "options", "seat": 2, "kind": "push_target"},
    {"check": "options", "seat": 1, "kind": "push_target", "are": ["kevin:r0c2"]},
    {"check": "options", "seat": 1, "kind": "push_target", "include": ["kevin:r4c4"]},
    {"check": "options", "seat": 1, "kind": "push_target", "exclude": ["kevin:r0c2"]},
    {"check": "options", "seat": 1, "kind": "push_target", "count": 5},
    {"check": "options", "seat": 1, "kind": "push_target", "default": None},
    {"check": "options", "seat": 1, "kind": "push_target", "optional": True},
    {"check": "options", "seat": 1, "kind": "push_target", "secret": True},
    {"check": "no_decision", "seat": 1},
    {"check": "no_decision", "seat": 1, "kind": "push_target"},
    {"check": "events", "include": [{"type": "room-peeked", "cell": "r0c3"}]},
    {"check": "events", "include": [{"type": "room-peeked"}, {"type": "programming-closed"}]},
    {"check": "events", "include": [{"type": "room-peeked", "seat": 1}] * 2},
    {"check": "events", "exclude": [{"type": "room-peeked", "cell": "r0c2"}]},
    {"check": "events", "since": "step", "include": [{"type": "program-submitted", "seat": 1}]},
    {"check": "one_of", "of": [{"check": "game", "turn": 9}, {"check": "game", "turn": 4}]},
]  # fmt: skip


@pytest.mark.parametrize("check", TRUE, ids=str)
def test_a_true_claim_holds(check: Json) -> None:
    assert _problems(when=AFTER_LOOK, then=[check]) == ()


@pytest.mark.parametrize("check", FALSE, ids=str)
def test_a_false_claim_is_found(check: Json) -> None:
    step = {**AFTER_LOOK[1], "then": [check]}
    (problem,) = _problems(when=[AFTER_LOOK[0], step])
    assert problem.startswith("step 2 (RunUntil): ")


def test_every_kind_of_check_and_step_has_been_tried() -> None:
    told = {check["check"] for check in [*TRUE, *FALSE]}
    assert told == {kind.__struct_config__.tag for kind in ROOM25_FILES.checks}
    played = {(s.game.rules.id, type(step)) for _, s in all_scenarios() for step in s.when}
    assert played == {(id_, kind) for id_, game in GAMES.items() for kind in dialect_of(game).steps}


def test_the_end_of_a_game_is_seen() -> None:
    give_up = [{"do": "resign", "seat": seat} for seat in (1, 2, 3, 4)]
    right = {"check": "end", "reason": "abandoned", "outcome": "abandoned", "winners": []}
    assert _problems(when=give_up, then=[right]) == ()
    (problem,) = _problems(when=give_up, then=[right | {"winners": [1]}])
    assert "winners is []" in problem
    (problem,) = _problems(when=give_up, then=[{"check": "running"}])
    assert "it has ended: abandoned" in problem


# --- a step that cannot be done is found ---


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ({"do": "choose", "seat": 1, "kind": "vision_target", "option": "r0c2"}, "ended before"),
        ({"do": "program", "seat": 1, "tokens": ["look", "look"]}, "option-not-offered"),
        ({**LOOK, "refused": "option-not-offered"}, "it was not refused"),
        (
            {"do": "program", "seat": 1, "tokens": ["fly"], "refused": "game-over"},
            "option-not-offered",
        ),
        (
            {"do": "choose", "seat": 1, "kind": "move_target", "option": "", "refused": "x"},
            "must name one",
        ),
        ({"do": "run_until", "turn": 2}, "ended before"),
        ({"do": "run_until", "end": True, "turn": 2}, "never so at the end"),
    ],
    ids=["no-decision", "refused", "not-refused", "other-problem", "no-id", "past", "never"],
)
def test_a_step_that_cannot_be_done_is_a_problem(step: Json, what: str) -> None:
    (problem,) = _problems(when=[step])
    assert problem.startswith("step 1 (")
    assert what in problem


def test_a_table_must_be_refused_exactly_when_it_should() -> None:
    (problem,) = _problems(refused="impossible-scenario")
    assert problem == "the table was not refused (impossible-scenario)"
    (problem,) = _problems(seats=3)
    assert "the table was refused: bad-seat-count" in problem
    assert _problems(seats=3, refused="bad-seat-count") == ()


def test_what_is_sometimes_so_must_be_so_once() -> None:
    def guards(count: int) -> Json:
        return {"check": "roles", "viewer": "full", "role": "guard", "count": count}

    assert _problems(given=None, seeds=30, sometimes=[guards(0), guards(1)]) == ()
    (problem,) = _problems(given=None, seeds=30, sometimes=[guards(1), guards(2)])
    assert problem == "sometimes 1: never holds"


# --- the command line ---


def test_the_command_line_tells_how_it_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = _file(tmp_path / "good.json", _scenario())
    wrong = {"check": "game", "turn": 4}
    bad = _file(tmp_path / "bad.json", _scenario(id="X-2", then=[wrong]))
    assert cli.main([str(good)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "holds  X-1 first_edition: Emmett looks, then pushes Kevin",
        "1 of 1 scenarios hold",
    ]
    assert cli.main(["--quiet", str(good), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "X-1" not in out
    assert "BROKEN X-2" in out
    assert "turn is 3" in out
    assert "1 of 2 scenarios hold" in out
    assert cli.main([str(good), str(bad), "--id", "X-1"]) == 0


def test_the_command_line_refuses_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = _file(tmp_path / "good.json", _scenario())
    assert cli.main([str(tmp_path / "none.json")]) == 2
    assert cli.main([str(good), "--id", "X-9"]) == 2
    assert "X-9" in capsys.readouterr().err
    assert cli.main([str(good), "--url", "http://127.0.0.1:9"]) == 2
    with pytest.raises(SystemExit, match="2"):
        cli.main([])


def test_the_command_line_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--schema"]) == 0
    assert capsys.readouterr().out == schema_text()


def test_the_example_of_the_docs_holds(tmp_path: Path) -> None:
    short, full = re.findall(r"```json\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "example.json"
    path.write_text(short, encoding="utf-8")
    (told,) = read_file(path).scenarios
    assert [report.problems for report in perform(told, EngineTable)] == [()]
    assert told == msgspec.json.decode(full, type=ROOM25_FILES.scenario)


def test_the_docs_name_every_field() -> None:
    text = DOCS.read_text(encoding="utf-8")
    games = [dialect_of(game) for game in GAMES.values()]
    told = [kind for game in games for kind in (*game.checks, *game.steps)]
    situations = [game.situation for game in games if game.situation is not None]
    kinds: tuple[type[msgspec.Struct], ...] = (*told, Scenario, *situations)
    names = {name for kind in kinds for name in kind.__struct_fields__}
    tags = {str(kind.__struct_config__.tag) for kind in told}
    missing = [name for name in sorted(names | tags) if f"`{name}`" not in text]
    assert missing == []
