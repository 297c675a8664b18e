"""The table: seats, readiness, clocks, absence, resignation, the director; for any game (pure).

The table owns who sits where and how long they may think; the game owns every rule. A wait of the
game becomes a deadline; a missed deadline becomes the decision's default (R18); a seat that misses
turn after turn is absent and gets its defaults at once until it acts again.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from events.draw import key_hash, seed_of
from events.kernel import Command, Context, Decision, Event, Millis, Rejected, Seat, Working
from games import table_events as ev
from games.attendance import (
    all_gone,
    is_gone,
    must_return,
    nobody_gone,
    own_decisions,
    strikes_after,
    turn_missed,
)
from games.contract import Asked, Game, Halt, Opening, Outcome, Roster
from games.ending import end_table
from games.holding import HOLDING
from games.hosting import HOSTING
from games.inspecting import INSPECTING
from games.outage import OUTAGE
from games.table_checks import (
    EXTENSION_MAX_S,
    LEAVINGS_MAX,
    Code,
    all_ready,
    check_delay,
    check_entropy,
    check_kind,
    checked_time,
    free_seat,
    require_director,
    require_live,
    require_open,
    sealed_name,
)
from games.table_state import RECORDERS, TableState, note_missed_turn

__all__ = ["BATCH_EVENTS", "GRACE_MS", "TABLE_RULES", "Code", "Table"]

TABLE_RULES: Final = "table/1"
"""The tag of the table's own rules, raised by hand with every change of what it decides."""

GRACE_MS: Final[Millis] = 250
"""A time-out runs no sooner than this after the deadline, so a move that came in time wins."""

BATCH_EVENTS: Final = 64
"""Once a batch has so many events, absent seats' further defaults wait for the next batch."""


