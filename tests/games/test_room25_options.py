"""What an option means, for those who read no ids (§4.7), and that an end is an end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from games.room25 import ROOM25
from games.room25 import events as ev
from games.room25.catalogue import SIX
from games.room25.choices import CHOICES
from replay.scenario.engine import RULES, EngineTable
from replay.scenario.files import read_scenarios
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.tables import OpenDecision
from tests.games.begun import many, opening, situation

FOLDER = Path(__file__).parents[1] / "scenarios"
VERBS = frozenset(
    {"summon", "carry", "hack_building", "hack_robot", "reactivate", "lock", "replace"}
    | {"sabotage_room", "sabotage_robot", "mimic"}
)
"""What a part of an id may be that no field of the meaning says: the ability itself."""


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
        for decision in RULES.decisions(self.state, seat):
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
        parts = re.split("[:+]", re.sub(r"robot(\d)", r"\1", option))
        words = said(meaning)
        left = [part for part in parts if part not in words]
        assert [part for part in parts if part in words] == words, (kind, option, meaning)
        assert set(left) <= VERBS | set(meaning), (kind, option, meaning)


@pytest.mark.parametrize("name", ["X-C734", "X-ACCELERATIONESCAPE"])
def test_an_accelerated_escape_ends_the_game_once(name: str) -> None:
    """§7.3.4, §7.4.2: the second step of a control is not made after the game has ended."""
    tables: list[EngineTable] = []

    def made() -> EngineTable:
        tables.append(EngineTable())
        return tables[-1]

    (scenario,) = (
        s for file in ("madness", "ultimate_more") for s in scenarios(file) if s.id == name
    )
    perform(scenario, made)
    assert len(tables) == len(scenario.rulebooks)
    for table in tables:
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


def test_a_viewer_looks_for_the_team_of_its_seat() -> None:
    """§3.3, §4.11; whoever has no figure is of no team."""
    (state,) = many(opening("team", 4), 1)
    teams = [ROOM25.viewer(state, seat).team for seat in range(1, 5)]
    assert teams == [c.team for seat in range(1, 5) for c in state.of_seat(seat)]
    assert teams[0] == teams[2] != teams[1] == teams[3]
    assert ROOM25.viewer(state, 5).team is None
