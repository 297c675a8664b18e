"""Every acceptance scenario, every ruling and every card is tested.

The ids are those of the rules: S-numbers of section 10, C-numbers of section 9, cards of section 8.
A scenario counts where a runner plays it: in process, and over HTTP.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from games.cerveauuu.decider import RULES
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import Ban
from replay.scenario.format import Scenario
from tests.games.cerveauuu.rules.card_rows import CREDITS, ROWS
from tests.replay import test_scenarios_over_http as over_http
from tests.scenario_files import FILES, scenarios_of

SCENARIOS = {f"S{number:02}" for number in range(1, 105)}
"""All scenarios of section 10."""

RULINGS = {f"C{number}" for number in range(1, 80)}
"""All rulings (section 9)."""

IN_PRINT = {
    "C49": "a tag that no card asks for",
    "C56": "what players have to agree about is left to no rule",
}
"""Rulings that say how the source is read, and nothing about play."""


def of_this_game(scenarios: Iterable[Scenario]) -> list[Scenario]:
    return [each for each in scenarios if each.game.rules.id == RULES.id]


@cache
def here() -> list[Scenario]:
    """Those that are played in process."""
    return of_this_game(each for path in FILES for each in scenarios_of(path))


def numbers(scenarios: Iterable[Scenario]) -> set[str]:
    """The ids of scenarios of the rules; a small letter tells parts of one apart."""
    return {each.id.rstrip("abcdefgh") for each in scenarios if not each.id.startswith("X-")}


def missing(wanted: Iterable[str], found: Iterable[str]) -> str:
    return " ".join(sorted(set(wanted) ^ set(found)))


def test_every_scenario_of_the_rules_is_played_in_process_and_over_http() -> None:
    assert missing(SCENARIOS, numbers(here())) == ""
    assert missing(SCENARIOS, numbers(of_this_game(over_http.to_be_played()))) == ""


def test_every_scenario_claims_something() -> None:
    for each in here():
        claims = [*each.then, *(check for step in each.when for check in step.then)]
        assert claims or each.refused, each.id


def test_every_ruling_is_cited_by_a_scenario() -> None:
    cited = {name for each in here() for name in each.cites if name.startswith("C")}
    assert missing(RULINGS - IN_PRINT.keys(), cited) == ""


def test_no_card_asks_for_the_tag_of_objects() -> None:
    """C49: bans name the types of cards, each for itself."""
    effects = [effect for card in CARDS.values() for effect in card.effect]
    bans = {effect.card_type for effect in effects if isinstance(effect, Ban)}
    assert bans == {"firearm", "vehicle", "media"}


def test_every_card_is_played_and_refused_for_itself() -> None:
    assert missing(CARDS, [*(row.card for row in ROWS), *CREDITS]) == ""
    assert all(row.changes and row.refused for row in ROWS)


def test_a_gap_is_found() -> None:
    assert missing(SCENARIOS, numbers(here()) - {"S51"}) == "S51"
    assert missing(RULINGS, RULINGS | {"C80"}) == "C80"
    assert numbers(here()[:1]) <= SCENARIOS
