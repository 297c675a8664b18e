"""Which golden games there are: how each is played, and what it is kept for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from games.table.events import Delay, SayPhrase
from simulator import golden_games


class Recipe(golden_games.GoldenRecipe, frozen=True, kw_only=True):
    """How a golden game of Room 25 is played; of the first edition if nothing else is said."""

    game: str = "room25"
    rulebook: str = "first_edition"


def _edition(rulebook: str, mode: str, seats: int, **options: Any) -> Recipe:  # noqa: ANN401 (as a table's options are)
    return Recipe(
        name=f"{rulebook}-{mode}-{seats}",
        rulebook=rulebook,
        mode=mode,
        seats=seats,
        seed=0,
        options=options,
    )


_ALL_INSIDE: Final[Mapping[str, Any]] = {
    "tiles": {"r0c4": "room25", "r0c3": {"kind": "acid", "face": "down"}},
    "rest": "empty",
    "turn": 8,
    "phase": "round_1",
    "characters": {
        name: {"seat": seat, "cell": "r0c4", "program": ["control", "look"]}
        for seat, name in enumerate(("emmett", "kevin", "franck", "jennifer"), 1)
    },
}
_MASKED_BALL: Final[Mapping[str, Any]] = {
    "tiles": {
        "r4c0": "room25",
        "r3c0": {"kind": "mortal", "face": "down"},
        "r0c0": {"kind": "illusion", "face": "down"},
    },
    "rest": "empty",
    "turn": 10,
    "phase": "programming",
    "characters": {
        "emmett": {"seat": 1, "cell": "r4c0", "role": "prisoner", "looked": ["r3c0"]},
        "kevin": {"seat": 2, "cell": "r4c0", "role": "prisoner"},
        "franck": {"seat": 3, "cell": "r4c0", "role": "prisoner"},
        "jennifer": {"seat": 4, "cell": "r4c1", "role": "guard"},
        "max": {"seat": 5, "cell": "r4c0", "role": "prisoner"},
    },
    "seed": "5c" * 32,
}

EDITIONS: Final = (
    _edition("prototype", "suspicion", 4),
    _edition("prototype", "suspicion", 6),
    _edition("prototype", "cooperation", 5),
    _edition("prototype", "competition", 3),
    _edition("prototype", "team", 6),
    _edition("prototype", "solo", 1),
    _edition("bga", "suspicion", 5, guards=1),
    _edition("bga", "suspicion", 7),
    _edition("bga", "cooperation", 4, specials=True),
    _edition("bga", "solo", 1),
    _edition("ultimate", "suspicion", 8),
    _edition("ultimate", "suspicion", 6, madness_cards=True),
    _edition("ultimate", "cooperation", 4),
    _edition("ultimate", "cooperation", 6, madness=True),
    _edition("ultimate", "solo", 1, specials=True),
)
"""The same for the rulebooks beside the first edition."""

_SAID: Final = (
    SayPhrase(seat=1, phrase="stay_away", place="r2c2"),
    SayPhrase(seat=2, phrase="accuse", to=1),
    SayPhrase(seat=1, phrase="laugh"),
)

RECIPES: Final = (
    Recipe(name="suspicion-4", mode="suspicion", seats=4, seed=10),
    Recipe(name="suspicion-5", mode="suspicion", seats=5, seed=3),
    Recipe(name="suspicion-6", mode="suspicion", seats=6, seed=17),
    Recipe(name="cooperation-2", mode="cooperation", seats=2, seed=22),
    Recipe(name="cooperation-4", mode="cooperation", seats=4, seed=27),
    Recipe(name="competition-2", mode="competition", seats=2, seed=26),
    Recipe(name="team-4", mode="team", seats=4, seed=19),
    Recipe(name="team-6", mode="team", seats=6, seed=20),
    Recipe(name="solo-1", mode="solo", seats=1, seed=2),
    Recipe(name="suspicion-4-absent", mode="suspicion", seats=4, seed=34, absent=(3,)),
    Recipe(name="cooperation-3-pause", mode="cooperation", seats=3, seed=2, upset="pause"),
    Recipe(name="competition-3-resign", mode="competition", seats=3, seed=17, upset="resign"),
    Recipe(name="suspicion-4-annulled", mode="suspicion", seats=4, seed=14, upset="annul"),
    Recipe(
        name="cooperation-6-return",
        mode="cooperation",
        seats=6,
        seed=1,
        absent=(4,),
        upset="return",
        ready=True,
    ),
    Recipe(
        name="cooperation-4-escape",
        mode="cooperation",
        seats=4,
        seed=38,
        situation=_ALL_INSIDE,
    ),
    Recipe(name="suspicion-5-escape", mode="suspicion", seats=5, seed=13, situation=_MASKED_BALL),
    Recipe(name="cooperation-2-held", mode="cooperation", seats=2, seed=6, upset="hold"),
    Recipe(name="cooperation-2-inspected", mode="cooperation", seats=2, seed=6, upset="inspect"),
    Recipe(name="competition-2-delay", mode="competition", seats=2, seed=5, delay=Delay(turns=2)),
    Recipe(
        name="cooperation-3-talk", mode="cooperation", seats=3, seed=7, upset="talk", says=_SAID
    ),
    Recipe(name="cooperation-3-agreed", mode="cooperation", seats=3, seed=9, upset="agree"),
    *EDITIONS,
)
"""One game for each mode at least, each with something that the others do not have."""

KINDS: Final = (
    "starting_clue",
    "program",
    "delay_single",
    "free_action",
    "look_target",
    "move_target",
    "push_target",
    "control_target",
    "vision_target",
    "moving_target",
    "illusion_target",
    "control_room",
)
"""The kinds of decision that the first edition's unfinished games wait for, one each."""


