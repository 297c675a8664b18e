"""The catalogues of words: complete, alike in all languages, and nothing left over."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Collection, Iterator
from importlib.resources import files
from string import Formatter
from typing import Any, get_args

import msgspec
import pytest

from events.kernel import Event
from games.room25 import EVENTS, RULEBOOKS, RULES
from games.room25.editions import endings
from games.room25.model.board import LINE_WAYS, LINES
from games.room25.model.cards import ALL_CARDS, MADNESS, MOVEMENTS, PENALTIES, CardEffect
from games.room25.model.catalogue import (
    COLORS,
    GUARD,
    GUARD_IDENTITIES,
    PRISONER,
    ROOM_KINDS,
    SPECIAL,
)
from games.room25.model.characters import CHARACTERS, EVERYBODY, Panic, Passive, Quirk, Skill
from games.room25.model.codes import Code
from games.room25.model.reasons import Why
from games.room25.opening.setup import CUSTOM
from games.room25.rules import optional_actions, programming
from games.room25.rules.abilities import ABILITIES
from games.room25.rules.actions import LOSE
from games.room25.rules.choices import CHOICES
from games.room25.rules.event_cards import EFFECTS
from games.room25.rules.guard_powers import KEEP, REPLACE, STOP, SWAP
from games.room25.rules.panics import PANICS
from games.room25.rules.phrases import PHRASES
from games.room25.rules.programming import ADRENALINE, NOTHING
from games.room25.rules.rooms import CARRIER, PASSENGER
from games.room25.rules.turn_structure import PASS
from games.room25.rules.unavailable import ABOUT, ASKED, AT_ANY_TIME, CHOSEN_AT_ONCE
from games.room25.telling.description import PACES
from games.room25.telling.texts import Room25Texts
from games.room25.telling.traits import traits
from games.room25.words import WORDS
from games.sentences import KINDS as HOLES
from games.sentences import holes, parse
from games.table import attendance, directing
from games.table import decider as table
from games.table.checks import HOUSE_BOTS
from games.table.events import REASONS, TABLE_EVENTS
from games.table.inspections import INSPECTION_REASONS
from games.texts import TurnWord
from games.words import ENGLISH, LANGUAGES
from games.words import WORDS as TABLE_WORDS
from service.http.problems import KINDS
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
PHASES = {
    "setup",
    "starting_clue",
    "cards",
    "programming",
    "round_1",
    "round_2",
    "adrenaline",
    "countdown",
    "ended",
}
LOST = {
    "impossible",
    "no_light",
    "nothing_to_see",
    "no_company",
    "blocked",
    "centre",
    "nobody",
    "markers",
    "no_use",
    "penalty",
    "cancelled",
    "died",
    "ended",
    "paranoia",
}
"""Why an action came to nothing; the last five are told by the page's programmes alone."""
BESIDE = {
    "action-lost": {"why"},
    "character-moved": {"actor"},
    "invitation-declined": {"who"},
    "invitation-withdrawn": {"who"},
    "line-shifted": {"actor"},
    "player-invited": {"who"},
    "power-used": {"use"},
    "programming-closed": {"acting"},
    "room-peeked": {"actor"},
    "special-used": {"use"},
}
"""What is told of an event beside its fields."""
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
    *(f"room25/character.{name}.name" for name in EVERYBODY),
    "room25/card.chaos.name",
    "room25/card.robot_card.name",
    "room25/rulebook.ultimate.name",
}
"""What is a name, or happens to be one word in all languages."""

TRAITS = [trait for book in RULEBOOKS.values() for trait in traits(book)]


