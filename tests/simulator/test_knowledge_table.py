"""The ledger of who knows what, by hand: an oracle is code too."""

from __future__ import annotations

import pytest

from events.kernel import Event
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.board import SHIFT_TABLE, STEPS
from games.room25.model.state import Character, Program, Tile
from games.table.events import KeyPublished
from simulator.room25.knowledge_table import KnowledgeTable, expected

FIGURES = (
    ev.Figure(id="max", seat=1, team="all", tokens=()),
    ev.Figure(id="alice", seat=2, team="all", tokens=()),
)
BEGAN = ev.GameBegan(
    rulebook="", mode="", options={}, composition={}, figures=FIGURES, order=(), last_turn=9
)
LAID = ev.ComplexLaid(shown={"r2c2": "central"})
SHUT = ev.ProgrammingClosed(actions={"max": 2})
PAIR = Program(("look", "move"), adrenaline=False)
NOBODY = None


def ledger(*events: Event) -> KnowledgeTable:
    found = KnowledgeTable()
    for event in (BEGAN, LAID, *events):
        found.note(event)
    return found


def peek(seat: int, cell: str) -> ev.RoomPeeked:
    return ev.RoomPeeked(seat=seat, cell=cell)


def knowers(book: KnowledgeTable, tile: int) -> list[int | None]:
    return [seat for seat in (NOBODY, 1, 2) if book.knows_room(tile, seat)]


def test_a_room_is_known_to_all_once_it_was_up() -> None:
    book = ledger(ev.RoomRevealed(cell="r0c1", kind="cold"))
    assert knowers(book, 12) == knowers(book, 1) == [NOBODY, 1, 2]
    assert knowers(book, 0) == []


def test_a_look_is_for_one_seat() -> None:
    assert knowers(ledger(peek(2, "r0c1")), 1) == [2]


def test_knowledge_rides_on_the_tile() -> None:
    shift = ev.LineShifted(line="row0", way="left", cause="action")
    swap = ev.TilesSwapped(first="r0c0", second="r4c4", cause="moving")
    book = ledger(peek(2, "r0c1"), shift, swap, peek(1, "r4c4"), peek(1, "r0c1"))
    assert knowers(book, 1) == [1, 2]
    assert knowers(book, 2) == [1]


@pytest.mark.parametrize(("line", "way"), SHIFT_TABLE)
def test_its_own_shifts_agree_with_the_boards(line: str, way: str) -> None:
    book = ledger(ev.LineShifted(line=line, way=way, cause="action"))
    for old, new in SHIFT_TABLE[line, way].items():
        assert book.board[int(new[1])][int(new[3])] == 5 * int(old[1]) + int(old[3])
    assert way in STEPS


def test_a_programme_is_told_step_by_step() -> None:
    book = ledger()
    assert book.program("max", PAIR, 1) == PAIR
    assert book.program("max", PAIR, 2) == Program(None, None)
    book.note(SHUT)
    assert book.program("max", PAIR, 2) == Program((None, None), adrenaline=False)
    book.note(ev.ActionRevealed(character="max", slot=2, token="move"))
    assert book.program("max", PAIR, NOBODY) == Program((None, "move"), adrenaline=False)
    assert book.program("alice", PAIR, 1) == Program((None, None), adrenaline=False)


def test_a_single_action_put_off_is_known_when_it_is_turned_up() -> None:
    single = Program(("look",), adrenaline=False)
    book = ledger(SHUT)
    assert book.program("max", single, 2) == Program((None,), adrenaline=False)
    book.note(ev.ActionRevealed(character="max", slot=2, token="look"))
    assert book.program("max", single, 2) == single


def test_a_new_turn_has_new_secrets() -> None:
    book = ledger(SHUT, ev.TurnBegan(turn=2, order=()))
    assert book.program("max", PAIR, 2) == Program(None, None)


def test_a_role_is_its_players_until_it_is_shown() -> None:
    book = ledger()
    assert [book.knows_role("max", seat) for seat in (NOBODY, 1, 2)] == [False, True, False]
    book.note(ev.RoleRevealed(character="max", role="guard", cause="own"))
    assert book.knows_role("max", NOBODY)


def test_clues_are_told_together() -> None:
    book, truth = ledger(), {1: "r1c2", 2: "r2c1"}
    assert expected(book, "play.clues", truth, 2) == {1: None, 2: "r2c1"}
    assert expected(book, "play.clues", truth, NOBODY) == {1: None, 2: None}
    book.note(ev.CluesClosed(cells=truth))
    assert expected(book, "play.clues", truth, NOBODY) == truth


