"""Texts are in plain words: no id stands in one, nor a word that only its makers know.

English ids are often ordinary English words, so whole ids are looked for in the other languages,
which say the same; an id in two parts is nobody's word in any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

import pytest

from games.package import GamePackage
from games.registry import GAMES
from games.words import LANGUAGES
from tests.house import tree
from tests.house.test_game_ids import ids_of

Texts = Mapping[str, str]

WORDS: Final[Mapping[str, frozenset[str]]] = {
    "fr": frozenset(
        {
            *("orange", "prototype", "robot", "robots", "secrets", "suspicion", "tunnel", "vision"),
            "vortex",
        }
    ),
    "pl": frozenset({"solo"}),
}
"""Ids that are words of the language too."""

MAKERS: Final[Mapping[str, str]] = {
    "en": r"hash\w*|commit(?:ted|ments?)|head",
    "fr": r"hach\w+|engagé\w*|engagements?|condensat\w*",
    "pl": r"skró(?:t|cie)\w*|zobowiąz\w+|haszy?\w*|głow\w+",
}
"""How those who made the proofs speak; readers have fingerprints and sealed values."""

_HOLE: Final = re.compile(r"\{[\w.-]+(?:, (?!select|each)[^{}]*)?\}")
_CHOICE: Final = re.compile(r"\{[\w.-]+, (?:select|each), *[\w-]* *(?=\{)|(?<=\}) *[\w-]+ *(?=\{)")
_WORD: Final = re.compile(r"[^\W\d_][\w-]*")


def ids(game: GamePackage) -> frozenset[str]:
    """What a game calls things by itself, with the values that its options may have."""
    rulebooks = [game.published.rulebook(each, "en") for each in game.rules.tags]
    options = [option for book in rulebooks for option in _listed(book["options"])]
    values = [value for option in options for value in _listed(option["values"])]
    return ids_of(game) | {str(each["id"]) for each in options} | set(map(str, values))


def _listed(value: object) -> list[dict[str, object]]:
    assert isinstance(value, (list, tuple))
    return list(value)


def texts(language: str) -> Iterator[tuple[str, Texts]]:
    """All catalogues of a language, the games' and the page's."""
    for name in tree.tracked():
        own = re.fullmatch(
            rf"(?:games|web)/(?:.*/)?words/(?:{language}|{language}/\w+)\.json", name
        )
        if own is not None:
            yield name, json.loads(tree.read(name) or "")


def said(text: str) -> str:
    """A text without what is put in, and with all that it says in one case or another."""
    return re.sub(r"[{}]", " ", _HOLE.sub(" ", _CHOICE.sub(" ", text)))


def spelled(catalogue: Texts, language: str, known: frozenset[str]) -> list[str]:
    """The keys of texts in which an id stands."""
    foreign = known - WORDS[language] if language in WORDS else frozenset()
    return [
        key
        for key, text in catalogue.items()
        if any("_" in word or word in foreign for word in _WORD.findall(said(text)))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_id_stands_in_a_text(language: str) -> None:
    known = frozenset[str]().union(*map(ids, GAMES.values()))
    found = list(texts(language))
    assert len(found) > len(GAMES)
    for name, catalogue in found:
        assert spelled(catalogue, language, known) == [], name


def test_an_id_in_a_text_is_noticed() -> None:
    known = ids(GAMES["room25"])
    assert {"custom", "rooms", "keep_looked_visible"} <= known
    texts_ = {
        "a": "custom les prend",
        "b": "la valeur keep_it",
        "c": "{rooms} salles, {x, of, rooms}",
    }
    assert spelled(texts_, "fr", known) == ["a", "b"]
    assert said("{x, select, none {rien du tout} other {{y, of, rooms} ici}}.").split() == [
        "rien",
        "du",
        "tout",
        "ici",
        ".",
    ]
    assert spelled(texts_, "en", known) == ["b"]


def test_every_word_that_is_let_pass_is_an_id_and_is_said() -> None:
    known = frozenset[str]().union(*map(ids, GAMES.values()))
    for language, words in WORDS.items():
        heard = {
            word
            for _, catalogue in texts(language)
            for text in catalogue.values()
            for word in _WORD.findall(said(text))
        }
        assert words - (known & heard) == set(), language


@pytest.mark.parametrize("language", LANGUAGES)
def test_proofs_are_told_in_plain_words(language: str) -> None:
    makers = re.compile(rf"\b(?:{MAKERS[language]})\b", re.IGNORECASE)
    for name, catalogue in texts(language):
        if name.startswith("web/words/"):
            assert [key for key, text in catalogue.items() if makers.search(said(text))] == [], name
    assert makers.search({"en": "a Hash", "fr": "un hachage", "pl": "jego skrót:"}[language])


def test_a_house_player_is_no_robot_in_french() -> None:
    """Robots are figures of a game."""
    for name, catalogue in texts("fr"):
        if name.startswith(("web/words/", "games/words/")):
            found = [
                key for key, text in catalogue.items() if re.search("robot", text, re.IGNORECASE)
            ]
            assert found == [], name


_MASCULINE: Final = re.compile(
    r"\b[Vv]ous (?:êtes|étiez|serez|avez été|n’êtes pas) (?:\w+ )?"
    r"(?:invité|connecté|arrivé|prêt|seul|inscrit|assis)\b(?!·|\(e\))"
)
"""What takes the reader for a man; the titles of the service are left alone."""


def test_french_takes_no_reader_for_a_man() -> None:
    for name, catalogue in texts("fr"):
        if name.startswith("web/words/"):
            found = [key for key, text in catalogue.items() if _MASCULINE.search(said(text))]
            assert found == [], name
    assert _MASCULINE.search("là où vous êtes connecté.")
    assert not _MASCULINE.search("vous êtes à l’heure")