def expected() -> Iterator[str]:
    """Every key without a variant that the code's own ids ask for."""
    yield from (f"room25/pace.{pace}" for pace in PACES)
    yield from (f"room25/phrase.{phrase}" for phrase in PHRASES.aims)
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
    for ability in (*get_args(Skill), *get_args(Passive)):
        yield from (f"room25/ability.{ability}.name", f"room25/ability.{ability}.effect")
    for card in (*MADNESS.values(), "movement", "movement_twice", "movement_again", "penalty"):
        yield from (f"room25/card.{card}.name", f"room25/card.{card}.effect")
    yield from (f"room25/cards.{kind}" for kind in ("movement", "penalty", "madness"))
    yield from (f"room25/color.{color}" for color in COLORS)
    yield from (f"room25/{words}.{line}" for words in ("line", "line_moved") for line in LINES)
    yield from (f"room25/direction.{way}" for ways in LINE_WAYS.values() for way in ways)
    kinds = {*CHOICES, *GAME_CHOICES, *VOLUNTARY}
    yield from (f"room25/decision.{kind}.title" for kind in kinds)
    yield from (f"room25/answer.{answer}" for answer in ANSWERS)
    yield from (f"room25/event.{tag_of(kind)}" for kind in EVENTS)
    yield from (f"room25/outcome.{outcome}" for outcome in OUTCOMES)
    yield from (f"room25/phase.{phase}" for phase in PHASES)
    yield from (f"room25/lost.{reason}" for reason in LOST)
    yield from (f"room25/whose.{sheet.id}" for sheet in CHARACTERS)
    yield from (f"room25/wait.{wait}" for wait in RULES.waits)
    yield from (f"room25/side.{side}" for side in RULES.sides)
    yield from (f"room25/problem.{code}" for code in Code)
    yield from (f"room25/unavailable.{why}" for why in Why)
    for kind in (*ASKED, *CHOSEN_AT_ONCE, *AT_ANY_TIME):
        yield from (
            ".".join(filter(None, ("room25/cannot", kind, x))) for x in ABOUT.get(kind, ("",))
        )
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
    yield from (f"problem.{code}" for code, kind in KINDS.items() if kind.game is None)
    yield from (f"reason.{reason}" for reason in (*REASONS, *INSPECTION_REASONS))
    yield from (f"bot.{bot}" for bot in HOUSE_BOTS)
    yield from ("list.last", "player.deleted", "player.nameless")
    yield from (f"preview.{state}" for state in ("finished", "free", "paused", "scenario"))
    yield from (f"preview.{turn}{of}" for turn in get_args(TurnWord) for of in ("", "_of"))
    yield from (f"part.{part}" for part in ("end", "play", "table", *get_args(TurnWord)))


def test_a_word_of_the_game_begins_with_the_game_and_no_other_does() -> None:
    own = {key for key in WORDS.texts(ENGLISH) if key.startswith(f"{RULES.id}/")}
    plain = set(WORDS.texts(ENGLISH)) - own
    assert [key for key in plain if "/" in key] == []
    assert [key for key in plain if own_parts(key)] == []
    assert own_parts("event.turn-began") == {"turn-began"}, "a control"
    assert {key.partition("/")[2] for key in own}.isdisjoint(plain), "one id, one word"
    assert {key.partition(".")[0] for key in plain} == {
        "answer",
        "bot",
        "decision",
        "event",
        "list",
        "outcome",
        "part",
        "player",
        "preview",
        "problem",
        "reason",
    }


def tag_of(kind: type[Event]) -> str:
    """The type of an event as it is written."""
    return str(kind.__struct_config__.tag)


def placeholders(key: str, text: str) -> list[str]:
    """The placeholders of a text; of a sentence all holes, with what each of them asks for.

    Whether a character is named or put into its case (``whose``) is a language's own affair.
    """
    if not is_sentence(key):
        return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)
    asked = (
        f"{hole.path} {hole.kind} {hole.argument} {[name for name, _ in hole.cases]}"
        for hole in holes(parse(text))
    )
    return sorted(each.replace(" word whose.* ", " of characters ") for each in asked)


