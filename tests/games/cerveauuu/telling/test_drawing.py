"""Drawings of Cerveauuu!: what they show of the board, and no more than a view holds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from random import Random

import pytest
from msgspec.structs import replace

from games.cerveauuu.facts.events import PieceBlocked
from games.cerveauuu.model.state import State
from games.cerveauuu.scenarios.bases import open_board
from games.cerveauuu.telling.drawing import TownDrawing
from games.drawing import DrawnPosition
from games.words import ENGLISH, LANGUAGES
from projections.board import Board
from projections.board_svg import board_svg
from projections.board_text import board_text
from projections.preview_svg import PreviewWords, preview_svg
from simulator.cerveauuu.bare_game import BareGame
from tests.games.cerveauuu.scenes import scene
from tests.games.cerveauuu.telling.logs import Reader, seen

DRAWING = TownDrawing()


def board(state: State) -> Board:
    """The drawing of a state, as projections get it."""
    position = DRAWING.position(state)
    return Board(
        title="A town",
        heading=f"round {position.turn}",
        phase=state.phase,
        plan=position.plan,
        order=position.order,
        figures=position.figures,
        facts=position.facts,
    )


def plan_text(state: State) -> list[str]:
    """The lines of the plan alone."""
    return board_text(board(state)).split("\n\n")[1].splitlines()


def test_before_the_game_there_is_nothing() -> None:
    assert DRAWING.position(State()) == DrawnPosition()


def test_a_small_board_in_characters() -> None:
    found = scene(
        "h1 0,0; zA 1,0; zB 2,1",
        map="+-+-+-+\n|. aDa|\n+   +-+\n|.|.XaB\n+-+-+-+".replace("B\n", "|\n"),
    )
    assert plan_text(found.state) == [
        "      0  1  2",
        "    +--+--+--+",
        "r0  |01 A1Da |",
        "    +  +  +--+",
        "r1  |. |. XB2|",
        "    +--+--+--+",
    ]


def test_what_cards_make_of_the_board_is_drawn() -> None:
    """c076 on a wall, c077 and c078 on cells."""
    wall = open_board(9, 9).replace("|. . .", "|. .|.", 1)
    found = scene(
        "h1 4,4; zA 8,8; zB 0,8", map=wall, hands={"B": "c076 c077 c078"}, stage="pre_zombies"
    )
    for play in ("k1.E:1,0", "k2.3,0", "k3.5,0"):
        found.play("B", play)
    assert plan_text(found.state)[2] == "r0  |.  . :.  %% .  ## .  .  . |"


def test_colours_are_told_apart_by_outlines() -> None:
    zombies = "; ".join(f"z{each} {i},0" for i, each in enumerate("ABCDEF"))
    state = scene(f"h1 8,8; {zombies}", seats=6).state
    human, *figures = DRAWING.position(state).figures
    assert (human.short, human.corners, human.color) == ("01", 0, None)
    assert len({figure.corners for figure in figures}) == 6
    assert len({figure.color for figure in figures}) == 6
    assert {figure.short for figure in figures} == {"A1", "B2", "C3", "D4", "E5", "F6"}


def test_a_hand_is_shown_to_its_seat_alone() -> None:
    found = scene("h1 4,4; zA 3,4; zB 8,8", hands={"B": "c031"}).sitting
    shown = {seat: " ".join(DRAWING.position(view).facts) for seat, view in found.views.items()}
    assert "k1 Rifle" in shown[2]
    assert "Rifle" not in shown[0] + shown[1]
    assert all("A, green: 0 points, 0 cards in hand" in words for words in shown.values())
    assert all("B, purple: 0 points, 1 card in hand" in words for words in shown.values())


def test_a_movement_and_a_fight_are_told() -> None:
    found = scene("h1 5,4; zA 1,4; zB 8,0", hands={"B": "c109"}).go("A", "zA.4,4.attack-h1")
    assert any("to attack human 1" in fact for fact in DRAWING.position(found.state).facts)
    found.quiet()
    facts = DRAWING.position(found.state).facts
    assert "zombie 1 against human 1, 1 to 1: the attackers would win" in facts


@pytest.mark.parametrize("seats", [2, 6])
def test_every_position_of_a_game_can_be_drawn(seats: int) -> None:
    random, sitting = Random(seats), BareGame(seats, {"credits": "spread"}, b"drawn").begin()
    for step in range(600):
        if sitting.truth.end is not None:
            break
        decision = random.choice(sitting.pending())
        sitting.choose(decision, sitting.at_random(decision, random))
        if step % 40:
            continue
        drawn = board(sitting.views[0])
        names = [figure.short for figure in drawn.figures]
        assert len(set(names)) == len(names) == len(sitting.truth.pieces)
        assert max(map(len, plan_text(sitting.views[0]))) <= 80
        for image in (board_svg(drawn), preview_svg(drawn, PreviewWords(rulebook="House"))):
            ET.fromstring(image)  # noqa: S314 (we wrote it)
        assert drawn.plan is not None
        shown = {name for cell in drawn.plan.cells for name in cell.figures}
        assert shown == set(names)
    assert sitting.truth.round


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_call_a_piece_as_its_drawing_does(language: str) -> None:
    """The number that an image shows is that of the name, in whichever language one reads."""
    found = scene("h1 0,0; h12 1,0; zA 3,3; zB 4,4")
    figures = DRAWING.position(found.state).figures
    reader = Reader(language)
    names = {f.id: reader.line(seen(PieceBlocked(piece=f.id), found.state)) for f in figures}
    for figure in figures:
        assert re.findall(r"\d+", names[figure.id]) == [figure.label] == figure.name.split()[1:]
        if language == ENGLISH:
            assert names[figure.id].lower().startswith(f"{figure.name.lower()} is ")
    assert len(set(names.values())) == len(figures)
    marks = re.findall(r'<text class="f"[^>]*>([^<]*)</text>', board_svg(board(found.state)))
    assert sorted(marks) == sorted(figure.label for figure in figures)


def test_the_image_tells_what_it_shows_in_words() -> None:
    found = scene(
        "h1 0,0; zA 1,0 blocked; zB 2,1", map="+-+-+-+\n|. aDa|\n+   +-+\n|.|.Xa|\n+-+-+-+"
    )
    titles = set(re.findall("<title>([^<]*)</title>", board_svg(board(found.state))))
    assert {
        "human 1 on r0c0",
        "zombie 1 (seat 1) on r0c1, blocked",
        "open door east of r0c1",
        "closed door east of r1c1",
        "wall south of r0c2",
        "r1c2, a, room",
    } <= titles


SIGNS = "CHURCH GARAGE LARGE_HOUSE SMALL_HOUSE CINEMA MALL HOSPITAL POLICE_STATION SCHOOL"
"""The buildings of the default map by letter, from c to s."""


def names_in(image: str) -> list[str]:
    return [found.replace(" ", "_") for found in re.findall('class="n"[^>]*>([^<]*)<', image)]


def test_buildings_have_their_names_in_an_image_and_their_letters_in_a_text() -> None:
    state = BareGame(2, {"placement": "random"}, b"signs").begin().truth
    image = board_svg(board(state))
    assert names_in(image) == SIGNS.split()
    assert names_in(preview_svg(board(state), PreviewWords(rulebook="House"))) == SIGNS.split()
    assert "<title>r15c10, cinema, room</title>" in image
    assert sum(line.count(" k ") for line in plan_text(state)) > 1


def test_the_buildings_of_a_map_of_somebodys_own_have_letters_alone() -> None:
    image = board_svg(board(scene("h1 0,0; zA 1,0; zB 2,1", map="default20").state))
    assert names_in(image) == SIGNS.split()
    own = "+-+-+-+\n|. aDa|\n+   +-+\n|.|.Xa|\n+-+-+-+"
    image = board_svg(board(scene("h1 0,0; zA 0,1; zB 1,1", map=own).state))
    assert names_in(image) == []
    assert image.count('<text class="letter"') == 3


def test_no_sign_covers_a_door_of_the_map() -> None:
    state = BareGame(2, {"placement": "random"}, b"signs").begin().truth
    image = ET.fromstring(board_svg(board(state)))  # noqa: S314 (we wrote it)
    signs = [
        (x, y, x + width, y + height)
        for x, y, width, height in (
            numbers(each, "x y width height") for each in image.iter() if each.get("class") == "nb"
        )
    ]
    doors = [
        numbers(line, "x1 y1 x2 y2")
        for line in image.iter()
        if (title := line.find("{*}title")) is not None and "door" in (title.text or "")
    ]
    assert (len(signs), len(doors)) == (9, 26)
    # A door across a wall begins under its sign, and 25 of its 30 units are seen.
    assert max(covered(door, sign) for door in doors for sign in signs) <= 5
    assert covered(doors[0], doors[0]) == 30, "a control"


def numbers(element: ET.Element, names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name, "")) for name in names.split())


def covered(door: tuple[float, ...], sign: tuple[float, ...]) -> float:
    """How much of a line that is level or upright lies within a box."""
    across, down = (min(door[i + 2], sign[i + 2]) - max(door[i], sign[i]) for i in (0, 1))
    return max(across, down) if min(across, down) >= 0 else 0.0


@pytest.mark.parametrize(
    ("language", "name"), [("fr", "PETITE_MAISON"), ("pl", "MAŁY_DOM"), ("en", "SMALL_HOUSE")]
)
def test_a_preview_names_buildings_in_the_language_without_an_article(
    language: str, name: str
) -> None:
    state = BareGame(2, {"placement": "random"}, b"signs").begin().truth
    plan = DRAWING.position(state, language).plan
    drawn = replace(board(state), plan=plan)
    signs = names_in(preview_svg(drawn, PreviewWords(rulebook="House")))
    assert signs[3] == name
    assert not any(each.startswith(("L’", "LE_", "LA_", "THE_")) for each in signs)
