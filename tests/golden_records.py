"""The golden games, each read once for all tests of a process: nothing read of them can change."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from replay.source import Source, read_file
from simulator.golden_files import ROOT

RECORDS = sorted((ROOT / "records").glob("*.jsonl"))
UNFINISHED = sorted((ROOT / "unfinished").glob("*.jsonl"))
SHORT = ROOT / "records" / "ultimate-cooperation-4.jsonl"
"""One of few events, for whoever only asks whether an archive of rules judges at all."""


@cache
def golden(path: Path) -> Source:
    """The record in a file."""
    return read_file(path.read_bytes())


def a_third_by_day(alike: Iterable[object]) -> list[object]:
    """What is much alike, as parameters: a third for every run, the others by night."""
    return [
        pytest.param(each, marks=() if number % 3 == 0 else pytest.mark.nightly)
        for number, each in enumerate(alike)
    ]
