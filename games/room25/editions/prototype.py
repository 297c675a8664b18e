"""The free prototype, version 2.0 (column ``prototype`` of §2; data)."""

from __future__ import annotations

from games.room25.editions.endings import (
    complex_scores,
    complex_wins,
    deaths_lose,
    identity_at_once,
    majority_escape,
    masks_of_three,
    nobody_left,
    scored_escape,
    suspicion_escape,
    suspicion_last,
    suspicion_now,
    team_last,
    team_now,
    whole_team_escape,
)
from games.room25.model.catalogue import BASIC_ACTIONS, GUARD_IDENTITIES
from games.room25.model.rulebook import Composition, Mode, OptionRule, Rulebook

BOX = {
    "central": 1,
    "room25": 1,
    "empty": 10,
    "vision": 1,
    "moving": 1,
    "control": 1,
    "secrets": 1,
    "vortex": 1,
    "jail": 2,
    "cold": 2,
    "dark": 2,
    "condemned": 2,
    "acid": 2,
    "burning": 2,
    "mortal": 2,
    "illusion": 1,
}
"""Copies (§1.1, column 000); the Chamber of Secrets only for custom compositions (R6)."""

ALL_MODES = ("suspicion", "cooperation", "competition", "team", "solo")

COMPOSITIONS = {
    "simple": Composition(
        {
            "central": 1,
            "room25": 1,
            "empty": 10,
            "vision": 1,
            "control": 1,
            "jail": 2,
            "cold": 2,
            "condemned": 2,
            "acid": 2,
            "mortal": 1,
            "burning": 2,
        },
        ALL_MODES,
    ),
    "expert": Composition(
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
            "condemned": 2,
            "acid": 2,
            "mortal": 2,
            "burning": 2,
            "illusion": 1,
        },
        ALL_MODES,
    ),
}
"""The two lists of §2.1."""

OPTIONS = {
    "composition": OptionRule(
        default=None,
        values=("simple", "expert", "custom"),
    ),
    "rooms": OptionRule(
        default=None,
    ),
    "keep_looked_visible": OptionRule(
        default=False,
        values=(True, False),
    ),
}

_COMMON = ("composition", "rooms")

MODES = {
    mode.id: mode
    for mode in (
        Mode(
            id="suspicion",
            per_seat={4: 1, 5: 1, 6: 1},
            turns={4: 8, 5: 10, 6: 12},
            roles={4: (4, 1), 5: (4, 2), 6: (4, 2)},
            default_composition="simple",
            escape=suspicion_escape,
            end_now=suspicion_now,
            end_last=suspicion_last,
            options=_COMMON,
        ),
        Mode(
            id="cooperation",
            per_seat={4: 1, 5: 1, 6: 1},
            turns={4: 8, 5: 8, 6: 8},
            default_composition="simple",
            escape=scored_escape,
            end_now=nobody_left,
            end_last=complex_scores,
            looks_reveal=True,
            options=_COMMON,
        ),
        Mode(
            id="competition",
            per_seat={2: 2, 3: 2},
            turns={2: 8, 3: 9},
            teams={2: 2, 3: 3},
            default_composition="simple",
            escape=whole_team_escape,
            end_now=team_now,
            end_last=team_last,
            removes_withdrawn=True,
            options=_COMMON,
        ),
        Mode(
            id="team",
            per_seat={4: 1, 6: 1},
            turns={4: 8, 6: 9},
            teams={4: 2, 6: 3},
            default_composition="simple",
            escape=whole_team_escape,
            end_now=team_now,
            end_last=team_last,
            removes_withdrawn=True,
            options=_COMMON,
        ),
        Mode(
            id="solo",
            per_seat={1: 4},
            turns={1: 8},
            default_composition="simple",
            escape=majority_escape,
            end_now=deaths_lose(2),
            end_last=complex_wins,
            free_order=True,
            options=(*_COMMON, "keep_looked_visible"),
        ),
    )
}

PROTOTYPE = Rulebook(
    id="prototype",
    words=("prototype",),
    version=1,
    box=BOX,
    outer=("room25",),
    actions=BASIC_ACTIONS,
    modes=MODES,
    compositions=COMPOSITIONS,
    options=OPTIONS,
    clue=False,
    masks=masks_of_three,
    identity=identity_at_once,
    direction_lock=False,
    jail_to_centre=False,
    guards_freed=False,
    movable_reminders=True,
    reveal_any_time=True,
    identities=GUARD_IDENTITIES,
    cold_lingers=True,
    acts_on_all=("cold", "burning", "illusion", "vortex", "mortal"),
)
