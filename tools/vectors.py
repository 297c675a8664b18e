"""Writes test vectors of games for clients in any language, or checks them (``docs/vectors.md``).

``python -m tools.vectors --write`` makes ``tests/vectors`` from golden games; ``--check`` exits
with 1 and names the files that differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from events import seal
from events.codec import Codec
from events.kernel import FULL, PUBLIC, Viewer, redact
from events.secrecy import InTheClear
from games.game_registry import installed_games
from replay.checks import salt_key
from replay.memory import MemoryTable
from replay.source import read_file
from service.contract.bodies import encode
from simulator.registry import SIMULATORS
from tools.documents import Documents, task_parser, write_or_check

Json = dict[str, Any]
Change = dict[str, Any]
"""What to put where: JSON Pointers (RFC 6901) and values."""

ROOT: Final = Path(__file__).resolve().parent.parent
GOLDEN: Final = ROOT / "tests" / "golden"
VECTORS: Final = ROOT / "tests" / "vectors"
FORMAT: Final = "parlour-vectors/1"
OPENED: Final = b',"opened":'

GAMES: Final[Mapping[str, int | None]] = {
    name: cut for game in SIMULATORS.values() for name, cut in game.vectors.items()
}
"""Golden games of all games, and where each is cut."""


class Told:
    """A recorded game, as the service would tell it to anybody.

    Args:
        content: the record file, of an unfinished game too.
        cut: the last event to tell, with the rest of its batch; None: all of them.

    Raises:
        SourceError: it is no record.
    """

    def __init__(self, content: bytes, cut: int | None = None) -> None:
        source = read_file(content)
        self.stream = source.stream
        self._table = table = MemoryTable.of(source)
        self._codec = Codec(
            installed_games().registry(table.state.game), InTheClear(salt_key(source))
        )
        ends = (e.version - 1 for e in table.envelopes if e.batch is not None)
        last = next((v for v in ends if cut is not None and v >= cut), table.version)
        self.stored = table.stored[:last]
        self.envelopes = table.envelopes[:last]

    def viewers(self) -> Mapping[str, Viewer]:
        """Who may look, beside the public, once the game is over: each seat, and who sees all."""
        state = self._table.state
        game = self._table.game_registry.table.games[state.game]
        seats = {
            f"seat:{n}": replace(game.viewer(state.play, n), owner=False)
            for n in sorted(state.seats)
        }
        return {**seats, "full": FULL}

    def lines(self, viewer: Viewer) -> list[bytes]:
        """The event lines, by version."""
        return [self._codec.opened(self.stream, each, viewer) for each in self.stored]

    def views(self, viewer: Viewer) -> Iterator[Json]:
        """The ``state`` of the viewer's GameView at each version."""
        decider = self._table.game_registry.table
        state = decider.initial()
        for envelope in self.envelopes:
            state = decider.evolve(state, redact(envelope.event, viewer))
            yield json.loads(encode(state))

    def heads(self) -> Iterator[str]:
        """The chain's head at each version."""
        head = seal.genesis(self.stream)
        for stored in self.stored:
            head = seal.link(head, stored.version, stored.public)
            yield seal.text_of(head)


def vector(told: Told) -> Json:
    """The vector of a game."""
    lines, public = told.lines(PUBLIC), list(told.views(PUBLIC))
    return {
        "format": FORMAT,
        "stream": told.stream,
        "genesis": seal.text_of(seal.genesis(told.stream)),
        "lines": [line.decode() for line in lines],
        "heads": list(told.heads()),
        "public": list(_steps(public)),
        "viewers": {
            name: {
                "opened": dict(_openings(told.lines(viewer), lines)),
                "over": list(_overlays(told.views(viewer), public)),
            }
            for name, viewer in told.viewers().items()
        },
    }


def changes(before: object, after: object, where: str = "") -> Change:
    """What makes ``after`` of ``before``: as little as replacing values and adding members can."""
    if before == after:
        return {}
    if not (isinstance(before, dict) and isinstance(after, dict) and before.keys() <= after.keys()):
        return {where: after}
    found: Change = {}
    for name, value in after.items():
        path = f"{where}/{name.replace('~', '~0').replace('/', '~1')}"
        found |= changes(before[name], value, path) if name in before else {path: value}
    return found


def text(value: object) -> str:
    """JSON in which each member of the outer objects, and each item of their lists, has a line."""
    if isinstance(value, dict):
        rows = [f"{_compact(name)}:{text(part)}" for name, part in value.items()]
        return _in_rows("{", rows, "}")
    if isinstance(value, list):
        return _in_rows("[", map(_compact, value), "]")
    return _compact(value)


def vectors() -> Documents:
    """Every file of vectors and its content."""
    files = {}
    for name, cut in GAMES.items():
        path = GOLDEN / f"{name}.jsonl"
        told = text(vector(Told(path.read_bytes(), cut))) + "\n"
        files[f"tests/vectors/{path.stem}.json"] = told.encode()
    return files


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """The command line."""
    parser = task_parser("tools.vectors", __doc__)
    return write_or_check(parser, arguments, vectors, root, "see docs/vectors.md")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _in_rows(begin: str, rows: Iterable[str], end: str) -> str:
    content = ",\n".join(rows)
    return f"{begin}\n{content}\n{end}" if content else begin + end


def _steps(views: Iterable[Json]) -> Iterator[Json]:
    """What changes at each version at which anything does."""
    before: object = None
    for version, view in enumerate(views, 1):
        if found := changes(before, view):
            yield {"v": version, "set": found}
        before = view


def _overlays(views: Iterable[Json], public: Iterable[Json]) -> Iterator[Json]:
    """How the difference from the public view changes, at each version at which it does."""
    before: Change = {}
    for version, (known, view) in enumerate(zip(public, views, strict=True), 1):
        over = changes(known, view)
        if over != before:
            news = {path: value for path, value in over.items() if _differs(before, path, value)}
            gone = [path for path in before if path not in over]
            yield {"v": version, "set": news} | ({"drop": gone} if gone else {})
        before = over


def _differs(before: Change, path: str, value: object) -> bool:
    return path not in before or before[path] != value


def _openings(lines: Iterable[bytes], public: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """By version, the text of each ``opened`` member as it stands in the line."""
    for version, (line, plain) in enumerate(zip(lines, public, strict=True), 1):
        if line != plain:
            yield str(version), line[len(plain) - 1 + len(OPENED) : -1].decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
