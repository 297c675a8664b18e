"""The picture that a link to a table has on other sites: what it says, and that it fits."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from games.drawing import DrawnFigure
from games.game_registry import installed_games
from games.table.state import Result, SeatState, TableState
from games.words import ENGLISH, LANGUAGES, WORDS
from projections.board import Board, Person, describe
from projections.preview_svg import PREVIEW, PreviewWords, preview_svg, preview_words
from service.contract.rulebook_answers import RulebookAnswers
from tests.projections.test_plan import BOARD as PLANNED

GAMES: Final = installed_games()
BOOKS: Final = RulebookAnswers(GAMES)
SVG: Final = "{http://www.w3.org/2000/svg}"
BARE: Final = Board(title="Room 25", heading="", phase="live")
WORDS_OF_NOTHING: Final = PreviewWords(rulebook="House")
FIGURE: Final = DrawnFigure(id="alice", short="Al", seat=1, cell="r0c0")


def table(**facts: object) -> TableState:
    """A table of Room 25 for four."""
    state = TableState()
    state.game, state.rulebook, state.mode = "room25", "first_edition", "cooperation"
    state.phase, state.seat_count = "live", 4
    for name, value in facts.items():
        setattr(state, name, value)
    return state


def said(state: TableState, language: str = ENGLISH, board: Board = BARE) -> PreviewWords:
    """What a preview says of a table."""
    book = BOOKS.name(state.game, state.rulebook, language)
    return preview_words(state, board, book, partial(WORDS.word, language))


def texts(image: str, style: str = "") -> list[str]:
    """The texts of an image, of any class or of one."""
    return [
        "".join(each.itertext())
        for each in ET.fromstring(image).iter(f"{SVG}text")  # noqa: S314 (our own image)
        if style in each.get("class", "").split() or not style
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Room 25, first edition", "Cooperation", "The players escape")),
        ("fr", ("Room 25, première édition", "Coopération", "Les joueurs s’évadent")),
        ("pl", ("Room 25, pierwsze wydanie", "Kooperacja", "Gracze uciekają")),
    ],
)
def test_a_preview_speaks_a_language(language: str, words: tuple[str, str, str]) -> None:
    over = table(phase="finished", result=Result("finished", "players", (1, 3)))
    found = said(over, language)
    assert (found.rulebook, found.mode, found.end) == words
    assert found.winners == (1, 3)


@pytest.mark.parametrize(
    ("state", "board", "status"),
    [
        (table(phase="open"), BARE, "Free seats: 4 of 4"),
        (table(phase="open", seats={1: SeatState("p", ())}), BARE, "Free seats: 3 of 4"),
        (table(), BARE, ""),
        (table(), replace(BARE, turn=3, last_turn=8), "Turn 3 of 8"),
        (table(), replace(BARE, turn=3), "Turn 3"),
        (table(game="cerveauuu", rulebook="prototype"), replace(BARE, turn=3), "Round 3"),
        (table(paused_at=1), replace(BARE, turn=3), "Turn 3 · Paused"),
        (table(phase="finished"), replace(BARE, turn=3), "Turn 3 · Finished"),
        (table(scenario=True), BARE, "A scenario"),
    ],
)
def test_a_preview_says_how_far_a_game_has_come(
    state: TableState, board: Board, status: str
) -> None:
    assert said(state, board=board).status == status


def test_a_game_that_nobody_plays_here_is_told_by_its_ids() -> None:
    over = table(game="chess", result=Result("finished", "mate", (1,)))
    found = said(over, board=replace(BARE, title="chess"))
    assert (found.rulebook, found.mode, found.end) == ("chess", "cooperation", "mate")


def test_whoever_has_won_has_a_star() -> None:
    people = (Person(seat=1, name="Ada"), Person(seat=2, name="Bo"))
    image = preview_svg(replace(BARE, people=people), PreviewWords(rulebook="House", winners=(2,)))
    assert texts(image, "pw") == ["Bo"]
    assert image.count("<path") == 1
    (told,) = re.findall("<desc[^>]*>([^<]*)</desc>", image)
    assert told == "House. Ada. *Bo."


def test_players_stand_beside_what_they_play_and_the_dead_are_faint() -> None:
    gone = replace(FIGURE, id="bob", short="Bo", cell=None)
    ada = Person(seat=1, name="Ada")
    image = preview_svg(replace(BARE, figures=(FIGURE, gone), people=(ada,)), WORDS_OF_NOTHING)
    assert texts(image, "f") == ["Al", "Bo"]
    assert image.count("opacity") == 1
    assert image.index("opacity") > image.index(">Al<")


def test_of_a_plan_people_have_one_outline_and_no_short_names() -> None:
    image = preview_svg(PLANNED, WORDS_OF_NOTHING)
    assert texts(image, "pm") == ["Ada", "Bo"]
    assert texts(image, "f") == ["Gu", "Ho", "Co", " ", " "], (
        "those on the plan, then whose they are"
    )
    assert 'class="c"' not in image, "no numbers of rows and columns"


def test_the_letter_of_an_area_without_a_name_stands_on_the_plan() -> None:
    assert texts(preview_svg(PLANNED, WORDS_OF_NOTHING), "letter") == ["k"]


@pytest.mark.parametrize("people", [1, 8])
def test_however_much_there_is_to_say_it_stands_in_the_picture(people: int) -> None:
    long = "A name that goes on and on, and then on for ever and a day"
    words = PreviewWords(rulebook=long, mode=long, status=long, end=long, winners=(1,))
    seats = tuple(Person(seat=seat, name=long) for seat in range(1, people + 1))
    image = preview_svg(replace(BARE, people=seats), words)
    heights = [int(y) for y in re.findall(r'<text[^>]* y="(\d+)"', image)]
    assert heights == sorted(set(heights))
    assert heights[-1] < PREVIEW[1]
    assert len(texts(image, "pm")) == people
    assert all(each.endswith("…") for each in texts(image, "pm"))
    assert not any(len(each) > 34 for each in texts(image))


def test_of_a_long_name_in_one_word_as_much_is_said_as_fits() -> None:
    people = (Person(seat=1, name="x" * 40), Person(seat=2, name="x" * 28))
    image = preview_svg(replace(BARE, people=people), WORDS_OF_NOTHING)
    assert texts(image, "pm") == ["x" * 27 + "…", "x" * 28]


def test_a_name_is_text_whatever_it_looks_like() -> None:
    image = preview_svg(
        replace(BARE, people=(Person(seat=1, name="<b>&"),)), replace(WORDS_OF_NOTHING, mode="<i>")
    )
    assert texts(image, "pm") == ["<b>&"]
    assert texts(image, "ph") == ["<i>"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_house_bots_have_their_names_in_the_language(language: str) -> None:
    state = table(phase="open", seats={2: SeatState("bot:steady", (), bot="steady")})
    (person,) = describe(GAMES, state, language=language).people
    assert person.name == f"{WORDS.word(language, 'bot.steady')} 2"
