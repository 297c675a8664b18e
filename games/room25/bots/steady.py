"""The house bot ``steady``: what it answers to each kind of decision (pure).

It sees only its seat's view and remembers nothing: the view holds what it has looked at, what was
claimed and what everybody did. Each option is played through in thought to the end of the turn and
the best one is taken; only between equals the seed decides.
"""

from __future__ import annotations

from typing import Any, Final

from events.draw import Draw
from events.kernel import Decision
from games.room25.bots import drafts
from games.room25.bots.aims import AIMS, Score

EQUAL: Final = 1e-9
"""Values that differ by less are equal."""


def steady(view: Any, decision: Decision, seed: str) -> str:  # noqa: ANN401 (the view of a table, which knows no game)
    """The best option, as far as the seat can see; ``view`` is its table, ``seed`` breaks ties.

    A kind of decision that it has no opinion on gets its default; options that it does not
    understand are left alone.

    Raises:
        ValueError: the decision is voluntary; for those there is ``volunteer``.
    """
    if decision.optional:
        raise ValueError(f"nobody asked for a voluntary act: {decision.kind}")
    score = OPINIONS.get(decision.kind)
    scores = score(view.play, decision) if score is not None else {}
    if not scores:
        return decision.default or decision.options[0].id
    least = min(scores.values()) + EQUAL
    best = [name for name, value in scores.items() if value <= least]
    return best[0] if len(best) == 1 else Draw(bytes.fromhex(seed)).choice(best, decision.id)


OPINIONS: Final[dict[str, Score]] = AIMS | {
    "starting_clue": drafts.clue,
    "program": drafts.program,
    "delay_single": drafts.delay,
    "free_action": drafts.free,
    "adrenaline_action": drafts.adrenaline,
    "next_character": drafts.next_character,
    "traitor_change": drafts.traitor,
}
"""What it thinks of each kind of decision: the value of the options, the smaller the better."""
