"""A toy game that has one of everything a real one has: all that the shells may lean on.

Each round every seat secretly chooses a number (phase ``programming``); the numbers are shown; the
round's picker says in public whether the die counts double, or whom alone it favours and how often
(a tree of options); a seeded die is drawn and seats whose number it shows score. The most points
win. Anybody may wave once a round, voluntarily.

Here are its rules and its bots; ``toy_package.py`` has how it is told, shown and tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from msgspec import UNSET, Struct

from events.kernel import AtEnd, Decision, Event, OnlySeat, Option, Public, Rejected, Seat, Working
from games.bots import random_bot
from games.contract import (
    Finish,
    Outcome,
    Roster,
    Rules,
    TableOpening,
    Unavailable,
    Wait,
    WaitClass,
)
from games.dispatch import Handlers, on
from games.table.state import TableState
from tests.games.small_game import SmallGame

NUMBERS = ("1", "2", "3")
WORTH = {"once": 1, "twice": 2}
PICKS = (Option("single"), Option("favour", branch=True), Option("double"))
"""The first level of a pick. Below ``favour`` are ``nobody`` and all parties of seats (``s1-s2``),
and below a party how often it scores."""


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


def _began(s: Play, e: ToyBegan) -> None:
    s.seats, s.rounds, s.turn = e.seats, e.rounds, 1
    s.omen = None if e.omen is UNSET else str(e.omen)
    s.points = dict.fromkeys(range(1, e.seats + 1), 0)


def _chosen(s: Play, e: NumberChosen) -> None:
    s.chosen = {**s.chosen, e.seat: None if e.number is UNSET else str(e.number)}


def _shown(s: Play, e: NumbersShown) -> None:
    s.shown = e.numbers


def _rolled(s: Play, e: DieRolled) -> None:
    s.turn += 1
    s.points, s.chosen, s.shown, s.waved = e.points, {}, {}, ()


def _waved(s: Play, e: Waved) -> None:
    s.waved = (*s.waved, e.seat)


ToyEvent = ToyBegan | NumberChosen | NumbersShown | DieRolled | Waved
TOY_RECORDERS: Handlers[Play, ToyEvent, None] = (
    on(ToyBegan, _began)
    | on(NumberChosen, _chosen)
    | on(NumbersShown, _shown)
    | on(DieRolled, _rolled)
    | on(Waved, _waved)
)
TOY_EVENTS: tuple[type[Event], ...] = tuple(TOY_RECORDERS.by_type)


class Toy(SmallGame[Play]):
    """The decider of the toy, as ``games.contract.Game`` wants it."""

    recorders: Final = TOY_RECORDERS.by_type

    def initial(self) -> Play:
        return Play()

    def seats(self, state: Play) -> Sequence[Seat]:
        return range(1, state.seats + 1)

    def open(self, requested: TableOpening) -> TableOpening:
        rounds = requested.options.get("rounds", 2)
        if (
            requested.rulebook != "toybook"
            or requested.mode != "plain"
            or not 2 <= requested.seats <= 5
        ):
            raise Rejected("bad-toy", "the toy is played in one way, by 2 to 5")
        return TableOpening(
            rulebook=requested.rulebook,
            mode=requested.mode,
            seats=requested.seats,
            options={"rounds": rounds},
        )

    def cast(
        self,
        opening: TableOpening,
        taken: Mapping[Seat, tuple[str, ...]],
        seat: Seat,
        requested: tuple[str, ...],
    ) -> tuple[str, ...]:
        assert opening.seats > len(taken)
        return requested or (f"figure-{seat}",)

    def begin(self, work: Working[Play], roster: Roster) -> None:
        opening = roster.opening
        omen = work.context.draw.choice(NUMBERS, "omen")
        work.emit(ToyBegan(seats=opening.seats, rounds=opening.options["rounds"], omen=omen))

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
            worth = worths(state, option)
            points = {
                n: state.points[n] + worth[n] * (state.shown[n] == die)
                for n in sorted(state.points)
            }
            work.emit(DieRolled(pick=option, die=die, points=points))

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
                    id=f"pick-t{turn}", kind="pick", seat=seat, options=PICKS, default="single"
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

    def branch(self, state: Play, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
        if decision.kind != "pick" or path[0] != "favour":
            return ()
        parties = [f"favour.{party}" for party in parties_of(state)]
        if len(path) == 1:
            return (Option("favour.nobody"), *(Option(party, branch=True) for party in parties))
        party = ".".join(path)
        return tuple(Option(f"{party}.{times}") for times in WORTH) if party in parties else ()

    def is_secret(self, state: Play, decision: str) -> bool:
        del state
        return decision.startswith("number")

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

    def _picker(self, state: Play) -> Seat:
        return (state.turn - 1) % state.seats + 1


def parties_of(state: Play) -> list[str]:
    """Who may be favoured: one seat or several."""
    seats = [f"s{n}" for n in range(1, state.seats + 1)]
    return ["-".join(some) for size in range(state.seats) for some in combinations(seats, size + 1)]


def worths(state: Play, pick: str) -> dict[Seat, int]:
    """How many points each seat gets whose number the die shows."""
    _, _, favoured = pick.partition(".")
    if not favoured:
        return dict.fromkeys(state.points, 2 if pick == "double" else 1)
    party, _, times = favoured.partition(".")
    return {n: WORTH[times] if f"s{n}" in party.split("-") else 0 for n in state.points}


def finishes(state: Play) -> dict[Seat, Finish]:
    """Everybody for themselves: whoever sits first, and those who sit later."""
    if state.turn <= state.rounds:
        return {}
    return {
        n: Finish(
            party=f"seat-{n}",
            side="first" if n == 1 else "later",
            rank=1 + sum(other > points for other in state.points.values()),
        )
        for n, points in state.points.items()
    }


def unavailable(_: Play, decision: Decision, path: tuple[str, ...]) -> tuple[Unavailable, ...]:
    """There is no seven on a die, and nobody is twice in a party."""
    told = {
        ("number", ()): Unavailable({"number": "7"}, "too-high"),
        ("pick", ("favour",)): Unavailable({"party": "s1-s1"}, "twice", "party"),
    }
    found = told.get((decision.kind, path))
    return () if found is None else (found,)


TOY = Rules(
    id="toy",
    decider=Toy(),
    events=TOY_EVENTS,
    tags={"toybook": "toy/1"},
    rejections=frozenset({"bad-toy"}),
    waits={"programming": WaitClass(default_s=120), "decision": WaitClass(default_s=60)},
    sides=("first", "later"),
    finishes=finishes,
    unavailable=unavailable,
)


walking = partial(random_bot, branch=TOY.decider.branch)
"""The random bot, which walks down the toy's branches."""


def waving(view: TableState, decisions: Sequence[Decision], seed: str) -> tuple[str, str] | None:
    """Wave whenever one may."""
    del view, seed
    return next(((d.id, "wave") for d in decisions if d.kind == "wave"), None)
