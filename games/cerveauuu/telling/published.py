"""Cerveauuu! as the API shows it (pure)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from games.cerveauuu.decider import RULES
from games.cerveauuu.facts.events import AgendaSet
from games.cerveauuu.model.state import State
from games.cerveauuu.opening.options import MODE, RULEBOOK
from games.cerveauuu.opening.situation import Situation
from games.cerveauuu.telling.description import Describer
from games.cerveauuu.telling.rulebook_types import RulebookDescription
from games.contract import JsonValue
from games.published import Showcase, read_refusals

_REFUSALS = """
409 colour-taken seating | Colour taken
  Choose another colour, or leave the choice to the table.
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
422 unknown-colour seating | Colour unknown
  The rulebook lists the colours as `characters`; a seat has one.
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


class PublishedCerveauuu:
    """Cerveauuu! in its one rulebook (``games.published.Published``)."""

    title = "Cerveauuu!"
    state = State
    description: type[Struct] = RulebookDescription
    situation = Situation
    unpromised: Mapping[type, Mapping[str, str]] = {AgendaSet: _AGENDA, State: _AGENDA}
    refusals = read_refusals(_REFUSALS)
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
