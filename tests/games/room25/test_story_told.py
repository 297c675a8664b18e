"""What characters do by abilities and powers, and how they die: a sentence for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

import msgspec
import pytest

from events.kernel import Event
from games.registry import GAMES
from games.room25.decider import ROOM25
from games.room25.facts.edition_events import CardDrawn, PowerUsed, SpecialUsed
from games.room25.facts.events import CharacterEliminated, ProgrammingClosed
from games.room25.model.characters import Skill
from games.room25.telling.texts import Room25Texts, use_of
from games.sentences import Sentences, holes, parse
from games.words import LANGUAGES

Told = Mapping[str, str]
"""A sentence by language."""


def told(en: str, fr: str, pl: str) -> Told:
    return {"en": en, "fr": fr.replace(" :", "\u00a0:").replace(" ;", "\u00a0;"), "pl": pl}


USES: Final[Mapping[str, Told]] = {
    "summon:alice": told(
        "Kevin summons Alice.", "Kevin fait venir Alice.", "Kevin wzywa do siebie Alice."
    ),
    "invisibility": told(
        "Kevin hides from everybody.",
        "Kevin se cache de tous.",
        "Kevin ukrywa się przed wszystkimi.",
    ),
    "carry:max:r1c2": told(
        "Kevin carries Max to r1c2.",
        "Kevin porte Max en r1c2.",
        "Kevin przenosi Maksa na r1c2.",
    ),
    "reactivate:r0c1": told(
        "Kevin reactivates r0c1.", "Kevin réactive r0c1.", "Kevin uruchamia ponownie pole r0c1."
    ),
    "lock:r0c1": told(
        "Kevin locks r0c1.", "Kevin verrouille r0c1.", "Kevin zamyka na zamek pole r0c1."
    ),
    "lock:r0c1:r4c4": told(
        "Kevin locks r0c1 with the lock from r4c4.",
        "Kevin verrouille r0c1 avec le verrou de r4c4.",
        "Kevin zamyka pole r0c1 zamkiem z r4c4.",
    ),
    "sabotage_room": told(
        "Kevin sabotages their own room.",
        "Kevin sabote sa propre salle.",
        "Kevin sabotuje własny pokój.",
    ),
    "sabotage_robot:2": told(
        "Kevin sabotages robot 2.", "Kevin sabote le robot 2.", "Kevin sabotuje robota 2."
    ),
    "hack_building:r0c1:r1c0": told(
        "Kevin hacks the building to swap r0c1 and r1c0.",
        "Kevin pirate le bâtiment pour échanger r0c1 et r1c0.",
        "Kevin włamuje się do systemu budynku, by zamienić miejscami r0c1 i r1c0.",
    ),
    "hack_robot:robot1:move:r3c1": told(
        "Kevin hacks robot 1 and sends it to r3c1.",
        "Kevin pirate le robot 1 et l’envoie en r3c1.",
        "Kevin włamuje się do robota 1 i wysyła go na r3c1.",
    ),
    "hack_robot:robot1:push:bruce:r3c1": told(
        "Kevin hacks robot 1 and orders it to push Bruce to r3c1.",
        "Kevin pirate le robot 1 et lui ordonne de pousser Bruce en r3c1.",
        "Kevin włamuje się do robota 1 i każe mu wypchnąć Bruce’a na r3c1.",
    ),
    "vitality": told(
        "Kevin gathers new strength.", "Kevin reprend des forces.", "Kevin nabiera nowych sił."
    ),
    "telepathy:alice": told(
        "Kevin uses an ability.", "Kevin utilise une capacité.", "Kevin używa zdolności."
    ),
}
"""What is told of each use of an ability, and of one that nobody has yet."""

POWERS: Final[Mapping[str, Told]] = {
    "hide:r0c1": told(
        "Kevin uses the guard’s power to turn r0c1 face-down.",
        "Kevin utilise son pouvoir de gardien pour retourner r0c1 face cachée.",
        "Kevin używa mocy strażnika, by zakryć pole r0c1.",
    ),
    "emmett+franck:r1c2": told(
        "Kevin uses the guard’s power to push Emmett and Franck to r1c2.",
        "Kevin utilise son pouvoir de gardien pour pousser Emmett et Franck en r1c2.",
        "Kevin używa mocy strażnika, by wypchnąć Emmetta i Francka na r1c2.",
    ),
    "r1c2": told(
        "Kevin uses the guard’s power to go on to r1c2.",
        "Kevin utilise son pouvoir de gardien pour continuer en r1c2.",
        "Kevin używa mocy strażnika, by pójść dalej na r1c2.",
    ),
}
"""What is told of each power of a guard that is seen to be used."""

EVENTS: Final[list[tuple[Event, Told]]] = [
    *((SpecialUsed(character="kevin", option=use), said) for use, said in USES.items()),
    *((PowerUsed(character="kevin", option=use), said) for use, said in POWERS.items()),
    (
        ProgrammingClosed(actions={"franck": 1, "emmett": 2, "kevin": 2}),
        told(
            "All programmes are in: Emmett and Kevin act twice; Franck acts once.",
            "Tous les programmes sont là : Emmett et Kevin agissent deux fois ; "
            "Franck agit une fois.",
            "Wszystkie programy są złożone: Emmett i Kevin działają dwa razy; Franck działa raz.",
        ),
    ),
    (
        ProgrammingClosed(actions={"franck": 2, "emmett": 2}),
        told(
            "All programmes are in, with two actions each.",
            "Tous les programmes sont là, avec deux actions chacun.",
            "Wszystkie programy są złożone, każdy z dwiema akcjami.",
        ),
    ),
    (
        ProgrammingClosed(actions={}),
        told(
            "All programmes are in.",
            "Tous les programmes sont là.",
            "Wszystkie programy są złożone.",
        ),
    ),
    (
        CardDrawn(card="P4"),
        told(
            "The card “Penalty for Kevin and Franck (Control)” is turned up.",
            "On retourne la carte «\u00a0Pénalité pour Kevin et Franck (Contrôler)\u00a0».",
            "Odkryto kartę „Kara (Sterowanie, Kevin i Franck)”.",
        ),
    ),
    (
        CardDrawn(card="Z17", character="kevin"),
        told(
            "Kevin draws the card “Panic”.",
            "Kevin tire la carte «\u00a0Panique\u00a0».",
            "Kevin ciągnie kartę „Panika”.",
        ),
    ),
    (
        CharacterEliminated(character="kevin", cause="acid"),
        told(
            "The Acid Bath kills Kevin.",
            "Kevin meurt, victime de «\u00a0Bain d’acide\u00a0».",
            "Wanna z kwasem zabija Kevina.",
        ),
    ),
    (
        CharacterEliminated(character="kevin", cause="time_bomb"),
        told(
            "The time bombs kill Kevin.",
            "Les bombes à retardement tuent Kevin.",
            "Bomby zegarowe zabijają Kevina.",
        ),
    ),
]
"""Events, and what is told of them."""


def fields(event: Event) -> dict[str, Any]:
    """An event with what the game says beside it, at no table."""
    beside = Room25Texts().beside(event, ROOM25.initial())
    return {**msgspec.to_builtins(event, str_keys=True), **beside}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("event", "said"), EVENTS)
def test_a_deed_is_a_sentence(event: Event, said: Told, language: str) -> None:
    book = GAMES["room25"].published.rulebook("ultimate", language)
    sentences = Sentences(book, Room25Texts().spell)
    assert sentences.tell(fields(event), "seat {}".format) == said[language]


def cases(key: str, path: str) -> set[str]:
    """The names of the cases that a template has for a field."""
    book = GAMES["room25"].published.rulebook("ultimate", "en")
    template = parse(book["words"][f"room25/event.{key}"])
    return {name for hole in holes(template) if hole.path == path for name, _ in hole.cases}


def test_every_ability_has_a_sentence_of_its_own() -> None:
    own = {*get_args(Skill)} - {"mimic"}
    assert cases("special-used", "use.does") == {*own, "other"}
    assert {use_of(use)["does"] for use in USES} == {*own, "telepathy"}
    assert cases("power-used", "use.does") == {"hide", "push", "step", "other"}
    assert {fields(PowerUsed(character="kevin", option=use))["use"]["does"] for use in POWERS} == {
        "hide",
        "push",
        "step",
    }
