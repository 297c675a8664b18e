"""The table service: everything that the shells do with tables.

A thin layer between a shell and the log. It knows which command a choice is, that a late move first
runs the time-out, what a viewer sees and what a record holds; every rule is elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct

from events import seal
from events.clients import Client
from events.codec import Sealed
from events.envelope import NONE_RELEASED
from events.feed import Pointer
from events.heartbeat import GAP_MS
from events.kernel import FULL, Actor, Command, Decision, Rejected, Seat, TimestampMs, Viewer
from events.keys import KeyRing
from events.log import Append, StreamLog
from events.logger import get_logger
from events.names import NameOpening
from events.scripts import LogError, StoreFull
from events.skew import ClockGuard
from events.transact import CommandReceipt, Loaded, Transactor
from games.game_registry import GameRegistry, installed_games
from games.table.checks import TableCode
from games.table.decider import GRACE_MS, Table
from games.table.events import Choose, ChooseSealed, ChooseSecretly, SeatTaken, TimeOut
from games.table.keeping import released
from games.table.outage import OUTAGE
from games.table.pausing import overdue
from games.table.state import TableState
from projections.names import Hearing, NameBook
from projections.record import Header, Seal, rules_of, write_record
from projections.views import HeadAt, View, Views
from projections.visible_version import VisibleVersion
from runtime.player_bells import concerned_by_move
from runtime.settings import Settings
from runtime.signed import Contradicted, SignedHeads, Signer

EVENTS_PAGE = 256
"""The most events that ``events`` returns by default."""

CLOCK_ACTOR = Actor("worker", "clock")
"""The actor of time-outs."""

_log = get_logger(__name__)
_NOTHING_TO_DO = frozenset(
    {
        TableCode.NOTHING_DUE,
        TableCode.NOT_DUE_YET,
        TableCode.GAME_OVER,
        TableCode.GAME_NOT_LIVE,
        TableCode.GAME_HELD,
        TableCode.TABLE_PAUSED,
    }
)


def _nobody(_: Command) -> StoreFull | None:
    """The default refusal: there is always room."""
    return None


class Unsettled(LogError):
    """Deadlines are about to move, because commands could not be accepted for a time.

    Nothing happened; a move that missed the old deadline may meet the new one.
    """


class NotFinished(Exception):
    """The game is still running, so its record would reveal secrets."""


class SignedAt(Struct, frozen=True):
    """A head, the signed note about it, and the key that verifies the note; None if unsigned."""

    at: HeadAt
    note: str | None
    verifier: str | None


def now_ms() -> TimestampMs:
    """The time: milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def clock_guard(
    settings: Settings, client: Client, clock: Callable[[], TimestampMs] = now_ms
) -> ClockGuard | None:
    """The guard that keeps a process from writing while its clock is wrong; None if turned off."""
    tolerance = settings.clock_tolerance_ms
    return ClockGuard(client, clock, tolerance) if tolerance else None


