"""The table, for any game: seats, readiness, clocks, absence, resignation, the director (pure).

The table owns who sits where and how long they may think; the game owns every rule. A wait of the
game becomes a deadline; a missed deadline becomes the decision's default (R18); a seat that misses
turn after turn is absent and gets its defaults at once until it acts again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from events.draw import key_hash, seed_of
from events.kernel import (
    Command,
    Context,
    Decision,
    Event,
    Option,
    Rejected,
    Seat,
    TimestampMs,
    Working,
)
from games.contract import Game, Halt, Rules, TableOpening
from games.dispatch import Handlers, Recorders, on
from games.table import events as ev
from games.table import pause_events as pe
from games.table import pausing
from games.table.attendance import (
    all_gone,
    is_gone,
    must_return,
    nobody_gone,
    own_decisions,
    strikes_after,
    turn_missed,
)
from games.table.branching import laid_cast, lay, may_sit_again
from games.table.checks import (
    LEAVINGS_MAX,
    TableCode,
    all_ready,
    check_entropy,
    check_kind,
    check_opening,
    checked_time,
    free_seat,
    require_live,
    require_open,
    sealed_name,
)
from games.table.directing import DIRECTING
from games.table.ending import end_table
from games.table.game_on_table import GameOnTable
from games.table.holding import HOLDING
from games.table.hosting import HOSTING
from games.table.inspections import INSPECTING
from games.table.options import listed, offers, require_offered
from games.table.state import RECORDERS, TableState, note_missed_turn
from games.table.talking import say

TABLE_RULES: Final = "table/1"
"""The tag of the table's own rules, raised by hand with every change to what it decides."""

GRACE_MS: Final = 250
"""A time-out runs no sooner than this after the deadline, so a timely move wins."""

BATCH_EVENTS: Final = 64
"""Once a batch has this many events, further defaults of absent seats wait for the next one."""


