"""Everything that a rulebook of Room 25 names is explained wherever the page names it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from games.room25.telling.published import PublishedRoom25
from games.words import LANGUAGES
from service.contract.bodies import encode
from tests.e2e.folding import Json

CALL: Final = """async ([language, book, mode]) => {
    const { help } = await import("/pages/room25.js");
    return JSON.stringify(await help(language, JSON.parse(book), mode));
}"""
RULEBOOKS: Final = {
    "prototype": "suspicion",
    "first_edition": "suspicion",
    "bga": "suspicion",
    "ultimate": "suspicion",
}
EXPLANATIONS: Final = {"actions": "about", "rooms": "effect", "roles": "about", "cards": "effect"}

Asked = Callable[[str, Json, str], list[list[str]]]


@pytest.fixture
def asked(own_modules: Page) -> Asked:
    """Asks the page of everything that a book names: place, kind, id, and what it tells."""

    def ask(language: str, book: Json, mode: str) -> list[list[str]]:
        found: list[list[str]] = json.loads(
            own_modules.evaluate(CALL, [language, json.dumps(book), mode])
        )
        return found

    return ask


def described(rulebook: str, language: str) -> Json:
    """A rulebook as it is served."""
    found: Json = json.loads(encode(PublishedRoom25().rulebook(rulebook, language)))
    return found


def wanted(book: Json) -> dict[tuple[str, str], list[str]]:
    """What has to be told of each thing: its name, and all that the rulebook says of it."""
    texts = {
        (kind, entry["id"]): [entry["name"], entry[field]]
        for kind, field in EXPLANATIONS.items()
        for entry in book.get(kind, ())
        if entry[field]
    }
    characters = {
        ("characters", each["id"]): [
            each["name"],
            *(ability[key] for ability in each["abilities"] for key in ("name", "effect")),
        ]
        for each in book["characters"]
        if each["abilities"]
    }
    abilities = {
        ("abilities", ability["id"]): [ability["name"], ability["effect"]]
        for each in book["characters"]
        for ability in each["abilities"]
    }
    return texts | characters | abilities


def unexplained(found: list[list[str]], book: Json) -> list[str]:
    """Where the page names something and does not say all that there is to know."""
    due = wanted(book)
    return [
        f"{place} {kind} {name}"
        for place, kind, name, text in found
        if any(part not in text for part in due.get((kind, name), ()))
    ]


def in_turn() -> Iterator[Any]:
    """Each rulebook in one language by day, languages taken in turn, and in the others by night."""
    for rulebook, by_day in zip(RULEBOOKS, cycle(LANGUAGES), strict=False):
        others = [each for each in LANGUAGES if each != by_day]
        yield pytest.param(rulebook, [by_day], id=f"{rulebook}-{by_day}")
        yield pytest.param(rulebook, others, id=f"{rulebook}-others", marks=pytest.mark.nightly)


@pytest.mark.parametrize(("rulebook", "languages"), list(in_turn()))
def test_everything_is_explained_where_it_is_named(
    asked: Asked, rulebook: str, languages: list[str]
) -> None:
    for language in languages:
        book = described(rulebook, language)
        found = asked(language, book, RULEBOOKS[rulebook])
        assert unexplained(found, book) == []
        told = {(kind, name) for _, kind, name, _ in found}
        assert told >= wanted(book).keys()


def test_help_that_is_missing_is_found(asked: Asked) -> None:
    """A control: the page says something else of a room."""
    book = described("ultimate", "en")
    poorer = described("ultimate", "en")
    room = poorer["rooms"][3]
    room["effect"] = "A room."
    assert unexplained(asked("en", poorer, "suspicion"), book) == [
        f"{place} rooms {room['id']}" for place in ("list", "log", "board")
    ]
