"""The house bot ``random``: in windows it passes seven times in ten (§12.9)."""

from __future__ import annotations

from collections import Counter

import pytest

from events.kernel import Decision
from games.bots import bot_seed
from games.cerveauuu.bots import AtRandom
from games.cerveauuu.package import GAME
from games.table.state import TableState
from tests.games.cerveauuu.scenes import Scene, scene
from tests.replay import auditor

SEEDS = [bot_seed("ab" * 32, 1, f"d{number}") for number in range(300)]


def answers(found: Scene, kind: str) -> Counter[str]:
    """What it answers to a question of seat A, by many seeds."""
    game, decision = found.sitting.game, found.asked("A", kind)
    bot, view = AtRandom(game.branch), found.sitting.views[1]
    leaves = [bot.answer(view, decision, seed) for seed in SEEDS]
    assert all(game.offers(found.state, decision, leaf) for leaf in set(leaves))
    assert leaves == [bot.answer(view, decision, seed) for seed in SEEDS]
    return Counter(leaves)


def window(card: str) -> Scene:
    """Window C, in which A holds a card."""
    found = scene("h1 4,4; zA 3,4; zB 8,0; h2 4,5", hands={"A": card, "B": "c031"})
    return found.go("A", "zA.attack-h1")


def test_it_passes_seven_windows_in_ten_and_plays_anything_in_the_others() -> None:
    found = answers(window("c044"), "respond")
    assert found["pass"] == pytest.approx(210, abs=30)
    assert set(found) == {"pass", "play.k1.h01", "play.k1.h02"}


def test_it_answers_a_window_as_the_page_on_draws_says() -> None:
    found = window("c044")
    decision, view = found.asked("A", "respond"), found.sitting.views[1]
    for each in SEEDS:
        seed = bytes.fromhex(each)
        numbers = auditor.blocks(seed, f"{decision.id}/playing")
        aimed = auditor.choice(seed, f"{decision.id}/play.k1", ["play.k1.h01", "play.k1.h02"])
        wanted = aimed if auditor.below(numbers, 10) < 3 else "pass"
        assert AtRandom(found.sitting.game.branch).answer(view, decision, each) == wanted


def test_it_passes_where_it_has_nothing_to_play() -> None:
    assert set(answers(window("c109"), "respond")) == {"pass"}


def test_elsewhere_all_options_of_a_level_are_equally_likely() -> None:
    found = answers(scene("h1 4,4; zA 3,4; zB 8,0", hands={"A": "c120"}), "go")
    firsts = Counter(leaf.split(".")[0] for leaf in found.elements())
    assert set(firsts) == {"z01", "down"}
    assert min(firsts.values()) > 110


def test_it_is_the_house_bot_and_does_nothing_unasked() -> None:
    bot = GAME.bots["random"]
    assert bot.volunteer is None
    voluntary = Decision(id="x", kind="yield", seat=1, options=(), optional=True)
    with pytest.raises(ValueError, match="not left to chance"):
        bot.choose(TableState(), voluntary, SEEDS[0])
    decision = window("c044").asked("A", "respond")
    view = TableState(play=window("c044").sitting.views[1])
    assert bot.choose(view, decision, SEEDS[0]) in {"pass", "play.k1.h01", "play.k1.h02"}
