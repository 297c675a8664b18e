"""Phrases and refused pauses in random games: they occur, and a table that errs is found."""

from __future__ import annotations

from collections import Counter

import pytest

from games.table import pausing, talking
from games.table.checks import TableCode
from games.table.events import PhraseSaid
from simulator.room25.driver import play
from simulator.room25.plans import Plan, plan_of
from simulator.run import PropertyBroken
from tests.simulator.planting import Patch, seeds

GROUPS = [("ultimate", "suspicion"), ("first_edition", "cooperation")]
PLAYED = [plan_of(seed) for seed in seeds(GROUPS, 8)]
ABSENT = [plan for plan in map(plan_of, seeds(GROUPS, 60)) if plan.style == "absent"][:2]

OF_PHRASES = {
    TableCode.UNKNOWN_PHRASE,
    TableCode.PHRASE_TARGET_NOT_ALLOWED,
    TableCode.PHRASE_TO_NOBODY,
    TableCode.PHRASES_TOO_FAST,
}
OF_PAUSES = {
    TableCode.NO_PAUSE_PROPOSED,
    TableCode.BAD_PAUSE,
    TableCode.PAUSE_PROPOSED_ALREADY,
    TableCode.ALREADY_AGREED,
}
USED_UP = {TableCode.PAUSES_PROPOSED_TOO_OFTEN, TableCode.TOO_MANY_PAUSES}


def refusals(plans: list[Plan]) -> Counter[str]:
    """The codes with which commands were refused in these games."""
    matches = [play(plan) for plan in plans]
    assert any(isinstance(event, PhraseSaid) for match in matches for event in match.log)
    return Counter(step.refusal[0] for match in matches for step in match.steps if step.refusal)


def test_phrases_are_said_and_what_is_refused_is_tried() -> None:
    assert refusals(PLAYED).keys() >= OF_PHRASES | OF_PAUSES


def test_who_has_used_up_the_pauses_is_refused_another() -> None:
    assert len(ABSENT) == 2
    codes = Counter(step.refusal[0] for p in ABSENT for step in play(p).steps if step.refusal)
    assert codes.keys() >= USED_UP


@pytest.mark.parametrize("check", ["_check_pace", "_check_target"])
def test_a_phrase_that_is_wrongly_taken_is_found(check: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr(talking, check, lambda *_: None)
    with pytest.raises(PropertyBroken, match=r"accepted, but should be .*SayPhrase"):
        refusals(PLAYED)


def test_one_pause_too_many_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(pausing, "PAUSES_MAX", pausing.PAUSES_MAX + 1)
    with pytest.raises(PropertyBroken, match=r"instead of .*too-many-pauses"):
        play(ABSENT[0])


def test_a_pause_proposed_too_often_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(pausing, "PROPOSALS_SPAN_MS", 0)
    with pytest.raises(PropertyBroken, match=r"accepted, but should be .*too-often"):
        play(ABSENT[0])
