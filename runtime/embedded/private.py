"""Folders and files that are their owner's alone: what is in them can open games."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

UMASK: Final = 0o077
"""What our processes never let others do with the files that they make."""

_FOLDER: Final = 0o700
_FILE: Final = 0o600


def make_private(folder: Path) -> None:
    """Make a folder, and shut it and all that is in it to everybody but its owner.

    Folders above that are missing are made likewise. Links are left alone, and not followed.

    Raises:
        OSError: it cannot be made, written or shut.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(_FOLDER, exist_ok=True)
    _shut(folder, _FOLDER)
    for each in folder.rglob("*"):
        if each.is_dir() and not each.is_symlink():
            _shut(each, _FOLDER)
        elif each.is_file() and not each.is_symlink():
            _shut(each, _FILE)


def sync_folder(folder: Path) -> None:
    """See that what was made, renamed or removed in a folder is so on the disk too.

    Raises:
        OSError: it cannot be opened.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _shut(path: Path, mode: int) -> None:
    with contextlib.suppress(FileNotFoundError):  # a server removes a file when it has a newer one
        if path.stat().st_mode & UMASK:
            path.chmod(mode)
