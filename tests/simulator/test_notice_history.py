"""The judge of what players are told of their games finds each kind of flaw, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from simulator.faults.received import take_notice
from simulator.notice_history import (
    ANOTHERS,
    DISAGREES,
    LEFT_OUT,
    NOTICE_CHECKS,
    TOLD_TWICE,
    UNFOUNDED,
    OwnListening,
    judge_notices,
)

GAME, ADA, BEN, CLEO = "g00-a", "ada", "ben", "cleo"
EVENTS: list[dict[str, Any]] = [
    {"type": "table-opened", "host": ADA},
    {"type": "seat-taken", "seat": 1, "player": ADA},
    {"type": "seat-taken", "seat": 2, "player": BEN},
    {"type": "table-started"},
    {"type": "clock-started", "key": "one"},
    {"type": "chosen", "seat": 1},
    {"type": "clock-started", "key": "two"},
    {"type": "table-closed", "reason": "finished"},
]
LOGS = {GAME: [msgspec.json.encode({"event": event}) for event in EVENTS]}


def notice(what: str, version: int, **more: object) -> dict[str, Any]:
    return {"what": what, "game": GAME, "version": version, **more}


def call(decision: str, seat: int = 1) -> dict[str, Any]:
    return {"decision": decision, "kind": "go", "seat": seat}


def sat(seat: int, player: str) -> dict[str, Any]:
    return {"seat": seat, "player": player}


def run() -> list[OwnListening]:
    """Ada over two connections, of which the second begins later; and Ben, who was invited."""
    ada = [
        notice("seat-taken", 3, seat=sat(2, BEN)),
        notice("game-started", 5),
        notice("decision-opened", 5, call=call("one")),
        notice("deadline-near", 5, call=call("one")),
        notice("decision-closed", 7, call=call("one")),
        notice("decision-opened", 7, call=call("two")),
        notice("game-ended", 8),
    ]
    standing = {"game": GAME, "version": 5, "status": "live", "calls": [call("one")]}
    ben = [
        notice("invited", 2),
        notice("seat-taken", 4, seat=sat(1, ADA)),
        notice("game-started", 4),
        notice("game-paused", 6),
        notice("game-ended", 8),
    ]
    begun = {"game": GAME, "version": 2, "status": "open"}
    return [
        OwnListening(player=ADA, games=[begun], notices=ada),
        OwnListening(player=ADA, games=[standing], notices=deepcopy(ada[4:])),
        OwnListening(player=BEN, games=[], notices=ben),
    ]


def test_what_holds_is_not_complained_of() -> None:
    assert judge_notices(run(), LOGS) == []


@pytest.mark.parametrize("connection", range(3))
def test_a_connection_may_break_off_anywhere(connection: int) -> None:
    whole = run()[connection]
    for last in range(len(whole.notices) + 1):
        broken = OwnListening(player=whole.player, games=whole.games, notices=whole.notices[:last])
        assert judge_notices([broken], LOGS) == []


def test_one_over_which_nothing_came_says_nothing() -> None:
    assert judge_notices([OwnListening(player=ADA)], LOGS) == []


def unknown_game(told: list[OwnListening]) -> None:
    told[2].notices[0]["game"] = "g00-b"


def a_version_that_is_not_there(told: list[OwnListening]) -> None:
    told[0].notices[-1]["version"] = 9


def begun_before_its_time(told: list[OwnListening]) -> None:
    told[2].notices[2]["version"] = 3
    told[2].notices[1]["version"] = 3


def ended_before_its_time(told: list[OwnListening]) -> None:
    told[2].notices[-1]["version"] = 7


def never_began(told: list[OwnListening]) -> None:
    told[2].notices[-1]["what"] = "table-closed"


def somebody_else_sat_down(told: list[OwnListening]) -> None:
    told[0].notices[0]["seat"] = sat(2, CLEO)


def another_status(told: list[OwnListening]) -> None:
    assert told[1].games
    told[1].games[0]["status"] = "open"


def begun_twice(told: list[OwnListening]) -> None:
    told[2].notices.insert(2, told[2].notices[2])


def sat_down_twice(told: list[OwnListening]) -> None:
    told[0].notices.insert(0, told[0].notices[0])


def opened_twice(told: list[OwnListening]) -> None:
    told[0].notices.insert(3, told[0].notices[2])


def closed_unopened(told: list[OwnListening]) -> None:
    told[0].notices[4]["call"] = call("three")


def warned_of_what_is_closed(told: list[OwnListening]) -> None:
    told[0].notices.insert(5, notice("deadline-near", 7, call=call("one")))


def an_older_version(told: list[OwnListening]) -> None:
    told[0].notices.insert(5, notice("game-paused", 5))


def after_the_end(told: list[OwnListening]) -> None:
    told[2].notices.append(notice("game-paused", 8))


def beginning_left_out(told: list[OwnListening]) -> None:
    del told[2].notices[2]


def end_left_out(told: list[OwnListening]) -> None:
    told[2].notices[-1] = notice("deadline-near", 8, call=call("x", 2))


def newcomer_left_out(told: list[OwnListening]) -> None:
    del told[0].notices[0]


def what_another_is_asked(told: list[OwnListening]) -> None:
    told[2].notices.insert(3, notice("decision-opened", 5, call=call("one")))


def what_another_is_asked_at_once(told: list[OwnListening]) -> None:
    told[2].games = [{"game": GAME, "version": 5, "status": "live", "calls": [call("one")]}]
    del told[2].notices[:3]


def one_decision_left_out(told: list[OwnListening]) -> None:
    """Nobody could tell by the log, but that another connection says it."""
    del told[0].notices[5]


PLANTED: list[tuple[Callable[[list[OwnListening]], None], str]] = [
    (unknown_game, UNFOUNDED),
    (a_version_that_is_not_there, UNFOUNDED),
    (begun_before_its_time, UNFOUNDED),
    (ended_before_its_time, UNFOUNDED),
    (never_began, UNFOUNDED),
    (somebody_else_sat_down, UNFOUNDED),
    (another_status, UNFOUNDED),
    (begun_twice, TOLD_TWICE),
    (sat_down_twice, TOLD_TWICE),
    (opened_twice, TOLD_TWICE),
    (closed_unopened, TOLD_TWICE),
    (warned_of_what_is_closed, TOLD_TWICE),
    (an_older_version, TOLD_TWICE),
    (after_the_end, TOLD_TWICE),
    (beginning_left_out, LEFT_OUT),
    (end_left_out, LEFT_OUT),
    (newcomer_left_out, LEFT_OUT),
    (what_another_is_asked, ANOTHERS),
    (what_another_is_asked_at_once, ANOTHERS),
    (one_decision_left_out, DISAGREES),
]


@pytest.mark.parametrize(("plant", "check"), PLANTED, ids=[p.__name__ for p, _ in PLANTED])
def test_a_planted_flaw_is_found(plant: Callable[[list[OwnListening]], None], check: str) -> None:
    told = run()
    plant(told)
    assert check in {each.check for each in judge_notices(told, LOGS)}


def test_each_check_finds_something() -> None:
    assert {check for _, check in PLANTED} == set(NOTICE_CHECKS)


def test_a_notice_is_taken_and_all_else_is_not() -> None:
    connection = OwnListening(player=ADA)
    for message in (
        [("retry", "2000")],
        [("event", "games"), ("data", '[{"game":"g00-a","version":2,"status":"open"}]')],
        [("event", "reset"), ("data", "{}")],
        [("event", "invited"), ("data", '{"game":"g00-a","version":2,"what":"invited"}')],
    ):
        take_notice(connection, message)
    assert connection.games == [{"game": GAME, "version": 2, "status": "open"}]
    assert connection.notices == [notice("invited", 2)]
