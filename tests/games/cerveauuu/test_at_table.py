"""Cerveauuu! at a table: time-outs, absence, resignation, secret choices (§5.8, §12)."""

from __future__ import annotations

import msgspec
import pytest

from events.kernel import DurationMs
from games.cerveauuu.decider import RULES
from games.contract import TimeControl
from games.table.decider import Table
from games.table.events import (
    Choose,
    ChooseSealed,
    OpenTable,
    StartTable,
    TakeSeat,
    TimeOut,
)
from tests.games.cerveauuu.scenes import O9
from tests.games.specification import HOST, KEY, P2, WORKER, Given, given

TABLE = Table({RULES.id: RULES})

POSITION = {
    "map": O9,
    "pieces": {
        "h01": {"cell": "r4c4"},
        "z01": {"cell": "r0c0", "seat": 1},
        "z02": {"cell": "r8c8", "seat": 2},
    },
    "hands": {"2": ["c054", "c055"]},
    "deck": ["c060", "c061", "c063", "c064", "c065", "c066", "c067", "c080"],
    "stage": "pre_zombies",
}


def opened(**changes: object) -> Given:
    opening = OpenTable(
        game="cerveauuu",
        rulebook="prototype",
        mode="standard",
        seats=2,
        options={},
        situation=msgspec.json.decode(msgspec.json.encode(POSITION)),
        time=TimeControl(limits_s={"response": 10, "decision": 40}, absent_after=2),
        start="host",
        key=KEY,
    )
    opening = msgspec.structs.replace(opening, **changes)
    past = given(table=TABLE).when(opening, HOST).happened()
    past = past.when(TakeSeat(seat=1), HOST).happened()
    return past.when(TakeSeat(seat=2), P2).happened().when(StartTable(), HOST).happened()


def test_who_says_nothing_of_time_has_what_the_rules_suggest() -> None:
    """§5.8: 12 s for what everybody answers at the same time, 45 s for everything else."""
    assert {name: wait.default_s for name, wait in RULES.waits.items()} == {
        "response": 12,
        "decision": 45,
    }


def time_out(table: Given) -> tuple[Given, list[str]]:
    """What is waited for runs out of time; the types of what happens then."""
    clock = table.state.clock
    assert clock is not None
    late: DurationMs = clock.due + 1_000 - 1_800_000_000_000
    when = table.at(late).when(TimeOut(key=clock.key), WORKER)
    return when.happened(), [type(event).__name__ for event in when.events()]


def test_a_window_is_a_wait_for_responses() -> None:
    table = opened()
    assert table.state.clock is not None
    assert table.state.clock.key == "r1-w1-v1"
    (decision,) = (d for d in TABLE.decisions(table.state, 2) if d.kind == "respond")
    assert TABLE.is_secret(table.state, decision.id)
    table.when(Choose(seat=2, decision=decision.id, option="pass"), P2).then_rejected(
        "choice-not-public"
    )
    table.when(ChooseSealed(seat=2, decision=decision.id, option="play"), P2).then_rejected(
        "option-not-offered"
    )
    after = table.when(ChooseSealed(seat=2, decision=decision.id, option="pass"), P2).happened()
    (go,) = (d for d in TABLE.decisions(after.state, 1) if d.kind == "go")
    after.when(Choose(seat=1, decision=go.id, option="z01"), HOST).then_rejected(
        "option-is-a-branch"
    )


def test_a_situation_may_fix_every_draw() -> None:
    table = opened(situation=POSITION | {"seed": "7e" * 32})
    assert table.state.key == "7e" * 32
    assert table.state.play.deck == opened(situation=table.state.situation).state.play.deck


@pytest.mark.parametrize("situation", [None, POSITION])
def test_a_game_of_nobody_ends_by_defaults(situation: object) -> None:
    table = opened(situation=situation)
    for _ in range(2_000):
        if table.state.phase == "finished":
            break
        table, _ = time_out(table)
    assert table.state.phase == "finished"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"pieces": {"x1": {"cell": "r0c0"}}}, "malformed-scenario"),
        ({"pieces": {"h01": {"cell": "r9c9"}}}, "impossible-scenario"),
        ({"pieces": {"z01": {"cell": "r0c0", "seat": 1}}}, "impossible-scenario"),
        ({"pieces": {"h01": {"cell": "r0c0", "seat": 1}}}, "impossible-scenario"),
        ({"hands": {"3": ["c054"]}}, "impossible-scenario"),
        ({"hands": {"0": ["c054"]}}, "impossible-scenario"),
        ({"hands": {"1": ["c060"]}}, "impossible-scenario"),
        ({"hands": {"1": ["c001"]}}, "impossible-scenario"),
        ({"credits": ["c001", "c002"]}, "impossible-scenario"),
        ({"credits": ["c054"], "hands": {}}, "impossible-scenario"),
        ({"weather": {"card": "c090", "seat": 1}}, "impossible-scenario"),
        ({"map": "+-+"}, "impossible-scenario"),
        ({"edges": {"r8c8e": "wall"}}, "impossible-scenario"),
        (
            {"pieces": {"h01": {"cell": "r0c0"}, "h02": {"cell": "r0c0"}}},
            "impossible-scenario",
        ),
    ],
)
def test_what_there_cannot_be_is_refused(wrong: dict[str, object], code: str) -> None:
    opening = OpenTable(
        game="cerveauuu",
        rulebook="prototype",
        mode="standard",
        seats=2,
        options={},
        situation=POSITION | wrong,
        time=TimeControl(),
        start="host",
        key=KEY,
    )
    given(table=TABLE).when(opening, HOST).then_rejected(code)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"rulebook": "other"}, "unknown-rulebook"),
        ({"mode": "other"}, "unknown-mode"),
        ({"seats": 7}, "bad-seat-count"),
        ({"options": {"pace": 1}}, "unknown-option"),
        ({"options": {"wander_goes": 7}}, "bad-option"),
        ({"options": {"wander_goes": True}}, "bad-option"),
        ({"options": {"first_chief": 3}}, "bad-option"),
    ],
)
def test_what_a_host_may_not_ask_for_is_refused(changes: dict[str, object], code: str) -> None:
    opening = OpenTable(
        game="cerveauuu",
        rulebook="prototype",
        mode="standard",
        seats=2,
        options={},
        time=TimeControl(),
        start="host",
        key=KEY,
    )
    given(table=TABLE).when(msgspec.structs.replace(opening, **changes), HOST).then_rejected(code)
