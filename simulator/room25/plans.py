"""What is played: every table that the rulebooks allow, with every pair of settings, by seed.

Seeds go round the rulebooks and modes; the games of one mode go through the rows of its pairwise
cover (``covers``), each row blind and then steered.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, Final, Literal

from msgspec.structs import replace

from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.editions import RULEBOOKS
from games.room25.model.board import CELLS
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.opening.setup import CUSTOM
from simulator.chance import chance, often
from simulator.plans import TablePlan, Temper, some_time
from simulator.room25.pairwise import COMPOSITION, SEATS, UNSAID, Row, cover
from simulator.room25.situations import situation_of

Style = Literal["blind", "steered", "absent"]

GROUPS: Final = tuple(
    (rulebook.id, mode.id) for rulebook in RULEBOOKS.values() for mode in rulebook.modes.values()
)
"""Every rulebook and mode: seed ``n`` plays the one at ``n`` modulo their number."""

TABLES: Final = tuple(
    (name, mode, seats) for name, mode in GROUPS for seats in RULEBOOKS[name].modes[mode].seats
)
"""Every rulebook, mode and player count."""

OVER: Final = "the game would be over in this situation"
"""Why a random situation may be refused; for no other reason."""

ABSENT_EVERY: Final = 12
"""One in so many blind games is played by nobody: every decision times out."""

SITUATIONS: Final = 0.2
"""The share of games that begin in an explicit situation."""

MAD_SITUATIONS: Final = 0.7
"""The same where there are madness cards, each of which needs a position of its own to act."""


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


class Plan(TablePlan, frozen=True, kw_only=True):
    """One game to be: what is opened, who sits, and how it is driven."""

    style: Style

    def __str__(self) -> str:
        """One line that says which game this is."""
        scenario = " scenario" if self.situation is not None else ""
        table = f"{self.rulebook} {self.mode} for {self.seats}"
        return f"seed {self.seed}: {table}, {self.style}{scenario}"


def seeds_of(rulebook: str, mode: str, laps: Iterable[int]) -> list[int]:
    """The seeds of a rulebook's mode; even laps are blind, odd ones steered."""
    place = GROUPS.index((rulebook, mode))
    return [lap * len(GROUPS) + place for lap in laps]


def plan_of(seed: int) -> Plan:
    """The game of a seed: rulebooks and modes in turn, half of the games steered."""
    rng = chance("plan", seed)
    rulebook_id, mode_id = GROUPS[seed % len(GROUPS)]
    mode = RULEBOOKS[rulebook_id].modes[mode_id]
    rows = cover(rulebook_id, mode_id)
    place, half = divmod(seed // len(GROUPS), 2)
    row = rows[place % len(rows)]
    options = _options(rng, RULEBOOKS[rulebook_id], mode, row)
    style: Style = "steered" if half else "blind"
    if style == "blind" and rng.randrange(ABSENT_EVERY) == 0:
        style = "absent"
    wish = TableOpening(
        rulebook=rulebook_id, mode=mode_id, seats=int(str(row[SEATS])), options=options
    )
    situation = None
    mad = options.get("madness") or options.get("madness_cards")
    if style != "absent" and often(rng, MAD_SITUATIONS if mad else SITUATIONS):
        situation = _playable(rng, wish)
    has_bots = style == "blind" and rng.random() < 0.3  # noqa: PLR2004 (a share)
    return Plan(
        seed=seed,
        rulebook=rulebook_id,
        mode=mode_id,
        seats=wish.seats,
        style=style,
        temper=rng.choice(TEMPERS_OF[style]),
        options=options,
        time=some_time(rng, "programming", "decision"),
        start=rng.choice(("auto", "ready", "host")),
        visibility=rng.choice(("public", "unlisted", "private")),
        bots=frozenset(n + 1 for n in range(wish.seats) if has_bots and rng.randrange(2)),
        situation=situation,
    )


def _playable(rng: Random, wish: TableOpening) -> dict[str, Any]:
    """A situation in which somebody has something to choose before the game is over.

    Whatever else is wrong with it would be a mistake of ours, and stops the run.
    """
    options = ROOM25.open(wish).options
    while True:
        situation = situation_of(rng, replace(wish, options=options))
        try:
            ROOM25.open(replace(wish, situation=situation))
        except Rejected as refusal:
            if refusal.detail != OVER:
                raise
        else:
            return situation


def _options(rng: Random, rulebook: Rulebook, mode: Mode, row: Row) -> dict[str, Any]:
    """The options that a row names; a composition of one's own is any 25 rooms that are legal."""
    options = {name: v for name, v in row.items() if name != SEATS and v != UNSAID}
    if options.get(COMPOSITION) == CUSTOM:
        options["rooms"] = random_rooms(rng, rulebook, mode)
    return options


def random_rooms(rng: Random, rulebook: Rulebook, mode: Mode) -> dict[str, int]:
    """Any 25 rooms out of the box, with the blue ones that the mode needs (§2.1)."""
    fixed = ["central", "room25", *(["key"] if mode.needs_key else [])]
    kinds = {kind: n for kind, n in rulebook.box.items() if kind not in {*fixed, "key"}}
    box = [kind for kind, n in kinds.items() for _ in range(n)]
    drawn = fixed + rng.sample(box, len(CELLS) - len(fixed))
    return {kind: drawn.count(kind) for kind in dict.fromkeys(drawn)}
