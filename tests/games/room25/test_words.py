"""The catalogues of words: complete, alike in all languages, and nothing left over."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter
from typing import Any

import msgspec
import pytest

from events.kernel import Event
from games import attendance, table
from games.inspecting import INSPECTION_REASONS
from games.room25 import EVENTS, ROOM25, RULEBOOKS, endings, programming, voluntary
from games.room25.actions import LOSE
from games.room25.board import LINE_WAYS, LINES
from games.room25.cards import ALL_CARDS, MADNESS, MOVEMENTS, PENALTIES
from games.room25.catalogue import (
    CHARACTERS,
    COLORS,
    EIGHT,
    GUARD,
    GUARD_IDENTITIES,
    PASSIVE,
    PRISONER,
    ROOM_KINDS,
    SPECIAL,
)
from games.room25.choices import CHOICES
from games.room25.codes import Code
from games.room25.effects import CARRIER, PASSENGER
from games.room25.powers import KEEP, REPLACE, STOP, SWAP
from games.room25.programming import ADRENALINE, NOTHING
from games.room25.setup import CUSTOM
from games.room25.slots import PASS
from games.room25.specials import ABILITIES, OWN
from games.table_events import REASONS, TABLE_EVENTS
from games.words import ENGLISH, LANGUAGES, catalogue, section, word
from games.words.traits import Trait, traits
from service.problems import KINDS
from tests.games.naming import own_parts

GAME_CHOICES = {"starting_clue", "program"}
VOLUNTARY = {"reveal_guard", "place_reminder", "claim_color"}
TABLE_CHOICES = {"return", "resign"}
OUTCOMES = {
    "prisoners",
    "guards",
    "complex",
    "players",
    "players_partial",
    "team",
    "draw",
}
"""§1.4."""
TABLE_OUTCOMES = {"abandoned", "annulled", "cancelled"}
"""The three ends that the table itself knows."""
ANSWERS = {
    CARRIER,
    KEEP,
    LOSE,
    NOTHING,
    PASS,
    PASSENGER,
    REPLACE,
    STOP,
    SWAP,
    "accept",
    "delay",
    "hide",
    "horizontal",
    "play_now",
    "refuse",
    "reveal",
    "vertical",
}
SAME_EVERYWHERE = {
    *(f"room25/character.{name}.name" for name in EIGHT),
    "room25/card.chaos.name",
    "room25/card.robot_card.name",
    "room25/rulebook.ultimate.name",
}
"""What is a name, or happens to be one word in all languages."""

TRAITS = [trait for book in RULEBOOKS.values() for trait in traits(book)]


def expected() -> Iterator[str]:
    """Every key without a variant that the code's own ids ask for."""
    for name in RULEBOOKS:
        yield from (f"room25/rulebook.{name}.name", f"room25/rulebook.{name}.about")
    for kind in ROOM_KINDS:
        yield from (f"room25/room.{kind}.name", f"room25/room.{kind}.effect")
    for book in RULEBOOKS.values():
        for mode in book.modes:
            yield from (f"room25/mode.{mode}.name", f"room25/mode.{mode}.about")
        for action in (*book.actions, SPECIAL, ADRENALINE):
            yield from (f"room25/action.{action}.name", f"room25/action.{action}.about")
        for option in book.options:
            yield from (f"room25/option.{option}.name", f"room25/option.{option}.about")
        yield from (f"room25/composition.{name}.name" for name in (*book.compositions, CUSTOM))
    for character in CHARACTERS:
        yield from (
            f"room25/character.{character.id}.name",
            f"room25/character.{character.id}.type",
        )
    for role in (PRISONER, GUARD, *GUARD_IDENTITIES):
        yield from (f"room25/role.{role}.name", f"room25/role.{role}.about")
    passive = [name for names in PASSIVE.values() for name in names]
    for ability in (*ABILITIES, *passive, "mimic"):
        yield from (f"room25/ability.{ability}.name", f"room25/ability.{ability}.effect")
    for card in (*MADNESS.values(), "movement", "movement_twice", "movement_again", "penalty"):
        yield from (f"room25/card.{card}.name", f"room25/card.{card}.effect")
    yield from (f"room25/cards.{kind}" for kind in ("movement", "penalty", "madness"))
    yield from (f"room25/color.{color}" for color in COLORS)
    yield from (f"room25/line.{line}" for line in LINES)
    yield from (f"room25/direction.{way}" for ways in LINE_WAYS.values() for way in ways)
    kinds = {*CHOICES, *GAME_CHOICES, *VOLUNTARY}
    yield from (f"room25/decision.{kind}.title" for kind in kinds)
    yield from (f"room25/answer.{answer}" for answer in ANSWERS)
    yield from (f"room25/event.{tag_of(kind)}" for kind in EVENTS)
    yield from (f"room25/outcome.{outcome}" for outcome in OUTCOMES)
    yield from (f"room25/problem.{code}" for code in Code)
    yield from (trait.key for trait in TRAITS)
    for trait in TRAITS:  # what a rulebook to come may say of the same rule
        if trait.key.endswith((".yes", ".no")):
            yield from (f"room25/rule.{trait.id}.yes", f"room25/rule.{trait.id}.no")


