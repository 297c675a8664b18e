"""A toy game that has one of everything a real one has: all that the shells may lean on.

Each round every seat secretly chooses a number (phase ``programming``); the numbers are shown; the
round's picker says in public whether the die counts double; a seeded die is drawn and seats whose
number it shows score. The most points win. Anybody may wave once a round, voluntarily.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

from msgspec import UNSET, Struct

from events.draw import Draw
from events.kernel import (
    AtEnd,
    Decision,
    Event,
    OnlySeat,
    Option,
    Public,
    Rejected,
    Seat,
    Viewer,
    Working,
)
from games.contract import Asked, Halt, Opening, Outcome, Roster, Wait, WaitClass

NUMBERS = ("1", "2", "3")


class ToyBegan(Event, frozen=True, tag="toy-began"):
    """A game of ``rounds`` rounds; ``omen`` is drawn now and told at the end."""

    seats: Public[int]
    rounds: Public[int]
    omen: AtEnd[str] = UNSET


class NumberChosen(Event, frozen=True, tag="number-chosen"):
    """A seat chose its number for this round."""

    seat: Public[Seat]
    number: OnlySeat[str] = UNSET


class NumbersShown(Event, frozen=True, tag="numbers-shown"):
    """Everybody has chosen."""

    publishes = True
    numbers: Public[Mapping[Seat, str]]


class DieRolled(Event, frozen=True, tag="die-rolled"):
    """The picker chose, the die fell, and the next round begins."""

    publishes = True
    pick: Public[str]
    die: Public[str]
    points: Public[Mapping[Seat, int]]


class Waved(Event, frozen=True, tag="waved"):
    """A seat waved."""

    seat: Public[Seat]


TOY_EVENTS: tuple[type[Event], ...] = (ToyBegan, NumberChosen, NumbersShown, DieRolled, Waved)


class Play(Struct):
    """The toy's state; ``chosen`` holds None where the viewer does not know the number."""

    seats: int = 0
    rounds: int = 0
    turn: int = 0
    omen: str | None = None
    chosen: Mapping[Seat, str | None] = {}
    shown: Mapping[Seat, str] = {}
    waved: tuple[Seat, ...] = ()
    points: Mapping[Seat, int] = {}


