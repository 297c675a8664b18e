"""Drawings of plans: boards of small cells with barriers between them, of whatever game."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from games.drawing import Barrier, BoardPlan, DrawnFigure, PlanCell
from projections.board import Board, Person
from projections.board_svg import board_svg
from projections.board_text import board_text
from projections.plan_svg import CELL, figure_mark
from projections.preview_svg import PreviewWords, preview_svg

FIGURES = (
    DrawnFigure(id="guest", short="Gu", seat=None, cell="r0c0", notes=("asleep",)),
    DrawnFigure(id="host", short="Ho", seat=1, cell="r0c0", color="#cccccc", corners=4),
    DrawnFigure(id="cook", short="Co", seat=2, cell="r1c1", color="#dddddd", corners=3),
)
NAMED = replace(FIGURES[0], label="7", name="guest 7")
"""A figure that sentences call otherwise than by its id, with what an image writes on it."""

PLAN = BoardPlan(
    width=2,
    cells=(
        PlanCell(cell="r0c0", figures=("Gu", "Ho")),
        PlanCell(cell="r0c1", ground="room", mark="k"),
        PlanCell(cell="r1c0", ground="solid"),
        PlanCell(cell="r1c1", ground="veiled", figures=("Co",)),
    ),
    east={"r0c0": "door", "r1c0": "wall"},
    south={"r0c0": "gap", "r0c1": "shut"},
    legend=("k: kitchen & larder",),
    image_legend=("a square: a host",),
)

BOARD = Board(
    title="House",
    heading="turn 1",
    phase="live",
    plan=PLAN,
    figures=FIGURES,
    people=(Person(seat=1, name="Ada"), Person(seat=2, name="Bo")),
    facts=("the end: won, Ada",),
)


def test_a_plan_in_characters() -> None:
    text = board_text(BOARD)
    assert text.split("\n\n")[1].splitlines() == [
        "      0  1",
        "    +--+--+",
        "r0  |G+Dk |",
        "    +..+XX+",
        "r1  |##|Co|",
        "    +--+--+",
    ]
    assert "k: kitchen & larder" in text
    assert "a square" not in text
    assert re.search(r"^Gu guest +r0c0 +asleep$", text, re.MULTILINE), "nobody's figure has no seat"


def test_a_plan_as_an_image() -> None:
    image = board_svg(BOARD)
    ET.fromstring(image)  # noqa: S314 (we wrote it)
    titles = re.findall("<title>([^<]*)</title>", image)
    for words in (
        "guest on r0c0, asleep",
        "host (seat 1) on r0c0",
        "open door east of r0c0",
        "wall east of r1c0",
        "hole in the wall south of r0c0",
        "closed door south of r0c1",
        "r1c0, solid",
    ):
        assert words in titles
    assert "a square: a host" in image
    assert "k: kitchen" not in image, "that is how the text abbreviates"
    assert "guest: asleep" in image
    assert "seat 2 Bo" in image


def test_a_figure_is_called_as_sentences_call_it() -> None:
    board = replace(BOARD, figures=(NAMED, *FIGURES[1:]))
    assert re.search(r"^Gu guest 7 +r0c0 +asleep$", board_text(board), re.MULTILINE)
    image = board_svg(board)
    assert "<title>guest 7 on r0c0, asleep</title>" in image
    assert "guest 7: asleep" in image
    assert re.findall('<text class="f"[^>]*>([^<]*)</text>', image) == ["7", "Ho", "Co"]


def test_what_is_not_there_is_not_drawn() -> None:
    """A control: a plan without barriers has none but the wall around it."""
    plain = replace(BOARD, plan=replace(PLAN, east={}, south={}))
    assert "<line" in board_svg(BOARD)
    assert "<line" not in board_svg(plain)


def test_a_figure_that_nobody_lists_is_an_error() -> None:
    """A planted cell with a name that is no figure's."""
    cells = (replace(PLAN.cells[0], figures=("No",)), *PLAN.cells[1:])
    with pytest.raises(KeyError, match="No"):
        board_svg(replace(BOARD, plan=replace(PLAN, cells=cells)))


@pytest.mark.parametrize("corners", range(3, 9))
def test_an_outline_has_its_corners(corners: int) -> None:
    mark = figure_mark(replace(FIGURES[1], corners=corners), 15, 15)
    points = re.findall('points="([^"]*)"', mark)
    assert len(set(points[0].split())) == corners


