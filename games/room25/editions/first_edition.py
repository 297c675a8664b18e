"""The first published edition (column ``first_edition`` of §2; data)."""

from __future__ import annotations

from games.room25.editions.endings import (
    complex_wins,
    deaths_lose,
    identity_chain,
    masks_of_majority,
    survivors_escape,
    suspicion_escape,
    suspicion_last,
    suspicion_now,
    team_escape,
    team_last,
    team_now,
)
from games.room25.model.catalogue import BASIC_ACTIONS
from games.room25.model.rulebook import Composition, Mode, OptionRule, Rulebook

BOX = {
    "central": 1,
    "room25": 1,
    "empty": 8,
    "vision": 1,
    "moving": 1,
    "control": 1,
    "tunnel": 2,
    "vortex": 2,
    "jail": 2,
    "cold": 2,
    "dark": 2,
    "acid": 2,
    "trap": 2,
    "flooded": 2,
    "mortal": 2,
    "illusion": 1,
}
"""Copies in the box (§1.1, column 004): 32 tiles."""

COMPOSITIONS = {
    "beginner": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 8,
            "vision": 1,
            "control": 1,
            "vortex": 2,
            "cold": 2,
            "dark": 2,
            "acid": 2,
            "mortal": 1,
            "trap": 2,
            "flooded": 2,
        },
        ("suspicion", "cooperation", "competition", "team", "solo"),
    ),
    "suspicion": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 6,
            "vision": 1,
            "control": 1,
            "moving": 1,
            "vortex": 1,
            "cold": 2,
            "dark": 2,
            "acid": 2,
            "mortal": 2,
            "trap": 2,
            "flooded": 2,
            "illusion": 1,
        },
        ("suspicion",),
    ),
    "open": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 4,
            "vision": 1,
            "control": 1,
            "tunnel": 2,
            "vortex": 1,
            "jail": 2,
            "cold": 2,
            "dark": 2,
            "acid": 2,
            "mortal": 1,
            "trap": 2,
            "flooded": 2,
            "illusion": 1,
        },
        ("cooperation", "competition", "team", "solo"),
    ),
}
"""The three lists of §2.1, as R4 fixes them."""

OPTIONS = {
    "composition": OptionRule(
        default=None,
        values=("beginner", "suspicion", "open", "custom"),
    ),
    "rooms": OptionRule(
        default=None,
    ),
    "reminders": OptionRule(
        default=True,
        values=(True, False),
    ),
    "team_talk": OptionRule(
        default=True,
        values=(True, False),
    ),
}

_COMMON_OPTIONS = ("composition", "rooms", "reminders")

MODES = {
    mode.id: mode
    for mode in (
        Mode(
            id="suspicion",
            per_seat={4: 1, 5: 1, 6: 1},
            turns={4: 10, 5: 10, 6: 10},
            roles={4: (4, 1), 5: (4, 2), 6: (4, 2)},
            default_composition="suspicion",
            escape=suspicion_escape,
            end_now=suspicion_now,
            end_last=suspicion_last,
            alarm=True,
            options=_COMMON_OPTIONS,
        ),
        Mode(
            id="cooperation",
            per_seat={2: 2, 3: 2, 4: 1, 5: 1, 6: 1},
            turns={2: 8, 3: 8, 4: 8, 5: 8, 6: 8},
            duos=True,
            default_composition="open",
            escape=survivors_escape(1),
            end_now=deaths_lose(2),
            end_last=complex_wins,
            options=_COMMON_OPTIONS,
        ),
        Mode(
            id="competition",
            per_seat={2: 2, 3: 2},
            turns={2: 10, 3: 10},
            duos=True,
            teams={2: 2, 3: 3},
            default_composition="open",
            escape=team_escape,
            end_now=team_now,
            end_last=team_last,
            alarm=True,
            removes_withdrawn=True,
            options=_COMMON_OPTIONS,
        ),
        Mode(
            id="team",
            per_seat={4: 1, 6: 1},
            turns={4: 10, 6: 10},
            teams={4: 2, 6: 2},
            team_casting=True,
            default_composition="open",
            escape=team_escape,
            end_now=team_now,
            end_last=team_last,
            alarm=True,
            removes_withdrawn=True,
            options=(*_COMMON_OPTIONS, "team_talk"),
        ),
        Mode(
            id="solo",
            per_seat={1: 4},
            turns={1: 8},
            default_composition="open",
            escape=survivors_escape(0),
            end_now=deaths_lose(1),
            end_last=complex_wins,
            programs=False,
            options=_COMMON_OPTIONS,
        ),
    )
}

FIRST_EDITION = Rulebook(
    id="first_edition",
    version=1,
    box=BOX,
    outer=("room25", "vision"),
    actions=BASIC_ACTIONS,
    modes=MODES,
    compositions=COMPOSITIONS,
    options=OPTIONS,
    clue=True,
    masks=masks_of_majority,
    identity=identity_chain,
)
