"""The oracle of ends and identities: escapes, wins, masks, alarms, worked out anew.

Written for the first edition from §4.8 to §4.10 and §7.4, sharing no function with the engine. It
looks at every event: may Room 25 leave now, must the game be over, must a role be public, must the
alarm have rung, who has won.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from events.kernel import Seat
from games.room25 import events as ev
from games.room25.agenda import Check
from games.room25.state import Character, State
from ops.fuzzing.match import Match, Step, require

ALARMING: Final = {"suspicion", "competition", "team"}
ALARM_TURNS: Final = 5
EDGE: Final = {"left": (1, "0"), "right": (1, "4"), "up": (0, "0"), "down": (0, "4")}


class Verdict(NamedTuple):
    """An end: the outcome and the seats that won."""

    outcome: str
    winners: tuple[Seat, ...]


def people(state: State) -> list[Character]:
    """All characters, dead or alive."""
    return list(state.characters.values())


def in_exit(state: State, c: Character) -> bool:
    """Whether somebody lives in the face-up Room 25."""
    tile = state.grid.get(c.cell or "")
    return tile is not None and tile.up and tile.kind == "room25"


def sides(state: State) -> list[list[Character]]:
    """The members of each team."""
    names = sorted({c.team for c in people(state)})
    return [[c for c in people(state) if c.team == name] for name in names]


def won_by(outcome: str, members: list[Character]) -> Verdict:
    """An end that some characters' players win."""
    return Verdict(outcome, tuple(sorted({c.seat for c in members})))


def of_escape(state: State, actor: Character) -> Verdict | None:
    """The end if Room 25 may leave by this character's action (§4.10, first column)."""
    everybody = people(state)
    last = state.turn == state.last_turn
    if state.mode == "suspicion":
        prisoners = [c for c in everybody if c.role == "prisoner"]
        outside = sum(not in_exit(state, c) for c in prisoners)
        return won_by("prisoners", prisoners) if outside <= last else None
    if state.mode in {"cooperation", "solo"}:
        dead = sum(not c.alive for c in everybody)
        whole = all(in_exit(state, c) for c in everybody if c.alive)
        if not whole or dead > (state.mode == "cooperation"):
            return None
        return won_by("players_partial" if dead else "players", everybody)
    ready = [side for side in sides(state) if _may_go(state, side, last=last)]
    mine = [side for side in ready if actor in side]
    if mine or len(ready) == 1:
        return won_by("team", (mine or ready)[0])
    return won_by("draw", [c for side in ready for c in side]) if ready else None


def _may_go(state: State, side: list[Character], *, last: bool) -> bool:
    """All of a team inside, or, on the last turn, what is left of it."""
    living = [c for c in side if c.alive]
    return bool(living) and all(in_exit(state, c) for c in living) and (last or living == side)


def of_deaths(state: State) -> Verdict | None:
    """The end that the dead have brought about (§4.10, *now*)."""
    dead = [c for c in people(state) if not c.alive]
    if state.mode == "suspicion":
        lost = sum(c.role == "prisoner" for c in dead) > 1
        return of_guards(state) if lost else None
    if state.mode in {"cooperation", "solo"}:
        limit = 2 if state.mode == "cooperation" else 1
        return Verdict("complex", ()) if len(dead) >= limit else None
    alive = [side for side in sides(state) if any(c.alive for c in side)]
    if len(alive) > 1:
        return None
    return won_by("team", alive[0]) if alive else Verdict("draw", ())


def of_guards(state: State) -> Verdict:
    """Nobody gets out: the guards win, or the complex if there was none (R82, R83)."""
    guards = [c for c in people(state) if c.role == "guard"]
    return won_by("guards" if guards else "complex", guards)


def of_time(state: State) -> Verdict:
    """The end after the last turn (§4.10, last column)."""
    if state.mode == "suspicion":
        return of_guards(state)
    if state.mode in {"cooperation", "solo"}:
        return Verdict("complex", ())
    counts = [(sum(in_exit(state, c) for c in side), side) for side in sides(state)]
    most = max(n for n, _ in counts)
    best = [side for n, side in counts if n == most]
    if not most:
        return Verdict("complex", ())
    return won_by("team" if len(best) == 1 else "draw", [c for side in best for c in side])


