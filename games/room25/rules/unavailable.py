"""What an open decision might be expected to offer and does not, with the reason (pure).

The reasons come from the predicates by which the options are made, so a thing is either offered or
has a reason. Everything here reads public facts only, as the options do. Nobody asks for it while
a command is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Final

from events.kernel import Decision
from games.contract import JsonValue, Unavailable
from games.room25.model.agenda import Ask
from games.room25.model.board import CELLS, CLUE_CELLS, LINE_WAYS, LINES, Cell, Direction, Line
from games.room25.model.catalogue import BASIC_ACTIONS
from games.room25.model.characters import Skill
from games.room25.model.reasons import Why
from games.room25.model.state import Character, State
from games.room25.rules.abilities import (
    usable_skills,
    why_no_building_hacked,
    why_no_passenger,
    why_no_ride,
    why_no_sabotage,
    why_no_summon,
    why_not_reactivated,
    within_lock,
)
from games.room25.rules.event_cards import why_no_robot, why_no_yellow_step
from games.room25.rules.guard_powers import (
    has_power,
    slots_of,
    why_no_replacement,
    why_not_turned_down,
)
from games.room25.rules.locks import why_no_lock
from games.room25.rules.moves import (
    why_no_control,
    why_no_look,
    why_no_shift,
    why_no_step,
    why_no_victim,
    why_not_together,
)
from games.room25.rules.optional_actions import why_no_claim, why_no_reminder
from games.room25.rules.panics import why_no_ride_together, why_no_swap, why_not_scattered
from games.room25.rules.programming import why_no_adrenaline, why_no_token
from games.room25.rules.robots import (
    why_no_robot_step,
    why_no_robot_victim,
    why_not_pushed_instead,
)
from games.room25.rules.rooms import why_no_role, why_no_tunnel
from games.room25.rules.turn_structure import queued, why_no_boost, why_no_free_action

Told = Iterator[Unavailable]
Meaning = Mapping[str, JsonValue]


HIDE: Final = "hide"
"""What an architect may do besides looking: turn a room down."""


def _about(part: str, told: Told, **named: JsonValue) -> Told:
    """The same, said of a part of what the decision allows; ``named`` tells it in each meaning."""
    return (Unavailable({**named, **each.meaning}, each.code, part) for each in told)


def _told(each: Iterable[tuple[Meaning, Why | None]]) -> Told:
    """Those that have a reason."""
    return (Unavailable(meaning, why) for meaning, why in each if why is not None)


def _cells(why_not: Callable[[Cell], Why | None], *, as_: str = "cell", **about: JsonValue) -> Told:
    """Of every cell; ``as_`` is the field that names it."""
    return _told(({**about, as_: cell}, why_not(cell)) for cell in CELLS)


def _lines(why_not: Callable[[Line, Direction], Why | None]) -> Told:
    return _told(
        ({"line": line, "way": way}, why_not(line, way))
        for line in LINES
        for way in LINE_WAYS[line]
    )


def _acting(state: State, ask: Ask) -> tuple[Character, Cell]:
    """Who is asked, and where it stands.

    Raises:
        ValueError: it is dead, and would not be asked.
    """
    c = state.characters[ask.character]
    if c.cell is None:
        raise ValueError(f"{c.id} is not on the board")
    return c, c.cell


# --- the aims of actions ---


def _looks(state: State, ask: Ask) -> Told:
    c, start = _acting(state, ask)
    if not has_power(c, "far_look"):
        return _cells(partial(why_no_look, state, start))
    turned = _cells(partial(why_not_turned_down, state), as_="hide")
    return chain(_face_down(state, ask), _about(HIDE, turned))


def _steps(state: State, ask: Ask) -> Told:
    return _cells(partial(why_no_step, state, state.characters[ask.character]))


def _pushes(state: State, ask: Ask) -> Told:
    """Who cannot be pushed at all, and where those cannot be pushed who can.

    Of two at once it says no more: each of them must be able to be pushed there.
    """
    c, _ = _acting(state, ask)
    for victim in state.characters.values():
        if victim.id != c.id:
            why = why_no_victim(state, c, victim)
            yield from _moved(why, partial(why_no_step, state, victim), character=victim.id)


def _moved(why: Why | None, why_not: Callable[[Cell], Why | None], **about: JsonValue) -> Told:
    """Why somebody, whom ``about`` names, is brought nowhere, or not to some rooms."""
    ways = (cell for cell in CELLS if why_not(cell) is None)
    why = why or (Why.NO_WAY if next(ways, None) is None else None)
    return _cells(why_not, **about) if why is None else _told([(about, why)])


def _shifts(state: State, ask: Ask) -> Told:
    c, start = _acting(state, ask)
    if has_power(c, "any_line"):
        return _any_shift(state, ask)
    return _lines(partial(why_no_control, state, start))


def _any_shift(state: State, _: Ask) -> Told:
    return _lines(partial(why_no_shift, state))


# --- what rooms and robots ask ---


def _face_down(state: State, _: Ask) -> Told:
    return _cells(lambda cell: Why.FACE_UP if state.grid[cell].up else None)


def _tunnels(state: State, ask: Ask) -> Told:
    return _cells(partial(why_no_tunnel, state, ask))


def _roles(state: State, ask: Ask) -> Told:
    everybody = state.characters.values()
    return _told(({"character": c.id}, why_no_role(state, ask, c)) for c in everybody)


def _orders(state: State, _: Ask) -> Told:
    return _robot_orders(state)


def _robot_orders(state: State) -> Told:
    for robot, start in enumerate(state.robots, 1):
        if start is None:
            yield Unavailable({"robot": robot}, Why.NOT_IN_PLAY)
            continue
        yield from _cells(partial(why_no_robot_step, state, start), as_="move", robot=robot)
        yield from _robot_pushes(state, robot, partial(why_no_robot_victim, state, start))


def _robot_pushes(state: State, robot: int, why_not: Callable[[Character], Why | None]) -> Told:
    for victim in state.characters.values():
        way = partial(why_no_step, state, victim)
        yield from _moved(why_not(victim), way, robot=robot, push=victim.id)


def _orders_again(state: State, ask: Ask) -> Told:
    """The same robot must push, and somebody else."""
    again = int(ask.about[0])
    for i, start in enumerate(state.robots):
        if i != again:
            yield Unavailable({"robot": i + 1}, Why.OTHER_ROBOT)
        elif start is not None:
            yield from _robot_pushes(
                state, i + 1, partial(why_not_pushed_instead, state, ask, start)
            )


# --- what cards ask ---


def _yellow_steps(state: State, ask: Ask) -> Told:
    return _cells(partial(why_no_yellow_step, state, state.characters[ask.character]))


def _yellow_pushes(state: State, ask: Ask) -> Told:
    """Who cannot be pushed in place of an android at all, and where not."""
    c, _ = _acting(state, ask)
    for other in state.characters.values():
        if other.id != c.id:
            way = partial(why_no_yellow_step, state, other)
            yield from _moved(why_not_together(c, other), way, character=other.id)


def _called_robots(state: State, _: Ask) -> Told:
    robots = range(1, len(state.robots) + 1)
    return _told(({"robot": robot}, why_no_robot(state, robot)) for robot in robots)


def _locked(state: State, ask: Ask) -> Told:
    return _cells(partial(why_no_lock, state, ask.about))


def _swapped(state: State, _: Ask) -> Told:
    """Of each room, by itself, whether it is in any pair; it is called ``first`` for that."""
    return _cells(why_no_swap(state), as_="first")


def _carried(state: State, ask: Ask) -> Told:
    return _cells(partial(why_no_ride_together, state, state.characters[ask.character]))


def _scattered(state: State, ask: Ask) -> Told:
    return _cells(partial(why_not_scattered, state, state.characters[ask.character]))


# --- special abilities ---


def _summons(state: State, c: Character) -> Told:
    others = (other for other in state.characters.values() if other.id != c.id)
    return _told(({"character": other.id}, why_no_summon(state, c, other)) for other in others)


def _carries(state: State, c: Character) -> Told:
    """Who cannot be carried at all, and where those cannot be carried who can."""
    for other in state.characters.values():
        if other.id != c.id:
            way = partial(why_no_ride, state, c, other)
            yield from _moved(why_no_passenger(state, c, other), way, character=other.id)


def _reactivates(state: State, c: Character) -> Told:
    return _cells(partial(why_not_reactivated, state, c))


def _locks(state: State, c: Character) -> Told:
    return _cells(partial(why_no_lock, state, within_lock(c)))


def _hacked_rooms(state: State, c: Character) -> Told:
    """Of each room, by itself, whether it is in any pair; it is called ``first`` for that."""
    return _cells(why_no_building_hacked(state, c), as_="first")


def _sabotages(state: State, c: Character) -> Told:
    robots = range(1, len(state.robots) + 1)
    return _told(({"robot": robot}, why_no_sabotage(state, c, robot)) for robot in robots)


POINTED: Final[Mapping[Skill, Callable[[State, Character], Told]]] = {
    "summon": _summons,
    "carry": _carries,
    "reactivate": _reactivates,
    "lock": _locks,
    "sabotage_robot": _sabotages,
    "hack_building": _hacked_rooms,
    "hack_robot": lambda state, _: _robot_orders(state),
}
"""The abilities by which somebody points at a room, a person or a robot. Others have no aim."""


def _abilities(state: State, ask: Ask) -> Told:
    """Of each ability that a character has now, by its own or by imitation.

    A room may be out of reach of one and good for another, so each names its ``ability``.
    """
    c = state.characters[ask.character]
    for skill in usable_skills(state, c):
        if skill in POINTED:
            yield from _about(skill, POINTED[skill](state, c), ability=skill)


# --- who acts, and by what ---


def _next(state: State, ask: Ask) -> Told:
    queue, seat = queued(state), state.characters[ask.character].seat
    for c in state.of_seat(seat):
        if c.id not in queue:
            yield Unavailable({"character": c.id}, Why.SERVED if c.alive else Why.ELIMINATED)


def _free_actions(state: State, ask: Ask) -> Told:
    c = state.characters[ask.character]
    return _told(({"token": token}, why_no_free_action(c, token)) for token in c.tokens)


def _replacements(state: State, ask: Ask) -> Told:
    c = state.characters[ask.character]
    return _told(
        ({"slot": slot, "token": token}, why_no_replacement(state, c, slot, token))
        for slot in slots_of(c)
        for token in c.tokens
    )


def _boosts(state: State, ask: Ask) -> Told:
    c = state.characters[ask.character]
    return _told(({"token": token}, why_no_boost(state, c, token)) for token in BASIC_ACTIONS)


ASKED: Final[Mapping[str, Callable[[State, Ask], Told]]] = {
    "look_target": _looks,
    "move_target": _steps,
    "push_target": _pushes,
    "control_target": _shifts,
    "killer_step": _steps,
    "vision_target": _face_down,
    "moving_target": _face_down,
    "illusion_target": _face_down,
    "control_room": _any_shift,
    "tunnel_target": _tunnels,
    "secrets_target": _roles,
    "robot_order": _orders,
    "robot_order_again": _orders_again,
    "card_push": _yellow_steps,
    "card_push_other": _yellow_pushes,
    "card_robot": _called_robots,
    "card_lock": _locked,
    "card_lock_target": _locked,
    "card_swap": _swapped,
    "card_carry": _carried,
    "card_scatter": _scattered,
    "special_choice": _abilities,
    "traitor_change": _replacements,
    "next_character": _next,
    "free_action": _free_actions,
    "adrenaline_action": _boosts,
}
"""The questions of the agenda that say so. Others offer all that there is."""

ABOUT: Final[Mapping[str, tuple[str, ...]]] = {
    "look_target": ("", HIDE),
    "special_choice": tuple(POINTED),
}
"""What the reasons of a kind are about, of those in which that is more than one thing."""


def _clues(_: State, __: Decision) -> Told:
    return _cells(lambda cell: None if cell in CLUE_CELLS else Why.NOT_A_CLUE)


def _programs(state: State, decision: Decision) -> Told:
    c = state.characters[decision.subject or ""]
    yield from _told(({"token": token}, why_no_token(c, token)) for token in c.tokens)
    if c.adrenaline != "none":
        yield from _told([({"adrenaline": True}, why_no_adrenaline(state, c))])


CHOSEN_AT_ONCE: Final[Mapping[str, Callable[[State, Decision], Told]]] = {
    "starting_clue": _clues,
    "program": _programs,
}
"""The same of the choices that all make at once."""


def _reminders(state: State, decision: Decision) -> Told:
    return _cells(partial(why_no_reminder, state, decision.seat))


def _claims(state: State, decision: Decision) -> Told:
    return _cells(partial(why_no_claim, state, decision.seat))


AT_ANY_TIME: Final[Mapping[str, Callable[[State, Decision], Told]]] = {
    "place_reminder": _reminders,
    "claim_color": _claims,
}
"""The same of what nobody is asked for."""


def unavailable(state: State, decision: Decision, path: tuple[str, ...]) -> tuple[Unavailable, ...]:
    """What an open decision does not offer, each once, with the reason; no option is a branch."""
    if path:
        return ()
    unasked = CHOSEN_AT_ONCE.get(decision.kind) or AT_ANY_TIME.get(decision.kind)
    if unasked is not None:
        return tuple(unasked(state, decision))
    top = state.agenda[-1]
    if isinstance(top, Ask) and top.id == decision.id and top.kind in ASKED:
        return tuple(ASKED[top.kind](state, top))
    return ()
