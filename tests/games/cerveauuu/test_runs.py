"""What cards make of a run under way (§2.4, §4.4)."""

from __future__ import annotations

from games.cerveauuu.scenarios.bases import open_board
from tests.games.cerveauuu.scenes import scene


def test_a_runner_that_is_lured_where_all_is_taken_goes_back_along_its_whole_run() -> None:
    """C029 lures to the cell of h3; h1, which runs over h2, can stop nowhere but at its start."""
    table = scene(
        "h1 2,0; h2 3,0; h3 4,0; zA 0,0; zB 0,1",
        map=open_board(9, 2),
        hands={"B": "c029 c054"},
        stage="panic",
    )
    table.play("B", "k1.1.4,0")
    assert table.at("h1") == "2,0"
