"""The copy of the tree that is mutated; the tree itself is never touched."""

from __future__ import annotations

import os
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
GAME: Final = "PARLOUR_MUTATED_GAME"
"""The variable of the environment that names the game whose rules are mutated, in every process.

Nothing of a game is imported to know it: what an import runs through is to be followed.
"""
_LEFT_OUT: Final = shutil.ignore_patterns(
    ".*", "__pycache__", "build", "dist", "node_modules", "var"
)
_ENTRY_POINTS: Final = (
    "[cosmic_ray.operator_providers]\nrules = tools.mutating.operators:Provider\n"
)
_CONFIG: Final = """\
[cosmic-ray]
module-path = "{rules}"
excluded-modules = [
    "{rules}/bots/*", "{rules}/scenarios/*", "{rules}/telling/*", "{rules}/words/*",
    "{rules}/package.py",
]
timeout = 3600.0
test-command = "{python} -m tools.mutating.trial try"

[cosmic-ray.distributor]
name = "local"
"""


def rules() -> str:
    """The folder of the game whose rules are mutated, from the root.

    Raises:
        KeyError: the environment names no game.
    """
    return f"games/{os.environ[GAME]}"


def configuration(folder: str) -> str:
    """What Cosmic Ray is told: to mutate the rules, and nothing else of the game's folder."""
    return _CONFIG.format(rules=folder, python=sys.executable)


def copy() -> None:
    """Copy the tree, and its rules once more to find a change by."""
    for folder in (TREE, PRISTINE, LEARNED, PLUGIN):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT, TREE, ignore=_LEFT_OUT)
    shutil.copytree(TREE / rules(), PRISTINE)
    info = PLUGIN / "parlour_mutations-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rules-mutations\nVersion: 1\n")
    (info / "entry_points.txt").write_text(_ENTRY_POINTS)
    CONFIG.write_text(configuration(rules()))


def learn() -> None:
    """Play all tests in the copy once, and note what each of them runs through.

    Raises:
        subprocess.CalledProcessError: a test fails although nothing is mutated.
    """
    command = [sys.executable, "-m", "tools.mutating.trial", "learn"]
    subprocess.run(command, cwd=TREE, check=True, stdout=subprocess.DEVNULL)
