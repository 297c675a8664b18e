"""The oracle of reasons: what is expected of a decision is offered, or has exactly one reason.

What is expected is listed here by hand, kind by kind, and not taken from the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from events.kernel import Decision
from games.contract import Unavailable
from games.room25.model.board import CELLS, LINE_WAYS, LINES
from games.room25.model.reasons import Why
from games.room25.model.state import State
from games.table.options import unavailable
from simulator.room25.run import Run
from simulator.run import RunStep, require

Key = tuple[tuple[str, Any], ...]
"""The fields of a meaning, from the coarsest to the finest."""

Expected = Callable[[State, Decision], Iterator[Key]]

ORDER: Final = ("robot", "push", "move", "character", "cell", "line", "way", "token", "adrenaline")


def _key(meaning: Mapping[str, Any]) -> Key:
    return tuple((name, meaning[name]) for name in ORDER if name in meaning)


def _cells(_: State, __: Decision) -> Iterator[Key]:
    yield from ((("cell", cell),) for cell in CELLS)


def _lines(_: State, __: Decision) -> Iterator[Key]:
    yield from ((("line", line), ("way", way)) for line in LINES for way in LINE_WAYS[line])


def _others(state: State, decision: Decision) -> Iterator[Key]:
    for name in state.characters:
        if name != decision.subject:
            yield from ((("character", name), ("cell", cell)) for cell in CELLS)


def _everybody(state: State, _: Decision) -> Iterator[Key]:
    yield from ((("character", name),) for name in state.characters)


def _own(state: State, decision: Decision) -> Iterator[Key]:
    yield from ((("character", c.id),) for c in state.of_seat(decision.seat))


def _orders(state: State, _: Decision) -> Iterator[Key]:
    for robot in range(1, len(state.robots) + 1):
        about = ("robot", robot)
        yield from ((about, ("move", cell)) for cell in CELLS)
        for name in state.characters:
            yield from ((about, ("push", name), ("cell", cell)) for cell in CELLS)


def _people(state: State, decision: Decision) -> Iterator[Key]:
    for name in state.characters:
        if name != decision.subject:
            yield (("character", name),)


def _robots(state: State, _: Decision) -> Iterator[Key]:
    yield from ((("robot", robot),) for robot in range(1, len(state.robots) + 1))


ABLE: Final[Mapping[str, Expected]] = {
    "jennifer": _people,
    "max": _others,
    "sarah": _robots,
    "kevin": _orders,
}
"""At whom or what special abilities are pointed, by who has them."""


def _abilities(state: State, decision: Decision) -> Iterator[Key]:
    listed = ABLE.get(decision.subject or "")
    yield from () if listed is None else listed(state, decision)


def _tokens(state: State, decision: Decision) -> Iterator[Key]:
    c = state.characters[decision.subject or ""]
    yield from ((("token", token),) for token in c.tokens)


def _basic(_: State, __: Decision) -> Iterator[Key]:
    yield from ((("token", token),) for token in ("look", "move", "push", "control"))


def _programme(state: State, decision: Decision) -> Iterator[Key]:
    yield from _tokens(state, decision)
    if state.characters[decision.subject or ""].adrenaline != "none":
        yield (("adrenaline", True),)


EXPECTED: Final[Mapping[str, Expected]] = {
    "starting_clue": _cells,
    "look_target": _cells,
    "move_target": _cells,
    "killer_step": _cells,
    "vision_target": _cells,
    "moving_target": _cells,
    "illusion_target": _cells,
    "tunnel_target": _cells,
    "control_target": _lines,
    "control_room": _lines,
    "push_target": _others,
    "secrets_target": _everybody,
    "next_character": _own,
    "robot_order": _orders,
    "special_choice": _abilities,
    "place_reminder": _cells,
    "claim_color": _cells,
    "free_action": _tokens,
    "adrenaline_action": _basic,
    "program": _programme,
}
"""What is expected of each kind; of no other is anything told."""

UNASKED: Final = frozenset({"place_reminder", "claim_color"})
"""The kinds of these that nobody waits for."""

SELDOM: Final = 20
"""They are looked at once in so many steps, since they are open nearly always."""


def offered(decision: Decision) -> set[Key]:
    """What a decision offers, in the same terms."""
    found: set[Key] = set()
    for option in decision.options:
        meaning = option.meaning
        if "tokens" in meaning:
            found.update((("token", token),) for token in meaning["tokens"])
            found.update([(("adrenaline", True),)] if "adrenaline" in meaning else [])
        else:
            found.add(_key(meaning))
    return found


def flaw_of(state: State, decision: Decision, told: Sequence[Unavailable]) -> str | None:
    """What is offered and has a reason, has none or two, or has one though nobody expects it."""
    reasons = Counter(_key(each.meaning) for each in told)
    expected, options, used = EXPECTED.get(decision.kind), offered(decision), set()
    for key in () if expected is None else expected(state, decision):
        why = [key[:n] for n in range(1, len(key) + 1) if key[:n] in reasons]
        used.update(why)
        if (key in options) + sum(reasons[each] for each in why) != 1:
            return f"{decision.id}: {key} is offered {key in options}, with reasons {why}"
    if reasons.keys() - used:
        return f"{decision.id}: nobody expects {reasons.keys() - used}"
    strange = {each.code for each in told} - set(Why)
    return f"{decision.id}: {strange} are no codes" if strange else None


class Reasons:
    """Looks at every blocking decision once it is open, and at others now and then."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._steps = 0

    def accepted(self, match: Run, step: RunStep) -> None:
        """Compare what is offered with what has a reason."""
        if step.after.phase != "live":
            return
        rules = match.table.rules[step.after.game]
        before, pending = self._open, match.pending()
        self._open = {decision.id for decision in pending}
        fresh = [decision for decision in pending if decision.id not in before]
        self._steps += 1
        if self._steps % SELDOM == 0:
            every = (d for seat in step.after.seats for d in match.decisions(seat))
            fresh += [decision for decision in every if decision.kind in UNASKED]
        for decision in fresh:
            told = unavailable(rules, step.after, decision)
            flaw = flaw_of(step.after.play, decision, told)
            require(flaw is None, flaw or "")

    def ended(self, match: Run) -> None:
        """Nothing is asked any more."""