class Table:
    """The decider of a table, for the games that it is given by id."""

    def __init__(self, games: Mapping[str, Game[Any]], bots: frozenset[str] = frozenset()) -> None:
        self.games = games
        self.bots = bots

    def initial(self) -> TableState:
        """The state of the empty stream."""
        return TableState()

    def copy(self, state: TableState) -> TableState:
        """A private copy; the game's state is copied too, everything else is immutable."""
        twin = copy.copy(state)
        if state.play is not None:
            twin.play = self.games[state.game].copy(state.play)
        return twin

    def evolve(self, state: TableState, event: Event) -> TableState:
        """Fold a table event, or hand the game its own."""
        recorder = RECORDERS.get(type(event))
        if recorder is None:
            state.play = self.games[state.game].evolve(state.play, event)
            return state
        recorder(state, event)
        if type(event) is ev.TableOpened:
            state.play = self.games[state.game].initial()
        elif type(event) is ev.SeatTimedOut:
            note_missed_turn(state, event.seat, self._turn_missed(state))
        return state

    def seed(self, state: TableState) -> bytes:
        """The seed made of the game key and the players' entropy; empty while no key is known."""
        if state.key is None:
            return b""
        return seed_of(state.key, [given.text for given in state.entropy])

    def status(self, state: TableState) -> str:
        """``none``, ``open``, ``live`` or ``finished``."""
        return state.phase

    def wake_at(self, state: TableState) -> Millis | None:
        """The earliest time at which a worker has something to do: a time-out or a bot's move."""
        clock = state.clock
        if state.phase != "live" or state.paused_at is not None or clock is None:
            return None
        halt = self._halt(state)
        asked = halt.asked if halt else ()
        if all_gone(state, asked):
            return clock.due
        for each in asked:
            if state.seats[each.seat].bot:
                return min(clock.since + state.time.bot_pace_ms, clock.due + GRACE_MS)
        return clock.due + GRACE_MS

    def decisions(self, state: TableState, seat: Seat) -> list[Decision]:
        """The game's decisions of ``seat`` with their deadline, and the table's own."""
        place = state.seats.get(seat)
        if state.phase != "live" or place is None or place.resigned or state.paused_at is not None:
            return []
        due = state.clock.due if state.clock else None
        found = [
            d if d.optional else replace(d, deadline=due)
            for d in self.games[state.game].decisions(state.play, seat)
        ]
        return [*found, *own_decisions(seat, place)]

    def find(self, state: TableState, seat: Seat, decision: str) -> Decision | None:
        """The decision of that id among ``decisions(state, seat)``, its deadline left out."""
        place = state.seats.get(seat)
        if state.phase != "live" or place is None or place.resigned or state.paused_at is not None:
            return None
        found = self.games[state.game].find(state.play, seat, decision)
        return found or next((d for d in own_decisions(seat, place) if d.id == decision), None)

    def is_secret(self, state: TableState, decision: str) -> bool:
        """Whether the choice that an open decision asks for is to be handed in secretly.

        Whose decision it is, and whether it may be answered now, is for ``decide`` to say.
        """
        return state.phase == "live" and self.games[state.game].is_secret(state.play, decision)

    def decide(self, command: Command, state: TableState, context: Context) -> list[Event]:
        """The events of a command.

        Raises:
            Rejected: with a code of ``Code`` or of the game.
            ValueError: a name stands where only its seal belongs.
        """
        return self.carry_out(command, state, context).events

    def carry_out(
        self, command: Command, state: TableState, context: Context
    ) -> Working[TableState]:
        """The events of a command, and the state after them.

        Raises:
            Rejected: with a code of ``Code`` or of the game.
        """
        work = Working(self.evolve, self.copy(state), context, before=state)
        handler = _HANDLERS.get(type(command))
        if handler is None:
            _SIMPLE[type(command)](work, command)
        else:
            handler(self, work, command)
        return work

    # --- opening and sitting down ---

    def _open(self, work: Working[TableState], c: ev.OpenTable) -> None:
        if work.state.phase != "none":
            raise Rejected(Code.TABLE_EXISTS, "this table has been opened before")
        if c.game not in self.games:
            raise Rejected("unknown-game", "there is no such game")
        check_delay(c.delay)
        situation = None if c.situation is UNSET else c.situation
        game = self.games[c.game]
        time = checked_time(c.time, game.waits)
        opening = game.open(
            Opening(
                rulebook=c.rulebook,
                mode=c.mode,
                seats=c.seats,
                options=c.options,
                situation=situation,
            )
        )
        key = opening.key or str(c.key)
        work.emit(
            ev.TableOpened(
                game=c.game,
                rulebook=opening.rulebook,
                mode=opening.mode,
                seats=opening.seats,
                options=opening.options,
                time=time,
                visibility=c.visibility,
                start=c.start,
                host=work.context.actor.id,
                invited=c.invited,
                scenario=situation is not None,
                key_hash=key_hash(key),
                key=key,
                situation=UNSET if opening.situation is None else opening.situation,
                delay=c.delay,
                programs=c.programs,
            )
        )

    def _take(self, work: Working[TableState], c: ev.TakeSeat) -> None:
        state, actor = work.state, work.context.actor
        require_open(state)
        check_entropy(c.entropy)
        if c.bot is None:
            if state.seats_of(actor.id):
                raise Rejected(Code.ALREADY_SEATED, "you have a seat at this table")
            if state.visibility == "private" and actor.id not in {state.host, *state.invited}:
                raise Rejected(Code.NOT_INVITED, "this table is for invited players")
        elif actor.id != state.host:
            raise Rejected(Code.NOT_THE_HOST, "only the host seats house bots")
        elif c.bot not in self.bots:
            raise Rejected(Code.UNKNOWN_BOT, "there is no such house bot")
        elif c.entropy:
            # Whoever chose it, seated last, could try until the deal suits them.
            raise Rejected(Code.BOT_WITH_ENTROPY, "a house bot adds nothing to the seed")
        check_kind(state, program=c.program or c.bot is not None)
        seat = free_seat(state, c.seat)
        taken = {n: s.characters for n, s in state.seats.items()}
        cast = self.games[state.game].cast(state.opening, taken, seat, c.characters)
        work.emit(
            ev.SeatTaken(
                seat=seat,
                player=actor.id if c.bot is None else f"bot:{c.bot}",
                characters=cast,
                name_seal=sealed_name(c),
                bot=c.bot,
                entropy=state.entropy_of(actor.id) or c.entropy if c.bot is None else "",
                program=c.program and c.bot is None,
            )
        )
        if state.start == "auto" or (state.start == "ready" and all_ready(work.state)):
            self._begin_if_full(work)

    def _leave(self, work: Working[TableState], c: ev.LeaveSeat) -> None:
        state, actor = work.state, work.context.actor
        require_open(state)
        place = state.seats.get(c.seat)
        if place is None:
            raise Rejected(Code.UNKNOWN_SEAT, "nobody sits there")
        if actor.id not in {place.player, state.host}:
            raise Rejected(Code.NOT_YOUR_SEAT, "somebody else sits there")
        if state.leavings >= LEAVINGS_MAX:
            raise Rejected(Code.TOO_MANY_LEAVINGS, "seats at this table are not given up any more")
        work.emit(ev.SeatLeft(seat=c.seat))

    def _start(self, work: Working[TableState], _: ev.StartTable) -> None:
        state, actor = work.state, work.context.actor
        require_open(state)
        mine = [n for n in state.seats_of(actor.id) if not state.seats[n].ready]
        if state.start == "ready":
            if not state.seats_of(actor.id):
                raise Rejected(Code.NOT_SEATED, "only those who play say that they are ready")
            if not mine:
                raise Rejected(Code.ALREADY_READY, "you have said so")
            for seat in mine:
                work.emit(ev.SeatReadied(seat=seat))
            if all_ready(work.state):
                self._begin_if_full(work)
            return
        if actor.id != state.host:
            raise Rejected(Code.NOT_THE_HOST, "only the host begins")
        if len(state.seats) != state.seat_count:
            raise Rejected(Code.TABLE_NOT_FULL, "there are free seats")
        self._begin(work)

    def _begin_if_full(self, work: Working[TableState]) -> None:
        if len(work.state.seats) == work.state.seat_count:
            self._begin(work)

    def _begin(self, work: Working[TableState]) -> None:
        from_seats = self.seed(work.state)
        work.context = replace(work.context, draw=type(work.context.draw)(from_seats))
        work.emit(ev.TableStarted())
        with_game = self._game(work)
        with_game.begin()
        self._run_on(work, with_game)

    # --- playing ---

    def _choose(self, work: Working[TableState], c: ev.Choose | ev.ChooseSecretly) -> None:
        state = work.state
        require_live(state)
        place = state.seats.get(c.seat)
        if place is None:
            raise Rejected(Code.UNKNOWN_SEAT, "nobody sits there")
        actor = work.context.actor
        if actor.id != place.player or (actor.kind == "bot") != (place.bot is not None):
            raise Rejected(Code.NOT_YOUR_SEAT, "this seat is not yours to play")
        decision = self.find(state, c.seat, c.decision)
        if decision is None:
            raise Rejected(Code.DECISION_NOT_OPEN, "this decision is not open for this seat")
        if not decision.optional and state.clock and work.context.now > state.clock.due:
            raise Rejected(Code.DEADLINE_PASSED, "the time for this decision is over")
        if decision.secret and isinstance(c, ev.Choose):
            raise Rejected(Code.CHOICE_NOT_PUBLIC, "this choice must be handed in secretly")
        if not decision.secret and isinstance(c, ev.ChooseSecretly):
            raise Rejected(Code.CHOICE_NOT_SECRET, "this choice is made in public")
        if not decision.offers(c.option):
            raise Rejected(Code.OPTION_NOT_OFFERED, "this option is not offered")
        if must_return(place) and decision.kind != "resign":
            work.emit(ev.SeatReturned(seat=c.seat))
        with_game = self._game(work)
        if decision.kind == "resign":
            self._resign(work, with_game, c.seat)
        elif decision.kind != "return":
            with_game.choose(decision, str(c.option))
        self._run_on(work, with_game)

    def _resign(self, work: Working[TableState], game: _OnTable, seat: Seat) -> None:
        work.emit(ev.SeatResigned(seat=seat))
        if all(s.resigned for s in work.state.seats.values()):
            game.settle()
            end_table(work, ev.TableClosed(reason="abandoned", outcome="abandoned", winners=()))
            return
        game.withdraw(seat)

    def _time_out(self, work: Working[TableState], c: ev.TimeOut) -> None:
        state, now = work.state, work.context.now
        require_live(state)
        clock, halt = state.clock, self._halt(state)
        if clock is None or halt is None or clock.key != c.key:
            raise Rejected(Code.NOTHING_DUE, "the game does not wait for this any more")
        if now < clock.due + (0 if all_gone(state, halt.asked) else GRACE_MS):
            raise Rejected(Code.NOT_DUE_YET, "the time for this decision is not over yet")
        for seat in dict.fromkeys(asked.seat for asked in halt.asked):
            if not is_gone(state, seat):
                strikes = strikes_after(state.seats[seat], self._turn_missed(state))
                work.emit(ev.SeatTimedOut(seat=seat, strikes=strikes))
                if strikes >= state.time.absent_after:
                    work.emit(ev.SeatWentAbsent(seat=seat))
        game = self._game(work)
        for asked in halt.asked:
            game.take_default(asked)
        self._run_on(work, game)

    def _run_on(self, work: Working[TableState], game: _OnTable) -> None:
        """Give absent seats their defaults, then close, or start the clock of the next wait."""
        while work.state.phase == "live" and game.outcome() is None:
            if nobody_gone(work.state):
                break
            halt = game.halt()
            gone = [a for a in halt.asked if is_gone(work.state, a.seat)] if halt else []
            if not gone or len(work.events) >= BATCH_EVENTS:
                break
            for asked in gone:
                game.take_default(asked)
        if work.state.phase != "live":
            return
        game.settle()
        outcome = game.outcome()
        if outcome is not None:
            resigned = {n for n, s in work.state.seats.items() if s.resigned}
            winners = tuple(seat for seat in outcome.winners if seat not in resigned)
            end_table(
                work,
                ev.TableClosed(
                    reason="finished",
                    outcome=outcome.reason,
                    winners=winners,
                    score=outcome.score,
                ),
            )
            return
        self._start_clock(work, game.halt())

    def _start_clock(self, work: Working[TableState], halt: Halt | None) -> None:
        state = work.state
        if halt is None:
            return
        clock, for_nobody = state.clock, all_gone(state, halt.asked)
        # A wait for nobody has no time; who comes back into it is given the usual one.
        timed = clock is not None and (for_nobody or clock.due > clock.since)
        if timed and clock is not None and clock.key == halt.key:
            return
        now, time = work.context.now, state.time
        limit_s = time.limits_s[halt.wait]
        if for_nobody:
            limit_s = 0
        work.emit(ev.ClockStarted(key=halt.key, since=now, due=now + limit_s * 1000))

    # --- the director ---

    def _pause(self, work: Working[TableState], c: ev.PauseTable) -> None:
        require_director(work)
        require_live(work.state)
        work.emit(ev.TablePaused(at=work.context.now, reason=c.reason))

    def _extend(self, work: Working[TableState], c: ev.ExtendTime) -> None:
        require_director(work)
        state = work.state
        require_live(state)
        if not 1 <= c.seconds <= EXTENSION_MAX_S:
            raise Rejected(Code.BAD_EXTENSION, f"an extension has 1 to {EXTENSION_MAX_S} seconds")
        late = state.clock is not None and work.context.now > state.clock.due
        if state.clock is None or (late and work.context.actor != OUTAGE):
            raise Rejected(Code.DEADLINE_PASSED, "the time for this decision is over")
        work.emit(ev.TimeExtended(due=state.clock.due + c.seconds * 1000, reason=c.reason))

    def _annul(self, work: Working[TableState], c: ev.AnnulTable) -> None:
        require_director(work)
        if work.state.phase not in {"open", "live"}:
            raise Rejected(Code.GAME_OVER, "the game has ended")
        end_table(
            work,
            ev.TableClosed(reason="annulled", outcome="annulled", winners=(), cause=c.reason),
        )

    # --- the game on the table ---

    def _turn_missed(self, state: TableState) -> int:
        return turn_missed(self.games[state.game].turn(state.play))

    def _halt(self, state: TableState) -> Halt | None:
        return self.games[state.game].halt(state.play)

    def _game(self, work: Working[TableState]) -> _OnTable:
        return _OnTable(self.games[work.state.game], work)


