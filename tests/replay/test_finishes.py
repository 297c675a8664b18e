"""How seats finished is told by the public end of each golden game, as its secrets have it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from events.kernel import fold
from games.game_registry import installed_games
from projections.rows import PublicFold, Row
from tests.golden_records import RECORDS, golden

GAMES = installed_games()


@cache
def row_of(path: Path) -> Row:
    """The row of a golden game, folded from what everybody may read."""
    source = golden(path)
    public = PublicFold(GAMES.table)
    codec = GAMES.codecs(None).codec_of(source.stored[0])
    public.extend(codec.decode_many(source.stream, source.stored))
    return public.row(source.stream)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_public_end_tells_who_was_on_which_side(path: Path) -> None:
    row, play = row_of(path), fold(GAMES.table, (e.event for e in golden(path).envelopes())).play
    assert row.result is not None
    if row.result.reason != "finished":
        assert all(seat.finish is None for seat in row.seats)
        return
    for seat in row.seats:
        if seat.finish is None:
            assert row.scenario  # which may leave a seat without a figure
            continue
        assert (seat.seat in row.result.winners) <= (seat.finish.rank == 1)
        assert seat.finish.side in {None, *GAMES.games[row.game].rules.sides}
        if row.mode == "suspicion":
            (figure,) = play.of_seat(seat.seat)
            assert seat.finish.side == ("prisoner" if figure.role == "prisoner" else "guard")
    scores = getattr(play, "scores", None)
    if scores is not None and row.result.outcome != "last_standing":
        best = min(row.seats, key=lambda each: each.finish.rank if each.finish else 99)
        assert scores[best.seat] == max(scores.values())


def test_the_golden_games_have_ends_of_every_kind() -> None:
    """The planted fault: were all on one side, or all in one party, nothing would be told."""
    rows = [row for path in RECORDS if (row := row_of(path)).result is not None]
    sides = Counter(seat.finish.side for row in rows for seat in row.seats if seat.finish)
    assert sides["guard"] > 0
    assert sides["prisoner"] > 0
    parties = {
        row.mode: len({seat.finish.party for seat in row.seats if seat.finish}) for row in rows
    }
    assert parties["cooperation"] == parties["solo"] == 1
    assert parties["team"] > 1
    assert parties["competition"] > 1
