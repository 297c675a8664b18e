"""What the house bot answers in a position of ``tests.games.cerveauuu.scenes``."""

from __future__ import annotations

from games.cerveauuu.bots import Steady
from tests.games.cerveauuu.scenes import Scene, seat_of

SEED = "5" * 64


def answer(scene: Scene, letter: str, kind: str) -> str:
    """What a seat answers to a decision of a kind, from its own view alone."""
    game, seat = scene.sitting.game, seat_of(letter)
    view = scene.sitting.views[seat]
    decision = next(d for d in game.decisions(view, seat) if d.kind == kind)
    option = Steady(game.branch).answer(view, decision, SEED)
    assert game.offers(scene.state, decision, option), f"not offered: {option}"
    return option
