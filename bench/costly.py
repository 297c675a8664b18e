"""What the costliest commands of each game cost that says which they are.

Each command is decided at a table that has just decided the others (warm), and at one whose game
remembers nothing (cold). A repetition gives the middle and the worst of all commands; each command
counts with the best of a few tries, as whatever disturbs it only slows it down.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable
from typing import Final

from bench.measure import Bar, BenchReport, Effort, Samples
from games.table.decider import Table
from simulator.costly import Costly, CostlyCommand, cost_ms, fresh
from simulator.registry import SIMULATORS

NAME: Final = "costly"
GAMES: Final = 6
QUICK_GAMES: Final = 1
TRIES: Final = 3
COLDER: Final = 6.0
"""So many times as much a command may cost where nothing is remembered."""


def _spent(cases: list[CostlyCommand], table: Callable[[], Table]) -> list[float]:
    gc.collect()
    return [min(cost_ms(table(), case) for _ in range(TRIES)) for case in cases]


def _measured(game: str, costly: Costly, effort: Effort) -> tuple[tuple[Bar, ...], str]:
    cases = list(costly.commands(QUICK_GAMES if effort.quick else GAMES))
    known = fresh(costly.rules)
    kinds = {"warm start": lambda: known, "cold start": lambda: fresh(costly.rules)}
    spent: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for _ in range(effort.repetitions):
        for kind, table in kinds.items():
            spent[kind].append(_spent(cases, table))

    def samples(kind: str, what: str, of: Callable[[list[float]], float]) -> Samples:
        name = f"{costly.what}, {kind}, {what} of {len(cases)} commands"
        return Samples(name, "ms", "lower", tuple(of(each) for each in spent[kind]))

    cold = samples("cold start", "middle", statistics.median)
    warm = samples("warm start", "middle", statistics.median)
    worst = samples("cold start", "worst", max)
    bars = (
        Bar(f"{game}: middle", cold, None, costly.middle_ms, "lower"),
        Bar(f"{game}: worst", worst, None, costly.worst_ms, "lower"),
        Bar(f"{game}: cold against warm", cold, warm, COLDER, "lower"),
    )
    return bars, f"{game}: {costly.what}, {len(cases)} commands"


def run(effort: Effort) -> BenchReport:
    """Measure each game that names commands."""
    found = [
        _measured(game, simulator.costly, effort)
        for game, simulator in SIMULATORS.items()
        if simulator.costly is not None
    ]
    return BenchReport(
        NAME,
        gates=tuple(bar for bars, _ in found for bar in bars),
        notes=tuple(note for _, note in found),
    )
