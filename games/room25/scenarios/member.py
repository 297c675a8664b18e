"""Room 25 as scenarios tell it (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from msgspec import Struct

from games.room25.opening.situation import Situation
from games.room25.scenarios.bases import BASES
from games.room25.scenarios.checks import (
    CharacterCheck,
    GameCheck,
    OwnCheck,
    Phase,
    Program,
    RolesCheck,
    RoomsCheck,
    TileCheck,
)
from games.room25.scenarios.event_words import ALONG, EVENT_WORDS
from games.room25.scenarios.judging import judge
from games.room25.scenarios.option_words import ID_FORMS, JOINED, OPTION_FORMS, WAIT_FORMS
from games.room25.scenarios.short_positions import BasedSituation, spread
from games.room25.scenarios.vocabulary import vocabulary
from games.scenarios import Check, Json, Keyed, Vocabulary, WordForms, Words

FACTS: Final[Mapping[type[Check], Mapping[str, Words]]] = {
    GameCheck: {
        "turn": "turn",
        "last_turn": "turn",
        "order": "character",
        "dead": "character",
        "markers": Keyed("line", "direction", ALONG),
        "composition": Keyed("room", "number"),
        "options": Keyed("option"),
        "undealt": "role tile",
        "discard": "card",
        "shown": "card",
        "locks": "number",
        "deck_size": "number",
    },
    CharacterCheck: {
        "id": "character",
        "seat": "seat",
        "team": "team",
        "role": "role",
        "program": "slot's action",
        "used": "action",
        "lost": "action",
        "adrenaline": "adrenaline",
        "acted": "number",
        "flood": "turn",
        "spares": "number",
        "stacked": "number",
    },
    TileCheck: {"kind": "room", "axis": "axis", "reminders": "seat", "id": "number"},
    RoomsCheck: {"kind": "room", "count": "number"},
    RolesCheck: {"role": "role", "count": "number"},
}
"""What the facts of a check hold, where the format alone does not say it."""


class Room25Scenarios:
    """What scenario files may say of Room 25 (``games.scenarios.Scenarios``)."""

    situation = Situation
    bases = BASES
    based = BasedSituation
    checks = (GameCheck, CharacterCheck, TileCheck, RoomsCheck, RolesCheck)
    acts = (Program,)
    phases = get_args(Phase)
    forms = WordForms(
        options=OPTION_FORMS,
        decisions=ID_FORMS,
        waits=WAIT_FORMS,
        joined=JOINED,
        facts=FACTS,
        events=EVENT_WORDS,
        pairs={("line", "way"): ALONG},
    )

    def spread(self, short: BasedSituation) -> Json:
        """A position in full."""
        return spread(short)

    def vocabulary(self, rulebooks: Sequence[str], seats: int, given: Struct | None) -> Vocabulary:
        """The words of a table of some rulebooks."""
        return vocabulary(rulebooks, seats, given if isinstance(given, Situation) else None)

    def now(self, play: Json) -> tuple[int, str]:
        """The turn and the phase."""
        return play["turn"], play["phase"]

    def judge(self, check: OwnCheck, play: Json) -> str | None:
        """None if a check holds, else what is the case instead."""
        return judge(check, play)
