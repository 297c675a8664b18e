"""The Ultimate edition, and the online platform's rulebook that follows it (R1; data)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from games.room25.editions.endings import (
    complex_wins,
    deaths_lose,
    identity_chain,
    key_escape,
    masks_of_the_last,
    suspicion_escape,
    suspicion_last,
    suspicion_now,
)
from games.room25.model.catalogue import BASIC_ACTIONS
from games.room25.model.characters import EVERYBODY
from games.room25.model.rulebook import Composition, Mode, OptionRule, Rulebook

BOX = {
    "central": 1,
    "room25": 1,
    "key": 1,
    "empty": 8,
    "vision": 1,
    "moving": 1,
    "control": 1,
    "tunnel": 3,
    "regeneration": 1,
    "robot": 2,
    "vortex": 2,
    "jail": 2,
    "cold": 2,
    "dark": 2,
    "pivoting": 2,
    "mac": 2,
    "mirror": 1,
    "jamming": 1,
    "acid": 2,
    "trap": 2,
    "flooded": 2,
    "mortal": 2,
    "shredder": 2,
    "paranoia": 1,
    "timer": 1,
    "illusion": 1,
}
"""Copies in the box of 47 (§1.1, column 003, R5)."""

TOGETHER = ("cooperation", "solo")

COMPOSITIONS = {
    "first_try": Composition(
        {
            "central": 1,
            "room25": 1,
            "key": 1,
            "empty": 1,
            "vision": 1,
            "control": 1,
            "vortex": 2,
            "jail": 2,
            "cold": 2,
            "dark": 2,
            "pivoting": 2,
            "acid": 2,
            "mortal": 1,
            "trap": 2,
            "flooded": 2,
            "shredder": 2,
        },
        TOGETHER,
    ),
    "normal": Composition(
        {
            "central": 1,
            "room25": 1,
            "key": 1,
            "tunnel": 3,
            "vortex": 1,
            "jail": 2,
            "cold": 2,
            "dark": 2,
            "pivoting": 2,
            "acid": 2,
            "mortal": 2,
            "trap": 2,
            "flooded": 2,
            "shredder": 2,
        },
        TOGETHER,
    ),
    "one_guard": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 2,
            "vision": 1,
            "control": 1,
            "moving": 1,
            "vortex": 2,
            "jail": 2,
            "cold": 2,
            "dark": 2,
            "acid": 2,
            "mortal": 2,
            "trap": 2,
            "flooded": 2,
            "shredder": 2,
        },
        ("suspicion",),
        guards=1,
    ),
    "two_guards": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 4,
            "vision": 1,
            "control": 1,
            "moving": 1,
            "vortex": 1,
            "jail": 2,
            "cold": 2,
            "dark": 2,
            "pivoting": 1,
            "acid": 2,
            "mortal": 1,
            "trap": 2,
            "flooded": 2,
            "shredder": 1,
        },
        ("suspicion",),
        guards=2,
    ),
    "mix_one_guard": Composition(
        {"central": 1, "room25": 1, "jamming": 1, "mortal": 2, "timer": 1},
        ("suspicion",),
        guards=1,
        fill={"green": 5, "yellow": 7, "red": 7},
    ),
    "mix_two_guards": Composition(
        {
            "central": 1,
            "room25": 1,
            "regeneration": 1,
            "robot": 1,
            "jamming": 1,
            "mortal": 1,
            "shredder": 2,
        },
        ("suspicion",),
        guards=2,
        fill={"green": 5, "yellow": 7, "red": 5},
    ),
    "mix_cooperation": Composition(
        {"central": 1, "room25": 1, "key": 1, "pivoting": 2, "mortal": 2, "timer": 1},
        TOGETHER,
        fill={"green": 4, "yellow": 5, "red": 8},
        never=("regeneration",),
    ),
}
"""The lists of §2.1 and the colour table of R5b."""

OPTIONS = {
    "composition": OptionRule(
        default=None,
        values=(*COMPOSITIONS, "custom"),
    ),
    "rooms": OptionRule(
        default=None,
    ),
    "guards": OptionRule(
        default=None,
        values=(1, 2),
    ),
    "specials": OptionRule(
        default=True,
        values=(True, False),
    ),
    "adrenaline": OptionRule(
        default=True,
        values=(True, False),
    ),
    "madness": OptionRule(
        default=False,
        values=(True, False),
    ),
    "madness_cards": OptionRule(
        default=False,
        values=(True, False),
    ),
    "reminders": OptionRule(
        default=True,
        values=(True, False),
    ),
}

_COMMON = ("composition", "rooms", "specials", "reminders")


def _suspicion_list(options: Mapping[str, object]) -> str:
    name = "one_guard" if options["guards"] == 1 else "two_guards"
    return f"mix_{name}" if options["specials"] else name


def _cooperation_list(options: Mapping[str, object]) -> str:
    return "mix_cooperation" if options["specials"] else "first_try"


def _suspicion(*options: str) -> Mode:
    return Mode(
        id="suspicion",
        per_seat={4: 1, 5: 1, 6: 1, 7: 1, 8: 1},
        turns={4: 10, 5: 10, 6: 10, 7: 9, 8: 8},
        roles={4: (3, 1), 5: (4, 1), 6: (4, 2), 7: (5, 2), 8: (6, 2)},
        other_roles={5: (3, 2)},
        default_composition="mix_one_guard",
        compositions=_suspicion_list,
        escape=suspicion_escape,
        end_now=suspicion_now,
        end_last=suspicion_last,
        alarm=True,
        options=(*_COMMON, "guards", "madness_cards", *options),
    )


def _together(name: str, per_seat: Mapping[int, int], *options: str) -> Mode:
    turns = {4: 8, 5: 7, 6: 6}
    return Mode(
        id=name,
        per_seat=per_seat,
        turns={seats: turns[seats * each] for seats, each in per_seat.items()},
        default_composition="mix_cooperation",
        compositions=_cooperation_list,
        escape=key_escape,
        end_now=deaths_lose(1),
        end_last=complex_wins,
        needs_key=True,
        cards=True,
        open_programs=name == "solo",
        options=(*_COMMON, "madness", *options),
    )


def _modes(*options: str) -> dict[str, Mode]:
    return {
        "suspicion": _suspicion(*options),
        "cooperation": _together("cooperation", {2: 2, 3: 2, 4: 1, 5: 1, 6: 1}, *options),
        "solo": _together("solo", {1: 4}, *options),
    }


ULTIMATE = Rulebook(
    id="ultimate",
    words=("ultimate",),
    version=1,
    box=BOX,
    outer=("room25", "key", "moving", "vision", "robot"),
    actions=BASIC_ACTIONS,
    modes=_modes(),
    compositions=COMPOSITIONS,
    options={name: rule for name, rule in OPTIONS.items() if name != "adrenaline"},
    clue=True,
    masks=masks_of_the_last,
    identity=identity_chain,
    characters=EVERYBODY,
    reveal_needs_room25=True,
    dead_show_last_turn=True,
    robots=2,
    locks=2,
    adrenaline=True,
)

BGA = replace(
    ULTIMATE,
    id="bga",
    words=("bga", "ultimate"),
    modes=_modes("adrenaline"),
    options=OPTIONS,
)
