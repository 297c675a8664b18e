"""Records to audit, and ways to forge them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from events import seal
from events.kernel import Actor
from games.game_registry import installed_games
from games.table.events import OpenTable, TakeSeat
from projections.record import NAMES_BEGIN
from replay.findings import Finding
from replay.memory import MemoryTable
from replay.source import examine
from replay.verify import Audit, audit
from simulator.golden_files import KEYS, ROOT, SIGNER
from simulator.golden_games import GoldenDriver, whole_game
from simulator.room25.golden_recipes import Recipe

Json = dict[str, Any]

GAME = Recipe(name="forged", mode="suspicion", seats=4, seed=10)


@cache
def played() -> MemoryTable:
    """A finished game; nobody may play on it."""
    return whole_game(GAME)


@cache
def begun() -> MemoryTable:
    """A game that has come to its second turn; nobody may play on it."""
    driver = GoldenDriver(GAME)
    driver.seat_all()
    driver.play(lambda table: table.state.play.turn == 2)
    return driver.table


@cache
def original() -> bytes:
    """The signed record of the finished game."""
    return played().record(SIGNER)


@cache
def small() -> bytes:
    """The smallest of the golden records that are signed, for tests that audit it often."""
    return min((path.read_bytes() for path in (ROOT / "records").glob("*.jsonl")), key=len)


def audited(content: bytes, trusted: str | None = None) -> Audit:
    """The audit of a record."""
    return audit(examine(content), installed_games(), trusted)


def finding(found: Audit, name: str) -> Finding:
    """One finding of an audit."""
    return next(f for f in found.findings if f.name == name)


def failures(found: Audit) -> dict[str, int]:
    """The checks that failed and the versions that they name."""
    return {f.name: f.version for f in found.findings if f.status == "FAILED"}


class Forger:
    """A record taken apart: ``lines[n]`` is version ``n``, line 0 the header, the last the seal.

    ``names`` are the openings of names by seal, empty if there is no line of them.
    """

    def __init__(self, content: bytes | None = None) -> None:
        raw = (original() if content is None else content).rstrip(b"\n").split(b"\n")
        self.lines: list[Json] = [msgspec.json.decode(line) for line in raw]
        self.names: Json = self.lines.pop(-2)["names"] if raw[-2].startswith(NAMES_BEGIN) else {}

    def version_of(self, kind: str, where: Callable[[Json], bool] = lambda _: True) -> int:
        """The first version whose event is of a type and fulfils a condition."""
        return next(
            number
            for number, line in enumerate(self.lines[1:-1], 1)
            if line["event"]["type"] == kind and where(line["event"])
        )

    def event(self, version: int) -> Json:
        """The event of a version, to be changed."""
        found: Json = self.lines[version]["event"]
        return found

    def renumber(self) -> None:
        """Make the versions contiguous again, and the counts right."""
        for number, line in enumerate(self.lines[1:-1], 1):
            line["v"] = number
        count = len(self.lines) - 2
        self.lines[0]["events"] = self.lines[-1]["seal"]["version"] = count

    def reseal(self) -> None:
        """Make the chain right again, as who holds the store could; the signature stays."""
        head = seal.genesis(self.lines[0]["stream"])
        for line in self.lines[1:-1]:
            head = seal.link(head, line["v"], _public(line))
        self.lines[-1]["seal"]["head"] = seal.text_of(head)

    def unsign(self) -> None:
        """Take the signature off."""
        for name in ("note", "verifier"):
            self.lines[-1]["seal"].pop(name, None)

    def recommit(self, version: int, path: str, value: Any) -> None:
        """Put another secret value behind a fresh commitment, with the right salt."""
        line = self.lines[version]
        part, _, name = path.partition(".")
        key = bytes.fromhex(self.lines[-1]["seal"]["key"])
        salt = seal.salt(key, version, path)
        holder = line if part == "event" else line["batch"]
        holder["seals"][name] = seal.commitment(path, salt, value)
        line["opened"][path] = {"salt": seal.text_of(salt), "value": value}

    def content(self) -> bytes:
        """The forged record."""
        lines = [_spelt(line) for line in self.lines]
        names = [seal.canonical({"names": self.names})] if self.names else []
        return b"\n".join([*lines[:-1], *names, lines[-1], b""])


def _public(line: Json) -> bytes:
    return seal.canonical({name: value for name, value in line.items() if name != "opened"})


def _spelt(line: Json) -> bytes:
    public = _public(line)
    if "opened" not in line:
        return public
    return public[:-1] + b',"opened":' + seal.canonical(line["opened"]) + b"}"


def fresh_table(name: str, seats: int = 2, mode: str = "cooperation") -> MemoryTable:
    """A table at which everybody has sat down."""
    table = MemoryTable(KEYS.derived_id("tests", name, "g", 4), KEYS, 1_700_000_000_000)
    table.give(
        OpenTable(
            game="room25",
            rulebook="first_edition",
            mode=mode,
            seats=seats,
            key=table.game_key(),
        ),
        Actor("player", "p00-a"),
    )
    for seat in range(1, seats + 1):
        table.give(TakeSeat(), Actor("player", f"p00-{'abcdefgh'[seat - 1]}"))
    return table
