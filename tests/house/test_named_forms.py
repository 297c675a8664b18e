"""Grammar changes names, and the page finds them all the same: the words list what occurs.

A stem of a name in any text of a game is that name, one of its listed forms, or listed here as
something else. So whoever writes a text with a new form is told to list it
(``<game>/forms.<kind>.<id>`` of the page's words, which each language has as its grammar asks).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

import pytest

from games.sentences import Template, parse
from games.words import LANGUAGES
from tests import mentions
from tests.house import tree

PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "room25": {"rooms": "room", "actions": "action", "roles": "role", "abilities": "ability"},
    "cerveauuu": {"cards": "card"},
}
"""What the page looks for in the texts of a game: its kind there, and in the keys of names."""

GAMES: Final = [
    pytest.param(game, language, id=f"{game}-{language}")
    for game in PARTS
    for language in LANGUAGES
]

EVERYDAY: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset({"Carry", "Control", "Lock", "Look", "Move", "Push", "Reactivate", "Summon"}),
    "fr": frozenset({"Contrôler", "Porter", "Pousser", "Regarder", "Réactiver", "Verrouiller"}),
    "pl": frozenset({"Przeniesienie", "Ruch", "Wypchnięcie", "Zamknięcie"}),
}
"""Names that are everyday words, whose other forms are left alone: a robot pushes too."""

OTHERS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("room25", "en"): frozenset({"Hack the building: hacks the building"}),
    ("room25", "fr"): frozenset(
        {
            *("Appel: appeler", "Appel: appelée", "Cellule: celle", "Cellule: celles"),
            *("Gardien: Gardez", "Gardien: garde", "Gardien: garder"),
            "Pirater le bâtiment: pirate le bâtiment",
        }
    ),
    ("room25", "pl"): frozenset(
        {
            *("Cela: celu", "Niewidzialność: niewidzialna", "Sabotaż robota: sabotuje robota"),
            *("Wezwanie: wezwano", "Wezwanie: wezwać"),
        }
    ),
    ("cerveauuu", "fr"): frozenset({"Moto: moteur"}),
}
"""Words that begin as a name does and are others: what one does, and what only looks like it."""

WORD: Final = re.compile(r"[^\W_]+")


class Thing(NamedTuple):
    """What a game explains."""

    kind: str
    id: str


Called = dict[Thing, list[str]]
"""What texts call each thing, its name first."""


@cache
def words(game: str, language: str) -> Mapping[str, str]:
    """All texts of a game, those of the service and those of the page."""
    paths = (f"games/{game}/words/{language}.json", f"web/games/{game}/words/{language}.json")
    return {key: text for path in paths for key, text in json.loads(tree.read(path) or "").items()}


def called(game: str, language: str) -> Called:
    """All that the page looks for."""
    listed = mentions.forms(game, language)
    return {
        Thing(kind, named[1]): [text, *listed.get((kind, named[1]), [])]
        for kind, part in PARTS[game].items()
        for key, text in words(game, language).items()
        if (named := re.fullmatch(rf"{game}/{part}\.(\w+)\.name", key))
    }


def said(game: str, language: str) -> list[str]:
    """What the texts of a game say, without what is put into them."""
    texts = (text for key, text in words(game, language).items() if f"{game}/forms." not in key)
    return [piece for text in texts for piece in pieces(parse(text))]


def pieces(template: Template) -> Iterator[str]:
    """The texts between the holes, and in them."""
    for part in template:
        if isinstance(part, str):
            yield part
        else:
            for _, inner in part.cases:
                yield from pieces(inner)


def plain(word: str) -> str:
    """A word in small letters without marks, which forms add and take away."""
    split = unicodedata.normalize("NFD", word.lower().replace("ł", "l"))
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def alike(word: str, own: str) -> bool:
    """Whether a word may be a form of a word of a name: short words have none."""
    return word == own if len(own) < 4 else word.startswith(beginning(own))


def beginning(own: str) -> str:
    """What every form of a word of a name begins with."""
    return own if len(own) < 4 else own[: 3 if len(own) < 5 else max(4, len(own) - 3)]


class Word(NamedTuple):
    """A word of a text, plain, and where it begins and ends."""

    plain: str
    first: int
    last: int


@cache
def split(text: str) -> list[Word]:
    """The words of a text."""
    return [Word(plain(word[0]), *word.span()) for word in WORD.finditer(text)]


def stems(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where words follow each other that may be the words of a name."""
    found, own = split(text), split(name)
    first = beginning(own[0].plain)
    for at in range(len(found) - len(own) + 1):
        if not found[at].plain.startswith(first):
            continue  # which spares nearly every word the comparison below
        here = found[at : at + len(own)]
        if all(alike(word.plain, each.plain) for word, each in zip(here, own, strict=True)):
            yield here[0].first, here[-1].last


