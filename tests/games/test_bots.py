"""House bots: seeded, and never moved to a voluntary act."""

from __future__ import annotations

import hmac
from collections import Counter

import pytest
from msgspec.structs import replace

from events.kernel import Decision, Option
from games.bots import bot_seed, random_bot
from games.game_registry import installed_games
from games.table.checks import HOUSE_BOTS
from games.table.state import TableState
from tests.replay import auditor

OPTIONS = tuple(Option(name) for name in ("up", "right", "down"))
DECISION = Decision(id="d1", kind="move", seat=1, options=OPTIONS)


def choices(count: int) -> list[str]:
    view = TableState()
    return [
        random_bot(view, DECISION, bot_seed("ab" * 32, 1, f"d{number}")) for number in range(count)
    ]


def test_the_rules_know_the_house_bots_by_name() -> None:
    assert frozenset(installed_games().bots) == HOUSE_BOTS


def test_the_random_bot_repeats_itself_exactly() -> None:
    assert choices(20) == choices(20)


def test_the_random_bot_takes_every_option_about_equally_often() -> None:
    counts = Counter(choices(600))
    assert set(counts) == {"up", "right", "down"}
    assert min(counts.values()) > 150


def test_a_seed_differs_by_key_seat_and_decision() -> None:
    seeds = {bot_seed(key * 32, seat, d) for key in ("ab", "cd") for seat in (1, 2) for d in "xy"}
    assert len(seeds) == 8


def below(play: object, decision: Decision, path: tuple[str, ...]) -> tuple[Option, ...]:
    """What lies below ``up``: the leaf ``up.far``, and ``up.near``, where two leaves lie."""
    assert (play, decision.id) == ("the seat's own view", "d1")
    if path == ("up",):
        return (Option("up.far"), Option("up.near", branch=True))
    return (Option("up.near.left"), Option("up.near.right")) if path == ("up", "near") else ()


def test_the_random_bot_walks_down_with_equal_chances_on_each_level() -> None:
    tree = replace(DECISION, options=(Option("up", branch=True), Option("down")))
    view = TableState(play="the seat's own view")
    seeds = [bot_seed("ab" * 32, 1, f"d{number}") for number in range(800)]
    counts = Counter(random_bot(view, tree, seed, below) for seed in seeds)
    wanted = {"down": 400, "up.far": 200, "up.near.left": 100, "up.near.right": 100}
    assert counts.keys() == wanted.keys()
    assert all(abs(counts[name] - number) < 60 for name, number in wanted.items())
    assert counts == Counter(random_bot(view, tree, seed, below) for seed in seeds)


def test_the_random_bot_chooses_as_the_page_on_draws_says() -> None:
    tree = replace(DECISION, options=(Option("up", branch=True), Option("down")))
    view = TableState(play="the seat's own view")
    for key in (f"{number:02x}" * 32 for number in range(30)):
        seed = hmac.digest(bytes.fromhex(key), b"parlour/bot/1\x00s1/d1", "sha256")
        found = auditor.choice(seed, "d1", ["up", "down"])
        if found == "up":
            found = auditor.choice(seed, "d1/up", ["up.far", "up.near"])
        if found == "up.near":
            found = auditor.choice(seed, "d1/up.near", ["up.near.left", "up.near.right"])
        assert random_bot(view, tree, bot_seed(key, 1, "d1"), below) == found


def test_a_random_bot_that_cannot_list_branches_says_so() -> None:
    tree = replace(DECISION, options=(Option("up", branch=True),))
    with pytest.raises(ValueError, match="nothing is listed below a branch of move"):
        random_bot(TableState(), tree, "ab" * 32)


def test_the_random_bot_never_resigns() -> None:
    resign = Decision(id="r", kind="resign", seat=1, options=(Option("resign"),), optional=True)
    with pytest.raises(ValueError, match="optional action"):
        random_bot(TableState(), resign, "ab" * 32)
