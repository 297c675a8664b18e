"""What is in the rulebook of Cerveauuu! and how it can be played, in words (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.cerveauuu.board import MAPS, parse_map
from games.cerveauuu.decider import RULES
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import SlotKind
from games.cerveauuu.opening.options import COLOURS, LEAST_SEATS, MODE, MOST_SEATS, RULEBOOK, VALUES
from games.cerveauuu.rules.placing import LAPS, humans_at_setup
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.cerveauuu.words import WORDS
from games.contract import JsonValue
from games.rulebooks import phrases_of, waits_of
from games.words import LANGUAGES, SERVED

Told = dict[str, JsonValue]
"""A part of the description by its published fields."""

VERSION: Final = 1

SECTIONS: Final = (
    *SERVED,
    "card_type",
    "lasts",
    "phase",
    "stat",
    "term",
    "value",
    "window",
    "yield",
)
"""The sections of the catalogue that the description brings along."""

TARGETS: Final[Mapping[SlotKind, str]] = {
    "H": "human",
    "Z": "zombie",
    "X": "piece",
    "C": "cell",
    "W": "wall",
    "D": "door",
    "B": "building",
    "P": "seat",
}
"""What fills a slot, as a word of ``term``."""

PACES: Final[Mapping[str, Mapping[str, int]]] = {
    "live": {"response": 12, "decision": 45},
    "blitz": {"response": 6, "decision": 20},
    "days": {"response": 12 * 3600, "decision": 24 * 3600},
}
"""Time limits in seconds that belong together (§5.8); the first is for playing in one sitting."""

_SEATS: Final = tuple(range(LEAST_SEATS, MOST_SEATS + 1))


class Describer:
    """Describes the rulebook in a language.

    Args:
        language: a language of ``games.words``.
    """

    def __init__(self, language: str) -> None:
        self.language = language

    def say(self, key: str) -> str:
        """A text of the game by its key without the game."""
        return WORDS.word(self.language, f"{RULES.id}/{key}")

    def name(self) -> Told:
        """The rulebook's line in the list."""
        return {
            "id": RULEBOOK,
            "game": RULES.id,
            "name": self.say(f"rulebook.{RULEBOOK}.name"),
            "about": self.say(f"rulebook.{RULEBOOK}.about"),
            "modes": (MODE,),
        }

    def rulebook(self) -> Told:
        """All of it."""
        return {
            **self.name(),
            "version": VERSION,
            "language": self.language,
            "languages": LANGUAGES,
            "turn": CerveauuuTexts.turn,
            "modes": (self._mode(),),
            "options": tuple(self._options()),
            "waits": waits_of(RULES),
            "paces": tuple(
                {"id": pace, "name": self.say(f"pace.{pace}"), "limits_s": limits}
                for pace, limits in PACES.items()
            ),
            "phrases": phrases_of(RULES, self.say),
            "characters": tuple({"id": c, "name": self.say(f"colour.{c}")} for c in COLOURS),
            "maps": tuple(self._map(name, text) for name, text in MAPS.items()),
            "cards": tuple(self._cards()),
            "words": WORDS.section(self.language, *SECTIONS, game=RULES.id),
        }

    def _mode(self) -> Told:
        return {
            "id": MODE,
            "name": self.say(f"mode.{MODE}.name"),
            "about": self.say(f"mode.{MODE}.about"),
            "seats": _SEATS,
            "options": tuple(VALUES),
            "humans": {seats: humans_at_setup(seats) for seats in _SEATS},
            "zombies": {seats: LAPS * seats for seats in _SEATS},
            "credits": {seats: seats for seats in _SEATS},
        }

    def _options(self) -> Iterator[Told]:
        for name, values in VALUES.items():
            yield {
                "id": name,
                "name": self.say(f"option.{name}.name"),
                "default": values[0],
                "values": values,
                "about": self.say(f"option.{name}.about"),
            }

    def _map(self, name: str, text: str) -> Told:
        map_ = parse_map(text)
        letters = sorted(set(map_.buildings) - {""})
        return {
            "id": name,
            "name": self.say(f"value.{name}"),
            "width": map_.width,
            "height": map_.height,
            "text": text,
            "buildings": tuple(
                {"letter": letter, "name": self.say(f"building.{name}.{letter}")}
                for letter in letters
            ),
        }

    def _cards(self) -> Iterator[Told]:
        for name, card in CARDS.items():
            yield {
                "id": name,
                "type": card.type,
                "name": self.say(f"card.{name}.name"),
                "windows": card.when,
                "targets": tuple(TARGETS[slot.kind] for slot in card.target),
                "effect": self.say(f"card.{name}.text"),
            }
