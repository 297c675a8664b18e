"""Each selector, and each filter of a slot, by itself (§7)."""

from __future__ import annotations

import pytest

from games.cerveauuu.deck import CARDS
from games.cerveauuu.facts import events as ev
from games.cerveauuu.model.language import (
    AdjacentTo,
    All,
    Allies,
    At,
    Beside,
    Chosen,
    Doors,
    Flag,
    Foes,
    Inside,
    Near,
    Pieces,
    PieceSelector,
    Seats,
    SeatSelector,
    Sees,
    Slot,
    Within,
)
from games.cerveauuu.model.state import Activation, Modifier, State
from games.cerveauuu.rules.acts import CardAct
from games.cerveauuu.rules.scene import Scene
from games.cerveauuu.rules.slots import pool, why_unfit
from tests.games.cerveauuu.rules.staging import batch, grid_of, lay, then

H, Z, X = Pieces("H"), Pieces("Z"), Pieces("X")
CROWD = "h01@r1c2 h02@r3c3 h10@r3c5!b z01@r2c3:1 z02@r3c4:2!d z03@r6c8:2"


def act(state: State, *slots: str, seat: int = 1) -> CardAct:
    return CardAct(batch(state), CARDS["c001"], seat, 0, slots=slots)


@pytest.mark.parametrize(
    ("selector", "slot", "found"),
    [
        (Chosen(1), "h02", "h02"),
        (Chosen(1), "h09", ""),
        (All(H), "", "h01 h02 h10"),
        (All(Z), "", "z01 z02 z03"),
        (All(X), "", "h01 h02 h10 z01 z02 z03"),
        (All(Pieces("X", ("in",))), "", "h01 z01"),
        (All(Pieces("H", ("out",))), "", "h02 h10"),
        (All(Pieces("Z", ("own",))), "", "z01"),
        (All(Pieces("X", ("other",))), "", "z02 z03"),
        (All(Pieces("Z", ("other", "in"))), "", ""),
        (Near(1, 1, X), "z02", "h02 h10 z01"),
        (Near(1, 1, X), "r3c4", "h02 h10 z01 z02"),
        (Near(1, 0, X), "r3c4", "z02"),
        (Near(1, 2, H), "z01", "h01 h02 h10"),
        (Inside(1, X), "a", "h01 z01"),
        (Inside(1, H), "a", "h01"),
        (Inside(1, X), "b", ""),
        (Beside(1, X), "r3c4e", "h10 z02"),
        (Beside(1, H), "r2c3s", "h02"),
        (At(1), "r3c5", "h10"),
        (At(1), "r0c0", ""),
        (Foes(1), "h02", ""),
    ],
)
def test_a_selector_names_pieces_by_id(selector: PieceSelector, slot: str, found: str) -> None:
    assert act(lay(CROWD), slot).pieces(selector) == tuple(found.split())


def test_foes_and_allies_are_those_of_the_fight_who_are_still_there() -> None:
    pieces = "h01@r3c3 h02@r2c4 z01@r3c4:1 z02@r4c4:2"
    state = lay(pieces, window="C", fight="z01 z02 z09 > h02 h01")
    assert act(state, "h01").pieces(Foes(1)) == ("z01", "z02")
    assert act(state, "h01").pieces(Allies(1)) == ("h01", "h02")
    assert act(state, "z02").pieces(Foes(1)) == ("h01", "h02")
    assert act(state, "z02").pieces(Allies(1)) == ("z01", "z02")


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (Seats("me"), (2,)),
        (Seats("others"), (3, 1)),
        (Seats("everyone"), (2, 3, 1)),
        (Chosen(1), (3,)),
    ],
)
def test_a_selector_names_seats_in_seat_order(
    selector: SeatSelector, found: tuple[int, ...]
) -> None:
    assert act(lay(seats=3), "s3", seat=2).seats(selector) == found


def test_the_doors_of_a_building_are_what_is_a_door_now() -> None:
    """C74."""
    state = lay()
    assert act(state, "a").edges(Doors(1)) == ("r2c3e",)
    assert act(state, "r1c3e").edges(Chosen(1)) == ("r1c3e",)
    boarded = then(state, ev.EdgeChanged(edge="r2c3e", state="wall", lasts="lasting"))
    assert act(boarded, "a").edges(Doors(1)) == ()
    more = then(state, ev.EdgeChanged(edge="r1c1e", state="door_closed", lasts="lasting"))
    assert act(more, "a").edges(Doors(1)) == ("r1c1e", "r2c3e")


def filling(state: State, slot: Slot, *before: str, seat: int = 1) -> str:
    """What may fill a slot as the pieces stand, in the order in which it is offered."""
    grid = grid_of(state)
    scene = Scene(state, grid)
    return " ".join(
        each
        for each in pool(state, grid, seat, slot)
        if why_unfit(scene, slot, each, before) is None
    )


BAND = "h01@r1c2 h02@r3c0!b z01@r2c3:1!a z02@r3c4:2 z03@r6c8:1!b z04@r0c4:1!d!a"


