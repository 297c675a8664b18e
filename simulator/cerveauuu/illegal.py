"""What Cerveauuu! refuses beside the table: openings, colours, and plays that are none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec.structs import replace

from events.kernel import Actor, Decision, Seat
from games.cerveauuu.model.codes import Code
from games.cerveauuu.model.ids import number_id
from games.cerveauuu.opening.options import COLOURS
from games.table.checks import TableCode
from games.table.events import TakeSeat
from games.trees import parts_of
from simulator.cerveauuu.plans import Plan
from simulator.cerveauuu.run import Run
from simulator.chance import often
from simulator.illegal import GameProbes, IllegalCommand, WrongOpening
from simulator.option_trees import random_leaf
from simulator.plans import BOT
from simulator.run import HOST, RunStep, choice

PLAY: Final = "play"
"""The branch below which cards are played."""

STAGED: Final = ("respond", "go", "wander_turn")
"""The kinds of decisions in which cards are played."""

BAD_OPENINGS: Final[tuple[WrongOpening, ...]] = (
    ({"rulebook": "second"}, Code.UNKNOWN_RULEBOOK),
    ({"mode": "tournament"}, Code.UNKNOWN_MODE),
    ({"seats": 1}, Code.BAD_SEAT_COUNT),
    ({"seats": 7}, Code.BAD_SEAT_COUNT),
    ({"options": {"hold_ms": 5}}, Code.UNKNOWN_OPTION),
    ({"options": {"wander_goes": 7}}, Code.BAD_OPTION),
    ({"options": {"wander_goes": True}}, Code.BAD_OPTION),
    ({"options": {"placement": "alphabetical"}}, Code.BAD_OPTION),
    ({"seats": 2, "options": {"first_chief": 3}}, Code.BAD_OPTION),
    ({"situation": {"stage": "draw"}}, Code.MALFORMED_SCENARIO),
    ({"situation": {"pieces": {"x1": {"cell": "r0c0"}}}}, Code.MALFORMED_SCENARIO),
    ({"situation": {"pieces": {}}}, Code.IMPOSSIBLE_SCENARIO),
    ({"situation": {"pieces": {"h01": {"cell": "r99c0"}}}}, Code.IMPOSSIBLE_SCENARIO),
    ({"situation": {"pieces": {"h01": {"cell": "r0c0", "seat": 1}}}}, Code.IMPOSSIBLE_SCENARIO),
)
"""What may be wrong with an opening, and the code that says so."""


def _openings(_: Plan) -> tuple[WrongOpening, ...]:
    return BAD_OPENINGS


def _wishes(match: Run, rng: Random) -> Iterator[IllegalCommand]:
    """Colours that nobody gets, or somebody has."""
    if match.state.programs is False:
        return
    host = Actor("player", HOST)
    wish = TakeSeat(bot=BOT)
    for wrong in (("red",), COLOURS[:2]):
        yield IllegalCommand(replace(wish, characters=wrong), host, (Code.UNKNOWN_COLOUR,))
    taken = [name for seat in match.state.seats.values() for name in seat.characters]
    if taken:
        again = replace(wish, characters=(rng.choice(taken),))
        yield IllegalCommand(again, host, (Code.COLOUR_TAKEN,))


def _choices(match: Run, rng: Random, seat: Seat) -> Iterator[IllegalCommand]:
    """Paths in the tree of a seat's decision that lead nowhere, or not to a leaf."""
    for decision in match.decisions(seat):
        if decision.optional:
            continue
        yield from _beside(match, rng, decision)
        if decision.kind in STAGED and match.play.hands[seat]:
            yield from _plays(match, rng, decision)


def _refused(match: Run, decision: Decision, option: str, code: str) -> IllegalCommand:
    return IllegalCommand(choice(decision, option), match.actor(decision.seat), (code,))


def _beside(match: Run, rng: Random, decision: Decision) -> Iterator[IllegalCommand]:
    """Around some leaf of a tree: what comes before it, after it, beside it."""
    if not any(option.branch for option in decision.options):
        return
    leaf = random_leaf(rng, decision.options, match.below(decision))
    *above, _ = parts_of(leaf)
    yield _refused(match, decision, f"{leaf}.end", TableCode.OPTION_IS_A_LEAF)
    wrong = ".".join((*above, "nowhere"))
    yield _refused(match, decision, wrong, TableCode.OPTION_NOT_OFFERED)
    if above:
        yield _refused(match, decision, ".".join(above), TableCode.OPTION_IS_A_BRANCH)


def _plays(match: Run, rng: Random, decision: Decision) -> Iterator[IllegalCommand]:
    """Cards of the hand that cannot be played now or not so; and one that is not in the hand."""
    hand = match.play.hands[decision.seat]
    offered = any(option.id == PLAY for option in decision.options)
    found = match.below(decision)(PLAY) if offered else ()
    playable = {option.id for option in found}
    barred = [n for n in hand if f"{PLAY}.{number_id(n)}" not in playable]
    for number in rng.sample(barred, min(3, len(barred))):
        path = f"{PLAY}.{number_id(number)}"
        for option in (path, f"{path}.h01", f"{path}.0.z01"):
            yield _refused(match, decision, option, TableCode.OPTION_NOT_OFFERED)
    for option in sorted(playable):
        wrong = f"{option}.nobody"
        leaf = match.table.offers(match.state, decision, option)
        code = TableCode.OPTION_IS_A_LEAF if leaf else TableCode.OPTION_NOT_OFFERED
        yield _refused(match, decision, wrong, code)
    foreign = f"{PLAY}.{number_id(max(hand) + 1)}"
    yield _refused(match, decision, foreign, TableCode.OPTION_NOT_OFFERED)


class RefusedPlays:
    """Tries plays that must be refused, of any card that somebody holds.

    Of all that is tried beside a game few commands play a card: some cards would be refused less
    often than must occur.

    Args:
        rng: picks steps, seats and cards.
        rate: at how many of the steps.
    """

    def __init__(self, rng: Random, rate: float) -> None:
        self._rng, self._rate = rng, rate

    def accepted(self, match: Run, step: RunStep) -> None:
        """Try one, if somebody may play a card at all."""
        state = step.after
        if state.phase != "live" or state.paused_at is not None or not often(self._rng, self._rate):
            return
        asked = [d for d in match.pending() if d.kind in STAGED and match.play.hands[d.seat]]
        if asked:
            found = list(_plays(match, self._rng, self._rng.choice(asked)))
            probe = self._rng.choice(found)
            match.refuse(probe.command, probe.actor, probe.codes)

    def ended(self, match: Run) -> None:
        """Nobody plays any more."""


PROBES: Final = GameProbes(
    openings=_openings, wishes=_wishes, choices=_choices, stray=Code.UNKNOWN_DECISION
)
"""The illegal commands of Cerveauuu!."""