class _OnTable:
    """A game with its working copy inside the table's: one list of events, one private state."""

    def __init__(self, game: Game[Any], table: Working[TableState]) -> None:
        self.game = game
        self.table = table
        context = table.context
        if table.state.situation is not None:
            draw = game.arranged(context.draw, table.state.situation)
            context = replace(context, draw=draw)
        self.work: Working[Any] = Working(
            game.evolve,
            table.state.play,
            context,
            table.events,
            table.before.play if table.before is not None else None,
        )
        self.work.asides = table.asides

    def begin(self) -> None:
        seats = {n: s.characters for n, s in sorted(self.table.state.seats.items())}
        self.game.begin(self.work, Roster(opening=self.table.state.opening, characters=seats))
        self._put_back()

    def choose(self, decision: Decision, option: str) -> None:
        self.game.choose(self.work, decision, option)
        self._put_back()

    def take_default(self, asked: Asked) -> None:
        """Give a decision its default, unless an earlier default has ended it."""
        decision = self.game.find(self.work.state, asked.seat, asked.id)
        if decision is not None and decision.default and not decision.answered:
            self.choose(decision, decision.default)

    def withdraw(self, seat: Seat) -> None:
        self.game.withdraw(self.work, seat)
        self._put_back()

    def settle(self) -> None:
        self.game.settle(self.work)
        self._put_back()

    def halt(self) -> Halt | None:
        return self.game.halt(self.work.state)

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.work.state)

    def _put_back(self) -> None:
        self.table.state.play = self.work.state


_SIMPLE = HOSTING | HOLDING | INSPECTING
"""What needs neither the game nor the table's own methods."""

_HANDLERS: dict[type[Command], Callable[[Table, Working[TableState], Any], None]] = {
    ev.OpenTable: Table._open,  # noqa: SLF001 (the table's own methods)
    ev.TakeSeat: Table._take,  # noqa: SLF001
    ev.LeaveSeat: Table._leave,  # noqa: SLF001
    ev.StartTable: Table._start,  # noqa: SLF001
    ev.Choose: Table._choose,  # noqa: SLF001
    ev.ChooseSecretly: Table._choose,  # noqa: SLF001
    ev.TimeOut: Table._time_out,  # noqa: SLF001
    ev.PauseTable: Table._pause,  # noqa: SLF001
    ev.ExtendTime: Table._extend,  # noqa: SLF001
    ev.AnnulTable: Table._annul,  # noqa: SLF001
}
