"""What Room 25 refuses beside the table: openings, wishes for characters, barred claims."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec.structs import replace

from events.kernel import Actor, Seat
from games.room25 import Code as Rule
from games.room25.editions import RULEBOOKS
from games.room25.model.meanings import talk_is_blocked
from games.table.checks import TableCode
from games.table.events import Choose, TakeSeat
from simulator.illegal import GameProbes, IllegalCommand, WrongOpening
from simulator.plans import BOT
from simulator.room25.cross_edition import foreign_openings
from simulator.room25.plans import Plan
from simulator.room25.run import Run
from simulator.run import HOST

BAD_OPENINGS: Final[tuple[WrongOpening, ...]] = (
    ({"rulebook": "second_edition"}, Rule.UNKNOWN_RULEBOOK),
    ({"mode": "tournament"}, Rule.UNKNOWN_MODE),
    ({"seats": 0}, Rule.BAD_SEAT_COUNT),
    ({"seats": 9}, Rule.BAD_SEAT_COUNT),
    ({"options": {"jokers": True}}, Rule.UNKNOWN_OPTION),
    ({"options": {"composition": 1}}, Rule.BAD_OPTION),
    ({"options": {"composition": "empty"}}, Rule.BAD_OPTION),
    ({"options": {"rooms": {"empty": 25}}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom"}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom", "rooms": [1]}}, Rule.BAD_COMPOSITION),
    ({"options": {"composition": "custom", "rooms": {"empty": 24}}}, Rule.BAD_COMPOSITION),
    (
        {"options": {"composition": "custom", "rooms": {"empty": 8, "central": 1, "room25": 1}}},
        Rule.BAD_COMPOSITION,
    ),
    ({"situation": {"turn": 3}}, Rule.MALFORMED_SCENARIO),
    ({"situation": {"characters": {}, "weather": "fine"}}, Rule.MALFORMED_SCENARIO),
    ({"situation": {"characters": {}}}, Rule.IMPOSSIBLE_SCENARIO),
    ({"situation": {"characters": {}, "robots": ["r1c1"]}}, Rule.IMPOSSIBLE_SCENARIO),
    ({"situation": {"characters": {}, "rest": "ballroom"}}, Rule.IMPOSSIBLE_SCENARIO),
)
"""What may be wrong with an opening, and the code that says so; plans vary the rest."""


def _openings(plan: Plan) -> tuple[WrongOpening, ...]:
    return (*BAD_OPENINGS, *foreign_openings(plan))


def _wishes(match: Run, rng: Random) -> Iterator[IllegalCommand]:
    """Wishes for characters that this seat may not have; a situation deals them itself."""
    state = match.state
    if state.scenario or state.programs is False:
        return
    host = Actor("player", HOST)
    wish = TakeSeat(bot=BOT)
    unknown = replace(wish, characters=("nobody",))
    yield IllegalCommand(unknown, host, (Rule.UNKNOWN_CHARACTER,))
    taken = [name for s in state.seats.values() for name in s.characters]
    if taken:
        yield IllegalCommand(
            replace(wish, characters=(rng.choice(taken),)), host, (Rule.CHARACTER_TAKEN,)
        )
    known = RULEBOOKS[match.plan.rulebook].characters
    free = [name for name in known if name not in taken]
    too_many = replace(wish, characters=tuple(free[:5]))
    if len(free) >= 5:  # noqa: PLR2004 (nobody plays five)
        yield IllegalCommand(too_many, host, (Rule.CHARACTER_NOT_ALLOWED,))


def _choices(match: Run, _: Random, seat: Seat) -> Iterator[IllegalCommand]:
    """A claim where talk is blocked."""
    if talk_is_blocked(match.play):
        claim = Choose(seat=seat, decision=f"claim-s{seat}-1", option="r0c0:red")
        yield IllegalCommand(claim, match.actor(seat), (TableCode.DECISION_NOT_OPEN,))


PROBES: Final = GameProbes(
    openings=_openings, wishes=_wishes, choices=_choices, stray=Rule.UNKNOWN_DECISION
)
"""The illegal commands of Room 25."""
