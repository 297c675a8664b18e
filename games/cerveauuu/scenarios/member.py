"""Cerveauuu! as scenarios tell it (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from msgspec import Struct

from games.cerveauuu.opening.situation import Situation
from games.cerveauuu.scenarios.bases import BASES
from games.cerveauuu.scenarios.checks import (
    CellCheck,
    CellsCheck,
    DeckCheck,
    EdgeCheck,
    FightCheck,
    GameCheck,
    MapCheck,
    OwnCheck,
    Phase,
    PieceCheck,
    PiecesCheck,
    PlayCard,
    SeatCheck,
    WindowCheck,
)
from games.cerveauuu.scenarios.event_words import EVENT_WORDS
from games.cerveauuu.scenarios.judging import CheckJudge
from games.cerveauuu.scenarios.option_words import (
    ID_FORMS,
    OPTION_FORMS,
    REPEATABLE,
    WAIT_FORMS,
)
from games.cerveauuu.scenarios.short_positions import BasedSituation, spread
from games.cerveauuu.scenarios.vocabulary import vocabulary
from games.scenarios import Check, Json, Keyed, Vocabulary, WordForms, Words

FACTS: Final[Mapping[type[Check], Mapping[str, Words]]] = {
    GameCheck: {
        "round": "turn",
        "chief": "seat",
        "go": "seat",
        "deck_size": "number",
        "credits": "card",
        "credits_need": "number",
        "weather": "card",
        "bans": "card type",
        "dormant": "seat",
        "options": Keyed("option"),
    },
    SeatCheck: {
        "seat": "seat",
        "colour": "colour",
        "score": "points",
        "played": "number",
        "hand_size": "number",
        "numbers": "number",
        "cards": "card in a hand",
        "pile": "card",
        "yields": "order",
        "draws": "number",
        "keeps": "number",
    },
    PieceCheck: {
        "id": "piece",
        "cell": "cell",
        "controller": "seat",
        "protections": "protection",
        "touched_by": "seat",
        "move": "number",
        "combat": "number",
        "sight": "number",
        "wander": "number",
    },
    PiecesCheck: {
        "humans": "number",
        "zombies": "number",
        "controlled": Keyed("seat", "number"),
        "blocked": "number",
    },
    CellCheck: {"at": "cell", "piece": "piece", "building": "building or none"},
    EdgeCheck: {"at": "edge", "state": "edge state", "effective": "edge state"},
    CellsCheck: {"first": "cell", "second": "cell", "distance": "number"},
    MapCheck: dict.fromkeys(
        ("cells", "indoor", "border", "impassable", "doors", "farthest"), "number"
    ),
    DeckCheck: {"size": "number", "top": "card", "parts": "number", "credits": "number"},
    WindowCheck: {
        "kind": "window",
        "number": "number",
        "trigger": "seat",
        "version": "version",
        "floor": "number",
        "order": "seat",
        "passed": Keyed("seat", "pass"),
        "answered": "seat",
        "timeline": "piece or cell",
        "steps": "number",
    },
    FightCheck: {
        "principal": "piece",
        "target": "piece",
        "attackers": "piece",
        "defenders": "piece",
        "totals": "number",
        "winner": "side",
        "share": Keyed("human", "zombie"),
    },
}
"""What the facts of a check hold, where the format alone does not say it."""


class CerveauuuScenarios:
    """What scenario files may say of Cerveauuu! (``games.scenarios.Scenarios``)."""

    situation = Situation
    bases = BASES
    based = BasedSituation
    checks = (
        GameCheck,
        SeatCheck,
        PieceCheck,
        PiecesCheck,
        CellCheck,
        EdgeCheck,
        CellsCheck,
        MapCheck,
        DeckCheck,
        WindowCheck,
        FightCheck,
    )
    acts = (PlayCard,)
    phases = get_args(Phase)
    forms = WordForms(
        options=OPTION_FORMS,
        decisions=ID_FORMS,
        waits=WAIT_FORMS,
        repeatable=REPEATABLE,
        facts=FACTS,
        events=EVENT_WORDS,
    )

    def __init__(self) -> None:
        self._judge = CheckJudge()

    def spread(self, short: BasedSituation) -> Json:
        """A position in full."""
        return spread(short)

    def vocabulary(
        self,
        rulebooks: Sequence[str],  # noqa: ARG002 (there is one)
        seats: int,
        given: Struct | None,
    ) -> Vocabulary:
        """The words of a table."""
        return vocabulary(seats, given if isinstance(given, Situation) else None)

    def now(self, play: Json) -> tuple[int, str]:
        """The round and the phase."""
        return play["round"], play["phase"]

    def judge(self, check: OwnCheck, play: Json) -> str | None:
        """None if a check holds, else what is the case instead."""
        return self._judge.judge(check, play)
