"""The rules' pace against that of another commit: ``python -m bench play --against COMMIT``.

The commit's tree is laid out in a temporary folder with today's benchmark put over its own, so
that both sides do the same work, and one process runs in each tree. They are asked in turn, slice
after slice, so that whatever disturbs one disturbs the other; only one works at a time.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from bench.measure import Bar, BenchReport, Effort, Samples
from bench.pace import PaceCourse

BAR: Final = 0.9
"""The least part of the other commit's pace that is to be kept."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_OVERLAID: Final = ("__init__.py", "measure.py", "pace.py", "play.py")
_CASES: Final = {"fold": "fold alone, batch by batch", "decide": "decide alone"}
_TURNS: Final = 5
_SAMPLES: Final = 20


class AgainstError(Exception):
    """There is no such commit, or today's benchmark cannot measure it."""


class _Runner:
    """A process that measures the rules of one tree."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.pace"],
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.course = msgspec.json.decode(self._line(), type=PaceCourse)

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AgainstError("today's benchmark does not run there")
        return line

    def pace(self, case: str, seconds: float) -> list[float]:
        """Samples of the events by CPU-second of a case."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{case} {seconds} {_SAMPLES}\n")
        self._process.stdin.flush()
        return [float(sample) for sample in self._line().split()]

    def end(self) -> None:
        """Let it end."""
        self._process.communicate()


@contextmanager
def _runner(tree: Path) -> Iterator[_Runner]:
    runner = _Runner(tree)
    try:
        yield runner
    finally:
        runner.end()


def _lay_out(commit: str, tree: Path) -> None:
    """Put the files of a commit into a folder, and today's benchmark over them."""
    command = ["git", "archive", "--format=zip", commit]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, check=False)
    if done.returncode:
        raise AgainstError(f"{commit}: {done.stderr.decode().strip()}")
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        archive.extractall(tree)
    benches = tree / "bench"
    benches.mkdir(parents=True, exist_ok=True)
    for name in _OVERLAID:
        shutil.copy(_ROOT / "bench" / name, benches / name)


def run(effort: Effort, commit: str) -> BenchReport:
    """Measure both trees in turn.

    Raises:
        AgainstError: there is no such commit, or today's benchmark does not run there.
    """
    with tempfile.TemporaryDirectory(prefix="against-") as folder:
        _lay_out(commit, Path(folder))
        with _runner(_ROOT) as ours, _runner(Path(folder)) as theirs:
            found: dict[tuple[_Runner, str], list[float]] = {}
            for _ in range(effort.repetitions * _TURNS):
                for case in _CASES:
                    for side in (ours, theirs):
                        samples = side.pace(case, effort.slice_s / _TURNS)
                        found.setdefault((side, case), []).extend(samples)
            alike = ours.course == theirs.course
    gates = []
    for case, told in _CASES.items():
        mine, other = (
            Samples(f"{told}, {where}", "events/CPU-s", "higher", tuple(found[side, case]))
            for side, where in ((ours, "here"), (theirs, commit))
        )
        gates.append(Bar(f"{case} against {commit}", mine, other, BAR, "higher"))
    note = "the same games" if alike else "NOT the same games: the rules have changed"
    return BenchReport("against", tuple(gates), notes=(f"{note}: {ours.course.events} events",))
