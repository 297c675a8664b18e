"""Room 25 as the API shows it (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.contract import JsonValue
from games.published import Showcase, read_refusals
from games.room25.editions import RULEBOOKS
from games.room25.facts.events import AgendaSet
from games.room25.model.state import State
from games.room25.opening.situation import Situation
from games.room25.telling.description import Describer
from games.room25.telling.rulebook_types import RulebookDescription

_REFUSALS = """
409 character-taken seating | Character taken
  Choose another character, or leave the choice to the table.
409 unknown-decision | Decision not open
  The same as `decision-not-open`, detected at a later step.
422 unknown-rulebook opening | Rulebook unknown
  `GET /v1/rulebooks` lists the rulebooks.
422 unknown-mode opening | Mode unknown
  `GET /v1/rulebooks/{rulebook}` lists the modes.
422 bad-seat-count opening | Invalid number of players for the mode
  The rulebook lists the numbers of players of each mode.
422 unknown-option opening | Option unknown
  The rulebook lists the options of each mode.
422 bad-option opening | Invalid value for the option
  The rulebook lists the values.
422 bad-composition opening | Invalid composition of rooms
  A composition fits its mode; a custom one has 25 rooms of the box, including one `central` and one
  `room25`.
422 unknown-character seating | Character unknown
  The rulebook lists the characters.
422 character-not-allowed seating | Characters not allowed for this seat
  A seat plays as many characters as the mode says, in some modes the two of a duo.
422 malformed-scenario opening | Malformed scenario
  `detail` says where; the form is in the OpenAPI document.
422 impossible-scenario opening | Impossible scenario
  The rulebook does not allow such a position, or the game would already be over.
"""

_AGENDA: Final = {
    "agenda": "What the engine has still to do, as it remembers it: any JSON, which may be "
    "another with any release. It is stored, hashed and no part of the contract; whom the game "
    "waits for is told by `decisions`."
}


class PublishedRoom25:
    """Room 25, in all its rulebooks (``games.published.Published``)."""

    title = "Room 25"
    state = State
    description: type[Struct] = RulebookDescription
    situation = Situation
    unpromised: Mapping[type, Mapping[str, str]] = {AgendaSet: _AGENDA, State: _AGENDA}
    refusals = read_refusals(_REFUSALS)
    showcase = Showcase(rulebook="first_edition", mode="cooperation", seats=4, bot="steady")
    examples: Mapping[str, JsonValue] = {
        "NewGame": {
            "rulebook": "first_edition",
            "mode": "suspicion",
            "seats": 4,
            "time": {"limits_s": {"programming": 60, "decision": 30}},
        },
        "NewSeat": {"characters": ["alice"]},
        "Choice": {"option": "look+move"},
    }

    def rulebooks(self, language: str) -> list[Mapping[str, JsonValue]]:
        """The four rulebooks in short."""
        return [Describer(book, language).name() for book in RULEBOOKS.values()]

    def rulebook(self, rulebook: str, language: str) -> Mapping[str, JsonValue]:
        """All of a rulebook.

        Raises:
            KeyError: there is no such rulebook.
        """
        return Describer(RULEBOOKS[rulebook], language).rulebook()
