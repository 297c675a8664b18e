"""The M.A.C. deck: what each card does, by meaning (§6.4, R78; data).

The rules never ask which card lies there. They ask what is in force (``meanings.in_force``): a card
that does what another does is one more line below; what a new effect does is a handler in
``rules.event_cards``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from games.room25.model.board import LINE_WAYS, LINES


class Movement(Struct, frozen=True):
    """A movement card: its line and direction, once or twice, and whether one draws again."""

    line: str
    way: str
    twice: bool = False
    again: bool = False


class Penalty(Struct, frozen=True):
    """A penalty card: the action that is lost, and by whom."""

    action: str
    characters: tuple[str, str]


CardEffect = Literal[
    "power_failure",
    "jamming_card",
    "rewind",
    "robot_card",
    "time_bomb",
    "lock_card",
    "deactivate_green",
    "deactivate_yellow",
    "deactivate_red",
    "chaos",
    "acceleration",
    "panic",
]
"""What a madness card does."""

# Whether the symbol card of a line's left or up direction is the double one, line by line; the
# other direction then has the other symbol (R78).
_DOUBLE_FIRST: Final = (True, False, True, False, False, True, False, True)


def _movements() -> dict[str, Movement]:
    cards = {}
    for i, (line, double_first) in enumerate(zip(LINES, _DOUBLE_FIRST, strict=True)):
        for j, way in enumerate(LINE_WAYS[line]):
            twice = double_first == (j == 0)
            number = 4 * i + 2 * j + 1
            cards[f"M{number:02}"] = Movement(line, way)
            cards[f"M{number + 1:02}"] = Movement(line, way, twice=twice, again=not twice)
    return cards


MOVEMENTS: Final[Mapping[str, Movement]] = _movements()

PENALTIES: Final[Mapping[str, Penalty]] = {
    "P1": Penalty("look", ("emmett", "max")),
    "P2": Penalty("look", ("franck", "sarah")),
    "P3": Penalty("look", ("jennifer", "bruce")),
    "P4": Penalty("control", ("kevin", "franck")),
    "P5": Penalty("control", ("alice", "max")),
    "P6": Penalty("special", ("emmett", "jennifer")),
    "P7": Penalty("special", ("kevin", "sarah")),
}

MADNESS: Final[Mapping[str, CardEffect]] = {
    "Z01": "power_failure",
    "Z02": "jamming_card",
    "Z03": "jamming_card",
    "Z04": "rewind",
    "Z05": "robot_card",
    "Z06": "robot_card",
    "Z07": "time_bomb",
    "Z08": "time_bomb",
    "Z09": "lock_card",
    "Z10": "deactivate_green",
    "Z11": "deactivate_yellow",
    "Z12": "deactivate_red",
    "Z13": "chaos",
    "Z14": "chaos",
    "Z15": "acceleration",
    "Z16": "acceleration",
    "Z17": "panic",
    "Z18": "panic",
    "Z19": "panic",
}

BASE_CARDS: Final = (*MOVEMENTS, *PENALTIES)
ALL_CARDS: Final = (*BASE_CARDS, *MADNESS)

STAYING: Final = frozenset[CardEffect]({"jamming_card", "time_bomb", "acceleration"})
"""What lies open until the countdown (§6.4)."""


def deck_of(options: Mapping[str, object]) -> tuple[str, ...]:
    """39 cards, or 58 with madness (§4.1.6, R132)."""
    mad = options.get("madness") or options.get("madness_cards")
    return ALL_CARDS if mad else BASE_CARDS