def test_the_key_is_for_nobody_before_the_end_and_the_rest_for_nobody_at_all() -> None:
    book = ledger()
    assert expected(book, "key", "ab", 1) is None
    book.note(KeyPublished(key="ab"))
    assert expected(book, "key", "ab", NOBODY) == "ab"
    assert expected(book, "play.undealt", ("guard",), 1) is None
    assert expected(book, "situation", {}, 1) is None


def test_everything_else_is_for_all() -> None:
    assert expected(ledger(), "play.turn", 3, NOBODY) == 3
    assert expected(ledger(), "seats", {1: "x"}, NOBODY) == {1: "x"}


def test_views_of_rooms_and_figures_keep_what_is_public() -> None:
    book = ledger(peek(1, "r0c0"))
    grid = {"r0c0": Tile(0, "cold", reminders=(2,)), "r0c1": Tile(1, "dark")}
    assert expected(book, "play.grid", grid, 1) == {**grid, "r0c1": Tile(1)}
    assert expected(book, "play.grid", grid, 2)["r0c0"] == Tile(0, None, reminders=(2,))
    max_ = Character("max", 1, "all", "r0c0", role="guard", program=PAIR)
    seen = expected(book, "play.characters", {"max": max_}, 2)["max"]
    assert (seen.cell, seen.role, seen.program) == ("r0c0", None, Program(None, None))
    assert expected(book, "play.characters", {"max": max_}, 1) == {"max": max_}


# --- what only some rulebooks have ---


def test_a_room_that_is_turned_down_is_not_forgotten() -> None:
    """§4.11: known to all if it was face-up before, wherever it goes then."""
    shift = ev.LineShifted(line="row0", way="right", cause="action")
    up, down = ev.RoomRevealed(cell="r0c1", kind="cold"), more.RoomTurnedDown(cell="r0c1")
    assert knowers(ledger(up, down, shift), 1) == [NOBODY, 1, 2]


def test_a_tile_that_is_brought_in_is_known_and_the_old_one_is_gone() -> None:
    book = ledger(
        ev.RoomRevealed(cell="r0c1", kind="timer"), more.RoomReplaced(cell="r0c1", kind="empty")
    )
    assert book.tile("r0c1") == 25
    assert knowers(book, 25) == [NOBODY, 1, 2]
    book.note(more.RoomReplaced(cell="r4c4", kind="empty"))
    assert book.tile("r4c4") == 26


def test_a_role_seen_in_the_chamber_of_secrets_is_for_one_seat() -> None:
    book = ledger(more.RolePeeked(seat=2, character="max"))
    assert [book.knows_role("max", seat) for seat in (NOBODY, 1, 2)] == [False, True, True]
    assert [book.knows_role("alice", seat) for seat in (NOBODY, 1, 2)] == [False, False, True]


def test_a_programme_that_lies_open_is_known_until_it_is_replaced() -> None:
    shown = more.ProgramShown(character="max", tokens=("look", "move"))
    book = ledger(shown)
    assert book.program("max", PAIR, NOBODY) == PAIR
    book.note(ev.ProgramSubmitted(seat=1, character="max"))
    assert book.program("max", PAIR, NOBODY) == Program(None, None)
    book.note(shown)
    book.note(ev.TurnBegan(turn=2, order=()))
    assert book.program("max", PAIR, NOBODY) == Program(None, None)


def test_a_token_discarded_in_the_open_leaves_a_slot_that_all_know_is_empty() -> None:
    book = ledger(SHUT, more.TokenDiscarded(character="max", slot=1, token="look"))
    left = Program(("", "move"), adrenaline=False)
    assert book.program("max", left, NOBODY) == Program(("", None), adrenaline=False)


@pytest.mark.parametrize(
    "action",
    [
        ev.ActionRevealed(character="max", slot=1, token="push", drawn=True),
        ev.ActionRevealed(character="max", slot=3, token="look"),
    ],
)
def test_what_is_drawn_or_done_with_adrenaline_tells_nothing_of_the_programme(
    action: ev.ActionRevealed,
) -> None:
    single = Program(("look",), adrenaline=True)
    book = ledger(SHUT, action)
    assert book.program("max", single, 2) == Program((None,), adrenaline=True)


def test_nobody_knows_an_order_of_cards_or_of_a_stack_not_even_its_player() -> None:
    book = ledger()
    assert expected(book, "play.deck", ("M01", "P1"), NOBODY) is None
    assert expected(book, "play.discard", ("M02",), NOBODY) == ("M02",)
    assert expected(book, "play.deck_size", 2, NOBODY) == 2
    lost = Character("max", 1, "all", "r0c0", paranoid=True, stacked=2, stack=("look", "move"))
    for seat in (NOBODY, 1, 2):
        seen = expected(book, "play.characters", {"max": lost}, seat)["max"]
        assert (seen.paranoid, seen.stacked, seen.stack) == (True, 2, None)
