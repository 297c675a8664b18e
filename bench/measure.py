"""How we measure: interleaved repetitions, best against best, medians with their range.

Noise only slows a program down. So the gate compares each side's least disturbed figure; the best
ratio of a pair would reward a disturbed reference.
"""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

REPETITIONS: Final = 5
QUICK_REPETITIONS: Final = 3
SLICE_S: Final = 0.5
QUICK_SLICE_S: Final = 0.15

Better = Literal["higher", "lower"]


class Effort(Struct, frozen=True):
    """How much trouble to take: ``quick`` is for trying out, its figures are worth little."""

    quick: bool = False

    @property
    def repetitions(self) -> int:
        """How often each side is measured."""
        return QUICK_REPETITIONS if self.quick else REPETITIONS

    @property
    def slice_s(self) -> float:
        """Seconds of one measurement in process."""
        return QUICK_SLICE_S if self.quick else SLICE_S


class Samples(Struct, frozen=True):
    """Samples of one quantity. ``better`` says which end of them is the least disturbed."""

    name: str
    unit: str
    better: Better
    samples: tuple[float, ...]

    @property
    def best(self) -> float:
        """The least disturbed sample."""
        return max(self.samples) if self.better == "higher" else min(self.samples)

    def told(self) -> str:
        """``median [min .. max] unit``."""
        low, middle, high = min(self.samples), statistics.median(self.samples), max(self.samples)
        if len(self.samples) == 1:
            return f"{_short(middle)} {self.unit}"
        return f"{_short(middle)} [{_short(low)} .. {_short(high)}] {self.unit}"


class Bar(Struct, frozen=True):
    """A bar: ``ratio`` is held against ``bar``, from above or from below by ``better``."""

    name: str
    ours: Samples
    reference: Samples | None
    bar: float
    better: Better

    @property
    def value(self) -> float:
        """Best of ours by best of the reference; without a reference, best of ours itself."""
        return self.ours.best / (1.0 if self.reference is None else self.reference.best)

    @property
    def holds(self) -> bool:
        """Whether the bar is met."""
        return self.value >= self.bar if self.better == "higher" else self.value <= self.bar


class BenchReport(Struct, frozen=True):
    """What a benchmark found: gates, other figures, and notes on what was measured."""

    name: str
    gates: tuple[Bar, ...] = ()
    figures: tuple[Samples, ...] = ()
    notes: tuple[str, ...] = ()


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units per CPU-second of ``work``, which says how many each call did.

    It is called for ``seconds`` of this process's CPU time: what others take from the machine
    meanwhile is not counted.
    """
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def interleaved(
    cases: Mapping[str, Callable[[], int]], effort: Effort, unit: str, *, parts: int = 1
) -> dict[str, Samples]:
    """Measure each case in turn, again and again, so that noise meets all alike.

    Each case is called once before, to warm up. A turn gives ``parts`` samples: where every call
    does the same work, short ones find the moments when nobody disturbs, for all cases alike, even
    on a busy machine.
    """
    for work in cases.values():
        work()
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(effort.repetitions):
        for name, work in cases.items():
            gc.collect()
            found[name] += [rate(work, effort.slice_s / parts) for _ in range(parts)]
    return {name: Samples(name, unit, "higher", tuple(each)) for name, each in found.items()}


def cpu_seconds(pid: int) -> float:
    """User and system seconds of a process with all its threads, to the nanosecond. Linux only."""
    nanoseconds = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        nanoseconds += int((task / "schedstat").read_text().split()[0])
    return nanoseconds / 1e9


def two_cores() -> tuple[int, int]:
    """A core for what is measured and one for the rest; the same one where there is but one."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[0], cores[-1]


def _short(value: float) -> str:
    if abs(value) >= 1000:  # noqa: PLR2004 (beyond a thousand, decimals are noise)
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 10 else f"{value:.1f}"  # noqa: PLR2004 (ditto below ten)
