"""Cerveauuu! as the API shows it (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.cerveauuu.decider import RULES
from games.cerveauuu.facts.events import AgendaSet
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.options import MODE, RULEBOOK
from games.cerveauuu.opening.situation import Situation
from games.cerveauuu.telling.description import Describer
from games.cerveauuu.telling.rulebook_types import RulebookDescription
from games.contract import JsonValue
from games.published import AGENDA_UNPROMISED, Showcase, refusals_with_usual

_REFUSALS = """
409 colour-taken seating | Colour taken
  Choose another colour, or leave the choice to the table.
422 unknown-colour seating | Colour unknown
  The rulebook lists the colours as `characters`; a seat has one.
"""


class PublishedCerveauuu:
    """Cerveauuu! in its one rulebook (``games.published.Published``)."""

    title = "Cerveauuu!"
    state = State
    description: type[Struct] = RulebookDescription
    situation = Situation
    unpromised: Mapping[type, Mapping[str, str]] = {
        AgendaSet: AGENDA_UNPROMISED,
        State: AGENDA_UNPROMISED,
    }
    refusals = refusals_with_usual(_REFUSALS)
    showcase = Showcase(rulebook=RULEBOOK, mode=MODE, seats=4, bot="steady")
    examples: Mapping[str, JsonValue] = {
        "NewGame": {
            "game": RULES.id,
            "rulebook": RULEBOOK,
            "mode": MODE,
            "seats": 4,
            "options": {"credits": "spread"},
            "time": {"limits_s": {"response": 20, "decision": 60}},
        },
        "NewSeat": {"characters": ["purple"]},
        "Choice": {"option": "z03.r5c5.attack-h04"},
    }

    def rulebooks(self, language: str) -> list[Mapping[str, JsonValue]]:
        """Its rulebook in short."""
        return [Describer(language).name()]

    def rulebook(self, rulebook: str, language: str) -> Mapping[str, JsonValue]:
        """All of the rulebook.

        Raises:
            KeyError: there is no such rulebook.
        """
        if rulebook != RULEBOOK:
            raise KeyError(rulebook)
        return Describer(language).rulebook()
