"""What a seat has said for later, and what it says under seal (C14, §4.11)."""

from __future__ import annotations

from games.cerveauuu.decider import CREDITS_DRAW, REPLACE, STOP
from tests.games.cerveauuu.scenes import scene


def test_what_is_said_last_of_replacing_counts() -> None:
    table = scene("h1 8,8; zA 0,0; zB 0,8")
    for said, replaces in ((STOP, False), (REPLACE, True), (STOP, False)):
        table.choose("A", CREDITS_DRAW, said)
        assert table.state.replacing == {1: replaces, 2: True}


def test_discards_are_sealed_until_all_have_been_made() -> None:
    many = "c060 c061 c063 c064 c065 c066 c067 c054 c055 c080"
    table = scene("h1 8,8; zA 0,0; zB 0,8", hands={"A": many}, deck="", stage="end_round").quiet()
    assert [(d.kind, d.secret) for d in table.sitting.pending()] == [("discard", True)]
