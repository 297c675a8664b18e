"""The properties of random games notice what they must: a fault is planted in each (§12)."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Event
from games.cerveauuu.facts.events import PieceAppeared
from games.cerveauuu.model.state import State
from simulator.cerveauuu.sitting import Sitting
from tests.games.cerveauuu.properties import Watcher, assert_all_cards, assert_own_cells
from tests.games.cerveauuu.worlds import assert_not_told


def watched() -> Watcher:
    """A game at its first window in which two seats are asked, all in order so far."""
    random = Random(1)
    sitting = Sitting(3, {"placement": "random"}, b"planted").begin()
    watcher = Watcher(sitting, random)
    while len(sitting.pending()) < 2:
        watcher.learn()
        decision = sitting.pending()[0]
        sitting.choose(decision, str(decision.default))
    watcher.check()
    return watcher


def test_a_card_that_a_view_should_not_know_is_noticed() -> None:
    watcher = watched()
    truth, view = watcher.sitting.truth, watcher.sitting.views[2]
    view.hands = {**view.hands, 1: truth.hands[1]}
    with pytest.raises(AssertionError):
        watcher.assert_no_secret(2, view)


def test_an_answer_that_is_not_sealed_is_noticed() -> None:
    watcher = watched()
    sitting = watcher.sitting
    decision = sitting.pending()[0]
    sitting.choose(decision, "pass")
    other = next(seat for seat in sitting.seats if seat != decision.seat)
    watcher.assert_no_secret(other, sitting.views[other])
    view = sitting.views[other]
    assert view.window is not None
    view.window = replace(view.window, answers={decision.seat: "pass"})
    with pytest.raises(AssertionError):
        watcher.assert_no_secret(other, view)


def test_a_view_that_is_asked_otherwise_is_noticed() -> None:
    watcher = watched()
    decision = watcher.sitting.pending()[0]
    view = watcher.sitting.views[decision.seat]
    view.agenda = ()
    with pytest.raises(AssertionError):
        watcher.assert_same_decisions(decision.seat, view)


def test_a_lost_card_is_noticed() -> None:
    truth = watched().sitting.truth
    truth.piles = {**truth.piles, 1: ("c054", *truth.piles[1])}
    with pytest.raises(AssertionError):
        assert_all_cards(truth)


def test_two_pieces_on_one_cell_are_noticed() -> None:
    truth = watched().sitting.truth
    first, second = list(truth.pieces)[:2]
    twin = replace(truth.pieces[second], cell=truth.pieces[first].cell)
    truth.pieces = {**truth.pieces, second: twin}
    with pytest.raises(AssertionError):
        assert_own_cells(truth)


def test_an_id_that_comes_back_is_noticed() -> None:
    watcher = watched()
    watcher.closed |= watcher.open
    with pytest.raises(AssertionError):
        watcher.assert_fresh_ids()


def test_an_event_that_is_not_recorded_is_noticed() -> None:
    watcher = watched()
    sitting = watcher.sitting
    while sitting.truth.end is None:
        sitting.resign(sitting.truth.active()[0])
    watcher.check_end()
    sitting.truth.round += 1
    with pytest.raises(AssertionError):
        watcher.check_end()


def test_a_choice_that_tells_a_secret_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = watched()
    sitting = watcher.sitting
    decision = sitting.pending()[0]
    assert_not_told(sitting, decision, "pass", Random(2))
    rehearse = sitting.rehearse

    def telling(truth: State, decision: Decision, option: str) -> list[Event]:
        (card,) = (truth.deck or ())[-1:]
        told = PieceAppeared(piece="h99", cell="r0c0", cause=card)
        return [told, *rehearse(truth, decision, option)]

    monkeypatch.setattr(sitting, "rehearse", telling)
    with pytest.raises(AssertionError):
        assert_not_told(sitting, decision, "pass", Random(2))