class Table:
    """The decider of a table, for the games whose rules it is given by id."""

    def __init__(self, rules: Mapping[str, Rules], bots: frozenset[str] = frozenset()) -> None:
        self.rules = rules
        self.games: Mapping[str, Game[Any]] = {game: r.decider for game, r in rules.items()}
        self.bots = bots
        own = (
            on(ev.OpenTable, self._open)
            | on(ev.TakeSeat, self._take)
            | on(ev.LeaveSeat, self._leave)
            | on(ev.StartTable, self._start)
            | on(ev.Choose, self._choose)
            | on(ev.ChooseSecretly, self._choose)
            | on(ev.ChooseSealed, self._choose)
            | on(ev.SayPhrase, self._say)
            | on(ev.TimeOut, self._time_out)
            | on(pe.ProposePause, self._propose_pause)
            | on(pe.VoteOnPause, self._vote_on_pause)
            | on(pe.EndPause, pausing.end)
        )
        every: Handlers[Working[TableState], ev.TableCommand, None] = (
            own | HOSTING | DIRECTING | HOLDING | INSPECTING
        )
        self._handlers = every.by_type
        none_yet: dict[str, Recorders[Any]] = {"": {}}  # the game of a table that is not opened
        self._recorders = none_yet | {game: r.decider.recorders for game, r in rules.items()}

    def initial(self) -> TableState:
        """The state of the empty stream."""
        return TableState()

    def copy(self, state: TableState) -> TableState:
        """A private copy; the game's state is copied too, everything else is immutable."""
        twin = replace(state)  # ``copy.copy`` would look for a way first
        if state.play is not None:
            twin.play = self.games[state.game].copy(state.play)
        return twin

    def evolve(self, state: TableState, event: Event) -> TableState:
        """Fold a table event, or record one of the game's in the game's own state."""
        record = self._recorders[state.game].get(type(event))
        if record is not None:  # most events are the game's
            record(state.play, event)
            return state
        RECORDERS[type(event)](state, event)
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

    def wake_at(self, state: TableState) -> TimestampMs | None:
        """The earliest time at which a worker has something to do.

        That is a time-out, a bot's move, or the end of a pause that the players have agreed on.
        """
        clock, agreed = state.clock, state.pauses_held.running
        if agreed is not None:
            return agreed.until
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
        """The decision with that id among ``decisions(state, seat)``, without its deadline."""
        place = state.seats.get(seat)
        if state.phase != "live" or place is None or place.resigned or state.paused_at is not None:
            return None
        found = self.games[state.game].find(state.play, seat, decision)
        return found or next((d for d in own_decisions(seat, place) if d.id == decision), None)

    def open_decision(self, state: TableState, seat: Seat, decision: str) -> Decision:
        """As ``find``, for whoever asks for one of them by its id.

        Raises:
            Rejected: game-over, game-not-live, game-held, table-paused, decision-not-open.
        """
        require_live(state)
        return self._found(state, seat, decision)

    def _found(self, state: TableState, seat: Seat, decision: str) -> Decision:
        """As ``open_decision``, of a table that is known to be live."""
        found = self.find(state, seat, decision)
        if found is None:
            raise Rejected(TableCode.DECISION_NOT_OPEN, "this decision is not open for this seat")
        return found

    def offers(self, state: TableState, decision: Decision, option: str) -> bool:
        """Whether ``option`` is a leaf of an open decision, at whatever level."""
        return offers(self.games[state.game], state, decision, option)

    def branch(self, state: TableState, decision: Decision, option: str) -> tuple[Option, ...]:
        """The options below the branch ``option`` of an open decision; empty: there is none.

        Raises:
            Rejected: option-is-a-leaf.
        """
        return listed(self.games[state.game], state, decision, option)

    def is_secret(self, state: TableState, decision: str) -> bool:
        """Whether an open decision requires a secret choice.

        Whose decision it is, and whether it may be answered now, ``decide`` checks.
        """
        return state.phase == "live" and self.games[state.game].is_secret(state.play, decision)

    def is_kept(self, state: TableState, decision: str) -> bool:
        """Whether an open decision that requires a secret choice keeps it (``Game.is_kept``)."""
        return state.phase == "live" and self.games[state.game].is_kept(state.play, decision)

    def decide(self, command: Command, state: TableState, context: Context) -> list[Event]:
        """The events of a command.

        Raises:
            Rejected: with a code of ``TableCode`` or of the game.
            ValueError: a name was passed in place of its seal.
        """
        return self.carry_out(command, state, context).events

    def carry_out(
        self, command: Command, state: TableState, context: Context
    ) -> Working[TableState]:
        """The events of a command, and the state after them.

        Raises:
            Rejected: with a code of ``TableCode`` or of the game.
        """
        work = Working(self.evolve, self.copy(state), context, before=state)
        self._handlers[type(command)](work, command)
        return work

    # --- opening and sitting down ---

    def _open(self, work: Working[TableState], c: ev.OpenTable) -> None:
        if work.state.phase != "none":
            raise Rejected(TableCode.TABLE_EXISTS, "this table has been opened before")
        if c.game not in self.games:
            raise Rejected("unknown-game", "there is no such game")
        check_opening(c)
        situation = None if c.situation is UNSET else c.situation
        time = checked_time(c.time, self.rules[c.game].waits)
        opening = TableOpening(
            rulebook=c.rulebook,
            mode=c.mode,
            seats=c.seats,
            options=c.options,
            situation=situation,
        )
        if c.origin is None:  # what a branch takes over has been checked and completed before
            opening = self.games[c.game].open(opening)
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
                scenario=situation is not None or c.origin is not None,
                key_hash=key_hash(key),
                key=key,
                situation=UNSET if opening.situation is None else opening.situation,
                delay=c.delay,
                programs=c.programs,
                origin=c.origin,
                laid=c.laid,
                tournament=c.tournament,
            )
        )

    def _take(self, work: Working[TableState], c: ev.TakeSeat) -> None:
        state, actor = work.state, work.context.actor
        require_open(state)
        check_entropy(c.entropy)
        if c.bot is None:
            if state.seats_of(actor.id) and not may_sit_again(state, actor):
                raise Rejected(TableCode.ALREADY_SEATED, "you have a seat at this table")
            if state.visibility == "private" and actor.id not in {state.host, *state.invited}:
                raise Rejected(TableCode.NOT_INVITED, "this table is for invited players")
        elif actor.id != state.host:
            raise Rejected(TableCode.NOT_THE_HOST, "only the host seats house bots")
        elif c.bot not in self.bots:
            raise Rejected(TableCode.UNKNOWN_BOT, "there is no such house bot")
        elif c.entropy:
            # A host who chose it, seating the bot last, could try until the deal suits them.
            raise Rejected(TableCode.BOT_WITH_ENTROPY, "a house bot adds nothing to the seed")
        check_kind(state, program=c.program or c.bot is not None)
        seat = free_seat(state, c.seat)
        if state.origin is UNSET:
            taken = {n: s.characters for n, s in state.seats.items()}
            cast = self.games[state.game].cast(state.opening, taken, seat, c.characters)
        else:
            cast = laid_cast(state.origin, seat)
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
            raise Rejected(TableCode.UNKNOWN_SEAT, "nobody sits there")
        if actor.id not in {place.player, state.host}:
            raise Rejected(TableCode.NOT_YOUR_SEAT, "somebody else sits there")
        if state.leavings >= LEAVINGS_MAX:
            raise Rejected(
                TableCode.TOO_MANY_LEAVINGS, "seats at this table can no longer be given up"
            )
        work.emit(ev.SeatLeft(seat=c.seat))

    def _start(self, work: Working[TableState], _: ev.StartTable) -> None:
        state, actor = work.state, work.context.actor
        require_open(state)
        mine = [n for n in state.seats_of(actor.id) if not state.seats[n].ready]
        if state.start == "ready":
            if not state.seats_of(actor.id):
                raise Rejected(TableCode.NOT_SEATED, "only seated players can be ready")
            if not mine:
                raise Rejected(TableCode.ALREADY_READY, "you are ready already")
            for seat in mine:
                work.emit(ev.SeatReadied(seat=seat))
            if all_ready(work.state):
                self._begin_if_full(work)
            return
        if actor.id != state.host:
            raise Rejected(TableCode.NOT_THE_HOST, "only the host begins")
        if len(state.seats) != state.seat_count:
            raise Rejected(TableCode.TABLE_NOT_FULL, "there are free seats")
        self._begin(work)

    def _begin_if_full(self, work: Working[TableState]) -> None:
        if len(work.state.seats) == work.state.seat_count:
            self._begin(work)

    def _begin(self, work: Working[TableState]) -> None:
        from_seats = self.seed(work.state)
        work.context = replace(work.context, draw=type(work.context.draw)(from_seats))
        laid = work.state.laid
        work.emit(ev.TableStarted())
        if laid:
            lay(work, self.rules[work.state.game], laid)
        with_game = self._game(work)
        if not laid:
            with_game.begin()
        self._run_on(work, with_game)

    # --- playing ---

    def _choose(self, work: Working[TableState], c: ev.Choose | ev.ChooseSecretly) -> None:
        state = work.state
        require_live(state)
        place = state.seats.get(c.seat)
        if place is None:
            raise Rejected(TableCode.UNKNOWN_SEAT, "nobody sits there")
        actor = work.context.actor
        if actor.id != place.player or (actor.kind == "bot") != (place.bot is not None):
            raise Rejected(TableCode.NOT_YOUR_SEAT, "this seat is not yours to play")
        decision = self._found(state, c.seat, c.decision)
        if not decision.optional and state.clock and work.context.now > state.clock.due:
            raise Rejected(TableCode.DEADLINE_PASSED, "the time for this decision is over")
        if decision.secret and isinstance(c, ev.Choose):
            raise Rejected(TableCode.CHOICE_NOT_PUBLIC, "this choice must be handed in secretly")
        if not decision.secret and isinstance(c, ev.ChooseSecretly):
            raise Rejected(TableCode.CHOICE_NOT_SECRET, "this choice is made in public")
        if decision.secret and isinstance(c, ev.ChooseSealed) != (decision.kept is True):
            raise Rejected(TableCode.CHOICE_NOT_PUBLIC, "this choice is handed in otherwise")
        require_offered(self.games[state.game], state, decision, c.option)
        if must_return(place) and decision.kind != "resign":
            work.emit(ev.SeatReturned(seat=c.seat))
        with_game = self._game(work)
        if decision.kind == "resign":
            self._resign(work, with_game, c.seat)
        elif decision.kind != "return":
            with_game.choose(decision, str(c.option))
        self._run_on(work, with_game)
        self._pause_if_agreed(work)

    def _say(self, work: Working[TableState], c: ev.SayPhrase) -> None:
        require_live(work.state)
        say(work, c, self.rules[work.state.game].phrases)

    def _resign(self, work: Working[TableState], game: GameOnTable, seat: Seat) -> None:
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
            raise Rejected(TableCode.NOTHING_DUE, "the game no longer waits for this")
        if now < clock.due + (0 if all_gone(state, halt.asked) else GRACE_MS):
            raise Rejected(TableCode.NOT_DUE_YET, "the time for this decision is not over yet")
        turn, counted = self._turn_missed(state), self.rules[state.game].waits[halt.wait].strikes
        for seat in dict.fromkeys(asked.seat for asked in halt.asked):
            if not is_gone(state.seats[seat]):
                strikes = strikes_after(state.seats[seat], turn, counted)
                work.emit(ev.SeatTimedOut(seat=seat, strikes=strikes))
                if strikes >= state.time.absent_after:
                    work.emit(ev.SeatWentAbsent(seat=seat))
        game = self._game(work)
        for asked in halt.asked:
            game.take_default(asked)
        self._run_on(work, game)
        self._pause_if_agreed(work)

    def _propose_pause(self, work: Working[TableState], c: pe.ProposePause) -> None:
        pausing.propose(work, c, self._is_out(work.state))

    def _vote_on_pause(self, work: Working[TableState], c: pe.VoteOnPause) -> None:
        pausing.vote(work, c, self._is_out(work.state))

    def _pause_if_agreed(self, work: Working[TableState]) -> None:
        """Whoever has not agreed yet may have gone, or out of the game."""
        pausing.begin_if_agreed(work, self._is_out(work.state))

    def _run_on(self, work: Working[TableState], game: GameOnTable) -> None:
        """Give absent seats their defaults, then close, or start the clock of the next wait."""
        while work.state.phase == "live" and game.outcome() is None:
            if nobody_gone(work.state):
                break
            halt = game.halt()
            gone = [a for a in halt.asked if is_gone(work.state.seats[a.seat])] if halt else []
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
        # A wait for nobody has no time limit; a player who comes back into it gets the usual one.
        timed = clock is not None and (for_nobody or clock.due > clock.since)
        if timed and clock is not None and clock.key == halt.key:
            return
        now, time = work.context.now, state.time
        limit_s = time.limits_s[halt.wait]
        if for_nobody:
            limit_s = 0
        work.emit(ev.ClockStarted(key=halt.key, since=now, due=now + limit_s * 1000))

    # --- the game on the table ---

    def _is_out(self, state: TableState) -> pausing.IsOut:
        # Before a table is opened, it has no game.
        return self.rules[state.game].is_out if state.game else lambda _, __: False

    def _turn_missed(self, state: TableState) -> int:
        return turn_missed(self.games[state.game].turn(state.play))

    def _halt(self, state: TableState) -> Halt | None:
        return self.games[state.game].halt(state.play)

    def _game(self, work: Working[TableState]) -> GameOnTable:
        return GameOnTable(self.games[work.state.game], work)
