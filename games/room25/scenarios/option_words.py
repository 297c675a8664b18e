"""What the ids of options and decisions are made of, for each kind of decision (pure).

A form is an id with its words left out: ``{character}:{cell}`` stands for ``kevin:r1c3``. Between
the braces stands a term of ``vocabulary``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.room25.rules.actions import LOSE
from games.room25.rules.choices import CHOICES
from games.room25.rules.guard_powers import KEEP, REPLACE, STOP, SWAP
from games.room25.rules.programming import ADRENALINE, NOTHING
from games.room25.rules.rooms import CARRIER, PASSENGER
from games.room25.rules.turn_structure import PASS
from games.room25.scenarios.vocabulary import DECISION_KINDS

_CELL: Final = ("{cell}",)
_OTHER_CELL: Final = ("{other cell}",)
_ORDERS: Final = ("{robot}:move:{cell}", "{robot}:push:{character}:{cell}")
_OFFER: Final = ("refuse", "accept")
_PLAN: Final = ("{action}", "{action}+{action}")

OPTION_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "acid_victim": (PASSENGER, CARRIER),
    "adrenaline_action": ("{basic action}",),
    "android": _OFFER,
    "card_android": _OFFER,
    "card_carry": _OTHER_CELL,
    "card_lock": ("{other cell}", "{other cell}:{other cell}"),
    "card_lock_target": _OTHER_CELL,
    "card_push": _OTHER_CELL,
    "card_push_other": ("{character}:{other cell}",),
    "card_robot": ("{robot}",),
    "card_scatter": _OTHER_CELL,
    "card_swap": ("{neighbours}",),
    "claim_color": ("{other cell}:{colour}",),
    "control_room": ("{shift}",),
    "control_target": ("{shift}", LOSE),
    "delay_single": ("play_now", "delay"),
    "free_action": ("{action}", PASS),
    "illusion_target": _OTHER_CELL,
    "killer_step": (STOP, *_CELL),
    "look_target": ("{other cell}", "hide:{other cell}", LOSE),
    "move_target": _CELL,
    "moving_target": _OTHER_CELL,
    "next_character": ("{character}",),
    "pivot_orientation": ("{axis}",),
    "place_reminder": _OTHER_CELL,
    "program": (*_PLAN, *(f"{plan}+{ADRENALINE}" for plan in _PLAN), NOTHING, ADRENALINE),
    "push_target": ("{character}:{cell}", "{character}+{character}:{cell}", LOSE),
    "resign": ("resign",),
    "return": ("return",),
    "reveal_guard": ("reveal",),
    "robot_order": _ORDERS,
    "robot_order_again": (_ORDERS[1],),
    "secrets_target": ("{character}",),
    "special_choice": (
        "summon:{character}",
        "invisibility",
        "carry:{character}:{cell}",
        "reactivate:{other cell}",
        "lock:{other cell}",
        "lock:{other cell}:{other cell}",
        "sabotage_room",
        "sabotage_robot:{robot number}",
        "hack_building:{pair}",
        *(f"hack_robot:{order}" for order in _ORDERS),
        "vitality",
    ),
    "starting_clue": ("{clue cell}",),
    "summon_refuse": _OFFER,
    "traitor_change": (KEEP, SWAP, REPLACE + ":{slot}:{action}"),
    "tunnel_target": _OTHER_CELL,
    "vision_target": _OTHER_CELL,
}
"""The ids that the options of each kind of decision can have."""

ID_FORMS: Final[Mapping[str, str]] = {
    **{kind: "t{turn}-{number}-" + kind.replace("_", "-") for kind in DECISION_KINDS},
    "starting_clue": "clue-s{seat}",
    "program": "t{turn}-program-{character}",
    "reveal_guard": "reveal-{character}",
    "place_reminder": "reminder-s{seat}-{number}",
    "claim_color": "claim-s{seat}-{number}",
    "resign": "resign-s{seat}",
    "return": "return-s{seat}-{number}",
}
"""The ids that a decision of each kind can have."""

POWER_FORMS: Final = ("hide:{other cell}", "{character}+{character}:{cell}", "{cell}")
"""What a revealed guard's power was used for (§6.5)."""

WAIT_FORMS: Final = (
    "clue",
    "t{turn}-program",
    *(form for kind, form in ID_FORMS.items() if kind in CHOICES),
)
"""What the table waits for: all starting clues, all programmes of a turn, or a decision."""

JOINED: Final = frozenset({"shift", "neighbours", "pair"})
"""Terms whose words have a colon inside."""
