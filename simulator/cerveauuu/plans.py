"""What is played: tables of all sizes with all options, by seed; some begin in a situation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Final, Literal

from games.cerveauuu.decider import RULES
from games.cerveauuu.opening.options import LEAST_SEATS, MODE, MOST_SEATS, RULEBOOK, VALUES
from simulator.cerveauuu.situations import situation_of
from simulator.chance import chance, often
from simulator.plans import TablePlan, Temper, some_time

Style = Literal["uniform", "hungry", "eager", "absent"]
"""Uniform options; most goes spent on humans; the same with most windows played; nobody plays."""

SEATS: Final = tuple(range(LEAST_SEATS, MOST_SEATS + 1))
"""Seed ``n`` plays with the number of seats at ``n`` modulo their number."""

STYLES: Final[tuple[Style, ...]] = ("uniform", "hungry", "eager", "hungry")
"""Laps go round them."""

PLAYING: Final[Mapping[Style, float]] = {"uniform": 0.6, "hungry": 0.6, "eager": 0.9}
"""How often a window is not simply passed."""

ABSENT_EVERY: Final = 24
"""One in so many laps is played by nobody."""

SITUATIONS: Final = 0.15
"""The share of games that begin in an explicit situation."""

TEMPERS: Final = (
    Temper(voluntary=0.02),
    Temper(time_out=0.05, voluntary=0.05, pause=0.01, extend=0.01),
    Temper(time_out=0.01, voluntary=0.1, replace=0.05, resign=0.001, pause=0.01, extend=0.01),
    Temper(time_out=0.25, voluntary=0.05),
    Temper(voluntary=0.05, annul=0.15),
    Temper(resign=0.001, voluntary=0.05),
)
"""One of them unruly enough for tables that never begin; its games are short."""


class Plan(TablePlan, frozen=True, kw_only=True):
    """One game to be."""

    style: Style

    def __str__(self) -> str:
        """One line that says which game this is."""
        scenario = " scenario" if self.situation is not None else ""
        return f"seed {self.seed}: {self.seats} seats, {self.style}{scenario}, {self.options}"


def seeds_of(seats: int, laps: Iterable[int]) -> list[int]:
    """The seeds of the games with so many seats."""
    return [lap * len(SEATS) + SEATS.index(seats) for lap in laps]


def plan_of(seed: int) -> Plan:
    """The game of a seed."""
    rng = chance("cerveauuu", seed)
    lap, place = divmod(seed, len(SEATS))
    seats = SEATS[place]
    absent = lap % ABSENT_EVERY == ABSENT_EVERY - 1
    style: Style = "absent" if absent else STYLES[lap % len(STYLES)]
    options = _options(rng, seats)
    situation = situation_of(rng, seats) if not absent and often(rng, SITUATIONS) else None
    return Plan(
        seed=seed,
        rulebook=RULEBOOK,
        mode=MODE,
        seats=seats,
        style=style,
        temper=Temper() if absent else rng.choice(TEMPERS),
        options=options,
        time=some_time(rng, *RULES.waits),
        start=rng.choice(("auto", "ready", "host")),
        visibility=rng.choice(("public", "unlisted", "private")),
        bots=frozenset(n + 1 for n in range(seats) if rng.randrange(8) == 0),
        situation=situation,
    )


def _options(rng: Random, seats: int) -> dict[str, Any]:
    """Some values, each now and then left out."""
    chosen = {name: rng.choice(values) for name, values in VALUES.items() if rng.randrange(5)}
    if chosen.get("first_chief", 0) > seats:
        chosen["first_chief"] = rng.randint(0, seats)
    return chosen
