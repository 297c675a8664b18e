"""A handler that somebody forgets fails the type checker (``games.dispatch``)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import tree

SNIPPET = """
from events.kernel import Command, Working
from games.dispatch import Handlers, on

class Sit(Command, frozen=True, tag="sit"): ...
class Rise(Command, frozen=True, tag="rise"): ...

def sit(work: Working[int], command: Sit) -> None: ...
def rise(work: Working[int], command: Rise) -> None: ...

FOUND = {handlers}
ALL: Handlers[Working[int], Sit | Rise, None] = FOUND
"""


def checked(handlers: str, folder: Path) -> str:
    """What mypy says of two commands with these handlers."""
    (folder / "seats.py").write_text(SNIPPET.replace("{handlers}", handlers), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "seats.py"],
        cwd=folder,
        env={"MYPYPATH": str(tree.ROOT), "MYPY_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.slow
def test_a_forgotten_handler_fails_the_type_checker(tmp_path: Path) -> None:
    assert "Success" in checked("on(Sit, sit) | on(Rise, rise)", tmp_path)
    assert "Incompatible types in assignment" in checked("on(Sit, sit)", tmp_path)
    assert "Argument 2" in checked("on(Sit, sit) | on(Rise, sit)", tmp_path)
