"""``make cluster``: a game is played on a cluster, and nothing is left of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.homes import passing_home


@pytest.mark.nightly
def test_a_game_is_played_on_a_cluster_which_stops_cleanly() -> None:
    with passing_home() as home:
        done = subprocess.run(
            [sys.executable, "-m", "simulator.judged_demo", "cluster"],
            env={**os.environ, "TMPDIR": str(home)},
            timeout=600,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        said = done.stdout.splitlines()
        assert said[0].startswith("service ")
        assert "verified" in said
        assert any(line.startswith("told      all ") for line in said)
        assert any(re.fullmatch(r"shipped   \d+ batches are in the journal", line) for line in said)
        assert said[-1] == "stopped   cleanly"
        assert list(home.iterdir()) == []
        commands = (each / "cmdline" for each in Path("/proc").iterdir() if each.name.isdecimal())
        lines = [path.read_bytes() for path in commands if path.exists()]
        assert not [line for line in lines if os.fsencode(home) in line]
