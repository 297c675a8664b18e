"""The oracle of ends: escapes, wins, scores, alarms, worked out anew (§4.10, §7.4).

Written from the rules for all rulebooks, sharing no function with the engine. It looks at every
event: may Room 25 leave now, must the game be over, must the alarm have rung, who has won. Roles
are judged in ``identities``, what kills at a certain time in ``deadlines``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from events.kernel import Event, Seat
from games.room25.facts import edition_events as more
from games.room25.facts import events as ev
from games.room25.model.agenda import CheckEnd
from games.room25.model.state import Character, State
from games.table.state import TableState
from simulator.room25.deadlines import Deadlines
from simulator.room25.identities import in_exit, judge_reveal, people, roles_are_shown
from simulator.room25.position import FAMILY, PROTOTYPE, is_guard
from simulator.room25.run import Run
from simulator.run import RunStep, require

ALARM_TURNS: Final = 5
EDGE: Final = {"left": (1, "0"), "right": (1, "4"), "up": (0, "0"), "down": (0, "4")}

RIVALS: Final = {"competition", "team"}
TOGETHER: Final = {"cooperation", "solo"}

QUIET: Final = {"program", "starting_clue", "free_action", "delay_single", "next_character"}
"""Questions at which no action, card or round check is running (R117)."""


class ExpectedEnd(NamedTuple):
    """An end: the outcome, the seats that won, and the score where there is one."""

    outcome: str
    winners: tuple[Seat, ...]
    score: int | None = None


def sides(state: State) -> list[list[Character]]:
    """The members of each team."""
    names = sorted({c.team for c in people(state)})
    return [[c for c in people(state) if c.team == name] for name in names]


def won_by(outcome: str, members: list[Character], score: int | None = None) -> ExpectedEnd:
    """An end that some characters' players win."""
    return ExpectedEnd(outcome, tuple(sorted({c.seat for c in members})), score)


def is_last(state: State) -> bool:
    """Whether the running turn is the last."""
    return state.turn == state.last_turn


# --- escapes (§4.10, first column) ---


def of_escape(state: State, actor: Character, *, key: bool) -> ExpectedEnd | None:
    """The end if Room 25 may leave by this character's action; ``key``: it has been turned."""
    if state.mode == "suspicion":
        prisoners = [c for c in people(state) if c.role == "prisoner"]
        outside = sum(not in_exit(state, c) for c in prisoners)
        return won_by("prisoners", prisoners) if outside <= is_last(state) else None
    if state.mode in TOGETHER:
        return _together(state, key=key)
    ready = [side for side in sides(state) if _may_go(state, side)]
    mine = [side for side in ready if actor in side]
    if mine or len(ready) == 1:
        return won_by("team", (mine or ready)[0])
    return won_by("draw", [c for side in ready for c in side]) if ready else None


def _together(state: State, *, key: bool) -> ExpectedEnd | None:
    """Cooperation and solo: who must be out, by rulebook."""
    everybody = people(state)
    outside = sum(not in_exit(state, c) for c in everybody)
    dead = sum(not c.alive for c in everybody)
    if state.rulebook in FAMILY:
        return won_by("players", everybody) if key and not outside else None
    if state.rulebook != PROTOTYPE:
        if outside > dead or dead > (state.mode == "cooperation"):
            return None
        return won_by("players_partial" if dead else "players", everybody)
    if state.mode == "solo":
        return won_by("players", everybody) if outside <= is_last(state) else None
    if outside and not (is_last(state) and outside < len(everybody)):
        return None
    score = 3 * (len(everybody) - outside) + state.last_turn - state.turn
    return won_by("players_partial" if outside else "players", everybody, score)


def _may_go(state: State, side: list[Character]) -> bool:
    """All of a team inside; elsewhere than in the prototype also what is left on the last turn."""
    living = [c for c in side if c.alive]
    reduced = state.rulebook != PROTOTYPE and is_last(state)
    inside = bool(living) and all(in_exit(state, c) for c in living)
    return inside and (reduced or living == side)


# --- deaths and time (§4.10, the other columns) ---


def of_deaths(state: State) -> ExpectedEnd | None:
    """The end that the dead have brought about."""
    dead = [c for c in people(state) if not c.alive]
    if state.mode == "suspicion":
        lost = sum(c.role == "prisoner" for c in dead) > 1
        return of_guards(state) if lost else None
    if state.mode in TOGETHER:
        lost = len(dead) >= _fatal(state)
        return ExpectedEnd("complex", (), _nought(state)) if lost else None
    alive = [side for side in sides(state) if any(c.alive for c in side)]
    if len(alive) > 1:
        return None
    return won_by("team", alive[0]) if alive else ExpectedEnd("draw", ())


def _fatal(state: State) -> int:
    """How many deaths lose a game that is played together."""
    if state.rulebook in FAMILY:
        return 1
    if state.rulebook == PROTOTYPE:
        return 2 if state.mode == "solo" else len(people(state))
    return 1 if state.mode == "solo" else 2


