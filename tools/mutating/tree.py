"""The copy of the tree that is mutated; the tree itself is never touched."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
BUILD: Final = ROOT / "build" / "mutants"
TREE: Final = BUILD / "tree"
PRISTINE: Final = BUILD / "pristine"
LEARNED: Final = BUILD / "learned"
PLUGIN: Final = BUILD / "plugin"
SESSION: Final = BUILD / "session.sqlite"
PICKED: Final = BUILD / "picked.json"
CONFIG: Final = BUILD / "config.toml"
VENV: Final = BUILD / "venv"
"""Cosmic Ray's own environment; ``make mutants`` makes it."""
RULES: Final = "games/room25"
_LEFT_OUT: Final = shutil.ignore_patterns(
    ".*", "__pycache__", "build", "dist", "node_modules", "var"
)
_ENTRY_POINTS: Final = (
    "[cosmic_ray.operator_providers]\nroom25 = tools.mutating.operators:Provider\n"
)
_CONFIG: Final = """\
[cosmic-ray]
module-path = "{rules}"
excluded-modules = [
    "{rules}/bots/*", "{rules}/scenarios/*", "{rules}/telling/*", "{rules}/words/*",
    "{rules}/package.py",
]
timeout = 300.0
test-command = "{python} -m tools.mutating.trial try"

[cosmic-ray.distributor]
name = "local"
"""


def configuration() -> str:
    """What Cosmic Ray is told: to mutate the rules, and nothing else of the game's folder."""
    return _CONFIG.format(rules=RULES, python=sys.executable)


def copy() -> None:
    """Copy the tree, and its rules once more to find a change by."""
    for folder in (TREE, PRISTINE, LEARNED, PLUGIN):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT, TREE, ignore=_LEFT_OUT)
    shutil.copytree(TREE / RULES, PRISTINE)
    info = PLUGIN / "parlour_mutations-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: room25-mutations\nVersion: 1\n")
    (info / "entry_points.txt").write_text(_ENTRY_POINTS)
    CONFIG.write_text(configuration())


def learn() -> None:
    """Play all tests in the copy once, and note what each of them runs through.

    Raises:
        subprocess.CalledProcessError: a test fails although nothing is mutated.
    """
    command = [sys.executable, "-m", "tools.mutating.trial", "learn"]
    subprocess.run(command, cwd=TREE, check=True, stdout=subprocess.DEVNULL)
