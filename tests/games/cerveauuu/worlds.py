"""Games that differ only in what a seat cannot know must look the same to it (§12.3)."""

from __future__ import annotations

import copy
from random import Random

from events.kernel import Decision, Event, Seat, redact
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.state import State
from simulator.cerveauuu.sitting import Sitting, viewer


def another_world(truth: State, view: State, random: Random) -> State | None:
    """The truth with the cards that a view does not know dealt anew; None if that cannot be.

    End-credits cards stay in their places: a hand cannot hold one. Who has sealed a play has sealed
    one of its cards, so that in such a moment there is no other world.
    """
    if truth.window is not None and set(truth.window.answers.values()) - {"pass"}:
        return None
    other = copy.copy(truth)
    unknown = [(seat, n) for seat, hand in view.hands.items() for n, c in hand.items() if c is None]
    deck = list(truth.deck or ())
    places = [i for i, card in enumerate(deck) if CARDS[card].type != "end_credits"]
    cards = [str(truth.hands[seat][n]) for seat, n in unknown] + [deck[i] for i in places]
    random.shuffle(cards)
    hands = {seat: dict(hand) for seat, hand in truth.hands.items()}
    for seat, n in unknown:
        hands[seat][n] = cards.pop()
    for i in places:
        deck[i] = cards.pop()
    other.hands, other.deck = hands, tuple(deck)
    return other


def seen(events: list[Event], seat: Seat) -> list[Event]:
    """What a seat sees of events, up to the first that publishes a secret."""
    visible = []
    for event in events:
        if event.publishes:
            break
        visible.append(redact(event, viewer(seat)))
    return visible


def assert_not_told(sitting: Sitting, decision: Decision, option: str, random: Random) -> None:
    """A choice looks the same to its seat in another world that the seat cannot tell from this."""
    view = sitting.views[decision.seat]
    other = another_world(sitting.truth, view, random)
    if other is not None:
        here = sitting.rehearse(sitting.truth, decision, option)
        there = sitting.rehearse(other, decision, option)
        assert seen(here, decision.seat) == seen(there, decision.seat)
