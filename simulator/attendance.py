"""The oracle of attendance: strikes, absence, and who comes back by what (R18, R117, H19).

It keeps its own notes, by the events and commands alone, and shares no function with the table.
"""

from __future__ import annotations

from typing import Final

from events.kernel import Event, Seat
from games.table.events import (
    Choose,
    ChooseSecretly,
    SeatReturned,
    SeatTimedOut,
    SeatWentAbsent,
    TimeOut,
)
from games.table.state import TableState
from simulator.run import AnyRun, RunStep, require

TOLD: Final = (SeatTimedOut, SeatWentAbsent, SeatReturned)


class Attendance:
    """Who has missed which turns since its latest act, and who counts as absent for it."""

    def __init__(self) -> None:
        self._row: dict[Seat, list[int]] = {}
        self._struck: set[tuple[Seat, int]] = set()
        self._absent: set[Seat] = set()

    def accepted(self, match: AnyRun, step: RunStep) -> None:
        """Compare what an accepted command tells of strikes with what it must tell."""
        told = [event for event in step.events if isinstance(event, TOLD)]
        expected = self._expected(match, step)
        require(told == expected, f"it tells {told} of attendance, not {expected}")
        if step.after.phase == "live" and step.after.paused_at is None:
            for seat in step.after.seats:
                self._settled(match, step.after, seat)

    def ended(self, match: AnyRun) -> None:
        """Nobody was ever struck in a turn that the game did not have."""
        last = max(1, match.turn(match.state))
        require(all(1 <= turn <= last for _, turn in self._struck), "struck in no turn")

    def _expected(self, match: AnyRun, step: RunStep) -> list[Event]:
        if isinstance(step.command, TimeOut):
            return self._missed(match, step.before)
        if isinstance(step.command, Choose | ChooseSecretly):
            return self._acted(match, step.before, step.command)
        return []

    def _missed(self, match: AnyRun, state: TableState) -> list[Event]:
        """Who was asked and is not gone has missed the turn, once however often (H19).

        Where the class of the wait counts waits, it is each of them.
        """
        wait = match.table.wait(state)
        asked = () if wait is None else wait.pending
        counted = None if wait is None else match.rules.waits[wait.wait].strikes
        turn = match.turn(state) or 1
        found: list[Event] = []
        for seat in dict.fromkeys(d.seat for d in asked):
            if seat in self._absent or state.seats[seat].resigned:
                continue
            row = self._row.setdefault(seat, [])
            if counted == "wait" or (counted == "turn" and (seat, turn) not in self._struck):
                self._struck.add((seat, turn))
                row.append(turn)
            found.append(SeatTimedOut(seat=seat, strikes=len(row)))
            if len(row) >= state.time.absent_after:
                self._absent.add(seat)
                found.append(SeatWentAbsent(seat=seat))
        return found

    def _acted(
        self, match: AnyRun, state: TableState, command: Choose | ChooseSecretly
    ) -> list[Event]:
        """Whoever acts is back; giving up is no coming back."""
        seat = command.seat
        kinds = {d.id: d.kind for d in match.table.decisions(state, seat)}
        if kinds[command.decision] == "resign":
            return []
        back = bool(self._row.pop(seat, None)) or seat in self._absent
        self._absent.discard(seat)
        return [SeatReturned(seat=seat)] if back else []

    def _settled(self, match: AnyRun, state: TableState, seat: Seat) -> None:
        """What the state says of a seat, and whether it may say that it is here."""
        place, row = state.seats[seat], self._row.get(seat, [])
        require(place.strikes == len(row), f"seat {seat} has {place.strikes} strikes, not {row}")
        require(place.absent == (seat in self._absent), f"seat {seat} is absent by mistake, or not")
        offered = [d for d in match.decisions(seat) if d.kind == "return"]
        wanted = not place.resigned and (bool(row) or seat in self._absent)
        require(len(offered) == wanted, f"seat {seat} is offered to return, or not, by mistake")
