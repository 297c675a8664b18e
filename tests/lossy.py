"""A store that loses what it was given."""

from __future__ import annotations

import shutil
from pathlib import Path

from runtime.embedded.store import Store


class Lossy:
    """A store that forgets, when asked, what came after a mark."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.store = Store(home / "store", "appendfsync no")

    def mark(self) -> None:
        """What is there now is what will be left."""
        self.store.stop()
        shutil.rmtree(self.home / "mark", ignore_errors=True)
        shutil.copytree(self.home / "store", self.home / "mark")
        self.store.start()

    def lose(self) -> int:
        """Go back to the mark, without a word; how many bytes of its files are gone."""
        self.store.stop()
        gone = _size(self.home / "store") - _size(self.home / "mark")
        shutil.rmtree(self.home / "store")
        shutil.copytree(self.home / "mark", self.home / "store")
        self.store.start()
        return gone

    def empty(self) -> None:
        """Lose everything."""
        self.store.stop()
        shutil.rmtree(self.home / "store")
        self.store.start()


def _size(folder: Path) -> int:
    """Bytes in the append-only file."""
    return sum(each.stat().st_size for each in folder.rglob("*.aof"))
