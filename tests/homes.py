"""Folders for the stores of tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def home_for(prefix: str = "plr-") -> Path:
    """A new folder with a short path, in memory where there is a place for that.

    A disk that others keep busy may stand still for seconds; only the tests of durability want one.
    """
    memory = Path("/dev/shm")  # noqa: S108 (a new folder in it, made for us alone)
    return Path(tempfile.mkdtemp(prefix=prefix, dir=memory if os.access(memory, os.W_OK) else None))


@contextmanager
def passing_home() -> Iterator[Path]:
    """Such a folder, which is gone afterwards with all that is in it."""
    home = home_for()
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)
