"""What must occur in a long run, by heading: read off the rulebooks, not written down twice.

Names under the headings that differ by rulebook begin with its id. What the data allow but no play
can bring about is listed in ``UNREACHABLE``, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from games.room25 import EVENTS
from games.room25 import Code as Rule
from games.room25.editions import RULEBOOKS
from games.room25.model.cards import ALL_CARDS
from games.room25.model.catalogue import color_of
from games.room25.model.characters import CHARACTERS
from games.room25.model.rulebook import Mode, Rulebook
from games.room25.rules.abilities import ABILITIES, IMITATED
from games.room25.rules.choices import CHOICES
from games.table.checks import TableCode
from games.table.events import TABLE_EVENTS
from simulator.illegal import UNKNOWN_GAME
from simulator.room25.coverage import CARDED
from simulator.room25.pairwise import SEATS, UNSAID, cover
from simulator.room25.rare_events import MARKS

UNREACHABLE: Final[dict[tuple[str, str], str]] = {
    ("refusal", str(TableCode.OPTION_IS_A_BRANCH)): "its decisions have one level",
    ("refusal", str(TableCode.OPTION_IS_A_LEAF)): "its decisions have one level",
    ("decision", "pivot_orientation"): (
        "a Pivoting Room is always entered by a step, a summons or an illusion, each of which has "
        "a direction (R73): D14 stands for rooms yet to be invented"
    ),
    ("decision", "first_edition tunnel_target"): (
        "the box holds two tunnels, so from one of them there is only one way to go"
    ),
    ("outcome", "first_edition draw by deaths"): (
        "no room of this rulebook kills the last of two teams at once (S-154); that one dies "
        "just when the resignation of the other takes effect (R117) is left to chance"
    ),
    ("outcome", "ultimate complex"): (
        "in suspicion every role tile is dealt, so there always is a guard (R83)"
    ),
}
"""What is not expected although one might think so, by heading and name, and why."""

Test = Callable[[Rulebook], object]


def _always(_: Rulebook) -> bool:
    return True


def _room(kind: str, copies: int = 1) -> Test:
    return lambda rulebook: rulebook.box.get(kind, 0) >= copies


def _option(name: str) -> Test:
    return lambda rulebook: name in rulebook.options


def _any_mode(test: Callable[[Mode], object]) -> Test:
    return lambda rulebook: any(test(mode) for mode in rulebook.modes.values())


def _acts_freely(rulebook: Rulebook) -> bool:
    return rulebook.guards_freed or any(not mode.programs for mode in rulebook.modes.values())


DECISIONS: Final[dict[str, Test]] = {
    "starting_clue": lambda rulebook: rulebook.clue,
    "program": _always,
    "reveal_guard": _always,
    "place_reminder": _always,
    "claim_color": _always,
    "return": _always,
    "resign": _always,
    "look_target": _always,
    "move_target": _always,
    "push_target": _always,
    "control_target": _always,
    "delay_single": _always,
    "free_action": _acts_freely,
    "next_character": _any_mode(lambda mode: mode.free_order),
    "vision_target": _room("vision"),
    "moving_target": _room("moving"),
    "illusion_target": _room("illusion"),
    "control_room": _room("control"),
    # With two tunnels the way is clear: whither (D10) is asked from the third one on.
    "tunnel_target": _room("tunnel", 3),
    "secrets_target": _room("secrets"),
    "pivot_orientation": _room("pivoting"),
    "robot_order": _room("robot"),
    "robot_order_again": _room("robot"),
    "android": _room("robot"),
    "adrenaline_action": lambda rulebook: rulebook.adrenaline,
    "special_choice": _option("specials"),
    "summon_refuse": _option("specials"),
    "acid_victim": lambda rulebook: "specials" in rulebook.options or rulebook.acts_on_all,
    "killer_step": lambda rulebook: rulebook.identities,
    "traitor_change": lambda rulebook: rulebook.identities,
    "card_lock": _option("madness"),
    "card_lock_target": _option("madness"),
    "card_robot": _option("madness"),
    "card_push": _option("madness"),
    "card_android": _option("madness"),
    "card_push_other": _option("madness"),
    "card_swap": _option("madness"),
    "card_carry": _option("madness"),
    "card_scatter": _option("madness"),
}
"""Every kind of decision, and which rulebooks ask for it: a new one must be entered here."""

DRIVES: Final = ("blind", "steered", "absent", "scenario")
"""How games are played, and that they may begin in an explicit situation."""

TOGETHER: Final = ("players by escape", "complex by deaths", "complex by time")
RIVALS: Final = ("team by escape", "team by deaths", "team by time", "draw by time")
ENDS: Final = {
    "suspicion": ("prisoners by escape", "guards by deaths", "guards by time"),
    "cooperation": TOGETHER,
    "solo": TOGETHER,
    "competition": (*RIVALS, "complex by time"),
    "team": (*RIVALS, "complex by time"),
}
"""How a game of each mode may end, and what decides it (§4.10)."""

PARTIAL: Final = ("prototype", "first_edition")
"""The rulebooks in which some may get out of a cooperation without the others (R88, R89)."""

KILLERS: Final = ("mortal", "acid", "trap", "flooded", "burning", "shredder", "timer")
"""The rooms that kill (§5.4)."""


def things() -> dict[str, tuple[str, ...]]:
    """All that must occur, by heading."""
    everything: dict[str, list[str]] = {
        "event": [str(kind.__struct_config__.tag) for kind in (*TABLE_EVENTS, *EVENTS)],
        "refusal": [*map(str, TableCode), *map(str, Rule), UNKNOWN_GAME],
        "outcome": ["abandoned", "annulled", "cancelled"],
        "mark": list(MARKS),
    }
    for rulebook in RULEBOOKS.values():
        for heading, name in (*_of_modes(rulebook), *_of_rulebook(rulebook)):
            shared = name.startswith(CARDED)
            everything.setdefault(heading, []).append(name if shared else f"{rulebook.id} {name}")
        for heading, name in _extras(rulebook):
            everything.setdefault(heading, []).append(name)
    return {heading: tuple(dict.fromkeys(names)) for heading, names in everything.items()}


def _of_modes(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Player counts, drivers, every value of every option, and how games end."""
    for mode in rulebook.modes.values():
        yield from (("table", f"{mode.id} {seats}") for seats in mode.seats)
        yield from (("drive", f"{mode.id} {drive}") for drive in DRIVES)
        said = {(n, v) for row in cover(rulebook.id, mode.id) for n, v in row.items()}
        settings = sorted(f"{n}={v}" for n, v in said if n != SEATS and v != UNSAID)
        yield from (("option", f"{mode.id} {setting}") for setting in settings)
        yield from (("outcome", f"{mode.id} {end}") for end in _ends(rulebook, mode))


