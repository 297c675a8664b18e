"""What happens in wandering, goes and fights (§4.5-§4.9; pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from msgspec import UNSET

from events.kernel import Event, OnlySeat, Public, Seat
from games.cerveauuu.model.state import Cell, Proposal

Side = Literal["attackers", "defenders"]


class WanderingBegan(Event, frozen=True, tag="wandering-began"):
    """The turns of wandering began (§4.5.1)."""


class HumanWandered(Event, frozen=True, tag="human-wandered"):
    """In its turn of wandering a seat moved a human."""

    seat: Public[Seat]
    human: Public[str]
    path: Public[tuple[Cell, ...]]


class WanderPassed(Event, frozen=True, tag="wander-passed"):
    """A seat passed its turn of wandering."""

    seat: Public[Seat]


class BatchDealt(Event, frozen=True, tag="batch-dealt"):
    """The rest of the pool was dealt: each human to its seat (§4.5.2).

    ``asked`` are those that can go somewhere; the others stay.
    """

    humans: Public[Mapping[str, Seat]]
    asked: Public[tuple[str, ...]] = ()


class BatchAnswered(Event, frozen=True, tag="batch-answered"):
    """A seat handed in where a human of its goes, or replaced it: a cell, or ``stay``."""

    seat: Public[Seat]
    human: Public[str]
    choice: OnlySeat[str] = UNSET


class BatchJudged(Event, frozen=True, tag="batch-judged"):
    """All answers are in: ``choices`` as they were sealed, ``paths`` of those that could move."""

    publishes = True
    choices: Public[Mapping[str, str]]
    paths: Public[Mapping[str, tuple[Cell, ...]]]


class WanderingEnded(Event, frozen=True, tag="wandering-ended"):
    """Nobody wanders any more."""


class GoBegan(Event, frozen=True, tag="go-began"):
    """It is a seat's go (§4.6)."""

    seat: Public[Seat]


class GoEnded(Event, frozen=True, tag="go-ended"):
    """The hand passes to the left."""


class ZombieActivated(Event, frozen=True, tag="zombie-activated"):
    """A zombie was declared to move along ``path`` and to attack, or not (§4.7.1)."""

    zombie: Public[str]
    path: Public[tuple[Cell, ...]] = ()
    attack: Public[str | None] = None


class PathChanged(Event, frozen=True, tag="path-changed"):
    """The mover goes on otherwise than declared (§4.7.3); ``PlanMade`` follows."""

    path: Public[tuple[Cell, ...]]
    attack: Public[str | None] = None


class MovementHalted(Event, frozen=True, tag="movement-halted"):
    """The movement of the mover is over; it may still attack (§7, ``halt``)."""


class MovementStopped(Event, frozen=True, tag="movement-stopped"):
    """The mover is out of action, or back in it: ``stopped`` says which (§4.7.3)."""

    stopped: Public[bool]


class ActivationEnded(Event, frozen=True, tag="activation-ended"):
    """The activation is over."""


class ZombiesStoodDown(Event, frozen=True, tag="zombies-stood-down"):
    """A seat passed all its ready zombies at once (§4.6)."""

    zombies: Public[tuple[str, ...]]


class AttackBegan(Event, frozen=True, tag="attack-began"):
    """The attack is binding (§4.8.1)."""

    principal: Public[str]
    target: Public[str]


class FightJoined(Event, frozen=True, tag="fight-joined"):
    """Pieces joined a side; ``by_card``: wherever they stand, as long as they stay put (§4.9.2)."""

    side: Public[Side]
    pieces: Public[tuple[str, ...]]
    by_card: Public[bool] = False


class FightLeft(Event, frozen=True, tag="fight-left"):
    """Pieces left the fight."""

    pieces: Public[tuple[str, ...]]


class SupportProposed(Event, frozen=True, tag="support-proposed"):
    """The principal's seat proposed supporters and a share, or nobody (§4.8.3)."""

    proposal: Public[Proposal]


class ConsentGiven(Event, frozen=True, tag="consent-given"):
    """A seat answered the proposal, or replaced its answer."""

    seat: Public[Seat]
    accepts: OnlySeat[bool] = UNSET


class ConsentsJudged(Event, frozen=True, tag="consents-judged"):
    """All consents are in."""

    publishes = True
    accepts: Public[Mapping[Seat, bool]]


class SupportSettled(Event, frozen=True, tag="support-settled"):
    """Who supports, and who eats whom (§4.8.3); the supporters have attacked (§4.8.5)."""

    supporters: Public[tuple[str, ...]]
    share: Public[Mapping[str, str]]


class FightWeighed(Event, frozen=True, tag="fight-weighed"):
    """The totals of attackers and defenders, and the provisional result (§4.9.1)."""

    totals: Public[tuple[int, int]]
    winner: Public[Side | None] = None


class FightResolved(Event, frozen=True, tag="fight-resolved"):
    """The result (§4.9.4): ``winner`` None if there is none; ``killed`` die."""

    winner: Public[Side | None] = None
    killed: Public[tuple[str, ...]] = ()


class HumanEaten(Event, frozen=True, tag="human-eaten"):
    """A human was eaten: a point for ``seat``, whose new ``zombie`` stands there, blocked."""

    seat: Public[Seat]
    human: Public[str]
    eater: Public[str]
    zombie: Public[str]


class FightEnded(Event, frozen=True, tag="fight-ended"):
    """The fight is over."""


ZombieEvent = (
    WanderingBegan
    | HumanWandered
    | WanderPassed
    | BatchDealt
    | BatchAnswered
    | BatchJudged
    | WanderingEnded
    | GoBegan
    | GoEnded
    | ZombieActivated
    | PathChanged
    | MovementHalted
    | MovementStopped
    | ActivationEnded
    | ZombiesStoodDown
    | AttackBegan
    | FightJoined
    | FightLeft
    | SupportProposed
    | ConsentGiven
    | ConsentsJudged
    | SupportSettled
    | FightWeighed
    | FightResolved
    | HumanEaten
    | FightEnded
)

ZOMBIE_EVENTS: Final[tuple[type[Event], ...]] = get_args(ZombieEvent)
