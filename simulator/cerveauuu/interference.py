"""The oracle of non-interference: what a viewer does not know changes nothing that it sees.

Beside a game other worlds are made, each for one viewer, that differ from it in what that viewer
cannot know: the cards that it does not know are dealt anew (``dealt_anew``), a play that another
seat hands in is a pass (``sealed``), or a play that loses to an earlier one was never there
(``void``). The same command is given in both. What the viewer sees of it must be the same, up to
the first event that may tell; of a void play nothing ever tells.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Final, Literal

from msgspec.structs import replace

from events.draw import Draw
from events.kernel import (
    Command,
    Context,
    Event,
    Rejected,
    Seat,
    redact,
)
from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts.card_events import VersionJudged
from games.cerveauuu.model.state import State
from games.table.events import Choose, ChooseSecretly
from games.table.state import TableState
from simulator.cerveauuu.bare_game import eyes_of
from simulator.cerveauuu.knowledge_table import KnowledgeTable
from simulator.cerveauuu.run import Run
from simulator.interference import parting
from simulator.option_trees import differing_reasons
from simulator.run import RunStep, require

PASS_: Final = "pass"  # noqa: S105 (an option, not a password)

Difference = Literal["dealt_anew", "sealed", "void"]


class Interference:
    """Compares what viewers see of this world and of others, at some of the steps.

    Attributes:
        compared: how often each difference was looked at.

    Args:
        rng: picks steps, viewers and cards.
        rate: at how many of the steps.
    """

    def __init__(self, rng: Random, rate: float = 1.0) -> None:
        self.rng, self.rate = rng, rate
        self.ledger = KnowledgeTable()
        self.compared: dict[Difference, int] = {"dealt_anew": 0, "sealed": 0, "void": 0}

    def accepted(self, match: Run, step: RunStep) -> None:
        """Give the command of a step in other worlds too."""
        before = step.before
        if before.phase == "live" and before.play.seats and self.rng.random() < self.rate:
            viewer = self.rng.choice((0, *before.play.seats))
            self._dealt_anew(match, step, viewer)
            self._sealed(match, step, viewer)
        if before.phase == "live":
            self._void(match, step)
        for event in step.events:
            self.ledger.note(event)

    def ended(self, match: Run) -> None:
        """Worlds are compared as the game goes on."""

    def _dealt_anew(self, match: Run, step: RunStep, viewer: Seat) -> None:
        other = dealt_anew(step.before.play, self.ledger.known.get(viewer, {}), self.rng)
        if other is None or not _is_given_alike(match, step, other):
            return
        self.compared["dealt_anew"] += 1
        world = _with(step.before, other)
        theirs = events_of(match, step, step.command, world)
        self._compare(step, theirs, viewer, "cards that it does not know")
        if viewer:
            asked = match.table.decisions(step.before, viewer)
            require(
                match.table.decisions(world, viewer) == asked,
                f"seat {viewer} is asked otherwise because of cards that it does not know",
            )
            for decision in asked:
                why = differing_reasons(match.table, step.before, world, decision, self.rng)
                require(why is None, f"seat {viewer} can tell cards that it does not know: {why}")

    def _sealed(self, match: Run, step: RunStep, viewer: Seat) -> None:
        command = step.command
        if not isinstance(command, ChooseSecretly) or command.seat == viewer:
            return
        decision = match.table.find(step.before, command.seat, command.decision)
        if decision is None or decision.default in {None, command.option}:
            return
        self.compared["sealed"] += 1
        theirs = events_of(match, step, replace(command, option=decision.default), step.before)
        self._compare(step, theirs, viewer, f"what seat {command.seat} hands in")

    def _void(self, match: Run, step: RunStep) -> None:
        """A sealed play that comes after another in the order of answers never shows."""
        for seat in void_plays(step):
            self.compared["void"] += 1
            world = _with(step.before, passing_instead(step.before.play, seat))
            theirs = events_of(match, step, step.command, world)
            for viewer in (0, *step.before.play.seats):
                if viewer != seat:
                    self._compare(step, theirs, viewer, f"a void play of seat {seat}", told=False)

    def _compare(
        self,
        step: RunStep,
        theirs: list[Event] | str,
        viewer: Seat,
        what: str,
        *,
        told: bool = True,
    ) -> None:
        who = "the public" if not viewer else f"seat {viewer}"
        name = type(step.command).__name__
        if isinstance(theirs, str):
            require(holds=False, text=f"{who} can tell {what} by {name}: {theirs}")
            return
        eyes = eyes_of(viewer)
        found = parting(step.events, theirs, eyes)
        if not told and found is None:
            ours = [redact(event, eyes) for event in step.events]
            found = None if ours == [redact(event, eyes) for event in theirs] else "an event tells"
        require(found is None, f"{who} can tell {what} by {name}: {found!s:.400}")


def _with(table: TableState, play: State) -> TableState:
    other = copy.copy(table)
    other.play = play
    return other


def events_of(match: Run, step: RunStep, command: Command, before: TableState) -> list[Event] | str:
    """What a command would make of some world, the draws being the same; or why it is refused."""
    context = Context(now=step.now, actor=step.actor, draw=Draw(match.table.seed(step.before)))
    try:
        return match.table.decide(command, before, context)
    except Rejected as refusal:
        return str(refusal)


def dealt_anew(truth: State, known: dict[tuple[Seat, int], str], random: Random) -> State | None:
    """The truth with the cards that somebody does not know dealt anew; None if that cannot be.

    End-credits cards stay in their places: a hand cannot hold one. Who has sealed a play has sealed
    one of its cards, so that in such a moment there is no other world.

    Args:
        truth: the game.
        known: the cards in hands that are known, by owner and number.
        random: deals.
    """
    if truth.window is not None and set(truth.window.answers.values()) - {PASS_}:
        return None
    if truth.end is not None or truth.deck is None:
        return None
    other = copy.copy(truth)
    unknown = [
        (seat, number)
        for seat, hand in truth.hands.items()
        for number in hand
        if (seat, number) not in known
    ]
    deck = list(truth.deck)
    places = [i for i, card in enumerate(deck) if CARDS[card].type != "end_credits"]
    cards = [str(truth.hands[seat][n]) for seat, n in unknown] + [deck[i] for i in places]
    random.shuffle(cards)
    hands = {seat: dict(hand) for seat, hand in truth.hands.items()}
    for seat, number in unknown:
        hands[seat][number] = cards.pop()
    for i in places:
        deck[i] = cards.pop()
    other.hands, other.deck = hands, tuple(deck)
    return other


def void_plays(step: RunStep) -> list[Seat]:
    """The seats whose plays, sealed before, lose to one that the command has had judged."""
    judged = next((e for e in step.events if isinstance(e, VersionJudged)), None)
    window = step.before.play.window
    winner = None if judged is None else judged.seat
    if window is None or winner is None:
        return []
    late = window.order[window.order.index(winner) + 1 :]
    return [s for s in late if window.answers.get(s) not in {None, PASS_}]


def passing_instead(truth: State, seat: Seat) -> State:
    """The truth in which a seat has sealed a pass."""
    other = copy.copy(truth)
    if truth.window is not None:
        answers = {**truth.window.answers, seat: PASS_}
        other.window = replace(truth.window, answers=answers)
    return other


def _is_given_alike(match: Run, step: RunStep, other: State) -> bool:
    """Whether a command could be given in another world: its player holds the card, if it plays."""
    command = step.command
    if not isinstance(command, Choose | ChooseSecretly):
        return True
    world = _with(step.before, other)
    option = str(command.option)
    if not option.startswith(("play", "swap", "k")):
        return True
    decision = match.table.find(world, command.seat, command.decision)
    same = other.hands[command.seat] == step.before.play.hands[command.seat]
    return same and decision is not None and match.table.offers(world, decision, option)
