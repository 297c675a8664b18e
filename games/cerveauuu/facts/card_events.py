"""What happens with cards and windows (§2.9, §5; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import UNSET

from events.kernel import Event, Kept, OnlySeat, Public, Seat
from games.cerveauuu.model.language import Duration, Window
from games.cerveauuu.model.state import ArmedTrigger, Modifier, TypeBan, YieldOrder


class CardDrawn(Event, frozen=True, tag="card-drawn"):
    """A seat drew a card (§4.2).

    Either it joined the hand under ``number``, or it is the end-credits card ``credits``, which
    lies in the credits pile now.
    """

    publishes = True
    seat: Public[Seat]
    number: Public[int | None] = None
    credits: Public[str | None] = None
    card: OnlySeat[str] = UNSET


class HandDealt(Event, frozen=True, tag="hand-dealt"):
    """A situation gave a seat its hand: ``numbers`` and, in the same order, the cards."""

    seat: Public[Seat]
    numbers: Public[tuple[int, ...]]
    cards: OnlySeat[tuple[str, ...]] = UNSET


class CreditsReturned(Event, frozen=True, tag="credits-returned"):
    """An end-credits card left play, with its effect; ``DeckShuffled`` follows."""

    card: Public[str]


class CreditsNeedRaised(Event, frozen=True, tag="credits-need-raised"):
    """So many end-credits cards are needed now for the game to end."""

    need: Public[int]


class ReplacementChosen(Event, frozen=True, tag="replacement-chosen"):
    """A seat said whether it replaces end-credits cards that it draws (C14)."""

    seat: Public[Seat]
    replace: Public[bool]


class YieldChosen(Event, frozen=True, tag="yield-chosen"):
    """A seat gave a standing order to pass, or took it back (§5.6)."""

    seat: Public[Seat]
    order: Public[YieldOrder | None] = None


class YieldsEnded(Event, frozen=True, tag="yields-ended"):
    """The standing orders of these seats are over."""

    seats: Public[tuple[Seat, ...]]


class WindowOpened(Event, frozen=True, tag="window-opened"):
    """A window opened (§5.1); ``number`` counts all windows of the game."""

    number: Public[int]
    kind: Public[Window]
    trigger: Public[Seat]


class VersionBegan(Event, frozen=True, tag="version-began"):
    """A version of the window began: the order of answers, and who is passed at once (§5.3.2)."""

    version: Public[int]
    trigger: Public[Seat]
    order: Public[tuple[Seat, ...]]
    passed: Public[Mapping[Seat, str]]


class AnswerGiven(Event, frozen=True, tag="answer-given"):
    """A seat handed in its answer, or replaced it: ``pass`` or the path of a play.

    An answer that is void stays the seat's own for ever (§5.3.3).
    """

    seat: Public[Seat]
    choice: Kept[str] = UNSET


class VersionJudged(Event, frozen=True, tag="version-judged"):
    """All answers are in (§5.3.3): all have passed, or ``seat`` plays ``card`` by ``choice``."""

    publishes = True
    seat: Public[Seat | None] = None
    number: Public[int | None] = None
    card: Public[str | None] = None
    choice: Public[str | None] = None


class CardPlayed(Event, frozen=True, tag="card-played"):
    """A card left its hand for the pile, or for the slot of the weather (§5.3.4).

    The old weather goes to the pile of the seat that had played it. ``designated`` are the pieces
    in the card's slots, in order; ``side`` the side of its first designated combatant.
    """

    publishes = True
    seat: Public[Seat]
    number: Public[int]
    card: Public[str]
    choice: Public[str]
    anchor: Public[int | None] = None
    designated: Public[tuple[str, ...]] = ()
    side: Public[str | None] = None
    weather: Public[bool] = False
    media: Public[bool] = False


class WindowClosed(Event, frozen=True, tag="window-closed"):
    """The window closed (§5.3.6)."""


class CardsDropped(Event, frozen=True, tag="cards-dropped"):
    """Cards went unplayed to their seat's pile, by number (§7, ``drop``)."""

    publishes = True
    seat: Public[Seat]
    cards: Public[Mapping[int, str]]


class CardTaken(Event, frozen=True, tag="card-taken"):
    """A card went by chance from ``seat`` to ``taker``, who holds it as ``taker_number``.

    Who knew it knows it still (C73). ``CardReceived`` follows.
    """

    publishes = True
    seat: Public[Seat]
    number: Public[int]
    taker: Public[Seat]
    taker_number: Public[int]
    card: OnlySeat[str] = UNSET


class CardReceived(Event, frozen=True, tag="card-received"):
    """What the taker of ``CardTaken`` has got."""

    publishes = True
    seat: Public[Seat]
    number: Public[int]
    card: OnlySeat[str] = UNSET


class HandSeen(Event, frozen=True, tag="hand-seen"):
    """``seat`` looked at the hand of ``owner``; ``cards`` by number (§7, ``look``)."""

    publishes = True
    seat: Public[Seat]
    owner: Public[Seat]
    cards: OnlySeat[Mapping[int, str]] = UNSET


class CardSwapped(Event, frozen=True, tag="card-swapped"):
    """The trailing seat put a card unplayed on its pile (§4.6); a draw follows."""

    publishes = True
    seat: Public[Seat]
    number: Public[int]
    card: Public[str]


class DiscardChosen(Event, frozen=True, tag="discard-chosen"):
    """A seat handed in its discards, or replaced them (§4.11.1)."""

    seat: Public[Seat]
    numbers: OnlySeat[tuple[int, ...]] = UNSET


class DiscardsJudged(Event, frozen=True, tag="discards-judged"):
    """All discards are in: the cards by seat and number."""

    publishes = True
    cards: Public[Mapping[Seat, Mapping[int, str]]]


class ModifierAdded(Event, frozen=True, tag="modifier-added"):
    """A stat reads otherwise from now on (§2.8)."""

    modifier: Public[Modifier]


class BanAdded(Event, frozen=True, tag="ban-added"):
    """Cards of a type cannot be played from now on."""

    ban: Public[TypeBan]


class TriggerArmed(Event, frozen=True, tag="trigger-armed"):
    """A ``when`` waits to fire (§7)."""

    trigger: Public[ArmedTrigger]


class TriggerFired(Event, frozen=True, tag="trigger-fired"):
    """A ``when`` fired, once; its effect follows."""

    trigger: Public[ArmedTrigger]


class EffectsEnded(Event, frozen=True, tag="effects-ended"):
    """Modifiers, bans and triggers that last so long are over, or only those of ``card``."""

    lasts: Public[Duration]
    card: Public[str | None] = None


CardEvent = (
    CardDrawn
    | HandDealt
    | CreditsReturned
    | CreditsNeedRaised
    | ReplacementChosen
    | YieldChosen
    | YieldsEnded
    | WindowOpened
    | VersionBegan
    | AnswerGiven
    | VersionJudged
    | CardPlayed
    | WindowClosed
    | CardsDropped
    | CardTaken
    | CardReceived
    | HandSeen
    | CardSwapped
    | DiscardChosen
    | DiscardsJudged
    | ModifierAdded
    | BanAdded
    | TriggerArmed
    | TriggerFired
    | EffectsEnded
)

CARD_EVENTS: Final[tuple[type[Event], ...]] = get_args(CardEvent)
