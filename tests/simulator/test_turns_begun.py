"""The turns of a log are those that whoever sees everything counts, whatever game it is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.game_registry import installed_games
from replay.viewing import Show
from simulator.turns_begun import turns_begun
from tests.golden_records import RECORDS, golden

GAMES = installed_games()


@pytest.mark.parametrize("path", RECORDS[::7], ids=lambda path: path.stem)
def test_they_begin_where_the_truth_says(path: Path) -> None:
    source = golden(path)
    show = Show(source, GAMES, "full")
    counted: dict[int, int] = {}
    for moment in show.moments():
        play = moment.state.play
        if play is not None:
            game = GAMES.games[moment.state.game].rules.decider
            counted.setdefault(game.turn(play), moment.version)
    counted.pop(0, None)
    assert counted
    assert turns_begun(GAMES, source.stream, source.stored) == list(counted.values())


def test_a_log_without_events_has_none() -> None:
    assert turns_begun(GAMES, "g00-a", ()) == []