def _nought(state: State) -> int | None:
    """The score of a lost game, where there are scores."""
    return 0 if (state.rulebook, state.mode) == (PROTOTYPE, "cooperation") else None


def of_guards(state: State) -> ExpectedEnd:
    """Nobody gets out: the guards win, or the complex if there was none (R82, R83)."""
    guards = [c for c in people(state) if is_guard(c)]
    return won_by("guards" if guards else "complex", guards)


def of_time(state: State) -> ExpectedEnd:
    """The end after the last turn."""
    if state.mode == "suspicion":
        return of_guards(state)
    if state.mode in TOGETHER:
        return ExpectedEnd("complex", (), _nought(state))
    counts = [(sum(in_exit(state, c) for c in side), side) for side in sides(state)]
    most = max(n for n, _ in counts)
    best = [side for n, side in counts if n == most]
    if not most:
        return ExpectedEnd("complex", ())
    return won_by("team" if len(best) == 1 else "draw", [c for side in best for c in side])


def alarms(state: State) -> bool:
    """Whether entering Room 25 early shortens this game (§5.4)."""
    if state.rulebook == "first_edition":
        return state.mode in RIVALS | {"suspicion"}
    return state.rulebook in FAMILY and state.mode == "suspicion"


def length_of(state: State) -> int:
    """How many turns a game has from its beginning (§2)."""
    seats, figures = len({c.seat for c in people(state)}), len(people(state))
    if state.rulebook in FAMILY:
        long = {4: 10, 5: 10, 6: 10, 7: 9, 8: 8}[figures] if state.mode == "suspicion" else 0
        return long or {4: 8, 5: 7, 6: 6}[figures]
    if state.mode in TOGETHER:
        return 8
    if state.rulebook == PROTOTYPE and state.mode == "suspicion":
        return 2 * seats
    if state.rulebook == PROTOTYPE:
        return 8 if figures == 4 else 9  # noqa: PLR2004 (two teams or three)
    return 10


