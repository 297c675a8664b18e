"""What an option means, for those who read no ids (§4.7), and that an end is an end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Actor, Context, Rejected, Working
from games.contract import Roster, TableOpening, Unasked
from games.room25 import ROOM25, Code
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.characters import SIX
from games.room25.rules.choices import CHOICES
from games.room25.rules.programming import plan_options
from replay.scenario.engine import TABLE, EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.tables import OpenDecision
from tests.games.begun import many, opening, situation
from tests.scenario_files import played

FOLDER = Path(__file__).parents[2] / "scenarios"
VERBS = frozenset(
    {"summon", "carry", "hack_building", "hack_robot", "reactivate", "lock", "replace"}
    | {"sabotage_room", "sabotage_robot", "mimic"}
)
"""What a part of an id may be that no field of the meaning says: the ability itself."""


MARKS = (more.PowerUsed, more.TokenReplaced)
"""What uses a power up for a turn."""


def scenarios(name: str) -> list[Scenario]:
    """The scenarios of a file."""
    return [scenario for _, scenario in read_scenarios([FOLDER / f"{name}.json"])]


def said(meaning: Mapping[str, object]) -> list[str]:
    """The values of a meaning as an id would say them, in order."""
    words: list[str] = []
    for name, value in meaning.items():
        if isinstance(value, tuple):
            words += value
        elif name == "adrenaline":
            words += ["adrenaline"] if value else []
        else:
            words.append(str(value))
    return words


class _Listening(EngineTable):
    """A table that keeps every option it ever offers."""

    def __init__(self, heard: dict[tuple[str, str], Mapping[str, object]]) -> None:
        super().__init__()
        self.heard = heard

    def decisions(self, seat: int) -> list[OpenDecision]:
        for decision in TABLE.decisions(self.state, seat):
            for option in decision.options:
                self.heard[decision.kind, option.id] = option.meaning
        return super().decisions(seat)


@pytest.mark.parametrize("name", ["characters", "madness", "prototype_guards", "robots"])
def test_the_meaning_of_an_option_says_what_its_id_says(name: str) -> None:
    """§4.7: clients show the meaning, scenarios choose by the id."""
    heard: dict[tuple[str, str], Mapping[str, object]] = {}
    for scenario in scenarios(name):
        perform(scenario, lambda: _Listening(heard))
    assert len(heard) > 50
    for (kind, option), meaning in heard.items():
        if not meaning:  # yes, no, pass: there is nothing to tell apart
            continue
        if kind == "acid_victim":  # the id says which of the two it is, and the meaning who
            assert option in {"carrier", "passenger"}
            assert meaning.keys() == {"character"}
            continue
        parts = re.split("[:+]", re.sub(r"robot(\d)", r"\1", option))
        words = said(meaning)
        left = [part for part in parts if part not in words]
        assert [part for part in parts if part in words] == words, (kind, option, meaning)
        assert set(left) <= VERBS | set(meaning), (kind, option, meaning)


@pytest.mark.parametrize("name", ["X-C734", "X-ACCELERATIONESCAPE"])
def test_an_accelerated_escape_ends_the_game_once(name: str) -> None:
    """§7.3.4, §7.4.2: the second step of a control is not made after the game has ended."""
    (scenario,) = (
        s for file in ("madness", "ultimate_more") for s in scenarios(file) if s.id == name
    )
    for table in played(scenario):
        assert sum(isinstance(event, ev.GameEnded) for event in table.log) == 1
        assert sum(isinstance(event, ev.EscapeAttempted) for event in table.log) == 1


def test_only_what_a_traitor_changes_is_chosen_in_secret() -> None:
    """§4.11, R118: every other question that the agenda asks is answered in the open."""
    assert {kind for kind, choice in CHOICES.items() if choice.secret} == {"traitor_change"}


@pytest.mark.parametrize(("phase", "kind"), [("clue", "starting_clue"), ("programming", "program")])
def test_what_all_choose_at_once_is_chosen_in_secret(phase: str, kind: str) -> None:
    """§4.11, §4.1.7, §4.3.3."""
    characters = {name: {"seat": seat} for seat, name in enumerate(SIX[:4], 1)}
    turn = 1 if phase == "clue" else 3
    state = situation("cooperation", 4, characters=characters, phase=phase, turn=turn)
    for seat in range(1, 5):
        (decision,) = (d for d in ROOM25.decisions(state, seat) if not d.optional)
        assert (decision.kind, decision.secret) == (kind, True)
        assert ROOM25.is_secret(state, decision.id)
    assert not ROOM25.is_secret(state, "t3-1-move-target")


@pytest.mark.parametrize(
    ("name", "kind", "secret"),
    [("X-R118Q", "traitor_change", True), ("X-H18", "secrets_target", False)],
)
def test_an_open_question_says_whether_its_answer_is_secret(
    name: str, kind: str, *, secret: bool
) -> None:
    """§4.11, R118: of the question that is open; no other id names a secret."""
    asked = [0]
    (scenario,) = (s for s in scenarios("edges") if s.id == name)

    class Asking(EngineTable):
        def decisions(self, seat: int) -> list[OpenDecision]:
            for decision in TABLE.decisions(self.state, seat):
                if decision.kind == kind:
                    asked[0] += 1
                    assert ROOM25.is_secret(self.state.play, decision.id) is secret
                    assert not ROOM25.is_secret(self.state.play, f"{decision.id}-2")
            return super().decisions(seat)

    perform(scenario, Asking)
    assert asked[0] > 0


def test_nothing_is_chosen_in_secret_before_a_game_or_after_it() -> None:
    """§4.11: where nothing is asked nothing is secret."""
    (scenario,) = (s for s in scenarios("modes") if s.id == "S-219")
    (table,) = played(scenario)[:1]
    assert table.state.play.end is not None
    for state in (ROOM25.initial(), table.state.play):
        assert not ROOM25.is_secret(state, "clue-s1")
        assert not ROOM25.is_secret(state, f"t{state.turn}-program-emmett")


@pytest.mark.parametrize(
    ("file", "name", "guard"),
    [
        ("edges", "X-R107H", "architect"),
        ("edges", "X-R118P", "brute"),
        ("prototype_guards", "S-208", "killer"),
        ("prototype_guards", "S-209", "traitor"),
    ],
)
def test_all_see_who_has_used_a_power_in_this_turn(file: str, name: str, guard: str) -> None:
    """§6.5, R118: it is a mark at the figure that every view shows."""
    (scenario,) = (s for s in scenarios(file) if s.id == name)
    for table in played(scenario):
        (turn,) = (n for n, e in enumerate(table.log) if isinstance(e, MARKS))
        for viewer in ("public", "seat:1", "seat:4"):
            before = table.view(viewer, turn)["play"]["characters"]
            after = table.view(viewer, turn + 1)["play"]["characters"]
            assert [c["role"] for c in before.values() if c.get("powered")] == []
            assert [c["role"] for c in after.values() if c.get("powered")] == [guard]


def test_who_moves_a_reminder_is_asked_under_another_id() -> None:
    """R97, prototype: an old answer that comes twice does not move the token back."""
    (scenario,) = (s for s in scenarios("prototype") if s.id == "S-057p")
    ids: list[str] = []

    class Noting(EngineTable):
        def choose(self, seat: int, decision: str, option: str) -> None:
            super().choose(seat, decision, option)
            if "reminder" in decision:
                ids.append(decision)
                (again,) = (d.id for d in self.decisions(seat) if d.kind == "place_reminder")
                ids.append(again)

    perform(scenario, Noting)
    assert [each.rpartition("-")[2] for each in ids[:2]] == ["1", "2"]


@pytest.mark.parametrize(
    ("file", "name", "happened"),
    [
        ("prototype", "S-057p", [more.ReminderTaken, ev.ReminderPlaced]),
        ("actions", "X-H2", [ev.ReminderPlaced]),
    ],
)
def test_only_a_reminder_that_lies_somewhere_is_taken_up_first(
    file: str, name: str, happened: list[type]
) -> None:
    """R97, R116."""
    (scenario,) = (s for s in scenarios(file) if s.id == name)
    kinds = (more.ReminderTaken, ev.ReminderPlaced)
    for table in played(scenario):
        assert [type(e) for e in table.log if isinstance(e, kinds)] == happened


def test_what_the_game_waits_for_in_full() -> None:
    """§4.3.3: of those who choose at once only the ones that have not chosen are waited for."""
    characters: dict[str, dict[str, object]] = {
        name: {"seat": seat} for seat, name in enumerate(SIX[:4], 1)
    }
    characters["kevin"]["program"] = ["look"]
    wait = ROOM25.wait(situation("cooperation", 4, characters=characters, phase="programming"))
    assert wait is not None
    assert (wait.key, wait.wait) == ("t3-program", "programming")
    assert [(d.seat, d.kind, d.answered) for d in wait.pending] == [
        (1, "program", False),
        (3, "program", False),
        (4, "program", False),
    ]
    assert ROOM25.wait(ROOM25.initial()) is None


def test_a_question_that_is_not_open_is_not_answered() -> None:
    """§4.7: an answer to another question does not become one to the open one."""
    (scenario,) = (s for s in scenarios("edges") if s.id == "X-R118Q")
    (table,) = played(scenario)
    (open_one,) = (d for d in ROOM25.decisions(table.state.play, 1) if not d.optional)
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(b"seed"))
    for name in ("t3-99-traitor-change", "clue-s1", "t3-program-emmett"):
        work = Working(ROOM25.evolve, ROOM25.copy(table.state.play), context)
        with pytest.raises(Rejected) as refusal:
            ROOM25.choose(work, replace(open_one, id=name), "keep")
        assert refusal.value.code == Code.UNKNOWN_DECISION
        assert work.events == []


def test_what_a_programme_means() -> None:
    """§4.3.2, D2: its tokens in their order, and whether there is adrenaline."""
    meanings = {o.id: o.meaning for o in plan_options(("look", "move"), 2, adrenaline=True)}
    assert meanings["move+look"] == {"tokens": ("move", "look")}
    assert meanings["move+look+adrenaline"] == {"tokens": ("move", "look"), "adrenaline": True}
    assert len(meanings) == 8


def test_who_has_programmed_adrenaline_is_known_to_all() -> None:
    """§4.3.3: with the number of actions, once the phase closes."""
    (scenario,) = (s for s in scenarios("edges") if s.id == "X-ADRENALINETHREE")
    for table in played(scenario):
        closed = next(n for n, e in enumerate(table.log) if isinstance(e, ev.ProgrammingClosed))
        characters = table.view("public", closed + 1)["play"]["characters"]
        event = table.log[closed]
        assert isinstance(event, ev.ProgrammingClosed)
        told = {name for name, c in characters.items() if c["program"]["adrenaline"]}
        assert told == set(event.adrenaline) != set(characters)


def test_a_viewer_looks_for_the_team_of_its_seat() -> None:
    """§3.3, §4.11; whoever has no figure is of no team."""
    (state,) = many(opening("team", 4), 1)
    teams = [ROOM25.viewer(state, seat).team for seat in range(1, 5)]
    assert teams == [c.team for seat in range(1, 5) for c in state.of_seat(seat)]
    assert teams[0] == teams[2] != teams[1] == teams[3]
    assert ROOM25.viewer(state, 5).team is None


def test_what_leaves_no_choice_is_noted_beside_the_events() -> None:
    """§4.5: a single option is taken without asking; no event tells so, but the batch does."""
    figures: dict[str, Any] = {
        name: {"seat": seat, "cell": "r2c2", "program": ["look"]}
        for seat, name in enumerate(SIX[:4], 1)
    }
    figures["emmett"] |= {"cell": "r0c0", "program": ["move", "look"]}
    sealed = {"r0c1": {"kind": "flooded", "seal": True}}
    wish = TableOpening(
        rulebook="first_edition",
        mode="cooperation",
        seats=4,
        options={},
        situation={"characters": figures, "tiles": sealed, "phase": "round_1"},
    )
    wish = ROOM25.open(wish)
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(b"seed"))
    work = Working(ROOM25.evolve, ROOM25.initial(), context)
    cast = {seat: ROOM25.cast(wish, {}, seat, ()) for seat in range(1, 5)}
    ROOM25.begin(work, Roster(opening=wish, characters=cast))
    (count, aside), *_ = work.asides
    assert aside == Unasked(
        id="t3-1-move-target", kind="move_target", seat=1, subject="emmett", option="r1c0"
    )
    turned_up, moved = work.events[count - 1 : count + 1]
    assert isinstance(turned_up, ev.ActionRevealed)
    assert isinstance(moved, ev.CharacterMoved)
