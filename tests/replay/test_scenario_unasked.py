"""A step that waits in vain is told which decision was settled without it, by whom and where."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.registry import GAMES
from replay.scenario.dialect import dialect_of
from replay.scenario.engine import EngineTable
from replay.scenario.performance import perform

Json = dict[str, Any]
ROOM25 = dialect_of(GAMES["room25"])

GIVEN: Json = {
    "characters": {
        "emmett": {"seat": 1, "role": "prisoner", "cell": "r0c0"},
        "kevin": {"seat": 2, "role": "prisoner", "cell": "r4c0"},
        "franck": {"seat": 3, "role": "prisoner"},
        "jennifer": {"seat": 4, "role": "guard"},
    },
    "tiles": {"r0c1": {"kind": "flooded", "seal": True}, "r3c0": {"kind": "flooded", "seal": True}},
}
"""Emmett's only way is r1c0, Kevin's r4c1; nobody has a face-down room to look at."""

OPEN: Json = {**GIVEN, "tiles": {}}
"""The same with a second way for each."""

PROGRAM: Json = {"do": "program", "seat": 1, "tokens": ["move", "look"]}
MOVE: Json = {"do": "choose", "seat": 1, "kind": "move_target", "option": "r1c0"}
LOOK: Json = {"do": "choose", "seat": 1, "kind": "look_target", "option": "r1c0"}
WITHOUT_ASKING = "which was settled without asking in"


def problems(*when: Json, **more: Any) -> tuple[str, ...]:
    """What is wrong with these steps."""
    plain: Json = {
        "id": "X-1",
        "title": "Emmett has one way",
        "cites": ["§4.5"],
        "rulebooks": ["first_edition"],
        "mode": "suspicion",
        "seats": 4,
        "given": GIVEN,
        "when": when,
    }
    return perform(msgspec.convert(plain | more, ROOM25.scenario), EngineTable)[0].problems


def test_a_forced_choice_is_named() -> None:
    (problem,) = problems(PROGRAM, MOVE)
    assert problem == (
        "step 2 (Choose): the game ended before that; move_target (t3-1-move-target; seat 1, "
        "emmett) had one option, r1c0, which was settled without asking in step 2 (Choose)"
    )


def test_the_same_step_is_done_where_there_is_a_choice() -> None:
    assert problems(PROGRAM, MOVE, given=OPEN) == ()


def test_the_step_is_told_in_which_it_was_settled() -> None:
    others = [{"do": "program", "seat": seat, "tokens": ["look"]} for seat in (2, 3)]
    last = {"do": "program", "seat": 4, "tokens": ["look"]}
    (problem,) = problems(PROGRAM, *others, last, MOVE)
    assert f"r1c0, {WITHOUT_ASKING} step 4 (Program)" in problem


def test_it_is_named_however_many_steps_ago_it_was() -> None:
    wait = [{"do": "run_until", "turn": turn} for turn in (4, 5)]
    (problem,) = problems(PROGRAM, *wait, {"do": "look"}, MOVE)
    assert f"r1c0, {WITHOUT_ASKING} step 2 (RunUntil)" in problem


def test_what_came_before_the_latest_scripted_one_is_not_named() -> None:
    first = {"do": "choose", "seat": 1, "kind": "move_target", "option": "r1c0"}
    again = {**PROGRAM, "tokens": ["look", "push"]}
    (problem,) = problems(PROGRAM, first, again, MOVE, given=OPEN)
    assert problem == "step 4 (Choose): the game ended before that"


def test_a_default_taken_by_time_is_named() -> None:
    late = {"do": "run_until", "end": True, "by": "time_out"}
    (problem,) = problems(late, PROGRAM)
    assert "its default look was taken for program (t3-program-emmett; seat 1, emm" in problem
    slow = {"do": "time_out", "seat": 1, "kind": "program"}
    (problem,) = problems(slow, {"do": "run_until", "end": True}, PROGRAM)
    assert "its default look was taken for program (t3-program-emmett; seat 1, emm" in problem
    assert "in step 1 (TimeOut)" in problem


def test_an_action_without_any_aim_is_named() -> None:
    (problem,) = problems(PROGRAM, {**LOOK, "option": "r1c0"})
    told = "look_target (t3-8-look-target; seat 1, emmett) had no option and was settled without"
    assert told in problem
    assert "step 2 (Choose)" in problem


def test_what_is_settled_before_the_first_step_is_named() -> None:
    later = {"program": ["move"], "delayed": True}
    figures = {name: {**c, **later} for name, c in GIVEN["characters"].items()}
    (problem,) = problems(MOVE, given={**GIVEN, "characters": figures, "phase": "round_2"})
    assert f"r1c0, {WITHOUT_ASKING} the beginning" in problem


def test_a_default_that_nobody_scripted_is_named() -> None:
    to_the_end = {"do": "run_until", "end": True}
    programmed = {"do": "program", "seat": 3, "tokens": ["move"]}
    delay = {"do": "choose", "seat": 3, "kind": "delay_single", "option": "delay"}
    (problem,) = problems(programmed, to_the_end, delay)
    assert problem.startswith("step 3 (Choose): the game ended before that; its default play_now ")
    assert "was taken for delay_single (t3-5-delay-single; seat 3, franck) in step 2 (" in problem


@pytest.mark.parametrize(
    "step",
    [
        {"do": "run_until", "seat": 1, "kind": "move_target"},
        {"do": "run_until", "seat": 1, "kind": "move_target", "end": True},
        {"do": "time_out", "seat": 1, "kind": "move_target"},
        {**MOVE, "character": "emmett"},
        {**MOVE, "refused": "option-not-offered"},
    ],
    ids=["run_until", "end", "time_out", "character", "refused"],
)
def test_every_step_that_waits_for_a_decision_names_it(step: Json) -> None:
    first = {"do": "run_until", "turn": 4} if "refused" in step else PROGRAM
    when = [PROGRAM, first, step] if "refused" in step else [PROGRAM, step]
    (problem,) = problems(*when)
    assert f"had one option, r1c0, {WITHOUT_ASKING} step 2" in problem


def test_a_check_that_wants_a_decision_open_names_it() -> None:
    wanted = {"check": "options", "seat": 1, "kind": "move_target", "are": ["r1c0"]}
    late = {"do": "run_until", "turn": 4, "then": [wanted]}
    (problem,) = problems(PROGRAM, late)
    assert "no such decision is open" in problem
    assert f"r1c0, {WITHOUT_ASKING} step 2 (RunUntil)" in problem
    wrong = {"check": "options", "seat": 1, "kind": "move_target", "are": ["r0c1"]}
    here = {"do": "run_until", "seat": 1, "kind": "move_target", "then": [wrong]}
    (problem,) = problems(PROGRAM, here, given=OPEN)
    assert WITHOUT_ASKING not in problem


def test_other_decisions_are_not_named() -> None:
    """Neither those of others, nor of other kinds, nor of another character of the seat."""
    kevins = {"do": "program", "seat": 2, "tokens": ["move"]}
    (problem,) = problems(kevins, MOVE)
    assert problem == "step 2 (Choose): the game ended before that"
    (problem,) = problems(PROGRAM, {**MOVE, "kind": "push_target", "option": "kevin:r1c0"})
    assert problem == "step 2 (Choose): the game ended before that"
    (problem,) = problems(PROGRAM, {**MOVE, "character": "kevin"})
    assert problem == "step 2 (Choose): the game ended before that"


def test_many_of_them_are_counted() -> None:
    (problem,) = problems(PROGRAM, LOOK)
    assert problem.count("look_target (") == 3
    assert problem.endswith("; and 5 more like it")