class Verdicts:
    """Follows a game event by event and judges it by this page."""

    def __init__(self) -> None:
        self._actor = ""
        self._key = False
        self._escaped = False
        self._whole = False
        self._slots: set[tuple[str, int]] = set()
        self._length = 0
        self._entry = 0
        self._deadlines = Deadlines()

    def accepted(self, match: Run, step: RunStep) -> None:
        """Judge each event in the position in which it happened."""
        table = match.table.copy(step.before)
        ended = False
        for number, event in enumerate(step.events):
            play: State = table.play
            if isinstance(event, ev.GameEnded):
                self._end(play, event, step.events[number - 1])
                ended = True
            elif type(event) in _SEEN:
                self._see(play, event)
                self._deadlines.before(play, event)
            table = match.table.evolve(table, event)
            if type(event) in _SEEN:
                self._note(table.play, event)
                if isinstance(event, ev.GameBegan) and match.plan.situation is None:
                    self._length = length_of(table.play)
                if isinstance(event, ev.SituationSet):
                    self._lay(match, table.play)
                self._deadlines.after(table.play, event)
        if not ended and step.after.phase == "live" and step.after.play.turn:
            self._goes_on(match, step.after)

    def ended(self, match: Run) -> None:
        """How the table closes is what the game says, or a resignation or annulment says (R19)."""
        end, result = match.play.end, match.state.result
        stayed = {n for n, seat in match.state.seats.items() if not seat.resigned}
        if result is None:
            return
        if end is None:
            broken_off = {"annulled", "cancelled"}
            require(result.reason in {"abandoned", *broken_off}, f"no end, and {result.reason}")
            require(result.reason in broken_off or not stayed, "abandoned by some")
            require(result.reason != "cancelled" or match.play.turn == 0, "called off when begun")
            require(not result.winners, "somebody won what nobody finished")
            return
        require(result.reason == "finished", f"a finished game is {result.reason}")
        require(set(result.winners) == set(end.winners) & stayed, "the wrong seats won")
        require((result.outcome, result.score) == (end.outcome, end.score), "another end at table")

    # --- what is seen ---

    def _see(self, state: State, event: Event) -> None:
        """Judge an event in the position before it."""
        if isinstance(event, ev.EscapeAttempted):
            self._escape(state, event)
        elif isinstance(event, ev.LineShifted) and event.cause == "action":
            leaves = not self._escaped and self._leaves(state, event)
            require(not leaves, "a chance to escape was missed")
            self._escaped = False
        elif isinstance(event, ev.AlarmRaised):
            self._alarm(state, event)
        elif isinstance(event, more.TurnsCut):
            require(state.turn < state.last_turn, "the last turn was cut")
            require(event.last_turn == state.last_turn - 1, "another turn was cut")
        elif isinstance(event, ev.RoleRevealed):
            judge_reveal(state, event)
        elif isinstance(event, more.KeyTurned):
            require(self._key, "the key turned by itself")

    def _note(self, state: State, event: Event) -> None:
        """Remember what the end depends on."""
        if isinstance(event, ev.ActionRevealed):
            self._actor = event.character
        elif isinstance(event, ev.CharacterMoved):
            kind = state.grid[event.cell].kind
            self._key |= kind == "key"
            if kind == "room25" and alarms(state) and state.turn <= ALARM_TURNS:
                self._length = min(self._length, state.turn + ALARM_TURNS - 1)
            if kind == "timer" and event.entry != self._entry and state.turn < self._length:
                self._length -= 1
            self._entry = event.entry
        elif isinstance(event, ev.SlotBegan):
            self._slots.add((event.character, event.round))
        elif isinstance(event, ev.TurnBegan):
            self._slots, self._whole = set(), True

    def _lay(self, match: Run, state: State) -> None:
        """A game laid out; from the start of a turn on it is like any other."""
        self._key, self._length = state.key_activated, state.last_turn
        self._whole = (match.plan.situation or {}).get("phase", "start") == "start"

    def _leaves(self, state: State, event: ev.LineShifted | ev.EscapeAttempted) -> bool:
        """Whether a shift by the acting character pushes it out of the grid with Room 25."""
        actor = state.characters[self._actor]
        axis, edge = EDGE[event.way]
        if not in_exit(state, actor) or actor.cell is None:
            return False
        along = actor.cell[1] if event.line.startswith("row") else actor.cell[3]
        return along == event.line[3] and actor.cell[3 if axis else 1] == edge

    def _escape(self, state: State, event: ev.EscapeAttempted) -> None:
        require(event.character == self._actor, "somebody else escaped")
        require(self._leaves(state, event), "an escape where nothing leaves")
        verdict = of_escape(state, state.characters[self._actor], key=self._key)
        wanted = None if verdict is None else verdict.outcome
        require(event.outcome == wanted, f"the escape is {event.outcome}, not {wanted}")
        self._escaped = True

    def _end(self, state: State, event: ev.GameEnded, before: Event) -> None:
        if isinstance(before, ev.EscapeAttempted):
            verdict = of_escape(state, state.characters[self._actor], key=self._key)
        else:
            verdict = of_deaths(state)
            if verdict is None:
                require(is_last(state), "an end before the last turn")
                self._all_served(state)
                verdict = of_time(state)
        require((event.outcome, event.winners, event.score) == verdict, f"{event} is not {verdict}")

    def _all_served(self, state: State) -> None:
        """Time is not up before everybody has had both slots."""
        for c in people(state) if self._whole else ():
            served = {(c.id, 1), (c.id, 2)} <= self._slots
            require(served or c.returned or not c.alive, f"the game ended before {c.id} had acted")

    def _alarm(self, state: State, event: ev.AlarmRaised) -> None:
        require(alarms(state) and state.turn <= ALARM_TURNS, "an alarm out of place")
        require(event.last_turn == state.turn + ALARM_TURNS - 1, "an alarm of another length")
        require(event.last_turn < state.last_turn, "an alarm that makes the game longer")
        require(any(in_exit(state, c) for c in people(state)), "an alarm without an entry")

    # --- what must be true of a game that is not over ---

    def _goes_on(self, match: Run, table: TableState) -> None:
        """Unless a room is still asking something."""
        state: State = table.play
        if any(isinstance(frame, CheckEnd) for frame in state.agenda):
            return
        self._living(match, state)
        if state.mode == "suspicion":
            roles_are_shown(state, laid=not self._whole)
        lasts = f"the game lasts {state.last_turn} turns, not {self._length}"
        require(state.last_turn == self._length, lasts)
        require(state.key_activated == self._key, "the key is not what it was")
        self._deadlines.goes_on(state)

    def _living(self, match: Run, state: State) -> None:
        """The dead have not decided the game; who has resigned is gone when it is quiet (R117)."""
        resigned = {n for n, seat in match.state.seats.items() if seat.resigned}
        wait = match.wait()
        quiet = wait is not None and any(d.kind in QUIET for d in wait.pending)
        if state.mode not in RIVALS or not resigned or quiet:
            require(of_deaths(state) is None, "the game is over and goes on")
        if state.mode in RIVALS and quiet:
            for side in sides(state):
                gone = {c.seat for c in side} <= resigned
                require(not gone or not any(c.alive for c in side), "who resigned is still there")


_SEEN: Final = {
    ev.GameBegan,
    ev.ActionRevealed,
    ev.ActionLost,
    ev.EscapeAttempted,
    ev.LineShifted,
    ev.AlarmRaised,
    ev.RoleRevealed,
    ev.CharacterMoved,
    ev.CharacterEliminated,
    ev.SlotBegan,
    ev.TurnBegan,
    ev.SituationSet,
    more.TurnsCut,
    more.KeyTurned,
    more.RoomReplaced,
}
"""The events that these oracles look at."""
