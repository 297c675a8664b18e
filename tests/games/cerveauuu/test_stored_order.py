"""What is told by number is recorded in the order of numbers, however it was stored."""

from __future__ import annotations

import msgspec

from events import seal
from games.cerveauuu.facts.card_events import CardsDropped, DiscardsJudged
from games.cerveauuu.facts.evolve import evolve
from games.cerveauuu.model.state import State

CARDS = {9: "c035", 10: "c010"}


def stored(event: CardsDropped | DiscardsJudged) -> CardsDropped | DiscardsJudged:
    """The event as it is read again: the canonical text has 10 before 9."""
    text = seal.canonical_plain(msgspec.to_builtins(event, str_keys=True))
    assert text.index(b'"10"') < text.index(b'"9"')
    return msgspec.json.decode(text, type=type(event))


def in_hand() -> State:
    return State(hands={1: dict(CARDS)}, piles={1: ()})


def test_discards_lie_in_the_order_of_their_numbers() -> None:
    judged = DiscardsJudged(cards={1: CARDS})
    for event in (judged, stored(judged)):
        assert evolve(in_hand(), event).piles[1] == ("c035", "c010")


def test_dropped_cards_lie_in_the_order_of_their_numbers() -> None:
    dropped = CardsDropped(seat=1, cards=CARDS)
    for event in (dropped, stored(dropped)):
        assert evolve(in_hand(), event).piles[1] == ("c035", "c010")
