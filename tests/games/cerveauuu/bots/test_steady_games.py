"""Whole games of the house bot: its answers are offered and its own, and it wins."""

from __future__ import annotations

import pytest

from events.kernel import Decision
from games.bots import bot_seed
from games.cerveauuu.bots import Steady
from games.cerveauuu.decider import Cerveauuu
from games.cerveauuu.model.state import State
from simulator.cerveauuu.bot_games import BotMatch, compete

TABLES = [
    (("steady", "random"), {"credits": "spread"}),
    (("steady", "steady", "random"), {"wander_goes": 0, "placement": "random"}),
    (("steady", "steady", "steady", "steady"), {"first_chief": 2}),
    (("random", "steady", "steady", "random", "steady"), {"wander_goes": 6}),
    (("steady", "steady", "steady", "random", "steady", "random"), {"credits": "spread"}),
]

LAPS = 10
"""Games at each table; at the small ones the first always, the others at night."""

SMALL = 3

GAMES = [
    pytest.param(
        *table,
        lap,
        marks=() if len(table[0]) <= SMALL and not lap else pytest.mark.nightly,
        id=f"{len(table[0])}-{lap}",
    )
    for table in TABLES
    for lap in range(LAPS)
]


@pytest.mark.parametrize(("names", "options", "seed"), GAMES)
def test_each_answer_is_offered_and_hangs_on_nothing_but_the_view(
    names: tuple[str, ...], options: dict[str, object], seed: int
) -> None:
    """The game refuses what is not offered; a bot that has seen nothing else answers the same."""
    other = Steady(Cerveauuu().branch)
    asked: set[str] = set()

    def check(view: State, decision: Decision, option: str) -> None:
        if names[decision.seat - 1] != "steady":
            return
        first = decision.kind not in asked
        asked.add(decision.kind)
        if first or "play" in option:
            chance = bot_seed(f"{seed:064x}", decision.seat, decision.id)
            assert other.answer(view, decision, chance) == option

    state = BotMatch(names, seed, options).play(check).truth
    assert state.end is not None
    assert {"place_zombie", "respond"} <= asked


def test_what_is_not_offered_is_refused() -> None:
    """A planted player that answers nonsense."""
    game = BotMatch(["steady", "passing"], 1)
    game.seat("passing", lambda *_: "h01.r99c99")
    with pytest.raises(ValueError, match="not offered"):
        game.play()


# --- winning ---


def test_it_beats_players_at_random() -> None:
    record = compete("steady", "random", 1, range(1, 5))
    assert record.wins >= 3
    assert record.points > record.others


def test_who_always_passes_does_not() -> None:
    """The measure tells players apart."""
    record = compete("passing", "steady", 1, range(1, 3))
    assert record.wins == 0


@pytest.mark.nightly
@pytest.mark.parametrize("others", [1, 3])
def test_it_wins_nine_games_in_ten(others: int) -> None:
    """§13.3."""
    record = compete("steady", "random", others, range(1, 31))
    assert record.wins >= 0.9 * record.games


@pytest.mark.nightly
def test_who_always_passes_wins_no_nine_in_ten() -> None:
    """A planted bot that does not play."""
    record = compete("passing", "random", 1, range(1, 31))
    assert record.wins < 0.9 * record.games
