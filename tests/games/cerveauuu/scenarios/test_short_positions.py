"""Positions in short: each base, each board, each fact of a piece, and what cannot be read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.cerveauuu.board import Grid, parse_map
from games.cerveauuu.decider import CERVEAUUU
from games.cerveauuu.opening.options import RULEBOOK
from games.cerveauuu.opening.situation import GivenPiece, Situation
from games.cerveauuu.scenarios.bases import BASES, BOARDS, ELBOW, HALL, HARMLESS, board, open_board
from games.cerveauuu.scenarios.short_positions import FLAGS, VALUES, BasedSituation, spread
from games.contract import TableOpening
from games.scenarios import ShorthandError


def laid(base: str = "two-players", **short: Any) -> Situation:
    """The position in full, as a scenario table takes it."""
    based = msgspec.convert({"base": base, **short}, BasedSituation)
    return msgspec.convert(spread(based), Situation, str_keys=True)


def test_every_base_is_a_table_that_can_be_opened() -> None:
    for name, base in BASES.items():
        wish = TableOpening(
            rulebook=RULEBOOK,
            mode=base.mode,
            seats=base.seats,
            options={},
            situation=msgspec.to_builtins(laid(name)),
        )
        assert CERVEAUUU.open(wish).seats == base.seats
        assert laid(name) == msgspec.convert(base.situation, Situation)


def test_a_position_is_told_by_its_differences() -> None:
    changed = laid(
        pieces="h01 r4c4 moved; z02 r4c3 seat=2 blocked activated attacked touched_by=1+2",
        map="open-12x1",
        hands={"1": "c054 c031", "2": ["c083"]},
        deck="c003 c004",
    )
    assert changed.pieces == {
        "h01": GivenPiece(cell="r4c4", moved=True),
        "z02": GivenPiece(
            cell="r4c3", seat=2, blocked=True, activated=True, attacked=True, touched_by=(1, 2)
        ),
    }
    assert changed.map == open_board(12, 1)
    assert changed.hands == {1: ("c054", "c031"), 2: ("c083",)}
    assert changed.deck == ("c003", "c004")
    assert {*FLAGS, *VALUES, "cell"} == set(GivenPiece.__struct_fields__)


def test_pieces_and_maps_may_be_told_in_full() -> None:
    told = laid(pieces={"h01": {"cell": "r0c0"}}, map=HALL)
    assert (told.pieces, told.map) == ({"h01": GivenPiece(cell="r0c0")}, HALL)


def test_what_is_held_lies_on_no_deck() -> None:
    assert laid().deck == HARMLESS
    assert laid(hands={"1": "c060"}).deck == HARMLESS[1:]


def test_boards_have_names() -> None:
    assert set(BOARDS) == {"default20", "hall", "elbow"}
    hall, elbow = (Grid.of(parse_map(text)) for text in (HALL, ELBOW))
    assert (hall.size, elbow.size, len(elbow.impassable)) == (35, 40, 28)
    assert [hall.edge_id(each) for each in hall.edges if hall.stored(each) == "door_open"] == [
        "r2c2e"
    ]
    assert board("open-0x9") is None
    text = board("open-7x3")
    assert text is not None
    street = Grid.of(parse_map(text))
    assert (street.size, street.distance(0, 20)) == (21, 6)
    assert all(street.stored(each) == "open" for each in street.edges)


WRONG: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"pieces": "r4c4"}, "pieces", "'r4c4' is no piece, such as h01 or z01"),
    ({"pieces": "h01 r4c4;"}, "pieces", "'' is no piece, such as h01 or z01"),
    ({"pieces": "h01 r4c4; h01 r4c5"}, "pieces", "h01 is given twice"),
    ({"pieces": "h01 moved"}, "pieces.h01", "it stands on no cell"),
    ({"pieces": "h01 r4c4 r4c5"}, "pieces.h01", "cell is given twice"),
    ({"pieces": "h01 r4c4 mved"}, "pieces.h01", "'mved' is no fact"),
    ({"pieces": "h01 r4c4 moved=true"}, "pieces.h01", "'moved' is no fact with a value"),
    ({"pieces": "z01 r4c4 seat=x"}, "pieces.z01", "'x' is no seat"),
    ({"pieces": "z01 r4c4 seat=1+2"}, "pieces.z01", "'1+2' is no seat"),
    ({"map": "haal"}, "map", "'haal' is no board"),
    ({"hands": {"1": "c054 c999"}}, "hands.1", "'c999' is no card"),
    ({"deck": "c141"}, "deck", "'c141' is no card"),
)


def test_what_cannot_be_read_is_named_with_its_place() -> None:
    for short, place, said in WRONG:
        with pytest.raises(ShorthandError) as caught:
            laid(**short)
        assert (caught.value.place, str(caught.value)) == (place, said)
