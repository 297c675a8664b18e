"""Effects on hands, deck, credits and scores (§4.2, §7; pure)."""

from __future__ import annotations

from collections.abc import Iterable

from events.kernel import Seat
from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.facts.events import DeckShuffled, ScoreChanged
from games.cerveauuu.model.language import (
    AddPoints,
    DrawCards,
    DropCards,
    LookAtHand,
    RaiseCreditsNeed,
    ReturnCredits,
    Seats,
    TakeCard,
)
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.drawing import draw_one
from games.dispatch import Handlers, on


def _held(state: State, seat: Seat) -> dict[int, str]:
    """A hand as the truth knows it, in the order of its numbers.

    Raises:
        ValueError: the state is a view that does not know a card of it.
    """
    hand = {}
    for number, card in sorted(state.hands[seat].items()):
        if card is None:
            raise ValueError(f"the hand of seat {seat} is not known")
        hand[number] = card
    return hand


def _draw(act: CardAct, effect: DrawCards) -> None:
    for seat in act.seats(effect.seats):
        for _ in range(effect.number):
            if not act.play.over:
                draw_one(act.play, seat)


def _drop(act: CardAct, effect: DropCards) -> None:
    if effect.seats == Seats("me"):
        _lose(act, act.seat, act.dropped)
        return
    for seat in act.seats(effect.seats):
        numbers = sorted(act.state.hands[seat])
        if numbers:
            order = act.play.context.draw.shuffled(numbers, f"{act.card.id}/drop/{seat}")
            _lose(act, seat, sorted(order[: effect.number]))


def _lose(act: CardAct, seat: Seat, numbers: Iterable[int]) -> None:
    hand = _held(act.state, seat)
    cards = {number: hand[number] for number in numbers}
    if cards:
        act.play.emit(ev.CardsDropped(seat=seat, cards=cards))


def _take(act: CardAct, effect: TakeCard) -> None:
    (seat,) = act.seats(effect.seat)
    hand = _held(act.state, seat)
    if not hand:
        return
    number = act.play.context.draw.choice(list(hand), f"{act.card.id}/take")
    new, card = act.state.next_numbers.get(act.seat, 0) + 1, hand[number]
    act.play.emit(
        ev.CardTaken(seat=seat, number=number, taker=act.seat, taker_number=new, card=card)
    )
    act.play.emit(ev.CardReceived(seat=act.seat, number=new, card=card))


def _look(act: CardAct, effect: LookAtHand) -> None:
    (owner,) = act.seats(effect.seat)
    hand = _held(act.state, owner)
    if hand:
        act.play.emit(ev.HandSeen(seat=act.seat, owner=owner, cards=hand))


def _score(act: CardAct, effect: AddPoints) -> None:
    for seat in act.seats(effect.seats):
        act.play.emit(ScoreChanged(seat=seat, points=effect.points))


def _return(act: CardAct, _: ReturnCredits) -> None:
    state = act.state
    if not state.credits:
        return
    if state.deck is None:
        raise ValueError("the order of the deck is not known")
    latest = state.credits[-1]
    act.play.emit(ev.CreditsReturned(card=latest))
    cards = act.play.context.draw.shuffled((*state.deck, latest), f"deck/{state.shuffles}")
    act.play.emit(DeckShuffled(size=len(cards), cards=tuple(cards)))


def _need(act: CardAct, effect: RaiseCreditsNeed) -> None:
    act.play.emit(ev.CreditsNeedRaised(need=act.state.credits_need + effect.value))


HANDS: Handlers[
    CardAct,
    DrawCards | DropCards | TakeCard | LookAtHand | AddPoints | ReturnCredits | RaiseCreditsNeed,
    None,
] = (
    on(DrawCards, _draw)
    | on(DropCards, _drop)
    | on(TakeCard, _take)
    | on(LookAtHand, _look)
    | on(AddPoints, _score)
    | on(ReturnCredits, _return)
    | on(RaiseCreditsNeed, _need)
)
"""What carries out each of these effects."""
