"""Where the golden files lie, who signs them, and what their drawings show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from events.keys import KeyRing
from projections.board import describe
from projections.board_svg import board_svg
from projections.board_text import board_text
from replay.memory import MemoryTable
from replay.source import read_file
from replay.viewing import Show, moment_names
from runtime.signed import Signer

GoldenFile = tuple[str, Callable[[Path], bytes]]
"""A file's path below the folder of golden files, and what makes it; it is given that folder."""

ROOT: Final = Path(__file__).resolve().parents[1] / "tests" / "golden"
KEYS: Final = KeyRing({"golden": b"golden files are no secret, ever"}, "golden")
SIGNER: Final = Signer("golden.parlour.example", b"golden files are signed by this!")


def drawing(name: str, records: Path) -> str:
    """The drawing that a file name asks for."""
    stem, _, form = name.rpartition(".")
    record, at, who = stem.split("@")
    source = read_file((records / f"{record}.jsonl").read_bytes())
    game_registry = MemoryTable.of(source).game_registry
    show = Show(source, game_registry, who.replace("-", ":"))
    where = None if at == "end" else at.removeprefix("v-").replace("-", ":")
    moment = show.at(show.version_of(where))
    board = describe(
        game_registry, moment.state, moment_names(show, moment), settled=moment.settled
    )
    draw = board_svg if form == "svg" else board_text
    return draw(board, f"{record}, version {moment.version}, as {show.who}")
