"""House bots: seeded, and never moved to a voluntary act."""

from __future__ import annotations

from collections import Counter

import pytest

from events.kernel import Decision, Option
from games.bots import BOTS, VOLUNTEERS, bot_seed
from games.table_checks import HOUSE_BOTS
from games.table_state import TableState

OPTIONS = tuple(Option(name) for name in ("up", "right", "down"))
DECISION = Decision(id="d1", kind="move", seat=1, options=OPTIONS)


def choices(count: int) -> list[str]:
    view = TableState()
    return [
        BOTS["random"](view, DECISION, bot_seed("ab" * 32, 1, f"d{number}"))
        for number in range(count)
    ]


def test_the_rules_know_the_house_bots_by_name() -> None:
    assert frozenset(BOTS) == HOUSE_BOTS
    assert frozenset(VOLUNTEERS) < HOUSE_BOTS


def test_the_random_bot_repeats_itself_exactly() -> None:
    assert choices(20) == choices(20)


def test_the_random_bot_takes_every_option_about_equally_often() -> None:
    counts = Counter(choices(600))
    assert set(counts) == {"up", "right", "down"}
    assert min(counts.values()) > 150


def test_a_seed_differs_by_key_seat_and_decision() -> None:
    seeds = {bot_seed(key * 32, seat, d) for key in ("ab", "cd") for seat in (1, 2) for d in "xy"}
    assert len(seeds) == 8


def test_the_random_bot_never_resigns() -> None:
    resign = Decision(id="r", kind="resign", seat=1, options=(Option("resign"),), optional=True)
    with pytest.raises(ValueError, match="voluntary"):
        BOTS["random"](TableState(), resign, "ab" * 32)
