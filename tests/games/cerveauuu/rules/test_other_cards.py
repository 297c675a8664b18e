"""Plays of cards that the deck has not, but that its language can say (§5.2h, §7, C79)."""

from __future__ import annotations

import pytest

from games.cerveauuu.deck import CARDS
from games.cerveauuu.deck.notation import (
    ANY,
    ME,
    ONE,
    TWO,
    c,
    cell,
    drop,
    edge,
    event,
    h,
    step,
    w,
    x,
)
from games.cerveauuu.model.language import Effect, Slot
from games.cerveauuu.model.state import State
from tests.games.cerveauuu.rules.staging import lay, leaves, offered, play_card

TUNNEL = (h(), w(), edge(TWO, "breach", "lasting"), step(ONE, 1))
PIT = (x(), c(), cell(TWO, "impassable", "round"), step(ONE, 1))
TOLL = (h(), step(ONE, 1), drop(ME, 1))


def holding(
    monkeypatch: pytest.MonkeyPatch, *parts: Slot | Effect, pieces: str, more: str = ""
) -> State:
    """A position in which seat 1 holds such a card."""
    monkeypatch.setitem(CARDS, "c131", event("c131", ANY, *parts))
    return lay(pieces, hands={1: f"c131 {more}"})


def test_a_step_leads_through_a_wall_that_the_same_card_has_breached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = holding(monkeypatch, *TUNNEL, pieces="h01@r1c3")
    assert offered(state, 1, "play.k1.h01.r1c3e.r1c4")
    assert not offered(state, 1, "play.k1.h01.r0c3s.r1c4")
    after = play_card(state, 1, "play.k1.h01.r1c3e.r1c4").state
    assert after.pieces["h01"].cell == "r1c4"


def test_a_step_does_not_lead_onto_ground_that_the_same_card_has_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = holding(monkeypatch, *PIT, pieces="h01@r3c4")
    assert offered(state, 1, "play.k1.h01.r3c5.r3c3")
    assert not offered(state, 1, "play.k1.h01.r3c5.r3c5")
    assert not offered(state, 1, "play.k1.h01.r3c4.r3c4")
    assert offered(state, 1, "play.k1.h01.r3c4.r3c5")


def test_the_cards_to_drop_are_told_behind_the_cell_where_a_step_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = holding(monkeypatch, *TOLL, pieces="h01@r0c0", more="c055 c054")
    cells = ("r0c0", "r0c1", "r1c0", "r1c1")
    assert set(leaves(state, 1)) == {f"play.k1.h01.{each}.k{n}" for each in cells for n in (2, 3)}
    assert not offered(state, 1, "play.k1.h01.r0c2.k2")
    assert not offered(state, 1, "play.k1.h01.r0c1.k1")
    after = play_card(state, 1, "play.k1.h01.r0c1.k3").state
    assert (after.pieces["h01"].cell, after.hands[1]) == ("r0c1", {2: "c055"})
