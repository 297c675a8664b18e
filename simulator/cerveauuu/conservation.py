"""Nothing is lost and nothing made: cards, pieces, points, numbers, ids, answers (§2, §4, §5)."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from events.kernel import Event, Seat, fold
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.state import State
from simulator.cerveauuu.run import Run
from simulator.run import RunStep, require

FACT: Final[Any] = functools.reduce(operator.or_, ev.EVENTS)

_WHOLE: Final = Counter(list(CARDS))

BATCH_MAX: Final = 200
"""A batch never has more events: those of some windows that all have passed, one after another."""


class Conservation:
    """Keeps its own account of a game, by its events alone.

    Attributes:
        pieces: those on the board, by id.
        gone: ids that were on the board once.
        scores: of each seat.
        numbers: the last number that a card got in each hand.
        asked: the seats that are asked for an answer to a window, those that have given one too.
    """

    def __init__(self) -> None:
        self.pieces: set[str] = set()
        self.gone: set[str] = set()
        self.scores: Counter[Seat] = Counter()
        self.played: Counter[Seat] = Counter()
        self.numbers: Counter[Seat] = Counter()
        self.asked: set[Seat] = set()

    def accepted(self, match: Run, step: RunStep) -> None:
        """Take the events of a command in, and look at the position after them."""
        del match
        self.take_in(step.events, step.after.play)

    def take_in(self, events: Sequence[Event], state: State | None) -> None:
        """Take a batch in, and look at the position after it.

        Raises:
            PropertyBroken: something is lost, or made of nothing.
        """
        require(len(events) <= BATCH_MAX, f"a batch of {len(events)} events")
        for event in events:
            account = _ACCOUNTS.get(type(event))
            if account is not None:
                account(self, event)
        if state is None or not state.seats:
            return
        require(state.pieces.keys() == self.pieces, "other pieces than have appeared")
        for seat in state.seats:
            require(state.scores.get(seat, 0) == self.scores[seat], "points from nowhere")
            require(state.played.get(seat, 0) == self.played[seat], "cards played by nobody")
            require(state.next_numbers.get(seat, 0) == self.numbers[seat], "a number is left out")
        all_cards(state)
        own_cells(state)

    def ended(self, match: Run) -> None:
        """The whole log, folded at once, gives the same end; each event is stored as it was."""
        require(fold(match.table, match.log) == match.state, "the log does not give the state")
        for event in match.log:
            if type(event) in ev.EVENTS:
                again = msgspec.json.decode(msgspec.json.encode(event), type=FACT)
                require(again == event, f"{event} is stored as {again}")

    # --- what an event changes ---

    def laid(self, event: ev.SituationSet) -> None:
        """A position was given."""
        for piece in event.pieces:
            self._comes(piece.id)
        self.scores.update(event.scores)
        self.played.update(event.played)

    def appeared(self, event: ev.PieceAppeared) -> None:
        """A piece comes."""
        self._comes(event.piece)

    def lost(self, event: ev.PieceLost) -> None:
        """A piece goes, for nothing."""
        self._goes(event.piece)

    def eaten(self, event: more.HumanEaten) -> None:
        """A human goes, a zombie comes, for a point."""
        self._goes(event.human)
        self._comes(event.zombie)
        self.scores[event.seat] += 1

    def scored(self, event: ev.ScoreChanged) -> None:
        """A card gives points, or takes them."""
        self.scores[event.seat] += event.points

    def card_played(self, event: cards.CardPlayed) -> None:
        """A card counts once it is played."""
        self.played[event.seat] += 1

    def drawn(self, event: cards.CardDrawn) -> None:
        """A card joins a hand."""
        if event.number is not None:
            self._joins(event.seat, event.number)

    def dealt(self, event: cards.HandDealt) -> None:
        """Some do."""
        for number in event.numbers:
            self._joins(event.seat, number)

    def taken(self, event: cards.CardTaken) -> None:
        """A card joins another hand."""
        self._joins(event.taker, event.taker_number)

    def begun(self, event: cards.VersionBegan) -> None:
        """Everybody is asked for whom the engine has not passed."""
        self.asked = set(event.order) - event.passed.keys()

    def answered(self, event: cards.AnswerGiven) -> None:
        """Somebody answers who is asked."""
        require(event.seat in self.asked, f"seat {event.seat} answers and is not asked")

    def judged(self, _: cards.VersionJudged) -> None:
        """Nobody is asked until the next version begins."""
        self.asked = set()

    def withdrew(self, event: ev.SeatWithdrew) -> None:
        """Who has resigned is asked no more."""
        self.asked.discard(event.seat)

    def _joins(self, seat: Seat, number: int) -> None:
        require(number == self.numbers[seat] + 1, f"seat {seat} gets its k{number} out of turn")
        self.numbers[seat] = number

    def _comes(self, piece: str) -> None:
        require(piece not in self.gone | self.pieces, f"{piece} comes a second time")
        self.pieces.add(piece)

    def _goes(self, piece: str) -> None:
        require(piece in self.pieces, f"{piece} goes and was not there")
        self.pieces.remove(piece)
        self.gone.add(piece)


_ACCOUNTS: Final[dict[type[Event], Callable[[Conservation, Any], None]]] = {
    ev.SituationSet: Conservation.laid,
    ev.PieceAppeared: Conservation.appeared,
    ev.PieceLost: Conservation.lost,
    ev.ScoreChanged: Conservation.scored,
    more.HumanEaten: Conservation.eaten,
    cards.CardPlayed: Conservation.card_played,
    cards.CardDrawn: Conservation.drawn,
    cards.HandDealt: Conservation.dealt,
    cards.CardTaken: Conservation.taken,
    cards.VersionBegan: Conservation.begun,
    cards.AnswerGiven: Conservation.answered,
    cards.VersionJudged: Conservation.judged,
    ev.SeatWithdrew: Conservation.withdrew,
}


def all_cards(state: State) -> None:
    """Each of the 140 cards is in one place.

    Raises:
        PropertyBroken: one is nowhere, or in two places.
    """
    places = Counter([*(state.deck or ()), *state.credits])
    places.update(str(card) for hand in state.hands.values() for card in hand.values())
    places.update(card for pile in state.piles.values() for card in pile)
    if state.weather is not None:
        places[state.weather.card] += 1
    require(places == _WHOLE, "a card is nowhere, or in two places")
    require(state.deck_size == len(state.deck or ()), "the deck has another size")


def own_cells(state: State) -> None:
    """No two pieces on one cell, but for one in mid-movement (§2.4).

    Raises:
        PropertyBroken: there are.
    """
    if state.end is not None:
        return  # movements under way stay as they are (§4.12)
    moving: set[str | None] = set()
    if state.window is not None and state.activation is not None:
        moving.add(state.activation.zombie)
    if state.window is not None and state.panic is not None:
        moving.add(state.panic.runner)
    taken = Counter(piece.cell for name, piece in state.pieces.items() if name not in moving)
    require(all(count == 1 for count in taken.values()), "two pieces stand on one cell")
