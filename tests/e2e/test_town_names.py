"""The page names and explains what there is in Cerveauuu!, everywhere alike."""

from __future__ import annotations

import json
from typing import Final

import pytest

from games.cerveauuu.telling.published import PublishedCerveauuu
from games.cerveauuu.telling.texts import CerveauuuTexts
from games.words import LANGUAGES
from service.contract.bodies import encode
from tests.e2e.folding import Call, Json
from tests.e2e.town_modules import WORDS, log, views, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_piece_has_one_name_and_the_number_that_the_board_shows(
    town_page: Call, language: str
) -> None:
    state = views(log(), every=200)[-2]
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
    spell = CerveauuuTexts().spell["piece"]
    found = town_page("named", book, json.loads(encode(state)), words(language))
    assert len(found) == len(state.pieces) > 20
    for piece, (told, option, row, number) in zip(state.pieces.values(), found, strict=True):
        assert told == spell(piece.id, book)
        assert told.split() == [told.split()[0], number]
        colour = state.colours.get(piece.controller) if piece.controller else None
        named = {each["id"]: each["name"] for each in book["characters"]}.get(colour, "")
        assert told in option
        assert named in option
        assert row.partition(" (")[0] in option
        assert piece.id not in f"{told} {option} {row}"
    assert len({told for told, *_ in found}) == len(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_has_no_name_is_an_error_and_what_is_secret_is_hidden(
    town_page: Call, language: str
) -> None:
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
    spoken = words(language)
    hidden = spoken["cerveauuu/board.card.hidden"]
    assert town_page("unnamed", book, spoken) == {
        "hidden": hidden,
        "held": hidden,
        "card": "Error: prototype has nothing called c999 among its cards",
        "colour": "Error: prototype has nothing called mauve among its characters",
        "answer": "Error: prototype has no text for answer.c999",
        "plain": "Error: prototype has no text for answer.c999",
    }


def without_help(found: Json, book: Json) -> list[str]:
    """The things of a rulebook of which the page does not say enough where it names them."""
    cards = [
        f"{place} {card['id']}"
        for place in ("seats", "log", "table")
        for card in book["cards"]
        if not card["effect"] or any(card[key] not in found[place][card["id"]] for key in KEYS)
    ]
    kinds = [
        f"{part} {kind}"
        for part, word in (("phases", "phase"), ("windows", "window"))
        for kind, text in found[part].items()
        if not text.startswith(name := book["words"][f"cerveauuu/{word}.{kind}"])
        or len(text.removeprefix(name)) < ENOUGH
    ]
    pieces = [f"pieces {kind}" for kind, text in found["pieces"].items() if len(text) < ENOUGH]
    unlisted = [card["id"] for card in book["cards"] if card["effect"] not in found["legend"]]
    return [*cards, *kinds, *pieces, *unlisted]


KEYS: Final = ("name", "effect")
ENOUGH: Final = 60
"""So many letters say something."""


def test_each_card_phase_window_and_piece_is_explained_where_it_is_named(town_page: Call) -> None:
    told = []
    for language in LANGUAGES:
        book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", language)))
        assert len(book["cards"]) == 140
        found = town_page("help", language, words(language), book)
        assert without_help(found, book) == []
        told += [*found["phases"].values(), *found["windows"].values(), *found["pieces"].values()]
    # Nothing is said twice, nor in a language that is not the reader's.
    assert len(told) == len(set(told)) == 14 * len(LANGUAGES)


def test_help_that_is_missing_is_found(town_page: Call) -> None:
    """A control: a card that says nothing, and a window that nobody has explained."""
    book = json.loads(encode(PublishedCerveauuu().rulebook("prototype", "en")))
    book["cards"][7] |= {"effect": ""}
    short = {**WORDS, "cerveauuu/about.window.open": "", "cerveauuu/board.help.windows_text": ""}
    card = book["cards"][7]["id"]
    assert without_help(town_page("help", "en", short, book), book) == [
        *(f"{place} {card}" for place in ("seats", "log", "table")),
        "windows open",
    ]


@pytest.mark.parametrize(
    ("meanings", "told"),
    [
        ([{"piece": "h01"}, {"card": "c001"}], True),
        ([{"invited": ["z01"]}], True),
        ([{"human": "h01", "eater": "z01"}], True),
        ([{"card": "c001"}], False),
        ([{"seat": 1}], False),
        ([{"attack": "h01"}, {"cell": "r0c0"}], False),
        ([{"edge": "r0c0e"}], False),
        ([], False),
    ],
)
def test_an_empty_cell_says_that_nobody_stands_there_where_pieces_are_asked_for(
    town_page: Call, *, meanings: list[Json], told: bool
) -> None:
    """Of nothing else, and not while cells have reasons of their own."""
    play = {"pieces": {"h01": {"id": "h01", "cell": "r0c0"}}}
    targets = ["r0c0", "r0c1", "h01", "r0c0e", "card:c001", "seat:1"]
    assert town_page("blanks", targets, meanings, play) == (["r0c1"] if told else [])