def expected_of_every_table() -> Iterator[str]:
    """The same of the ids that the table and the service have, whatever is played."""
    yield from (f"decision.{kind}.title" for kind in TABLE_CHOICES)
    yield from (f"answer.{answer}" for answer in TABLE_CHOICES)
    yield from (f"event.{tag_of(kind)}" for kind in TABLE_EVENTS)
    yield from (f"outcome.{outcome}" for outcome in TABLE_OUTCOMES)
    yield from (f"problem.{code}" for code in set(KINDS) - set(Code))
    yield from (f"reason.{reason}" for reason in (*REASONS, *INSPECTION_REASONS))


def test_a_word_of_the_game_begins_with_the_game_and_no_other_does() -> None:
    own = {key for key in catalogue(ENGLISH) if key.startswith(f"{ROOM25.id}/")}
    plain = set(catalogue(ENGLISH)) - own
    assert [key for key in plain if "/" in key] == []
    assert [key for key in plain if own_parts(key)] == []
    assert own_parts("event.turn-began") == {"turn-began"}, "a control"
    assert {key.partition("/")[2] for key in own}.isdisjoint(plain), "one id, one word"
    assert {key.partition(".")[0] for key in plain} == {
        "answer",
        "decision",
        "event",
        "outcome",
        "problem",
        "reason",
    }


def tag_of(kind: type[Event]) -> str:
    """The type of an event as it is written."""
    return str(kind.__struct_config__.tag)


