"""How far each game had come, kept by the clock outside the store.

After a loss it shows which games are affected. The clock follows the feeds and appends, at most
once a second, a line for each game that has moved: ``<game> <version>``, and for each shard how far
it was followed: ``@<shard> <number>``. The first line names the store and epoch; a torn last line
is ignored. Once the file has grown to several times its content it is rewritten.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from events.log import StreamLog
from events.logger import get_logger
from events.lru import LruCache
from events.scripts import LogError
from events.tasks import run_until_one_ends
from runtime.mark_files import MarksError, replace_marks

FORMAT: Final = "parlour/game-marks/1"
SUFFIX: Final = ".games"

KEPT: Final = 200_000
"""The most games remembered, the latest to move; each takes about 40 bytes of the file."""

KEEP_S: Final = 1.0
"""Seconds between two writes."""

_SPARE_LINES: Final = 10_000
_log = get_logger(__name__)


class GameMarks:
    """The games of one store and epoch, and how far they had come.

    Attributes:
        versions: by game, those that moved last at the end.
        reached: by shard, the number of the last feed entry seen.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.versions: LruCache[str, int] = LruCache(KEPT)
        self.reached: dict[int, int] = {}

    def note(self, game: str, version: int) -> None:
        """A game has come to a version."""
        self.versions.keep(game, max(version, self.versions.get(game) or 0))

    def lines(self) -> str:
        """The content as the text of a file."""
        games = (f"{game} {version}\n" for game, version in self.versions.items())
        shards = (f"@{shard} {seq}\n" for shard, seq in self.reached.items())
        return "".join((f"{FORMAT} {self.name}\n", *games, *shards))


def read_game_marks(path: Path) -> GameMarks | None:
    """The content of a file; None if there is no such file.

    Raises:
        MarksError: the file is unreadable or damaged.
    """
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise MarksError(f"{path} cannot be read") from error
    first, *lines = text.split("\n")[:-1] or [""]
    word, _, name = first.partition(" ")
    if word != FORMAT:
        raise MarksError(f"{path} is damaged: it does not say which games had come how far")
    found = GameMarks(name)
    for line in lines:
        what, _, number = line.partition(" ")
        if not number.isdecimal():
            raise MarksError(f"{path} is damaged: {line[:80]!r}")
        if what.startswith("@"):
            found.reached[int(what[1:])] = int(number)
        else:
            found.note(what, int(number))
    return found


def known_games(folder: Path, name: str) -> dict[str, int]:
    """How far each game had come in an epoch of a store, from all files in a folder.

    Raises:
        MarksError: a file cannot be read.
    """
    result: dict[str, int] = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        found = read_game_marks(path)
        if found is not None and found.name == name:
            for game, version in found.versions.items():
                result[game] = max(version, result.get(game, 0))
    return result


class GameMarksKeeper:
    """Follows the feeds of all shards into a file, for every game is in it.

    Belongs to the log's event loop.

    Args:
        log: the log to follow, with what is known of its store.
        path: the file; no other process may use it.
    """

    def __init__(self, log: StreamLog, path: Path) -> None:
        self._log = log
        self._path = path
        self._marks = GameMarks("")
        self._news: dict[str, int] = {}
        self._lines = 0

    async def run(self) -> None:
        """Follow for ever; survives restarts of the store and starts afresh with each epoch."""
        while True:
            known = self._log.known
            if known is not None and not known.trouble:
                await self._follow_epoch(known.name)
            await asyncio.sleep(KEEP_S)

    async def _follow_epoch(self, name: str) -> None:
        """Follow until the store is in trouble, in another epoch, or does not answer."""
        try:
            await asyncio.to_thread(self._begin, name)
        except MarksError as error:
            _log.error("games_not_marked", reason=str(error))
            return
        try:
            await run_until_one_ends({"follow": self._follow(), "keep": self._keep(name)})
        except MarksError as error:
            _log.error("games_not_marked", reason=str(error))
        except LogError as error:
            _log.debug("games_not_followed", reason=str(error))
        finally:
            if self._news:  # about to end: the last lines are worth the wait
                _append(self._path, self._news_text())

    def _begin(self, name: str) -> None:
        found = read_game_marks(self._path)
        self._marks = found if found is not None and found.name == name else GameMarks(name)
        self._news.clear()
        self._rewrite()

    async def _follow(self) -> None:
        shards = range(self._log.layout.shards)
        async for pointer in self._log.follow({s: self._marks.reached.get(s, 0) for s in shards}):
            if pointer.stream.startswith("g"):
                self._marks.note(pointer.stream, pointer.version)
                self._news[pointer.stream] = pointer.version
            self._marks.reached[pointer.shard] = pointer.seq

    async def _keep(self, name: str) -> None:
        """Write once a second, off the event loop, until the epoch is over."""
        known = self._log.known
        while known is not None and not known.trouble and known.name == name:
            if self._lines > 3 * len(self._marks.versions) + _SPARE_LINES:
                self._news.clear()
                self._lines = len(self._marks.versions)
                text = self._marks.lines()
                await asyncio.to_thread(replace_marks, self._path, text.encode())
            elif self._news:
                await asyncio.to_thread(_append, self._path, self._news_text())
            await asyncio.sleep(KEEP_S)

    def _news_text(self) -> str:
        """The new lines, which count as written from now on."""
        games = [f"{game} {version}\n" for game, version in self._news.items()]
        shards = [f"@{shard} {seq}\n" for shard, seq in self._marks.reached.items()]
        self._lines += len(games)
        self._news.clear()
        return "".join((*games, *shards))

    def _rewrite(self) -> None:
        replace_marks(self._path, self._marks.lines().encode())
        self._lines = len(self._marks.versions)


def _append(path: Path, text: str) -> None:
    """Append to a file and flush it to disk.

    Raises:
        MarksError: that cannot be done.
    """
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise MarksError(f"{path} cannot be written: {error.strerror}") from error
