"""What is played: every table that the rulebooks allow, with every mix of options, by seed."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final, Literal

from msgspec import Struct

from events.kernel import Rejected, Seat
from games.contract import Opening, TimeControl
from games.room25 import ROOM25
from games.room25.editions import RULEBOOKS
from games.room25.rulebook import Mode, Rulebook
from games.room25.setup import CUSTOM
from games.table_events import StartMode, Visibility
from ops.fuzzing.chance import chance
from ops.fuzzing.situations import situation_of

Style = Literal["blind", "steered", "absent"]

WATCHED: Final = ("first_edition",)
"""The rulebooks whose knowledge, conservation and verdicts the watchers have models of."""

TABLES: Final = tuple(
    (name, mode.id, seats)
    for name in WATCHED
    for mode in RULEBOOKS[name].modes.values()
    for seats in mode.seats
)
"""Every mode and player count of the watched rulebooks."""

BOT: Final = "random"
"""The house bot that the drivers seat."""

OVER: Final = "the game would be over in this situation"
"""Why a random situation may be refused; for no other reason."""

ABSENT_EVERY: Final = 12
"""One in so many blind games is played by nobody: every decision times out."""

SITUATION_EVERY: Final = 9
"""One in so many games begins in an explicit situation."""


class Temper(Struct, frozen=True, kw_only=True):
    """How unruly the players are: the probability of each oddity at each step of the driver."""

    time_out: float = 0.0
    voluntary: float = 0.0
    replace: float = 0.0
    resign: float = 0.0
    pause: float = 0.0
    extend: float = 0.0
    annul: float = 0.0


CALM: Final = Temper(time_out=0.004, voluntary=0.05, replace=0.01, pause=0.004, extend=0.004)
TEMPERS: Final = (
    Temper(voluntary=0.1, replace=0.05),
    Temper(time_out=0.15, voluntary=0.1, pause=0.01),
    Temper(time_out=0.03, voluntary=0.2, replace=0.1, resign=0.015, pause=0.02, extend=0.02),
    Temper(time_out=0.4, voluntary=0.02, extend=0.05),
    Temper(voluntary=0.3, replace=0.02, annul=0.01),
    Temper(resign=0.08, voluntary=0.05),
)

TEMPERS_OF: Final[dict[Style, tuple[Temper, ...]]] = {
    "blind": TEMPERS,
    "steered": (CALM,),
    "absent": (Temper(),),
}


class Plan(Struct, frozen=True, kw_only=True):
    """One game to be: what is opened, who sits, and how it is driven."""

    seed: int
    rulebook: str
    mode: str
    seats: int
    style: Style
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

    def __str__(self) -> str:
        """One line that says which game this is."""
        scenario = " scenario" if self.situation is not None else ""
        return f"seed {self.seed}: {self.mode} for {self.seats}, {self.style}{scenario}"


def plan_of(seed: int) -> Plan:
    """The game of a seed: tables in turn, half of the games steered, the rest by chance."""
    rng = chance("plan", seed)
    rulebook_id, mode_id, seats = TABLES[seed % len(TABLES)]
    rulebook = RULEBOOKS[rulebook_id]
    mode = rulebook.modes[mode_id]
    lap = seed // len(TABLES)
    style: Style = "steered" if lap % 2 else "blind"
    if style == "blind" and lap // 2 % ABSENT_EVERY == 0:
        style = "absent"
    situation = None
    if style != "absent" and rng.randrange(SITUATION_EVERY) == 0:
        situation = _playable(rng, rulebook, mode, seats)
    seated = range(1, seats + 1)
    has_bots = style == "blind" and rng.random() < 0.3  # noqa: PLR2004 (a share)
    return Plan(
        seed=seed,
        rulebook=rulebook_id,
        mode=mode_id,
        seats=seats,
        style=style,
        temper=rng.choice(TEMPERS_OF[style]),
        options=_options(rng, rulebook, mode),
        time=TimeControl(
            programming_s=rng.choice((30, 120)),
            decision_s=rng.choice((10, 60)),
            absent_after=rng.choice((1, 2, 3)),
            bot_pace_ms=rng.choice((0, 700)),
        ),
        start=rng.choice(("auto", "ready", "host")),
        visibility=rng.choice(("public", "unlisted", "private")),
        bots=frozenset(s for s in seated if has_bots and rng.random() < 0.5),  # noqa: PLR2004
        situation=situation,
    )


def _playable(rng: Random, rulebook: Rulebook, mode: Mode, seats: int) -> dict[str, Any]:
    """A situation in which somebody has something to choose before the game is over."""
    while True:
        situation = situation_of(rng, rulebook, mode, seats)
        wish = Opening(
            rulebook=rulebook.id, mode=mode.id, seats=seats, options={}, situation=situation
        )
        try:
            ROOM25.open(wish)
        except Rejected as refusal:
            if refusal.detail != OVER:
                raise
        else:
            return situation


def _options(rng: Random, rulebook: Rulebook, mode: Mode) -> dict[str, Any]:
    """Each option left unsaid, or set to one of its values."""
    options: dict[str, Any] = {}
    for name in mode.options:
        rule = rulebook.options[name]
        if name in {"composition", "rooms"} or rng.random() < 0.5:  # noqa: PLR2004 (a share)
            continue
        options[name] = rng.choice(rule.values)
    known = [c for c, found in rulebook.compositions.items() if mode.id in found.modes]
    wish = rng.choice([None, CUSTOM, *known])
    if wish is not None:
        options["composition"] = wish
    if wish == CUSTOM:
        options["rooms"] = random_rooms(rng, rulebook)
    return options


def random_rooms(rng: Random, rulebook: Rulebook) -> dict[str, int]:
    """Any 25 rooms out of the box, with both blue ones."""
    fixed = ["central", "room25"]
    box = [kind for kind, n in rulebook.box.items() if kind not in fixed for _ in range(n)]
    drawn = fixed + rng.sample(box, 23)
    return {kind: drawn.count(kind) for kind in dict.fromkeys(drawn)}
