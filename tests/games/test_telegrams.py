"""No sentence of a log is a telegram: one colon at most, and no bare list of who has what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from games.registry import GAMES
from games.sentences import KINDS, Hole, Template, parse
from games.words import LANGUAGES

COLON = re.compile(r"[ \u00a0]?:(?=[ \u00a0]|$)")
LETTER = re.compile(r"[^\W\d_]")
CASES = [
    pytest.param(game, language, id=f"{game}-{language}")
    for game in GAMES
    for language in LANGUAGES
]


def sentences(game: str, language: str) -> dict[str, Template]:
    """The templates of all events of a game and of its table."""
    published = GAMES[game].published
    first = published.rulebooks(language)[0]["id"]
    words = published.rulebook(first, language)["words"]
    return {
        key: parse(text)
        for key, text in words.items()
        if key.rpartition("/")[2].startswith("event.")
    }


def colons(template: Template) -> int:
    """How many colons a sentence can have that a template tells."""
    return sum(
        len(COLON.findall(part)) if isinstance(part, str) else most(part) for part in template
    )


def most(hole: Hole) -> int:
    """The same of a hole; a list begins lines of its own, each of which may have one."""
    found = max((colons(inner) for _, inner in hole.cases), default=0)
    return max(0, found - 1) if hole.kind == "lines" else found


def bare(template: Template) -> Iterator[Hole]:
    """The lists of keys and values that no word joins."""
    for hole in (part for part in template if isinstance(part, Hole)):
        for _, inner in hole.cases:
            yield from bare(inner)
        if hole.kind in {"each", "lines"} and names_both(hole) and not words(hole.cases[0][1]):
            yield hole


def bracketed(template: Template) -> Iterator[Hole]:
    """What stands in brackets by itself, of kinds that the game spells, with no word before it."""
    for before, part in pairwise(("", *template)):
        if not isinstance(part, Hole):
            continue
        for _, inner in part.cases:
            yield from bracketed(inner)
        if isinstance(before, str) and before.endswith("(") and part.kind not in KINDS:
            yield part


def names_both(hole: Hole) -> bool:
    """Whether a list tells of each entry both what it is of and what it is."""
    paths = {part.path.partition(".")[0] for part in hole.cases[0][1] if isinstance(part, Hole)}
    return {"key", "value"} <= paths


def words(template: Template) -> bool:
    """Whether a template has a word of its own, in a case of it at least."""
    return any(
        LETTER.search(part) is not None
        if isinstance(part, str)
        else any(words(inner) for _, inner in part.cases)
        for part in template
    )


@pytest.mark.parametrize(("game", "language"), CASES)
def test_no_sentence_has_two_colons(game: str, language: str) -> None:
    found = sentences(game, language)
    assert {key for key, template in found.items() if colons(template) > 1} == set()


@pytest.mark.parametrize(("game", "language"), CASES)
def test_no_sentence_lists_who_has_what_without_a_word(game: str, language: str) -> None:
    found = sentences(game, language)
    assert {key for key, template in found.items() if any(bare(template))} == set()


@pytest.mark.parametrize(("game", "language"), CASES)
def test_no_sentence_tells_in_brackets_what_something_is_done_to(game: str, language: str) -> None:
    found = sentences(game, language)
    assert {key for key, template in found.items() if any(bracketed(template))} == set()


@pytest.mark.parametrize(
    ("text", "is_bracketed"),
    [
        ("{a, seat} plays {b, of, cards} ({c, aims}).", True),
        ("All {a, select, none {pass} other {play ({c, aims})}}.", True),
        ("{a, seat} plays {b, of, cards} (no. {d}) on {c, aims}.", False),
        ("{a, seat} draws ({d}).", False),
    ],
)
def test_brackets_are_found(text: str, is_bracketed: bool) -> None:  # noqa: FBT001 (a case)
    assert any(bracketed(parse(text))) == is_bracketed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Deck: {count} cards: {cards}.", 2),
        ("Deck: {cards, select, none {none} other {some: {cards}}}.", 2),
        ("Deck {cards, select, none {: none} other {: some}}.", 1),
        ("Carte\u00a0: {a}\u00a0: {b}.", 2),
        ("At 12:30, {a}.", 0),
        ("All: {a, lines, {{key}: {value}.}}", 1),
        ("All: {a, lines, {{key}: {value}: {key}.}}", 2),
    ],
)
def test_colons_are_found(text: str, found: int) -> None:
    assert colons(parse(text)) == found


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [
        ("All are in: {a, each, {{key, seat} ({value})}}.", True),
        ("All are in: {a, each, {{key, seat} has {value}}}.", False),
        ("All are in: {a, each, {{key, seat} {value, select, 1 {acts} other {rests}}}}.", False),
        ("All are in: {a, each, {{value}}}.", False),
    ],
)
def test_bare_lists_are_found(text: str, is_bare: bool) -> None:  # noqa: FBT001 (a case)
    assert any(bare(parse(text))) == is_bare