def placeholders(text: str) -> list[str]:
    """The names of the placeholders of a text."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_word_and_no_other(language: str) -> None:
    keys = {key for key in catalogue(language) if "@" not in key}
    wanted = {*expected(), *expected_of_every_table()}
    assert sorted(wanted - keys) == [], "missing"
    assert sorted(keys - wanted) == [], "superfluous"


@pytest.mark.parametrize("language", LANGUAGES)
def test_variants_belong_to_rulebooks_that_have_the_thing(language: str) -> None:
    variants = [key for key in catalogue(language) if "@" in key]
    assert variants
    for key in variants:
        base, _, variant = key.partition("@")
        thing, name, _ = base.removeprefix("room25/").split(".")
        books = [book for book in RULEBOOKS.values() if variant in book.words]
        assert books, key
        has: dict[str, Any] = {"room": "box", "mode": "modes", "action": "actions"}
        assert all(name in getattr(book, has[thing]) for book in books), key
        assert catalogue(language)[key] != catalogue(language)[base]


def test_all_languages_have_the_same_keys_in_the_same_order() -> None:
    first, *others = (list(catalogue(language)) for language in LANGUAGES)
    assert first == sorted(first)
    assert all(other == first for other in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice_in_a_file(language: str) -> None:
    text = (files("games.words") / f"{language}.json").read_text(encoding="utf-8")
    written = re.findall(r'^ {2}"([^"]+)":', text, re.MULTILINE)
    assert [key for key, n in Counter(written).items() if n > 1] == []
    assert len(written) == len(catalogue(language))


@pytest.mark.parametrize("key", list(catalogue(ENGLISH)))
def test_a_text_is_a_text_in_every_language(key: str) -> None:
    texts = [catalogue(language)[key] for language in LANGUAGES]
    for text in texts:
        assert text == " ".join(text.split(" "))
        assert text
        assert text == text.strip()
        assert "  " not in text
    assert len({tuple(placeholders(text)) for text in texts}) == 1
    assert (len(set(texts)) == 1) == (key in SAME_EVERYWHERE)
    if not key.endswith(".name"):
        ends = {text[-1] in ".!?" for text in texts}
        assert len(ends) == 1, "a sentence in one language is one in all"


def test_french_has_its_spaces_and_apostrophes() -> None:
    for key, text in catalogue("fr").items():
        assert "'" not in text, key
        assert not re.search(r"[^\u00a0][:;!?]", text), key


def test_polish_and_french_are_not_english() -> None:
    """More than a few words in common would be a text that nobody has translated."""
    english = catalogue(ENGLISH)
    same = {
        language: [k for k, text in catalogue(language).items() if text == english[k]]
        for language in LANGUAGES[1:]
    }
    assert set(same["pl"]) == SAME_EVERYWHERE | {"room25/ability.android.name"}
    assert len(same["fr"]) < 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_side_by_side_has_different_names(language: str) -> None:
    for name in ("room", "action", "character", "role", "mode", "ability", "composition", "option"):
        words = section(language, name, game="room25")
        names = [text for key, text in words.items() if key.endswith(".name")]
        assert len(set(names)) == len(names), name
    for name in ("decision", "event", "outcome", "color", "line", "direction", "reason"):
        texts = list(section(language, name, game="room25").values())
        assert len(set(texts)) == len(texts), name


def test_problems_are_called_what_the_service_calls_them() -> None:
    assert {code: word(ENGLISH, kind.key) for code, kind in KINDS.items()} == {
        code: kind.title for code, kind in KINDS.items()
    }


def test_a_problem_is_the_games_whose_rules_raise_it() -> None:
    assert {code for code, kind in KINDS.items() if kind.game == "room25"} == set(Code)
    assert {kind.game for kind in KINDS.values()} == {None, "room25"}


def test_the_lists_above_are_those_of_the_code() -> None:
    """What no registry holds is read off the source."""
    said = re.findall(r'\b_?[eE]nd\("(\w+)"', inspect.getsource(endings))
    assert set(said) <= OUTCOMES
    assert {"prisoners", "players_partial", "draw"} <= set(said)
    closed = re.findall(r'outcome="(\w+)"', inspect.getsource(table))
    assert set(closed) == {"abandoned", "annulled"}
    kinds = re.findall(r'\bkind="(\w+)"', inspect.getsource(programming))
    assert set(kinds) == GAME_CHOICES
    optional = re.findall(r'_optional\(f"[^"]*", "(\w+)"', inspect.getsource(voluntary))
    assert set(optional) == VOLUNTARY
    kinds = re.findall(r'_voluntary\("(\w+)"', inspect.getsource(attendance))
    assert set(kinds) == TABLE_CHOICES


def test_every_ability_is_somebodys() -> None:
    assert {name for names in OWN.values() for name in names} == set(ABILITIES)
    assert set(PASSIVE) <= set(EIGHT)
    assert set(EIGHT) - set(OWN) == {"bruce"}


def test_the_deck_is_made_of_the_three_kinds() -> None:
    assert set(ALL_CARDS) == {*MOVEMENTS, *PENALTIES, *MADNESS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trait", TRAITS)
def test_a_rule_is_told_with_everything_in_it(language: str, trait: Trait) -> None:
    text = trait.text(language)
    assert "{" not in text
    assert all(word(language, f"room25/room.{room}.name") in text for room in trait.rooms)
    assert not trait.count or str(trait.count) in text


def test_the_rulebooks_answer_the_same_questions() -> None:
    asked = {tuple(trait.id for trait in traits(book)) for book in RULEBOOKS.values()}
    assert len(asked) == 1
    told = {tuple(t.key for t in traits(book)) for book in RULEBOOKS.values()}
    assert len(told) == 3, "bga follows ultimate (R1), the others are all different"


def test_a_rulebook_has_its_own_text_where_there_is_one() -> None:
    cold = "room25/room.cold.effect"
    assert word("en", cold, ("prototype",)) == word("en", f"{cold}@prototype") != word("en", cold)
    assert word("en", cold, ("bga", "ultimate")) == word("en", f"{cold}@ultimate")
    assert word("en", "room25/room.acid.effect", ("prototype",)) == word(
        "en", "room25/room.acid.effect"
    )


def test_values_go_into_placeholders() -> None:
    name = word("pl", "room25/card.movement.name", line=word("pl", "room25/line.row0"), way="→")
    assert name == "Ruch: pierwszy rząd, →"
    with pytest.raises(KeyError):
        word("pl", "room25/card.movement.name", line="row0")


def test_nothing_is_made_up_for_what_is_missing() -> None:
    with pytest.raises(KeyError):
        word("en", "room25/room.cellar.name")
    with pytest.raises(KeyError):
        word("de", "room25/room.acid.name")
    with pytest.raises(KeyError):
        catalogue("../words/en")


def test_a_section_is_whole() -> None:
    colors = section("fr", "color", game="room25")
    assert set(colors) == {f"room25/color.{color}" for color in COLORS}
    assert section("fr", "color") == {}, "no table has colours"
    assert len(section("en", "event", "outcome")) == len(TABLE_EVENTS) + len(TABLE_OUTCOMES)
    both = section("en", "event", "outcome", game="room25")
    assert len(both) == len({*EVENTS, *TABLE_EVENTS}) + len(OUTCOMES | TABLE_OUTCOMES)
    assert msgspec.json.decode(msgspec.json.encode(colors))
