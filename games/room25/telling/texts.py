"""What is said of a game of Room 25 (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from events.kernel import Event
from games.contract import JsonValue
from games.room25.facts.events import ActionLost, CharacterMoved, LineShifted, RoomPeeked
from games.room25.model.board import CELLS, CENTRE, Cell, lines_through
from games.room25.model.meanings import shows
from games.room25.model.state import Character, State
from games.room25.words import WORDS
from games.sentences import Spell
from games.texts import TurnWord

_ROBOT: Final = re.compile(r"(?:robot)?(\d)")
_PARTS: Final = re.compile(r"[:+]")


class Room25Texts:
    """Its events and phases in words (``games.texts.Texts``).

    Two kinds of holes are its own: ``cell``, the name of a place, and ``answers``, the id of an
    option part by part.

    Args:
        cell: what a cell is called where the sentence is read; by default its id, as it stands
            beside what ``parlour replay`` draws.
    """

    turn: TurnWord = "turn"

    def __init__(self, cell: Callable[[Cell], str] = str) -> None:
        self.spell: Mapping[str, Spell] = {
            "place": lambda value, _: cell(value),
            "cell": lambda value, _: cell(value),
            "answers": lambda value, book: ", ".join(
                cell(part) if part in CELLS else _answer(part, book) for part in _PARTS.split(value)
            ),
        }

    def beside(self, event: Event, before: State) -> Mapping[str, JsonValue]:
        """``why`` an action was lost, a word of ``room25/lost.*``; the ``actor``, whose it was."""
        match event:
            case ActionLost(token=token, character=name):
                return {"why": why_lost(token, before.characters.get(name), before)}
            case CharacterMoved() | RoomPeeked() | LineShifted():
                return {"actor": _actor(event, before)}
            case _:
                return {}

    def word(self, language: str, key: str) -> str:
        """The text of a message key that begins with ``room25/``."""
        return WORDS.word(language, key)

    def phase(self, state: State) -> str:
        """The phase of the turn, as the state has it."""
        return state.phase


def _answer(part: str, book: Mapping[str, Any]) -> str:
    """A part of an option's id: a character, an action, a robot, an ability or an answer."""
    if robot := _ROBOT.fullmatch(part):
        return f"Robot {robot[1]}"  # the same word in all three languages
    abilities = [ability for each in book["characters"] for ability in each["abilities"]]
    for each in (*book["characters"], *book["actions"], *abilities):
        if each["id"] == part:
            return str(each["name"])
    return str(book["words"].get(f"room25/answer.{part}", part.replace("_", " ")))


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
