"""Which answers to windows are void, and so stay secret for ever (§5.3.3, C75)."""

from __future__ import annotations

import pytest

from events.kernel import Event, Seat
from games.cerveauuu.facts.card_events import AnswerGiven, VersionBegan, VersionJudged
from games.cerveauuu.facts.zombie_events import GoEnded
from games.cerveauuu.rules.voiding import void_answers

ORDER: tuple[Seat, ...] = (2, 3, 1)


def begun(version: int = 1) -> Event:
    return VersionBegan(version=version, trigger=1, order=ORDER, passed={})


def answers(*seats: Seat) -> list[Event]:
    return [AnswerGiven(seat=seat) for seat in seats]


@pytest.mark.parametrize(
    ("counted", "void"),
    [(2, {2, 3, 4}), (3, {2}), (1, set()), (None, set())],
    ids=["first", "second", "last", "nobody"],
)
def test_answers_behind_the_one_that_counted_are_void(counted: Seat | None, void: set[int]) -> None:
    """Replaced ones, too: seat 3 has answered twice."""
    events = [begun(), *answers(2, 1, 3, 3), VersionJudged(seat=counted)]
    assert void_answers(events) == void


def test_every_version_is_judged_for_itself() -> None:
    first = [begun(), *answers(3, 1, 2), VersionJudged(seat=2)]
    second = [GoEnded(), begun(2), *answers(1, 3), VersionJudged()]
    assert void_answers([*first, *second]) == {1, 2}


def test_what_nobody_has_judged_is_void() -> None:
    """A game that is annulled, or over, in the middle of a window."""
    assert void_answers([begun(), *answers(3, 2), GoEnded()]) == {1, 2}
    assert void_answers([begun(), *answers(3), begun(2), *answers(2), VersionJudged()]) == {1}


def test_where_nobody_answers_nothing_is_void() -> None:
    assert void_answers([]) == frozenset()
    assert void_answers([begun(), VersionJudged(seat=2), GoEnded()]) == frozenset()