class Toy:
    """The rules of the toy, as ``games.contract.Game`` wants them."""

    id = "toy"
    rules: Mapping[str, str] = {"toybook": "toy/1"}
    waits: Mapping[str, WaitClass] = {
        "programming": WaitClass(default_s=120),
        "decision": WaitClass(default_s=60),
    }
    events = TOY_EVENTS

    def initial(self) -> Play:
        return Play()

    def copy(self, state: Play) -> Play:
        return copy.copy(state)

    def evolve(self, state: Play, event: Event) -> Play:
        match event:
            case ToyBegan(seats=seats, rounds=rounds, omen=omen):
                state.seats, state.rounds, state.turn = seats, rounds, 1
                state.omen = None if omen is UNSET else str(omen)
                state.points = dict.fromkeys(range(1, seats + 1), 0)
            case NumberChosen(seat=seat, number=number):
                state.chosen = {**state.chosen, seat: None if number is UNSET else str(number)}
            case NumbersShown(numbers=numbers):
                state.shown = numbers
            case DieRolled(points=points):
                state.turn += 1
                state.points, state.chosen, state.shown, state.waved = points, {}, {}, ()
            case Waved(seat=seat):
                state.waved = (*state.waved, seat)
            case _:
                raise AssertionError(event)
        return state

    def open(self, wish: Opening) -> Opening:
        rounds = wish.options.get("rounds", 2)
        if wish.rulebook != "toybook" or wish.mode != "plain" or not 2 <= wish.seats <= 5:
            raise Rejected("bad-toy", "the toy is played in one way, by 2 to 5")
        return Opening(
            rulebook=wish.rulebook, mode=wish.mode, seats=wish.seats, options={"rounds": rounds}
        )

    def cast(
        self,
        opening: Opening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        wish: tuple[str, ...],
    ) -> tuple[str, ...]:
        assert opening.seats > len(taken)
        return wish or (f"figure-{seat}",)

    def begin(self, work: Working[Play], roster: Roster) -> None:
        opening = roster.opening
        omen = work.context.draw.choice(NUMBERS, "omen")
        work.emit(ToyBegan(seats=opening.seats, rounds=opening.options["rounds"], omen=omen))

    def arranged(self, draw: Draw, situation: Mapping[str, object]) -> Draw:
        raise AssertionError(draw, situation)  # the toy knows no situations

    def choose(self, work: Working[Play], decision: Decision, option: str) -> None:
        state, seat = work.state, decision.seat
        if decision.kind == "wave":
            work.emit(Waved(seat=seat))
        elif decision.kind == "number":
            work.emit(NumberChosen(seat=seat, number=option))
            chosen = work.state.chosen
            if len(chosen) == state.seats:
                numbers = {n: str(number) for n, number in sorted(chosen.items())}
                work.emit(NumbersShown(numbers=numbers))
        else:
            die = work.context.draw.choice(NUMBERS, f"die/t{state.turn}")
            worth = 2 if option == "double" else 1
            points = {
                n: state.points[n] + worth * (state.shown[n] == die) for n in sorted(state.points)
            }
            work.emit(DieRolled(pick=option, die=die, points=points))

    def withdraw(self, work: Working[Play], seat: Seat) -> None:
        """Nothing to do: the table answers for the seat from now on."""

    def settle(self, work: Working[Play]) -> None:
        """The toy has no agenda."""

    def decisions(self, state: Play, seat: Seat) -> list[Decision]:
        if not 1 <= state.turn <= state.rounds:
            return []
        found = []
        turn = state.turn
        if not state.shown:
            options = tuple(Option(number) for number in NUMBERS)
            found.append(
                Decision(
                    id=f"number-t{turn}-s{seat}",
                    kind="number",
                    seat=seat,
                    options=options,
                    default="1",
                    secret=True,
                    answered=seat in state.chosen,
                )
            )
        elif seat == self._picker(state):
            found.append(
                Decision(
                    id=f"pick-t{turn}",
                    kind="pick",
                    seat=seat,
                    options=(Option("single"), Option("double")),
                    default="single",
                )
            )
        if seat not in state.waved:
            wave = (Option("wave"),)
            found.append(
                Decision(
                    id=f"wave-t{turn}-s{seat}", kind="wave", seat=seat, options=wave, optional=True
                )
            )
        return found

    def find(self, state: Play, seat: Seat, decision: str) -> Decision | None:
        return next((d for d in self.decisions(state, seat) if d.id == decision), None)

    def is_secret(self, state: Play, decision: str) -> bool:
        del state
        return decision.startswith("number")

    def halt(self, state: Play) -> Halt | None:
        wait = self.wait(state)
        if wait is None:
            return None
        return Halt(wait.key, wait.wait, tuple(Asked(d.id, d.seat) for d in wait.pending))

    def wait(self, state: Play) -> Wait | None:
        if not 1 <= state.turn <= state.rounds:
            return None
        pending = tuple(
            d
            for seat in range(1, state.seats + 1)
            for d in self.decisions(state, seat)
            if not d.optional and not d.answered
        )
        phase = "decision" if state.shown else "programming"
        return Wait(key=f"t{state.turn}-{phase}", wait=phase, pending=pending)

    def outcome(self, state: Play) -> Outcome | None:
        if state.turn <= state.rounds:
            return None
        best = max(state.points.values())
        winners = tuple(n for n, points in state.points.items() if points == best)
        return Outcome(reason="most-points", winners=winners, score=best)

    def turn(self, state: Play) -> int:
        return min(state.turn, state.rounds)

    def viewer(self, state: Play, seat: Seat) -> Viewer:
        assert seat <= state.seats or not state.turn
        return Viewer(kind="seat", seat=seat)

    def _picker(self, state: Play) -> Seat:
        return (state.turn - 1) % state.seats + 1


TOY = Toy()