class TableService:
    """The tables of a store, as used by one process and its event loop.

    Args:
        log: where the streams are.
        keys: the master secrets.
        clock: the time in milliseconds, UTC.
        game_registry: the games that can be played.
        signer: signs the heads of records, where the service has a signing key.
        origin: the service's name in records that are not signed.
        accepting_since: since when this process has accepted commands without interruption; None:
            it is not a process that accepts them, or it cannot now.
        refusal: why the store has no room for a command, if it has none.
        news: notifies this process of changes of accounts; None: nothing does.
        tells: is told at once of what this process has appended.
    """

    def __init__(  # noqa: PLR0913 (every optional argument is named)
        self,
        log: StreamLog,
        keys: KeyRing,
        clock: Callable[[], TimestampMs] = now_ms,
        *,
        game_registry: GameRegistry | None = None,
        signer: Signer | None = None,
        origin: str = "parlour",
        accepting_since: Callable[[], TimestampMs | None] = lambda: None,
        refusal: Callable[[Command], StoreFull | None] = _nobody,
        news: Hearing | None = None,
        tells: Callable[[Pointer], None] = lambda _: None,
    ) -> None:
        self.log = log
        self.keys = keys
        self.clock = clock
        self.game_registry = game_registry or installed_games()
        self.table: Table = self.game_registry.table
        self.codecs = self.game_registry.codecs(keys)
        self.names = NameBook(log.names, news)
        self.views = Views(log, self.codecs, self.table, clock)
        self._signer = signer
        self._origin = origin
        self._accepting_since = accepting_since
        self._refusal = refusal
        self._tells = tells
        self._signed = SignedHeads()
        self._transactor = Transactor(
            self.table,
            self.codecs,
            log,
            rules=self.game_registry.rules_of,
            on_rewritten=self._on_rewritten,
            concerns=concerned_by_move,
            on_appended=self._on_appended,
        )

    async def command(  # noqa: PLR0913 (what comes with a command: every argument is named)
        self,
        game: str,
        command: Command,
        *,
        actor: Actor,
        command_id: str,
        digest: str,
        at: TimestampMs | None = None,
        opens: bool = False,
        after: int | None = None,
        past_incidentals: bool = False,
        refusal: Exception | None = None,
    ) -> CommandReceipt:
        """Execute a command that arrived at ``at`` (default: now), at version ``after`` if given.

        ``past_incidentals``: incidental events may have followed that version. ``refusal`` is
        raised instead of accepting the command; a command accepted before still gets its first
        answer.

        A late move first runs the time-out that it missed, so that progress does not depend on the
        workers; the move is still refused.

        Raises:
            Rejected: the rules refuse it.
            Unsettled: it is too late, but the deadline is about to move.
            StoreFull: there is no room for it; nothing happened.
            Moved, NoSuchStream, KeyReused, Busy, Damaged, ClockSkew, StreamAhead, LogUnavailable:
                see ``Transactor.execute``.
        """
        try:
            return await self._transactor.execute(
                game,
                command,
                actor=actor,
                command_id=command_id,
                digest=digest,
                at=self.clock() if at is None else at,
                opens=opens,
                after=after,
                past_incidentals=past_incidentals,
                accepts_ahead=actor.kind == "director" and actor != OUTAGE,
                refusal=refusal or self._refusal(command),
            )
        except Rejected as no:
            if no.code == TableCode.DEADLINE_PASSED:
                if not await self._is_settled(game, (await self.newest(game, 1)).state):
                    raise Unsettled(f"the deadlines of {game} are about to move") from None
                await self.time_out(game)
            raise

    async def choose(
        self,
        game: str,
        seat: Seat,
        decision: str,
        option: str,
        *,
        actor: Actor,
        command_id: str,
        digest: str,
        after: int | None = None,
    ) -> CommandReceipt:
        """Choose an option of a decision, secretly if the decision requires it.

        It is refused if the game itself has moved since the version ``after``; incidental events,
        such as a clock that was started or a player who came back, do not count.

        A decision that is not open as far as we know is still checked against the log: it may be a
        repeated request that is due its first answer, or a decision that has just opened.

        Raises:
            Rejected: decision-not-open, option-not-offered and the other refusals of a choice.
            Moved, NoSuchStream, KeyReused, Busy, Damaged, LogUnavailable: see
                ``Transactor.execute``.
        """
        arrived = self.clock()  # the time the store takes to answer is not the player's
        state = (await self._transactor.load(game, fresh=False)).state
        secretly = ChooseSealed if self.table.is_kept(state, decision) else ChooseSecretly
        kind: type[Command] = secretly if self.table.is_secret(state, decision) else Choose
        give = partial(
            self.command,
            game,
            actor=actor,
            command_id=command_id,
            digest=digest,
            at=arrived,
            after=after,
            past_incidentals=True,
        )
        try:
            return await give(kind(seat=seat, decision=decision, option=option))
        except Rejected as refusal:
            if refusal.code != TableCode.CHOICE_NOT_PUBLIC:
                raise
        state = (await self._transactor.load(game)).state
        secretly = ChooseSealed if self.table.is_kept(state, decision) else ChooseSecretly
        return await give(secretly(seat=seat, decision=decision, option=option))

    async def time_out(self, game: str) -> bool:
        """Run the time-out that is due, or end the players' pause; True if this call did.

        Harmless when nothing is due, and when several processes call at once: the command id
        follows from the wait that it ends, so it is executed once. After an outage nobody is timed
        out before the deadlines have moved.

        Raises:
            NoSuchStream, Busy, Damaged, LogUnavailable: see ``Transactor.execute``.
        """
        now = self.clock()
        state = (await self.newest(game)).state
        due, over = state.clock, overdue(state, now)
        if over is not None:
            return await self._wind(game, over, f"pe:{game}:{over.pause}", now)
        if due is None or now < due.due or not await self._is_settled(game, state):
            return False
        return await self._wind(game, TimeOut(key=due.key), f"to:{game}:{due.key}", now)

    async def _wind(self, game: str, command: Command, command_id: str, now: TimestampMs) -> bool:
        """Carry out what is due at ``now``; True if this call did."""
        try:
            receipt = await self._transactor.execute(
                game,
                command,
                actor=CLOCK_ACTOR,
                command_id=command_id,
                digest="time-out",
                at=now,
            )
        except Rejected as refusal:
            if refusal.code in _NOTHING_TO_DO:
                return False
            raise
        return not receipt.again

    async def _is_settled(self, game: str, state: TableState) -> bool:
        """Whether a game's running deadline stands: no outage has hit it uncompensated.

        The heartbeat of its shard says so: a deadline before the last one stands, whatever came
        later. If it is old because the clock itself is down, a process that has accepted commands
        for as long as the game has waited knows by itself.
        """
        beat = await self.log.heartbeats.of(game)
        if beat is None or self.clock() - beat <= GAP_MS:
            return True
        if state.clock is None:
            return False
        if state.clock.due + GRACE_MS <= beat:
            return True
        since = self._accepting_since()
        return since is not None and state.clock.since >= since

    async def load(self, game: str, at_least: int | None = None) -> Loaded[TableState]:
        """The newest state that may be shown, or any at version ``at_least`` or later.

        That is the newest of all, but for events that no replica has where that is promised.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Transactor.load``.
        """
        loaded = await self._transactor.load(game, at_least)
        if self.log.replication is None:
            return loaded
        if await self.log.shown(game, loaded.version, loaded.head) >= loaded.version:
            return loaded
        return await self.views.truth(game)

    async def newest(self, game: str, at_least: int | None = None) -> Loaded[TableState]:
        """As ``load``, but all of it: to decide on, and to be shown to nobody."""
        return await self._transactor.load(game, at_least)

    def viewer(self, state: TableState, seat: Seat) -> Viewer:
        """The viewer at ``seat``, with its team if teams share secrets."""
        if state.play is None:
            return Viewer(kind="seat", seat=seat)
        return self.table.games[state.game].viewer(state.play, seat)

    async def view(
        self, game: str, viewer: Viewer, at: int | None = None, at_least: int | None = None
    ) -> View:
        """What ``viewer`` sees now, or saw at the version ``at``. See ``Views.view``."""
        return await self.views.view(game, viewer, at, at_least)

    async def head(
        self, game: str, viewer: Viewer, at: int | None = None, at_least: int | None = None
    ) -> SignedAt:
        """The head of the chain, signed if this service signs. See ``Views.head``.

        Raises:
            Contradicted: a head that this process has signed is not part of the game's history.
            StoreBehind: the store is not the one that this process knows, so it signs nothing.
        """
        found = await self.views.head(game, viewer, at, at_least)
        signer = self._signer
        if signer is None:
            return SignedAt(found, None, None)
        self.log.require_known()
        await self._require_signed_history(game)
        place = await self.log.place(game, await self.views.command_of(game, found.version))
        note = signer.sign(game, found.version, found.head, found.time, place)
        self._signed.note(game, found.version, found.head)
        return SignedAt(found, note, signer.verifier)

    async def _require_signed_history(self, game: str) -> None:
        """Check that the store still holds the history that was signed."""
        signed = self._signed.newest(game)
        if signed is None:
            return
        newest = (await self.views.head(game, FULL)).version
        if newest >= signed.version:
            now = await self.views.head(game, FULL, signed.version, signed.version)
            if now.head == signed.head:
                return
        _log.error("head_contradicted", game=game, signed=signed.version, newest=newest)
        raise Contradicted(f"{game}: the head of {signed.version} was signed, and is another one")

    def forget_all(self) -> None:
        """Drop all caches: the store may hold another history than before."""
        self._transactor.forget_all()
        self.views.forget()
        self.names.forget_all()

    def _on_rewritten(self, game: str, known: int, newest: int) -> None:
        """The store's history of a game differs from the one that we knew."""
        _log.error("history_changed", game=game, known=known, newest=newest)
        self.views.forget(game)

    def _on_appended(self, batch: Append, sealed: Sealed, seq: int) -> None:
        """This process has appended: what it keeps goes on, and whoever waits in it is told."""
        self.views.appended(batch, sealed)
        self._tells(self.log.pointer_of(batch, seq))

    async def visible_version(
        self, game: str, viewer: Viewer, at_least: int | None = None
    ) -> VisibleVersion:
        """How far ``viewer`` sees now. See ``Views.visible_version``."""
        return await self.views.visible_version(game, viewer, at_least)

    async def events(
        self,
        game: str,
        viewer: Viewer,
        after: int = 0,
        limit: int = EVENTS_PAGE,
        at_least: int | None = None,
    ) -> list[bytes]:
        """The events after the version ``after``, one JSON text each, as far as ``viewer`` sees.

        For the public they are the stored bytes; for others what they may open is added.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.entries``.
        """
        entries = await self.views.entries(game, viewer, after, limit, at_least)
        codec = await self.views.codec(game)
        return [codec.opened(game, stored, viewer) for stored in entries]

    async def version_of_turn(self, game: str, viewer: Viewer, turn: int) -> int | None:
        """The first version at which ``turn`` was running; None: it has not come for ``viewer``.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.view``.
        """
        return await self.views.first_of_turn(game, viewer, turn)

    async def decisions(self, game: str, seats: Iterable[Seat]) -> tuple[list[Decision], int]:
        """All that these seats must or may choose now, and the version at which that is so.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Transactor.load``.
        """
        loaded = await self.load(game)
        found = [d for seat in seats for d in self.table.decisions(loaded.state, seat)]
        return found, loaded.version

    async def record(self, game: str) -> bytes:
        """The record file of a finished game; see ``projections.record``.

        Raises:
            NotFinished: it still runs.
            NoSuchStream, Damaged, LogUnavailable: see ``Views.view``.
        """
        state = (await self.load(game)).state
        if state.phase != "finished":
            raise NotFinished(f"{game} is not over")
        signed = await self.head(game, FULL)
        version = signed.at.version
        entries = await self.views.entries(game, FULL, limit=version, at_least=version)
        envelopes = await self.views.envelopes(game, at_least=version)
        header = Header(
            stream=game,
            game=state.game,
            rulebook=state.rulebook,
            mode=state.mode,
            genesis=seal.text_of(seal.genesis(game)),
            events=version,
            commands=sum(e.batch is not None for e in envelopes),
            rules=rules_of(envelopes),
            origin=self._origin if self._signer is None else self._signer.origin,
            opened_at=envelopes[0].at,
            closed_at=signed.at.time,
        )
        end = Seal(
            head=seal.text_of(signed.at.head),
            version=version,
            key=state.key or "",
            note=signed.note,
            verifier=signed.verifier,
        )
        codec = self.codecs.of(state.game)
        open_to_all = released(self.table.games, envelopes)
        lines = (
            codec.opened(game, s, FULL, open_to_all.get(s.version, NONE_RELEASED)) for s in entries
        )
        return write_record(header, lines, end, await self.name_openings(game, FULL, version))

    async def name_openings(
        self, game: str, viewer: Viewer, at_least: int | None = None
    ) -> dict[str, NameOpening]:
        """The openings of all names that a game's events hold seals of, as far as ``viewer`` sees.

        Those of deleted players are not there any more.

        Raises:
            NoSuchStream, Damaged, LogUnavailable: see ``Views.view``.
        """
        envelopes = await self.views.envelopes(game, at_least)
        last = (await self.visible_version(game, viewer, at_least)).version
        return await self.names.openings(
            e.event for e in envelopes[:last] if isinstance(e.event, SeatTaken)
        )

    def game_key(self, game: str) -> str:
        """The secret key of a table that is about to be opened, in hexadecimal."""
        return self.keys.game_key(game).hex()
