"""What a file says in short is put in full before it is read, and what cannot be read is named."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest

from games.registry import GAMES
from replay.scenario.dialect import dialect_of
from replay.scenario.files import BadFileError, read_file
from replay.scenario.format import Scenario
from replay.scenario.http import RemoteService
from replay.scenario.shorthand import in_full
from tests.games.toy_package import TOY_GAME
from tests.scenario_files import whole_form

Json = dict[str, Any]

ROOM25 = dialect_of(GAMES["room25"])
SHORT: Json = {"id": "X-1", "title": "Emmett pushes", "cites": ["§4.5"]}
BASED: Json = {"given": {"base": "four-suspects", "characters": "emmett r1c2; kevin r1c2"}}
RULEBOOKS: Json = {"rulebooks": ["first_edition"]}
LONG: Json = {
    **SHORT,
    **RULEBOOKS,
    "mode": "suspicion",
    "seats": 4,
    "given": {
        "characters": {
            "emmett": {"seat": 1, "cell": "r1c2", "role": "prisoner"},
            "kevin": {"seat": 2, "cell": "r1c2", "role": "prisoner"},
            "franck": {"seat": 3, "role": "prisoner"},
            "jennifer": {"seat": 4, "role": "guard"},
        }
    },
}


@cache
def by_schema() -> jsonschema.Draft202012Validator:
    """Judges by the schema, made once."""
    return jsonschema.Draft202012Validator(whole_form())


def whole(**more: Any) -> Json:
    """A file of one scenario in short."""
    return {"game": "room25", "about": "", **RULEBOOKS, "scenarios": [{**SHORT, **BASED, **more}]}


def told(**more: Any) -> Scenario:
    """The scenario of it."""
    return msgspec.convert(in_full(whole(**more), ROOM25), ROOM25.file).scenarios[0]


def refusal(path: Path, **more: Any) -> str:
    """What is said of it when it is refused."""
    path.write_bytes(msgspec.json.encode(whole(**more)))
    with pytest.raises(BadFileError) as refused:
        read_file(path)
    return str(refused.value).removeprefix(f"{path}: X-1: ")


def test_a_scenario_in_short_is_the_one_in_full() -> None:
    assert told() == msgspec.convert(LONG, ROOM25.scenario)


def test_the_file_a_base_and_the_scenario_are_heard_in_this_order() -> None:
    assert told(rulebooks=["bga"]).rulebooks == ("bga",)
    assert told(mode="team", seats=3).mode == "team"
    assert told(mode="team", seats=3).seats == 3


LINES: dict[str, tuple[str | Json, Json]] = {
    "choose": (
        "choose 1 push_target kevin:r1c3",
        {"do": "choose", "seat": 1, "kind": "push_target", "option": "kevin:r1c3"},
    ),
    "program": (
        "program 1 [look,push] refused=option-not-offered",
        {"do": "program", "seat": 1, "tokens": ["look", "push"], "refused": "option-not-offered"},
    ),
    "no tokens": ("program 1 []", {"do": "program", "seat": 1, "tokens": []}),
    "until": (
        "run_until turn=4 phase=programming by=time_out",
        {"do": "run_until", "turn": 4, "phase": "programming", "by": "time_out"},
    ),
    "look": ("look", {"do": "look"}),
    "with checks": (
        {"do": "resign 2", "then": ["running", {"check": "running"}]},
        {"do": "resign", "seat": 2, "then": [{"check": "running"}, {"check": "running"}]},
    ),
    "a number that is text": (
        "choose 1 push_target '12'",
        {"do": "choose", "seat": 1, "kind": "push_target", "option": "12"},
    ),
}
"""Steps as a line, and in full."""


@pytest.mark.parametrize("name", LINES)
def test_a_step_may_be_a_line(name: str) -> None:
    short, full = LINES[name]
    assert told(when=[short]).when == told(when=[full]).when
    assert len(told(when=[short]).when) == 1


CHECKS: dict[str, tuple[str | Json, Json]] = {
    "tile": (
        "tile r0c2 viewer=seat:1 kind=null up=false reminders=[1,2]",
        {"check": "tile", "at": "r0c2", "viewer": "seat:1", "kind": None, "up": False,
         "reminders": [1, 2]},
    ),
    "object": (
        "game markers={row0:left,col1:up} dead=[] composition={} locks=-1",
        {"check": "game", "markers": {"row0": "left", "col1": "up"}, "dead": [],
         "composition": {}, "locks": -1},
    ),
    "nested": (
        "game undealt=[[a,b],{c:[d]}]",
        {"check": "game", "undealt": [["a", "b"], {"c": ["d"]}]},
    ),
    "events": (
        "events viewer=full since=step + room-peeked seat=1 - room-revealed + turn-began turn=4",
        {"check": "events", "viewer": "full", "since": "step",
         "include": [{"type": "room-peeked", "seat": 1}, {"type": "turn-began", "turn": 4}],
         "exclude": [{"type": "room-revealed"}]},
    ),
    "events in a list": (
        {"check": "events", "include": ["room-peeked seat=1", {"type": "room-revealed"}]},
        {"check": "events",
         "include": [{"type": "room-peeked", "seat": 1}, {"type": "room-revealed"}]},
    ),
    "one of": (
        {"check": "one_of", "of": ["running", "end outcome=guards winners=[4]"]},
        {"check": "one_of",
         "of": [{"check": "running"}, {"check": "end", "outcome": "guards", "winners": [4]}]},
    ),
    "text that means more elsewhere": (
        "options 1 program are=['null','true','7',look]",
        {"check": "options", "seat": 1, "kind": "program", "are": ["null", "true", "7", "look"]},
    ),
    "empty text": (
        "options 1 program default=",
        {"check": "options", "seat": 1, "kind": "program", "default": ""},
    ),
}  # fmt: skip
"""Checks as a line, and in full."""


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_may_be_a_line(name: str) -> None:
    short, full = CHECKS[name]
    (scenario,) = in_full(whole(then=[short]), ROOM25)["scenarios"]
    assert scenario["then"] == [full]
    (scenario,) = in_full(whole(sometimes=[short]), ROOM25)["scenarios"]
    assert scenario["sometimes"] == [full]


def test_steps_and_checks_of_another_game_are_lines_by_its_own_form() -> None:
    file = {"scenarios": [{"when": ["write 1 '2'"], "then": ["points 1 points=2", "points 1 0"]}]}
    (scenario,) = in_full(file, dialect_of(TOY_GAME))["scenarios"]
    assert scenario["when"] == [{"do": "write", "seat": 1, "number": "2"}]
    assert scenario["then"] == [{"check": "points", "seat": 1, "points": n} for n in (2, 0)]


MISREAD: dict[str, tuple[Json, str]] = {
    "base": (
        {"given": {"base": "four-suspect"}},
        "given.base: 'four-suspect' is no base (did you mean four-suspects or six-su",
    ),
    "nothing like a base": (
        {"given": {"base": "x"}},
        "given.base: 'x' is no base (there are four-suspects, six-suspects, four-allies, one-alone",
    ),
    "cell": (
        {"given": {"base": "four-suspects", "tiles": "r1c5=acid"}},
        "given.tiles: 'r1c5' is no cell (did you mean r1c4 or r1c3 or r1c2?)",
    ),
    "tile": (
        {"given": {"base": "four-suspects", "tiles": "r1c2=acide"}},
        "given.tiles.r1c2: 'acide' is no room (did you mean acid?)",
    ),
    "cell twice": (
        {"given": {"base": "four-suspects", "tiles": "r1c2=acid r1c3=trap r1c2=vortex"}},
        "given.tiles: r1c2 is given twice",
    ),
    "no tile": (
        {"given": {"base": "four-suspects", "tiles": "r1c2"}},
        "given.tiles: 'r1c2' is no tile, such as r1c2=acid",
    ),
    "mark": (
        {"given": {"base": "four-suspects", "tiles": "r1c2=acid:dwon"}},
        "given.tiles.r1c2: 'dwon' is no mark of a tile (did you mean down",
    ),
    "mark twice": (
        {"given": {"base": "four-suspects", "tiles": "r1c2=pivoting:vertical:horizontal"}},
        "given.tiles.r1c2: axis is given twice",
    ),
    "character": (
        {"given": {"base": "four-suspects", "characters": "kewin r1c2"}},
        "given.characters: 'kewin' is no character (did you mean kevin?)",
    ),
    "no character": (
        {"given": {"base": "four-suspects", "characters": "kevin; ; emmett"}},
        "given.characters: '' is no character (there are emmett, kevin, franck, jennifer, max",
    ),
    "character twice": (
        {"given": {"base": "four-suspects", "characters": "kevin; emmett; kevin dead"}},
        "given.characters: kevin is given twice",
    ),
    "a stranger": (
        {"given": {"base": "four-suspects", "characters": "max r1c2"}},
        "given.characters: max is not in the base: name all of its 4 characters by seat",
    ),
    "where": (
        {"given": {"base": "four-suspects", "characters": "kevin r1c7"}},
        "given.characters.kevin: 'r1c7' is no cell",
    ),
    "fact": (
        {"given": {"base": "four-suspects", "characters": "kevin daed"}},
        "given.characters.kevin: 'daed' is no fact (did you mean dead or",
    ),
    "fact with a value": (
        {"given": {"base": "four-suspects", "characters": "kevin lots=look"}},
        "given.characters.kevin: 'lots' is no fact with a value (did you mean lost",
    ),
    "fact twice": (
        {"given": {"base": "four-suspects", "characters": "kevin r1c2 r1c3"}},
        "given.characters.kevin: cell is given twice",
    ),
    "number": (
        {"given": {"base": "four-suspects", "characters": "kevin acted=two"}},
        "given.characters.kevin: 'two' is no number of acted",
    ),
    "type": (
        {"given": {"base": "four-suspects", "characters": ["kevin"]}},
        "given: Expected `str`, got `array` - at `$.characters`",
    ),
    "fact without a name": (
        {"when": ["resign 1 2"]},
        "when[0]: '2' is no fact, such as name=value",
    ),
    "step fact twice": ({"when": ["resign 1 seat=2"]}, "when[0]: seat is given twice"),
    "beside the line": (
        {"when": [{"do": "resign 1", "seat": 2}]},
        "when[0]: seat is given twice",
    ),
    "its own tag": ({"when": ["resign 1 do=look"]}, "when[0]: do is given twice"),
    "value": (
        {"then": ["running", "game order=[emmett,kevin"]},
        "then[1]: '[emmett,kevin' is no value: '[emmett,kevin' cannot be read",
    ),
    "more than a value": (
        {"then": ["game order=[emmett]x"]},
        "then[0]: '[emmett]x' is no value: 'x' cannot be read",
    ),
    "key": ({"then": ["game markers={row0}"]}, "then[0]: '{row0}' is no value"),
    "nothing in a list": ({"then": ["game order=[a,,b]"]}, "then[0]: '[a,,b]' is no value"),
    "quote": ({"then": ["tile r0c2 kind='a"]}, 'then[0]: "\'a" is no value'),
    "event": ({"then": ["events +"]}, "then[0]: an event has no type"),
    "event in a list": (
        {"then": [{"check": "events", "exclude": [""]}]},
        "then[0].exclude[0]: an event has no type",
    ),
    "deep inside": (
        {"when": [{"do": "look", "then": [{"check": "one_of", "of": ["running", "running x"]}]}]},
        "when[0].then[0].of[1]: 'x' is no fact, such as name=value",
    ),
}
"""What cannot be read, and what is said of it."""


@pytest.mark.parametrize("name", MISREAD)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    wrong, said = MISREAD[name]
    assert refusal(tmp_path / "file.json", **wrong).startswith(said)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"when": ["dance 1"]}, "Invalid value 'dance' - at `$.scenarios[0].when[0].do`"),
        ({"then": ["gaem turn=3"]}, "'gaem' - at `$.scenarios[0].then[0].check` (did you mean gam"),
        ({"when": [""]}, "Invalid value '' - at `$.scenarios[0].when[0].do`"),
        ({"when": ["choose 1"]}, "missing required field `kind` - at `$.scenarios[0].when[0]`"),
        ({"when": ["resign one"]}, "Expected `int`, got `str` - at `$.scenarios[0].when[0].seat`"),
        ({"given": {"base": "one-alone", "wether": 1}}, "unknown field `wether`"),
        ({"then": 5}, "Expected `array`, got `int` - at `$.scenarios[0].then`"),
        ({"then": [5]}, "Expected `object`, got `int` - at `$.scenarios[0].then[0]`"),
        ({"when": [5]}, "Expected `object`, got `int` - at `$.scenarios[0].when[0]`"),
        ({"given": 5}, "Expected `object | null`, got `int` - at `$.scenarios[0].given`"),
    ],
    ids=str,
)
def test_what_is_put_in_full_keeps_to_the_form(tmp_path: Path, wrong: Json, said: str) -> None:
    assert said in refusal(tmp_path / "file.json", **wrong)


def test_a_word_in_a_line_is_looked_up_like_any(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    said = refusal(path, then=["events - character-moved cause=tunel"])
    assert said.startswith("then[0].exclude[0].cause: 'tunel' is no cause of character-moved")
    said = refusal(path, when=["choose 1 push_target kewin:r1c3"])
    assert said.startswith("when[0].option: 'kewin' is no character in play (did you mean kevin?)")


@pytest.mark.parametrize(
    ("scenarios", "said"),
    [
        ({}, "Expected `array`, got `object` - at `$.scenarios`"),
        ([5], "Expected `object`, got `int` - at `$.scenarios[0]`"),
    ],
    ids=str,
)
def test_what_has_not_the_form_of_a_file_is_refused_by_the_form(
    tmp_path: Path, scenarios: object, said: str
) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(msgspec.json.encode({**whole(), "scenarios": scenarios}))
    with pytest.raises(BadFileError) as refused:
        read_file(path)
    assert said in str(refused.value)


@pytest.mark.parametrize("missing", ["rulebooks", "mode", "seats"])
def test_what_neither_the_file_nor_a_base_says_is_missed(missing: str) -> None:
    file = whole(**{name: LONG[name] for name in ("mode", "seats", "given", "rulebooks")})
    validator = by_schema()
    del file["rulebooks"]
    assert validator.is_valid(file)
    assert msgspec.convert(in_full(file, ROOM25), ROOM25.file).rulebooks == ()
    del file["scenarios"][0][missing]
    assert not validator.is_valid(file)
    with pytest.raises(msgspec.ValidationError, match=f"required field `{missing}`"):
        msgspec.convert(in_full(file, ROOM25), ROOM25.file)


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        ({}, True),
        ({"when": ["resign 1", {"do": "resign 1", "then": ["running"]}]}, True),
        ({"then": ["events + room-peeked", {"check": "events", "include": ["turn-began"]}]}, True),
        ({"given": {"base": "four-suspects", "tiles": "r1c2=acid", "turn": 9}}, True),
        ({"given": {"base": "four-suspects", "tiles": {"r1c2": "acid"}}}, True),
        ({"given": {"base": "nobody"}}, False),
        ({"given": {"base": "four-suspects", "foo": 1}}, False),
        ({"given": {"base": "four-suspects", "turn": 0}}, False),
        ({"when": [""]}, False),
        ({"when": [{"do": "resign  1"}]}, False),
        ({"when": [{"do": "resign 1", "then": [5]}]}, False),
    ],
    ids=str,
)
def test_the_schema_knows_what_may_be_said_in_short(change: Json, *, valid: bool) -> None:
    assert by_schema().is_valid(whole(**change)) == valid


def sent(scenario: Scenario) -> Json:
    """What opens its table over HTTP."""
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.content)
        return httpx.Response(201, json={"game": "g", "token": {"token": "t"}})

    transport = httpx.MockTransport(answer)
    with RemoteService(
        "http://test", httpx.Client(transport=transport, base_url="http://test")
    ) as server:
        server.table().open(scenario, scenario.rulebooks[0], 0)
    found: list[Json] = [body for body in map(msgspec.json.decode, bodies) if "rulebook" in body]
    (opened,) = found
    return opened


def test_over_http_the_position_is_sent_in_full() -> None:
    opened = sent(told())
    assert opened == sent(msgspec.convert(LONG, ROOM25.scenario))
    assert opened["scenario"] == LONG["given"]
    assert (opened["mode"], opened["seats"]) == ("suspicion", 4)
