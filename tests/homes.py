"""Folders for the stores of tests."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def home_for(prefix: str = "plr-") -> Path:
    """A new folder with a short path, in memory where there is a place for that.

    A disk that others keep busy may stand still for seconds; only the tests of durability want one.
    """
    memory = Path("/dev/shm")  # noqa: S108 (a new folder in it, made for us alone)
    return Path(tempfile.mkdtemp(prefix=prefix, dir=memory if os.access(memory, os.W_OK) else None))
