"""A scenario file is read, looked up, played and judged by what its own game brings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from games.game_registry import GameRegistry
from games.registry import GAMES
from replay.scenario.dialect import dialect_of
from replay.scenario.engine import EngineTable
from replay.scenario.files import BadFileError, read_file, read_scenarios
from replay.scenario.performance import perform
from replay.scenario.readings import literals, readings, terms_of
from replay.scenario.schema import schema
from replay.scenario.spelling import misspellings
from tests.games.toy import TOY
from tests.games.toy_package import TOY_FILE, TOY_GAME

Json = dict[str, Any]

ROOM25_FILE = Path(__file__).parents[1] / "scenarios" / "knowledge.json"
OTHERS = {name: game for name, game in GAMES.items() if name != TOY.id}
BOTH = {**OTHERS, TOY.id: TOY_GAME}
TABLE = GameRegistry(BOTH).table
PLAIN: Json = msgspec.json.decode(TOY_FILE.read_bytes())


def picking(option: str, *refused: str) -> Json:
    """A step: seat 1 picks."""
    step = {"do": "choose", "seat": 1, "kind": "pick", "option": option}
    return {**step, "refused": refused[0]} if refused else step


def problems(**more: Any) -> tuple[str, ...]:
    """What is wrong with the toy's scenario, changed."""
    told = msgspec.convert(PLAIN["scenarios"][0] | more, dialect_of(TOY_GAME).scenario)
    (report,) = perform(told, lambda: EngineTable(TABLE))
    return report.problems


def test_files_of_several_games_are_played_at_tables_of_their_own() -> None:
    read = read_scenarios([TOY_FILE, ROOM25_FILE], BOTH)
    assert {told.game.rules.id for _, told in read} == {TOY.id, "room25"}
    for _, told in read:
        for report in perform(told, lambda: EngineTable(TABLE)):
            assert report.problems == ()


def test_a_game_that_is_not_handed_in_is_not_known() -> None:
    known = ", ".join(OTHERS)
    with pytest.raises(BadFileError, match=f"'toy' is no game; the games are: {known}"):
        read_file(TOY_FILE, OTHERS)


def test_a_false_claim_about_the_toy_is_found() -> None:
    two = {"check": "points", "seat": 1, "points": 2}
    (problem,) = problems(then=[two])
    assert "at the end: " in problem
    assert "points is 0" in problem
    (problem,) = problems(
        when=[{"do": "run_until", "turn": 1, "phase": "die_throwing"}], then=[two]
    )
    assert problem.startswith("try 0, at the end: ")


def test_a_false_claim_about_what_is_below_a_branch_is_found() -> None:
    def claimed(below: str, **claim: Any) -> str:
        check = {"check": "options", "seat": 1, "kind": "pick", "below": below, **claim}
        steps = [
            *({"do": "write", "seat": seat, "number": "2"} for seat in (1, 2)),
            {"do": "run_until", "seat": 1, "kind": "pick", "then": [check]},
        ]
        (problem,) = problems(when=steps, then=[], sometimes=[])
        return problem

    assert "there are 2: favour.s1.once favour.s1.twice" in claimed("favour.s1", count=3)
    assert "nothing is below favour.s1-s1: option-not-found" in claimed("favour.s1-s1")
    assert "nothing is below single: option-is-a-leaf" in claimed("single")


def test_an_id_may_go_on_with_words_of_one_term() -> None:
    joined: frozenset[str] = frozenset()
    path = readings("{piece}.{cell.}.attack-{piece}", "z1.r1.r2.attack-h1", joined)
    assert path == [("piece", "z1"), ("cell", "r1"), ("cell", "r2"), ("piece", "h1")]
    assert readings("{cell.}.end", "end", joined) is None
    assert readings("{held-}", "k1-k2", joined) == [("held", "k1"), ("held", "k2")]
    assert set(literals([["{cell.}.attack-{piece}"]])) == {"attack"}
    assert terms_of([["{cell.}", "{held-}", "{cell}"]]) == {"cell", "held"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"then": [{"check": "points", "seat": 1, "points": -1}]}, "-1 is no number: 0 and more"),
        ({"when": [{"do": "write", "seat": 1, "number": "7"}]}, "when[0].number: '7' is no number"),
        ({"when": [{"do": "write", "seat": 3, "number": "1"}]}, "when[0].seat: 3 is no seat"),
        ({"when": [picking("favour.s1-s3.once")]}, "when[0].option: 's3' is no party"),
        ({"when": [picking("favour.s1-s1.once")]}, "'favour.s1-s1.once' names one thing twice"),
        ({"when": [picking("favour.s1.thrice")]}, "'favour.s1.thrice' is no option of pick"),
        ({"when": [picking("favour.s3", "option-not-offered")]}, "'s3' is part of no option"),
        (
            {"then": [{"check": "options", "seat": 1, "kind": "pick", "below": "favor"}]},
            "then[0].below: 'favor' is no option of pick",
        ),
        (
            {"then": [{"check": "events", "exclude": [{"type": "die-rolled", "die": "4"}]}]},
            "then[0].exclude[0].die: '4' is no number of the die",
        ),
        (
            {"then": [{"check": "events", "exclude": [{"type": "room-revealed"}]}]},
            "no event is of the type 'room-revealed'",
        ),
    ],
    ids=[
        *("fact", "step", "seat", "member", "member twice", "path", "refused path", "branch"),
        *("event", "event of another game"),
    ],
)
def test_the_words_of_a_file_are_those_of_its_game(wrong: Json, told: str) -> None:
    read = msgspec.convert(PLAIN["scenarios"][0] | wrong, dialect_of(TOY_GAME).scenario)
    assert told in "\n".join(map(str, misspellings(read)))


@pytest.mark.parametrize(
    "change",
    [
        {"then": [{"check": "tile", "at": "r0c0"}]},
        {"when": [{"do": "program", "seat": 1, "tokens": ["look"]}]},
        {"when": [{"do": "run_until", "phase": "countdown"}]},
        {"given": {"characters": {}}},
    ],
    ids=["check", "step", "phase", "situation"],
)
def test_what_another_game_brings_fits_no_file_of_the_toy(tmp_path: Path, change: Json) -> None:
    path = tmp_path / "strange.json"
    strange = {**PLAIN, "scenarios": [PLAIN["scenarios"][0] | change]}
    path.write_bytes(msgspec.json.encode(strange))
    with pytest.raises(BadFileError):
        read_file(path, BOTH)
    validator = jsonschema.Draft202012Validator(schema(BOTH))
    assert validator.is_valid(PLAIN)
    assert not validator.is_valid(strange)


def test_one_schema_holds_the_files_of_all_games() -> None:
    made = schema(BOTH)
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    for path in (TOY_FILE, ROOM25_FILE):
        assert validator.is_valid(msgspec.json.decode(path.read_bytes())), path
    assert schema(dict(GAMES)) == schema()
