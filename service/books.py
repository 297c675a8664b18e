"""``/v1/rulebooks``: what can be played, in words. The answers are made once, at the start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from games.contract import Opening
from games.room25 import ROOM25, RULEBOOKS
from games.room25.cards import BASE_CARDS, MADNESS, MOVEMENTS, PENALTIES
from games.room25.catalogue import CHARACTERS, GUARD, PASSIVE, PRISONER, ROOM_KINDS, SPECIAL
from games.room25.rulebook import Mode, Rulebook
from games.room25.specials import OWN
from games.words import LANGUAGES, section, word
from games.words.traits import traits
from projections.shelf import house_shelf
from service.book_bodies import (
    AbilityInfo,
    ActionInfo,
    CardInfo,
    CharacterInfo,
    CompositionInfo,
    ModeInfo,
    OptionInfo,
    RoleInfo,
    RoomInfo,
    RulebookInfo,
    RulebookName,
    Rulebooks,
    RuleInfo,
    WaitInfo,
)
from service.house import house_of
from service.languages import Lang, Translated
from service.operations import operation
from service.problems import Refused
from service.replies import Fixed, Reply
from service.requests import StrictRequest
from service.wire import encode

_SECTIONS: Final = (
    "answer",
    "color",
    "decision",
    "direction",
    "event",
    "line",
    "outcome",
    "problem",
    "reason",
)
_IMITATOR: Final = ("mimic",)


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
        return word(self.language, f"{ROOM25.id}/{key}", self.book.words, **values)

    def name(self) -> RulebookName:
        """The rulebook's line in the list."""
        book = self.book
        return RulebookName(
            id=book.id,
            game=ROOM25.id,
            name=self.say(f"rulebook.{book.id}.name"),
            about=self.say(f"rulebook.{book.id}.about"),
            modes=tuple(book.modes),
        )

    def rulebook(self) -> RulebookInfo:
        """All of it."""
        book = self.book
        name = self.name()
        return RulebookInfo(
            id=book.id,
            game=name.game,
            name=name.name,
            about=name.about,
            version=book.version,
            language=self.language,
            languages=LANGUAGES,
            modes=tuple(self.mode(mode) for mode in book.modes.values()),
            rules=tuple(
                RuleInfo(id=t.id, value=t.value, text=t.text(self.language)) for t in traits(book)
            ),
            actions=tuple(self._actions()),
            roles=tuple(self._roles()),
            characters=tuple(self._characters()),
            rooms=tuple(self._rooms()),
            compositions=tuple(self._compositions()),
            options=tuple(self._options()),
            waits=tuple(
                WaitInfo(id=name, default_s=w.default_s, least_s=w.least_s, most_s=w.most_s)
                for name, w in ROOM25.waits.items()
            ),
            robots=book.robots,
            locks=book.locks,
            cards=tuple(self._cards()),
            words=section(self.language, *_SECTIONS, game=ROOM25.id),
        )

    def mode(self, mode: Mode) -> ModeInfo:
        """One mode."""
        return ModeInfo(
            id=mode.id,
            name=self.say(f"mode.{mode.id}.name"),
            about=self.say(f"mode.{mode.id}.about"),
            seats=mode.seats,
            characters=mode.per_seat,
            turns=mode.turns,
            roles=mode.roles,
            other_roles=mode.other_roles,
            teams=mode.teams,
            duos=mode.duos,
            programs=mode.programs,
            open_programs=mode.open_programs,
            free_order=mode.free_order,
            looks_reveal=mode.looks_reveal,
            alarm=mode.alarm,
            cards=mode.cards,
            needs_key=mode.needs_key,
            compositions={n: usual_composition(self.book, mode, n) for n in mode.seats},
            options=mode.options,
        )

    def _actions(self) -> Iterator[ActionInfo]:
        more = [*([SPECIAL] if self.specials else []), *(["adrenaline"] * self.book.adrenaline)]
        for name in (*self.book.actions, *more):
            yield ActionInfo(
                id=name,
                name=self.say(f"action.{name}.name"),
                about=self.say(f"action.{name}.about"),
            )

    def _roles(self) -> Iterator[RoleInfo]:
        for name in (PRISONER, *(self.book.identities or (GUARD,))):
            yield RoleInfo(
                id=name, name=self.say(f"role.{name}.name"), about=self.say(f"role.{name}.about")
            )

    def _characters(self) -> Iterator[CharacterInfo]:
        for each in CHARACTERS:
            if each.id in self.book.characters:
                yield CharacterInfo(
                    id=each.id,
                    name=self.say(f"character.{each.id}.name"),
                    type=self.say(f"character.{each.id}.type"),
                    duo=each.duo,
                    shape=each.shape,
                    abilities=tuple(self._abilities(each.id)) if self.specials else (),
                )

    def _abilities(self, character: str) -> Iterator[AbilityInfo]:
        passive = PASSIVE.get(character, ())
        for name in (*OWN.get(character, _IMITATOR), *passive):
            yield AbilityInfo(
                id=name,
                name=self.say(f"ability.{name}.name"),
                effect=self.say(f"ability.{name}.effect"),
                passive=name in passive,
            )

    def _rooms(self) -> Iterator[RoomInfo]:
        for kind, copies in self.book.box.items():
            yield RoomInfo(
                id=kind,
                name=self.say(f"room.{kind}.name"),
                color=ROOM_KINDS[kind].color,
                copies=copies,
                effect=self.say(f"room.{kind}.effect"),
            )

    def _compositions(self) -> Iterator[CompositionInfo]:
        for name, each in self.book.compositions.items():
            yield CompositionInfo(
                id=name,
                name=self.say(f"composition.{name}.name"),
                rooms=each.rooms,
                modes=each.modes,
                guards=each.guards,
                fill=each.fill,
                never=each.never,
            )

    def _options(self) -> Iterator[OptionInfo]:
        for name, rule in self.book.options.items():
            yield OptionInfo(
                id=name,
                name=self.say(f"option.{name}.name"),
                default=rule.default,
                values=rule.values,
                about=self.say(f"option.{name}.about"),
            )

    def _cards(self) -> Iterator[CardInfo]:
        if not any(mode.cards for mode in self.book.modes.values()) and "mac" not in self.book.box:
            return
        for card in BASE_CARDS:
            yield self._movement(card) if card in MOVEMENTS else self._penalty(card)
        for card, effect in MADNESS.items():
            yield CardInfo(
                id=card,
                kind="madness",
                name=self.say(f"card.{effect}.name"),
                effect=self.say(f"card.{effect}.effect"),
                effect_id=effect,
            )

    def _movement(self, card: str) -> CardInfo:
        it = MOVEMENTS[card]
        kind = "movement_twice" if it.twice else "movement_again" if it.again else "movement"
        line, way = self.say(f"line.{it.line}"), self.say(f"direction.{it.way}")
        return CardInfo(
            id=card,
            kind="movement",
            name=self.say(f"card.{kind}.name", line=line, way=way),
            effect=self.say(f"card.{kind}.effect"),
            line=it.line,
            way=it.way,
            steps=2 if it.twice else 1,
            again=it.again,
        )

    def _penalty(self, card: str) -> CardInfo:
        it = PENALTIES[card]
        first, second = (self.say(f"character.{each}.name") for each in it.characters)
        action = self.say(f"action.{it.action}.name")
        return CardInfo(
            id=card,
            kind="penalty",
            name=self.say("card.penalty.name", action=action, first=first, second=second),
            effect=self.say("card.penalty.effect"),
            action=it.action,
            characters=it.characters,
        )


