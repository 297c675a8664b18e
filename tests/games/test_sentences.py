"""The templates of a log: how they are read, and how they are told."""

from __future__ import annotations

from typing import Any

import pytest

from games.registry import GAMES
from games.sentences import Sentences, TemplateError, holes, lasting, parse
from games.words import LANGUAGES

BOOK: dict[str, Any] = {
    "id": "book",
    "game": "toy",
    "name": "The book",
    "things": [{"id": "a", "name": "Apple"}, {"id": "b", "name": "Bread"}],
    "words": {
        "list.last": "{before} and {last}",
        "color.red": "crimson",
        "toy/color.blue": "azure",
    },
}
EVENT: dict[str, Any] = {
    "seat": 2,
    "thing": "a",
    "things": ["a", "b", "c"],
    "none": [],
    "red": "red  ",
    "eyes": "seat:3    ",
    "yes": True,
    "no": False,
    "points": {"1": 5, "2": 7},
    "numbered": {"last": 3, "10": 2, "9": 1},
    "nested": {"1": {"a": 5}, "2": {"b": 7, "c": 8}},
    "deep": [{"x": 1}, ["ask", "who"]],
    "since": 1_000,
    "due": 121_001,
    "zero": 0,
    "long": 90,
    "most": 86_400,
    "book": "book",
    "gap": ["a", None],
}
TOLD = {
    "plain text": "Plain text",
    "{seat} of {missing}": "2 of –",
    "{zero}": "0",
    "{thing, of, things}": "Apple",
    "{things, of, things}": "Apple, Bread and c",
    "{none, of, things}": "–",
    "{gap, of, things}": "Apple and –",
    "{red, word, color.*}": "Crimson",
    "{blue, word, color.*}": "–",
    "{thing, word, color.*}": "A",
    "{seat, seat} and {eyes, seat}": "Player 2 and player 3",
    "{book, book}, {thing, book}": "The book, a",
    "{zero, nth}": "1",
    "{seat, sideways}": "2",
    "{things, count} {none, count}": "3 0",
    "{due, after, since}": "2\u00a0min 1\u00a0s",
    "{seat, seconds} {seat, minutes} {zero, seconds}": "2\u00a0s 2\u00a0min 0\u00a0s",
    "{long, minutes}, {most, seconds}": "1\u00a0h 30\u00a0min, 24\u00a0h",
    "{thing, place} and {missing, place}": "A and –",
    "{deep.0.x} {deep.-1.0} {deep.-1.5} {deep.7}": "1 ask – –",
    "{points, each, {{key, seat}: {value}}}": "Player 1: 5, player 2: 7",
    "{numbered, each, {{key}={value}}}": "9=1, 10=2, last=3",
    "{things, each, {{value, of, things}} { + }}": "Apple + Bread + c",
    "all:{points, lines, {{key, seat}: {value}.}}": "All:\nplayer 1: 5.\nplayer 2: 7.",
    "{nested, lines, {{key}: {value, each, {{key}={value}}}.}}": "\n1: a=5.\n2: b=7, c=8.",
    "{missing, lines, {x}}|": "|",
    "{thing, select, a {an {seat}} other {no}}": "An 2",
    "{thing, select, b {b} other {another {thing}}}": "Another a",
    "{missing, select, none {} other {x}}|": "|",
    "{no, select, none {not} other {x}}": "Not",
    "{none, select, none {no} blank {empty} other {x}}": "Empty",
    "{none, select, none {no} other {x}}": "X",
    "{yes, select, yes {so} other {x}}": "So",
    "{zero, select, 0 {nil} none {no} other {x}}": "Nil",
    "{red, select, red {r} other {x}}": "R",
    "{eyes, select, seat:3 {three} other {x}}": "Three",
    "{yes, select, none {x} other {{no, select, none {inner {seat}} other {y}}}}": "Inner 2",
    "élan": "Élan",
    "": "",
}
"""Templates, and what becomes of them; the page's formatter is held to the same list."""

NONE = (
    "{",
    "}",
    "a } b",
    "{seat",
    "{}",
    "{seat,of,things}",
    "{seat, of, a, b}",
    "{seat, select, a {x}}",
    "{seat, select, other {x}",
    "{seat, select, other x}",
    "{seat, select, a {x} a {y} other {z}}",
    "{seat, each, }",
    "{seat, each, {a} {b} {c}}",
    "{seat, each, name {a}}",
    "{seat, lines, }",
    "{seat, lines, {a} {b}}",
)
"""What is no template."""


def told(template: str, event: dict[str, Any] = EVENT) -> str | None:
    """What an event of a template's own is told as."""
    book = {**BOOK, "words": {**BOOK["words"], "event.it": template}}
    return Sentences(book, {}).tell({**event, "type": "it"}, lambda seat: f"player {seat}")


@pytest.mark.parametrize("template", TOLD)
def test_a_template_is_told(template: str) -> None:
    assert told(template) == TOLD[template]


@pytest.mark.parametrize("template", NONE)
def test_what_is_no_template_is_refused(template: str) -> None:
    with pytest.raises(TemplateError):
        parse(template)


def test_a_kind_of_the_games_own_is_spelt_by_the_game() -> None:
    book = {**BOOK, "words": {"toy/event.it": "{seat, dots} {things, dots}"}}
    dots = {"dots": lambda value, book: f"<{value} of {book['id']}>"}
    found = Sentences(book, dots).tell({**EVENT, "type": "it"}, str)
    assert found == "<2 of book> <a of book>, <b of book>, <c of book>"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_phrase_names_its_place_as_the_game_calls_it(game: str, language: str) -> None:
    published, spell = GAMES[game].published, GAMES[game].texts.spell
    book: dict[str, Any] = dict(
        published.rulebook(str(published.rulebooks(language)[0]["id"]), language)
    )
    phrase = next(each for each in book["phrases"] if "place" in each["aims"])
    said = {"type": "phrase-said", "seat": 1, "phrase": phrase["id"], "place": "r2c0"}
    assert spell["place"]("r2c0", book) == spell["cell"]("r2c0", book)
    found = Sentences(book, {"place": lambda value, _: f"<{value}>"}).tell(said, str)
    assert found is not None
    assert phrase["name"] in found
    assert found.endswith("– <r2c0>")


def test_a_game_says_its_own_words_and_else_those_of_every_table() -> None:
    sentences = Sentences(BOOK, {})
    assert sentences.word("color.blue") == "azure"
    assert sentences.word("color.red") == "crimson"
    assert sentences.word("color.green") is None
    assert sentences.tell({"type": "unheard-of"}, str) is None


def test_all_holes_are_found() -> None:
    found = [
        hole.path for hole in holes(parse("{a} {b, select, x {{c}} other {{d, each, {{e}}}}}"))
    ]
    assert found == ["a", "b", "c", "d", "e"]


def test_a_length_of_time_is_told_in_whole_units_upwards() -> None:
    lengths = (0, 0.2, 59.9, 60, 3599, 3600, 5400, 86_400, -5)
    assert [lasting(seconds).replace("\u00a0", " ") for seconds in lengths] == [
        "0 s",
        "1 s",
        "1 min",
        "1 min",
        "59 min 59 s",
        "1 h",
        "1 h 30 min",
        "24 h",
        "0 s",
    ]
