"""Drawing cards (§4.2; pure)."""

from __future__ import annotations

from events.kernel import Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.modifiers import credits_effect
from games.cerveauuu.rules.stats import seat_stat


def draw_one(play: Play, seat: Seat) -> None:
    """One draw; an end-credits card takes effect at once and may be replaced (C14)."""
    while play.state.deck:
        card = play.state.deck[0]
        if CARDS[card].type != "end_credits":
            number = play.state.next_numbers.get(seat, 0) + 1
            play.emit(ev.CardDrawn(seat=seat, number=number, card=card))
            return
        play.emit(ev.CardDrawn(seat=seat, credits=card))
        credits_effect(play, card, seat)
        play.test_end()
        if play.over or not play.state.replacing[seat]:
            return


def draw_phase(play: Play) -> None:
    """Each seat draws, all its cards before the next one begins (§4.2, C78)."""
    for seat in play.state.order():
        for _ in range(seat_stat(play.state, seat, "draws")):
            if not play.over:
                draw_one(play, seat)
