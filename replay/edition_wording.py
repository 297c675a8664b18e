"""The words for what happens in some rulebooks only (pure)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import UNSET

from events.kernel import Event
from games.room25 import edition_events as ev


def _hidden(value: object, words: str) -> str:
    """``words`` with the value in it, or nothing if this viewer may not know it."""
    return "" if value is UNSET else words.format(value)


def _tokens(tokens: object) -> str:
    return " and ".join(tokens) if isinstance(tokens, tuple) and tokens else "nothing"


def _locked(e: ev.RoomLocked) -> str:
    origin = "" if e.moved_from is None else f", the lock from {e.moved_from}"
    return f"{e.cell} is locked{origin}"


def _shuffled(e: ev.DeckShuffled) -> str:
    return f"{e.count} cards are shuffled{_hidden(e.cards, ': {}')}"


def _replaced(e: ev.TokenReplaced) -> str:
    told = "" if e.tokens is UNSET else f" to {_tokens(e.tokens)}"
    return f"{e.character} changes its programme{told}"


def _calm(e: ev.ParanoiaEnded) -> str:
    return f"{e.character} {'draws no more' if e.now else 'leaves its paranoia behind'}"


EDITION_WORDINGS: Final[dict[type[Event], Callable[[Any], str]]] = {
    ev.ProgramShown: lambda e: f"{e.character} has programmed {_tokens(e.tokens)}",
    ev.TokenDiscarded: lambda e: f"{e.character} loses its programmed {e.token}",
    ev.TokenReplaced: _replaced,
    ev.ActionPenalised: lambda e: f"{e.character} loses {e.token} for the rest of the game",
    ev.AdrenalineChanged: lambda e: f"the adrenaline of {e.character} is {e.adrenaline}",
    ev.ProgramCancelled: lambda e: f"the rest of {e.character}'s programme is gone",
    ev.ParanoiaBegan: lambda e: f"{e.character} draws from {e.stacked} tokens",
    ev.ParanoiaEnded: _calm,
    ev.ColdLingers: lambda e: f"{e.character} will have one action next turn",
    ev.RoomTurned: lambda e: f"the corridor of {e.cell} is {e.axis}",
    ev.RoomReplaced: lambda e: f"an empty room takes the place of {e.cell}",
    ev.RoomTurnedDown: lambda e: f"{e.cell} is turned face-down",
    ev.RoomUnsealed: lambda e: f"the seal of {e.cell} is taken away",
    ev.RoomLocked: _locked,
    ev.LocksGone: lambda _: "all locks leave the complex",
    ev.SpareUsed: lambda e: f"{e.character} uses a spare tile",
    ev.CharacterHid: lambda e: f"{e.character} hides",
    ev.CharacterShowed: lambda e: f"{e.character} is visible again",
    ev.CharacterReturned: lambda e: f"{e.character} is back to life in the Central Room",
    ev.KeyTurned: lambda _: "the key is turned: Room 25 can leave",
    ev.TurnsCut: lambda e: f"turn {e.last_turn} will be the last",
    ev.RobotPlaced: lambda e: f"robot {e.robot + 1} is on {e.cell}",
    ev.RobotRemoved: lambda e: f"robot {e.robot + 1} leaves the complex",
    ev.SpecialUsed: lambda e: f"{e.character} uses {e.option}",
    ev.OfferRefused: lambda e: f"{e.character} refuses",
    ev.RolePeeked: lambda e: (
        f"seat {e.seat} sees the role of {e.character}{_hidden(e.role, ': {}')}"
    ),
    ev.DeckShuffled: _shuffled,
    ev.CardDrawn: lambda e: (
        f"the card {e.card} is drawn" + (f" by {e.character}" if e.character else "")
    ),
    ev.ReminderTaken: lambda e: f"seat {e.seat} takes its reminder up",
    ev.PowerUsed: lambda e: f"{e.character} uses its power: {e.option}",
}
"""How each of these events is told."""