class Verdicts:
    """Follows a game event by event and judges it by this page."""

    def __init__(self) -> None:
        self._actor = ""

    def accepted(self, match: Match, step: Step) -> None:
        """Judge each event in the position in which it happened."""
        state = match.table.copy(step.before)
        ended = escaped = False
        for event in step.events:
            play: State = state.play
            if isinstance(event, ev.ActionRevealed):
                self._actor = event.character
            elif isinstance(event, ev.EscapeAttempted):
                escaped = self._escape(play, event)
            elif isinstance(event, ev.LineShifted) and event.cause == "action":
                require(escaped or not self._leaves(play, event), "a chance to escape was missed")
                escaped = False
            elif isinstance(event, ev.GameEnded):
                self._end(play, event, step)
                ended = True
            elif isinstance(event, ev.AlarmRaised):
                self._alarm(play, event)
            state = match.table.evolve(state, event)
        if not ended and step.after.phase == "live" and step.after.play.turn:
            self._goes_on(step.after.play, placed=step.after.scenario)

    def ended(self, match: Match) -> None:
        """The winners at the table are those of the game who did not resign (R19)."""
        end, result = match.play.end, match.state.result
        if end is None or result is None:
            return
        stayed = {n for n, seat in match.state.seats.items() if not seat.resigned}
        require(set(result.winners) == set(end.winners) & stayed, "the wrong seats won")

    def _leaves(self, state: State, event: ev.LineShifted | ev.EscapeAttempted) -> bool:
        """Whether a shift by the acting character pushes it out of the grid with Room 25."""
        actor = state.characters[self._actor]
        axis, edge = EDGE[event.way]
        if not in_exit(state, actor) or actor.cell is None:
            return False
        along = actor.cell[1] if event.line.startswith("row") else actor.cell[3]
        return along == event.line[3] and actor.cell[3 if axis else 1] == edge

    def _escape(self, state: State, event: ev.EscapeAttempted) -> bool:
        require(event.character == self._actor, "somebody else escaped")
        require(self._leaves(state, event), "an escape where nothing leaves")
        verdict = of_escape(state, state.characters[self._actor])
        wanted = None if verdict is None else verdict.outcome
        require(event.outcome == wanted, f"the escape is {event.outcome}, not {wanted}")
        return True

    def _end(self, state: State, event: ev.GameEnded, step: Step) -> None:
        before = step.events[step.events.index(event) - 1]
        if isinstance(before, ev.EscapeAttempted):
            verdict = of_escape(state, state.characters[self._actor])
        else:
            verdict = of_deaths(state)
            if verdict is None:
                require(state.turn == state.last_turn, "an end before the last turn")
                verdict = of_time(state)
        require((event.outcome, event.winners) == verdict, f"{event} is not {verdict}")

    def _alarm(self, state: State, event: ev.AlarmRaised) -> None:
        require(state.mode in ALARMING and state.turn <= ALARM_TURNS, "an alarm out of place")
        require(event.last_turn == state.turn + ALARM_TURNS - 1, "an alarm of another length")
        require(any(in_exit(state, c) for c in people(state)), "an alarm without an entry")

    def _goes_on(self, state: State, *, placed: bool) -> None:
        """What must be true of a game that is not over, unless a room is still asking something."""
        if any(isinstance(frame, Check) for frame in state.agenda):
            return
        if not any(c.seat in state.withdrawn for c in people(state)):
            require(of_deaths(state) is None, "the game is over and goes on")
        if state.mode == "suspicion":
            self._identities(state)
        if state.mode in ALARMING and not placed and any(in_exit(state, c) for c in people(state)):
            late = state.turn + ALARM_TURNS - 1
            require(state.turn > ALARM_TURNS or state.last_turn <= late, "the alarm is silent")
        for c in people(state):
            kind = state.grid[c.cell].kind if c.cell is not None else None
            require(kind != "mortal", f"{c.id} lives in a mortal room")
            require(kind != "trap" or c.trap is not None, f"{c.id} is safe in a trap")
            require(kind != "flooded" or c.flood is not None, f"{c.id} is safe in the water")

    def _identities(self, state: State) -> None:
        """§4.9 and §4.8.3: whose role must be public by now."""
        dead = [state.characters[name] for name in state.dead]
        earlier = dead[:-1]
        require(all(c.role_public for c in earlier), "an earlier dead hides its role")
        if any(c.role == "prisoner" for c in earlier):
            require(dead[-1].role_public, "the latest dead hides its role")
        living = [c for c in people(state) if c.alive]
        within = [c for c in living if in_exit(state, c)]
        if 2 * len(within) > len(living):
            shown = all(c.role_public for c in living if c not in within)
            require(shown, "a mask was not taken off")
