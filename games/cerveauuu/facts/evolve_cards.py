"""How events of cards and windows are recorded in the state (pure)."""

from __future__ import annotations

from msgspec.structs import replace

from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.facts.recording import (
    add_to,
    change,
    give,
    in_order,
    known,
    pile_up,
    take_away,
    without,
)
from games.cerveauuu.model.state import CardWindow, LastPlay, State, Weather
from games.dispatch import Handlers, on


def _drawn(s: State, e: ev.CardDrawn) -> None:
    s.deck_size -= 1
    if s.deck is not None:
        s.deck = s.deck[1:]
    if e.credits is not None:
        s.credits = (*s.credits, e.credits)
    if e.number is not None:
        give(s, e.seat, e.number, known(e.card))


def _dealt(s: State, e: ev.HandDealt) -> None:
    cards = known(e.cards) or (None,) * len(e.numbers)
    for number, card in zip(e.numbers, cards, strict=True):
        give(s, e.seat, number, card)


def _returned(s: State, e: ev.CreditsReturned) -> None:
    s.credits = tuple(card for card in s.credits if card != e.card)
    s.modifiers = tuple(m for m in s.modifiers if m.card != e.card)


def _need(s: State, e: ev.CreditsNeedRaised) -> None:
    s.credits_need = e.need


def _replacement(s: State, e: ev.ReplacementChosen) -> None:
    s.replacing = {**s.replacing, e.seat: e.replace}


def _yield(s: State, e: ev.YieldChosen) -> None:
    s.yields = without(s.yields, e.seat)
    if e.order is not None:
        s.yields = {**s.yields, e.seat: e.order}
    if s.window is not None:
        suspended = tuple(seat for seat in s.window.suspended if seat != e.seat)
        s.window = replace(s.window, suspended=suspended)


def _yields_ended(s: State, e: ev.YieldsEnded) -> None:
    s.yields = without(s.yields, *e.seats)


def _opened(s: State, e: ev.WindowOpened) -> None:
    s.windows = e.number
    s.window = CardWindow(number=e.number, kind=e.kind, trigger=e.trigger)


def _version(s: State, e: ev.VersionBegan) -> None:
    if s.window is not None:
        s.window = replace(
            s.window,
            version=e.version,
            trigger=e.trigger,
            order=e.order,
            passed=e.passed,
            answers={},
        )


def _answer(s: State, e: ev.AnswerGiven) -> None:
    if s.window is not None:
        s.window = replace(s.window, answers={**s.window.answers, e.seat: known(e.choice)})


def _judged(s: State, _: ev.VersionJudged) -> None:
    """What the others have sealed is void, and gone (§5.3.3)."""
    if s.window is not None:
        s.window = replace(s.window, answers={})


def _played(s: State, e: ev.CardPlayed) -> None:
    take_away(s, e.seat, (e.number,))
    s.played = add_to(s.played, e.seat, 1)
    if not e.weather:
        pile_up(s, e.seat, (e.card,))
    else:
        if s.weather is not None:
            pile_up(s, s.weather.seat, (s.weather.card,))
        s.weather = Weather(card=e.card, seat=e.seat)
    s.media_lock = s.media_lock or e.media
    for name in e.designated:
        change(s, (name,), touched_by=(*s.pieces[name].touched_by, e.seat))
    if s.window is not None:
        last = LastPlay(seat=e.seat, card=e.card, designated=e.designated)
        suspended = tuple(seat for seat in s.seats if seat != e.seat or seat in s.window.suspended)
        s.window = replace(s.window, last=last, suspended=suspended)
    if s.fight is not None and e.side is not None:
        s.fight = replace(s.fight, last_side=e.side)


def _closed(s: State, _: ev.WindowClosed) -> None:
    s.window = None


def _dropped(s: State, e: ev.CardsDropped) -> None:
    take_away(s, e.seat, e.cards)
    pile_up(s, e.seat, in_order(e.cards))


def _taken(s: State, e: ev.CardTaken) -> None:
    card = s.hands[e.seat].get(e.number)
    take_away(s, e.seat, (e.number,))
    give(s, e.taker, e.taker_number, known(e.card) or card)


def _received(s: State, e: ev.CardReceived) -> None:
    give(s, e.seat, e.number, known(e.card) or s.hands[e.seat].get(e.number))


def _seen(s: State, e: ev.HandSeen) -> None:
    cards = known(e.cards)
    if cards is not None:
        s.hands = {**s.hands, e.owner: {**s.hands[e.owner], **cards}}


def _swapped(s: State, e: ev.CardSwapped) -> None:
    take_away(s, e.seat, (e.number,))
    pile_up(s, e.seat, (e.card,))
    s.swapped = (*s.swapped, e.seat)


def _discard(s: State, e: ev.DiscardChosen) -> None:
    s.discards = {**s.discards, e.seat: known(e.numbers)}


def _discards(s: State, e: ev.DiscardsJudged) -> None:
    s.discards = {}
    for seat, cards in e.cards.items():
        take_away(s, seat, cards)
        pile_up(s, seat, in_order(cards))


def _modifier(s: State, e: ev.ModifierAdded) -> None:
    s.modifiers = (*s.modifiers, e.modifier)


def _ban(s: State, e: ev.BanAdded) -> None:
    s.bans = (*s.bans, e.ban)


def _armed(s: State, e: ev.TriggerArmed) -> None:
    s.triggers = (*s.triggers, e.trigger)


def _fired(s: State, e: ev.TriggerFired) -> None:
    s.triggers = tuple(t for t in s.triggers if t != e.trigger)


def _effects(s: State, e: ev.EffectsEnded) -> None:
    s.modifiers = tuple(
        m for m in s.modifiers if m.lasts != e.lasts or e.card not in {None, m.card}
    )
    s.bans = tuple(b for b in s.bans if b.lasts != e.lasts or e.card not in {None, b.card})
    s.triggers = tuple(t for t in s.triggers if t.lasts != e.lasts)  # weather arms none


CARD_RECORDERS: Handlers[State, ev.CardEvent, None] = (
    on(ev.CardDrawn, _drawn)
    | on(ev.HandDealt, _dealt)
    | on(ev.CreditsReturned, _returned)
    | on(ev.CreditsNeedRaised, _need)
    | on(ev.ReplacementChosen, _replacement)
    | on(ev.YieldChosen, _yield)
    | on(ev.YieldsEnded, _yields_ended)
    | on(ev.WindowOpened, _opened)
    | on(ev.VersionBegan, _version)
    | on(ev.AnswerGiven, _answer)
    | on(ev.VersionJudged, _judged)
    | on(ev.CardPlayed, _played)
    | on(ev.WindowClosed, _closed)
    | on(ev.CardsDropped, _dropped)
    | on(ev.CardTaken, _taken)
    | on(ev.CardReceived, _received)
    | on(ev.HandSeen, _seen)
    | on(ev.CardSwapped, _swapped)
    | on(ev.DiscardChosen, _discard)
    | on(ev.DiscardsJudged, _discards)
    | on(ev.ModifierAdded, _modifier)
    | on(ev.BanAdded, _ban)
    | on(ev.TriggerArmed, _armed)
    | on(ev.TriggerFired, _fired)
    | on(ev.EffectsEnded, _effects)
)
"""How each of them is recorded."""
