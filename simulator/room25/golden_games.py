"""Golden games of Room 25 that wait for somebody."""

from __future__ import annotations

from functools import partial

from replay.memory import MemoryTable
from simulator.golden_games import GoldenDriver
from simulator.room25.golden_recipes import Recipe


def unfinished_game(kind: str) -> MemoryTable:
    """A game that waits for a decision of ``kind``, as far on as it can easily be had.

    Raises:
        ValueError: no game comes to such a decision.
    """
    modes = (("team", 6), ("cooperation", 4), ("suspicion", 5), ("solo", 1), ("competition", 3))
    for least_turn in (3, 2, 1, 0):
        for seed in range(40):
            mode, seats = modes[seed % len(modes)]
            name = f"{kind}-{mode}-{seed}"
            driver = GoldenDriver(Recipe(name=name, mode=mode, seats=seats, seed=seed))
            driver.seat_all()
            if driver.play(partial(_waits_for, kind, least_turn)):
                return driver.table
    raise ValueError(f"no game waits for {kind}")


def _waits_for(kind: str, least_turn: int, table: MemoryTable) -> bool:
    """Whether a table waits for a decision of a kind, where several must answer some have."""
    pending = table.pending()
    if not pending or pending[0].kind != kind or table.state.play.turn < least_turn:
        return False
    return len(pending) < len(table.state.seats) or len(table.state.seats) == 1
