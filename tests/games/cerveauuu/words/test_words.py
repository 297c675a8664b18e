"""The words of Cerveauuu!: complete, alike in all languages, and of all 140 cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from string import ascii_lowercase
from typing import Final, get_args

import pytest

from games.cerveauuu import EVENTS, RULES
from games.cerveauuu.board import MAPS, parse_map
from games.cerveauuu.deck import CARDS
from games.cerveauuu.model.language import WINDOWS, CardType, Duration, PieceStat, SeatStat
from games.cerveauuu.model.reasons import Why
from games.cerveauuu.rules.phrases import PHRASES
from games.cerveauuu.rules.unavailable import ASKED, BELOW
from games.cerveauuu.telling.description import PACES
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.cerveauuu.words import WORDS
from games.sentences import KINDS as HOLES
from games.sentences import holes, parse
from games.words import ENGLISH, LANGUAGES
from games.words import WORDS as TABLE_WORDS
from tests.games.cerveauuu.deck.rows import TEXT, rows

COLOURS: Final = ("green", "purple", "orange", "blue", "grey", "pink")
PHASES: Final = ("setup", "draw", "panic", "wandering", "zombies", "end")
DECISIONS: Final = (
    "place_human",
    "place_zombie",
    "wander_turn",
    "wander_batch",
    "go",
    "replan",
    "support",
    "consent",
    "respond",
    "discard",
    "yield",
    "credits_draw",
)
"""§5.7, but for the table's own."""
ANSWERS: Final = {
    "random",
    "pass",
    "play",
    "stay",
    "down",
    "swap",
    "keep",
    "end",
    "attack",
    "none",
    "accept",
    "decline",
    "replace",
    "stop",
}
"""Parts of options that are words (§5.7)."""
YIELDS: Final = ("none", "go", "my_go", "round", "uninvolved", "deep")
OUTCOMES: Final = ("bloodiest", "most_cinematic", "shared", "last_standing")
OPTIONS: Final = ("first_chief", "map", "placement", "wander_goes", "credits")
VALUES: Final = ("default20", "alternate", "random", "shuffled", "spread")
PROBLEMS: Final = (
    "unknown-rulebook",
    "unknown-mode",
    "bad-seat-count",
    "unknown-option",
    "bad-option",
    "unknown-colour",
    "colour-taken",
    "malformed-scenario",
    "impossible-scenario",
    "unknown-decision",
)
SAME_EVERYWHERE: Final = {"cerveauuu/card.c047.name", "cerveauuu/card.c059.name"}
"""A katana, a pick-up."""
COUNTS_ROUNDS: Final = ("seat-timed-out",)
"""Events of every table whose sentence names a turn, which is a round here."""
BESIDE: Final = {
    "answer-given": {"card", "number", "on", "dropped"},
    "batch-dealt": {"dealt"},
    "batch-judged": {"decided"},
    "card-played": {"on", "dropped"},
    "consent-given": {"answer"},
    "discard-chosen": {"cards"},
}
"""What is told of an event beside its fields."""
TERM: Final = re.compile(r"cerveauuu/term\.[a-z_]+\Z")
OWN: Final = {key for key in WORDS.texts(ENGLISH) if key.startswith("cerveauuu/")}


def expected() -> Iterator[str]:
    """Every key but the terms of the glossary."""
    for card in CARDS:
        yield from (f"card.{card}.name", f"card.{card}.text")
    yield from (f"card_type.{kind}" for kind in get_args(CardType))
    yield from (f"window.{window}" for window in WINDOWS)
    yield from (f"stat.{stat}" for stat in (*get_args(PieceStat), *get_args(SeatStat)))
    yield from (f"colour.{colour}" for colour in COLOURS)
    yield from (f"phase.{phase}" for phase in PHASES)
    yield from (f"decision.{kind}.title" for kind in DECISIONS)
    yield from (f"answer.{answer}" for answer in ANSWERS)
    yield from (f"yield.{order}" for order in YIELDS)
    yield from (f"outcome.{outcome}" for outcome in OUTCOMES)
    for option in OPTIONS:
        yield from (f"option.{option}.name", f"option.{option}.about")
    yield from (f"value.{value}" for value in VALUES)
    yield from (f"problem.{code}" for code in PROBLEMS)
    for book in ("rulebook.prototype", "mode.standard"):
        yield from (f"{book}.name", f"{book}.about")
    yield from (f"lasts.{duration}" for duration in get_args(Duration))
    yield from (f"wait.{wait}" for wait in RULES.waits)
    yield from (f"unavailable.{why}" for why in Why)
    yield from (f"cannot.{kind}" for kind in ASKED)
    yield from (f"cannot.{kind}.{about}" for kind, about in BELOW.items())
    yield from (f"pace.{pace}" for pace in PACES)
    yield from (f"phrase.{phrase}" for phrase in PHRASES.aims)
    for name, text in MAPS.items():
        letters = set(parse_map(text).buildings) & set(ascii_lowercase)
        yield from (f"building.{name}.{letter}" for letter in letters)
    yield from (f"event.{kind.__struct_config__.tag}" for kind in EVENTS)
    yield from (f"event.{tag}" for tag in COUNTS_ROUNDS)


