"""The house bot ``steady``: what it answers to each kind of decision (§12.9; pure).

It sees only its seat's view: public facts and its own hand. Only between equals the seed decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.kernel import Decision
from games.bots import ListBranch
from games.cerveauuu.bots import (
    answering,
    discarding,
    going,
    placing,
    supporting,
    wandering,
)
from games.cerveauuu.bots.mind import Mind
from games.cerveauuu.bots.worth import Worth, lead
from games.cerveauuu.model.state import State
from games.cerveauuu.rules.context import Grids
from games.cerveauuu.rules.goes import SWAP
from games.cerveauuu.rules.plays import PLAY

Opinion = Callable[[Mind], str]

_OPINIONS: Final[Mapping[str, Opinion]] = {
    "place_human": placing.place_human,
    "place_zombie": placing.place_zombie,
    "wander_turn": wandering.wander_turn,
    "wander_batch": wandering.wander_batch,
    "replan": going.replan,
    "support": supporting.propose,
    "consent": supporting.consent,
    "discard": discarding.discard,
}
"""What it thinks of the kinds of decisions for which it tries no cards."""


class Steady:
    """The house bot; it remembers boards, which saves time and changes no answer.

    Args:
        branch: what is below a branch of a decision, by the game's rules.
        worth: by what it judges cards that it tries.
    """

    def __init__(self, branch: ListBranch, worth: Worth = lead) -> None:
        self._branch = branch
        self._worth = worth
        self._grids = Grids()

    def choose(self, view: Any, decision: Decision, seed: str) -> str:  # noqa: ANN401 (the view of a table, which knows no game)
        """The leaf that it takes; ``view`` is its seat's table, ``seed`` breaks ties.

        Raises:
            ValueError: the decision is voluntary, or of no kind that the game has.
        """
        return self.answer(view.play, decision, seed)

    def answer(self, state: State, decision: Decision, seed: str) -> str:
        """The same for a game without a table; ``state`` is the view of the seat.

        Raises:
            ValueError: as ``choose``.
        """
        if decision.optional:
            raise ValueError(f"nobody asked for a voluntary act: {decision.kind}")
        mind = Mind(state, self._grids.of(state), decision, seed, self._branch, self._worth)
        if decision.kind == "respond":
            return answering.respond(mind, self._grids)
        if decision.kind == "go":
            return self._go(mind)
        opinion = _OPINIONS.get(decision.kind)
        if opinion is None:
            raise ValueError(f"no such decision: {decision.kind}")
        return opinion(mind)

    def _go(self, mind: Mind) -> str:
        """A card that would be lost, else an attack; another card for a poor one before a walk."""
        if mind.listed(PLAY):
            play = answering.spend_in_go(mind, self._grids)
            if play is not None:
                return play
        attack = going.attack(mind)
        if attack is not None:
            return attack
        swap = discarding.swap(mind) if mind.listed(SWAP) else None
        return swap or going.walk(mind)
