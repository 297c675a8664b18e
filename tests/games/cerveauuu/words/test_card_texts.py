"""What a card's text says is what its row does: figures, durations, whose pieces, which words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from msgspec import Struct

from games.cerveauuu.deck import CARDS
from games.cerveauuu.model import language as words
from games.cerveauuu.model.language import Card
from games.cerveauuu.words import WORDS
from games.words import LANGUAGES

FIGURES: Final = ("distance", "value", "steps", "number", "points")
"""The fields of the language's structs that count something."""

SPOKEN: Final[dict[str, dict[str, str]]] = {
    "combat": {"en": r"this fight|that fight", "fr": "ce combat", "pl": "tej walce"},
    "round": {"en": "end of the round", "fr": "fin du tour", "pl": "końca rundy"},
    "weather": {"en": "this weather lasts", "fr": "dure cette météo", "pl": "trwa ta pogoda"},
    "lasting": {"en": "rest of the game", "fr": "fin de la partie", "pl": "końca gry"},
    "window": {"en": "window closes", "fr": "fenêtre se ferme", "pl": "okno się nie zamknie"},
    "chance": {"en": "at random", "fr": "au hasard", "pl": "losowo"},
    "out": {"en": "outdoors", "fr": "extérieur", "pl": "na zewnątrz"},
    "in": {"en": "indoors", "fr": "à l’intérieur", "pl": "w budynk"},
    "border": {"en": "border", "fr": "bordure", "pl": "brzeg"},
    "kill": {"en": "kill", "fr": r"\btu[eé]", "pl": r"zabij|zabić|\bgin"},
    "block": {"en": "block", "fr": "bloqu", "pl": "blok"},
    "flee": {"en": "flee", "fr": "fuit", "pl": "ucieka"},
    "lure": {"en": "towards", "fr": "pas vers", "pl": "stronę"},
    "tie": {"en": r"\bwins? ties|in ties", "fr": "cas d’égalité", "pl": "remis"},
    "ban": {
        "en": "[Nn]obody can play",
        "fr": "[Pp]ersonne ne peut jouer",
        "pl": "nikt nie może zag",
    },
    "breach": {"en": "breach", "fr": "brèche", "pl": "wyłom"},
    "opaque": {
        "en": "obody sees through",
        "fr": "à travers",
        "pl": "[Pp]rzez .*pole nic nie widać",
    },
    "impassable": {"en": "impassable", "fr": "infranchissable", "pl": "nie do przejścia"},
    "spawn": {"en": "appears", "fr": "apparaît", "pl": "pojawia"},
    "look": {"en": "Look at", "fr": "Regardez", "pl": "Obejrzyj"},
    "draw": {"en": r"[Dd]raws? \d", "fr": r"[Pp]iochez? \d", "pl": "[Dd]obier"},
    "drop": {"en": "[Dd]iscard", "fr": "[Dd]éfausse", "pl": "[Oo]drzu"},
    "combatant": {
        "en": "leaves the fight|joins",
        "fr": "quitte le combat|rejoint",
        "pl": "wycofuje|dołącza",
    },
}
"""How each language says it; a text says it exactly if the card does it."""

ALSO: Final[dict[str, dict[str, str]]] = {
    "own": {"en": "your (blocked )?zombies", "fr": "vos zombies", "pl": "(twoich|swoich).* zombie"},
    "other": {
        "en": "([Aa]n|[Ee]very |the )other player",
        "fr": "d’un autre joueur|des autres joueurs|Un autre joueur",
        "pl": "innego gracza|innych graczy|Inny gracz",
    },
    "free": {"en": "free cell", "fr": "case libre", "pl": "[Ww]oln(e|ym) pol"},
    "see": {"en": "in sight", "fr": "en vue", "pl": "widzi"},
    "adj": {"en": "adjacent", "fr": "adjacente?", "pl": "sąsiad|sąsiedni"},
    "support": {"en": "supports its side", "fr": "venu en soutien", "pl": "ze wsparci"},
    "fight": {"en": "fight|combatant", "fr": "combat", "pl": "[Ww]alcz|walk"},
    "ajar": {"en": "open door", "fr": "porte ouverte", "pl": "Otwarte drzwi"},
    "shut": {"en": "closed door", "fr": "porte fermée", "pl": "Zamknięte drzwi"},
    "mover": {"en": "on the move", "fr": "en mouvement", "pl": "Idące właśnie"},
    "choice": {"en": "of your choice", "fr": "de votre choix", "pl": "wybran"},
    "human": {"en": "[Hh]uman", "fr": "[Hh]umain", "pl": "[Cc]złowiek|[Ll]udzi"},
    "zombie": {"en": "[Zz]ombie", "fr": "[Zz]ombie", "pl": "[Zz]ombie"},
}
"""What a text says if the card has it, and may say otherwise too."""