class Stage(Struct, frozen=True, kw_only=True):
    """A golden game that begins as a scenario file does.

    It is played as the scenario ``scenario`` of ``tests/scenarios/<file>.json`` says, until the
    table first asks for a decision of the kind ``until``; or, without one, through and then by lot
    to the game's end.
    """

    rulebook: str
    file: str
    scenario: str
    until: str | None = None

    @property
    def name(self) -> str:
        """The golden file's name, without its suffix."""
        return f"{self.rulebook}-{self.until or self.scenario}"


def _asked(rulebook: str, file: str, scenario: str, until: str) -> Stage:
    return Stage(rulebook=rulebook, file=file, scenario=scenario, until=until)


STAGES: Final = (
    _asked("prototype", "prototype", "S-032", "next_character"),
    _asked("prototype", "prototype", "S-215", "secrets_target"),
    _asked("prototype", "prototype", "X-R061A", "illusion_target"),
    _asked("prototype", "prototype_guards", "S-207", "look_target"),
    _asked("prototype", "prototype_guards", "S-208", "killer_step"),
    _asked("prototype", "prototype_guards", "S-209", "traitor_change"),
    _asked("prototype", "prototype_shared", "S-079p", "moving_target"),
    _asked("bga", "actions", "S-043", "push_target"),
    _asked("bga", "actions", "S-055", "control_room"),
    _asked("bga", "cards", "S-192", "adrenaline_action"),
    _asked("bga", "robots", "S-180", "robot_order"),
    _asked("bga", "shifts", "S-069", "free_action"),
    _asked("ultimate", "characters", "S-163", "acid_victim"),
    _asked("ultimate", "characters", "S-164", "vision_target"),
    _asked("ultimate", "characters", "S-176", "summon_refuse"),
    _asked("ultimate", "characters", "X-CARRYTUNNEL", "tunnel_target"),
    _asked("ultimate", "characters", "X-CARRYACID", "special_choice"),
    _asked("ultimate", "madness", "S-203", "card_lock"),
    _asked("ultimate", "madness", "X-LOCKCARDEMMETT", "card_lock_target"),
    _asked("ultimate", "madness", "X-ROBOTCARDTWO", "card_robot"),
    _asked("ultimate", "madness", "X-ROBOTCARD", "card_push"),
    _asked("ultimate", "madness", "X-ROBOTCARDREFUSED", "card_push_other"),
    _asked("ultimate", "madness", "S-258", "card_android"),
    _asked("ultimate", "madness", "X-PANICKEVIN", "card_swap"),
    _asked("ultimate", "madness", "X-PANICMAXCHOICE", "card_carry"),
    _asked("ultimate", "madness", "X-PANICBRUCE", "card_scatter"),
    _asked("ultimate", "robots", "S-187", "android"),
    _asked("ultimate", "robots", "X-ANDROIDORDER", "robot_order_again"),
)
"""Unfinished games of the other rulebooks, for every kind of decision that is ever asked for."""

