"""Every scenario file holds against the engine."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from events.kernel import Actor, Command, Decision
from games.package import GamePackage
from games.scenarios import Vocabulary
from replay.scenario.dialect import BEFORE, dialect_of
from replay.scenario.engine import EngineTable
from replay.scenario.format import Scenario
from replay.scenario.performance import perform
from replay.scenario.spelling import Misspelling, Speller, vocabulary_of
from tests.scenario_files import FILES, scenarios_of

pytestmark = pytest.mark.slow

IN_FILES = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
"""One test for each file: a thousand would take longer to tell of than to run."""


def test_each_scenario_is_played_at_least_once() -> None:
    """Each test below plays it once for each of its rulebooks, and tells what was not played."""
    assert [each.id for path in FILES for each in scenarios_of(path) if not each.rulebooks] == []


def test_no_two_scenarios_have_one_id() -> None:
    ids = Counter(scenario.id for path in FILES for scenario in scenarios_of(path))
    assert [id_ for id_, times in ids.items() if times > 1] == []


@IN_FILES
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_the_scenarios_of_a_file_hold(path: Path, *, every: bool) -> None:
    """By day those that owe something to their key; of the others the next test says more."""
    wrong: dict[str, list[str]] = {}
    for scenario in scenarios_of(path):
        if not (every or scenario.sometimes):
            continue
        reports = perform(scenario, EngineTable)
        assert [report.rulebook for report in reports] == list(scenario.rulebooks)
        problems = [problem for report in reports for problem in report.problems]
        if problems:
            wrong[scenario.id] = [scenario.title, *problems]
    assert wrong == {}


class OtherKey(EngineTable):
    """A table of another key, as a server's are; it notes what scenarios could not say."""

    def __init__(self, speller: Speller, heard: set[bytes | tuple[str, str]]) -> None:
        super().__init__()
        self.speller = speller
        self.unheard: list[Misspelling] = []
        self._known: set[str] = set()
        self._heard = heard  # what other tables have had looked up is well said, or was told there

    def key(self, scenario: Scenario, number: int) -> str:
        """The game key, made of more than the id."""
        return hashlib.sha256(f"another key/{scenario.id}/{number}".encode()).hexdigest()

    def give(self, command: Command, actor: Actor) -> None:
        """Execute a command, and look up all that has come of it."""
        before = len(self.log)
        super().give(command, actor)
        for event in self.log[before:]:
            encoded = msgspec.json.encode(event)
            if type(event) not in BEFORE and encoded not in self._heard:
                self._heard.add(encoded)
                self.unheard += self.speller.event(msgspec.json.decode(encoded), "")
        for seat in self.state.seats:
            for decision in self.pending(seat):
                if decision.id not in self._known:
                    self._known.add(decision.id)
                    self._look_up(decision)

    def _look_up(self, decision: Decision) -> None:
        kind = decision.kind
        self.unheard += self.speller.word("decision", kind, "")
        self.unheard += self.speller.decision(kind, decision.id, "")
        for option in decision.options:
            if (kind, option.id) in self._heard:
                continue  # the same words were looked up when another question offered them
            self._heard.add((kind, option.id))
            self.unheard += self.speller.option(kind, option.id, kind)


@IN_FILES
def test_no_scenario_owes_to_its_key_what_it_shows(path: Path) -> None:
    """They hold with any; and nothing happens, or is offered, that none of them could say."""
    wrong: dict[str, list[object]] = {}
    spoken: list[Spoken] = []
    for scenario in scenarios_of(path):
        if not scenario.sometimes and (found := with_another_key(scenario, spoken)):
            wrong[scenario.id] = found
    assert wrong == {}


Spoken = tuple[GamePackage, Vocabulary, set[bytes | tuple[str, str]]]
"""A vocabulary of a game, and what has been looked up in it."""


def with_another_key(scenario: Scenario, spoken: list[Spoken]) -> list[object]:
    """What fails at tables of another key, and the words that no scenario could say.

    What other scenarios of the same vocabulary have had looked up is not looked up again.
    """
    tables: list[OtherKey] = []
    game, vocabulary = scenario.game, vocabulary_of(scenario)
    heard = next((h for g, v, h in spoken if g is game and v == vocabulary), None)
    if heard is None:
        heard = set()
        spoken.append((game, vocabulary, heard))
    speller = Speller(dialect_of(game), vocabulary)

    def table() -> OtherKey:
        tables.append(OtherKey(speller, heard))
        return tables[-1]

    reports = perform(scenario, table)
    played = [report.rulebook for report in reports]
    unplayed = [f"{book} was not played" for book in {*scenario.rulebooks} - {*played}]
    problems = [problem for each in reports for problem in each.problems]
    return [*problems, *unplayed, *(found for table in tables for found in table.unheard)]
