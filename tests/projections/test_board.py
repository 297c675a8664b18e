"""Drawings of a table: what they show, and that they show no more than the view holds."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from events.kernel import PUBLIC, Actor, Viewer, fold, redact
from events.keys import KeyRing
from games.drawing import DrawnFigure, Square, short_names
from games.game_registry import installed_games
from games.table.events import OpenTable, PauseTable
from games.table.inspections import inspection_of
from games.table.state import SeatState, TableState
from projections.board import AwaitedSeat, Board, Person, describe
from projections.board_svg import board_svg, description, square_words
from projections.board_text import board_text, room_word
from replay.memory import MemoryTable
from simulator.golden_games import GoldenDriver
from simulator.room25.golden_recipes import Recipe

TABLE = installed_games().table
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def game() -> MemoryTable:
    """A game of suspicion in its third turn."""
    driver = GoldenDriver(Recipe(name="drawn", mode="suspicion", seats=6, seed=17))
    driver.seat_all()
    driver.play(lambda table: table.state.play.turn == 3 and table.state.play.round == 2)
    return driver.table


def view(table: MemoryTable, viewer: Viewer) -> TableState:
    """What a viewer sees of a table."""
    return fold(TABLE, (redact(e.event, viewer) for e in table.envelopes))


def test_the_truth_knows_every_room_and_role(game: MemoryTable) -> None:
    board = describe(installed_games(), game.state)
    assert len(board.squares) == 25
    assert {s.face for s in board.squares} == {"up", "known"}
    assert all(f.role in {"prisoner", "guard"} for f in board.figures)


def test_the_public_knows_what_lies_face_up(game: MemoryTable) -> None:
    truth, board = (
        describe(installed_games(), game.state),
        describe(installed_games(), view(game, PUBLIC)),
    )
    for true, seen in zip(truth.squares, board.squares, strict=True):
        if true.face == "up":
            assert seen == true
        else:
            assert (seen.face, seen.kind, seen.name, seen.color) == ("hidden", None, None, None)
            assert seen.looked == true.looked, "that somebody looked is public"
    for figure in board.figures:
        assert figure.role_public or figure.role == "?"
    assert board.waiting == truth.waiting


def test_a_seat_knows_what_it_has_looked_at(game: MemoryTable) -> None:
    seen = [
        describe(installed_games(), view(game, TABLE.games["room25"].viewer(game.state.play, seat)))
        for seat in game.state.seats
    ]
    for seat, board in enumerate(seen, 1):
        for square in board.squares:
            if square.face != "up":
                assert (square.kind is not None) == (seat in square.looked)
        own = [f for f in board.figures if f.seat == seat]
        assert all(f.role not in {None, "?"} for f in own)


def test_a_game_without_roles_has_none() -> None:
    driver = GoldenDriver(Recipe(name="no-roles", mode="team", seats=4, seed=1))
    driver.seat_all()
    board = describe(installed_games(), driver.table.state)
    assert {f.role for f in board.figures} == {None}
    assert "role" not in board_text(board)


def test_in_the_middle_of_a_command_nobody_is_asked(game: MemoryTable) -> None:
    board = describe(installed_games(), game.state, settled=False)
    assert board.waiting == ()
    assert "in the middle of a command" in board_text(board)
    assert "in the middle of a command" in board_svg(board)


def test_every_version_of_a_game_can_be_drawn(game: MemoryTable) -> None:
    state = TABLE.initial()
    for envelope, following in zip(game.envelopes, game.envelopes[1:], strict=False):
        state = TABLE.evolve(state, redact(envelope.event, PUBLIC))
        board = describe(installed_games(), state, settled=following.batch is not None)
        lines = board_text(board).split("\n\n")[1].splitlines()
        assert max(map(len, lines)) <= 80
        ET.fromstring(board_svg(board))  # noqa: S314 (we wrote it)


def test_before_the_game_the_seats_are_shown() -> None:
    keys = KeyRing({"k": b"k" * 32}, "k")
    table = MemoryTable("g00-waiting", keys, 0)
    host = Actor("player", "p00-host")
    table.give(
        OpenTable(
            game="room25",
            rulebook="first_edition",
            mode="solo",
            seats=1,
            key=table.game_key(),
        ),
        host,
    )
    board = describe(installed_games(), table.state)
    assert board.squares == ()
    assert "1 of 1 seats are free" in board_text(board)
    assert "1 of 1 seats are free" in board_svg(board)


def test_a_house_bot_has_a_name_for_people() -> None:
    state = installed_games().table.initial()
    state.seats = {2: SeatState(player="steady", characters=(), bot="steady", program=True)}
    state.game, state.rulebook, state.mode = "room25", "first_edition", "solo"
    board = describe(installed_games(), state)
    assert board.people == (Person(seat=2, name="Clever bot 2", notes=("house bot",)),)


def test_a_paused_table_has_no_deadline(game: MemoryTable) -> None:
    table = MemoryTable.__new__(MemoryTable)
    table.__dict__.update(game.__dict__)
    table.stored, table.envelopes = [*game.stored], [*game.envelopes]
    table.give(PauseTable(reason="break"), Actor("director", "p00-director"))
    board = describe(installed_games(), table.state)
    assert "the table is paused" in board.facts
    assert {each.until for each in board.waiting} == {None}


def test_everybody_is_shown_that_offices_have_looked(game: MemoryTable) -> None:
    table = MemoryTable.__new__(MemoryTable)
    table.__dict__.update(game.__dict__)
    table.stored, table.envelopes = [*game.stored], [*game.envelopes]
    assert not [
        fact for fact in describe(installed_games(), table.state).facts if "inspections" in fact
    ]
    for eyes in ("full", "seat:2"):
        table.give(inspection_of(eyes, "complaint", 900), Actor("auditor", "p00-auditor"))
    public = fold(TABLE, (redact(e.event, PUBLIC) for e in table.envelopes))
    for state in (table.state, public):
        assert "inspections by offices: 2" in describe(installed_games(), state).facts


# --- text ---


@pytest.mark.parametrize(
    ("square", "word"),
    [
        (Square(cell="r0c0", face="hidden"), "....."),
        (Square(cell="r0c0", face="known", kind="acid", color="red"), "R (acid)"),
        (Square(cell="r0c0", face="up", kind="acid", color="red"), "R ACID"),
        (Square(cell="r0c0", face="up", kind="odd"), "? ODD"),
    ],
)
def test_a_room_in_a_word(square: Square, word: str) -> None:
    assert room_word(square) == word


def full_board() -> Board:
    """A board with everything on one tile."""
    crowd = Square(
        cell="r0c0",
        face="up",
        kind="regeneration",
        name="Regeneration Room",
        color="green",
        marks=("sealed", "locked", "vertical"),
        reminders=(1, 2),
        looked=(3, 4, 5, 6),
        figures=("Em", "Ke", "Fr", "Je", "Ma", "Al"),
    )
    names = ("emmett", "kevin", "franck", "jennifer", "max", "alice")
    rest = [Square(cell=f"r{n // 5}c{n % 5}", face="hidden") for n in range(1, 25)]
    return Board(
        title="Room 25",
        heading="a full board",
        phase="round_1",
        squares=(crowd, *rest),
        figures=tuple(
            DrawnFigure(id=name, short=short, seat=1, cell="r0c0")
            for name, short in zip(names, crowd.figures, strict=True)
        ),
        markers={"row1": "left", "row3": "right", "col0": "up", "col4": "down"},
        people=(Person(seat=1, name="Ada", notes=("absent",)), Person(seat=2, name="Ben")),
        waiting=(AwaitedSeat(seat=2, kind="move_target", who="max", until=1_760_000_000_000),),
    )


def test_a_crowded_tile_keeps_the_walls_straight() -> None:
    grid = board_text(full_board()).split("\n\n")[1].splitlines()
    assert {len(line) for line in grid[1:]} == {80}
    assert all(line[-1] in "|+" for line in grid[1:])
    assert "Em Ke Fr Je" in grid[3]
    assert "Ma Al" in grid[4]
    assert "X L | *12 o34" in grid[5]


def test_markers_stand_at_their_lines() -> None:
    grid = board_text(full_board()).split("\n\n")[1].splitlines()
    assert "c0 ^" in grid[0]
    assert "c4 v" in grid[0]
    rows = {line[:4].strip(): grid[i + 1][:4].strip() for i, line in enumerate(grid[:-1])}
    assert rows["r1"] == "<"
    assert rows["r3"] == ">"
    assert rows["r0"] == ""


def test_the_text_says_who_must_choose_until_when() -> None:
    text = board_text(full_board(), "a caption")
    assert text.startswith("a caption\na full board\n")
    assert "waiting for seat 2: move target for max until 2025-10-09 08:53:20 UTC" in text
    assert "seat 1  Ada  absent" in text


def test_short_names_tell_figures_apart() -> None:
    assert short_names(["max", "alice"]) == {"max": "Ma", "alice": "Al"}
    assert short_names(["mary", "mark"]) == {"mary": "Mary", "mark": "Mark"}
    assert short_names([]) == {}


# --- SVG ---


def test_the_image_has_a_title_and_a_description(game: MemoryTable) -> None:
    root = ET.fromstring(board_svg(describe(installed_games(), view(game, PUBLIC))))  # noqa: S314 (ours)
    assert root.get("role") == "img"
    ids = {element.get("id"): element.text for element in root.iter()}
    assert set(str(root.get("aria-labelledby")).split()) <= ids.keys()
    assert "suspicion, turn 3 of 10" in str(ids["title"])
    assert "emmett (seat 1)" in str(ids["desc"])


def test_every_tile_and_figure_can_be_read_aloud() -> None:
    board = full_board()
    root = ET.fromstring(board_svg(board))  # noqa: S314 (ours)
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert square_words(board.squares[0]) in titles
    words = square_words(board.squares[0])
    assert words.startswith("r0c0, Regeneration Room, face-up, sealed")
    assert "reminder of seat 2" in words
    assert "Al is here" in words
    assert "alice (seat 1) on r0c0" in titles


def test_nothing_is_told_by_colour_alone(game: MemoryTable) -> None:
    board = describe(installed_games(), game.state)
    colored = board_svg(board)
    plain = re.sub(r'(fill|stroke)="[^"]*"', "", colored)
    for color, letter in (("red", "R"), ("yellow", "Y"), ("green", "G"), ("blue", "B")):
        rooms = [s for s in board.squares if s.color == color]
        assert all(f">{letter} {room.kind}<" in plain for room in rooms)


def test_names_are_text_and_never_markup(game: MemoryTable) -> None:
    board = describe(installed_games(), game.state)
    rude = replace(board.people[0], name='</text><script>&"')
    image = board_svg(replace(board, people=(rude, *board.people[1:])), "<caption>")
    assert "<script>" not in image
    assert "&lt;script&gt;" in image
    ET.fromstring(image)  # noqa: S314 (ours)


def test_the_description_counts_what_is_known(game: MemoryTable) -> None:
    board = describe(installed_games(), game.state)
    up = sum(s.face == "up" for s in board.squares)
    assert f"{up} rooms lie face-up, {25 - up} more are known here" in description(board)
