"""What a position is worth to a seat, in points (pure)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from events.kernel import Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.ids import is_human
from games.cerveauuu.model.language import AddPoints, Trigger
from games.cerveauuu.model.state import Fight, Piece, State
from games.cerveauuu.rules import combat

Worth = Callable[[State, Seat], float]
"""``worth(view, seat)``: by what cards are judged that are tried in thought."""

ZOMBIE: Final = 1.0
"""What a zombie of one's own is worth, in points."""

CARD: Final = 0.3
"""What a card in hand is worth, in points."""


def lead(state: State, seat: Seat) -> float:
    """What a seat has, less what the best of the others and the others in the mean have."""
    worths = {each: own(state, each) for each in state.seats}
    others = [worth for each, worth in worths.items() if each != seat]
    return worths[seat] - (max(others) + sum(others) / len(others)) / 2


def own(state: State, seat: Seat) -> float:
    """What a seat has itself: points, zombies, cards, and what the fight as it stands brings."""
    zombies = sum(_zombie(state, p) for p in state.zombies() if p.controller == seat)
    cards = CARD * len(state.hands[seat])
    expected = _expected(state, state.fight, seat) if state.fight is not None else 0.0
    return state.scores[seat] + ZOMBIE * zombies + cards + expected


def _zombie(state: State, piece: Piece) -> float:
    """A zombie is worth less if it cannot act any more, and little if it will not live."""
    if piece.doomed or piece.must_leave:
        return 0.1
    late = state.phase == "end" or piece.activated
    return 0.4 if piece.blocked and not late else 1.0 - 0.1 * late


def _expected(state: State, fight: Fight, seat: Seat) -> float:
    """What the result as it stands brings a seat: points, zombies, and what was staked on it."""
    losers = {"attackers": fight.defenders, "defenders": fight.attackers}.get(fight.winner or "")
    winners = {"attackers": fight.attackers, "defenders": fight.defenders}.get(fight.winner or "")
    pieces, gain = state.pieces, 0.0
    for name in losers or ():
        if combat.SAFE & set(pieces[name].protections):
            continue
        if is_human(name):
            eater = fight.share.get(name, fight.principal)
            eater = eater if eater in fight.attackers else fight.principal
            gain += (1.0 + ZOMBIE * 0.7) * (pieces[eater].controller == seat)
        elif pieces[name].controller == seat and not pieces[name].doomed:
            gain -= ZOMBIE
    return gain + _staked(state, seat, {"wins": winners or (), "loses": losers or ()})


def _staked(state: State, seat: Seat, fates: Mapping[str, Collection[str]]) -> float:
    """The points that the seat's own triggers would bring."""
    points = 0.0
    for armed in state.triggers:
        waiting = CARDS[armed.card].effect[armed.effect]
        if armed.seat != seat or not isinstance(waiting, Trigger):
            continue
        fate = fates["wins" if armed.when == "eats" else armed.when]
        if isinstance(waiting.effect, AddPoints) and any(p in fate for p in armed.pieces):
            points += waiting.effect.points
    return points
