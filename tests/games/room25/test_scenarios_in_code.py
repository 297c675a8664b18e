"""The acceptance scenarios that no file can tell, because no table can be brought there."""

from __future__ import annotations

import msgspec
import pytest

from events.draw import Draw
from events.kernel import Actor, Context, Working, fold
from games.contract import TableOpening
from games.registry import GAMES
from games.room25 import ROOM25, RULEBOOKS
from games.room25.facts.evolve import evolve
from games.room25.model.agenda import Enter
from games.room25.model.catalogue import color_of
from games.room25.model.state import State
from games.room25.opening.situation import Situation, roster_of
from games.room25.rules.context import Play
from games.room25.rules.engine import run
from games.room25.scenarios.checks import Program
from replay.scenario.dialect import dialect_of
from replay.scenario.engine import TABLE, EngineTable
from replay.scenario.format import RunUntil
from replay.scenario.performance import perform
from tests.games.begun import many, opening

TOLD = dialect_of(GAMES["room25"])
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
    wish = TableOpening(
        rulebook="first_edition", mode="competition", seats=2, options={}, situation=COMPETITION
    )
    wished = ROOM25.open(wish)
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(b"seed"))
    work = Working(evolve, State(), context)
    ROOM25.begin(work, roster_of(wished, msgspec.convert(COMPETITION, Situation)))
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


@pytest.mark.parametrize(
    ("rulebook", "mode", "seats"),
    [
        ("prototype", "suspicion", 6),
        ("prototype", "solo", 1),
        ("first_edition", "suspicion", 4),
        ("bga", "suspicion", 8),
        ("ultimate", "cooperation", 3),
        ("ultimate", "solo", 1),
    ],
)
def test_s_220_a_replay_gives_the_same_state_and_draws_nothing(
    rulebook: str, mode: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """§3.11: whatever was drawn is in the events."""
    table = EngineTable()
    whole = TOLD.scenario(
        id="S-220",
        title="A whole game of defaults",
        cites=("§3.11",),
        rulebooks=(rulebook,),
        mode=mode,
        seats=seats,
        when=(RunUntil(end=True),),
    )
    reports = perform(whole, lambda: table)
    assert [report.problems for report in reports] == [()]

    def refuse(*_: object) -> None:
        raise AssertionError("a fold draws nothing")

    monkeypatch.setattr(Draw, "_numbers", refuse)
    assert fold(TABLE, table.log) == table.state


PIVOT = {
    "characters": {
        "emmett": {"seat": 1, "role": "prisoner"},
        "kevin": {"seat": 2, "role": "prisoner"},
        "franck": {"seat": 3, "role": "prisoner"},
        "jennifer": {"seat": 4, "role": "guard"},
    },
    "tiles": {"r1c2": {"kind": "pivoting", "face": "down"}},
}


def _entered(way: str) -> Play:
    """The first figure came to a face-down Pivoting Room."""
    wish = TableOpening(rulebook="ultimate", mode="suspicion", seats=4, options={}, situation=PIVOT)
    wished = ROOM25.open(wish)
    context = Context(now=0, actor=Actor("player", "host"), draw=Draw(b"seed"))
    work = Working(evolve, State(), context)
    ROOM25.begin(work, roster_of(wished, msgspec.convert(PIVOT, Situation)))
    play = Play(work)
    play.push(Enter(("emmett",), "r1c2", way))
    run(play)
    return play


def test_x_d14_who_comes_to_a_pivoting_room_without_a_step_chooses_its_axis() -> None:
    """D14, R73: no play leads there (H11), but the engine knows what to do."""
    play = _entered("")
    (decision,) = (d for d in ROOM25.decisions(play.state, 1) if d.kind == "pivot_orientation")
    assert [option.id for option in decision.options] == ["horizontal", "vertical"]
    assert decision.default == "horizontal"
    ROOM25.choose(play.work, decision, "vertical")
    assert play.state.grid["r1c2"].axis == "vertical"


def test_x_d14_by_a_step_nobody_is_asked() -> None:
    """The planted neighbour of the case above."""
    play = _entered("right")
    assert play.state.grid["r1c2"].axis == "horizontal"
    assert not [d for d in ROOM25.decisions(play.state, 1) if d.kind == "pivot_orientation"]


TRAITOR = {
    "characters": {
        "emmett": {"seat": 1, "role": "prisoner"},
        "kevin": {"seat": 2, "role": "prisoner"},
        "franck": {"seat": 3, "role": "prisoner"},
        "jennifer": {
            "seat": 4,
            "cell": "r1c1",
            "role": "guard",
            "identity": "traitor",
            "role_public": True,
        },
    },
    "order": ["jennifer", "emmett", "kevin", "franck"],
}


def test_x_r118_what_a_traitor_changes_is_handed_in_secretly() -> None:
    """R118: the command must not tell the token either."""
    table = EngineTable()
    scenario = TOLD.scenario(
        id="X-R118",
        title="A traitor's change",
        cites=("R118",),
        rulebooks=("prototype",),
        mode="suspicion",
        seats=4,
        given=msgspec.convert(TRAITOR, Situation),
        when=(
            Program(seat=4, tokens=("push", "move")),
            RunUntil(seat=4, kind="traitor_change"),
        ),
    )
    assert [report.problems for report in perform(scenario, lambda: table)] == [()]
    (decision,) = (d for d in TABLE.decisions(table.state, 4) if d.kind == "traitor_change")
    assert decision.secret


COLOURS = {
    ("suspicion", 4): (2, 5, 8, 10),
    ("suspicion", 6): (2, 7, 8, 8),
    ("cooperation", 4): (3, 4, 7, 11),
}
"""How many blue, green, yellow and red rooms a random list holds (§2.1)."""


@pytest.mark.parametrize("rulebook", ["bga", "ultimate"])
@pytest.mark.parametrize("table", COLOURS)
def test_s_016_a_random_list_has_its_colours_and_the_box_holds_it(
    rulebook: str, table: tuple[str, int]
) -> None:
    """R5b: drawn by colour; Sarah's two and Bruce's empty room stay in the box."""
    for state in many(opening(*table, rulebook), 25):
        colours: list[str] = [
            color_of(kind) for kind, n in state.composition.items() for _ in range(n)
        ]
        found = tuple(colours.count(each) for each in ("blue", "green", "yellow", "red"))
        assert found == COLOURS[table]
        box = dict(RULEBOOKS[rulebook].box)
        box["empty"] -= 3
        assert all(n <= box[kind] for kind, n in state.composition.items())