STAGED: Final = (
    Stage(rulebook="prototype", file="prototype", scenario="S-215"),
    Stage(rulebook="prototype", file="prototype", scenario="S-030"),
    Stage(rulebook="prototype", file="prototype", scenario="S-057p"),
    Stage(rulebook="prototype", file="prototype_guards", scenario="S-206"),
    Stage(rulebook="prototype", file="prototype_guards", scenario="S-209"),
    Stage(rulebook="prototype", file="prototype", scenario="S-149"),
    Stage(rulebook="prototype", file="prototype", scenario="S-150b"),
    Stage(rulebook="prototype", file="prototype", scenario="X-P06C"),
    Stage(rulebook="prototype", file="prototype_guards", scenario="X-R112C"),
    Stage(rulebook="prototype", file="modes", scenario="S-153"),
    Stage(rulebook="bga", file="shifts", scenario="S-062"),
    Stage(rulebook="bga", file="ultimate_rooms", scenario="X-U22"),
    Stage(rulebook="ultimate", file="madness", scenario="X-ACCELERATIONESCAPE"),
    Stage(rulebook="ultimate", file="ultimate_rooms", scenario="S-073"),
    Stage(rulebook="ultimate", file="ultimate_rooms", scenario="X-R069A"),
    Stage(rulebook="ultimate", file="characters", scenario="S-161"),
    Stage(rulebook="ultimate", file="characters", scenario="S-166"),
    Stage(rulebook="ultimate", file="characters", scenario="S-167"),
    Stage(rulebook="ultimate", file="characters", scenario="S-170"),
    Stage(rulebook="ultimate", file="characters", scenario="S-172"),
    Stage(rulebook="ultimate", file="characters", scenario="S-176"),
    Stage(rulebook="ultimate", file="characters", scenario="S-223"),
    Stage(rulebook="ultimate", file="characters", scenario="S-252"),
    Stage(rulebook="ultimate", file="characters", scenario="S-255a"),
    Stage(rulebook="ultimate", file="madness", scenario="S-259"),
    Stage(rulebook="ultimate", file="ultimate_rooms", scenario="S-095"),
    Stage(rulebook="bga", file="ultimate_rooms", scenario="S-105"),
    Stage(rulebook="bga", file="ultimate_rooms", scenario="S-121"),
    Stage(rulebook="prototype", file="situations", scenario="X-KNOWN"),
    Stage(rulebook="bga", file="situations", scenario="X-NAMED"),
    Stage(rulebook="ultimate", file="situations", scenario="X-RETURNED"),
    Stage(rulebook="ultimate", file="situations", scenario="X-STACK"),
)
"""Records of what chance seldom brings about in the other rulebooks."""


BOARDS: Final = (
    "cooperation-6-return@v-3@public.txt",
    "suspicion-4@v-150@public.txt",
    "suspicion-4-absent@turn-2@public.txt",
    "suspicion-5@v-309@seat-2.txt",
    "suspicion-5@end@full.txt",
    "competition-3-resign@v-257@seat-1.txt",
    "team-6@v-210@full.txt",
    "solo-1@v-64@seat-1.txt",
    "cooperation-4@v-187@seat-3.svg",
)
"""Drawings: record, moment (``turn-N``, ``v-N`` or ``end``) and viewer."""

VECTORS: Final[Mapping[str, int | None]] = {
    "records/bga-S-062": None,
    "records/bga-S-105": 100,
    "records/bga-S-121": None,
    "records/bga-X-U22": None,
    "records/competition-3-resign": None,
    "records/cooperation-2-held": 60,
    "records/cooperation-2-inspected": 40,
    "records/cooperation-3-pause": 100,
    "records/cooperation-3-agreed": 70,
    "records/cooperation-3-talk": 60,
    "records/cooperation-6-return": None,
    "records/prototype-S-030": 28,
    "records/prototype-S-206": 100,
    "records/prototype-S-209": 100,
    "records/prototype-S-215": 100,
    "records/prototype-team-6": None,
    "records/solo-1": 60,
    "records/ultimate-S-095": None,
    "records/ultimate-S-161": 71,
    "records/ultimate-S-166": 100,
    "records/ultimate-S-170": 150,
    "records/ultimate-S-172": 100,
    "records/ultimate-S-223": 32,
    "records/ultimate-S-252": 100,
    "records/ultimate-S-255a": 100,
    "records/ultimate-X-R069A": None,
    "records/ultimate-cooperation-4": None,
    "records/ultimate-suspicion-6": None,
    "unfinished/free_action": None,
    "unfinished/ultimate-card_push_other": None,
}
"""Golden games in which, together, every type of event occurs, in every rulebook. What has a number
is cut there, at the end of the command that made that event."""