def test_an_image_names_rows_and_columns_as_the_text_does() -> None:
    numbers = re.findall(r'<text class="c"[^>]*>([^<]*)</text>', board_svg(BOARD))
    assert numbers == ["0", "1", "r0", "r1"]


def test_a_long_fact_takes_several_lines_of_an_image() -> None:
    fact = "If everybody passes: " + "; ".join(f"h{n:02} runs to r{n}c{n}" for n in range(20))
    image = board_svg(replace(BOARD, facts=(fact,)))
    lines = re.findall(r'<text class="m"[^>]*>([^<]*)</text>', image)
    assert max(len(line) for line in lines if "runs" in line) <= 62
    assert " ".join(line.strip() for line in lines if "runs" in line) == fact
    assert f"{fact}. " in image or f"{fact}.<" in image, "its description is not broken"


def _street() -> BoardPlan:
    """A house ``h`` of four cells by two on a board of six by four; its north has a door."""
    marks = ["......", ".hhhh.", ".hhhh.", "......"]
    cells = tuple(
        PlanCell(cell=f"r{y}c{x}", mark="" if mark == "." else mark)
        for y, row in enumerate(marks)
        for x, mark in enumerate(row)
    )
    north: dict[str, Barrier] = {"r0c1": "wall", "r0c2": "door", "r0c3": "wall", "r0c4": "wall"}
    south: dict[str, Barrier] = {f"r2c{x}": "wall" for x in range(1, 5)}
    return BoardPlan(
        width=6, cells=cells, south={**north, **south}, names={"h": "house", "x": "nowhere"}
    )


def _signs(plan: BoardPlan) -> list[tuple[str, float, float, float, float]]:
    """Of each sign its text, its left and right end, its middle line, and the place of its text."""
    image = ET.fromstring(board_svg(replace(BOARD, plan=plan, figures=())))  # noqa: S314
    texts = [each for each in image.iter() if each.get("class") == "n"]
    boards = [each for each in image.iter() if each.get("class") == "nb"]
    found = []
    for text, board in zip(texts, boards, strict=True):
        x, y, width, height = (float(board.get(name, "")) for name in ("x", "y", "width", "height"))
        found.append((text.text or "", x, x + width, y + height / 2, float(text.get("x", ""))))
    return found


def test_an_area_has_its_name_on_a_wall_and_no_letters() -> None:
    (sign,) = _signs(_street())
    name, left, right, wall, middle = sign
    assert (name, wall) == ("HOUSE", 1 * CELL), "on the northern wall, right of the door"
    assert (left + right) / 2 == middle == 4 * CELL
    assert left > 3 * CELL, "not over the door"
    image = board_svg(replace(BOARD, plan=_street(), figures=()))
    assert '<text class="letter"' not in image
    assert "<title>r1c1, house, open</title>" in image
    assert '<text class="letter"' in board_svg(BOARD), "an area without a name keeps its letter"


def test_a_name_that_has_no_room_on_a_wall_takes_the_next_or_is_pressed_together() -> None:
    plan = replace(_street(), names={"h": "warehouse"})
    assert [(n, y) for n, _, _, y, _ in _signs(plan)] == [("WAREHOUSE", 3 * CELL)]
    longer = replace(_street(), names={"h": "department store & co"})
    ((name, left, right, wall, _),) = _signs(longer)
    assert (name, wall) == ("DEPARTMENT STORE & CO", 3 * CELL)
    assert CELL - 5 < left < right < 5 * CELL + 5
    assert "textLength=" in board_svg(replace(BOARD, plan=longer, figures=()))


def test_an_area_without_a_level_wall_has_its_name_in_its_middle() -> None:
    ((name, left, right, y, _),) = _signs(replace(_street(), south={}))
    assert (name, (left + right) / 2, y) == ("HOUSE", 3 * CELL, 2 * CELL)
    holed = {**_street().south, "r0c3": "gap", "r0c4": "shut"}
    assert [y for _, _, _, y, _ in _signs(replace(_street(), south=holed))] == [3 * CELL]


def test_names_lie_over_everything_and_a_preview_has_them_too() -> None:
    image = board_svg(replace(BOARD, plan=replace(PLAN, names={"k": "kitchen"})))
    assert image.rindex('class="f"') < image.index('class="nb"')
    named = replace(BOARD, plan=replace(PLAN, names={"k": "kitchen"}))
    assert "KITCHEN" in preview_svg(named, PreviewWords(rulebook="House"))
    assert "KITCHEN" not in image.replace("KITCHEN", "", 1), "once"
