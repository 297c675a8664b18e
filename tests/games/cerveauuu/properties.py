"""What must be true after every step of any game of Cerveauuu!."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec

from events.kernel import Decision, Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.model.agenda import Consents
from games.cerveauuu.model.state import State
from games.trees import parts_of
from simulator.cerveauuu.sitting import Sitting


class Watcher:
    """Checks a sitting after each of its steps, with a memory of its own for who knows what.

    Args:
        sitting: the game.
        random: chooses whose decisions are compared, and which branches are walked.
        often: in so many of the steps they are.
    """

    def __init__(self, sitting: Sitting, random: Random, often: float = 1.0) -> None:
        self.sitting = sitting
        self.often = often
        self.random = random
        self.known: dict[Seat, dict[tuple[Seat, int], str]] = {n: {} for n in sitting.views}
        self.closed: set[str] = set()
        self.open: set[str] = set()
        self.checked = 0

    def check(self) -> None:
        """All that must be true now."""
        self.learn()
        state = self.sitting.truth
        assert_all_cards(state)
        assert_own_cells(state)
        for seat, view in self.sitting.views.items():
            self.assert_no_secret(seat, view)
        if self.random.random() < self.often:
            seat = self.random.choice(self.sitting.seats)
            self.assert_same_decisions(seat, self.sitting.views[seat])
        self.assert_fresh_ids()
        self.checked += 1

    def learn(self) -> None:
        """Who has learnt what by the last events (§2.9, C73)."""
        for event in self.sitting.last:
            if isinstance(event, cards.CardDrawn) and event.number is not None:
                self.known[event.seat][event.seat, event.number] = str(event.card)
            elif isinstance(event, cards.HandDealt):
                for number, card in zip(event.numbers, event.cards or (), strict=True):
                    self.known[event.seat][event.seat, number] = card
            elif isinstance(event, cards.HandSeen):
                for number, card in dict(event.cards or {}).items():
                    self.known[event.seat][event.owner, number] = card
            elif isinstance(event, cards.CardTaken):
                for knows in self.known.values():
                    if (event.seat, event.number) in knows:
                        card = knows.pop((event.seat, event.number))
                        knows[event.taker, event.taker_number] = card
                self.known[event.taker][event.taker, event.taker_number] = str(event.card)

    def assert_no_secret(self, seat: Seat, view: State) -> None:
        """A view knows just the cards that its seat has learnt, and no sealed answer of others."""
        truth, knows = self.sitting.truth, self.known[seat]
        assert view.deck is None or truth.end is not None
        for owner, hand in truth.hands.items():
            assert view.hands[owner].keys() == hand.keys()
            for number, card in view.hands[owner].items():
                assert card == knows.get((owner, number)), f"{seat} and k{number} of {owner}"
        sealed: list[tuple[Seat, object]] = [*view.discards.items()]
        if view.window is not None:
            sealed += view.window.answers.items()
        if view.fight is not None and isinstance(view.agenda[-1], Consents):
            sealed += view.fight.consents.items()
        if view.wandering is not None:
            batch = view.wandering.batch
            sealed += [(batch[h], a) for h, a in view.wandering.answers.items()]
        assert all(answer is None for owner, answer in sealed if owner != seat)

    def assert_same_decisions(self, seat: Seat, view: State) -> None:
        """A seat's view asks it what the truth asks it, at each level that is looked at."""
        game, truth = self.sitting.game, self.sitting.truth
        asked = game.decisions(truth, seat)
        assert game.decisions(view, seat) == asked
        for decision in asked:
            if decision.default is not None:
                assert game.offers(truth, decision, decision.default)
            self.assert_leaves_only(decision)
            for path in self.paths(decision):
                level = game.branch(truth, decision, path)
                assert level, f"nothing behind {path}"
                assert game.branch(view, decision, path) == level

    def assert_leaves_only(self, decision: Decision) -> None:
        """Just the leaves of a tree are offered: no branch, nothing beyond a leaf, no stranger."""
        game, truth = self.sitting.game, self.sitting.truth
        leaf = self.sitting.at_random(decision, self.random, playing=1.0)
        assert game.offers(truth, decision, leaf)
        parts = parts_of(leaf)
        for wrong in (*(".".join(parts[:i]) for i in range(1, len(parts))), f"{leaf}.end", "z99"):
            assert not game.offers(truth, decision, wrong)

    def paths(self, decision: Decision) -> Iterator[tuple[str, ...]]:
        """Some branch of each of the first levels, at random."""
        level = decision.options
        while branches := [each for each in level if each.branch]:
            path = parts_of(self.random.choice(branches).id)
            yield path
            level = self.sitting.game.branch(self.sitting.truth, decision, path)

    def assert_fresh_ids(self) -> None:
        """An id that is no longer waited for never comes back."""
        halt = self.sitting.game.halt(self.sitting.truth)
        now = {asked.id for asked in halt.asked} if halt is not None else set()
        self.closed |= self.open - now
        assert not now & self.closed
        self.open = now

    def check_end(self) -> None:
        """What must be true of a game that is over."""
        sitting = self.sitting
        again = sitting.game.initial()
        for event in sitting.events:
            again = sitting.game.evolve(again, event)
        assert msgspec.to_builtins(again) == msgspec.to_builtins(sitting.truth)
        assert sitting.game.outcome(sitting.truth) is not None
        assert not sitting.pending()


def assert_all_cards(state: State) -> None:
    """Each of the 140 cards is in one place."""
    if state.deck is None:
        raise AssertionError("the truth has no deck")
    places = Counter([*state.deck, *state.credits])
    places.update(card for hand in state.hands.values() for card in hand.values() if card)
    places.update(card for pile in state.piles.values() for card in pile)
    if state.weather is not None:
        places[state.weather.card] += 1
    assert sorted(places.elements()) == sorted(CARDS)
    assert state.deck_size == len(state.deck)


def assert_own_cells(state: State) -> None:
    """No two pieces on one cell, but for one in mid-movement (§2.4)."""
    moving: set[str | None] = set()
    if state.window is not None and state.activation is not None:
        moving.add(state.activation.zombie)
    if state.window is not None and state.panic is not None:
        moving.add(state.panic.runner)
    if state.end is not None:
        return  # movements under way stay as they are (§4.12)
    cells = [piece.cell for name, piece in state.pieces.items() if name not in moving]
    assert len(set(cells)) == len(cells)
