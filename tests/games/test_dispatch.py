"""Handlers by type: all that there are, and never two for one type."""

from __future__ import annotations

from typing import get_args

import pytest

from events.kernel import Event
from games.dispatch import on
from games.room25.facts import edition_events, events
from games.room25.facts.evolve import RECORDERS
from games.room25.model.agenda import Question, WaitFrame, WorkFrame
from games.room25.rules.asking import ChoiceKind
from games.room25.rules.choices import CHOICES, merged
from games.room25.rules.engine import HANDLERS, WAITS
from games.table import events as table
from games.table import pause_events
from games.table.state import RECORDERS as TABLE_RECORDERS


def test_a_type_that_is_handled_twice_is_refused() -> None:
    def place(_: list[int], each: int) -> None: ...

    with pytest.raises(ValueError, match=r"handled twice: \['int'\]"):
        on(int, place) | on(int, place)


def test_every_event_frame_and_kind_of_decision_is_handled() -> None:
    assert set(RECORDERS) == {*get_args(events.BasicEvent), *get_args(edition_events.EditionEvent)}
    assert set(HANDLERS) == set(get_args(WorkFrame))
    assert set(WAITS) == set(get_args(WaitFrame))
    assert set(TABLE_RECORDERS) == set(get_args(table.TableEvent))
    assert set(CHOICES) == set(get_args(Question))


def test_every_event_that_is_defined_is_in_its_union() -> None:
    for modules, listed in (
        ([events], events.BASIC_EVENTS),
        ([edition_events], edition_events.EDITION_EVENTS),
        ([table, pause_events], table.TABLE_EVENTS),
    ):
        parts = [(m.__name__, each) for m in modules for each in vars(m).values()]
        own = {each for m, each in parts if isinstance(each, type) and each.__module__ == m}
        assert {each for each in own if issubclass(each, Event)} == set(listed)


def test_kinds_of_decisions_are_there_once() -> None:
    parts: dict[Question, ChoiceKind] = {kind: CHOICES[kind] for kind in get_args(Question)}
    assert merged(parts) == CHOICES
    with pytest.raises(ValueError, match=r"two choices of one kind: .*'android'"):
        merged(parts, {"android": parts["android"]})
    with pytest.raises(ValueError, match=r"no choice of a kind: .*'acid_victim'"):
        merged({kind: choice for kind, choice in parts.items() if kind != "acid_victim"})
