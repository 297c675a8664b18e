"""Who has learnt what: a table written by hand from the rules (§2.9, §5.3, C73), not by audiences.

| part of a game | known to |
| --- | --- |
| order of the deck | nobody |
| a card in a hand, under its number | its seat; who has looked at that hand while it lay there; \
who has lost it to its seat: a card that is taken is known on, under its new number, to all who \
knew it |
| answer to a window, in the batch, to a proposal; discards | its seat; once all are in, as far \
as the rules publish them, all |
| game key, situation of a scenario, eyes and reason of an inspection | nobody |
| everything else: pieces, scores, piles, credits, numbers of cards, yields, the plan, the \
provisional result, who has answered ... | all |

The full view (auditors) knows everything at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from events.kernel import Event, Seat
from games.cerveauuu.facts import card_events as cards
from games.cerveauuu.facts import zombie_events as more
from games.cerveauuu.model.state import CardWindow, Fight, Wandering
from games.table.events import KeyPublished

HELD: Final = ("play.deck", "situation")
"""Parts of the state that no viewer has."""

NEWS: Final[Mapping[type[Event], str]] = {
    cards.HandSeen: "play.hands",
    cards.CardTaken: "play.hands",
    cards.CardReceived: "play.hands",
    cards.VersionJudged: "play.window",
    more.ConsentsJudged: "play.fight",
    KeyPublished: "key",
}
"""Events that tell something, and the part of the state that it is in."""


class KnowledgeTable:
    """Who has learnt what so far, from the full events.

    Attributes:
        known: what each seat knows of cards in hands: by owner and number.
        news: the part of the state that the last event told of.
    """

    def __init__(self) -> None:
        self.news = ""
        self.known: dict[Seat, dict[tuple[Seat, int], str]] = {}
        self.consents_open = False
        self.key_published = False

    def note(self, event: Event) -> None:
        """Take in what an event makes known."""
        self.news = NEWS.get(type(event), "")
        taker = _TAKERS.get(type(event))
        if taker is not None:
            taker(self, event)

    def expected(self, path: str, truth: Any, seat: Seat | None) -> Any:  # noqa: ANN401 (any part)
        """What a viewer (a seat, or None: the public) sees of a part of the state."""
        look = _LOOKS.get(path)
        if look is not None:
            return None if truth is None else look(self, truth, seat)
        if path == "inspections" and truth is not UNSET:
            return tuple(replace(each, eyes=None, reason=None) for each in truth)
        unknown = path in HELD or (path == "key" and not self.key_published)
        return None if unknown else truth

    def _learns(self, seat: Seat, owner: Seat, number: int, card: object) -> None:
        self.known.setdefault(seat, {})[owner, number] = str(card)

    # --- what is told ---

    def drawn(self, event: cards.CardDrawn) -> None:
        """Who draws sees the card, unless it ends up on the credits pile, where all see it."""
        if event.number is not None:
            self._learns(event.seat, event.seat, event.number, event.card)

    def dealt(self, event: cards.HandDealt) -> None:
        """A seat sees its hand."""
        for number, card in zip(event.numbers, event.cards or (), strict=True):
            self._learns(event.seat, event.seat, number, card)

    def seen(self, event: cards.HandSeen) -> None:
        """Who looks at a hand knows the cards in it."""
        for number, card in dict(event.cards or {}).items():
            self._learns(event.seat, event.owner, number, card)

    def taken(self, event: cards.CardTaken) -> None:
        """A card goes over, with what is known of it."""
        for knows in self.known.values():
            if (event.seat, event.number) in knows:
                card = knows.pop((event.seat, event.number))
                knows[event.taker, event.taker_number] = card

    def received(self, event: cards.CardReceived) -> None:
        """Who has taken a card sees it."""
        self._learns(event.seat, event.seat, event.number, event.card)

    def proposed(self, _: more.SupportProposed) -> None:
        """Consents are asked for."""
        self.consents_open = True

    def agreed(self, _: more.ConsentsJudged) -> None:
        """All see who has consented."""
        self.consents_open = False

    def key(self, _: KeyPublished) -> None:
        """All see the key."""
        self.key_published = True

    # --- what that shows ---

    def hands(self, truth: Mapping[Seat, Mapping[int, str]], seat: Seat | None) -> Any:  # noqa: ANN401 (any part)
        """Cards by number; None for those that the viewer has not learnt."""
        knows = self.known.get(seat, {}) if seat is not None else {}
        return {
            owner: {
                number: card if (owner, number) in knows else None for number, card in hand.items()
            }
            for owner, hand in truth.items()
        }

    def window(self, truth: CardWindow, seat: Seat | None) -> CardWindow:
        """Sealed answers are their seat's."""
        return replace(truth, answers=_own(truth.answers, seat))

    def fight(self, truth: Fight, seat: Seat | None) -> Fight:
        """Consents are their seat's until all are in."""
        return replace(truth, consents=_own(truth.consents, seat)) if self.consents_open else truth

    def wandering(self, truth: Wandering, seat: Seat | None) -> Wandering:
        """Where a human of the batch goes knows the seat to which it was dealt."""
        answers = {h: a if truth.batch[h] == seat else None for h, a in truth.answers.items()}
        return replace(truth, answers=answers)

    def discards(self, truth: Mapping[Seat, object], seat: Seat | None) -> Any:  # noqa: ANN401 (any part)
        """Discards are their seat's."""
        return _own(truth, seat)


def _own(sealed: Mapping[Seat, Any], seat: Seat | None) -> dict[Seat, Any]:
    return {owner: answer if owner == seat else None for owner, answer in sealed.items()}


_TAKERS: Final[dict[type[Event], Callable[[KnowledgeTable, Any], None]]] = {
    cards.CardDrawn: KnowledgeTable.drawn,
    cards.HandDealt: KnowledgeTable.dealt,
    cards.HandSeen: KnowledgeTable.seen,
    cards.CardTaken: KnowledgeTable.taken,
    cards.CardReceived: KnowledgeTable.received,
    more.SupportProposed: KnowledgeTable.proposed,
    more.ConsentsJudged: KnowledgeTable.agreed,
    KeyPublished: KnowledgeTable.key,
}

_LOOKS: Final[dict[str, Callable[[KnowledgeTable, Any, Seat | None], Any]]] = {
    "play.hands": KnowledgeTable.hands,
    "play.window": KnowledgeTable.window,
    "play.fight": KnowledgeTable.fight,
    "play.wandering": KnowledgeTable.wandering,
    "play.discards": KnowledgeTable.discards,
}
