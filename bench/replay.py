"""Rebuilding a game from its bytes, against the ``eventsourcing`` package's in-memory rebuild.

Ours decrypts and decodes every entry as the store holds it, hashes it into the chain, and folds it;
theirs maps an aggregate's stored events of plain old Python objects and folds them. The figures in
between say what the parts cost.
"""

from __future__ import annotations

import uuid
from typing import Final

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from bench.measure import Bar, BenchReport, Effort, Samples, interleaved
from events import seal
from events.codec import Codec
from events.kernel import fold
from games.game_registry import installed_games
from replay.checks import check_commitments
from replay.memory import MemoryTable
from replay.source import Source, read_file
from simulator.golden_files import KEYS
from simulator.golden_games import whole_game
from simulator.room25.golden_recipes import RECIPES

NAME: Final = "replay"
BAR: Final = 6.0
GAME: Final = "suspicion-5"

_PARTS: Final = 100
_MOVES: Final = 200
_PLAYERS, _ROOMS = 6, 25


class PeerGame(Aggregate):
    """The smallest game that makes sense: who stands where."""

    @event("Created")
    def __init__(self) -> None:
        self.position: dict[int, int] = {}
        self.moves = 0

    @event("Moved")
    def moved(self, player: int, start: int, to: int) -> None:  # noqa: ARG002 (it is recorded)
        """A player moved from a room to another."""
        self.position[player] = to
        self.moves += 1


class _Rebuilds:
    """Our ways to rebuild one game, each the number of events it went through."""

    def __init__(self, table: MemoryTable) -> None:
        self._table = table
        self._decider = table.game_registry.table
        self._codec = Codec(table.game_registry.registry(table.state.game), KEYS)
        self._bare = Codec(table.game_registry.registry(table.state.game), None)
        self.source: Source = read_file(table.record())

    def full(self) -> int:
        """Chain, decrypt, decode, fold: what a process does with a game it does not know."""
        stored, stream = self._table.stored, self._table.stream
        head = seal.chain(seal.genesis(stream), 0, [entry.public for entry in stored])
        assert head == self._table.head
        told = self._codec.decode_events(stream, stored)
        fold(self._decider, [each.event for each in told])
        return len(told)

    def record(self) -> int:
        """The same out of a record's entries, whose secrets lie open."""
        source = self.source
        head = seal.chain(seal.genesis(source.stream), 0, [e.public for e in source.stored])
        assert head == source.head
        envelopes = source.envelopes()
        fold(self._decider, [each.event for each in envelopes])
        return len(envelopes)

    def public(self) -> int:
        """What a spectator's client does: no keys, no secrets."""
        stored, stream = self._table.stored, self._table.stream
        head = seal.chain(seal.genesis(stream), 0, [entry.public for entry in stored])
        assert head == self._table.head
        told = self._bare.decode_events(stream, stored)
        fold(self._decider, [each.event for each in told])
        return len(told)

    def commitments(self) -> int:
        """Recompute every commitment of a record; counted in events of the game."""
        registry = installed_games().registry(self._table.state.game)
        finding = check_commitments(self.source, registry, {})
        assert finding.status == "ok", finding
        return len(self.source.stored)


class _Peer:
    """The reference: one saved aggregate, rebuilt from the memory of its recorder."""

    def __init__(self) -> None:
        self._app: Application[uuid.UUID] = Application()
        game = PeerGame()
        for number in range(_MOVES):
            start = number % _ROOMS
            game.moved(number % _PLAYERS, start, (start + 1) % _ROOMS)
        self._app.save(game)
        self._id = game.id

    def rebuild(self) -> int:
        """Rebuild it; how many events that took."""
        game: PeerGame = self._app.repository.get(self._id)
        assert game.moves == _MOVES
        return _MOVES + 1


def run(effort: Effort) -> BenchReport:
    """Measure all ways in turn."""
    recipe = next(r for r in RECIPES if r.name == GAME)
    table = whole_game(recipe)
    ours, peer = _Rebuilds(table), _Peer()
    found = interleaved(
        {
            "stored bytes: chain, decrypt, decode, fold": ours.full,
            "eventsourcing, in memory: rebuild": peer.rebuild,
            "record entries: chain, decode, fold": ours.record,
            "public bytes: chain, decode, fold": ours.public,
            "commitments of a record, apart": ours.commitments,
        },
        effort,
        "events/CPU-s",
        parts=_PARTS,
    )
    figures: list[Samples] = list(found.values())
    secret = sum(entry.private is not None for entry in table.stored)
    return BenchReport(
        NAME,
        gates=(Bar("replay from bytes", figures[0], figures[1], BAR, "higher"),),
        figures=tuple(figures[2:]),
        notes=(
            f"our game: {GAME}, {table.version} events, {secret} with encrypted parts",
            f"their aggregate: {_MOVES + 1} events of one kind with three small fields",
        ),
    )
