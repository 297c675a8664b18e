"""The acceptance scenarios that no file can tell, because no table can be brought there."""

from __future__ import annotations

import msgspec
import pytest

from events.draw import Draw
from events.kernel import Actor, Context, Working, fold
from games.contract import Opening
from games.room25 import ROOM25
from games.room25.engine import run
from games.room25.evolve import evolve
from games.room25.play import Play
from games.room25.situation import Situation, roster_of
from games.room25.state import State
from replay.scenario.engine import RULES, EngineTable
from replay.scenario.format import RunUntil, Scenario
from replay.scenario.performance import perform

COMPETITION = {
    "characters": {
        "emmett": {"seat": 1},
        "kevin": {"seat": 1, "dead": True},
        "franck": {"seat": 2},
        "jennifer": {"seat": 2, "dead": True},
    }
}


def _at_programming() -> Play:
    """A competition in which each player has one figure left."""
    wish = Opening(
        rulebook="first_edition", mode="competition", seats=2, options={}, situation=COMPETITION
    )
    opening = ROOM25.open(wish)
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(b"seed"))
    work = Working(evolve, State(), context)
    ROOM25.begin(work, roster_of(opening, msgspec.convert(COMPETITION, Situation)))
    return Play(work)


def test_s_154_the_last_figures_of_both_die_at_once_and_nobody_wins() -> None:
    """R81: one batch, one check."""
    play = _at_programming()
    play.eliminate(("emmett", "franck"), "mortal")
    run(play)
    assert play.state.end is not None
    assert (play.state.end.outcome, play.state.end.winners) == ("draw", ())


def test_s_154_one_batch_is_in_turn_order_and_one_of_two_leaves_a_winner() -> None:
    """The planted neighbour of the case above."""
    play = _at_programming()
    play.eliminate(("franck",), "mortal")
    run(play)
    assert play.state.end is not None
    assert (play.state.end.outcome, play.state.end.winners) == ("team", (1,))


def test_s_220_a_replay_gives_the_same_state_and_draws_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """§3.11: whatever was drawn is in the events."""
    table = EngineTable()
    whole = Scenario(
        id="S-220",
        title="A whole game of defaults",
        cites=("§3.11",),
        rulebooks=("first_edition",),
        mode="suspicion",
        seats=4,
        when=(RunUntil(end=True),),
    )
    reports = perform(whole, lambda: table)
    assert [report.problems for report in reports] == [()]

    def refuse(*_: object) -> None:
        raise AssertionError("a fold draws nothing")

    monkeypatch.setattr(Draw, "_numbers", refuse)
    assert fold(RULES, table.log) == table.state
