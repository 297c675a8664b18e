"""Folders and files that only their owner can read: their contents can decrypt games."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

UMASK: Final = 0o077
"""The umask of our processes: others get no access to the files they create."""

_FOLDER: Final = 0o700
_FILE: Final = 0o600


def make_private(folder: Path) -> None:
    """Create a folder, and close it and everything in it to all but its owner.

    Missing parents are created likewise. Links are left alone and not followed.

    Raises:
        OSError: it cannot be created, written or closed to others.
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
    """Sync a folder, so that what was created, renamed or removed in it is so on disk too.

    Raises:
        OSError: it cannot be opened.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file atomically, and wait until it is on disk.

    Raises:
        OSError: that cannot be done; what is there then is whole, the old or the new.
    """
    aside = path.with_name(f"{path.name}.new")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    sync_folder(path.parent)


def _shut(path: Path, mode: int) -> None:
    with contextlib.suppress(FileNotFoundError):  # a server removes a file when it has a newer one
        if path.stat().st_mode & UMASK:
            path.chmod(mode)
