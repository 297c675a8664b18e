"""The steady players of §13.3, as far as that tells of them, and steps on the way there.

Each plays as the house bot ``steady`` does but for some habits. ``selfish`` has all of them and
matches the figures of §13.3 but for what five players eat; the others show what each habit does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from events.draw import Draw
from events.kernel import Decision, Option
from games.bots import ListBranch, any_leaf
from games.cerveauuu.bots import Steady
from games.cerveauuu.bots.worth import Worth, lead, own
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.fights import NONE
from games.cerveauuu.rules.movement import KEEP
from games.cerveauuu.rules.plays import PLAY

WANDERING: Final = frozenset({"wander_turn", "wander_batch"})
HUMANS: Final = frozenset({"place_human"})
DISCARDS: Final = frozenset({"discard"})


class Habits(Struct, frozen=True, kw_only=True):
    """In what a player differs from ``steady``.

    Attributes:
        worth: by what it judges cards; by what is its own alone it leaves others' fights alone.
        by_chance: the kinds of decisions that it leaves to chance, without playing cards there.
        keeps: after any card its zombie goes on as declared, as far as it can.
        alone: it invites only zombies of its own into a fight.
    """

    worth: Worth = lead
    by_chance: frozenset[str] = frozenset()
    keeps: bool = False
    alone: bool = False


VARIANTS: Final[Mapping[str, Habits]] = {
    "simplified": Habits(by_chance=DISCARDS, keeps=True, alone=True),
    "strolling": Habits(by_chance=WANDERING),
    "scattering": Habits(by_chance=HUMANS),
    "careless": Habits(by_chance=WANDERING | HUMANS | DISCARDS, keeps=True, alone=True),
    "unspoiling": Habits(worth=own),
    "selfish": Habits(worth=own, by_chance=WANDERING | HUMANS | DISCARDS, keeps=True, alone=True),
}
"""The players by name."""


class Variant:
    """``steady`` with other habits; like it, it sees its own view alone.

    Args:
        branch: what is below a branch of a decision, by the game's rules.
        habits: in what it differs.
    """

    def __init__(self, branch: ListBranch, habits: Habits) -> None:
        self._branch = branch
        self._habits = habits
        self._steady = Steady(branch, habits.worth)

    def answer(self, view: State, decision: Decision, seed: str) -> str:
        """The leaf that it takes; ``seed`` is what all its chance is drawn from.

        Raises:
            ValueError: the decision is voluntary, or of no kind that the game has.
        """
        if decision.kind in self._habits.by_chance:
            options = tuple(option for option in decision.options if option.id != PLAY)
            draw = Draw(bytes.fromhex(seed))
            return any_leaf(view, replace(decision, options=options), draw, self._branch)
        if self._habits.keeps and decision.kind == "replan":
            return KEEP
        if self._habits.alone and decision.kind == "support":
            options = tuple(option for option in decision.options if _own(view, decision, option))
            decision = replace(decision, options=options)
        return self._steady.answer(view, decision, seed)


def _own(view: State, decision: Decision, option: Option) -> bool:
    """Whether a set of zombies to invite is the seat's own."""
    invited = () if option.id == NONE else option.id.split("-")
    return all(view.pieces[zombie].controller == decision.seat for zombie in invited)
