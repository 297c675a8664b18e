"""Effects that change how things are read: modifiers, ties, bans, triggers (§2.8, §7; pure)."""

from __future__ import annotations

from msgspec.structs import replace

from events.kernel import Seat
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import card_events as ev
from games.cerveauuu.model.language import (
    All,
    Ban,
    Duration,
    ModifyStat,
    PieceSelector,
    Seats,
    SetTie,
    Trigger,
)
from games.cerveauuu.model.state import ArmedTrigger, Modifier, TypeBan
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.context import Play
from games.dispatch import Handlers, on


def _modify(act: CardAct, effect: ModifyStat) -> None:
    _add(
        act,
        effect.on,
        Modifier(
            card=act.card.id,
            stat=effect.stat,
            lasts=effect.lasts,
            value=effect.value,
            absolute=effect.absolute,
        ),
    )


def _set_tie(act: CardAct, effect: SetTie) -> None:
    stat = "tie_win" if effect.right == "win" else "tie_none"
    _add(act, effect.on, Modifier(card=act.card.id, stat=stat, lasts=effect.lasts))


def _add(act: CardAct, selector: PieceSelector | Seats, modifier: Modifier) -> None:
    """Add a modifier of what a selector names: ``all(…)`` stays open, others are settled now."""
    if isinstance(selector, All):
        personal = not {"own", "other"}.isdisjoint(selector.pieces.filters)
        found = replace(modifier, area=selector.pieces, seat=act.seat if personal else None)
    elif isinstance(selector, Seats):
        found = replace(modifier, seats=act.seats(selector))
    else:
        found = replace(modifier, pieces=act.pieces(selector))
    if found.area is not None or found.seats or found.pieces:
        act.play.emit(ev.ModifierAdded(modifier=found))


def _ban(act: CardAct, effect: Ban) -> None:
    ban = TypeBan(card=act.card.id, type=effect.card_type, lasts=effect.lasts)
    act.play.emit(ev.BanAdded(ban=ban))


def _arm(act: CardAct, effect: Trigger) -> None:
    window = act.state.window
    in_combat = window is not None and window.kind == "combat"
    lasts: Duration = "combat" if in_combat else "round"
    pieces = act.pieces(effect.on)
    if pieces:
        trigger = ArmedTrigger(
            card=act.card.id,
            effect=act.place,
            seat=act.seat,
            when=effect.at,
            pieces=pieces,
            slots=act.slots,
            lasts=lasts,
        )
        act.play.emit(ev.TriggerArmed(trigger=trigger))


READINGS: Handlers[CardAct, ModifyStat | SetTie | Ban | Trigger, None] = (
    on(ModifyStat, _modify) | on(SetTie, _set_tie) | on(Ban, _ban) | on(Trigger, _arm)
)
"""What carries out each of these effects."""


def credits_effect(play: Play, card: str, seat: Seat) -> None:
    """An end-credits card that a seat has drawn takes effect for good (§4.2.3)."""
    drawn = CARDS[card]
    for place, effect in enumerate(drawn.effect):
        READINGS.by_type[type(effect)](CardAct(play, drawn, seat, place), effect)
