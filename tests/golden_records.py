"""The golden games, each read once for all tests of a process: nothing read of them can change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from replay.source import Source, read_file
from simulator.golden_files import ROOT

RECORDS = sorted((ROOT / "records").glob("*.jsonl"))
UNFINISHED = sorted((ROOT / "unfinished").glob("*.jsonl"))


@cache
def golden(path: Path) -> Source:
    """The record in a file."""
    return read_file(path.read_bytes())
