"""What is in a rulebook of Room 25 and how it can be played, in words (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.contract import JsonValue, TableOpening
from games.room25.decider import ROOM25, RULES
from games.room25.model.cards import BASE_CARDS, MADNESS, MOVEMENTS, PENALTIES
from games.room25.model.catalogue import GUARD, PRISONER, ROOM_KINDS, SPECIAL, kinds_with
from games.room25.model.characters import CHARACTERS, CharacterSheet
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.telling.texts import Room25Texts
from games.room25.telling.traits import traits
from games.room25.words import WORDS
from games.rulebooks import phrases_of, waits_of
from games.words import LANGUAGES, SERVED

Told = dict[str, JsonValue]
"""A part of a description by its published fields; what is missing is not there at all."""

_SECTIONS: Final = (*SERVED, "color", "direction", "line", "line_moved", "lost", "phase", "whose")

PACES: Final[Mapping[str, Mapping[str, int]]] = {
    "sitting": {"programming": 120, "decision": 60},
    "quick": {"programming": 60, "decision": 30},
    "relaxed": {"programming": 600, "decision": 300},
    "days": {"programming": 172_800, "decision": 86_400},
}
"""Time limits in seconds that belong together; the first is for playing in one sitting."""


class Describer:
    """Describes a rulebook in a language.

    Args:
        book: the rulebook.
        language: a language of ``games.words``.
    """

    def __init__(self, book: Rulebook, language: str) -> None:
        self.book = book
        self.language = language
        self.specials = "specials" in book.options

    def say(self, key: str, **values: object) -> str:
        """A text of the game by its key without the game, the rulebook's own where it has one."""
        return WORDS.word(self.language, f"{RULES.id}/{key}", self.book.words, **values)

    def name(self) -> Told:
        """The rulebook's line in the list."""
        book = self.book
        return {
            "id": book.id,
            "game": RULES.id,
            "name": self.say(f"rulebook.{book.id}.name"),
            "about": self.say(f"rulebook.{book.id}.about"),
            "modes": tuple(book.modes),
        }

    def rulebook(self) -> Told:
        """All of it."""
        book = self.book
        name = self.name()
        return {
            "id": book.id,
            "game": name["game"],
            "name": name["name"],
            "about": name["about"],
            "version": book.version,
            "language": self.language,
            "languages": LANGUAGES,
            "turn": Room25Texts.turn,
            "modes": tuple(self.mode(mode) for mode in book.modes.values()),
            "rules": tuple(
                {"id": t.id, "value": t.value, "text": t.text(self.language)} for t in traits(book)
            ),
            "actions": tuple(self._actions()),
            "roles": tuple(self._roles()),
            "characters": tuple(self._characters()),
            "rooms": tuple(self._rooms()),
            "compositions": tuple(self._compositions()),
            "options": tuple(self._options()),
            "waits": waits_of(RULES),
            "paces": tuple(
                {"id": pace, "name": self.say(f"pace.{pace}"), "limits_s": limits}
                for pace, limits in PACES.items()
            ),
            "phrases": phrases_of(RULES, self.say),
            "robots": book.robots,
            "locks": book.locks,
            "cards": tuple(self._cards()),
            "words": WORDS.section(self.language, *_SECTIONS, game=RULES.id),
        }

    def mode(self, mode: Mode) -> Told:
        """One mode."""
        return {
            "id": mode.id,
            "name": self.say(f"mode.{mode.id}.name"),
            "about": self.say(f"mode.{mode.id}.about"),
            "seats": mode.seats,
            "characters": mode.per_seat,
            "turns": mode.turns,
            "roles": mode.roles,
            "other_roles": mode.other_roles,
            "teams": mode.teams,
            "duos": mode.duos,
            "programs": mode.programs,
            "open_programs": mode.open_programs,
            "free_order": mode.free_order,
            "looks_reveal": mode.looks_reveal,
            "alarm": mode.alarm,
            "cards": mode.cards,
            "needs_key": mode.needs_key,
            "compositions": {n: usual_composition(self.book, mode, n) for n in mode.seats},
            "options": mode.options,
        }

    def _actions(self) -> Iterator[Told]:
        more = [*([SPECIAL] if self.specials else []), *(["adrenaline"] * self.book.adrenaline)]
        for name in (*self.book.actions, *more):
            yield {
                "id": name,
                "name": self.say(f"action.{name}.name"),
                "about": self.say(f"action.{name}.about"),
            }

    def _roles(self) -> Iterator[Told]:
        for name in (PRISONER, *(self.book.identities or (GUARD,))):
            yield {
                "id": name,
                "name": self.say(f"role.{name}.name"),
                "about": self.say(f"role.{name}.about"),
            }

    def _characters(self) -> Iterator[Told]:
        for each in CHARACTERS:
            if each.id in self.book.characters:
                yield {
                    "id": each.id,
                    "name": self.say(f"character.{each.id}.name"),
                    "type": self.say(f"character.{each.id}.type"),
                    "duo": each.duo,
                    "shape": each.shape,
                    "abilities": tuple(self._abilities(each)) if self.specials else (),
                }

    def _abilities(self, sheet: CharacterSheet) -> Iterator[Told]:
        for name in (*sheet.skills, *sheet.passive):
            yield {
                "id": name,
                "name": self.say(f"ability.{name}.name"),
                "effect": self.say(f"ability.{name}.effect"),
                "passive": name in sheet.passive,
            }

    def _rooms(self) -> Iterator[Told]:
        for kind, copies in self.book.box.items():
            yield {
                "id": kind,
                "name": self.say(f"room.{kind}.name"),
                "color": ROOM_KINDS[kind].color,
                "copies": copies,
                "effect": self.say(f"room.{kind}.effect"),
            }

    def _compositions(self) -> Iterator[Told]:
        for name, each in self.book.compositions.items():
            yield {
                "id": name,
                "name": self.say(f"composition.{name}.name"),
                "rooms": each.rooms,
                "modes": each.modes,
                "guards": each.guards,
                "fill": each.fill,
                "never": each.never,
            }

    def _options(self) -> Iterator[Told]:
        for name, rule in self.book.options.items():
            yield {
                "id": name,
                "name": self.say(f"option.{name}.name"),
                "default": rule.default,
                "values": rule.values,
                "about": self.say(f"option.{name}.about"),
            }

    def _cards(self) -> Iterator[Told]:
        if (
            not any(mode.cards for mode in self.book.modes.values())
            and not kinds_with("draws") & self.book.box.keys()
        ):
            return
        for card in BASE_CARDS:
            yield self._movement(card) if card in MOVEMENTS else self._penalty(card)
        for card, effect in MADNESS.items():
            yield {
                "id": card,
                "kind": "madness",
                "name": self.say(f"card.{effect}.name"),
                "effect": self.say(f"card.{effect}.effect"),
                "effect_id": effect,
            }

    def _movement(self, card: str) -> Told:
        it = MOVEMENTS[card]
        kind = "movement_twice" if it.twice else "movement_again" if it.again else "movement"
        line, way = self.say(f"line.{it.line}"), self.say(f"direction.{it.way}")
        return {
            "id": card,
            "kind": "movement",
            "name": self.say(f"card.{kind}.name", line=line, way=way),
            "effect": self.say(f"card.{kind}.effect"),
            "line": it.line,
            "way": it.way,
            "steps": 2 if it.twice else 1,
            "again": it.again,
        }

    def _penalty(self, card: str) -> Told:
        it = PENALTIES[card]
        first, second = (self.say(f"character.{each}.name") for each in it.characters)
        action = self.say(f"action.{it.action}.name")
        return {
            "id": card,
            "kind": "penalty",
            "name": self.say("card.penalty.name", action=action, first=first, second=second),
            "effect": self.say("card.penalty.effect"),
            "action": it.action,
            "characters": it.characters,
        }


def usual_composition(book: Rulebook, mode: Mode, seats: int) -> str:
    """The rooms that are laid out for so many seats if the host chooses no option at all."""
    wish = TableOpening(rulebook=book.id, mode=mode.id, seats=seats, options={})
    return str(ROOM25.open(wish).options["composition"])
