"""What any driver is told of a game to be: what is opened, who sits, how unruly they are."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from msgspec import Struct

from events.kernel import Seat
from games.contract import TimeControl
from games.table.events import StartMode, Visibility

BOT: Final = "random"
"""The house bot that the drivers seat."""


class Temper(Struct, frozen=True, kw_only=True):
    """How unruly the players are: the probability of each oddity at each step of the driver."""

    time_out: float = 0.0
    voluntary: float = 0.0
    replace: float = 0.0
    resign: float = 0.0
    pause: float = 0.0
    extend: float = 0.0
    annul: float = 0.0


class TablePlan(Struct, frozen=True, kw_only=True):
    """One game to be, of any kind."""

    seed: int
    rulebook: str
    mode: str
    seats: int
    temper: Temper
    options: Mapping[str, Any]
    time: TimeControl
    start: StartMode
    visibility: Visibility
    bots: frozenset[Seat]
    situation: Mapping[str, Any] | None = None

    @property
    def key(self) -> str:
        """The game key, 32 bytes in hexadecimal."""
        return f"{self.seed + 1:064x}"


def some_time(rng: Random, simultaneous: str, single: str) -> TimeControl:
    """Some time control, by the names of the class of waits for several and of that for one."""
    return TimeControl(
        limits_s={simultaneous: rng.choice((30, 120)), single: rng.choice((10, 60))},
        absent_after=rng.choice((1, 2, 3)),
        bot_pace_ms=rng.choice((0, 700)),
    )
