"""Whoever goes by the tree, as screen readers do, reads the complex of Room 25 row by row."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.planting import plant
from tests.e2e.test_room25_help import described

READ: Final = """async (given) =>
    (await import("/pages/room25.js")).readingOrder(...given)"""

AS_THEY_WERE: Final = {
    "    patch(this.ground, [": "    this.ground.childElementCount || patch(this.ground, ["
}
"""Rooms stay where they stood first."""

ROW_BY_ROW: Final = [f"r{row}c{column}" for row in range(5) for column in range(5)]

MOVES: Final = [
    [f"r{row}c1" for row in range(5)],
    [f"r1c{column}" for column in reversed(range(5))],
    [f"r{row}c1" for row in range(5)],
]
"""The second column down, the second row to the left, and the column once more."""


@pytest.mark.parametrize("faulty", [False, True], ids=["whole", "faulty"])
def test_rooms_that_have_been_moved_are_read_where_they_are(
    own_modules: Page, *, faulty: bool
) -> None:
    if faulty:
        plant(own_modules, "games/room25/board/board.js", AS_THEY_WERE)
    book = described("first_edition", "en")
    read = own_modules.evaluate(READ, [book, MOVES, "r3c1"])
    assert (read["found"] == [ROW_BY_ROW] * 4) is not faulty
    assert read["kept"]