def _ends(rulebook: Rulebook, mode: Mode) -> Iterator[str]:
    """The ends of a mode, with those that only some rulebooks or player counts have."""
    yield from ENDS[mode.id]
    if mode.id == "cooperation" and rulebook.id in PARTIAL:
        yield "players_partial by escape"
    if any(prisoners >= seats for seats, (prisoners, _) in mode.roles.items()):
        yield from ("complex by deaths", "complex by time")  # No guard was dealt (R83).
    if any(count > 2 for count in mode.teams.values()):  # noqa: PLR2004 (two rivals beside the actor)
        yield "draw by escape"


def _of_rulebook(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Rooms entered, ways to die, characters, questions."""
    yield from (("room", kind) for kind in rulebook.box)
    yield from (("death", kind) for kind in KILLERS if kind in rulebook.box)
    if "madness" in rulebook.options:
        yield "death", "time_bomb"
    if any(mode.removes_withdrawn for mode in rulebook.modes.values()):
        yield "death", "resigned"
    yield from (("character", name) for name in rulebook.characters)
    yield from (
        ("decision", kind)
        for kind, test in DECISIONS.items()
        if test(rulebook) and ("decision", kind) not in UNREACHABLE
    )
    known = {kind for kind in CHOICES if kind not in DECISIONS}
    yield from (("decision", kind) for kind in sorted(known))


def _extras(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Abilities, robots, cards, guards' powers: the same in every rulebook that has them."""
    if "specials" in rulebook.options:
        yield from (
            ("ability", name) for sheet in CHARACTERS for name in sheet.skills if name in ABILITIES
        )
        yield from (("ability", f"{name} by bruce") for name in IMITATED)
    if rulebook.robots:
        for giver in ("room", "hack", "mimic"):
            yield from (("robot", f"{giver} {order}") for order in ("move", "push"))
        red = (kind for kind in rulebook.box if color_of(kind) == "red")
        yield from (("robot", f"destroyed in {kind}") for kind in red)
        yield from (("robot", f"kills in {kind}") for kind in ("acid", "shredder"))
    if "madness" in rulebook.options:
        yield from (("card", card) for card in ALL_CARDS)
        yield from (("card", f"panic of {name}") for name in rulebook.characters)
    for identity in rulebook.identities:
        yield from (("power", f"{identity} {use}") for use in POWERS[identity])


POWERS: Final[dict[str, tuple[str, ...]]] = {
    "hacker": ("shift elsewhere", "shift from the centre"),
    "brute": ("double push", "second victim stays"),
    "architect": ("far look", "hide"),
    "killer": ("second step", "stop"),
    "traitor": ("keep", "swap", "replace"),
}
"""What each guard identity may do beyond the ordinary (§6.5)."""
