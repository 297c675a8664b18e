"""The house bot ``steady``: what it answers to each kind of decision (pure).

It sees only its seat's view and answers by nothing else: the view holds what it has looked at, what
was claimed and what everybody did. Each option is played through in thought to the end of the turn
and the best one is taken; only between equals the seed decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from events.draw import Draw
from events.kernel import Decision
from games.room25.bots import candidates
from games.room25.bots.claims import voluntary_act
from games.room25.bots.memory import Memory
from games.room25.bots.policy import AIMS, Score

EQUAL: Final = 1e-9
"""Values that differ by less are equal."""


OPINIONS: Final[dict[str, Score]] = AIMS | {
    "starting_clue": candidates.clue,
    "program": candidates.program,
    "delay_single": candidates.delay,
    "free_action": candidates.free,
    "adrenaline_action": candidates.adrenaline,
    "next_character": candidates.next_character,
    "traitor_change": candidates.traitor,
}
"""What it thinks of each kind of decision: the value of the options, the smaller the better."""


class Steady:
    """The house bot; what it remembers saves time and changes no answer."""

    def __init__(self) -> None:
        self._memory = Memory()

    def choose(self, view: Any, decision: Decision, seed: str) -> str:  # noqa: ANN401 (the view of a table, which knows no game)
        """The best option, as far as the seat can see; ``view`` is its table, ``seed`` breaks ties.

        A kind of decision that it has no opinion on gets its default; options that it does not
        understand are left alone.

        Raises:
            ValueError: the decision is voluntary; for those there is ``volunteer``.
        """
        if decision.optional:
            raise ValueError(f"nobody asked for a voluntary act: {decision.kind}")
        score = OPINIONS.get(decision.kind)
        scores = score(view.play, decision, self._memory) if score is not None else {}
        if not scores:
            return decision.default or decision.options[0].id
        least = min(scores.values()) + EQUAL
        best = [name for name, value in scores.items() if value <= least]
        return best[0] if len(best) == 1 else Draw(bytes.fromhex(seed)).choice(best, decision.id)

    def volunteer(
        self,
        view: Any,  # noqa: ANN401 (as above)
        decisions: Sequence[Decision],
        seed: str,  # noqa: ARG002 (nothing is left to chance)
    ) -> tuple[str, str] | None:
        """A voluntary act among ``decisions``, as (decision, option), or None (``claims``)."""
        return voluntary_act(view.play, decisions, self._memory)
