"""A table without a store: the same decider, codec, keys and seals, kept in memory.

Games for golden files, tests and experiments are played on it; its output is byte for byte what the
service would have stored and put into a record file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from events import seal
from events.codec import Codec, Envelope, Stored, batch_by, with_openings
from events.draw import Draw
from events.envelope import ALL_RELEASED, NONE_RELEASED, Released
from events.kernel import FULL, Actor, Command, Context, Decision, Event, TimestampMs, fold
from events.keys import KeyRing
from events.names import SALT_BYTES, NameOpening, new_opening, seal_of
from games.game_registry import GameRegistry, installed_games
from games.table.decider import GRACE_MS
from games.table.events import TimeOut
from games.table.keeping import handed_in, released
from games.table.state import TableState
from projections.record import Opening, Seal, write_record
from replay.checks import salt_key
from replay.source import ClearKeys, Source, header_of
from runtime.signed import Signer
from runtime.table_service import CLOCK_ACTOR


class MemoryTable:
    """One table, played command by command.

    Args:
        stream: the game's id.
        keys: the source of the game key.
        at: the time of the first command, in milliseconds.
        game_registry: the games that can be played.

    ``now`` is the time of the next command; the caller advances it.
    """

    def __init__(
        self, stream: str, keys: KeyRing, at: TimestampMs, game_registry: GameRegistry | None = None
    ) -> None:
        self.stream = stream
        self.game_registry = game_registry or installed_games()
        self.now = at
        self.state: TableState = self.game_registry.table.initial()
        self.head = seal.genesis(stream)
        self.stored: list[Stored] = []
        self.envelopes: list[Envelope] = []
        self._keys = keys
        self._codecs = self.game_registry.codecs(keys)
        self.names: dict[str, NameOpening] = {}
        self._commands = 0
        self._recorded: Mapping[int, Mapping[str, Opening]] = {}

    @classmethod
    def of(cls, source: Source) -> MemoryTable:
        """A table as a record left it, ready to be played on.

        Raises:
            SourceError: an event cannot be read.
        """
        keys = ClearKeys(salt_key(source))
        envelopes = source.envelopes()
        made = cls(source.stream, keys, envelopes[-1].at)
        made.state = fold(made.game_registry.table, (e.event for e in envelopes))
        made.head, made.envelopes = source.head, envelopes
        made.names = dict(source.names)
        made._recorded = {entry.version: entry.opened for entry in source.entries}
        made.stored = [
            Stored(s.version, s.public, s.private and keys.encrypt("", s.version, s.private, ""))
            for s in source.stored
        ]
        return made

    @property
    def version(self) -> int:
        """The version of the last event."""
        return len(self.stored)

    def game_key(self) -> str:
        """The secret key to open the table with, in hexadecimal."""
        return self._keys.game_key(self.stream).hex()

    def name(self, text: str) -> str:
        """The seal of a name, whose opening goes into the record.

        Its salt is the same each time, so that a game can be replayed byte for byte: no real person
        plays here.
        """
        salt = hashlib.sha256(f"{self.stream}/{text}".encode()).digest()[:SALT_BYTES]
        opening = new_opening(text, salt)
        made = seal_of(opening)
        self.names[made] = opening
        return made

    def give(self, command: Command, actor: Actor) -> list[Event]:
        """Execute a command now.

        Raises:
            Rejected: the rules refuse it; nothing has happened.
        """
        table = self.game_registry.table
        context = Context(self.now, actor, Draw(table.seed(self.state)))
        work = table.carry_out(command, self.state, context)
        events = work.events
        self._commands += 1
        command_id = self._keys.command_id(actor.id, f"{self.stream}/{self._commands}")
        codec = self._codecs.of(work.state.game)
        sealed = codec.encode_batch(
            self.stream,
            events,
            batch_by(actor, command, command_id, self.game_registry.rules_of(work.state)),
            at=self.now,
            first_version=self.version + 1,
            previous_head=self.head,
        )
        added = [
            Stored(version, public, private)
            for version, (public, private) in enumerate(sealed.entries, self.version + 1)
        ]
        self.state = fold(table, events, self.state)
        self.stored += added
        self.envelopes += codec.decode_many(self.stream, added)
        self.head = sealed.head
        return events

    def choose(self, decision: Decision, option: str) -> list[Event]:
        """Choose an option for the player at the decision's seat, who may be a house bot.

        Raises:
            Rejected: as ``give``.
        """
        place = self.state.seats[decision.seat]
        command = handed_in(decision, option)
        actor = Actor("bot" if place.bot else "player", place.player)
        return self.give(command, actor)

    def time_out(self) -> list[Event]:
        """Let the running deadline pass, and end the wait.

        Raises:
            Rejected: as ``give``.
            ValueError: no deadline runs.
        """
        clock = self.state.clock
        if clock is None:
            raise ValueError("the table waits for nobody")
        self.now = max(self.now, clock.due + GRACE_MS)
        return self.give(TimeOut(key=clock.key), CLOCK_ACTOR)

    def _openings(self, codec: Codec, stored: Stored, released: Released) -> bytes | None:
        """What an event opens in a record.

        The salts of kept fields cannot be made again: what was recorded has those of its record.
        """
        found = codec.openings(self.stream, stored, FULL, released)
        recorded = self._recorded.get(stored.version)
        if found is None or recorded is None:
            return found
        return seal.canonical_plain(
            {path: msgspec.to_builtins(recorded[path]) for path in msgspec.json.decode(found)}
        )

    def pending(self) -> tuple[Decision, ...]:
        """The blocking decisions that nobody has answered yet."""
        game = self.game_registry.table.games.get(self.state.game)
        wait = None if game is None or self.state.phase != "live" else game.wait(self.state.play)
        return () if wait is None else wait.pending

    def record(self, signer: Signer | None = None, origin: str = "parlour") -> bytes:
        """The record file; of an unfinished game too, with all its secrets, which is for tests."""
        codec = self._codecs.of(self.state.game)
        whole = dict.fromkeys((s.version for s in self.stored), ALL_RELEASED)
        if self.state.phase == "finished":
            whole = released(self.game_registry.table.games, self.envelopes)
        lines = [
            with_openings(s.public, self._openings(codec, s, whole.get(s.version, NONE_RELEASED)))
            for s in self.stored
        ]
        at = self.envelopes[-1].at
        header = header_of(self.stream, self.envelopes, signer.origin if signer else origin)
        note = signer.sign(self.stream, self.version, self.head, at) if signer else None
        end = Seal(
            head=seal.text_of(self.head),
            version=self.version,
            key=self.state.key or "",
            note=note,
            verifier=signer.verifier if signer else None,
        )
        return write_record(header, lines, end, self.names)