@pytest.mark.parametrize(
    ("slot", "found"),
    [
        (Slot("H"), "h01"),
        (Slot("Z"), "z01 z02 z04"),
        (Slot("X"), "h01 z01 z02 z04"),
        (Slot("Z", ("own",)), "z01 z04"),
        (Slot("X", ("other",)), "z02"),
        (Slot("X", ("in",)), "h01 z01"),
        (Slot("Z", ("out",)), "z02 z04"),
        (Slot("X", ("border",)), "z04"),
        (Slot("X", ("blk",)), "h02 z03"),
        (Slot("Z", ("own", "blk")), "z03"),
        (Slot("Z", ("spent",)), "z01"),
        (Slot("Z", ("mover",)), ""),
        (Slot("X", ("fight",)), ""),
        (Slot("D"), "r2c3e r4c5e"),
        (Slot("D", ("ajar",)), "r2c3e"),
        (Slot("D", ("shut",)), "r4c5e"),
        (Slot("B"), "a b"),
        (Slot("P"), "s1 s2"),
        (Slot("P", ("other",)), "s2"),
        (Slot("C", ("in",)), "r1c2 r1c3 r2c2 r2c3 r4c6 r4c7 r5c6 r5c7"),
        (Slot("C", ("in", "free")), "r1c3 r2c2 r4c6 r4c7 r5c6 r5c7"),
    ],
)
def test_a_slot_takes_what_its_filters_let_through(slot: Slot, found: str) -> None:
    assert filling(lay(BAND), slot) == found


@pytest.mark.parametrize(("flags", "number"), [((), 63), (("out",), 55), (("border",), 28)])
def test_a_slot_for_cells_counts_them_all(flags: tuple[Flag, ...], number: int) -> None:
    assert len(filling(lay(BAND), Slot("C", flags)).split()) == number


def test_walls_are_inner_walls_and_what_was_boarded_up() -> None:
    state = lay()
    walls = filling(state, Slot("W")).split()
    assert len(walls) == 14
    boarded = then(state, ev.EdgeChanged(edge="r2c3e", state="wall", lasts="lasting"))
    assert set(filling(boarded, Slot("W")).split()) == {*walls, "r2c3e"}
    holed = then(state, ev.EdgeChanged(edge=walls[0], state="breach", lasts="lasting"))
    assert filling(holed, Slot("W")).split() == walls[1:]


def test_a_cell_that_is_impassable_is_not_free() -> None:
    state = lay()
    shut = then(state, ev.CellFlagged(cell="r1c2", flag="impassable", lasts="lasting"))
    assert "r1c2" not in filling(shut, Slot("C", ("in", "free"))).split()
    assert "r1c2" in filling(shut, Slot("C", ("in",))).split()


def test_the_mover_is_the_zombie_of_window_m_and_never_spent() -> None:
    state = lay(BAND, window="M", path="z02:r3c5")
    assert filling(state, Slot("Z", ("mover",))) == "z02"
    assert filling(state, Slot("Z", ("spent",))) == "z01"
    attacking = lay(BAND, window="C", fight="z02 > h01")
    attacking.activation = Activation(zombie="z02")
    assert filling(attacking, Slot("Z", ("mover",))) == ""


def test_supporters_are_neither_principal_nor_target() -> None:
    pieces = "h01@r3c3 h02@r2c4 z01@r3c4:1 z02@r4c4:2"
    state = lay(pieces, window="C", fight="z01 z02 > h01 h02")
    assert filling(state, Slot("X", ("fight",))) == "h01 h02 z01 z02"
    assert filling(state, Slot("X", ("fight", "support"))) == "h02 z02"


def test_a_piece_is_touched_once_by_each_seat() -> None:
    """§5.2d."""
    state = lay("h01@r3c2!t1 z01@r3c4:1")
    assert filling(state, Slot("X")) == "z01"
    assert filling(state, Slot("X"), seat=2) == "h01 z01"


def test_no_piece_fills_two_slots_but_a_cell_may_be_its_own() -> None:
    state = lay("h01@r3c2 h02@r3c3")
    assert filling(state, Slot("H"), "h01") == "h02"
    assert "r3c2" in filling(state, Slot("C"), "r3c2").split()


def test_range_counts_through_walls_and_adjacency_does_not() -> None:
    state = lay("h01@r1c3 z01@r1c4:1 z02@r2c3:1 z03@r1c6:1")
    assert filling(state, Slot("Z", (), (Within(1, 1),)), "h01") == "z01 z02"
    assert filling(state, Slot("Z", (), (Within(1, 3),)), "h01") == "z01 z02 z03"
    assert filling(state, Slot("Z", (), (AdjacentTo(1),)), "h01") == "z02"


def test_a_relation_is_to_the_slot_that_it_names() -> None:
    state = lay("h01@r3c2 h02@r3c7 z01@r3c3:1 z02@r3c6:1")
    for slot, found in ((1, "z01"), (2, "z02")):
        assert filling(state, Slot("Z", (), (AdjacentTo(slot),)), "h01", "h02") == found


def test_sight_is_that_of_the_human_within_its_sight() -> None:
    state = lay("h01@r3c2 z01@r3c5:1 z02@r1c3:1 z03@r3c8:1")
    sees = Slot("Z", (), (Sees(1),))
    assert filling(state, sees, "h01") == "z01 z03"
    fog = Modifier(card="c009", stat="sight", lasts="weather", value=3, absolute=True, area=H)
    state.modifiers = (fog,)
    assert filling(state, sees, "h01") == "z01"


def test_all_filters_of_a_slot_must_hold() -> None:
    state = lay("h01@r2c5 z01@r2c3:1 z02@r2c4:2 z03@r2c4:1")
    slot = Slot("Z", ("own", "out"), (Sees(1), Within(1, 2)))
    assert filling(state, slot, "h01") == "z03"


def test_a_filter_that_no_piece_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match="ajar"):
        filling(lay("h01@r3c2"), Slot("H", ("ajar",)))
    with pytest.raises(ValueError, match="own"):
        filling(lay(), Slot("C", ("own",)))