def everything(value: object) -> Iterator[Struct]:
    """All structs in a value."""
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from everything(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from everything(each)


def figures(card: Card) -> list[int]:
    """The numbers of a row, without signs, sorted; slots are no numbers."""
    parts = list(everything((card.target, card.effect)))
    found = [
        abs(number)
        for part in parts
        for name in FIGURES
        if isinstance(number := getattr(part, name, None), int)
    ]
    return sorted(found + [1 for part in parts if isinstance(part, words.TakeCard)])


def told(text: str) -> list[int]:
    """The numbers in a text, sorted."""
    return sorted(map(int, re.findall(r"\d+", text)))


def done(card: Card) -> set[str]:
    """The words of ``SPOKEN`` that are true of a card."""
    found: set[str] = set()
    for part in everything((card.target, card.effect)):
        found.add(str(part.__struct_config__.tag))
        found |= {str(getattr(part, name, "")) for name in ("lasts", "state", "flag")}
        found |= set(getattr(part, "flags", ())) | set(getattr(part, "filters", ()))
        match part:
            case words.Block() | words.Spawn(what="zombie_blocked"):
                found |= {"block", "round"}
            case words.Unblock():
                found.add("block")
            case words.Save(cause="card"):
                found |= {"window", "kill"}  # which it forbids
            case words.Save(cause="any"):
                found.add("window")
            case words.TakeCard() | words.DropCards(seats=words.Seats("others" | "everyone")):
                found.add("chance")
            case words.DropCards(seats=words.Chosen()):
                found.add("chance")
            case words.ModifyStat(stat="draws"):
                found.add("draw")
            case words.Trigger() if card.when != ("combat",):
                found |= {"combat", "round"}
            case words.FlagCell(flag="impassable") if "free" not in card.target[0].flags:
                found.add("kill")  # whoever stands there is doomed (§2.5)
    return found & SPOKEN.keys()


def also(card: Card) -> set[str]:
    """The words of ``ALSO`` that are true of a card."""
    found: set[str] = set()
    for part in everything((card.target, card.effect)):
        found.add(str(part.__struct_config__.tag))
        found |= set(getattr(part, "flags", ())) | set(getattr(part, "filters", ()))
        kind = getattr(part, "kind", "")
        found |= {name for name, at in (("human", "HX"), ("zombie", "ZX")) if kind in at and kind}
        if isinstance(part, words.TakeSteps):
            found.add("free")
    if card.drops:
        found.add("choice")
    return found & ALSO.keys()


def complaints(card: Card, language: str, text: str) -> list[str]:
    """What a text leaves out of its card's row, or adds to it."""
    found = []
    if told(text) != figures(card):
        found.append(f"figures: {told(text)}, not {figures(card)}")
    for word, spoken in SPOKEN.items():
        says = re.search(spoken[language], text) is not None
        if says != (word in done(card)):
            found.append(f"{'says' if says else 'does not say'}: {word}")
    found += [
        f"does not say: {word}"
        for word in sorted(also(card))
        if re.search(ALSO[word][language], text) is None
    ]
    for part in everything(card.effect):
        if isinstance(part, words.ModifyStat) and part.stat in {"move", "combat"}:
            change = f"{part.value:+}".replace("-", "−")
            if (change in text) == part.absolute:
                found.append(f"the sign of {change}")
    return found


def text_of(card: str, language: str) -> str:
    return WORDS.word(language, f"cerveauuu/card.{card}.text")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_tells_what_the_row_does(language: str) -> None:
    said = {
        each: complaints(card, language, text_of(each, language)) for each, card in CARDS.items()
    }
    assert {card: wrong for card, wrong in said.items() if wrong} == {}


@pytest.mark.parametrize(
    ("card", "language", "said", "planted"),
    [
        ("c031", "en", "8", "7"),
        ("c029", "fr", "4", "5"),
        ("c010", "pl", "−1", "+1"),
        ("c012", "en", "of 3", "+3"),
        ("c092", "en", "Until the end of the round", "In this fight"),
        ("c122", "fr", "du tour", "de la partie"),
        ("c130", "pl", ", dopóki okno się nie zamknie", ""),
        ("c030", "en", " at random", ""),
        ("c040", "fr", "tué", "bloqué"),
        ("c052", "pl", "Jedno z twoich walczących zombie", "Walczące zombie"),
        ("c138", "en", " of your choice", ""),
        ("c060", "en", " outdoors", ""),
        ("c079", "fr", "libre", "murée"),
    ],
)
def test_a_text_that_tells_otherwise_is_found(
    card: str, language: str, said: str, planted: str
) -> None:
    text = text_of(card, language)
    assert said in text
    assert len(complaints(CARDS[card], language, text.replace(said, planted))) >= 1
