"""What is said of a game of Room 25 (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from events.kernel import Event
from games.contract import JsonValue
from games.room25.facts.edition_events import PowerUsed, SpecialUsed
from games.room25.facts.events import (
    ActionLost,
    CharacterMoved,
    LineShifted,
    ProgrammingClosed,
    RoomPeeked,
)
from games.room25.model.board import CELLS, CENTRE, Cell, lines_through
from games.room25.model.meanings import shows
from games.room25.model.state import Character, State
from games.room25.words import WORDS
from games.sentences import Spell
from games.texts import TurnWord

_ROBOT: Final = re.compile(r"(?:robot)?(\d)")
_PARTS: Final = re.compile(r"[:+]")
_ORDERS: Final = frozenset({"move", "push"})


class Room25Texts:
    """Its events and phases in words (``games.texts.Texts``).

    A kind of holes is its own: ``cell``, the name of a place.

    Args:
        cell: what a cell is called where the sentence is read; by default its id, as it stands
            beside what ``parlour replay`` draws.
    """

    turn: TurnWord = "turn"

    def __init__(self, cell: Callable[[Cell], str] = str) -> None:
        self.spell: Mapping[str, Spell] = {
            "place": lambda value, _: cell(value),
            "cell": lambda value, _: cell(value),
        }

    def beside(self, event: Event, before: State) -> Mapping[str, JsonValue]:
        """What the sentence for an event needs.

        ``why`` an action was lost, a word of ``room25/lost.*``; the ``actor``, whose it was; the
        ``use`` of an ability or a power, see ``use_of``; who is ``acting`` how often: by number,
        the largest first, ``count`` and ``who``.
        """
        match event:
            case ActionLost(token=token, character=name):
                return {"why": why_lost(token, before.characters.get(name), before)}
            case CharacterMoved() | RoomPeeked() | LineShifted():
                return {"actor": _actor(event, before)}
            case SpecialUsed(option=option):
                return {"use": use_of(option)}
            case PowerUsed(option=option):
                return {"use": use_of(_named(option))}
            case ProgrammingClosed(actions=actions):
                return {"acting": _acting(actions)}
            case _:
                return {}

    def word(self, language: str, key: str) -> str:
        """The text of a message key that begins with ``room25/``."""
        return WORDS.word(language, key)

    def phase(self, state: State) -> str:
        """The phase of the turn, as the state has it."""
        return state.phase


def use_of(option: str) -> dict[str, JsonValue]:
    """What an option of an ability is for.

    ``does`` is the ability, ``robot`` the one it is about, from 0, if there is any; ``who`` and
    ``cells`` are the characters and places in the order of the option.
    """
    does, *parts = _PARTS.split(option)
    cells = [part for part in parts if part in CELLS]
    robots = [int(found[1]) - 1 for found in map(_ROBOT.fullmatch, parts) if found]
    who = [
        part
        for part in parts
        if part not in CELLS and part not in _ORDERS and not _ROBOT.fullmatch(part)
    ]
    return {"does": does, "robot": robots[0] if robots else None, "who": who, "cells": cells}


def _named(option: str) -> str:
    """The option of a guard's power with what it does before it: only ``hide`` says so itself."""
    if option in CELLS:
        return f"step:{option}"
    return f"push:{option}" if "+" in option else option


def _acting(actions: Mapping[str, int]) -> list[JsonValue]:
    """Who has programmed how many actions, the most first."""
    return [
        {"count": count, "who": [name for name, n in actions.items() if n == count]}
        for count in sorted({*actions.values()}, reverse=True)
    ]


def _actor(event: CharacterMoved | RoomPeeked | LineShifted, state: State) -> str | None:
    """The character whose action made it happen: who pushes, looks or moves a line."""
    acting = state.characters.get(state.actor or "")
    if acting is None:
        return None
    match event, acting.used[-1:]:
        case (CharacterMoved(cause="push"), ("push",)) | (
            LineShifted(cause="action"),
            ("control",),
        ):
            return acting.id
        case RoomPeeked(seat=acting.seat), ("look",):
            return acting.id
        case _:
            return None


def why_lost(token: str, character: Character | None, state: State) -> str:
    """Why an action had no legal aim, as far as the state then tells: an id of a word."""
    if character is None or character.cell is None:
        return "impossible"
    tile = state.grid[character.cell]
    company = any(c.id != character.id and not c.hidden for c in state.occupants(character.cell))
    marked = all(line in state.markers for line in lines_through(character.cell))
    at_centre = "centre" if character.cell == CENTRE else ""
    reasons = {
        "look": "no_light" if shows(tile, "lightless") else "nothing_to_see",
        "move": "no_company" if shows(tile, "confining") else "blocked",
        "push": at_centre or ("blocked" if company else "nobody"),
        "control": at_centre or ("markers" if marked else "impossible"),
        "special": at_centre or "no_use",
    }
    return reasons.get(token, "impossible")
