"""What may be told, when and to whom, by hand from the rules: and that what is told is true."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.kernel import Audience, Event
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import events as ev
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.language import LookAtHand
from games.cerveauuu.model.state import State
from simulator.run import require

SECRETS: Final[Mapping[type[Event], tuple[str, Audience]]] = {
    ev.DeckShuffled: ("cards", Audience.END),
    cards.CardDrawn: ("card", Audience.SEAT),
    cards.HandDealt: ("cards", Audience.SEAT),
    cards.AnswerGiven: ("choice", Audience.KEPT),
    cards.CardTaken: ("card", Audience.SEAT),
    cards.CardReceived: ("card", Audience.SEAT),
    cards.HandSeen: ("cards", Audience.SEAT),
    cards.DiscardChosen: ("numbers", Audience.SEAT),
    more.BatchAnswered: ("choice", Audience.SEAT),
    more.ConsentGiven: ("accepts", Audience.SEAT),
}
"""What is secret, and whose (§12.2): all other fields of all other events are public."""

PUBLISHING: Final[frozenset[type[Event]]] = frozenset(
    {
        cards.CardDrawn,
        cards.VersionJudged,
        cards.CardPlayed,
        cards.CardsDropped,
        cards.CardTaken,
        cards.CardReceived,
        cards.HandSeen,
        cards.CardSwapped,
        cards.DiscardsJudged,
        more.BatchJudged,
        more.ConsentsJudged,
        ev.GameEnded,
    }
)
"""What may make a secret known (§12.3)."""


class InformationFlow:
    """Looks at each event before it is folded.

    Attributes:
        looker: the seat whose card lets it look at a hand now.
    """

    def __init__(self) -> None:
        self.looker: int | None = None

    def look(self, state: State | None, event: Event) -> None:
        """Check an event against the truth as it is before it.

        Raises:
            PropertyBroken: it says what is not so, or tells somebody who may not know.
        """
        if type(event) in ev.EVENTS:
            self._audience(event)
        rule = _RULES.get(type(event))
        if rule is not None and state is not None:
            rule(self, state, event)

    def batch_ended(self, state: State | None) -> None:
        """Nothing is owed from one batch to the next but the look of a card."""
        del state

    def _audience(self, event: Event) -> None:
        kind = type(event)
        found = {name: event.audiences[name] for name in event.secrets}
        wanted = dict([SECRETS[kind]]) if kind in SECRETS else {}
        require(found == wanted, f"{kind.__name__} keeps {found}, not {wanted}")
        require(event.publishes == (kind in PUBLISHING), f"{kind.__name__} publishes, or does not")

    def drawn(self, state: State, event: cards.CardDrawn) -> None:
        """The card on top, and whether it is an end-credits card."""
        top = (state.deck or ("",))[0]
        ends = CARDS[top].type == "end_credits"
        require((event.credits if ends else event.card) == top, "another card is drawn")
        require((event.number is None) == ends, "an end-credits card joins a hand, or none does")

    def judged_version(self, state: State, event: cards.VersionJudged) -> None:
        """The first play in the order of answers counts, and no other is told of (§5.3.3)."""
        window = state.window
        require(window is not None, "a version is judged and no window is open")
        if window is None:
            return
        given = {s: a for s, a in window.answers.items() if s not in state.dormant}
        first = next((s for s in window.order if given.get(s) not in {None, "pass"}), None)
        told = (event.seat, event.choice)
        require(told == (first, given.get(first or 0)), f"{told} is judged, and {first} played")
        if first is not None:
            card = state.hands[first].get(event.number or 0)
            require(event.card == card, f"{event.card} is told of, and {card} is played")

    def played(self, state: State, event: cards.CardPlayed) -> None:
        """A card of the hand, under its number; one that looks lets its player look."""
        require(state.hands[event.seat].get(event.number) == event.card, "another card is played")
        looks = any(isinstance(effect, LookAtHand) for effect in CARDS[event.card].effect)
        self.looker = event.seat if looks else None

    def seen(self, state: State, event: cards.HandSeen) -> None:
        """Only who has just played a card that looks, and only what is there (C73)."""
        require(self.looker == event.seat, f"seat {event.seat} looks, and no card lets it")
        hand = state.hands[event.owner]
        require(dict(event.cards or {}) == dict(hand), "a look shows another hand")

    def taken(self, state: State, event: cards.CardTaken) -> None:
        """A card of the hand that loses it."""
        require(state.hands[event.seat].get(event.number) == event.card, "another card is taken")
        number = state.next_numbers.get(event.taker, 0) + 1
        require(event.taker_number == number, "a number is used twice, or left out")

    def dropped(self, state: State, event: cards.CardsDropped) -> None:
        """Cards of the hand, under their numbers."""
        hand = state.hands[event.seat]
        require(event.cards.items() <= hand.items(), "other cards are dropped")

    def discarded(self, state: State, event: cards.DiscardsJudged) -> None:
        """What each seat has sealed, or its default once it has resigned."""
        for seat, given in event.cards.items():
            hand = state.hands[seat]
            require(given.items() <= hand.items(), "other cards are discarded")
            sealed = state.discards.get(seat)
            kept = sealed is None or seat in state.dormant or set(sealed) == set(given)
            require(kept, f"seat {seat} has sealed other discards")

    def batch(self, state: State, event: more.BatchJudged) -> None:
        """Each choice as it was sealed; who has resigned lets its humans stay."""
        wandering = state.wandering
        answers = {} if wandering is None else wandering.answers
        batch = {} if wandering is None else wandering.batch
        for human, told in event.choices.items():
            gone = batch.get(human) in state.dormant
            require(gone or answers.get(human, "stay") == told, f"{human} had another answer")

    def consents(self, state: State, event: more.ConsentsJudged) -> None:
        """Each consent as it was sealed; who has resigned declines."""
        sealed = {} if state.fight is None else state.fight.consents
        for seat, told in event.accepts.items():
            gone = seat in state.dormant
            require(gone or sealed.get(seat) == told, f"seat {seat} had another answer")


_RULES: Final[dict[type[Event], Callable[[InformationFlow, State, Any], None]]] = {
    cards.CardDrawn: InformationFlow.drawn,
    cards.VersionJudged: InformationFlow.judged_version,
    cards.CardPlayed: InformationFlow.played,
    cards.HandSeen: InformationFlow.seen,
    cards.CardTaken: InformationFlow.taken,
    cards.CardsDropped: InformationFlow.dropped,
    cards.DiscardsJudged: InformationFlow.discarded,
    more.BatchJudged: InformationFlow.batch,
    more.ConsentsJudged: InformationFlow.consents,
}