def missed(texts: Iterable[str], things: Called, spared: Iterable[str] = ()) -> set[str]:
    """What has the stem of a name and is found under no name: ``name: form``."""
    known = mentions.pattern(each for names in things.values() for each in names)
    names = {names[0] for names in things.values()} - set(spared)
    found = set()
    for text in texts:
        spans = [match.span() for match in known.finditer(text)]
        for name in names:
            for first, last in stems(text, name):
                if not any(begin <= first and last <= end for begin, end in spans):
                    found.add(f"{name}: {text[first:last]}")
    return found


def strays(texts: Iterable[str], things: Called) -> set[str]:
    """The listed forms that are no form of their name, stand in no text or name two things."""
    everything = "\n".join(texts)
    counts = Counter(form for names in things.values() for form in {*names})
    return {
        form
        for name, *forms in things.values()
        for form in forms
        if not list(stems(form, name))
        or not mentions.pattern([form]).search(everything)
        or counts[form] > 1
    }


def test_every_game_is_looked_at() -> None:
    assert set(tree.games(tree.tracked())) == set(PARTS)


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_every_form_of_a_name_in_a_text_is_known(game: str, language: str) -> None:
    found = missed(said(game, language), called(game, language), EVERYDAY[language])
    assert found == OTHERS.get((game, language), frozenset())


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_every_listed_form_is_one_and_stands_in_a_text(game: str, language: str) -> None:
    things = called(game, language)
    assert set(mentions.forms(game, language)) <= {(each.kind, each.id) for each in things}
    assert strays(said(game, language), things) == set()


@pytest.mark.parametrize(("game", "language"), GAMES)
def test_what_every_table_says_names_nothing_of_a_game(game: str, language: str) -> None:
    known = mentions.pattern(each for names in called(game, language).values() for each in names)
    texts = json.loads(tree.read(f"games/words/{language}.json") or "")
    assert {key: found for key, text in texts.items() if (found := known.findall(text))} == {}


def test_a_planted_form_is_missed_until_it_is_listed() -> None:
    texts = ["Z Komory obrotowej widać Komorę obrotową, nie komórkę."]
    name, room = "Komora obrotowa", Thing("rooms", "pivoting")
    assert missed(texts, {room: [name]}) == {
        f"{name}: Komory obrotowej",
        f"{name}: Komorę obrotową",
    }
    assert missed(texts, {room: [name, "Komory obrotowej"]}) == {f"{name}: Komorę obrotową"}
    assert missed(texts, {room: [name, "Komory obrotowej", "Komorę obrotową"]}) == set()
    assert missed(["bez celu"], {Thing("rooms", "jail"): ["Cela", "celi"]}) == {"Cela: celu"}


def test_a_planted_form_that_is_none_is_noticed() -> None:
    jail, look = Thing("rooms", "jail"), Thing("actions", "look")
    texts = ["Nie ma tu celi, jest tu klatka."]
    assert strays(texts, {jail: ["Cela", "celi"]}) == set()
    assert strays(texts, {jail: ["Cela", "klatka"]}) == {"klatka"}
    assert strays(texts, {jail: ["Cela", "celi", "celą"]}) == {"celą"}
    assert strays(texts, {jail: ["Cela", "celi"], look: ["Celowanie", "celi"]}) == {"celi"}


def test_a_word_that_only_begins_as_a_form_is_not_found() -> None:
    found = mentions.pattern(["Cela", "celi", "Obserwację", "Pokoju 25"]).findall
    assert found("Celi, celi; z pokoju 25") == ["Celi", "celi", "pokoju 25"]
    assert found("cela, celiny, celu, obserwację, Pokoju 257") == []
