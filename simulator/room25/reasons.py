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
from games.room25.rules.unavailable import ABOUT
from games.table.options import unavailable
from simulator.room25.legal_editions import abilities
from simulator.room25.position import TablePosition
from simulator.room25.run import Run
from simulator.run import RunStep, require

Key = tuple[tuple[str, Any], ...]
"""The fields of a meaning, from the coarsest to the finest."""

Expected = Callable[[State, Decision], Iterator[Key]]

ORDER: Final = (
    *("ability", "robot", "push", "move", "character", "cell", "first", "hide"),
    *("line", "way", "slot", "token", "adrenaline"),
)


def _key(meaning: Mapping[str, Any]) -> Key:
    return tuple((name, meaning[name]) for name in ORDER if name in meaning)


def _cells(_: State, __: Decision) -> Iterator[Key]:
    yield from ((("cell", cell),) for cell in CELLS)


def _looks(state: State, decision: Decision) -> Iterator[Key]:
    """A guard that is an architect may turn rooms down besides (R107)."""
    yield from _cells(state, decision)
    c = state.characters[decision.subject or ""]
    if c.role == "architect" and c.role_public:
        yield from ((("hide", cell),) for cell in CELLS)


def _pairs(_: State, __: Decision) -> Iterator[Key]:
    yield from ((("first", cell),) for cell in CELLS)


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
        yield from ((("robot", robot), ("move", cell)) for cell in CELLS)
        yield from _robot_pushes(state, robot)


def _robot_pushes(state: State, robot: int) -> Iterator[Key]:
    for name in state.characters:
        yield from ((("robot", robot), ("push", name), ("cell", cell)) for cell in CELLS)


def _orders_again(state: State, decision: Decision) -> Iterator[Key]:
    """The robot that was refused is the only one of which anything is offered (R66)."""
    again = decision.options[0].meaning["robot"]
    for robot in range(1, len(state.robots) + 1):
        yield from _robot_pushes(state, robot) if robot == again else ((("robot", robot),),)


def _people(state: State, decision: Decision) -> Iterator[Key]:
    for name in state.characters:
        if name != decision.subject:
            yield (("character", name),)


def _robots(state: State, _: Decision) -> Iterator[Key]:
    yield from ((("robot", robot),) for robot in range(1, len(state.robots) + 1))


ABLE: Final[Mapping[str, Expected]] = {
    "summon": _people,
    "carry": _others,
    "reactivate": _cells,
    "lock": _cells,
    "sabotage_robot": _robots,
    "hack_building": _pairs,
    "hack_robot": _orders,
}
"""At whom or what abilities are pointed; the others are used, and that is all."""


def _abilities(state: State, decision: Decision) -> Iterator[Key]:
    """Of all that a character can do: a mimic has several abilities, as some others have."""
    c = state.characters[decision.subject or ""]
    for ability in abilities(TablePosition(state), c):
        for key in ABLE[ability](state, decision) if ability in ABLE else ():
            yield (("ability", ability), *key)


def _replacements(state: State, decision: Decision) -> Iterator[Key]:
    c = state.characters[decision.subject or ""]
    for slot, _ in enumerate(c.programmed, 1):
        yield from ((("slot", slot), ("token", token)) for token in c.tokens)


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
    "look_target": _looks,
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
    "robot_order_again": _orders_again,
    "card_push": _cells,
    "card_push_other": _others,
    "card_robot": _robots,
    "card_lock": _cells,
    "card_lock_target": _cells,
    "card_swap": _pairs,
    "card_carry": _cells,
    "card_scatter": _cells,
    "traitor_change": _replacements,
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
        elif decision.kind == "special_choice":
            ability = option.id.partition(":")[0]
            found.update(_key({"ability": ability, **each}) for each in _singles(meaning))
        else:
            found.update(map(_key, _singles(meaning)))
    return found


def _singles(meaning: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Of two rooms that change places either is one that one may point at."""
    yield meaning
    if "first" in meaning:
        yield {**meaning, "first": meaning["second"]}


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
    if strange:
        return f"{decision.id}: {strange} are no codes"
    unsaid = {each.about for each in told} - set(ABOUT.get(decision.kind, ("",)))
    return f"{decision.id}: {unsaid} has no words" if unsaid else None


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
