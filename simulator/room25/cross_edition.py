"""Openings that are right elsewhere: what belongs to another rulebook or mode, or to other seats.

Everything here is written down from the rules (§2, §2.1), none of it read off the engine's data.
The code with which an opening must be refused depends on how far it gets: the mode, the seats, the
options, the rooms and the situation are looked at in this order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from games.room25 import Code
from simulator.room25.inventory import IDENTITIES, ROLES
from simulator.room25.plans import Plan

PROTOTYPE: Final = "prototype"
EARLY: Final = frozenset({PROTOTYPE, "first_edition"})
PLAYERS_MAX: Final = 9

SEATS: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    "prototype": {
        "suspicion": (4, 5, 6),
        "cooperation": (4, 5, 6),
        "competition": (2, 3),
        "team": (4, 6),
        "solo": (1,),
    },
    "first_edition": {
        "suspicion": (4, 5, 6),
        "cooperation": (2, 3, 4, 5, 6),
        "competition": (2, 3),
        "team": (4, 6),
        "solo": (1,),
    },
    "ultimate": {
        "suspicion": (4, 5, 6, 7, 8),
        "cooperation": (2, 3, 4, 5, 6),
        "solo": (1,),
    },
    "bga": {
        "suspicion": (4, 5, 6, 7, 8),
        "cooperation": (2, 3, 4, 5, 6),
        "solo": (1,),
    },
}
"""How many play (§2 row 1); modes that a rulebook does not name are unknown to it."""

SWITCHES: Final[Mapping[str, frozenset[tuple[str, str]]]] = {
    "keep_looked_visible": frozenset({("prototype", "solo")}),
    "team_talk": frozenset({("first_edition", "team")}),
    "reminders": frozenset(
        (book, mode) for book in ("first_edition", "ultimate", "bga") for mode in SEATS[book]
    ),
    "specials": frozenset((book, mode) for book in ("ultimate", "bga") for mode in SEATS[book]),
    "adrenaline": frozenset(("bga", mode) for mode in SEATS["bga"]),
    "madness": frozenset(
        (book, mode) for book in ("ultimate", "bga") for mode in ("cooperation", "solo")
    ),
    "madness_cards": frozenset({("ultimate", "suspicion"), ("bga", "suspicion")}),
}
"""Options that are on or off, and where they are known (§2 rows 11, 12, 13, 18; R132)."""

LISTS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "prototype": dict.fromkeys(("simple", "expert"), frozenset(SEATS["prototype"])),
    "first_edition": {
        "beginner": frozenset(SEATS["first_edition"]),
        "suspicion": frozenset({"suspicion"}),
        "open": frozenset(SEATS["first_edition"]) - {"suspicion"},
    },
    "ultimate": {
        "first_try": frozenset({"cooperation", "solo"}),
        "normal": frozenset({"cooperation", "solo"}),
        "mix_cooperation": frozenset({"cooperation", "solo"}),
        "one_guard": frozenset({"suspicion"}),
        "two_guards": frozenset({"suspicion"}),
        "mix_one_guard": frozenset({"suspicion"}),
        "mix_two_guards": frozenset({"suspicion"}),
    },
}
"""Lists of rooms and the modes that they are for (§2.1); ``bga`` has those of ``ultimate`` (R1)."""

COPIES: Final[Mapping[str, Mapping[str, int]]] = {
    "prototype": {"empty": 10, "condemned": 2, "secrets": 1, "trap": 0, "robot": 0, "tunnel": 0},
    "first_edition": {"empty": 8, "tunnel": 2, "vortex": 2, "burning": 0, "key": 0, "mac": 0},
    "ultimate": {"empty": 8, "tunnel": 3, "mac": 2, "secrets": 0, "condemned": 0, "burning": 0},
}
"""How many rooms of some kinds the boxes hold (§1.1)."""

PLAIN: Final = {
    "central": 1,
    "room25": 1,
    "vision": 1,
    "control": 1,
    "cold": 2,
    "dark": 2,
    "jail": 2,
    "acid": 2,
    "mortal": 2,
}
"""Rooms that every box holds."""

ALL_EIGHT: Final = ("emmett", "kevin", "franck", "jennifer", "max", "alice", "sarah", "bruce")
THREE: Final = ("r0c0", "r0c1", "r1c0")
"""More cells than there are robots or locks."""
FEW: Final = 4
"""From so many players on each has one character in cooperation."""

GUARDS: Final = "guards"
FIVE: Final = 5


class Foreign(NamedTuple):
    """What differs from a plan's opening, and the code that refuses it."""

    changes: Mapping[str, Any]
    code: str