def is_sentence(key: str) -> bool:
    """Whether a text is a template of ``games.sentences``."""
    return key.rpartition("/")[2].partition(".")[0] in {"event", "list"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_every_word_and_no_other(language: str) -> None:
    keys = {key for key in WORDS.texts(language) if "@" not in key}
    wanted = {*expected(), *expected_of_every_table()}
    assert sorted(wanted - keys) == [], "missing"
    assert sorted(keys - wanted) == [], "superfluous"


@pytest.mark.parametrize("language", LANGUAGES)
def test_variants_belong_to_rulebooks_that_have_the_thing(language: str) -> None:
    variants = [key for key in WORDS.texts(language) if "@" in key]
    assert variants
    for key in variants:
        base, _, variant = key.partition("@")
        thing, name, _ = base.removeprefix("room25/").split(".")
        books = [book for book in RULEBOOKS.values() if variant in book.words]
        assert books, key
        has: dict[str, Any] = {"room": "box", "mode": "modes", "action": "actions"}
        assert all(name in getattr(book, has[thing]) for book in books), key
        assert WORDS.texts(language)[key] != WORDS.texts(language)[base]


def test_all_languages_have_the_same_keys_in_the_same_order() -> None:
    first, *others = (list(WORDS.texts(language)) for language in LANGUAGES)
    assert first == sorted(first)
    assert all(other == first for other in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice_in_a_file(language: str) -> None:
    written: list[str] = []
    for package in ("games.words", "games.room25.words"):
        text = (files(package) / f"{language}.json").read_text(encoding="utf-8")
        written += re.findall(r'^ {2}"([^"]+)":', text, re.MULTILINE)
    assert [key for key, n in Counter(written).items() if n > 1] == []
    assert len(written) == len(WORDS.texts(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_has_no_word_of_the_game_and_the_game_all_of_the_table(language: str) -> None:
    own = WORDS.texts(language).keys() - TABLE_WORDS.texts(language).keys()
    assert own == {key for key in WORDS.texts(language) if key.startswith(f"{RULES.id}/")}
    assert TABLE_WORDS.texts(language).items() <= WORDS.texts(language).items()


def test_a_text_is_a_text_in_every_language() -> None:
    for key in WORDS.texts(ENGLISH):
        texts = [WORDS.texts(language)[key] for language in LANGUAGES]
        for text in texts:
            assert text, key
            assert text == text.strip(), key
            assert "  " not in text, key
        assert len({tuple(placeholders(key, text)) for text in texts}) == 1, key
        assert (len(set(texts)) == 1) == (key in SAME_EVERYWHERE), key
        if not key.endswith(".name") and not is_sentence(key):
            ends = {text[-1] in ".!?" for text in texts}
            assert len(ends) == 1, f"a sentence in one language is one in all: {key}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_character_is_called_one_where_its_name_has_a_case(language: str) -> None:
    """A sentence that stands around a name ("rola postaci Kevin") is a telegram."""
    told = {key: text for key, text in WORDS.texts(language).items() if is_sentence(key)}
    telegram = re.compile(
        r"(?:postaci?|personnage|\bde|\bof) \{[^{}]*of, characters\}", re.IGNORECASE
    )
    assert {key: text for key, text in told.items() if telegram.search(text)} == {}
    assert telegram.search("Rola postaci {character, of, characters}.")


def unknown_kinds(text: str, own: Collection[str]) -> set[str]:
    """The kinds of holes that neither every game has nor this one."""
    return {hole.kind for hole in holes(parse(text))} - HOLES - set(own)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_holes_of_sentences_are_of_known_kinds(language: str) -> None:
    texts = WORDS.section(language, "event", game="room25")
    own = Room25Texts().spell
    assert set().union(*(unknown_kinds(text, own) for text in texts.values())) == set()
    assert unknown_kinds("{a, select, other {{b, cell} {c, sideways}}}", own) == {"sideways"}
    tables = WORDS.section(language, "event").values()
    assert set().union(*(unknown_kinds(text, ()) for text in tables)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_asks_for_fields_that_its_event_has(language: str) -> None:
    texts = WORDS.section(language, "event", game="room25")
    for kind in (*TABLE_EVENTS, *EVENTS):
        fields = {*kind.__struct_fields__, "key", "value", *BESIDE.get(tag_of(kind), ())}
        (text,) = (text for key, text in texts.items() if key.endswith(f"event.{tag_of(kind)}"))
        asked = {hole.path.partition(".")[0] for hole in holes(parse(text))}
        assert asked <= fields, tag_of(kind)


def test_french_has_its_spaces_and_apostrophes() -> None:
    for key, text in WORDS.texts("fr").items():
        assert "'" not in text, key
        assert not re.search(r"[^\u00a0][:;!?]", text), key


def test_polish_and_french_are_not_english() -> None:
    """More than a few words in common would be a text that nobody has translated."""
    english = WORDS.texts(ENGLISH)
    same = {
        language: [k for k, text in WORDS.texts(language).items() if text == english[k]]
        for language in LANGUAGES[1:]
    }
    assert set(same["pl"]) == SAME_EVERYWHERE | {"room25/ability.android.name"}
    assert len(same["fr"]) < 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_side_by_side_has_different_names(language: str) -> None:
    for name in ("room", "action", "character", "role", "mode", "ability", "composition", "option"):
        words = WORDS.section(language, name, game="room25")
        names = [text for key, text in words.items() if key.endswith(".name")]
        assert len(set(names)) == len(names), name
    for name in ("decision", "event", "outcome", "color", "line", "direction", "reason"):
        texts = list(WORDS.section(language, name, game="room25").values())
        assert len(set(texts)) == len(texts), name


def test_problems_are_called_what_the_service_calls_them() -> None:
    ours = {code: kind for code, kind in KINDS.items() if kind.game in {None, "room25"}}
    assert {code: WORDS.word(ENGLISH, kind.key) for code, kind in ours.items()} == {
        code: kind.title for code, kind in ours.items()
    }


def test_a_problem_is_the_games_whose_rules_raise_it() -> None:
    assert {code for code, kind in KINDS.items() if kind.game == "room25"} == set(Code)


def test_the_lists_above_are_those_of_the_code() -> None:
    """What no registry holds is read off the source."""
    said = re.findall(r'\b_?[eE]nd\("(\w+)"', inspect.getsource(endings))
    assert set(said) <= OUTCOMES
    assert {"prisoners", "players_partial", "draw"} <= set(said)
    closed = re.findall(r'outcome="(\w+)"', inspect.getsource(table) + inspect.getsource(directing))
    assert set(closed) == {"abandoned", "annulled"}
    kinds = re.findall(r'\bkind="(\w+)"', inspect.getsource(programming))
    assert set(kinds) == GAME_CHOICES
    optional = re.findall(r'_optional\(f"[^"]*", "(\w+)"', inspect.getsource(optional_actions))
    assert set(optional) == VOLUNTARY
    kinds = re.findall(r'_voluntary\("(\w+)"', inspect.getsource(attendance))
    assert set(kinds) == TABLE_CHOICES


def test_every_ability_is_somebodys() -> None:
    assert {skill for sheet in CHARACTERS for skill in sheet.skills} == set(get_args(Skill))
    assert {each for sheet in CHARACTERS for each in sheet.passive} == set(get_args(Passive))
    assert {each for sheet in CHARACTERS for each in sheet.quirks} == set(get_args(Quirk))
    assert {sheet.panic for sheet in CHARACTERS} == {*get_args(Panic), None}


def test_every_meaning_has_its_handler() -> None:
    assert {*ABILITIES, "mimic"} == set(get_args(Skill))
    assert set(PANICS) == set(get_args(Panic))
    assert set(EFFECTS) == set(get_args(CardEffect))


def test_the_deck_is_made_of_the_three_kinds() -> None:
    assert set(ALL_CARDS) == {*MOVEMENTS, *PENALTIES, *MADNESS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_is_told_with_everything_in_it(language: str) -> None:
    for trait in TRAITS:
        text = trait.text(language)
        assert "{" not in text
        assert all(WORDS.word(language, f"room25/room.{room}.name") in text for room in trait.rooms)
        assert not trait.count or str(trait.count) in text


def test_the_rulebooks_answer_the_same_questions() -> None:
    asked = {tuple(trait.id for trait in traits(book)) for book in RULEBOOKS.values()}
    assert len(asked) == 1
    told = {tuple(t.key for t in traits(book)) for book in RULEBOOKS.values()}
    assert len(told) == 3, "bga follows ultimate (R1), the others are all different"


def test_a_rulebook_has_its_own_text_where_there_is_one() -> None:
    cold = "room25/room.cold.effect"
    assert (
        WORDS.word("en", cold, ("prototype",))
        == WORDS.word("en", f"{cold}@prototype")
        != WORDS.word("en", cold)
    )
    assert WORDS.word("en", cold, ("bga", "ultimate")) == WORDS.word("en", f"{cold}@ultimate")
    assert WORDS.word("en", "room25/room.acid.effect", ("prototype",)) == WORDS.word(
        "en", "room25/room.acid.effect"
    )


def test_values_go_into_placeholders() -> None:
    name = WORDS.word(
        "pl", "room25/card.movement.name", line=WORDS.word("pl", "room25/line.row0"), way="→"
    )
    assert name == "Ruch (pierwszy rząd, →)"
    with pytest.raises(KeyError):
        WORDS.word("pl", "room25/card.movement.name", line="row0")


def test_nothing_is_made_up_for_what_is_missing() -> None:
    with pytest.raises(KeyError):
        WORDS.word("en", "room25/room.cellar.name")
    with pytest.raises(KeyError):
        WORDS.word("de", "room25/room.acid.name")
    with pytest.raises(KeyError):
        WORDS.texts("../words/en")


def test_a_section_is_whole() -> None:
    colors = WORDS.section("fr", "color", game="room25")
    assert set(colors) == {f"room25/color.{color}" for color in COLORS}
    assert WORDS.section("fr", "color") == {}, "no table has colours"
    assert len(WORDS.section("en", "event", "outcome")) == len(TABLE_EVENTS) + len(TABLE_OUTCOMES)
    both = WORDS.section("en", "event", "outcome", game="room25")
    assert len(both) == len({*EVENTS, *TABLE_EVENTS}) + len(OUTCOMES | TABLE_OUTCOMES)
    assert msgspec.json.decode(msgspec.json.encode(colors))
