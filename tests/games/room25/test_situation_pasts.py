"""What situations say of the past and of who is in play: beside the scenarios that show it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.draw import ArrangedDraw, Draw
from events.kernel import Rejected
from games.contract import TableOpening
from games.room25 import ROOM25
from games.room25.opening.situation import Situation
from tests.games.playing import TABLE, Game

Json = dict[str, Any]

NAMED: Json = {
    "characters": {
        "max": {"seat": 2, "role": "prisoner", "cell": "r1c2"},
        "sarah": {"seat": 3, "role": "guard"},
    },
    "only_named": True,
}


def opening(situation: Json, rulebook: str = "ultimate") -> TableOpening:
    """A table for four with a situation.

    Raises:
        Rejected: the situation is refused.
    """
    wish = TableOpening(
        rulebook=rulebook, mode="suspicion", seats=4, options={}, situation=situation
    )
    return ROOM25.open(wish)


@pytest.mark.parametrize("rulebook", ["ultimate", "first_edition", "prototype"])
@pytest.mark.parametrize("bot", ["random", "steady"])
def test_bots_play_to_the_end_though_two_of_them_have_nobody(bot: str, rulebook: str) -> None:
    names = ["kevin", "franck"] if rulebook != "ultimate" else ["max", "sarah"]
    identity = {"identity": "killer"} if rulebook == "prototype" else {}
    figures = {
        names[0]: {"seat": 2, "role": "prisoner", "cell": "r1c2"},
        names[1]: {"seat": 3, "role": "guard", **identity},
    }
    game = Game("suspicion", [bot] * 4, 7, rulebook, {"characters": figures, "only_named": True})
    assert {seat: place.characters for seat, place in game.state.seats.items()} == {
        1: (),
        2: (names[0],),
        3: (names[1],),
        4: (),
    }
    assert [d.kind for d in TABLE.decisions(game.state, 4)] == ["resign"]
    game.run()
    assert game.state.result is not None
    assert set(game.state.result.winners) <= {2, 3}


@pytest.mark.parametrize(
    "wrong",
    [
        {**NAMED, "only_named": "yes"},
        {**NAMED, "only_naemd": True},
        {**NAMED, "characters": {"max": {"seat": 2, "role": "prisoner", "returned": 1}}},
        {**NAMED, "characters": {"max": {"seat": 2, "role": "prisoner", "next_stack": "look"}}},
        {**NAMED, "tiles": {"r0c0": {"kind": "flooded", "face": "down", "known": "all"}}},
    ],
    ids=["only_named", "misspelt", "returned", "next_stack", "known"],
)
def test_what_does_not_fit_the_format_is_malformed(wrong: Json) -> None:
    assert opening(NAMED).situation == NAMED
    with pytest.raises(Rejected) as refusal:
        opening(wrong)
    assert refusal.value.code == "malformed-scenario"


def test_a_situation_that_does_not_use_them_says_nothing_of_them() -> None:
    """So a table that was opened before there were such fields reads and writes as it did."""
    old = {"characters": {"max": {"seat": 1}}, "tiles": {"r0c0": {"kind": "jail", "face": "down"}}}
    situation = msgspec.convert(old, Situation)
    assert msgspec.to_builtins(situation) == old


def test_arranged_shuffles_come_out_as_laid_out_and_others_as_drawn() -> None:
    items = ["look", "move", "push", "control"]
    order = ("push", "look", "control", "move")
    seed = bytes(range(32))
    draw = ArrangedDraw(Draw(seed), {"paranoia/max/": order})
    assert draw.shuffled(items, "paranoia/max/t3/e9") == list(order)
    assert draw.shuffled(items[:3], "paranoia/max/t4/e11") == ["push", "look", "move"]
    assert draw.shuffled(items, "paranoia/maxim/t3/e9") == Draw(seed).shuffled(
        items, "paranoia/maxim/t3/e9"
    )
    assert draw.choice(items, "way") == Draw(seed).choice(items, "way")
    with pytest.raises(ValueError, match="twice"):
        draw.below(6, "way")
