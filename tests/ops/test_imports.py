"""What our programs load when they start: nothing large that they never use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
UNUSED = ("rich", "pydantic")
"""Both are installed where this runs, and a library of ours loads each if it is let."""

PROGRAMS = """
import ops.run, replay.__main__, workers.__main__, service.__main__
from runtime.settings import NO_MARKS, Secret, Settings
from service.app import create_service

create_service(
    Settings(
        store_url="redis://localhost:1",
        rq_url="redis://localhost:1",
        keys={"k1": Secret(b"1" * 32)},
        current_key="k1",
        naming_key="k1",
        marks=NO_MARKS,
    )
)
"""


def loaded(program: str) -> list[str]:
    """Those of the unused that a program has loaded when it is done."""
    asked = f"{program}\nimport sys\nprint(*[n for n in {UNUSED!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, check=True, text=True
    )
    return done.stdout.split()


def test_no_program_loads_what_it_never_uses() -> None:
    assert loaded(PROGRAMS) == []


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("import structlog", "rich"),
        ("from litestar import Litestar; Litestar([])", "pydantic"),
    ],
    ids=["structlog", "litestar"],
)
def test_what_is_loaded_is_seen(program: str, what: str) -> None:
    """Both libraries would, and whoever then imports structlog from us has rich as before."""
    assert what in loaded(f"{program}\nimport events.logger, runtime.logs")
