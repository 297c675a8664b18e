"""A card takes effect: on the pile, its primitives in order, its triggers later (§5.3.4; pure)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.model.language import Effect, Trigger
from games.cerveauuu.model.state import ArmedTrigger, State
from games.cerveauuu.rules.acts import CardAct, Played
from games.cerveauuu.rules.board_effects import BOARD
from games.cerveauuu.rules.context import Play
from games.cerveauuu.rules.hand_effects import HANDS
from games.cerveauuu.rules.modifiers import READINGS
from games.cerveauuu.rules.moving_effects import MOVES
from games.cerveauuu.rules.piece_effects import PIECES
from games.dispatch import Handlers

_SUM = READINGS | PIECES | MOVES | BOARD | HANDS
_ALL: Handlers[CardAct, Effect, None] = _SUM

_HANDLERS: Final[dict[type, Callable[[CardAct, Any], None]]] = _ALL.by_type


def apply(act: CardAct, effect: Effect) -> None:
    """Carry out one effect by the events that it makes."""
    _HANDLERS[type(effect)](act, effect)


def resolve(play: Play, played: Played) -> None:
    """A card leaves its hand and takes effect (§5.3.4), until the game is over.

    The steps up to its anchor have happened, and the plan that follows them is not made here.
    """
    card = CARDS[played.card]
    state = play.state
    designated = tuple(
        part for slot, part in zip(card.target, played.slots, strict=True) if slot.is_piece
    )
    if card.type == "weather" and state.weather is not None:
        play.emit(ev.EffectsEnded(lasts="weather", card=state.weather.card))
    play.emit(
        ev.CardPlayed(
            seat=played.seat,
            number=played.number,
            card=played.card,
            choice=played.path,
            anchor=played.anchor,
            designated=designated,
            side=_side(state, designated),
            weather=card.type == "weather",
            media=card.type == "media",
        )
    )
    for place, effect in enumerate(card.effect):
        if play.over:
            return
        act = CardAct(
            play=play,
            card=card,
            seat=played.seat,
            place=place,
            slots=played.slots,
            step=played.step,
            dropped=played.dropped,
        )
        apply(act, effect)


def _side(state: State, designated: tuple[str, ...]) -> str | None:
    """The side of the first combatant that a card designates, when it is played (C38)."""
    if state.fight is None:
        return None
    sides = (state.fight.side(piece) for piece in designated)
    return next((side for side in sides if side is not None), None)


def fire(play: Play, won: Collection[str], lost: Collection[str], eaters: Collection[str]) -> None:
    """What waited for this result happens, each once, in the order in which it was played (§4.9.8).

    Args:
        play: the batch.
        won: the combatants of the side that won at the result.
        lost: those of the other side.
        eaters: the eaters of victims.
    """
    concerned = {"wins": won, "loses": lost, "eats": eaters}
    for trigger in play.state.triggers:
        if play.over:
            return
        if any(piece in concerned[trigger.when] for piece in trigger.pieces):
            _fire(play, trigger)


def _fire(play: Play, trigger: ArmedTrigger) -> None:
    play.emit(ev.TriggerFired(trigger=trigger))
    card = CARDS[trigger.card]
    waiting = card.effect[trigger.effect]
    if not isinstance(waiting, Trigger):
        raise TypeError(f"effect {trigger.effect} of {trigger.card} waits for nothing")
    act = CardAct(
        play=play, card=card, seat=trigger.seat, place=trigger.effect, slots=trigger.slots
    )
    apply(act, waiting.effect)
