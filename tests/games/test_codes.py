"""Every code that the table and the game can refuse with has its plainest case here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from msgspec import json
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Command, Context, Decision, Rejected, Working
from games.contract import TableOpening, TimeControl
from games.room25 import ROOM25
from games.room25 import Code as Rule
from games.table.checks import TableCode
from games.table.events import (
    AnnulTable,
    Choose,
    ChooseSecretly,
    Delay,
    ExtendTime,
    HoldTable,
    InvitePlayers,
    LeaveSeat,
    PauseTable,
    ResumeTable,
    SeatLeft,
    SeatReadied,
    StartTable,
    TakeSeat,
    TimeOut,
    WithdrawInvitation,
)
from games.table.inspections import inspection_of
from tests.games.specification import (
    DIRECTOR,
    HOST,
    NUMBER,
    OPEN,
    P2,
    STRANGER,
    WORKER,
    Given,
    asked_to_pick,
    given,
    live,
    opened,
    sit,
    taken,
)
from tests.games.table.test_pausing import ASK, asked, often_asked, often_paused, vote
from tests.games.table.test_talking import HELLO, SILENT, spoken, talking

LOST = HoldTable(known=9, kept=5, epoch=2)
PICK = Choose(seat=1, decision="pick-t1", option="single")
WAVE = Choose(seat=1, decision="wave-t1-s1", option="wave")


class Case(NamedTuple):
    """A command that is refused."""

    past: Given
    command: Command
    actor: Actor


def _paused() -> Given:
    return live().when(PauseTable(), DIRECTOR).happened()


def _held() -> Given:
    return live().when(LOST, DIRECTOR).happened()


def _over() -> Given:
    return live().when(AnnulTable(reason="other"), DIRECTOR).happened()


def _ask(player: str, limit: int = 50) -> InvitePlayers:
    return InvitePlayers(players=(player,), limit=limit)


_TO_AND_FRO = [event for _ in range(16) for event in (taken(2), SeatLeft(seat=2))]
BAD_TIME = replace(OPEN, time=TimeControl(limits_s={"decision": 0}))
LOOK = inspection_of("full", "complaint", 900)
TABLE_CASES: Mapping[str, Case] = {
    TableCode.TABLE_EXISTS: Case(given(opened()), OPEN, HOST),
    TableCode.TABLE_NOT_OPEN: Case(live(), sit(1), STRANGER),
    TableCode.GAME_NOT_LIVE: Case(given(opened()), NUMBER, HOST),
    TableCode.GAME_OVER: Case(_over(), NUMBER, HOST),
    TableCode.TABLE_PAUSED: Case(_paused(), NUMBER, HOST),
    TableCode.TABLE_NOT_PAUSED: Case(live(), ResumeTable(), DIRECTOR),
    TableCode.GAME_HELD: Case(_held(), NUMBER, HOST),
    TableCode.RESTORED_BEFORE: Case(_held(), LOST, DIRECTOR),
    TableCode.NOTHING_LOST: Case(live(), replace(LOST, known=5), DIRECTOR),
    TableCode.TABLE_NOT_FULL: Case(given(opened(), taken(1)), StartTable(), HOST),
    TableCode.BAD_TIME_CONTROL: Case(given(), BAD_TIME, HOST),
    TableCode.BAD_DELAY: Case(given(), replace(OPEN, delay=Delay(turns=0)), HOST),
    TableCode.BAD_TOURNAMENT: Case(given(), replace(OPEN, tournament="Spring"), HOST),
    TableCode.BAD_ENTROPY: Case(given(opened()), sit(1, entropy="Ada was here"), STRANGER),
    TableCode.BOT_WITH_ENTROPY: Case(given(opened()), sit(1, bot="random", entropy="dice"), HOST),
    TableCode.TOO_MANY_LEAVINGS: Case(
        given(opened(), *_TO_AND_FRO, taken(1)), LeaveSeat(seat=1), HOST
    ),
    TableCode.UNKNOWN_SEAT: Case(given(opened()), sit(3), STRANGER),
    TableCode.SEAT_TAKEN: Case(given(opened(), taken(1)), sit(1), STRANGER),
    TableCode.NO_FREE_SEAT: Case(given(opened(), taken(1), taken(2)), sit(1), STRANGER),
    TableCode.ALREADY_SEATED: Case(given(opened(), taken(1)), sit(2), HOST),
    TableCode.NOT_INVITED: Case(given(opened(visibility="private")), sit(1), STRANGER),
    TableCode.ALREADY_INVITED: Case(given(opened(invited=("p2",))), _ask("p2"), HOST),
    TableCode.PLAYER_SEATED: Case(given(opened(), taken(2)), _ask("p2"), HOST),
    TableCode.UNKNOWN_INVITATION: Case(given(opened()), WithdrawInvitation(player="p2"), HOST),
    TableCode.TOO_MANY_INVITATIONS: Case(given(opened()), _ask("p2", limit=0), HOST),
    TableCode.NOT_SEATED: Case(given(opened(start="ready")), StartTable(), STRANGER),
    TableCode.NOT_YOUR_SEAT: Case(given(opened(), taken(1)), LeaveSeat(seat=1), STRANGER),
    TableCode.NOT_THE_HOST: Case(given(opened()), StartTable(), STRANGER),
    TableCode.NOT_THE_DIRECTOR: Case(live(), PauseTable(), HOST),
    TableCode.ALREADY_READY: Case(
        given(opened(start="ready"), taken(1), SeatReadied(seat=1)), StartTable(), HOST
    ),
    TableCode.UNKNOWN_BOT: Case(given(opened()), TakeSeat(bot="marvin"), HOST),
    TableCode.NO_PROGRAMS: Case(given(opened(programs=False)), sit(2, program=True), P2),
    TableCode.DECISION_NOT_OPEN: Case(live(), replace(NUMBER, decision="number-t2-s1"), HOST),
    TableCode.OPTION_NOT_OFFERED: Case(live(), replace(NUMBER, option="4"), HOST),
    TableCode.OPTION_IS_A_BRANCH: Case(asked_to_pick(), replace(PICK, option="favour"), HOST),
    TableCode.OPTION_IS_A_LEAF: Case(asked_to_pick(), replace(PICK, option="single.s1"), HOST),
    TableCode.CHOICE_NOT_SECRET: Case(
        live(), ChooseSecretly(seat=1, decision=WAVE.decision, option="wave"), HOST
    ),
    TableCode.CHOICE_NOT_PUBLIC: Case(
        live(), Choose(seat=1, decision=NUMBER.decision, option="2"), HOST
    ),
    TableCode.DEADLINE_PASSED: Case(live().at(100_001), NUMBER, HOST),
    TableCode.UNKNOWN_PHRASE: Case(live(), HELLO, HOST),
    TableCode.PHRASE_TARGET_NOT_ALLOWED: Case(talking(), replace(HELLO, place="a1"), HOST),
    TableCode.PHRASE_TO_NOBODY: Case(talking(), replace(HELLO, to=9), HOST),
    TableCode.PHRASES_SILENCED: Case(talking(SILENT), HELLO, HOST),
    TableCode.PHRASES_TOO_FAST: Case(spoken(), HELLO, HOST),
    TableCode.BAD_PAUSE: Case(live(), replace(ASK, minutes=0), HOST),
    TableCode.NO_SAY_IN_PAUSES: Case(live([taken(1, program=True), taken(2)]), ASK, HOST),
    TableCode.PAUSE_PROPOSED_ALREADY: Case(asked(), ASK, HOST),
    TableCode.PAUSES_PROPOSED_TOO_OFTEN: Case(often_asked(), ASK, HOST),
    TableCode.TOO_MANY_PAUSES: Case(often_paused(), ASK, HOST),
    TableCode.NO_PAUSE_PROPOSED: Case(live(), vote(1, "agree"), HOST),
    TableCode.ALREADY_AGREED: Case(asked(), vote(1, "agree"), HOST),
    TableCode.PAUSED_BY_DIRECTOR: Case(_paused(), vote(1, "resume"), HOST),
    TableCode.NOTHING_DUE: Case(live().at(200_000), TimeOut(key="t9-programming"), WORKER),
    TableCode.NOT_DUE_YET: Case(live(), TimeOut(key="t1-programming"), WORKER),
    TableCode.BAD_EXTENSION: Case(live(), ExtendTime(seconds=0), DIRECTOR),
    TableCode.NOT_AN_AUDITOR: Case(live(), LOOK, DIRECTOR),
    TableCode.INSPECTION_BY_PLAYER: Case(live(), LOOK, Actor("auditor", "p1")),
    TableCode.BAD_INSPECTION: Case(live(), replace(LOOK, seconds=0), Actor("auditor", "a1")),
}


@pytest.mark.parametrize("code", TableCode)
def test_the_table_refuses_with(code: TableCode) -> None:
    case = TABLE_CASES[code]
    case.past.when(case.command, case.actor).then_rejected(code)


def test_a_game_that_is_not_there_has_a_code_too() -> None:
    given().when(replace(OPEN, game="chess"), HOST).then_rejected("unknown-game")


@pytest.mark.parametrize(
    "time",
    [
        TimeControl(limits_s={"programming": 0}),
        TimeControl(limits_s={"programming": 14 * 24 * 3600 + 1}),
        TimeControl(limits_s={"decision": 0}),
        TimeControl(limits_s={"no-such-wait": 60}),
        TimeControl(absent_after=0),
        TimeControl(absent_after=101),
        TimeControl(bot_pace_ms=-1),
        TimeControl(bot_pace_ms=60_001),
    ],
)
def test_limits_out_of_range(time: TimeControl) -> None:
    given().when(replace(OPEN, time=time), HOST).then_rejected(TableCode.BAD_TIME_CONTROL)


@pytest.mark.parametrize(
    "delay",
    [
        Delay(),
        Delay(turns=1, seconds=1),
        Delay(turns=0),
        Delay(turns=101),
        Delay(seconds=0),
        Delay(seconds=-5),
        Delay(seconds=24 * 3600 + 1),
    ],
)
def test_delays_that_are_none(delay: Delay) -> None:
    given().when(replace(OPEN, delay=delay), HOST).then_rejected(TableCode.BAD_DELAY)


@pytest.mark.parametrize(
    "code", ["", "A", "é", "a b", "a_b", "a--b", "-a", "a-", "a\n", "²", "a" * 41]
)
def test_codes_of_tournaments_that_are_none(code: str) -> None:
    given().when(replace(OPEN, tournament=code), HOST).then_rejected(TableCode.BAD_TOURNAMENT)


@pytest.mark.parametrize("code", ["a", "7", "spring-cup-2026", "a" * 40])
def test_a_table_says_which_tournament_it_is_played_for(code: str) -> None:
    past = given().when(replace(OPEN, tournament=code), HOST).then(opened(tournament=code))
    assert past.state.tournament == code


def test_a_table_of_no_tournament_says_nothing_of_it() -> None:
    past = given().when(OPEN, HOST).then(opened())
    assert b"tournament" not in json.encode((OPEN, opened(), past.state))


@pytest.mark.parametrize("delay", [None, Delay(turns=1), Delay(turns=100), Delay(seconds=86_400)])
def test_a_delay_is_recorded_when_the_table_is_opened(delay: Delay | None) -> None:
    after = given().when(replace(OPEN, delay=delay), HOST).happened()
    assert after.state.delay == delay


def test_a_table_without_a_delay_says_nothing_of_it() -> None:
    assert b"delay" not in json.encode(opened())
    assert b'"delay":{"turns":2}' in json.encode(opened(delay=Delay(turns=2)))


@pytest.mark.parametrize("text", ["Ada", " ", "x" * 42, "x" * 44, "+" + "x" * 42])
def test_a_name_where_its_seal_belongs_stops_the_program(text: str) -> None:
    """Nobody outside can bring it about: it would be hashed for ever."""
    with pytest.raises(ValueError, match="expected the seal of a name, not a name"):
        given(opened()).when(sit(2, name_seal=text), P2).happened()


def test_a_house_bot_has_no_name_seal() -> None:
    with pytest.raises(ValueError, match="a house bot has no name"):
        given(opened()).when(sit(2, bot="random", name_seal="x" * 43), HOST).happened()


# --- the game's own codes ---

FIRST = TableOpening(rulebook="first_edition", mode="suspicion", seats=4, options={})
TEAM = replace(FIRST, mode="team")
DUOS = replace(FIRST, mode="competition", seats=2)


def _opening(**changes: Any) -> TableOpening:
    return replace(FIRST, **changes)


def _custom(rooms: object) -> TableOpening:
    return _opening(options={"composition": "custom", "rooms": rooms})


BAD_OPENINGS: Mapping[str, tuple[TableOpening, ...]] = {
    Rule.UNKNOWN_RULEBOOK: (_opening(rulebook="second_edition"),),
    Rule.UNKNOWN_MODE: (_opening(mode="tournament"),),
    Rule.BAD_SEAT_COUNT: (
        _opening(seats=3),
        _opening(seats=7),
        replace(TEAM, seats=5),
        replace(DUOS, seats=4),
    ),
    Rule.UNKNOWN_OPTION: (
        _opening(options={"jokers": True}),
        _opening(options={"team_talk": True}),
    ),
    Rule.BAD_OPTION: (
        _opening(options={"reminders": "yes"}),
        _opening(options={"reminders": 1}),
        _opening(options={"reminders": None}),
        _opening(options={"composition": "expert"}),
    ),
    Rule.BAD_COMPOSITION: (
        _opening(options={"composition": "open"}),
        replace(TEAM, options={"composition": "suspicion"}),
        _opening(options={"rooms": {"empty": 8}}),
        _custom(None),
        _custom([["empty", 25]]),
        _custom({"empty": 8.0}),
        _custom({"empty": True}),
        _custom({"empty": -1}),
        _custom({"central": 1, "room25": 1, "empty": 23}),
        _custom({"central": 1, "room25": 1, "robot": 2}),
        _custom({"central": 1, "room25": 1, "empty": 8, "cold": 2}),
    ),
    Rule.MALFORMED_SCENARIO: (
        _opening(situation={}),
        _opening(situation={"characters": {"max": {}}}),
        _opening(situation={"characters": {}, "turn": 0}),
        _opening(situation={"characters": {}, "tiles": {"r5c0": "empty"}}),
    ),
    Rule.IMPOSSIBLE_SCENARIO: (
        _opening(situation={"characters": {}}),
        _opening(situation={"characters": {}, "key_activated": True}),
    ),
}


@pytest.mark.parametrize(
    ("code", "opening"),
    [(code, requested) for code, wishes in BAD_OPENINGS.items() for requested in wishes],
)
def test_the_game_does_not_open(code: str, opening: TableOpening) -> None:
    with pytest.raises(Rejected) as refusal:
        ROOM25.open(opening)
    assert refusal.value.code == code


def test_several_wrongs_are_told_from_the_outside_in() -> None:
    """Rulebook, mode, seats, options, composition, situation."""
    requested = _opening(
        rulebook="x", mode="x", seats=9, options={"x": 1, "composition": "x"}, situation={}
    )
    repairs: list[tuple[str, dict[str, Any]]] = [
        (Rule.UNKNOWN_RULEBOOK, {"rulebook": "first_edition"}),
        (Rule.UNKNOWN_MODE, {"mode": "suspicion"}),
        (Rule.BAD_SEAT_COUNT, {"seats": 4}),
        (Rule.UNKNOWN_OPTION, {"options": {"composition": "x"}}),
        (Rule.BAD_OPTION, {"options": {"composition": "open"}}),
        (Rule.BAD_COMPOSITION, {"options": {}}),
        (Rule.MALFORMED_SCENARIO, {"situation": None}),
    ]
    for code, repair in repairs:
        with pytest.raises(Rejected) as refusal:
            ROOM25.open(requested)
        assert refusal.value.code == code
        requested = replace(requested, **repair)
    assert ROOM25.open(requested).options["composition"] == "suspicion"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rulebook": "x"}, "the rulebooks are prototype, first_edition, bga, ultimate"),
        ({"mode": "team"}, "the modes of bga are suspicion, cooperation, solo"),
        ({"seats": 7}, "this mode is for 2, 3, 4, 5, 6 players"),
        ({"options": {"x": 1}}, "no option 'x'; this mode has composition, rooms, specials"),
        ({"options": {"madness": 1}}, "the option madness takes one of true, false"),
        (
            {"options": {"composition": "custom", "rooms": {"vortex": 3}}},
            "the box has only 2 of 'vortex'",
        ),
    ],
)
def test_what_may_be_asked_for_is_told(change: dict[str, Any], told: str) -> None:
    requested = _opening(rulebook="bga", mode="cooperation", seats=2, options={})
    with pytest.raises(Rejected) as refusal:
        ROOM25.open(replace(requested, **change))
    assert refusal.value.detail.startswith(told)


BAD_CASTS: Mapping[
    str, tuple[tuple[TableOpening, dict[int, tuple[str, ...]], tuple[str, ...]], ...]
] = {
    Rule.UNKNOWN_CHARACTER: ((FIRST, {}, ("sarah",)),),
    Rule.CHARACTER_TAKEN: ((FIRST, {2: ("max",)}, ("max",)),),
    Rule.CHARACTER_NOT_ALLOWED: (
        (FIRST, {}, ("max", "alice")),
        (DUOS, {}, ("max", "kevin")),
        (TEAM, {3: ("max",)}, ("kevin",)),
        (TEAM, {2: ("max",)}, ("alice",)),
        (replace(TEAM, seats=6), {3: ("max",)}, ("alice",)),
    ),
}


@pytest.mark.parametrize(
    ("code", "opening", "taken", "requested"),
    [(code, *case) for code, cases in BAD_CASTS.items() for case in cases],
)
def test_the_game_does_not_cast(
    code: str, opening: TableOpening, taken: dict[int, tuple[str, ...]], requested: tuple[str, ...]
) -> None:
    with pytest.raises(Rejected) as refusal:
        ROOM25.cast(opening, taken, 1, requested)
    assert refusal.value.code == code


@pytest.mark.parametrize("optional", [False, True])
def test_the_game_takes_no_decision_that_is_not_open(*, optional: bool) -> None:
    name, kind = "t1-program-max", "program"
    asked = Decision(id=name, kind=kind, seat=1, subject="max", options=(), optional=optional)
    context = Context(now=0, actor=Actor("player", "p1"), draw=Draw(b"seed"))
    work = Working(ROOM25.evolve, ROOM25.initial(), context)
    with pytest.raises(Rejected) as refusal:
        ROOM25.choose(work, asked, "look")
    assert refusal.value.code == Rule.UNKNOWN_DECISION
    assert work.events == []


def test_every_code_has_a_case() -> None:
    assert set(TABLE_CASES) == set(TableCode)
    assert {*BAD_OPENINGS, *BAD_CASTS, Rule.UNKNOWN_DECISION} == set(Rule)
