"""Room 25 as the API shows it (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.contract import JsonValue
from games.published import AGENDA_UNPROMISED, Showcase, refusals_with_usual
from games.room25.editions import RULEBOOKS
from games.room25.facts.events import AgendaSet
from games.room25.model.state import State
from games.room25.opening.situation import Situation
from games.room25.telling.description import Describer
from games.room25.telling.rulebook_types import RulebookDescription

_REFUSALS = """
409 character-taken seating | Character taken
  Choose another character, or leave the choice to the table.
422 bad-composition opening | Invalid composition of rooms
  A composition fits its mode; a custom one has 25 rooms of the box, including one `central` and one
  `room25`.
422 unknown-character seating | Character unknown
  The rulebook lists the characters.
422 character-not-allowed seating | Characters not allowed for this seat
  A seat plays as many characters as the mode says, in some modes the two of a duo.
"""


class PublishedRoom25:
    """Room 25, in all its rulebooks (``games.published.Published``)."""

    title = "Room 25"
    state = State
    description: type[Struct] = RulebookDescription
    situation = Situation
    unpromised: Mapping[type, Mapping[str, str]] = {
        AgendaSet: AGENDA_UNPROMISED,
        State: AGENDA_UNPROMISED,
    }
    refusals = refusals_with_usual(_REFUSALS)
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