def foreign_openings(plan: Plan) -> Iterator[Foreign]:
    """Openings that differ from a plan's in something that its rulebook or mode does not have."""
    for mode in {mode for modes in SEATS.values() for mode in modes} - set(SEATS[plan.rulebook]):
        yield Foreign({"mode": mode}, Code.UNKNOWN_MODE)
    for seats in set(range(PLAYERS_MAX + 1)) - set(SEATS[plan.rulebook][plan.mode]):
        yield Foreign({"seats": seats}, Code.BAD_SEAT_COUNT)
    yield from _switches(plan)
    yield from _guards(plan)
    yield from _lists(plan)
    yield from _rooms(plan)
    yield from _situations(plan)


def _options(plan: Plan, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 (values of options)
    return {"options": {**plan.options, **changes}}


def _switches(plan: Plan) -> Iterator[Foreign]:
    for name, where in SWITCHES.items():
        if (plan.rulebook, plan.mode) not in where:
            for value in (True, False):
                yield Foreign(_options(plan, **{name: value}), Code.UNKNOWN_OPTION)
        else:
            for wrong in (1, "on", None, [True]):
                yield Foreign(_options(plan, **{name: wrong}), Code.BAD_OPTION)


def _guards(plan: Plan) -> Iterator[Foreign]:
    """One or two guards, and only five players may choose (R12)."""
    if plan.rulebook in EARLY or plan.mode != "suspicion":
        yield Foreign(_options(plan, guards=1), Code.UNKNOWN_OPTION)
        return
    dealt = ROLES[plan.rulebook][plan.seats][1]
    wrong: list[object] = [0, 3, "1", True, None]
    wrong += [] if plan.seats == FIVE else [3 - dealt]
    for number in wrong:
        yield Foreign(_options(plan, guards=number), Code.BAD_OPTION)


def _lists(plan: Plan) -> Iterator[Foreign]:
    """Lists of other rulebooks, of other modes, and for another number of guards (§2.1)."""
    own = LISTS[_box(plan)]
    bare = {name: value for name, value in plan.options.items() if name != "rooms"}
    for known in LISTS.values():
        for name in known:
            if name not in own:
                yield Foreign({"options": {**bare, "composition": name}}, Code.BAD_OPTION)
    for name, modes in own.items():
        if plan.mode not in modes or _needs_other_guards(plan, name):
            yield Foreign({"options": {**bare, "composition": name}}, Code.BAD_COMPOSITION)
        elif name in {"simple", "beginner", "normal"}:
            both = {**bare, "composition": name, "rooms": {"empty": 8}}
            yield Foreign({"options": both}, Code.BAD_COMPOSITION)


def _needs_other_guards(plan: Plan, name: str) -> bool:
    if plan.rulebook in EARLY or plan.mode != "suspicion":
        return False
    usual = ROLES[plan.rulebook][plan.seats][1]
    dealt = plan.options.get(GUARDS) or usual
    return ("one_guard" in name) != (dealt == 1)


def _rooms(plan: Plan) -> Iterator[Foreign]:
    """Rooms of one's own that another box holds, more than this one holds, or with a wrong key."""
    rooms = rooms_of_ones_own(plan)
    for kind, most in COPIES[_box(plan)].items():
        wrong = {**rooms, kind: most + 1}
        wrong["vision" if kind == "empty" else "empty"] -= wrong[kind] - rooms.get(kind, 0)
        yield Foreign(_custom(plan, wrong), Code.BAD_COMPOSITION)
    keys = 0 if "key" in rooms else 1
    wrong = {**rooms, "key": keys, "empty": rooms["empty"] + 1 - 2 * keys}
    yield Foreign(_custom(plan, wrong), Code.BAD_COMPOSITION)


def rooms_of_ones_own(plan: Plan) -> dict[str, int]:
    """25 rooms that the plan's table may have."""
    late = {"vortex": 2, "moving": 1, "empty": 8}
    rooms = PLAIN | ({"vortex": 1, "empty": 10} if plan.rulebook == PROTOTYPE else late)
    return rooms | {"key": 1, "empty": rooms["empty"] - 1} if _is_keyed(plan) else rooms


def _is_keyed(plan: Plan) -> bool:
    return plan.rulebook not in EARLY and plan.mode != "suspicion"


def _box(plan: Plan) -> str:
    return "ultimate" if plan.rulebook == "bga" else plan.rulebook


def _custom(plan: Plan, rooms: Mapping[str, int]) -> dict[str, Any]:
    return _options(plan, composition="custom", rooms=rooms)


# --- situations ---


def situation_of_ones_own(plan: Plan) -> dict[str, Any]:
    """A position that the plan's table may have: everybody in the middle of empty rooms."""
    each = 4 if plan.mode == "solo" else 2 if _holds_two(plan) else 1
    names = iter(ALL_EIGHT)
    figures: dict[str, dict[str, Any]] = {
        next(names): {"seat": seat} for seat in range(1, plan.seats + 1) for _ in range(each)
    }
    if plan.mode == "suspicion":
        prisoners, guards = ROLES[plan.rulebook][plan.seats]
        if plan.options.get(GUARDS, guards) == guards + 1:
            prisoners, guards = prisoners - 1, guards + 1
        roles = ["prisoner"] * prisoners + ["guard"] * guards
        for c, role, identity in zip(figures.values(), roles, IDENTITIES * 2, strict=False):
            c["role"] = role
            if role == "guard" and plan.rulebook == PROTOTYPE:
                c["identity"] = identity
    return {"characters": figures, "turn": 2}


def _holds_two(plan: Plan) -> bool:
    """Whether each player has two characters (§2 row 3)."""
    few = plan.mode == "cooperation" and plan.seats < FEW
    return plan.mode == "competition" or few


def _situations(plan: Plan) -> Iterator[Foreign]:
    """Positions with something that the rulebook, the mode or the options do not have."""
    base = situation_of_ones_own(plan)
    for changes in (*_strange_things(plan), *_strange_figures(plan, base["characters"])):
        yield Foreign({"situation": {**base, **changes}}, Code.IMPOSSIBLE_SCENARIO)


def _strange_things(plan: Plan) -> Iterator[dict[str, Any]]:
    yield {"turn": 11 if plan.rulebook != PROTOTYPE else 13}
    if plan.rulebook == PROTOTYPE:
        yield {"turn": 1, "phase": "clue"}
        yield {"markers": {"row0": "left"}}
    if plan.rulebook in EARLY:
        yield {"robots": ["r0c0"]}
        yield {"deck": ["M01"]}
        yield {"tiles": {"r0c0": {"kind": "dark", "lock": True}}}
    else:
        yield {"robots": list(THREE)}
        yield {"tiles": {where: {"kind": "empty", "lock": True} for where in THREE}}
    if not _is_keyed(plan):
        yield {"key_activated": True}
    for kind, most in COPIES[_box(plan)].items():
        if not most:
            yield {"tiles": {"r0c0": kind}}


def _strange_figures(plan: Plan, figures: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    name = next(iter(figures))

    def given(**facts: Any) -> dict[str, Any]:  # noqa: ANN401 (facts of a character)
        return {"characters": {**figures, name: {**figures[name], **facts}}}

    if plan.rulebook != PROTOTYPE:
        yield given(cold_next=True)
        yield given(identity="hacker")
    if plan.rulebook in EARLY:
        yield given(adrenaline="available")
        yield given(spares=1)
        yield given(program=["special"])
        yield {"characters": {"sarah": figures[name]} | dict(list(figures.items())[1:])}
    if plan.mode != "suspicion":
        yield given(role="prisoner")
    else:
        yield given(role="judge")
    yield given(free=True)
    yield given(stack=["look"])
