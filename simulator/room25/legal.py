"""The oracle of what is legal: the options and the default of every question, worked out anew.

Written from the rules (§4.3.2, §4.5, §4.7, §6, §7.2), by rows and columns, from what lies face-up
alone; it shares no function with the engine. Abilities, robots and powers are in
``legal_editions``, the cards' questions in ``legal_cards``, what nobody is asked for in
``unasked``, and who is asked when in ``course``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Final

from events.kernel import Decision
from games.room25.model.agenda import Ask
from simulator.room25.legal_cards import CARD_OPTIONS
from simulator.room25.legal_editions import EDITION_OPTIONS, Question, aims, owned
from simulator.room25.optional_actions import unasked
from simulator.room25.position import LINES, PROTOTYPE, TablePosition
from simulator.room25.run import Run
from simulator.room25.turn_order import TurnOrder
from simulator.run import RunStep, option_ids, require

LIGHTEST: Final = ("look", "push", "control", "move", "special")
"""Which single token a time-out programmes (D2, R18)."""


def _clue(_: Question) -> list[str]:
    return ["r1c2", "r2c3", "r3c2", "r2c1"]


def _program(q: Question) -> list[str]:
    """Every single token, then every pair; all of it once more with adrenaline (§4.3.2)."""
    cold = q.p.shown(q.p.at(q.c)) == "cold"
    plans: list[tuple[str, ...]] = [()]
    if not q.c.stacked:
        # What the prototype's cold does is checked by ``course``, where it is remembered.
        single = q.c.limited if q.p.book == PROTOTYPE else cold
        plans = [plan for n in (1, 2)[: 2 - single] for plan in permutations(owned(q.c), n)]
    options = ["+".join(plan) or "nothing" for plan in plans]
    if q.c.adrenaline == "available" and not cold:
        options += ["+".join((*plan, "adrenaline")) for plan in plans]
    return options


def _delay(_: Question) -> list[str]:
    return ["play_now", "delay"]


def _free(q: Question) -> list[str]:
    return [t for t in owned(q.c) if t not in q.c.used] + ([] if q.c.passed else ["pass"])


def _down(q: Question) -> list[str]:
    return q.p.down()


def _chamber(q: Question) -> list[str]:
    return q.p.shifts(LINES)


def _aim(token: str) -> Callable[[Question], list[str]]:
    return lambda q: aims(q.p, q.c, token)


OPTIONS: Final[dict[str, Callable[[Question], list[str]]]] = {
    "starting_clue": _clue,
    "program": _program,
    "delay_single": _delay,
    "free_action": _free,
    "look_target": _aim("look"),
    "move_target": _aim("move"),
    "push_target": _aim("push"),
    "control_target": _aim("control"),
    "vision_target": _down,
    "moving_target": _down,
    "illusion_target": _down,
    "control_room": _chamber,
    **EDITION_OPTIONS,
    **CARD_OPTIONS,
}
"""What is offered, by kind of decision."""


def default_of(p: TablePosition, d: Decision, options: list[str]) -> str:
    """The option that a time-out takes (§4.7)."""
    if d.kind == "program" and options[0] != "nothing":
        return next(token for token in LIGHTEST if token in options)
    if d.kind == "free_action" and "pass" in options:
        return "pass"
    if d.kind == "move_target":
        return p.safest(options)
    if d.kind == "push_target":
        return _safest_push(p, options)
    if d.kind == "robot_order":
        moves = {option.split(":")[2]: option for option in reversed(options) if ":move:" in option}
        cells = [option.split(":")[2] for option in options if ":move:" in option]
        return moves[p.safest(cells)] if cells else options[0]
    # What powers add comes after the ordinary aims, so the first of all is an ordinary one.
    return options[0]


def _safest_push(p: TablePosition, options: list[str]) -> str:
    """The first victim, to where it looks safest; a brute's pair is never a default."""
    first = options[0].split(":")[0]
    cells = [o.split(":")[1] for o in options if o.startswith(f"{first}:")]
    return f"{first}:{p.safest(cells)}"


def question_of(p: TablePosition, d: Decision, course: TurnOrder) -> Question:
    """A decision with what it is about."""
    top = p.state.agenda[-1]
    about = top.about if isinstance(top, Ask) else ()
    someone = d.subject or next(iter(p.state.characters))
    c, deck = p.state.characters[someone], course.deck
    return Question(p, c, d.kind, about, deck.card, deck.first, course.to_come())


class Legal:
    """Compares all that is asked, and all that may be done unasked, with the rules as told here.

    ``every``: at each so many of the steps the latter is looked at, which costs the most.
    """

    def __init__(self, every: int = 1) -> None:
        self._every = every
        self._course = TurnOrder(OPTIONS)

    def accepted(self, match: Run, step: RunStep) -> None:
        """Follow the events, then look at what is open now."""
        self._course.follow(match, step)
        if step.after.phase != "live":
            return
        position, wait = TablePosition(match.play), match.wait()
        for d in () if wait is None else wait.pending:
            self._check(position, d)
        if match.state.paused_at is None and len(match.steps) % self._every == 0:
            for seat, place in match.state.seats.items():
                if not place.resigned:
                    self._unasked(match, position, seat)

    def ended(self, match: Run) -> None:
        """Nothing is asked any more."""

    def _check(self, position: TablePosition, d: Decision) -> None:
        question = question_of(position, d, self._course)
        wanted = OPTIONS[d.kind](question)
        require(option_ids(d) == wanted, f"{d.id} offers {option_ids(d)}, not {wanted}")
        default = default_of(question.p, d, wanted)
        require(d.default == default, f"{d.id} defaults to {d.default}, not to {default}")

    def _unasked(self, match: Run, position: TablePosition, seat: int) -> None:
        """What a seat may do without being asked: no more and no less (§4.7)."""
        offered = {
            d.kind: option_ids(d)
            for d in match.decisions(seat)
            if d.optional and d.kind not in {"resign", "return"}
        }
        wanted = unasked(position, seat, self._course)
        require(offered == wanted, f"seat {seat} may {offered}, should {wanted}")