def usual_composition(book: Rulebook, mode: Mode, seats: int) -> str:
    """The rooms that are laid out for so many seats if the host chooses no option at all."""
    wish = Opening(rulebook=book.id, mode=mode.id, seats=seats, options={})
    return str(ROOM25.open(wish).options["composition"])


def _names(language: str) -> Rulebooks:
    return Rulebooks(
        language=language,
        languages=LANGUAGES,
        rulebooks=tuple(Describer(book, language).name() for book in RULEBOOKS.values()),
        bots=tuple(house_shelf().bots),
    )


_NAMES: Final = Translated({lang: Fixed.of(encode(_names(lang))) for lang in LANGUAGES})
_BOOKS: Final = {
    name: Translated(
        {lang: Fixed.of(encode(Describer(book, lang).rulebook())) for lang in LANGUAGES}
    )
    for name, book in RULEBOOKS.items()
}


def book_in(rulebook: str, language: str) -> Fixed:
    """The description of a rulebook in one of our languages, as it is served.

    Raises:
        KeyError: there is no such rulebook or language.
    """
    return _BOOKS[rulebook].bodies[language]


@get(
    "/rulebooks",
    operation_id="ListRulebooks",
    tags=["rulebooks"],
    opt=operation("reads", Rulebooks, tagged=True, headers=("Content-Language", "Vary")),
)
async def list_rulebooks(request: StrictRequest, lang: Lang = None) -> Reply:
    """All rulebooks, and the house bots that can be seated."""
    return await house_of(request).packer.common(request, _NAMES.reply(request, lang))


@get(
    "/rulebooks/{rulebook:str}",
    operation_id="ReadRulebook",
    tags=["rulebooks"],
    opt=operation(
        "reads",
        RulebookInfo,
        tagged=True,
        headers=("Content-Language", "Vary"),
        problems=("rulebook-not-found",),
    ),
)
async def read_rulebook(
    request: StrictRequest, rulebook: FromPath[str], lang: Lang = None
) -> Reply:
    """A rulebook: modes, rooms, characters, cards, options, and in which rules it differs.

    In English, French or Polish.
    """
    found = _BOOKS.get(rulebook)
    if found is None:
        raise Refused("rulebook-not-found", "there is no such rulebook")
    return await house_of(request).packer.common(request, found.reply(request, lang))


HANDLERS: Final[list[HTTPRouteHandler]] = [list_rulebooks, read_rulebook]
