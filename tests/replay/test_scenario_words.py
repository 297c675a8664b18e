"""Every word of an expectation is looked up: what is misspelt is an error of the file.

Each misspelling stands beside the same file spelt right, which is read and holds. Most of the
misspelt ones would hold by accident, which is shown, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.registry import GAMES
from replay.scenario.dialect import dialect_of
from replay.scenario.engine import EngineTable
from replay.scenario.files import BadFileError, read_file
from replay.scenario.format import Scenario
from replay.scenario.performance import perform

Json = dict[str, Any]
ROOM25 = dialect_of(GAMES["room25"])

GIVEN: Json = {
    "characters": {
        "emmett": {"seat": 1, "role": "prisoner", "cell": "r1c2"},
        "kevin": {"seat": 2, "role": "prisoner", "cell": "r1c2"},
        "franck": {"seat": 3, "role": "prisoner"},
        "jennifer": {"seat": 4, "role": "guard"},
    },
    "tiles": {
        "r0c2": {"kind": "mortal", "face": "down"},
        "r1c1": {"kind": "vortex", "face": "down"},
    },
}
ROOMS: Json = {"central": 1, "room25": 1, "mortal": 1, "vortex": 1, "empty": 21}
TO_PUSH: list[Json] = [
    {"do": "program", "seat": 1, "tokens": ["push", "look"]},
    {"do": "run_until", "seat": 1, "kind": "push_target"},
]


def _scenario(**more: Any) -> Json:
    return {
        "id": "X-1",
        "title": "Emmett pushes",
        "cites": ["§4.5"],
        "rulebooks": ["first_edition"],
        "mode": "suspicion",
        "seats": 4,
        "given": GIVEN,
        "when": TO_PUSH,
        **more,
    }


def _read(path: Path, scenario: Json) -> Scenario:
    """The scenario of a file.

    Raises:
        BadFileError: the file is refused.
    """
    path.write_bytes(
        msgspec.json.encode({"game": "room25", "about": "for a test", "scenarios": [scenario]})
    )
    (told,) = read_file(path).scenarios
    return told


def _problems(scenario: Scenario) -> tuple[str, ...]:
    return perform(scenario, EngineTable)[0].problems


def _events(**pattern: Any) -> Json:
    return {"check": "events", "exclude": [pattern]}


def _push(**more: Any) -> Json:
    return {"check": "options", "seat": 1, "kind": "push_target", **more}


def _no(seat: int, kind: str, **more: Any) -> Json:
    return {"check": "no_decision", "seat": seat, "kind": kind, **more}


ACCIDENTS: dict[str, tuple[Json, Json, str]] = {
    "type": (
        _events(type="room-revealed"),
        _events(type="room-reveald"),
        "exclude[0].type: no event is of the type 'room-reveald' (did you mean room-revealed",
    ),
    "early type": (
        _events(type="table-closed"),
        _events(type="table-opened"),
        "exclude[0].type: table-opened is before the game",
    ),
    "room": (
        _events(type="room-revealed", kind="mortal"),
        _events(type="room-revealed", kind="mortl"),
        "exclude[0].kind: 'mortl' is no room of its rulebooks (did you mean mortal",
    ),
    "room of another rulebook": (
        _events(type="room-revealed", kind="acid"),
        _events(type="room-revealed", kind="paranoia"),
        "exclude[0].kind: 'paranoia' is no room of its rulebooks (there are central, ",
    ),
    "role": (
        _events(type="role-revealed", role="prisoner"),
        _events(type="role-revealed", role="prisonner"),
        "exclude[0].role: 'prisonner' is no role (did you mean prisoner?)",
    ),
    "character": (
        _events(type="character-moved", character="kevin"),
        _events(type="character-moved", character="kewin"),
        "exclude[0].character: 'kewin' is no character in play (did you mean kevin?)",
    ),
    "character elsewhere": (
        _events(type="character-moved", character="franck"),
        _events(type="character-moved", character="max"),
        "'max' is no character in play (there are emmett, kevin, franck, jennifer)",
    ),
    "action": (
        _events(type="action-lost", token="control"),
        _events(type="action-lost", token="controll"),
        "exclude[0].token: 'controll' is no action (did you mean control?)",
    ),
    "cell": (
        _events(type="character-moved", cell="r1c3"),
        _events(type="character-moved", cell="r1c5"),
        "exclude[0].cell: 'r1c5' is no cell (did you mean r1c",
    ),
    "seat": (
        _events(type="seat-resigned", seat=2),
        _events(type="seat-resigned", seat=5),
        "exclude[0].seat: 5 is no seat of this table: 1 to 4",
    ),
    "cause": (
        _events(type="character-moved", cause="tunnel"),
        _events(type="character-moved", cause="tunel"),
        "exclude[0].cause: 'tunel' is no cause of character-moved (did you mean tunnel?)",
    ),
    "cause of another event": (
        _events(type="tiles-swapped", cause="hack"),
        _events(type="tiles-swapped", cause="push"),
        "exclude[0].cause: 'push' is no cause of tiles-swapped (there are moving, illusion,",
    ),
    "reason": (
        _events(type="table-closed", reason="finished"),
        _events(type="table-closed", reason="finishd"),
        "exclude[0].reason: 'finishd' is no way to close a table (did you mean finished?)",
    ),
    "outcome": (
        _events(type="game-ended", outcome="guards"),
        _events(type="game-ended", outcome="gards"),
        "exclude[0].outcome: 'gards' is no outcome (did you mean guards?)",
    ),
    "wait": (
        _events(type="clock-started", key="t9-program"),
        _events(type="clock-started", key="t9-programme"),
        "exclude[0].key: 't9-programme' is no wait, such as t{turn}-program",
    ),
    "line": (
        _events(type="line-shifted", line="row0"),
        _events(type="line-shifted", line="row2"),
        "exclude[0].line: 'row2' is no movable line (did you mean row4 or row3 or row1?)",
    ),
    "line and direction": (
        _events(type="line-shifted", line="row0", way="left"),
        _events(type="line-shifted", line="row0", way="up"),
        "exclude[0].way: row0 never moves up",
    ),
    "number": (
        _events(type="turn-began", turn=9),
        _events(type="turn-began", turn="9"),
        "exclude[0].turn: Expected `int`, got `str`",
    ),
    "slot": (
        _events(type="action-revealed", slot=3),
        _events(type="action-revealed", slot=4),
        "exclude[0].slot: 4 is no slot: 1 to 3",
    ),
    "null": (
        _events(type="room-locked", moved_from=None),
        _events(type="room-revealed", kind=None),
        "exclude[0].kind: Expected `str`, got `null`",
    ),
    "inside a list": (
        _events(type="programming-opened", limited=["kevin", "emmett"]),
        _events(type="programming-opened", limited=["kevin", "emett"]),
        "exclude[0].limited[1]: 'emett' is no character in play (did you mean emmett",
    ),
    "inside an object": (
        _events(type="programming-closed", actions={"kevin": 0}),
        _events(type="programming-closed", actions={"kewin": 0}),
        "exclude[0].actions.kewin: 'kewin' is no character in play",
    ),
    "inside facts": (
        _events(type="situation-set", tiles={"r0c0": {"axis": "vertical"}}),
        _events(type="situation-set", tiles={"r0c0": {"axis": "vertikal"}}),
        "exclude[0].tiles.r0c0.axis: 'vertikal' is no axis (did you mean vertical?)",
    ),
    "option": (
        _push(exclude=["kevin:r2c3"]),
        _push(exclude=["kewin:r2c3"]),
        "exclude[0]: 'kewin' is no character in play (did you mean kevin?)",
    ),
    "shape of an option": (
        _push(exclude=["kevin:r2c3"]),
        _push(exclude=["kevin-r2c3"]),
        "exclude[0]: 'kevin-r2c3' is no option of push_target, which is one of {character}:{cell}",
    ),
    "special id": (
        _push(exclude=["lose"]),
        _push(exclude=["loose"]),
        "{character}+{character}:{cell}, lose (did you mean lose?)",
    ),
    "one thing twice": (
        _push(exclude=["kevin+emmett:r0c2"]),
        _push(exclude=["kevin+kevin:r0c2"]),
        "exclude[0]: 'kevin+kevin:r0c2' names one thing twice",
    ),
    "seat without a decision": (
        _no(2, "move_target"),
        _no(5, "move_target"),
        "then[0].seat: 5 is no seat of this table: 1 to 4",
    ),
    "seat without any decision": (
        {"check": "no_decision", "seat": 2},
        {"check": "no_decision", "seat": 6},
        "then[0].seat: 6 is no seat of this table: 1 to 4",
    ),
    "kind of decision": (
        _no(1, "move_target"),
        _no(1, "move_targett"),
        "then[0].kind: 'move_targett' is no kind of decision (did you mean move_target",
    ),
    "somebody else's character": (
        _no(1, "move_target", character="emmett"),
        _no(1, "push_target", character="kevin"),
        "then[0].character: kevin is not of seat 1, but of seat 2",
    ),
    "count of no room": (
        {"check": "rooms", "kind": "tunnel", "count": 0},
        {"check": "rooms", "kind": "tunel", "count": 0},
        "then[0].kind: 'tunel' is no room of its rulebooks (did you mean tunnel?)",
    ),
    "count of no role": (
        {"check": "roles", "role": "guard", "count": 0},
        {"check": "roles", "role": "hacker", "count": 0},
        "then[0].role: 'hacker' is no role (there are prisoner, guard)",
    ),
    "beside what holds": (
        {"check": "one_of", "of": [{"check": "running"}, {"check": "end", "outcome": "guards"}]},
        {"check": "one_of", "of": [{"check": "running"}, {"check": "end", "outcome": "guard"}]},
        "then[0].of[1].outcome: 'guard' is no outcome (did you mean guards?)",
    ),
    "deep inside": (
        {"check": "one_of", "of": [{"check": "running"}, _events(type="trap-armed")]},
        {"check": "one_of", "of": [{"check": "running"}, _events(type="trap-armd")]},
        "then[0].of[1].exclude[0].type: no event is of the type 'trap-armd' (did you mean trap-ar",
    ),
}
"""Expectations, misspelt ones that would hold all the same, and what is said of these."""


@pytest.mark.parametrize("name", ACCIDENTS)
def test_a_misspelt_expectation_that_would_hold_is_refused(tmp_path: Path, name: str) -> None:
    right, wrong, told = ACCIDENTS[name]
    path = tmp_path / "file.json"
    assert _problems(_read(path, _scenario(then=[right]))) == ()
    misspelt = msgspec.convert(_scenario(then=[wrong]), ROOM25.scenario)
    assert _problems(misspelt) == (), "it would hold by accident"
    with pytest.raises(BadFileError) as refusal:
        _read(path, _scenario(then=[wrong]))
    line, *others = str(refusal.value).splitlines()
    assert others == []
    assert line.startswith(f"{path}: X-1: then[0]")
    assert told in line


FAILURES: dict[str, tuple[Json, Json, str]] = {
    "included": (
        {"check": "events", "include": [{"type": "action-revealed", "token": "push"}]},
        {"check": "events", "include": [{"type": "action-revealed", "token": "pusch"}]},
        "then[0].include[0].token: 'pusch' is no action (did you mean push?)",
    ),
    "field": (
        _events(type="character-moved", cause="push"),
        _events(type="character-moved", casue="push"),
        "exclude[0].casue: character-moved has no field 'casue' (did you mean cause?)",
    ),
    "list of options": (
        _push(include=["kevin:r0c2"]),
        _push(include=["kevin:r9c2"]),
        "include[0]: 'r9c2' is no cell (did you mean",
    ),
    "default": (_push(default="kevin:r1c3"), _push(default="kevin:r1c6"), "default: 'r1c6' is no"),
    "order": (
        {"check": "game", "order": ["emmett", "kevin", "franck", "jennifer"]},
        {"check": "game", "order": ["emmett", "kevin", "frank", "jennifer"]},
        "then[0].order[2]: 'frank' is no character in play (did you mean franck?)",
    ),
    "marker": (
        {"check": "game", "markers": {}},
        {"check": "game", "markers": {"row0": "up"}},
        "then[0].markers.row0: row0 never moves up",
    ),
    "composition": (
        {"check": "game", "composition": ROOMS},
        {"check": "game", "composition": {"centre": 1}},
        "then[0].composition.centre: 'centre' is no room",
    ),
    "value of an option": (
        {"check": "running"},
        {"check": "game", "options": {"reminders": "yes"}},
        "then[0].options.reminders: 'yes' is no value of the option reminders (there are True, Fa",
    ),
    "team": (
        {"check": "character", "id": "kevin", "team": "all"},
        {"check": "character", "id": "kevin", "team": "every"},
        "then[0].team: 'every' is no team",
    ),
    "tile": (
        {"check": "tile", "at": "r0c2", "viewer": "full", "kind": "mortal"},
        {"check": "tile", "at": "r0c2", "viewer": "full", "kind": "deadly"},
        "then[0].kind: 'deadly' is no room",
    ),
    "viewer": (
        {"check": "tile", "at": "r0c2", "viewer": "seat:4", "kind": None},
        {"check": "tile", "at": "r0c2", "viewer": "seat:5", "kind": None},
        "then[0].viewer: '5' is no seat of this table: 1 to 4",
    ),
}  # fmt: skip
"""The same of expectations that would fail: the file is at fault, not the game."""


@pytest.mark.parametrize("name", FAILURES)
def test_a_misspelt_expectation_that_would_fail_is_refused(tmp_path: Path, name: str) -> None:
    right, wrong, told = FAILURES[name]
    path = tmp_path / "file.json"
    assert _problems(_read(path, _scenario(then=[right]))) == ()
    with pytest.raises(BadFileError) as refusal:
        _read(path, _scenario(then=[wrong]))
    assert told in str(refusal.value)


CHOOSE: Json = {"do": "choose", "seat": 1, "kind": "push_target"}
IN_VAIN: Json = {"refused": "option-not-offered"}
STEPS: dict[str, tuple[Json, Json, str]] = {
    "option": (
        {**CHOOSE, "option": "kevin:r1c3"},
        {**CHOOSE, "option": "kevin:r1c33"},
        "when[2].option: 'r1c33' is no cell (did you mean r1c3",
    ),
    "option in vain": (
        {**CHOOSE, "option": "kevin:r4c4", **IN_VAIN},
        {**CHOOSE, "option": "kewin:r4c4", **IN_VAIN},
        "when[2].option: 'kewin' is part of no option (did you mean kevin",
    ),
    "tokens": (
        {"do": "look"},
        {"do": "program", "seat": 2, "tokens": ["look", "mvoe"]},
        "when[2].tokens: 'mvoe' is no action (did you mean move?)",
    ),
    "tokens in vain": (
        {"do": "program", "seat": 1, "tokens": ["push", "push"], "refused": "decision-not-open"},
        {"do": "program", "seat": 1, "tokens": ["push", "pusch"], "refused": "decision-not-open"},
        "when[2].tokens: 'pusch' is part of no option (did you mean push",
    ),
    "problem": (
        {**CHOOSE, "option": "kevin:r4c4", **IN_VAIN},
        {**CHOOSE, "option": "kevin:r4c4", "refused": "option-not-ofered"},
        "when[2].refused: 'option-not-ofered' is no problem (did you mean option-not-offered",
    ),
    "decision": (
        {"do": "choose", "seat": 2, "kind": "place_reminder", "option": "r0c2",
         "decision": "reminder-s2-1", "refused": "decision-not-open"},
        {"do": "choose", "seat": 2, "kind": "place_reminder", "option": "r0c2",
         "decision": "t3-reminder-s2", "refused": "decision-not-open"},
        "when[2].decision: 't3-reminder-s2' is no id of place_reminder, which is reminder-s{seat}",
    ),
    "seat": (
        {"do": "resign", "seat": 4},
        {"do": "resign", "seat": 5},
        "when[2].seat: 5 is no seat of this table: 1 to 4",
    ),
    "kind": (
        {"do": "run_until", "seat": 1, "kind": "push_target"},
        {"do": "run_until", "seat": 1, "kind": "pushtarget"},
        "when[2].kind: 'pushtarget' is no kind of decision (did you mean push_target",
    ),
    "checks of a step": (
        {"do": "look", "then": [_events(type="room-sealed")]},
        {"do": "look", "then": [_events(type="room-seald")]},
        "when[2].then[0].exclude[0].type: no event is of the type 'room-seald'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_a_misspelt_step_is_refused(tmp_path: Path, name: str) -> None:
    right, wrong, told = STEPS[name]
    path = tmp_path / "file.json"
    if name == "tokens in vain":
        right = {**right, "refused": "option-not-offered"}
        good = _scenario(when=[right])
    elif name == "decision":
        good = _scenario(when=[right])
    else:
        good = _scenario(when=[*TO_PUSH, right])
    assert _problems(_read(path, good)) == ()
    with pytest.raises(BadFileError) as refusal:
        _read(path, _scenario(when=[*TO_PUSH, wrong]))
    assert told in str(refusal.value)


def test_what_must_be_refused_is_looked_up_and_what_is_seldom_true(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    plain: Json = {"given": None, "when": [], "seeds": 1}
    _read(path, _scenario(**plain, seats=3, refused="bad-seat-count"))
    with pytest.raises(BadFileError, match=r"refused: 'bad-seats' is no problem"):
        _read(path, _scenario(**plain, seats=3, refused="bad-seats"))
    with pytest.raises(BadFileError, match=r"sometimes\[0\]\.kind: 'moving chamber' is no room"):
        _read(path, _scenario(**plain, sometimes=[{"check": "rooms", "kind": "moving chamber"}]))


def test_all_that_is_misspelt_is_told_at_once(tmp_path: Path) -> None:
    wrong = [ACCIDENTS[name][1] for name in ("room", "role", "seat")]
    with pytest.raises(BadFileError) as refusal:
        _read(tmp_path / "file.json", _scenario(then=wrong))
    places = [line.split(": ")[2] for line in str(refusal.value).splitlines()]
    assert places == [
        "then[0].exclude[0].kind",
        "then[1].exclude[0].role",
        "then[2].exclude[0].seat",
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"tehn": []}, "unknown field `tehn` - at `$.scenarios[0]` (did you mean then"),
        ({"then": [{"check": "gaem"}]}, "'gaem' - at `$.scenarios[0].then[0].check` (did you mean"),
        ({"then": [{"check": "game", "phase": "round1"}]}, "(did you mean round_1 or round"),
    ],
    ids=["field", "check", "phase"],
)
def test_what_the_format_does_not_have_is_told_with_what_may_be_meant(
    tmp_path: Path, wrong: Json, told: str
) -> None:
    with pytest.raises(BadFileError) as refusal:
        _read(tmp_path / "file.json", _scenario(**wrong))
    assert told in str(refusal.value)


def test_words_are_those_of_the_scenarios_rulebooks(tmp_path: Path) -> None:
    seldom = _events(type="character-moved", character="sarah", cause="summon")
    path = tmp_path / "file.json"
    plain: Json = {"given": None, "when": []}
    _read(path, _scenario(**plain, rulebooks=["ultimate"], then=[seldom]))
    _read(path, _scenario(**plain, rulebooks=["first_edition", "bga"], then=[seldom]))
    with pytest.raises(BadFileError, match="'sarah' is no character in play"):
        _read(path, _scenario(**plain, then=[seldom]))


# --- what an event does not write ---


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ({"type": "action-revealed", "drawn": False}, "include"),
        ({"type": "action-revealed", "drawn": True}, "exclude"),
        ({"type": "game-ended", "score": None}, "exclude"),
        ({"type": "programming-closed", "adrenaline": []}, "include"),
        ({"type": "situation-set", "markers": {}, "locks": None}, "include"),
        ({"type": "room-peeked", "kind": "mortal"}, "exclude"),
    ],
    ids=["false", "true", "has not been", "empty", "several", "secret"],
)
def test_a_field_that_has_its_default_is_found_though_no_event_writes_it(
    pattern: Json, found: str
) -> None:
    for name in ("include", "exclude"):
        check = {"check": "events", name: [pattern]}
        told = msgspec.convert(_scenario(then=[check]), ROOM25.scenario)
        assert (_problems(told) == ()) == (name == found), check


def test_defaults_inside_a_value_are_found_too() -> None:
    facts = {"cell": "r1c2", "hidden": False, "acted": 0}
    others = {name: {"cell": "r2c2"} for name in ("franck", "jennifer")}
    figures = {"emmett": facts, "kevin": {"cell": "r1c2"}, **others}
    told = {"check": "events", "include": [{"type": "situation-set", "figures": figures}]}
    assert _problems(msgspec.convert(_scenario(then=[told]), ROOM25.scenario)) == ()
    figures["emmett"] = {**facts, "acted": 1}
    assert _problems(msgspec.convert(_scenario(then=[told]), ROOM25.scenario)) != ()