def is_sentence(key: str) -> bool:
    """Whether a text is a template of ``games.sentences``."""
    return key.startswith("cerveauuu/event.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_word_and_no_other(language: str) -> None:
    own = WORDS.texts(language).keys() - TABLE_WORDS.texts(language).keys()
    wanted = {f"cerveauuu/{key}" for key in expected()}
    assert sorted(wanted - own) == [], "missing"
    terms = own - wanted
    assert [key for key in terms if TERM.match(key) is None] == [], "superfluous"
    assert len(terms) >= 60


def test_all_languages_have_the_same_keys_in_the_same_order() -> None:
    first, *others = (list(WORDS.texts(language)) for language in LANGUAGES)
    assert all(other == first for other in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice_in_a_file_and_all_stand_in_order(language: str) -> None:
    text = (files("games.cerveauuu.words") / f"{language}.json").read_text(encoding="utf-8")
    written = re.findall(r'^ {2}"([^"]+)":', text, re.MULTILINE)
    assert [key for key, n in Counter(written).items() if n > 1] == []
    assert written == sorted(OWN)


def test_a_text_is_a_text_in_every_language() -> None:
    for key in sorted(OWN):
        texts = [WORDS.texts(language)[key] for language in LANGUAGES]
        for text in texts:
            assert text, key
            assert text == text.strip(), key
            assert "  " not in text, key
            assert is_sentence(key) or not set("{}|") & set(text), key
        if key in SAME_EVERYWHERE:
            assert len(set(texts)) == 1, key
        elif not key.startswith(("cerveauuu/term.", "cerveauuu/colour.")):
            assert len(set(texts)) > 1, key
        if not key.endswith(".name") and not is_sentence(key):
            ends = {text[-1] in ".!?" for text in texts}
            assert len(ends) == 1, f"a sentence in one language is one in all: {key}"
        if key.endswith((".text", ".about")):
            assert all(text[-1] == "." for text in texts), key


def asked(text: str) -> list[str]:
    """All holes of a sentence, with what each of them asks for."""
    return sorted(
        f"{hole.path} {hole.kind} {hole.argument} {[name for name, _ in hole.cases]}"
        for hole in holes(parse(text))
    )


def test_a_sentence_asks_for_what_its_event_has_alike_in_all_languages() -> None:
    known = HOLES | CerveauuuTexts().spell.keys()
    for kind in EVENTS:
        tag = str(kind.__struct_config__.tag)
        texts = [WORDS.word(language, f"cerveauuu/event.{tag}") for language in LANGUAGES]
        assert len({tuple(asked(text)) for text in texts}) == 1, tag
        fields = {*kind.__struct_fields__, "key", "value", *BESIDE.get(tag, ())}
        for hole in holes(parse(texts[0])):
            assert hole.path.partition(".")[0] in fields, tag
            assert hole.kind in known, tag


def test_a_planted_difference_of_sentences_is_found() -> None:
    assert asked("{a, cell} {b, select, x {} other {}}") == asked(
        "{b, select, x {c} other {}}{a, cell}"
    )
    for planted in ("{a} {b, select, x {} other {}}", "{a, cell} {b, select, y {} other {}}"):
        assert asked(planted) != asked("{a, cell} {b, select, x {} other {}}")


def test_french_has_its_spaces_and_apostrophes() -> None:
    for key in OWN:
        text = WORDS.texts("fr")[key]
        assert "'" not in text, key
        assert not re.search(r"[^\u00a0][:;!?]", text), key


def test_polish_and_french_are_not_english() -> None:
    english = WORDS.texts(ENGLISH)
    for language, few in (("fr", 25), ("pl", 6)):
        texts = WORDS.texts(language)
        same = {key for key in OWN if texts[key] == english[key]}
        assert same >= SAME_EVERYWHERE
        assert len(same) <= few, sorted(same)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_side_by_side_has_different_words(language: str) -> None:
    texts = WORDS.texts(language)
    sections: dict[tuple[str, str], list[str]] = {}
    for key in OWN:
        section, *parts = key.split(".")
        sections.setdefault((section, parts[-1] if len(parts) > 1 else ""), []).append(texts[key])
    assert len(sections) >= 18
    for found in sections.values():
        assert [text for text, n in Counter(found).items() if n > 1] == []


def test_english_names_are_those_of_the_table() -> None:
    for row in rows(TEXT):
        name = WORDS.word(ENGLISH, f"cerveauuu/card.{row.card.id}.name")
        assert name == row.name.replace("'", "’")


def test_french_names_are_those_that_the_source_has() -> None:
    """§8's list of what the source names or tells."""
    names = {
        "c031": "Carabine",
        "c032": "Arme de service",
        "c043": "Tronçonneuse",
        "c044": "Batte de base-ball",
        "c059": "Pick-up",
        "c069": "Lampe torche",
        "c089": "Capitaine des pom-pom girls",
        "c090": "Capitaine de l’équipe de foot",
        "c091": "Chien du vieux Joe",
        "c109": "Faux pas",
    }
    for card, name in names.items():
        assert WORDS.word("fr", f"cerveauuu/card.{card}.name") == name
